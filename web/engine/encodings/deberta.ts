import { QUERY_KEY_OPTIONS, type QueryKeyOptions } from '../attention/attention-options.js';
import {
  pick,
  MAX_POSITION,
  requireBoolean,
  requireInteger,
  requireOptions,
  requirePositions,
  requireSome,
  withDefault,
  type Names,
} from '../../common/check.js';
import type { EncodingDefinition } from './definition.js';
import { throwUnlessOk, type Engine } from '../runtime/engine.js';
import { badArgument } from '../../common/errors.js';
import { copyOfTensor, withHeap, type FloatTensor, type Into, type Tensor } from '../runtime/heap.js';
import { relativeScore, type RelativeAttention, type RelativeTerm, type ScoreCall } from '../attention/score-term.js';
import { columnSizes, FLOAT_ROUNDING, sizeOfProduct, type Contents, type ScoreAt } from '../analysis/score.js';
import type { RelativeSlot } from '../runtime/glue.js';

/** How distances are sorted into buckets. */
export interface DebertaRule {
  /**
   * 2 to 65536; 256 in the models of DeBERTa v2 and v3. Distances up to half of it have a bucket each, further ones share
   * buckets that grow by equal factors.
   */
  bucketSize: number;
  /** Where the last bucket begins, plus 1: more than bucketSize / 2 + 1, below 2^31. 512 in the same models. */
  maxPosition: number;
  /**
   * Distances from maxPosition on share the bucket of maxPosition − 1, as in the authors' code (default). Otherwise buckets
   * go on by the same formula, as in transformers; maxPosition has to be at least bucketSize then.
   */
  clamp?: boolean;
}

export interface DebertaBucketsOptions extends DebertaRule {
  /** `[count]`, query − key: whole numbers from −2^31 to 2^31. T5 counts the other way round. */
  delta: ArrayLike<number>;
}

/** The relative tables of a model, and how distances find their rows. */
export interface DebertaTables {
  /**
   * Half of the rows of the relative tables: row r stands for the distance, or bucket of distances, r − span. Those further
   * away share the first and last row.
   */
  span: number;
  /** `[heads, 2 span, headDim]`, projected: a query meets it (content to position). Without it there is no such term. */
  relativeKey?: Tensor;
  /** `[heads, 2 span, headDim]`, projected: a key meets it (position to content). Without it there is no such term. */
  relativeQuery?: Tensor;
  /** As for `debertaBuckets`. By default, and with −1 as models say it, distances stay as they are (v1). */
  bucketSize?: number;
  /** As for `debertaBuckets`; needed with bucketSize. */
  maxPosition?: number;
  /** As for `debertaBuckets`. */
  clamp?: boolean;
}

/** Query, key and sizes are those of `attention`. */
export interface DebertaScoresOptions extends QueryKeyOptions, DebertaTables {}

/**
 * The relative tables `[2 span, headDim]` that a query and a key of `verifyRelative` meet, those of one head.
 */
export type DebertaScoreOptions = DebertaTables;

export interface Deberta {
  /**
   * The bucket of each distance: an odd function of it.
   *
   * Returns `[count]`.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: exact at every border; floating-point logarithms, which models use, miss a few.
   * Source: He et al. 2021, arXiv:2111.09543, and the code of DeBERTa v2.
   */
  debertaBuckets(options: DebertaBucketsOptions & Into<Int32Array>): Int32Array;

  /**
   * Disentangled scores: (query · key + query · relativeKey[row] + key · relativeQuery[row]) / √(headDim × terms), where row
   * is that of the distance i − j of query i and key j, and terms counts those that are there.
   *
   * Returns `[batch, heads, queryLength, keyLength]`: what enters the softmax. `attention` takes the tables as
   * `relative: { deberta }`; there the last query is by default at the last key, here the first one at the first.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: as the scores of `attention`.
   * Source: He et al. 2020, arXiv:2006.03654, section 3.1. The paper gives position to content the row of j − i; the code of
   * both public implementations takes that of i − j, as here.
   */
  debertaScores<Out extends FloatTensor = Float32Array>(options: DebertaScoresOptions & Into<Out>): NoInfer<Out>;
}

const TABLES: Names<DebertaTables> = {
  span: true,
  relativeKey: true,
  relativeQuery: true,
  bucketSize: true,
  maxPosition: true,
  clamp: true,
};

const debertaTerm: RelativeTerm<DebertaTables> = { name: 'deberta', options: TABLES, scale: scaleOf, add: addTables };

export const debertaEncoding: EncodingDefinition<Deberta, DebertaScoreOptions, never, { deberta: DebertaTables }> = {
  title: { en: 'DeBERTa', 'zh-Hans': 'DeBERTa' },
  formula: String.raw`s_{ij} = \frac{q_i \cdot k_j + q_i \cdot K^r_{\delta(i, j)} + k_j \cdot Q^r_{\delta(i, j)}}{\sqrt{3d}}`,
  parameters: ['relativeKey', 'relativeQuery', 'span', 'bucketSize', 'maxPosition', 'clamp'],
  source: 'He et al. 2020, arXiv:2006.03654, section 3.1',
  functions: { debertaScores, debertaBuckets },
  score: { options: TABLES, at: score },
  relative: debertaTerm,
};

