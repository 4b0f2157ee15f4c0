import { type AttentionOptions, type Encodings, ropeFrequencies } from 'posenc';
import { embed } from '../embedding.js';
import { largestDifference, largestSize, project, randomMatrix } from '../linear.js';

/** What tells the tokens where they are. */
export const METHODS = ['rope', 'none', 'sinusoids'] as const;
export type Method = (typeof METHODS)[number];

export const STEPS = ['x', 'q', 'k', 'v', 'turnedQ', 'turnedK', 'scores', 'weights', 'output'] as const;
export type Step = (typeof STEPS)[number];

export type StepsProjections = 'random' | 'identity';
export type StepsMask = 'none' | 'causal' | 'window' | 'both';
/** A mistake in the steps: rotated values, keys that are not rotated, embeddings rotated in place of queries and keys. */
export type StepsMistake = 'none' | 'values' | 'keys' | 'early';

export interface StepsRequest {
  readonly tokens: readonly string[];
  readonly heads: number;
  /** Divides heads. */
  readonly kvHeads: number;
  /** The query head that is shown. */
  readonly head: number;
  readonly mask: StepsMask;
  readonly projections: StepsProjections;
  readonly mistake: StepsMistake;
}

/** The matrices of one method in the head that is shown, row by row. */
export type StepValues = Readonly<Record<Step, Float32Array>>;

export interface StepsResult {
  readonly methods: Readonly<Record<Method, StepValues>>;
  /** Columns of the projections that the head uses, [STEPS_DIM, headDim]. */
  readonly matrices: Readonly<Record<'q' | 'k' | 'v', Float32Array>>;
  /** Radians per token of every pair of a head, with which channel c and c + headDim / 2 turn. */
  readonly frequencies: Float64Array;
  /** The largest difference, in any head, between the steps with RoPE and the one call that rotates by itself. */
  readonly residual: number;
  readonly tolerance: number;
}

/** Width of the embeddings. */
export const STEPS_DIM = 16;
/** Keys that a window shows, the query's own included. */
export const STEPS_WINDOW = 2;
export const STEPS_SEEDS = { q: 401, k: 402, v: 403 };

export function headDimOf({ heads }: Pick<StepsRequest, 'heads'>): number {
  return STEPS_DIM / heads;
}

