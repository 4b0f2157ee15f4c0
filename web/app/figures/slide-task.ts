import type { Encodings, RopeParams } from 'posenc';
import { embed } from './embedding.js';

/** What is done to the positions besides the shift. */
export type SlideMode = 'intact' | 'keys' | 'bf16';

export interface SlideRequest {
  readonly tokens: readonly string[];
  readonly params: RopeParams & { readonly rotaryDim: number; readonly base: number };
  readonly shift: number;
  readonly mode: SlideMode;
  /** Where the largest change is computed as well, for the curve. */
  readonly curveShifts: readonly number[];
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
  /** The same at every one of `curveShifts`. */
  readonly rotatedCurve: Float64Array;
  readonly addedCurve: Float64Array;
}

/** Positions of queries and keys of the whole sentence at one shift. */
interface Placement {
  readonly query: readonly number[];
  readonly key: readonly number[];
}

export function slideTask(encodings: Encodings, request: SlideRequest): SlideResult {
  const { tokens, params, shift, mode, curveShifts } = request;
  const count = tokens.length;
  const words = unitRows(embed(tokens, params.headDim), count, params.headDim);
  const atZero = place(count, 0, 'intact');
  const placements = [atZero, ...[shift, ...curveShifts].map((s) => place(count, s, mode))];
  const cells = count * count;
  const both = [rotatedScores, addedScores].map((scores) => {
    const all = scores(encodings, words, placements, request);
    const before = all.slice(0, cells);
    const changes = placements.slice(1).map((_, k) => largestDifference(before, all, (k + 1) * cells));
    return {
      before,
      now: all.slice(cells, 2 * cells),
      change: changes[0]!,
      curve: Float64Array.from(changes.slice(1)),
    };
  });
  const [rotated, added] = both as [(typeof both)[0], (typeof both)[0]];
  return {
    rotatedBefore: rotated.before,
    rotated: rotated.now,
    addedBefore: added.before,
    added: added.now,
    rotatedChange: rotated.change,
    addedChange: added.change,
    rotatedCurve: rotated.curve,
    addedCurve: added.curve,
  };
}

function place(count: number, shift: number, mode: SlideMode): Placement {
  const at = (offset: number): number[] =>
    Array.from({ length: count }, (_, m) => (mode === 'bf16' ? roundToBfloat16(m + offset) : m + offset));
  return { query: at(mode === 'keys' ? 0 : shift), key: at(shift) };
}

/** The scores of queries and keys rotated by the engine, for every placement in one call. */
function rotatedScores(
  encodings: Encodings,
  words: Float32Array,
  placements: readonly Placement[],
  { tokens, params }: SlideRequest,
): Float64Array {
  const x = repeat(words, placements.length);
  const length = tokens.length * placements.length;
  const turn = (positions: number[]): Float32Array =>
    encodings.rope({ x, params, length, heads: 1, headDim: params.headDim, positions });
  const query = turn(placements.flatMap((p) => p.query));
  const key = turn(placements.flatMap((p) => p.key));
  return scores(query, key, placements.length, tokens.length, params.headDim);
}

/**
 * The scores after adding sinusoids of the same frequencies instead. Word and position each have half of the squared
 * length, so that |q| = |k| stays 1 on average.
 */
function addedScores(
  encodings: Encodings,
  words: Float32Array,
  placements: readonly Placement[],
  { tokens, params }: SlideRequest,
): Float64Array {
  const { headDim, rotaryDim, base } = params;
  const length = tokens.length * placements.length;
  const add = (positions: number[]): Float32Array => {
    const table = encodings.sinusoidal({ length, dim: rotaryDim, base, positions, order: 'concat' });
    const sum = repeat(words, placements.length).map((value) => value * Math.SQRT1_2);
    const scale = 1 / Math.sqrt(rotaryDim);
    for (let row = 0; row < length; row++) {
      for (let c = 0; c < rotaryDim; c++) sum[row * headDim + c]! += table[row * rotaryDim + c]! * scale;
    }
    return sum;
  };
  const query = add(placements.flatMap((p) => p.query));
  const key = add(placements.flatMap((p) => p.key));
  return scores(query, key, placements.length, tokens.length, headDim);
}

/** Dot products within each placement, [placements, count, count], summed in float64 so that only rounding before shows. */
function scores(query: Float32Array, key: Float32Array, placements: number, count: number, dim: number): Float64Array {
  const out = new Float64Array(placements * count * count);
  for (let p = 0; p < placements; p++) {
    for (let m = 0; m < count; m++) {
      for (let n = 0; n < count; n++) {
        const [q, k] = [(p * count + m) * dim, (p * count + n) * dim];
        let sum = 0;
        for (let c = 0; c < dim; c++) sum += query[q + c]! * key[k + c]!;
        out[(p * count + m) * count + n] = sum;
      }
    }
  }
  return out;
}

function largestDifference(before: Float64Array, all: Float64Array, offset: number): number {
  let largest = 0;
  for (let i = 0; i < before.length; i++) largest = Math.max(largest, Math.abs(all[offset + i]! - before[i]!));
  return largest;
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

/** The nearest bfloat16, ties to even: what a position becomes where it is kept in that type. */
function roundToBfloat16(value: number): number {
  const float = new Float32Array([value]);
  const bits = new Uint32Array(float.buffer);
  bits[0] = (bits[0]! + 0x7fff + ((bits[0]! >>> 16) & 1)) & 0xffff0000;
  return float[0]!;
}
