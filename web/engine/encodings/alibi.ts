import {
  isArrayOf,
  MAX_FLOAT,
  requireBoolean,
  requireChoice,
  requireCount,
  requireEach,
  requireLength,
  requireOptions,
  requirePositions,
  requirePositive,
  requireSome,
  withDefault,
  type Names,
} from '../../common/check.js';
import type { EncodingDefinition } from './definition.js';
import { throwUnlessOk, type Engine } from '../runtime/engine.js';
import { badArgument } from '../../common/errors.js';
import { withHeap, type FloatTensor, type Into } from '../runtime/heap.js';
import { requireQueriesAmongKeys } from '../positions/positions.js';
import {
  BIAS_SIZES,
  biasScore,
  requireBiasSizes,
  type BiasSizes,
  type HeadOptions,
} from '../attention/relative-bias.js';
import type { ScoreCall } from '../attention/score-term.js';
import { FLOAT_ROUNDING, type Contents, type ScoreAt } from '../analysis/score.js';
import type { BiasSlot } from '../runtime/glue.js';

/** The slopes of a number of heads that is no power of two, by the name of the rule. */
export type AlibiRule = 'published-code' | 'geometric';

export interface AlibiSeries {
  /**
   * `published-code` (default): the slopes of the greatest power of two below, then every other one of twice as many
   * heads, as the authors' code, BLOOM, MPT, Baichuan and ggml have it. `geometric`: 2^(−biasMax (h + 1) / heads) for
   * every number of heads, as the paper's text says it. A power of two has the same slopes by both.
   */
  rule?: AlibiRule;
  /** The last of a power of two heads has slope 2^−biasMax. 8 by default. */
  biasMax?: number;
}

export interface AlibiSlopesOptions extends AlibiSeries {
  heads: number;
}

export interface AlibiBiasOptions extends BiasSizes, AlibiSeries {
  /** −slope × |query − key| instead of −slope × (query − key). false by default. */
  symmetric?: boolean;
  /**
   * `[keyLength]`, whole numbers from −2^31 to 2^31: where each key is, for sequences whose padding does not count. Query i
   * is where key queryStart − keyStart + i is. By default key j is at keyStart + j; padding on the left then changes no
   * distance.
   */
  positions?: ArrayLike<number>;
}

/** Which bias `verifyRelative` adds to the inner product of a query and a key. */
export interface AlibiScoreOptions extends HeadOptions, AlibiSeries, Pick<AlibiBiasOptions, 'symmetric'> {}

/** The bias inside `attention`: −slope × |query − key|. */
export interface AlibiTerm {
  /** `[heads]`: the slopes, from `alibiSlopes` or others. */
  alibi: Float64Array;
  /**
   * `[keyLength]` or `[batch, keyLength]`, whole numbers from −2^31 to 2^31: where each key is, for sequences whose padding
   * does not count. A query is where the key is at whose place it stands. By default positions count on.
   */
  positions?: ArrayLike<number>;
}

export interface Alibi {
  /**
   * The slopes of attention with linear biases (ALiBi), one per head: `attention` takes them as `bias: { alibi }`.
   *
   * Returns `[heads]`.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: a relative error of at most (biasMax + 1) × 2^-52.
   * Source: Press et al. 2021, arXiv:2108.12409, section 3, and the code published with it.
   */
  alibiSlopes(options: AlibiSlopesOptions & Into<Float64Array>): Float64Array;

  /**
   * The bias of attention with linear biases: −slope × (query − key), to be added to scaled scores. It is 0 where a query
   * meets its own key. Keys after the query, which a causal model masks, get positive numbers unless `symmetric`.
   *
   * Returns `[heads, queryLength, keyLength]`.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: rounded once to float.
   * Source: Press et al. 2021, arXiv:2108.12409, section 3.
   */
  alibiBias<Out extends FloatTensor = Float32Array>(options: AlibiBiasOptions & Into<Out>): NoInfer<Out>;
}

export const alibiEncoding: EncodingDefinition<Alibi, AlibiScoreOptions, AlibiTerm> = {
  title: { en: 'Linear biases (ALiBi)', 'zh-Hans': '线性偏置（ALiBi）' },
  formula: String.raw`b_h(i, j) = -m_h (i - j), \quad m_h = 2^{-8(h + 1)/H}`,
  parameters: ['heads', 'rule', 'biasMax', 'symmetric'],
  source: 'Press et al. 2021, arXiv:2108.12409, section 3',
  functions: { alibiBias, alibiSlopes },
  score: { options: { heads: true, head: true, rule: true, biasMax: true, symmetric: true }, at: score },
  bias: { name: 'alibi', options: { alibi: true, positions: true }, add: addBias },
};

const SLOPES_OPTIONS: Names<AlibiSlopesOptions & Into<unknown>> = { heads: true, rule: true, biasMax: true, out: true };

