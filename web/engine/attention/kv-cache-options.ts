/// <reference lib="esnext.disposable" preserve="true" />
import { SCORING_OPTIONS, type ScoringOptions } from './attention.js';
import type { Format } from './format.js';
import type { Names } from '../../common/check.js';
import type { GivenTable } from '../positions/rotation.js';
import type { RopeParams } from '../../rotary/rope-params.js';
import type { FloatTensor, Into, Tensor } from '../runtime/heap.js';

export interface KvCacheOptions {
  /** 1 by default. */
  batch?: number;
  /** Heads of keys and values. */
  kvHeads: number;
  headDim: number;
  /** `headDim` by default. */
  valueDim?: number;
  /** How many tokens of each sequence there is room for. */
  capacity: number;
  /** Position of the first token, where a sequence is taken up in its middle; 0 by default. */
  start?: number;
  /** Turns keys when they are appended and queries when they attend, each by its absolute position. */
  rope?: RopeParams;
  /**
   * Takes the cosines and sines from here, as `rope` does: `[rows, pairs]` each, row = position. They are copied. The
   * frequencies and the attention factor of `rope` are then not used.
   */
  table?: GivenTable;
  /**
   * Length of the sequence in tokens, for `dynamic` and `longrope`; within the original context by default. The frequencies
   * hold for the life of the cache: keys that are stored stay as they were turned. Give the length that will be reached.
   */
  seqLen?: number;
  /** As in `attention`, for every `attend`. Tokens that no later query can see make room for new ones. */
  window?: NonNullable<ScoringOptions['window']>;
}

export interface KvAppendOptions {
  /** `[batch, length, kvHeads, headDim]`, or as `format` says. */
  key: Tensor;
  /** `[batch, length, kvHeads, valueDim]`, or as `format` says. */
  value: Tensor;
  /** How many tokens of each sequence. */
  length: number;
  /** `bshd` by default. */
  format?: Format;
  /**
   * Positions for the rotation alone, `[length]` or `[batch, length]`. By default those that come next. Not with `turned`.
   */
  positions?: ArrayLike<number>;
  /** Whether the keys are turned already, as `keys()` gives them: they are then stored as they are. False by default. */
  turned?: boolean;
}

/**
 * What `attention` takes, but for the keys, and without `relative` where the cache has `rope`. The keys that are held are
 * keys 0 … cache.length − cache.start − 1.
 */
export interface KvAttendOptions extends ScoringOptions {
  /** `[batch, length, heads, headDim]`, or as `format` says. */
  query: Tensor;
  /** Heads of the queries, a multiple of `kvHeads`. */
  heads: number;
  /** How many queries of each sequence. */
  length: number;
  /** Axes of query and output; `bshd` by default. */
  format?: Format;
  /** Position of the first query. By default the last query is the last token. */
  queryStart?: number;
  /** Positions for the rotation alone, `[length]` or `[batch, length]`. By default they count from `queryStart`. */
  positions?: ArrayLike<number>;
}

export interface KvReadOptions {
  /** `bshd` by default. */
  format?: Format;
}

/**
 * Keys and values of the tokens so far, inside WebAssembly memory: `[batch, capacity, kvHeads, headDim]` and
 * `[…, valueDim]`. Keys are turned when they come in, by their absolute positions, and never again. A step copies the new
 * tokens only.
 *
 * Append first, then attend. Every bad argument throws before anything is written.
 */
export interface KvCache {
  /** How many tokens of each sequence there is room for. */
  readonly capacity: number;
  /** The position of the next token: how many were appended, where the first one has position 0. */
  readonly length: number;
  /** Position of the first token that is still held; without a window, that of the first one. */
  readonly start: number;

  /**
   * Adds tokens at the next positions. With a window, tokens that no later query can see are dropped when the room ends: all
   * at once, so that with capacity ≥ 2 × window a token is moved less than once on average.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`, `disposed`; `cache-full` without room. The cache is then
   * unchanged.
   */
  append(options: KvAppendOptions): void;

  /**
   * Attention of queries to the tokens that are held. Causality, the window and ALiBi go by absolute positions, also after
   * tokens were dropped.
   *
   * Returns what `returns` says, as `attention` does, for the keys that are held.
   *
   * Errors: `bad-argument`, also where a query could see a token that was dropped; `wrong-length`, `out-of-memory`,
   * `disposed`.
   * Accuracy: as `attention`.
   */
  attend<Out extends FloatTensor = Float32Array>(options: KvAttendOptions & Into<Out>): NoInfer<Out>;

  /** The keys that are held, as they are stored: turned. `[batch, length − start, kvHeads, headDim]`, or as `format` says. */
  keys<Out extends FloatTensor = Float32Array>(options?: KvReadOptions & Into<Out>): NoInfer<Out>;

  /** The values that are held: `[batch, length − start, kvHeads, valueDim]`, or as `format` says. */
  values<Out extends FloatTensor = Float32Array>(options?: KvReadOptions & Into<Out>): NoInfer<Out>;

  /**
   * Forgets the tokens from position `length` on, as after a draft that was not accepted. With a window, a query needs the
   * tokens before it: those that were dropped do not come back.
   *
   * Errors: `bad-argument` where `length` is not from `start` to `length` of the cache; `disposed`.
   */
  truncate(length: number): void;

  /** Forgets all tokens and keeps the memory; the next one has the first position again. */
  reset(): void;

  /** Frees the memory. A second time does nothing; any other use afterwards throws `disposed`. */
  dispose(): void;

  /** The same as `dispose`, where the engine knows `using`. */
  [Symbol.dispose]: () => void;
}

export interface KvCaching {
  /**
   * A cache of keys and values for decoding.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   */
  kvCache(options: KvCacheOptions): KvCache;
}

export const CACHE_OPTIONS: Names<KvCacheOptions> = {
  batch: true,
  kvHeads: true,
  headDim: true,
  valueDim: true,
  capacity: true,
  start: true,
  rope: true,
  table: true,
  seqLen: true,
  window: true,
};

export const APPEND_OPTIONS: Names<KvAppendOptions> = {
  key: true,
  value: true,
  length: true,
  format: true,
  positions: true,
  turned: true,
};

export const ATTEND_OPTIONS: Names<KvAttendOptions & Into<unknown>> = {
  ...SCORING_OPTIONS,
  query: true,
  heads: true,
  length: true,
  format: true,
  positions: true,
  out: true,
};

export const READ_OPTIONS: Names<KvReadOptions & Into<unknown>> = { format: true, out: true };
