import type { AttentionOptions, Encodings, VerifyEncodingOptions } from 'posenc';
import { embed } from '../embedding.js';

/** Encodings in the score, by the names of the registry. */
export const RELATIVE_METHODS = ['alibi', 't5', 'shaw', 'transformer_xl', 'deberta', 'kerple', 'fire'] as const;
export type RelativeMethod = (typeof RELATIVE_METHODS)[number];

export const RELATIVE_HEADS = 4;
/** Distances of the curve, on either side. */
export const REACH = 48;

export interface RelativeRequest {
  readonly method: RelativeMethod;
  readonly tokens: readonly string[];
  /** From 0. */
  readonly head: number;
  /** Position of the first token. */
  readonly start: number;
  readonly causal: boolean;
}

/** How far a score moves while both positions slide by the same number, and how much rounding explains. */
export interface Drift {
  readonly drift: number;
  readonly bound: number;
}

export interface RelativeResult {
  /** Scores of one query and one key, the same at every position, [tokens, tokens]; −Infinity where masked. */
  readonly scores: Float32Array;
  /** Attention of the words, [tokens, tokens]. */
  readonly weights: Float32Array;
  /** Scores of the same query and key at distances key − query from −REACH to REACH, [heads, 2 REACH + 1]. */
  readonly curve: Float32Array;
  /** Of every method, the drift that stands nearest to its bound, or furthest past it. */
  readonly drifts: Readonly<Record<RelativeMethod, Drift>>;
}

const HEAD_DIM = 16;
const CLIP = 8;
const SPAN = 16;
const BUCKETS = { buckets: 32, maxDistance: 128 };
const XL_WIDTH = 32;
const FIRE_WIDTH = 8;
/** Up to this position FIRE sees the distance alone. */
export const FIRE_THRESHOLD = 512;
/** Distances at which every method is tried. */
const TRIED = [-40, -9, -3, -1, 0, 1, 2, 7, 30];

/** Normal numbers from a seed; a trained model has learned ones in their place. */
function seeded(seed: number, length: number, scale = 1): Float32Array {
  // The seed is how many rows come before.
  const rows = embed(
    Array.from({ length: seed + 1 }, (_, row) => String(row)),
    length,
  );
  return rows.slice(seed * length).map((value) => value * scale);
}

/** What stands for the learned numbers. One table serves every head of DeBERTa and Transformer-XL. */
export const learned = {
  t5: seeded(1, BUCKETS.buckets * RELATIVE_HEADS),
  shaw: seeded(2, (2 * CLIP + 1) * HEAD_DIM, 0.5),
  u: seeded(3, HEAD_DIM, 0.5),
  v: seeded(4, HEAD_DIM, 0.5),
  relative: seeded(5, XL_WIDTH * HEAD_DIM, 1 / Math.sqrt(XL_WIDTH)),
  relativeKey: seeded(6, 2 * SPAN * HEAD_DIM, 0.5),
  relativeQuery: seeded(7, 2 * SPAN * HEAD_DIM, 0.5),
  kerple: { kind: 'log', a: Float32Array.of(2, 1, 0.5, 0.25), p: Float32Array.of(1.5, 1.2, 1, 0.8) } as const,
  fire: {
    w1: seeded(8, FIRE_WIDTH, 2),
    b1: seeded(9, FIRE_WIDTH, 0.5),
    w2: seeded(10, RELATIVE_HEADS * FIRE_WIDTH, 0.7),
    b2: new Float32Array(RELATIVE_HEADS),
    c: 0.1,
    threshold: FIRE_THRESHOLD,
  },
};

/** The query and the key that stand at every position, of one head. */
export const sample = { query: seeded(11, HEAD_DIM), key: seeded(12, HEAD_DIM) };

export function relativeTask(encodings: Encodings, request: RelativeRequest): RelativeResult {
  const { method, tokens, head, start, causal } = request;
  const count = tokens.length;
  const { query, key } = sample;
  const everywhere = (vector: Float32Array, length: number): Float32Array => repeated(vector, length * RELATIVE_HEADS);
  const words = repeatedByHead(embed(tokens, HEAD_DIM), count);
  const attend = (
    options: Pick<AttentionOptions, 'query' | 'key' | 'queryLength' | 'keyLength' | 'returns' | 'queryStart'>,
  ) =>
    encodings.attention({
      heads: RELATIVE_HEADS,
      headDim: HEAD_DIM,
      keyStart: start,
      causal,
      ...termOf(encodings, method, causal),
      ...options,
    });
  const sizes = { queryLength: count, keyLength: count, queryStart: start };
  const scores = attend({ query: everywhere(query, count), key: everywhere(key, count), ...sizes, returns: 'scores' });
  const weights = attend({ query: words, key: words, ...sizes, returns: 'weights' });
  const curve = attend({
    query: everywhere(query, 1),
    key: everywhere(key, 2 * REACH + 1),
    queryLength: 1,
    keyLength: 2 * REACH + 1,
    queryStart: start + REACH,
    returns: 'scores',
  });
  const ofHead = (tensor: Float32Array): Float32Array => tensor.slice(head * count * count, (head + 1) * count * count);
  const drifts = RELATIVE_METHODS.map((name) => [name, worstDrift(encodings, name, query, key, request)] as const);
  return {
    scores: ofHead(scores),
    weights: ofHead(weights),
    curve,
    drifts: Object.fromEntries(drifts) as Record<RelativeMethod, Drift>,
  };
}

