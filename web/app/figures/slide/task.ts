import type { Encodings, RopeParams } from 'posenc';
import { embed } from '../embedding.js';
import { largestDifference } from '../linear.js';

/**
 * How the figure is broken, if it is: only the keys are shifted, keys are turned by the other pairing, positions are kept
 * in 16 bits, or keys were cached when the base was another one.
 */
export const SLIDE_MODES = ['intact', 'keys', 'mixed', 'fp16', 'bf16', 'base'] as const;
export type SlideMode = (typeof SLIDE_MODES)[number];

/** By what the base of cached keys is divided in the mode `base`. */
export const CACHED_BASE_DIVISOR = 8;

/** What both tasks need to know of the sentence and the model. */
export interface SlideSetting {
  readonly tokens: readonly string[];
  readonly params: RopeParams & { readonly rotaryDim: number; readonly base: number };
  readonly mode: SlideMode;
}

export interface SlideRequest extends SlideSetting {
  readonly shift: number;
}

export interface SlideCurveRequest extends SlideSetting {
  readonly shifts: readonly number[];
}

/** Scores of every query with every key, [tokens, tokens], at shift 0 and now; |q| = |k| = 1. */
export interface SlideResult {
  readonly rotatedBefore: Float64Array;
  readonly rotated: Float64Array;
  readonly addedBefore: Float64Array;
  readonly added: Float64Array;
  /** The largest change of any score since shift 0. */
  readonly rotatedChange: number;
  readonly addedChange: number;
}

/** The largest change of any score since shift 0, at every shift. */
export interface SlideCurve {
  readonly rotated: Float64Array;
  readonly added: Float64Array;
}

/** Positions of queries and keys of the whole sentence at one shift. */
interface Placement {
  readonly query: readonly number[];
  readonly key: readonly number[];
}

export function slideTask(encodings: Encodings, { shift, ...setting }: SlideRequest): SlideResult {
  const { rotated, added } = scoresAt(encodings, setting, [shift]);
  const [rotatedBefore, addedBefore] = [rotated[0]!, added[0]!];
  const [rotatedNow, addedNow] = [rotated[1]!, added[1]!];
  return {
    rotatedBefore,
    rotated: rotatedNow,
    addedBefore,
    added: addedNow,
    rotatedChange: largestDifference(rotatedBefore, rotatedNow),
    addedChange: largestDifference(addedBefore, addedNow),
  };
}

export function slideCurveTask(encodings: Encodings, { shifts, ...setting }: SlideCurveRequest): SlideCurve {
  const { rotated, added } = scoresAt(encodings, setting, shifts);
  const changes = ([before, ...moved]: readonly Float64Array[]): Float64Array =>
    Float64Array.from(moved, (scores) => largestDifference(before!, scores));
  return { rotated: changes(rotated), added: changes(added) };
}

/** Both kinds of scores, untouched at shift 0 first, then at every shift. */
function scoresAt(
  encodings: Encodings,
  setting: SlideSetting,
  shifts: readonly number[],
): { rotated: Float64Array[]; added: Float64Array[] } {
  const { tokens, params, mode } = setting;
  const words = unitRows(embed(tokens, params.headDim), tokens.length, params.headDim);
  const placements = [place(tokens.length, 0, 'intact'), ...shifts.map((s) => place(tokens.length, s, mode))];
  return {
    rotated: rotatedScores(encodings, words, placements, setting),
    added: addedScores(encodings, words, placements, setting),
  };
}

function place(count: number, shift: number, mode: SlideMode): Placement {
  const round = { fp16: roundToFloat16, bf16: roundToBfloat16 }[mode as string] ?? ((value: number) => value);
  const at = (offset: number): number[] => Array.from({ length: count }, (_, m) => round(m + offset));
  return { query: at(mode === 'keys' ? 0 : shift), key: at(shift) };
}

/** How the keys of a broken sentence turn. */
function keyParams({ params, mode }: SlideSetting): SlideSetting['params'] {
  if (mode === 'base') return { ...params, base: params.base / CACHED_BASE_DIVISOR };
  if (mode === 'mixed') return { ...params, pairing: params.pairing === 'interleaved' ? 'half' : 'interleaved' };
  return params;
}

/** Queries and keys made by `make`: those of the untouched sentence, the first placement, and of the broken ones. */
function sides(
  placements: readonly Placement[],
  setting: SlideSetting,
  make: (positions: readonly number[], params: SlideSetting['params']) => Float32Array,
): readonly [query: Float32Array, key: Float32Array] {
  const [first, ...rest] = placements;
  return [
    make(
      placements.flatMap(({ query }) => query),
      setting.params,
    ),
    joined(
      make(first!.key, setting.params),
      make(
        rest.flatMap(({ key }) => key),
        keyParams(setting),
      ),
    ),
  ];
}

