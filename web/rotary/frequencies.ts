import {
  allocate,
  MAX_FREQUENCY,
  namesOf,
  requireBase,
  requireBoolean,
  requireChoice,
  requireCount,
  requireInteger,
  requireOptions,
  requirePositiveFloat,
  withDefault,
} from '../common/check.js';
import { badArgument, within } from '../common/errors.js';
import { requireSections } from './mrope-sections.js';
import { ROPE_PARAMS, type RopeParams, type RopeType } from './rope-params.js';
import { scalings } from './scalings/index.js';
import type { Zone } from './scalings/scaling.js';

/** The widest head: far wider than any model's, and so narrow that a name and four numbers per pair fit in memory. */
const MAX_HEAD_DIM = 2 ** 20;

/** The base of Vaswani et al. 2017 and Su et al. 2021. */
const DEFAULT_BASE = 10000;

/**
 * How sinusoidal frequencies are spaced: `paper` takes base^(−2i / dim), `t2t` (tensor2tensor, fairseq) takes
 * base^(−i / max(1, ⌊dim / 2⌋ − 1)), so that the slowest is exactly 1 / base.
 */
export type Spacing = 'paper' | 't2t';

/** The frequencies of a rotary embedding, one entry per pair. */
export interface RopeFrequencies {
  /** Radians per token. */
  invFreq: Float64Array;
  /** By what the frequency of the default type was divided: Infinity where a pair does not turn. */
  divisor: Float64Array;
  /** Tokens per turn, 2π / invFreq: Infinity where a pair does not turn. */
  wavelength: Float64Array;
  /** Whether a pair keeps its frequency, has it scaled, or lies between. */
  zone: Zone[];
  /** Multiplies cosines and sines, and so every score by its square. */
  attentionFactor: number;
  /**
   * A multiplier that some models put on the softmax scale (DeepSeek, by `mscaleAllDim`). It is not in `attentionFactor`
   * and is never applied here.
   */
  softmaxFactor: number;
}

const PAIRINGS = { half: 'half', interleaved: 'interleaved', neox: 'half', gptj: 'interleaved' } as const;

/** The widths and the pairing of a rotary embedding, checked. */
export interface RopeLayout {
  headDim: number;
  /** Channels in pairs: those that turn, or where the type is `proportional`, the whole head. */
  rotaryDim: number;
  pairing: 'half' | 'interleaved';
}

/**
 * Checks what every type needs. `argument` is the name that the call has for the parameters; `prefix` stands before the
 * names of single ones, and is empty where they are an argument of their own.
 */
export function ropeLayout(params: RopeParams, argument = 'params', prefix = `${argument}.`): RopeLayout {
  const given = requireOptions(params, ROPE_PARAMS, argument, prefix);
  return within(prefix, () => layoutOf(given));
}

function layoutOf(params: RopeParams): RopeLayout {
  const headDim = requireInteger(params.headDim, 'headDim', 1, MAX_HEAD_DIM);
  const turning = withDefault(params.rotaryDim, headDim);
  if (params.rotaryDim === undefined && headDim % 2 !== 0) {
    throw badArgument('headDim', { kind: 'even-head' }, headDim);
  }
  if (!Number.isInteger(turning) || turning % 2 !== 0 || turning < 2 || turning > headDim) {
    throw badArgument('rotaryDim', { kind: 'even-width', headDim }, turning);
  }
  const pairing = requireChoice(withDefault(params.pairing, 'half'), 'pairing', PAIRINGS);
  const type = requireType(params);
  if (type === 'proportional' && headDim % 2 !== 0) {
    throw badArgument('headDim', { kind: 'even-proportional' }, headDim);
  }
  const rotaryDim = type === 'proportional' ? headDim : turning;
  if (params.mropeSection !== undefined) requireSections(params.mropeSection, rotaryDim / 2);
  requireBoolean(withDefault(params.mropeInterleaved, false), 'mropeInterleaved');
  return { headDim, rotaryDim, pairing };
}

function requireType(params: RopeParams): RopeType {
  const type = withDefault(params.type, 'default');
  requireChoice(type, 'type', scalings);
  return type;
}