const BUCKETS_OPTIONS: Names<DebertaBucketsOptions & Into<unknown>> = {
  delta: true,
  bucketSize: true,
  maxPosition: true,
  clamp: true,
  out: true,
};

const SCORES_OPTIONS: Names<DebertaScoresOptions & Into<unknown>> = { ...QUERY_KEY_OPTIONS, ...TABLES, out: true };

const MAX_BUCKET_SIZE = 65_536;
const MAX_SPAN = 2 ** 30;

function debertaBuckets(engine: Engine): Deberta['debertaBuckets'] {
  return (given) => {
    const options = requireOptions(given, BUCKETS_OPTIONS);
    const { bucketSize, maxPosition, reach } = requireRule(engine, options);
    const count = requireSome(options.delta, 'delta');
    const delta = requirePositions(options.delta, 'delta', { count });
    return withHeap(engine, (heap) => {
      const target = heap.intTarget(options.out, { delta: count });
      const distances = heap.doubles(delta, 'delta');
      const status = engine.wasm.debertaBuckets(target.handle, distances, bucketSize, maxPosition, reach);
      throwUnlessOk(engine, status, 'debertaBuckets');
      return target.take();
    });
  };
}

function debertaScores(_: Engine, attend: RelativeAttention): Deberta['debertaScores'] {
  return (given) => {
    const options = requireOptions(given, SCORES_OPTIONS);
    const call = pick(options, { ...QUERY_KEY_OPTIONS, out: true });
    return attend({ ...call, queryStart: 0, returns: 'scores' }, debertaTerm, options);
  };
}

/** 1 / √(headDim × terms): the products of queries and keys, and what the tables add. */
function scaleOf({ relativeKey, relativeQuery }: DebertaTables, headDim: number): number {
  const terms = 1 + Number(relativeKey !== undefined) + Number(relativeQuery !== undefined);
  return 1 / Math.sqrt(headDim * terms);
}

function addTables(options: DebertaTables, call: ScoreCall, prefix: string): RelativeSlot {
  const { engine, heap, sizes } = call;
  const { heads, headDim } = sizes;
  const span = requireInteger(options.span, `${prefix}span`, 1, MAX_SPAN);
  const rule = requireOptionalRule(engine, options, prefix);
  const table = (values: Tensor | undefined, name: string) =>
    values === undefined
      ? engine.none.floats
      : call.floats(values, prefix + name, { heads, '2 span': 2 * span, headDim });
  const slot = heap.own(new engine.wasm.RelativeSlot());
  engine.wasm.debertaTerm(
    slot,
    table(options.relativeKey, 'relativeKey'),
    table(options.relativeQuery, 'relativeQuery'),
    span,
    rule.bucketSize,
    rule.maxPosition,
    rule.reach,
  );
  return slot;
}

function requireRule({ wasm }: Engine, options: Partial<DebertaRule>, prefix = '') {
  const clamp = requireBoolean(withDefault(options.clamp, true), `${prefix}clamp`);
  const bucketSize = requireInteger(options.bucketSize, `${prefix}bucketSize`, 2, MAX_BUCKET_SIZE);
  const above = Math.floor(bucketSize / 2) + 2;
  const least = clamp ? above : Math.max(above, bucketSize);
  const maxPosition = requireInteger(options.maxPosition, `${prefix}maxPosition`, least, MAX_POSITION - 1);
  return { bucketSize, maxPosition, reach: clamp ? wasm.DebertaReach.Limited : wasm.DebertaReach.Open };
}

/** A bucket size of 0 tells the binding that there are no buckets. */
function requireOptionalRule(engine: Engine, options: DebertaTables, prefix: string) {
  const { bucketSize, maxPosition, clamp } = options;
  if (bucketSize !== undefined && bucketSize !== -1) return requireRule(engine, options, prefix);
  for (const [name, value] of Object.entries({ maxPosition, clamp })) {
    if (value !== undefined && bucketSize === undefined)
      throw badArgument(prefix + name, { kind: 'left-out', where: 'no-bucket-size' }, value);
  }
  return { bucketSize: 0, maxPosition: 0, reach: engine.wasm.DebertaReach.Limited };
}

function score(
  engine: Engine,
  options: DebertaScoreOptions,
  { query, key }: Contents,
  attend: RelativeAttention,
): ScoreAt {
  const headDim = query.length;
  const term = (name: 'relativeKey' | 'relativeQuery', vector: Float32Array): number =>
    options[name] === undefined
      ? 0
      : sizeOfProduct(vector, columnSizes(copyOfTensor(engine, options[name], name), headDim));
  const size =
    (sizeOfProduct(query, key) + term('relativeKey', query) + term('relativeQuery', key)) / Math.sqrt(headDim);
  return relativeScore(attend, debertaTerm, options, { query, key }, (headDim + 4) * FLOAT_ROUNDING * size);
}
