import type { Names } from '../../common/check.js';
import type { Tensor } from '../runtime/heap.js';
import type { RopeParams } from '../../rotary/rope-params.js';
import type { Format } from './format.js';

/** Options of queries that meet keys: what every function that forms scores takes. */
export interface QueryKeyOptions {
  /** `[batch, queryLength, heads, headDim]`, or as `format` says. */
  query: Tensor;
  /** `[batch, keyLength, kvHeads, headDim]`, or as `format` says. */
  key: Tensor;
  /** Axes of query, key, value and output; `bshd` by default. */
  format?: Format;
  /** 1 by default. */
  batch?: number;
  /** Heads of the queries. */
  heads: number;
  /** Heads of keys and values, a divisor of `heads`: query head h reads h / (heads / kvHeads). `heads` by default. */
  kvHeads?: number;
  queryLength: number;
  keyLength: number;
  headDim: number;
}

/** The names of these options. */
export const QUERY_KEY_OPTIONS: Names<QueryKeyOptions> = {
  query: true,
  key: true,
  format: true,
  batch: true,
  heads: true,
  kvHeads: true,
  queryLength: true,
  keyLength: true,
  headDim: true,
};

/** What shapes scores and the result, wherever the keys come from. */
export interface ScoringRules {
  /**
   * Position of the first query, counted as those of the keys. By default the last query is at the last key of its
   * sequence: keyStart + keyLength − queryLength, with `keyLengths` keyStart + keyLengths[b] − queryLength.
   */
  queryStart?: number;
  /** Hides the keys after a query. */
  causal?: boolean;
  /**
   * How far a query sees. A number w stands for w keys on either side, the query's own included. `left` and `right` count
   * the keys beyond it; Infinity is no limit.
   */
  window?: number | { left: number; right: number };
  /**
   * Multiplies query · key; 1 / √headDim by default, with the relative term of DeBERTa that of its paper. T5 has none: pass 1.
   */
  scale?: number;
  /** Turns a scaled score s into softcap × tanh(s / softcap). */
  softcap?: number;
  /**
   * Shaped as `maskShape` says; without one `[queryLength, keyLength]`, or with leading heads, or batch and heads. Bytes: 0
   * forbids. Floats are added, −Infinity forbids.
   */
  mask?: Uint8Array | Tensor;
  /**
   * Up to four sizes of the mask, aligned to the right with `[batch, heads, queryLength, keyLength]`. Each is 1, the same
   * mask for all, or full; the last may also be short, and then the keys past it are forbidden. A size of 1 at the end
   * stands for one key, not for all.
   */
  maskShape?: readonly number[];
  /** `[keyLength]` or `[batch, keyLength]`: 0 is padding, which no query sees. */
  keyValid?: Uint8Array;
  /** `[heads]`: one more logit in the denominator of the softmax, without a value. */
  sinks?: Tensor;
  /** `output` by default. */
  returns?: AttentionReturns;
}

/** Where a call of attention ends: after the scale, the softcap, the masks, the softmax, or with the weighted values. */
export type AttentionReturns = 'scaled' | 'capped' | 'scores' | 'weights' | 'output';

/** Everything that `attention` takes but for what encodings add to scores. */
export interface PlainAttentionOptions extends QueryKeyOptions, ScoringRules {
  /** `[batch, keyLength, kvHeads, valueDim]`, or as `format` says. Only the output needs it. */
  value?: Tensor;
  /** `headDim` by default. */
  valueDim?: number;
  /** Turns queries and keys by their positions first. */
  rope?: RopeParams;
  /** Position of the first key; 0 by default. Key j is at keyStart + j. */
  keyStart?: number;
  /**
   * Positions for the rotation alone, one per key: `[keyLength]` or `[batch, keyLength]`. A query takes that of the key
   * where it stands. Causality, windows and ALiBi go by `queryStart` and `keyStart`, not by these.
   */
  positions?: ArrayLike<number>;
  /** Length of the sequence in tokens, for `dynamic` and `longrope`; within the original context by default. */
  seqLen?: number;
  /** `[batch]`: how many keys each sequence has, from 0 to keyLength. No query sees those behind. */
  keyLengths?: ArrayLike<number>;
}
