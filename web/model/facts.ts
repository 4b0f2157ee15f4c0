import { requireOptions } from '../common/check.js';
import { ropeFrequencies, ropeLayout, type RopeLayout } from '../rotary/frequencies.js';
import type { RopeParams } from '../rotary/rope-params.js';
import type { Zone } from '../rotary/scalings/scaling.js';
import { shortChange, trainedRange, unturnedPairs, withoutScaling } from './extension/range.js';
import { flagFactor } from './render/llama-cpp.js';
import { settingOf, type RenderTarget } from './render/setting.js';

/** Pairs that follow each other and are treated alike. */
export interface ZoneRange {
  zone: Zone;
  /** The first pair and the last. */
  from: number;
  to: number;
}

/** What a target calls a factor, and the value it takes. */
export interface FactorName {
  key: string;
  value: number;
}

/** The factors in the words of a target; nothing where it has none and computes its own or reads the model's file. */
export interface FactorNames {
  attention?: FactorName;
  softmax?: FactorName;
}

/** What a rotary embedding comes to. */
export interface RotaryFacts extends RopeLayout {
  /** Channels that turn in pairs, over 2. */
  pairs: number;
  zones: ZoneRange[];
  /** Tokens per turn of the fastest pair that turns and of the slowest. */
  wavelength: { shortest: number; longest: number };
  /** Multiplies cosines and sines: scores change by its square. */
  attentionFactor: number;
  /** Multiplies the softmax scale in some models, apart from the table. */
  softmaxFactor: number;
  /** Tokens of training, where either context is given. */
  trainedLength?: number;
  /** Pairs that complete a turn within them, and so meet every angle. */
  turningPairs?: number;
  /** The greatest change of the mean cosine of all pairs at distances below 100, beside no scaling. */
  shortChange: number;
  /** What each target calls the two factors. */
  factorNames: Record<RenderTarget, FactorNames>;
}

/**
 * What a rotary embedding comes to: which pairs are kept, blended and scaled, its wavelengths, how many pairs complete a
 * turn in the context of training, what it changes at short lengths, and its two factors in every runtime's own words.
 *
 * Needs no engine.
 *
 * Errors: as `ropeFrequencies`.
 *
 * @param options `seqLen`: tokens of the text, for `dynamic` and `longrope`, as in `ropeFrequencies`
 */
export function rotaryFacts(params: RopeParams, options: { seqLen?: number } = {}): RotaryFacts {
  requireOptions(options, { seqLen: true });
  const layout = ropeLayout(params, 'params', '');
  const { wavelength, zone, invFreq, attentionFactor, softmaxFactor } = ropeFrequencies(params, options);
  const turning = wavelength.filter(Number.isFinite);
  const isTrained = params.maxPosition !== undefined || params.originalMaxPosition !== undefined;
  const trained = isTrained ? trainedRange(params) : undefined;
  return {
    ...layout,
    pairs: invFreq.length,
    zones: rangesOf(zone),
    wavelength: { shortest: Math.min(...turning), longest: Math.max(...turning) },
    attentionFactor,
    softmaxFactor,
    ...(trained === undefined
      ? {}
      : { trainedLength: trained.length, turningPairs: invFreq.length - unturnedPairs(trained) }),
    shortChange: shortChange(plainFrequencies(params), invFreq),
    factorNames: factorNames(params),
  };
}

function rangesOf(zones: readonly Zone[]): ZoneRange[] {
  const ranges: ZoneRange[] = [];
  zones.forEach((zone, pair) => {
    const last = ranges.at(-1);
    if (last?.zone === zone) last.to = pair;
    else ranges.push({ zone, from: pair, to: pair });
  });
  return ranges;
}

/** The frequencies without a scaling. What turns in `proportional` is no scaling. */
function plainFrequencies(params: RopeParams): Float64Array {
  if (params.type === 'proportional') return ropeFrequencies({ ...params, factor: 1 }).invFreq;
  return ropeFrequencies(withoutScaling(params)).invFreq;
}

function factorNames(params: RopeParams): Record<RenderTarget, FactorNames> {
  const setting = settingOf(params);
  const { attentionFactor, usualAttentionFactor, softmaxFactor, type } = setting;
  const isScaled = type === 'yarn' || type === 'longrope';
  const softmax = softmaxFactor === 1 ? {} : { softmax: { key: 'mscale_all_dim', value: params.mscaleAllDim ?? 0 } };
  const hf = { ...(isScaled ? { attention: { key: 'attention_factor', value: attentionFactor } } : {}), ...softmax };
  return {
    'hf-v4': hf,
    'hf-v5': hf,
    'llama.cpp': {
      attention: { key: '--yarn-attn-factor', value: flagFactor(setting) },
      ...(softmaxFactor === 1
        ? {}
        : { softmax: { key: 'rope.scaling.yarn_log_multiplier', value: 0.1 * (params.mscaleAllDim ?? 0) } }),
    },
    koboldcpp: {},
    exllama: {},
    ollama: {},
    vllm: {
      ...(type === 'yarn' ? { attention: { key: 'attn_factor', value: attentionFactor / usualAttentionFactor } } : {}),
      ...softmax,
    },
  };
}
