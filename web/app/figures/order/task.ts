import type { AttentionOptions, Encodings } from 'posenc';
import { embed } from '../embedding.js';
import { largestDifference, largestSize, project, randomMatrix } from '../linear.js';

/** How the tokens learn where they stand, if they do. */
export type OrderPositions = 'none' | 'index' | 'sinusoidal' | 'learned' | 'rope' | 'alibi';
export type OrderMask = 'none' | 'causal';

export interface OrderRequest {
  /** In the first order. */
  readonly tokens: readonly string[];
  /** The new order: place r holds token order[r]. */
  readonly order: readonly number[];
  readonly positions: OrderPositions;
  readonly mask: OrderMask;
}

/** What attention gives for one order. */
export interface OrderSide {
  /** What enters the softmax, [tokens, tokens], −Infinity where masked. */
  readonly scores: Float32Array;
  /** [tokens, tokens]. */
  readonly weights: Float32Array;
  /** [tokens, ORDER_DIM]. */
  readonly output: Float32Array;
  /** The mean of the outputs, summed in float64, [ORDER_DIM]. */
  readonly pooled: Float64Array;
}

export interface OrderResult {
  readonly first: OrderSide;
  readonly second: OrderSide;
  /** The largest differences once the first order's results are put in the new order. */
  readonly scoreChange: number;
  readonly weightChange: number;
  readonly outputChange: number;
  readonly pooledChange: number;
  /** The largest |value| that attention averages. */
  readonly largestValue: number;
}

/** Width of the vectors, of one head. */
export const ORDER_DIM = 16;
/** As many positions as the learned table has. */
export const MOST_ORDER_TOKENS = 8;
/** Of the eight heads of Press et al. the one with the steepest bias. */
const ALIBI_HEADS = 8;
export const ORDER_SEEDS = { query: 101, key: 102, value: 103, learned: 104 };

export function orderTask(encodings: Encodings, { tokens, order, positions, mask }: OrderRequest): OrderResult {
  const words = embed(tokens, ORDER_DIM);
  const first = side(encodings, words, positions, mask);
  const second = side(encodings, inOrder(words, order, ORDER_DIM), positions, mask);
  return {
    first,
    second,
    scoreChange: largestDifference(inBothOrders(first.scores, order), second.scores),
    weightChange: largestDifference(inBothOrders(first.weights, order), second.weights),
    outputChange: largestDifference(inOrder(first.output, order, ORDER_DIM), second.output),
    pooledChange: largestDifference(first.pooled, second.pooled),
    largestValue: Math.max(first.largestValue, second.largestValue),
  };
}

/** A square matrix with rows and columns put in an order. */
export function inBothOrders(matrix: Float32Array, order: readonly number[]): Float32Array {
  const count = order.length;
  return Float32Array.from(matrix, (_, i) => matrix[order[Math.floor(i / count)]! * count + order[i % count]!]!);
}

function inOrder(rows: Float32Array, order: readonly number[], dim: number): Float32Array {
  const out = new Float32Array(rows.length);
  order.forEach((from, to) => out.set(rows.subarray(from * dim, (from + 1) * dim), to * dim));
  return out;
}

function side(
  encodings: Encodings,
  words: Float32Array,
  positions: OrderPositions,
  mask: OrderMask,
): OrderSide & { readonly largestValue: number } {
  const dim = ORDER_DIM;
  const length = words.length / dim;
  const x = withPositions(encodings, words, length, positions);
  const projected = (seed: number): Float32Array =>
    project(x, randomMatrix(dim, dim, seed), { rows: length, from: dim, to: dim });
  const value = projected(ORDER_SEEDS.value);
  const call: AttentionOptions = {
    query: projected(ORDER_SEEDS.query),
    key: projected(ORDER_SEEDS.key),
    value,
    heads: 1,
    queryLength: length,
    keyLength: length,
    headDim: dim,
    causal: mask === 'causal',
    ...(positions === 'rope' ? { rope: { headDim: dim } } : {}),
    ...(positions === 'alibi' ? { bias: { alibi: encodings.alibiSlopes({ heads: ALIBI_HEADS }).slice(0, 1) } } : {}),
  };
  const output = encodings.attention({ ...call, returns: 'output' });
  return {
    scores: encodings.attention({ ...call, returns: 'scores' }),
    weights: encodings.attention({ ...call, returns: 'weights' }),
    output,
    pooled: meanRow(output, length, dim),
    largestValue: largestSize(value),
  };
}

/** The words with whatever is added to them; rotations and biases come later. */
function withPositions(
  encodings: Encodings,
  words: Float32Array,
  length: number,
  positions: OrderPositions,
): Float32Array {
  const dim = ORDER_DIM;
  switch (positions) {
    case 'sinusoidal':
      return encodings.positionalEncoding({ x: words, length, dim, maxLength: MOST_ORDER_TOKENS });
    case 'learned': {
      const table = randomMatrix(MOST_ORDER_TOKENS, dim, ORDER_SEEDS.learned);
      const rows = MOST_ORDER_TOKENS;
      const code = encodings.learned({ table, rows, dim, positions: Array.from({ length }, (_, p) => p) });
      return words.map((value, i) => value + code[i]!);
    }
    case 'index': {
      const code = encodings.indexEncoding({ length });
      return words.map((value, i) => value + code[Math.floor(i / dim)]!);
    }
    default:
      return words;
  }
}

function meanRow(rows: Float32Array, length: number, dim: number): Float64Array {
  const mean = new Float64Array(dim);
  rows.forEach((value, i) => (mean[i % dim]! += value / length));
  return mean;
}