/**
 * The frequencies of a rotary embedding: base^(−2p / rotaryDim) for pair p, divided as its type says. `proportional` has
 * headDim / 2 pairs instead and headDim as denominator; pairs that do not turn have frequency 0.
 *
 * Needs no engine.
 *
 * Errors: `bad-argument`, also for a parameter that the type needs and does not find.
 * Accuracy: relative error below 3e-15 for bases up to 10^7, below 1e-14 for blended pairs, below 1e-15 of the factors.
 * Source: Su et al. 2021, arXiv:2104.09864, section 3.2.2; for each type see `RopeType`.
 *
 * @param params the rotary embedding
 * @param options `seqLen`: length of the sequence in tokens, for `dynamic` and `longrope`, which take one within the
 *   original context where it is not given
 */
export function ropeFrequencies(params: RopeParams, options: { seqLen?: number } = {}): RopeFrequencies {
  const given = requireOptions(params, ROPE_PARAMS, 'params', '');
  const { seqLen } = requireOptions(options, { seqLen: true });
  return frequenciesOf(given, layoutOf(given), requireSeqLen(seqLen));
}

function requireSeqLen(seqLen: unknown): number | undefined {
  return seqLen === undefined ? undefined : requireCount(seqLen, 'seqLen');
}

function frequenciesOf(params: RopeParams, { rotaryDim }: RopeLayout, seqLen: number | undefined): RopeFrequencies {
  const base = requireBase(withDefault(params.base, DEFAULT_BASE));
  const invFreq = geometricSeries(rotaryDim / 2, base, 2 / rotaryDim, 'headDim');
  const scaling = scalings[requireType(params)]({ params, base, rotaryDim, invFreq, seqLen });
  const { divisor, zone, attentionFactor = 1, softmaxFactor = 1 } = scaling;
  for (let pair = 0; pair < invFreq.length; ++pair) invFreq[pair] = invFreq[pair]! / divisor[pair]!;
  return {
    invFreq,
    divisor,
    wavelength: invFreq.map((frequency) => (2 * Math.PI) / frequency),
    zone,
    attentionFactor:
      params.attentionFactor === undefined
        ? attentionFactor
        : requirePositiveFloat(params.attentionFactor, 'attentionFactor'),
    softmaxFactor,
  };
}

/** A rotary embedding as the calls use it. */
export interface Rotary extends RopeLayout {
  invFreq: Float64Array;
  attentionFactor: number;
}

/** The embedding of the last call, since loops ask for the same one again and again. */
let latest: { params: RopeParams; seqLen: number | undefined; rotary: Rotary } | undefined;

/** Layout and frequencies of an embedding. They are shared between calls, so nobody may write into them. */
export function rotaryOf(params: RopeParams, seqLen: number | undefined, argument = 'params'): Rotary {
  const given = requireOptions(params, ROPE_PARAMS, argument);
  if (latest !== undefined && latest.seqLen === seqLen && isSame(latest.params, given)) return latest.rotary;
  const length = requireSeqLen(seqLen);
  const rotary = within(`${argument}.`, () => {
    const layout = layoutOf(given);
    const { invFreq, attentionFactor } = frequenciesOf(given, layout, length);
    return { ...layout, invFreq, attentionFactor };
  });
  const copy = Object.entries(given).map(([name, value]) => [name, Array.isArray(value) ? value.slice() : value]);
  latest = { params: Object.fromEntries(copy) as RopeParams, seqLen, rotary };
  return rotary;
}

/** Whether two parameter sets hold the same values under the same names. */
function isSame(known: RopeParams, given: RopeParams): boolean {
  const names = namesOf(given);
  return (
    names.length === namesOf(known).length &&
    names.every((name) => {
      const [a, b] = [known[name], given[name]];
      return (
        a === b || (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((v, i) => v === b[i]))
      );
    })
  );
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
 * Accuracy: relative error below 3e-15 for bases up to 10^7.
 * Source: Vaswani et al. 2017, arXiv:1706.03762, section 3.5; tensor2tensor `get_timing_signal_1d`.
 */
export function sinusoidalFrequencies(options: SinusoidalFrequencyOptions): Float64Array {
  requireOptions(options, { dim: true, base: true, spacing: true });
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
  const frequencies = allocate(Float64Array, { [sizeName]: count });
  for (let i = 0; i < count; ++i) frequencies[i] = Math.pow(base, -i * step);
  const last = frequencies.at(-1) ?? 1;
  if (last > MAX_FREQUENCY) {
    throw badArgument('base', { kind: 'slow-enough' }, base);
  }
  return frequencies;
}
