import { type Encodings, sinusoidalFrequencies } from 'posenc';
import { embed } from '../embedding.js';

export interface WavesRequest {
  readonly tokens: readonly string[];
  /** Rows; those after the tokens are padding. */
  readonly length: number;
  /** Even. */
  readonly dim: number;
  readonly base: number;
  /** Columns that are wanted further down than the rows go, and for how many positions. */
  readonly far?: { readonly columns: readonly number[]; readonly length: number };
}

export interface WavesResult {
  /** PE, [length, dim]. */
  readonly encoding: Float32Array;
  /** x + PE, [length, dim], where x is zero in the rows of padding. */
  readonly sum: Float32Array;
  /** The engine's frequency of every pair, radians per token. */
  readonly frequencies: Float64Array;
  /** The same frequency in the four ways of writing it, [4, dim / 2]. */
  readonly steps: Float64Array;
  /** The largest | |PE(m)|² − dim / 2 | of any row, summed in float64. */
  readonly worstLength: number;
  /** PE in the far columns, [columns, length]. */
  readonly far?: Float32Array;
}

/** Rows of a table that is made for a few of its columns. */
const SLICE = 500;

/** The ways from 1 / b^(2i/d) to exp(2i · (−ln b / d)), each a step of algebra away from the one before. */
const STEPS: readonly ((base: number, i: number, dim: number) => number)[] = [
  (base, i, dim) => 1 / base ** ((2 * i) / dim),
  (base, i, dim) => base ** ((-2 * i) / dim),
  (base, i, dim) => Math.exp(Math.log(base) * ((-2 * i) / dim)),
  (base, i, dim) => Math.exp(2 * i * (-Math.log(base) / dim)),
];

export function wavesTask(encodings: Encodings, request: WavesRequest): WavesResult {
  const { tokens, length, dim, base } = request;
  const encoding = encodings.sinusoidal({ length, dim, base });
  const x = new Float32Array(length * dim);
  x.set(embed(tokens.slice(0, length), dim));
  const sum = encodings.positionalEncoding({ x, length, dim, maxLength: length, base });
  const pairs = dim / 2;
  const steps = new Float64Array(STEPS.length * pairs);
  STEPS.forEach((step, s) => {
    for (let i = 0; i < pairs; i++) steps[s * pairs + i] = step(base, i, dim);
  });
  const frequencies = sinusoidalFrequencies({ dim, base });
  return {
    encoding,
    sum,
    frequencies,
    steps,
    worstLength: worstLength(encoding, length, dim),
    ...(request.far ? { far: columnsOf(encodings, { dim, base, ...request.far }) } : {}),
  };
}

/** A column of a long table, which is made without the others. */
export interface WavesColumnRequest {
  readonly dim: number;
  readonly base: number;
  readonly column: number;
  readonly length: number;
}

/**
 * The column of a table of four: tensor2tensor's spacing has the frequencies 1 and 1 / base, so that the base is the
 * inverse of the one that is wanted. It may come out an ulp off, which float32 shows in one number of many thousands.
 */
export function wavesColumnTask(encodings: Encodings, { dim, base, column, length }: WavesColumnRequest): Float32Array {
  const frequency = sinusoidalFrequencies({ dim, base })[column >> 1]!;
  const isFirst = frequency === 1;
  const table = encodings.sinusoidal({ length, dim: 4, base: isFirst ? base : 1 / frequency, spacing: 't2t' });
  const place = (isFirst ? 0 : 2) + (column % 2);
  return Float32Array.from({ length }, (_, row) => table[row * 4 + place]!);
}

/** Some columns of a long table, [columns, length]. */
function columnsOf(
  encodings: Encodings,
  { columns, length, dim, base }: Omit<WavesRequest, 'tokens'> & NonNullable<WavesRequest['far']>,
): Float32Array {
  const values = new Float32Array(columns.length * length);
  const slice = new Float32Array(SLICE * dim);
  for (let start = 0; start < length; start += SLICE) {
    const rows = Math.min(SLICE, length - start);
    const table = encodings.sinusoidal({ length: rows, dim, base, start, out: slice.subarray(0, rows * dim) });
    columns.forEach((column, k) => {
      for (let row = 0; row < rows; row++) values[k * length + start + row] = table[row * dim + column]!;
    });
  }
  return values;
}

function worstLength(table: Float32Array, length: number, dim: number): number {
  let worst = 0;
  for (let row = 0; row < length; row++) {
    let squared = 0;
    for (let c = 0; c < dim; c++) squared += table[row * dim + c]! ** 2;
    worst = Math.max(worst, Math.abs(squared - dim / 2));
  }
  return worst;
}