const BIAS_OPTIONS: Names<AlibiBiasOptions & Into<unknown>> = {
  ...BIAS_SIZES,
  rule: true,
  biasMax: true,
  symmetric: true,
  positions: true,
  out: true,
};

const DEFAULT_BIAS_MAX = 8;

function alibiSlopes(engine: Engine): Alibi['alibiSlopes'] {
  return (given) => {
    const options = requireOptions(given, SLOPES_OPTIONS);
    const heads = requireCount(options.heads, 'heads');
    const series = requireSeries(engine, options);
    return withHeap(engine, (heap) => {
      const target = heap.doubleTarget(options.out, { heads });
      throwUnlessOk(engine, engine.wasm.alibiSlopes(target.handle, series.rule, series.biasMax), 'alibiSlopes');
      return target.take();
    });
  };
}

function alibiBias(engine: Engine): Alibi['alibiBias'] {
  const { wasm } = engine;
  return (given) => {
    const options = requireOptions(given, BIAS_OPTIONS);
    const { heads, queryLength, keyLength, queryStart, keyStart } = requireBiasSizes(options);
    const series = requireSeries(engine, options);
    const symmetric = requireBoolean(withDefault(options.symmetric, false), 'symmetric');
    const keys =
      options.positions === undefined ? undefined : requirePositions(options.positions, 'positions', { keyLength });
    if (keys !== undefined) requireQueriesAmongKeys({ queryStart, queryLength, keyStart, keyLength });
    return withHeap(engine, (heap) => {
      const target = heap.floatTarget(options.out, { heads, queryLength, keyLength });
      const slopes = heap.newDoubles({ heads });
      throwUnlessOk(engine, wasm.alibiSlopes(slopes, series.rule, series.biasMax), 'alibiBias');
      const positions = keys === undefined ? engine.none.doubles : heap.doubles(keys, 'positions');
      const form = symmetric ? wasm.AlibiForm.Symmetric : wasm.AlibiForm.Causal;
      const status = wasm.alibiBias(
        target.handle,
        slopes,
        positions,
        heads,
        queryLength,
        keyLength,
        queryStart,
        keyStart,
        form,
      );
      throwUnlessOk(engine, status, 'alibiBias');
      return target.take();
    });
  };
}

function addBias({ alibi, positions }: AlibiTerm, call: ScoreCall): BiasSlot {
  const { engine, heap, sizes, firstQuery } = call;
  const { batch, heads, queryLength, keyLength } = sizes;
  if (!isArrayOf(alibi, Float64Array))
    throw badArgument('bias.alibi', { kind: 'type', types: ['Float64Array'] }, alibi);
  requireLength(alibi, 'bias.alibi', { heads });
  const count = positions === undefined ? 0 : requireSome(positions, 'bias.positions');
  const perSequence = batch > 1 && count === batch * keyLength;
  const places =
    positions && requirePositions(positions, 'bias.positions', perSequence ? { batch, keyLength } : { keyLength });
  if (places !== undefined) {
    for (const queryStart of [firstQuery.least, firstQuery.greatest]) {
      requireQueriesAmongKeys({ queryStart, queryLength, keyLength });
    }
  }
  const indexReach = Math.max(Math.abs(call.greatestDistance), Math.abs(call.greatestDistance - call.distances + 1));
  const reach = Math.max(1, places === undefined ? indexReach : spread(places));
  requireEach(alibi, 'bias.alibi', { kind: 'slopes', reach }, (slope) => Math.abs(slope) * reach <= MAX_FLOAT);
  const slopes = heap.doubles(alibi, 'bias.alibi');
  if (places === undefined) {
    const { none, wasm } = engine;
    return call.distanceBias((values, ...shape) =>
      wasm.alibiBias(values, slopes, none.doubles, ...shape, wasm.AlibiForm.Symmetric),
    );
  }
  const slot = heap.own(new engine.wasm.BiasSlot());
  engine.wasm.alibiTerm(slot, slopes, heap.doubles(places, 'bias.positions'));
  return slot;
}

/** The distance from the least to the greatest number. */
function spread(values: Float64Array): number {
  const [least, greatest] = values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [
    Infinity,
    -Infinity,
  ] as [number, number]);
  return greatest - least;
}

function requireSeries({ wasm }: Engine, { rule, biasMax }: AlibiSeries) {
  const { PublishedCode, Geometric } = wasm.AlibiRule;
  return {
    rule: requireChoice(withDefault(rule, 'published-code'), 'rule', {
      'published-code': PublishedCode,
      geometric: Geometric,
    }),
    biasMax: requirePositive(withDefault(biasMax, DEFAULT_BIAS_MAX), 'biasMax'),
  };
}

function score(engine: Engine, options: AlibiScoreOptions, contents: Contents): ScoreAt {
  const { head: _, ...bias } = options;
  const compute = alibiBias(engine);
  return biasScore(
    contents,
    options,
    (place) => compute({ ...bias, ...place }),
    (bias) => FLOAT_ROUNDING * Math.abs(bias),
  );
}
