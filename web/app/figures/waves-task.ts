import { type Encodings, sinusoidalFrequencies } from 'posenc';
import { embed } from './embedding.js';

export interface WavesRequest {
  readonly tokens: readonly string[];
  /** Rows; those after the tokens are padding. */
  readonly length: number;
  /** Even. */
  readonly dim: number;
  readonly base: number;
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
}

/** The ways from 1 / b^(2i/d) to exp(2i · (−ln b / d)), each a step of algebra away from the one before. */
const STEPS: readonly ((base: number, i: number, dim: number) => number)[] = [
  (base, i, dim) => 1 / base ** ((2 * i) / dim),
  (base, i, dim) => base ** ((-2 * i) / dim),
  (base, i, dim) => Math.exp(Math.log(base) * ((-2 * i) / dim)),
  (base, i, dim) => Math.exp(2 * i * (-Math.log(base) / dim)),
];

export function wavesTask(encodings: Encodings, { tokens, length, dim, base }: WavesRequest): WavesResult {
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
  return { encoding, sum, frequencies, steps, worstLength: worstLength(encoding, length, dim) };
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