/** The scores of queries and keys rotated by the engine, for every placement in one call. */
function rotatedScores(
  encodings: Encodings,
  words: Float32Array,
  placements: readonly Placement[],
  setting: SlideSetting,
): Float64Array[] {
  const count = setting.tokens.length;
  const { headDim } = setting.params;
  const [query, key] = sides(placements, setting, (positions, params) => {
    const x = repeat(words, positions.length / count);
    const length = positions.length;
    const turned = encodings.rope({ x, params, length, heads: 1, headDim, positions: finite(positions) });
    return withoutOverflow(turned, positions, headDim);
  });
  return scores(query, key, placements.length, count, headDim);
}

/**
 * The scores after adding sinusoids of the same frequencies instead. Word and position each have half of the squared
 * length, so that |q| = |k| stays 1 on average.
 */
function addedScores(
  encodings: Encodings,
  words: Float32Array,
  placements: readonly Placement[],
  setting: SlideSetting,
): Float64Array[] {
  const count = setting.tokens.length;
  const { headDim, rotaryDim } = setting.params;
  const pairs = rotaryDim / 2;
  const [query, key] = sides(placements, setting, (positions, params) => {
    const { cos, sin } = encodings.ropeTable({ params, positions: finite(positions) });
    const sum = repeat(words, positions.length / count).map((value) => value * Math.SQRT1_2);
    const scale = 1 / Math.sqrt(rotaryDim);
    for (let row = 0; row < positions.length; row++) {
      for (let p = 0; p < pairs; p++) {
        sum[row * headDim + p]! += sin[row * pairs + p]! * scale;
        sum[row * headDim + pairs + p]! += cos[row * pairs + p]! * scale;
      }
    }
    return withoutOverflow(sum, positions, headDim);
  });
  return scores(query, key, placements.length, count, headDim);
}

/** The engine takes no infinite position; rows of those are no numbers afterwards. */
function finite(positions: readonly number[]): number[] {
  return positions.map((position) => (Number.isFinite(position) ? position : 0));
}

function withoutOverflow(rows: Float32Array, positions: readonly number[], dim: number): Float32Array {
  positions.forEach((position, row) => {
    if (!Number.isFinite(position)) rows.fill(Number.NaN, row * dim, (row + 1) * dim);
  });
  return rows;
}

/** Dot products within each placement, [count, count] each, summed in float64 so that only rounding before shows. */
function scores(
  query: Float32Array,
  key: Float32Array,
  placements: number,
  count: number,
  dim: number,
): Float64Array[] {
  return Array.from({ length: placements }, (_, p) => {
    const products = new Float64Array(count * count);
    for (let m = 0; m < count; m++) {
      for (let n = 0; n < count; n++) {
        const [q, k] = [(p * count + m) * dim, (p * count + n) * dim];
        let sum = 0;
        for (let c = 0; c < dim; c++) sum += query[q + c]! * key[k + c]!;
        products[m * count + n] = sum;
      }
    }
    return products;
  });
}

function unitRows(rows: Float32Array, count: number, dim: number): Float32Array {
  for (let row = 0; row < count; row++) {
    const vector = rows.subarray(row * dim, (row + 1) * dim);
    const length = Math.hypot(...vector);
    vector.forEach((value, c) => (vector[c] = value / length));
  }
  return rows;
}

function repeat(values: Float32Array, times: number): Float32Array {
  const out = new Float32Array(values.length * times);
  for (let i = 0; i < times; i++) out.set(values, i * values.length);
  return out;
}

function joined(first: Float32Array, rest: Float32Array): Float32Array {
  const out = new Float32Array(first.length + rest.length);
  out.set(first);
  out.set(rest, first.length);
  return out;
}

/** The nearest float16 of a whole number from 0 up, ties to even; past 65 504 there is none. */
function roundToFloat16(value: number): number {
  const step = 2 ** Math.max(0, Math.floor(Math.log2(Math.max(1, value))) - 10);
  const steps = value / step;
  const below = Math.floor(steps);
  const up = steps - below > 0.5 || (steps - below === 0.5 && below % 2 === 1);
  const rounded = (up ? below + 1 : below) * step;
  return rounded > 65_504 ? Infinity : rounded;
}

/** The nearest bfloat16, ties to even: what a position becomes where it is kept in that type. */
function roundToBfloat16(value: number): number {
  const float = new Float32Array([value]);
  const bits = new Uint32Array(float.buffer);
  bits[0] = (bits[0]! + 0x7fff + ((bits[0]! >>> 16) & 1)) & 0xffff0000;
  return float[0]!;
}
