import {
  allocateDoubles,
  MAX_FREQUENCY,
  requireBase,
  requireChoice,
  requireCount,
  requireInteger,
  requireOptions,
  requirePositive,
  withDefault,
} from './check.js';
import { badArgument, PosencError } from './errors.js';

/** The base of Vaswani et al. 2017 and Su et al. 2021. */
const DEFAULT_BASE = 10000;

/**
 * How sinusoidal frequencies are spaced: `paper` takes base^(−2i / dim), `t2t` (tensor2tensor, fairseq) takes
 * base^(−i / max(1, ⌊dim / 2⌋ − 1)), so that the slowest is exactly 1 / base.
 */
export type Spacing = 'paper' | 't2t';

/**
 * Which two channels of a head turn together: `half` pairs i with i + rotaryDim / 2 (GPT-NeoX, Hugging Face Llama; also
 * called `neox`), `interleaved` pairs 2i with 2i + 1 (RoFormer, Meta's Llama; also called `gptj`).
 */
export type Pairing = 'half' | 'interleaved' | 'neox' | 'gptj';

/** How a model's rotary frequencies are stretched to longer contexts. This version computes `default`. */
export type RopeType =
  'default' | 'linear' | 'ntk' | 'dynamic' | 'yarn' | 'longrope' | 'llama3' | 'mrope' | 'proportional';

/** The rotary embedding of a model. Each `type` reads the parameters it needs and leaves the others alone. */
export interface RopeParams {
  /** Channels of a head. */
  headDim: number;
  /** How many channels turn, the first ones of the head: even. All of them by default. */
  rotaryDim?: number;
  /** Base of the geometric series, `rope_theta` in many configurations. 10000 by default. */
  base?: number;
  type?: RopeType;
  /** `half` by default. */
  pairing?: Pairing;
  /** By how much the context is stretched. */
  factor?: number;
  /** Tokens of the context that the model was first trained for. */
  originalMaxPosition?: number;
  /** Tokens of the context that the model is offered with. */
  maxPosition?: number;
  /** `yarn`: pairs with more turns than this in the original context keep their frequency. */
  betaFast?: number;
  /** `yarn`: pairs with fewer turns than this are scaled in full. */
  betaSlow?: number;
  /** `yarn`: whether the bounds between those are rounded to whole pairs. */
  truncate?: boolean;
  /** `llama3`: pairs with fewer turns than this in the original context are scaled in full. */
  lowFreqFactor?: number;
  /** `llama3`: pairs with more turns than this keep their frequency. */
  highFreqFactor?: number;
  /** `longrope`: a divisor per pair for sequences within the original context. */
  shortFactor?: number[];
  /** `longrope`: a divisor per pair for longer sequences. */
  longFactor?: number[];
  /** Multiplies cosines and sines, whatever the type. */
  attentionFactor?: number;
  /** `yarn`: strength of the attention factor. */
  mscale?: number;
  /** `yarn`: strength of the factor that takes it back. */
  mscaleAllDim?: number;
  /** `mrope`: how many pairs turn by time, height and width. */
  mropeSection?: number[];
  /** `mrope`: whether the three take turns over the pairs instead of following each other. */
  mropeInterleaved?: boolean;
  /** `longrope`: the attention factor of sequences within the original context. */
  shortMscale?: number;
  /** `longrope`: the attention factor of longer ones. */
  longMscale?: number;
}

/** The frequencies of a rotary embedding, one entry per pair. */
export interface RopeFrequencies {
  /** Radians per token. */
  invFreq: Float64Array;
  /** By what the frequency of the default type was divided. */
  divisor: Float64Array;
  /** Tokens per turn, 2π / invFreq. */
  wavelength: Float64Array;
  /** Whether a pair keeps its frequency, has it scaled, or lies between. */
  zone: ('kept' | 'blended' | 'scaled')[];
  /** Multiplies cosines and sines, and so every score by its square. */
  attentionFactor: number;
  /** A multiplier that some models put on the softmax scale. It is not in `attentionFactor` and is never applied here. */
  softmaxFactor: number;
}

