import {
  MAX_DISTANCE,
  requireBoolean,
  requireInteger,
  requireIntegers,
  requireOptions,
  requireSome,
  withDefault,
  type Names,
} from '../../common/check.js';
import type { EncodingDefinition } from './definition.js';
import { throwUnlessOk, type Engine } from '../runtime/engine.js';
import { requireApart, withHeap, type FloatTensor, type Into, type Tensor } from '../runtime/heap.js';
import { BIAS_SIZES, biasScore, fillBias, type BiasSizes, type HeadOptions } from '../attention/relative-bias.js';
import type { FillBias, ScoreCall } from '../attention/score-term.js';
import type { Contents, ScoreAt } from '../analysis/score.js';
import type { BiasSlot, HeapFloats } from '../runtime/glue.js';

/** How distances are sorted into buckets. */
export interface T5Rule {
  /**
   * Whether half of the buckets is for keys after the query, as in an encoder (default). Otherwise, as in a decoder, those
   * keys share bucket 0.
   */
  bidirectional?: boolean;
  /** 2 to 65536, at least 4 if bidirectional. 32 by default. */
  buckets?: number;
  /**
   * The distance from which on all keys share the last bucket. More than the number of distances with a bucket of their
   * own, half of the buckets of a side. 128 by default.
   */
  maxDistance?: number;
}

export interface T5BucketsOptions extends T5Rule {
  /** `[count]`, key − query: whole numbers from −2^53 to 2^53. DeBERTa counts the other way round. */
  relative: ArrayLike<number>;
}

export interface T5BiasOptions extends BiasSizes, T5Rule {
  /** `[buckets, heads]`: what the model learned. */
  table: Tensor;
}

/** Which bias `verifyRelative` adds to the inner product of a query and a key. */
export interface T5ScoreOptions extends HeadOptions, T5Rule, Pick<T5BiasOptions, 'table'> {}

/** The bias of T5 inside `attention`, whose memory does not grow with queryLength × keyLength. */
export interface T5Term {
  t5: T5Rule & {
    /** `[buckets, heads]`: what the model learned. */
    table: Tensor;
  };
}

export interface T5 {
  /**
   * The bucket of each relative position: one distance each for the nearest half of the buckets of a side, then ranges that
   * grow by equal factors.
   *
   * Returns `[count]`.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: exact at every border; floating-point logarithms, which models use, miss a few.
   * Source: Raffel et al. 2019, arXiv:1910.10683, section 2.1, and the code published with it.
   */
  t5Buckets(options: T5BucketsOptions & Into<Int32Array>): Int32Array;

  /**
   * The bias of T5: for each query and key the number of their bucket in the table. T5 adds it to scores that are not
   * divided by √headDim: pass `scale: 1` to `attention`, which also takes the bias as `bias: { t5 }`.
   *
   * Returns `[heads, queryLength, keyLength]`.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: the numbers of the table, unchanged.
   * Source: Raffel et al. 2019, arXiv:1910.10683, section 2.1.
   */
  t5Bias<Out extends FloatTensor = Float32Array>(options: T5BiasOptions & Into<Out>): NoInfer<Out>;
}

const RULE_OPTIONS: Names<T5Rule> = { bidirectional: true, buckets: true, maxDistance: true };

export const t5Encoding: EncodingDefinition<T5, T5ScoreOptions, T5Term> = {
  title: { en: 'T5 buckets', 'zh-Hans': 'T5 分桶偏置' },
  formula: String.raw`b_h(i, j) = T_{\text{bucket}(j - i),\, h}`,
  parameters: ['table', 'heads', 'bidirectional', 'buckets', 'maxDistance'],
  source: 'Raffel et al. 2019, arXiv:1910.10683, section 2.1',
  functions: { t5Bias, t5Buckets },
  score: { options: { table: true, heads: true, head: true, ...RULE_OPTIONS }, at: score },
  bias: { name: 't5', options: { t5: true }, add: addBias },
};

const BUCKETS_OPTIONS: Names<T5BucketsOptions & Into<unknown>> = { relative: true, ...RULE_OPTIONS, out: true };

const BIAS_OPTIONS: Names<T5BiasOptions & Into<unknown>> = { table: true, ...BIAS_SIZES, ...RULE_OPTIONS, out: true };

const MAX_BUCKETS = 65_536;
const MAX_MAX_DISTANCE = 2 ** 31 - 1;

function t5Buckets(engine: Engine): T5['t5Buckets'] {
  return (given) => {
    const options = requireOptions(given, BUCKETS_OPTIONS);
    const { reach, buckets, maxDistance } = requireRule(engine, options);
    const count = requireSome(options.relative, 'relative');
    const relative = requireIntegers(options.relative, 'relative', { count }, -MAX_DISTANCE, MAX_DISTANCE);
    return withHeap(engine, (heap) => {
      const target = heap.intTarget(options.out, { relative: count });
      const positions = heap.doubles(relative, 'relative');
      const status = engine.wasm.t5Buckets(target.handle, positions, reach, buckets, maxDistance);
      throwUnlessOk(engine, status, 't5Buckets');
      return target.take();
    });
  };
}

function t5Bias(engine: Engine): T5['t5Bias'] {
  return (given) => {
    const options = requireOptions(given, BIAS_OPTIONS);
    return fillBias(engine, options, 't5Bias', ({ heap, heads }) => {
      const rule = requireRule(engine, options);
      requireApart(options.out, { table: options.table });
      return fillOf(engine, heap.floats(options.table, 'table', { buckets: rule.buckets, heads }), rule);
    });
  };
}

function addBias({ t5: given }: T5Term, call: ScoreCall): BiasSlot {
  const t5 = requireOptions(given, { table: true, ...RULE_OPTIONS }, 'bias.t5');
  const rule = requireRule(call.engine, t5, 'bias.t5.');
  const table = call.floats(t5.table, 'bias.t5.table', { buckets: rule.buckets, heads: call.sizes.heads });
  return call.distanceBias(fillOf(call.engine, table, rule));
}

function fillOf({ wasm }: Engine, table: HeapFloats, rule: ReturnType<typeof requireRule>): FillBias {
  return (values, ...shape) => wasm.t5Bias(values, table, ...shape, rule.reach, rule.buckets, rule.maxDistance);
}

function requireRule({ wasm }: Engine, options: T5Rule, prefix = '') {
  const bidirectional = requireBoolean(withDefault(options.bidirectional, true), `${prefix}bidirectional`);
  const least = bidirectional ? 4 : 2;
  const buckets = requireInteger(withDefault(options.buckets, 32), `${prefix}buckets`, least, MAX_BUCKETS);
  const exact = Math.floor((bidirectional ? Math.floor(buckets / 2) : buckets) / 2);
  const maxDistance = requireInteger(
    withDefault(options.maxDistance, 128),
    `${prefix}maxDistance`,
    exact + 1,
    MAX_MAX_DISTANCE,
  );
  return { reach: bidirectional ? wasm.T5Reach.BothSides : wasm.T5Reach.Past, buckets, maxDistance };
}

function score(engine: Engine, options: T5ScoreOptions, contents: Contents): ScoreAt {
  const { head: _, ...bias } = options;
  const compute = t5Bias(engine);
  return biasScore(
    contents,
    options,
    (place) => compute({ ...bias, ...place }),
    () => 0,
  );
}