export function stepsTask(encodings: Encodings, request: StepsRequest): StepsResult {
  const { tokens, heads, kvHeads, head, mistake } = request;
  const [dim, length, headDim] = [STEPS_DIM, tokens.length, headDimOf(request)];
  const rope = { headDim };
  const words = embed(tokens, dim);
  const matrices = {
    q: matrixOf(request, 'q', heads * headDim),
    k: matrixOf(request, 'k', kvHeads * headDim),
    v: matrixOf(request, 'v', kvHeads * headDim),
  };
  const projected = (x: Float32Array, name: 'q' | 'k' | 'v'): Float32Array =>
    project(x, matrices[name], { rows: length, from: dim, to: matrices[name].length / dim });
  const turned = (x: Float32Array, count: number): Float32Array =>
    encodings.rope({ x, length, heads: count, headDim, params: rope });

  const callOf = (query: Float32Array, key: Float32Array, value: Float32Array): AttentionOptions => ({
    query,
    key,
    value,
    heads,
    kvHeads,
    queryLength: length,
    keyLength: length,
    headDim,
    ...maskOf(request),
  });

  const kvHead = Math.floor((head * kvHeads) / heads);
  const ofHead = (values: Float32Array, count: number, at: number): Float32Array =>
    slice(values, values.length / (count * headDim), count, headDim, at);
  const square = (values: Float32Array): Float32Array =>
    values.slice(head * length * length, (head + 1) * length * length);

  const outputs = {} as Record<Method, Float32Array>;
  const stepsOf = (method: Method): StepValues => {
    const x = {
      rope: () =>
        mistake === 'early'
          ? encodings.rope({ x: words, length, heads: 1, headDim: dim, params: { headDim: dim } })
          : words,
      none: () => words,
      sinusoids: () => encodings.positionalEncoding({ x: words, length, dim, maxLength: length }),
    }[method]();
    const [q, k, v] = [projected(x, 'q'), projected(x, 'k'), projected(x, 'v')];
    const turns = method === 'rope' && mistake !== 'early';
    const turnedQ = turns ? turned(q, heads) : q;
    const turnedK = turns && mistake !== 'keys' ? turned(k, kvHeads) : k;
    const values = turns && mistake === 'values' ? turned(v, kvHeads) : v;
    const call = callOf(turnedQ, turnedK, values);
    outputs[method] = encodings.attention({ ...call, returns: 'output' });
    return {
      x,
      q: ofHead(q, heads, head),
      k: ofHead(k, kvHeads, kvHead),
      v: ofHead(values, kvHeads, kvHead),
      turnedQ: ofHead(turnedQ, heads, head),
      turnedK: ofHead(turnedK, kvHeads, kvHead),
      scores: square(encodings.attention({ ...call, returns: 'scores' })),
      weights: square(encodings.attention({ ...call, returns: 'weights' })),
      output: ofHead(outputs[method], heads, head),
    };
  };
  const methods = { rope: stepsOf('rope'), none: stepsOf('none'), sinusoids: stepsOf('sinusoids') };

  const plain = callOf(projected(words, 'q'), projected(words, 'k'), projected(words, 'v'));
  const atOnce = encodings.attention({ ...plain, rope, returns: 'output' });
  const scores = encodings.attention({ ...plain, rope, returns: 'scaled' });
  return {
    methods,
    matrices: {
      q: slice(matrices.q, dim, heads, headDim, head),
      k: slice(matrices.k, dim, kvHeads, headDim, kvHead),
      v: slice(matrices.v, dim, kvHeads, headDim, kvHead),
    },
    frequencies: ropeFrequencies(rope).invFreq,
    residual: largestDifference(outputs.rope, atOnce),
    tolerance: toleranceOf(plain, largestSize(scores), headDim),
  };
}

/** The bound of the header of attention for both calls, and of rope for the rotated vectors; see the figure's text. */
function toleranceOf({ query, key, value }: AttentionOptions, largestScore: number, headDim: number): number {
  const perCall = 5e-6 + 2 ** -22 * largestScore;
  const norms = longestVector(query as Float32Array, headDim) * longestVector(key as Float32Array, headDim);
  const scoreChange = (2 * 1.52 * Math.SQRT2 * 2 ** -23 * norms) / Math.sqrt(headDim);
  return (2 * perCall + 2 * scoreChange) * largestSize(value as Float32Array);
}

function longestVector(rows: Float32Array, width: number): number {
  let longest = 0;
  for (let at = 0; at < rows.length; at += width)
    longest = Math.max(longest, Math.hypot(...rows.subarray(at, at + width)));
  return longest;
}

/** [STEPS_DIM, columns]: of seeded normal numbers, or the first columns of the identity. */
function matrixOf({ projections }: StepsRequest, name: 'q' | 'k' | 'v', columns: number): Float32Array {
  if (projections === 'random') return randomMatrix(STEPS_DIM, columns, STEPS_SEEDS[name]);
  return Float32Array.from({ length: STEPS_DIM * columns }, (_, i) =>
    Math.floor(i / columns) === i % columns ? 1 : 0,
  );
}

function maskOf({ mask }: StepsRequest): Pick<AttentionOptions, 'causal' | 'window'> {
  return {
    causal: mask === 'causal' || mask === 'both',
    ...(mask === 'window' || mask === 'both' ? { window: STEPS_WINDOW } : {}),
  };
}

/** One head of rows [rows, heads, width]. */
function slice(values: Float32Array, rows: number, heads: number, width: number, head: number): Float32Array {
  const out = new Float32Array(rows * width);
  for (let row = 0; row < rows; row++) {
    const from = (row * heads + head) * width;
    out.set(values.subarray(from, from + width), row * width);
  }
  return out;
}
