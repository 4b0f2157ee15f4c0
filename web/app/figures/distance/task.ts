import { type Encodings, sinusoidalFrequencies } from 'posenc';
import { embed } from '../embedding.js';
import { largestDifference, multiply } from '../linear.js';

/** What stands between the two rows of a dot product: nothing, or a fixed random matrix W, as in PE(m)ᵀ W PE(n). */
export type Between = 'nothing' | 'matrix';

export interface DistanceRequest {
  /** Even. */
  readonly dim: number;
  readonly between: Between;
  /** Positions in the window. */
  readonly length: number;
  /** The window's first position. */
  readonly start: number;
}

export interface DistanceResult {
  /** Products of the rows of all positions in the window, [length, length]: at position 0, and where it is now. */
  readonly before: Float64Array;
  readonly now: Float64Array;
  /** The largest difference of any of them. */
  readonly change: number;
  /** The largest difference of any product now from dim / 2 · K(n − m). */
  readonly offKernel: number;
  /** K at distances 0 … length − 1. */
  readonly kernel: Float64Array;
}

export function distanceTask(encodings: Encodings, request: DistanceRequest): DistanceResult {
  const { dim, length, start } = request;
  const matrix = matrixOf(request);
  const before = products(encodings, request, 0, matrix);
  const now = products(encodings, request, start, matrix);
  const distances = Array.from({ length }, (_, distance) => distance);
  const kernel = encodings.distanceKernel({ invFreq: sinusoidalFrequencies({ dim }), distances });
  const ofDistance = now.map((_, at) => (dim / 2) * kernel[Math.abs(Math.floor(at / length) - (at % length))]!);
  return {
    before,
    now,
    change: largestDifference(before, now),
    offKernel: largestDifference(now, ofDistance),
    kernel,
  };
}

export interface DistanceCurveRequest extends Omit<DistanceRequest, 'start'> {
  readonly starts: readonly number[];
}

/** The largest change of any product for every start of the window; NaN where it is not computed yet. */
export function* distanceCurveTask(
  encodings: Encodings,
  request: DistanceCurveRequest,
): Generator<{ share: number; partial: Float64Array }, Float64Array> {
  const { starts } = request;
  const matrix = matrixOf(request);
  const before = products(encodings, request, 0, matrix);
  const changes = new Float64Array(starts.length).fill(Number.NaN);
  for (const [k, start] of starts.entries()) {
    changes[k] = largestDifference(before, products(encodings, request, start, matrix));
    if (k % SHIFTS_PER_SLICE === SHIFTS_PER_SLICE - 1) yield { share: (k + 1) / starts.length, partial: changes };
  }
  return changes;
}

const SHIFTS_PER_SLICE = 4;

export interface DistancePairRequest {
  readonly dim: number;
  readonly between: Between;
  /** Pairs of positions, near 0. */
  readonly pairs: readonly (readonly [m: number, n: number])[];
}

/**
 * PE(m) · PE(n) in float64 from end to end, [pairs]: float64 sines and cosines, and a sum that carries its rounding
 * errors along (Neumaier 1974). To within 10⁻¹³ for positions below 200.
 */
export function distancePairTask(_: Encodings, { dim, between, pairs }: DistancePairRequest): Float64Array {
  const frequencies = sinusoidalFrequencies({ dim });
  const row = (position: number): Float64Array => {
    const values = new Float64Array(dim);
    frequencies.forEach((frequency, i) => {
      values[2 * i] = Math.sin(position * frequency);
      values[2 * i + 1] = Math.cos(position * frequency);
    });
    return values;
  };
  const matrix = matrixOf({ dim, between });
  return Float64Array.from(pairs, ([m, n]) => {
    const right = row(n);
    const left = matrix ? multiply(row(m), matrix, { rows: 1, from: dim, to: dim }) : row(m);
    return accurateSum(left.map((value, c) => value * right[c]!));
  });
}

/** A fixed matrix of normal numbers of variance 1 / dim, [dim, dim], as a layer starts with. */
function matrixOf({ dim, between }: { dim: number; between: Between }): Float64Array | undefined {
  if (between === 'nothing') return undefined;
  const rows = embed(
    Array.from({ length: dim }, (_, row) => String(row)),
    dim,
  );
  return Float64Array.from(rows, (value) => value / Math.sqrt(dim));
}

/** Products of the rows of all positions in a window, [length, length], summed in float64. */
function products(
  encodings: Encodings,
  { dim, length }: { dim: number; length: number },
  start: number,
  matrix: Float64Array | undefined,
): Float64Array {
  const table: Float32Array = encodings.sinusoidal({ length, dim, start });
  const rows = Float64Array.from(table);
  const left = matrix ? multiply(rows, matrix, { rows: length, from: dim, to: dim }) : rows;
  const out = new Float64Array(length * length);
  for (let m = 0; m < length; m++) {
    for (let n = matrix ? 0 : m; n < length; n++) {
      let sum = 0;
      for (let c = 0; c < dim; c++) sum += left[m * dim + c]! * rows[n * dim + c]!;
      out[m * length + n] = sum;
      if (!matrix) out[n * length + m] = sum;
    }
  }
  return out;
}

function accurateSum(values: Float64Array): number {
  let sum = 0;
  let lost = 0;
  for (const value of values) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + lost;
}