/** What a type does to the frequencies. */
interface Scaling {
  divisor: Float64Array;
  zone: ('kept' | 'blended' | 'scaled')[];
  attentionFactor: number;
  softmaxFactor: number;
}

/** What a scaling starts from. */
interface Unscaled {
  params: RopeParams;
  invFreq: Float64Array;
  /** Length of the sequence, for the types that depend on it. */
  seqLen: number | undefined;
}

/** One function per type. A type without one is known but not computed by this version. */
const scalings: Readonly<Record<RopeType, ((unscaled: Unscaled) => Scaling) | undefined>> = {
  default: keepAll,
  linear: undefined,
  ntk: undefined,
  dynamic: undefined,
  yarn: undefined,
  longrope: undefined,
  llama3: undefined,
  mrope: undefined,
  proportional: undefined,
};

function keepAll({ invFreq }: Unscaled): Scaling {
  return {
    divisor: new Float64Array(invFreq.length).fill(1),
    zone: Array.from(invFreq, () => 'kept'),
    attentionFactor: 1,
    softmaxFactor: 1,
  };
}

const PAIRINGS = { half: 'half', interleaved: 'interleaved', neox: 'half', gptj: 'interleaved' } as const;

const PARAMS = [
  'headDim',
  'rotaryDim',
  'base',
  'type',
  'pairing',
  'factor',
  'originalMaxPosition',
  'maxPosition',
  'betaFast',
  'betaSlow',
  'truncate',
  'lowFreqFactor',
  'highFreqFactor',
  'shortFactor',
  'longFactor',
  'attentionFactor',
  'mscale',
  'mscaleAllDim',
  'mropeSection',
  'mropeInterleaved',
  'shortMscale',
  'longMscale',
] as const satisfies readonly (keyof RopeParams)[];

/** The widths and the pairing of a rotary embedding, checked. */
export interface RopeLayout {
  headDim: number;
  rotaryDim: number;
  pairing: 'half' | 'interleaved';
}

/** Checks what every type needs. */
export function ropeLayout(params: RopeParams): RopeLayout {
  requireOptions(params, PARAMS, 'params');
  const headDim = requireCount(params.headDim, 'headDim');
  const rotaryDim = requireInteger(withDefault(params.rotaryDim, headDim), 'rotaryDim', 1, headDim);
  if (rotaryDim % 2 !== 0) throw badArgument('rotaryDim', 'even, since channels turn in pairs', rotaryDim);
  return { headDim, rotaryDim, pairing: requireChoice(withDefault(params.pairing, 'half'), 'pairing', PAIRINGS) };
}

/**
 * The frequencies of a rotary embedding: base^(−2p / rotaryDim) for pair p, scaled as its type says.
 *
 * Needs no engine.
 *
 * Errors: `bad-argument`; `unsupported` for a type that this version does not compute.
 * Accuracy: relative error below 1e-15.
 * Source: Su et al. 2021, arXiv:2104.09864, section 3.2.2.
 *
 * @param params the rotary embedding
 * @param options `seqLen`: length of the sequence in tokens, for the types that depend on it
 */
export function ropeFrequencies(params: RopeParams, options: { seqLen?: number } = {}): RopeFrequencies {
  const { rotaryDim } = ropeLayout(params);
  requireOptions(options, ['seqLen']);
  const base = requireBase(withDefault(params.base, DEFAULT_BASE));
  const seqLen = options.seqLen === undefined ? undefined : requireCount(options.seqLen, 'seqLen');
  const type = withDefault(params.type, 'default');
  const scale = requireChoice(type, 'type', scalings);
  if (scale === undefined) {
    const expected = Object.entries(scalings).flatMap(([name, scaling]) => (scaling === undefined ? [] : name));
    throw new PosencError('unsupported', `type ${type} is not computed by this version, only ${expected.join(', ')}`, {
      argument: 'type',
      expected: `one of ${expected.join(', ')}`,
      got: type,
    });
  }

  const invFreq = geometricSeries(rotaryDim / 2, base, 2 / rotaryDim, 'headDim');
  const { divisor, zone, attentionFactor, softmaxFactor } = scale({ params, invFreq, seqLen });
  for (let pair = 0; pair < invFreq.length; ++pair) invFreq[pair] = invFreq[pair]! / divisor[pair]!;
  return {
    invFreq,
    divisor,
    wavelength: invFreq.map((frequency) => (2 * Math.PI) / frequency),
    zone,
    attentionFactor:
      params.attentionFactor === undefined
        ? attentionFactor
        : requirePositive(params.attentionFactor, 'attentionFactor'),
    softmaxFactor,
  };
}

