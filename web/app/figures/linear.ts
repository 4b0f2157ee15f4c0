// What a model does to vectors before posenc meets them, and how far apart two results are.

import { normalNumbers } from './embedding.js';

/** Rows of vectors, and their width before and after a matrix. */
export interface ProjectionSizes {
  readonly rows: number;
  readonly from: number;
  readonly to: number;
}

/** A fixed matrix of normal numbers of variance 1 / from, [from, to], as a layer starts with. */
export function randomMatrix(from: number, to: number, seed: number): Float32Array {
  const normal = normalNumbers(seed);
  return Float32Array.from({ length: from * to }, () => normal() / Math.sqrt(from));
}

/** x [rows, from] times matrix [from, to], summed in float64. */
export function multiply(
  x: ArrayLike<number>,
  matrix: ArrayLike<number>,
  { rows, from, to }: ProjectionSizes,
): Float64Array {
  const out = new Float64Array(rows * to);
  for (let row = 0; row < rows; row++) {
    for (let k = 0; k < from; k++) {
      const factor = x[row * from + k]!;
      for (let c = 0; c < to; c++) out[row * to + c]! += factor * matrix[k * to + c]!;
    }
  }
  return out;
}

/** Queries, keys or values of tokens: x times a matrix, rounded once. */
export function project(x: Float32Array, matrix: Float32Array, sizes: ProjectionSizes): Float32Array {
  return Float32Array.from(multiply(x, matrix, sizes));
}

/** The largest difference of two numbers in the same place. Equal infinities differ by 0. */
export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = 0;
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i]) largest = Math.max(largest, Math.abs(a[i]! - b[i]!));
  }
  return largest;
}

/** The largest size of any number. */
export function largestSize(values: ArrayLike<number>): number {
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i]!));
  return largest;
}