/** The bias or relative term of attention, with the scale that its paper has. */
function termOf(
  encodings: Encodings,
  method: RelativeMethod,
  causal: boolean,
): Pick<AttentionOptions, 'bias' | 'relative' | 'scale'> {
  const perHead = (table: Float32Array): Float32Array => repeated(table, RELATIVE_HEADS);
  switch (method) {
    case 'alibi':
      return { bias: { alibi: encodings.alibiSlopes({ heads: RELATIVE_HEADS }) } };
    case 't5':
      return { bias: { t5: { table: learned.t5, bidirectional: !causal, ...BUCKETS } }, scale: 1 };
    case 'kerple':
      return { bias: { kerple: learned.kerple } };
    case 'fire':
      return { bias: { fire: learned.fire } };
    case 'shaw':
      return { relative: { shaw: { keyTable: learned.shaw, clip: CLIP } } };
    case 'deberta':
      return {
        relative: {
          deberta: {
            span: SPAN,
            relativeKey: perHead(learned.relativeKey),
            relativeQuery: perHead(learned.relativeQuery),
          },
        },
      };
    case 'transformer_xl':
      return {
        relative: {
          transformerXl: { u: perHead(learned.u), v: perHead(learned.v), relative: besideItself(learned.relative) },
        },
      };
  }
}

/** The same for the score of one query and one key of one head. */
function choiceOf(method: RelativeMethod, { head, causal }: RelativeRequest): VerifyEncodingOptions['encoding'] {
  const heads = RELATIVE_HEADS;
  switch (method) {
    case 'alibi':
      return { alibi: { heads, head, symmetric: true } };
    case 't5':
      return { t5: { table: learned.t5, heads, head, bidirectional: !causal, ...BUCKETS } };
    case 'kerple':
      return { kerple: { ...learned.kerple, heads, head } };
    case 'fire':
      return { fire: { ...learned.fire, heads, head } };
    case 'shaw':
      return { shaw: { keyTable: learned.shaw, clip: CLIP } };
    case 'deberta':
      return { deberta: { span: SPAN, relativeKey: learned.relativeKey, relativeQuery: learned.relativeQuery } };
    case 'transformer_xl':
      return { transformer_xl: { u: learned.u, v: learned.v, relative: learned.relative } };
  }
}

/** Tries every distance at shifts up to the window; the one with the largest share of its bound is given. */
function worstDrift(
  encodings: Encodings,
  method: RelativeMethod,
  query: Float32Array,
  key: Float32Array,
  request: RelativeRequest,
): Drift {
  const shifts = [...new Set([1, 10, 100, request.start])].filter((shift) => shift <= Math.max(1, request.start));
  const found = TRIED.flatMap((distance) =>
    encodings.verifyRelative({ query, key, encoding: choiceOf(method, request), distance, shifts }),
  );
  const { drift, bound } = found.reduce((worst, one) => (share(one) > share(worst) ? one : worst));
  return { drift, bound };
}

function share({ drift, bound }: Drift): number {
  return drift === 0 ? 0 : drift / bound;
}

function repeated(values: Float32Array, times: number): Float32Array {
  const out = new Float32Array(values.length * times);
  for (let i = 0; i < times; i++) out.set(values, i * values.length);
  return out;
}

/** [length, headDim] as [length, heads, headDim]: every head has the same words. */
function repeatedByHead(rows: Float32Array, length: number): Float32Array {
  const out = new Float32Array(length * RELATIVE_HEADS * HEAD_DIM);
  for (let row = 0; row < length; row++) {
    const word = rows.subarray(row * HEAD_DIM, (row + 1) * HEAD_DIM);
    out.set(repeated(word, RELATIVE_HEADS), row * RELATIVE_HEADS * HEAD_DIM);
  }
  return out;
}

/** [width, headDim] as [width, heads, headDim]. */
function besideItself(matrix: Float32Array): Float32Array {
  return repeatedByHead(matrix, matrix.length / HEAD_DIM);
}
