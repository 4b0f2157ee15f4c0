// The formulas in plain float64, as they read in the papers, for comparison with what the page shows.

export function frequencies(dim: number, base = 10_000): number[] {
  return Array.from({ length: dim / 2 }, (_, i) => base ** ((-2 * i) / dim));
}

/** PE(position), sines and cosines by turns. */
export function encodingRow(position: number, dim: number, base = 10_000): number[] {
  return frequencies(dim, base).flatMap((f) => [Math.sin(position * f), Math.cos(position * f)]);
}

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** K(distance): the mean of the cosines of all pairs. */
export function kernel(distance: number, dim: number): number {
  return frequencies(dim).reduce((sum, f) => sum + Math.cos(distance * f), 0) / (dim / 2);
}

export interface Rotation {
  readonly rotaryDim: number;
  readonly base: number;
  readonly pairing: 'half' | 'interleaved';
}

/** A vector whose first `rotaryDim` numbers are turned, pair by pair, by position × frequency. */
export function rotate(x: ArrayLike<number>, position: number, { rotaryDim, base, pairing }: Rotation): number[] {
  const turned = Array.from(x);
  frequencies(rotaryDim, base).forEach((f, i) => {
    const [a, b] = pairing === 'half' ? [i, i + rotaryDim / 2] : [2 * i, 2 * i + 1];
    const [cos, sin] = [Math.cos(position * f), Math.sin(position * f)];
    turned[a] = x[a]! * cos - x[b]! * sin;
    turned[b] = x[a]! * sin + x[b]! * cos;
  });
  return turned;
}

/** A row-major array as rows. */
export function rowsOf(values: ArrayLike<number>, width: number): number[][] {
  const flat = Array.from(values);
  return Array.from({ length: flat.length / width }, (_, row) => flat.slice(row * width, (row + 1) * width));
}

/** Rows times a matrix. */
export function times(rows: readonly (readonly number[])[], matrix: readonly (readonly number[])[]): number[][] {
  return rows.map((row) => matrix[0]!.map((_, c) => row.reduce((sum, value, k) => sum + value * matrix[k]![c]!, 0)));
}

export interface Heads {
  readonly query: readonly (readonly number[])[];
  readonly key: readonly (readonly number[])[];
  readonly value: readonly (readonly number[])[];
  /** Whether query m may see key n. */
  readonly sees?: (m: number, n: number) => boolean;
  /** Added to the scaled score. */
  readonly bias?: (m: number, n: number) => number;
}

/** Scaled dot-product attention of one head. */
export function attend({ query, key, value, sees = () => true, bias = () => 0 }: Heads): {
  scores: number[][];
  weights: number[][];
  output: number[][];
} {
  const scores = query.map((q, m) =>
    key.map((k, n) => (sees(m, n) ? dot(q, k) / Math.sqrt(q.length) + bias(m, n) : -Infinity)),
  );
  const weights = scores.map((row) => {
    const powers = row.map((score) => Math.exp(score));
    const sum = powers.reduce((total, power) => total + power, 0);
    return powers.map((power) => (sum === 0 ? 0 : power / sum));
  });
  return { scores, weights, output: times(weights, value) };
}
