import { requireLength, type Sizes } from '../../common/check.js';

/** A query and a key of one width, without their positions. */
export interface Contents {
  readonly query: Float32Array;
  readonly key: Float32Array;
}

/** A score, and how far rounding can have taken it from the exact one. */
export interface Score {
  readonly value: number;
  readonly rounding: number;
}

/** The score of the query at one position and the key at another, by the functions that compute the encoding. */
export type ScoreAt = (queryPosition: number, keyPosition: number) => Score;

/** A query or key that carries its position, and the greatest error of each of its elements. */
export interface Placed {
  readonly values: ArrayLike<number>;
  readonly errors: ArrayLike<number>;
}

/** Half of a unit in the last place of a double or a float near 1. */
const DOUBLE_ROUNDING = 2 ** -53;
export const FLOAT_ROUNDING = 2 ** -24;

/** Refuses contents that an encoding of another width cannot take. */
export function requireWidth({ query, key }: Contents, sizes: Sizes): void {
  requireLength(query, 'query', sizes);
  requireLength(key, 'key', sizes);
}

/** The inner product, summed in double. */
export function dotProduct(query: Placed, key: Placed): Score {
  const { length } = query.values;
  let [value, size, rounding] = [0, 0, 0];
  for (let c = 0; c < length; ++c) {
    const [q, k] = [query.values[c] as number, key.values[c] as number];
    const [queryError, keyError] = [query.errors[c] as number, key.errors[c] as number];
    value += q * k;
    size += Math.abs(q * k);
    rounding += queryError * Math.abs(k) + Math.abs(q) * keyError + queryError * keyError;
  }
  return { value, rounding: rounding + (length + 1) * DOUBLE_ROUNDING * size };
}

/** The greatest size of the numbers in each column of a table. */
export function columnSizes(table: ArrayLike<number>, columns: number): Float64Array {
  const sizes = new Float64Array(columns);
  for (let i = 0; i < table.length; ++i) {
    sizes[i % columns] = Math.max(sizes[i % columns] as number, Math.abs(table[i] as number));
  }
  return sizes;
}

/** Σ |a| |b|. */
export function sizeOfProduct(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let c = 0; c < a.length; ++c) sum += Math.abs((a[c] as number) * (b[c] as number));
  return sum;
}

/** A score with a term that depends on the positions only. */
export function addTerm(score: Score, term: Score): Score {
  const value = score.value + term.value;
  return { value, rounding: score.rounding + term.rounding + DOUBLE_ROUNDING * Math.abs(value) };
}
