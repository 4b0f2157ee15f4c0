import { isArrayOf, allocate, requireCount, requireLength, requireOptions } from '../../common/check.js';
import { badArgument } from '../../common/errors.js';

export interface TableStatisticsOptions {
  /** `[rows, dim]`: a learned table of positions, as `parseSafetensors` reads it. */
  table: Float32Array;
  rows: number;
  dim: number;
  /** `[rows, rows]`: what `similarity` gives for the table. */
  similarity: Float32Array;
}

export interface TableStatistics {
  /** The length of each row. */
  norms: Float64Array;
  /**
   * How much of the variance of the similarities the distance of two rows explains, from 0 to 1, reserved rows and rows with
   * themselves left out: 1 where every diagonal has one value, as in a sinusoidal table. NaN where they do not vary.
   */
  toeplitz: number;
  /** Rows that no position was learned into: of zeros, or shorter than a hundredth of the median length. */
  reserved: number[];
}

/** What part of the median length a row has at least that a position was learned into. */
const LEAST_LENGTH = 0.01;

/**
 * What a learned table of positions has in common with one that has a formula.
 *
 * Needs no engine; the similarities are those of `similarity`.
 *
 * Errors: `bad-argument`, also for numbers that are not finite; `wrong-length`, `out-of-memory`.
 * Accuracy: sums in float64.
 */
export function tableStatistics(given: TableStatisticsOptions): TableStatistics {
  const options = requireOptions(given, { table: true, rows: true, dim: true, similarity: true });
  const rows = requireCount(options.rows, 'rows');
  const dim = requireCount(options.dim, 'dim');
  const table = requireFloats(options.table, 'table', { rows, dim });
  const similarity = requireFloats(options.similarity, 'similarity', { rows, columns: rows });
  const norms = allocate(Float64Array, { rows });
  for (let row = 0; row < rows; ++row) {
    let sum = 0;
    for (let i = row * dim; i < (row + 1) * dim; ++i) sum += (table[i] as number) ** 2;
    norms[row] = Math.sqrt(sum);
  }
  const least = LEAST_LENGTH * (norms.slice().sort()[rows >> 1] as number);
  const isReserved = norms.map((norm) => (norm === 0 || norm < least ? 1 : 0));
  return {
    norms,
    toeplitz: explainedByDistance(similarity, isReserved),
    reserved: Array.from(isReserved.keys()).filter((row) => isReserved[row] === 1),
  };
}

function requireFloats(value: unknown, argument: string, sizes: Readonly<Record<string, number>>): Float32Array {
  if (!isArrayOf(value, Float32Array)) throw badArgument(argument, { kind: 'type', types: ['Float32Array'] }, value);
  requireLength(value, argument, sizes);
  const wrong = value.findIndex((one) => !Number.isFinite(one));
  if (wrong !== -1) throw badArgument(argument, { kind: 'finites' }, value[wrong]);
  return value;
}

/** One minus the variance within the diagonals over the variance of all, both above the main diagonal. */
function explainedByDistance(similarity: Float32Array, isReserved: Float64Array): number {
  const rows = isReserved.length;
  let [count, mean, total, within] = [0, 0, 0, 0];
  for (let distance = 1; distance < rows; ++distance) {
    let [diagonalCount, diagonalMean] = [0, 0];
    for (let row = 0; row + distance < rows; ++row) {
      if (isReserved[row] === 1 || isReserved[row + distance] === 1) continue;
      const value = similarity[row * rows + row + distance] as number;
      // Welford 1962: means and sums of squares without cancellation.
      const step = value - diagonalMean;
      diagonalMean += step / ++diagonalCount;
      within += step * (value - diagonalMean);
      const stepOfAll = value - mean;
      mean += stepOfAll / ++count;
      total += stepOfAll * (value - mean);
    }
  }
  return total === 0 ? Number.NaN : 1 - within / total;
}