/** A rotary embedding as the calls use it. */
export interface Rotary extends RopeLayout {
  invFreq: Float64Array;
  attentionFactor: number;
}

/** The embedding of the last call, since loops ask for the same one again and again. */
let latest: { params: Record<string, unknown>; seqLen: number | undefined; rotary: Rotary } | undefined;

/** Layout and frequencies of an embedding. They are shared between calls, so nobody may write into them. */
export function rotaryOf(params: RopeParams, seqLen: number | undefined): Rotary {
  const given = params as unknown as Record<string, unknown>;
  if (latest !== undefined && latest.seqLen === seqLen && isSame(latest.params, given)) return latest.rotary;
  const layout = ropeLayout(params);
  const { invFreq, attentionFactor } = ropeFrequencies(params, seqLen === undefined ? {} : { seqLen });
  const rotary = { ...layout, invFreq, attentionFactor };
  const copy = Object.entries(given).map(([name, value]) => [name, Array.isArray(value) ? value.slice() : value]);
  latest = { params: Object.fromEntries(copy) as Record<string, unknown>, seqLen, rotary };
  return rotary;
}

/** Whether two parameter sets hold the same values under the same names. */
function isSame(known: Record<string, unknown>, given: Record<string, unknown>): boolean {
  let names = 0;
  for (const name in given) {
    const [a, b] = [known[name], given[name]];
    const equal =
      a === b || (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((v, i) => v === b[i]));
    if (!equal) return false;
    ++names;
  }
  return names === Object.keys(known).length;
}

export interface SinusoidalFrequencyOptions {
  /** Columns of the table, even or odd. */
  dim: number;
  /** 10000 by default. */
  base?: number;
  /** `paper` by default. */
  spacing?: Spacing;
}

/**
 * The frequencies of a sinusoidal encoding in radians per token, fastest first: ⌈dim / 2⌉ of them (`paper`; the last one
 * of an odd `dim` is a lone sine) or ⌊dim / 2⌋ (`t2t`; the last column of an odd `dim` is zero).
 *
 * Needs no engine.
 *
 * Errors: `bad-argument`.
 * Accuracy: relative error below 1e-15.
 * Source: Vaswani et al. 2017, arXiv:1706.03762, section 3.5; tensor2tensor `get_timing_signal_1d`.
 */
export function sinusoidalFrequencies(options: SinusoidalFrequencyOptions): Float64Array {
  requireOptions(options, ['dim', 'base', 'spacing'] satisfies (keyof SinusoidalFrequencyOptions)[]);
  return sinusoidalSeries(requireCount(options.dim, 'dim'), options.base, options.spacing);
}

/** The same for a checked `dim` and what a caller gave as `base` and `spacing`. */
export function sinusoidalSeries(dim: number, base: unknown = DEFAULT_BASE, spacing: unknown = 'paper'): Float64Array {
  const pairs = Math.floor(dim / 2);
  const { count, step } = requireChoice(spacing, 'spacing', {
    paper: { count: dim - pairs, step: 2 / dim },
    t2t: { count: pairs, step: 1 / Math.max(1, pairs - 1) },
  });
  return geometricSeries(count, requireBase(base), step, 'dim');
}

/** base^(−step · i). Both ends are checked, since a base below 1 makes the series rise. */
function geometricSeries(count: number, base: number, step: number, sizeName: string): Float64Array {
  const frequencies = allocateDoubles(count, sizeName);
  for (let i = 0; i < count; ++i) frequencies[i] = Math.pow(base, -i * step);
  const last = frequencies.at(-1) ?? 1;
  if (last > MAX_FREQUENCY) {
    throw badArgument('base', 'such that no frequency exceeds 2^32 radians per token', base);
  }
  return frequencies;
}
