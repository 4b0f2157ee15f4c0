import type { Encodings } from 'posenc';
import { embed } from '../embedding.js';
import { multiply, project, randomMatrix } from '../linear.js';

export type TermsProjections = 'identity' | 'random';
/** Which terms are added up, as the reader chooses. */
export type TermsIncluded = 'all' | 'outer' | 'content' | 'position';

export interface TermsRequest {
  readonly tokens: readonly string[];
  readonly projections: TermsProjections;
  /** Which terms are added up, in the order of TERMS. */
  readonly included: readonly boolean[];
}

/** What the query gives, and what the key gives. */
export const TERMS = ['contentContent', 'positionContent', 'contentPosition', 'positionPosition'] as const;
export type Term = (typeof TERMS)[number];

/** Everything [tokens, tokens] without the division by √d, row m the query. */
export interface TermsResult {
  readonly terms: Readonly<Record<Term, Float32Array>>;
  /** The included terms added up in float64. */
  readonly sum: Float64Array;
  /** The score of attention between the tokens with their sinusoids added. */
  readonly score: Float32Array;
  /** The score of attention between the tokens with rotated queries and keys. */
  readonly rotated: Float32Array;
  /** The largest difference between sum and score. */
  readonly residual: number;
  readonly tolerance: number;
  /** The largest difference of two position · position terms at the same distance. */
  readonly positionSpread: number;
}

/** Width of the vectors, of one head. */
export const TERMS_DIM = 32;
export const TERMS_SEEDS = { query: 301, key: 302 };

export function termsTask(encodings: Encodings, { tokens, projections, included }: TermsRequest): TermsResult {
  const dim = TERMS_DIM;
  const length = tokens.length;
  const sizes = { rows: length, from: dim, to: dim };
  const x = embed(tokens, dim);
  const matrices =
    projections === 'random'
      ? { wq: randomMatrix(dim, dim, TERMS_SEEDS.query), wk: randomMatrix(dim, dim, TERMS_SEEDS.key) }
      : undefined;
  const terms = encodings.decompose({ x, length, dim, ...matrices });
  const scores = (rows: Float32Array, rotates: boolean): Float32Array =>
    encodings.attention({
      query: matrices ? project(rows, matrices.wq, sizes) : rows,
      key: matrices ? project(rows, matrices.wk, sizes) : rows,
      heads: 1,
      queryLength: length,
      keyLength: length,
      headDim: dim,
      scale: 1,
      returns: 'scores',
      ...(rotates ? { rope: { headDim: dim } } : {}),
    });
  const score = scores(encodings.positionalEncoding({ x, length, dim, maxLength: length }), false);
  const sum = new Float64Array(length * length);
  TERMS.forEach((term, t) => {
    if (included[t]) terms[term].forEach((value, i) => (sum[i]! += value));
  });
  return {
    terms,
    sum,
    score,
    rotated: scores(x, true),
    residual: sum.reduce((largest, value, i) => Math.max(largest, Math.abs(value - score[i]!)), 0),
    tolerance: toleranceOf(x, encodings.sinusoidal({ length, dim }), length, matrices),
    positionSpread: spreadAlongDiagonals(terms.positionPosition, length),
  };
}

/** (d + 5) · 2⁻²⁴ · the largest sum of the sizes of all products in a score; see the derivation in the figure's text. */
function toleranceOf(
  x: Float32Array,
  p: Float32Array,
  length: number,
  matrices: { readonly wq: Float32Array; readonly wk: Float32Array } | undefined,
): number {
  const dim = TERMS_DIM;
  const sizes = { rows: length, from: dim, to: dim };
  const rows = Float64Array.from(x, (value, i) => Math.abs(value) + Math.abs(p[i]!));
  const side = (matrix: Float32Array | undefined): Float64Array =>
    matrix ? multiply(rows, matrix.map(Math.abs), sizes) : rows;
  const [query, key] = [side(matrices?.wq), side(matrices?.wk)];
  let largest = 0;
  for (let m = 0; m < length; m++) {
    for (let n = 0; n < length; n++) {
      let products = 0;
      for (let c = 0; c < dim; c++) products += query[m * dim + c]! * key[n * dim + c]!;
      largest = Math.max(largest, products);
    }
  }
  return (dim + 5) * 2 ** -24 * largest;
}

function spreadAlongDiagonals(matrix: Float32Array, length: number): number {
  let spread = 0;
  for (let distance = 1 - length; distance < length; distance++) {
    let [least, most] = [Infinity, -Infinity];
    for (let m = Math.max(0, -distance); m < Math.min(length, length - distance); m++) {
      const value = matrix[m * length + m + distance]!;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    spread = Math.max(spread, most - least);
  }
  return spread;
}
