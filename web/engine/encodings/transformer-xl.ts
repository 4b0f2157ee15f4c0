import { QUERY_KEY_OPTIONS, type QueryKeyOptions } from '../attention/attention-options.js';
import { requireSizes } from '../attention/attention-sizes.js';
import {
  elementCount,
  namesOf,
  pick,
  MAX_COUNT,
  MAX_POSITION,
  requireCount,
  requireInteger,
  requireIntegers,
  requireOptions,
  requireSome,
  withDefault,
  type Sizes,
  type Names,
} from '../../common/check.js';
import type { EncodingDefinition } from './definition.js';
import { throwUnlessOk, type Engine } from '../runtime/engine.js';
import { badArgument, within, badState } from '../../common/errors.js';
import { sinusoidalSeries } from '../../rotary/frequencies.js';
import { copyOfTensor, requireTensorLength, type FloatTensor, type Into, type Tensor } from '../runtime/heap.js';
import { relativeScore, type RelativeAttention, type RelativeTerm, type ScoreCall } from '../attention/score-term.js';
import { FLOAT_ROUNDING, sizeOfProduct, type Contents, type ScoreAt } from '../analysis/score.js';
import type { HeapFloats, HeapIndices, RelativeSlot } from '../runtime/glue.js';

/** What a model learned. */
export interface TransformerXlParameters {
  /** `[heads, headDim]`: added to a query that meets a key; `r_w_bias` in the code of both models. */
  u: Tensor;
  /** `[heads, headDim]`: added to a query that meets a distance; `r_r_bias` in the code of both models. */
  v: Tensor;
  /** `[dim, heads, headDim]`: projects the sinusoid of a distance, all sines, then all cosines. Or pass `relativeKeys`. */
  relative?: Tensor;
  /** Width of the sinusoid: that of the model. By default what `relative` has. */
  dim?: number;
  /** Base of the sinusoid, 10000 by default. */
  base?: number;
  /** Distances beyond it, on either side, have its sinusoid. By default, and with −1 as models say it, none has. */
  clampLength?: number;
  /**
   * `[queryLength + keyLength, heads, headDim]`, instead of `relative`: sinusoids already projected, for the distances
   * m + queryLength, and so on down to m − keyLength + 1, where m is how many keys come before the first query. Those are
   * keyLength … 1 − queryLength where the queries are the last keys.
   */
  relativeKeys?: Tensor;
  /** `[heads, headDim]`: added to a query that meets a segment, `r_s_bias` in the code of XLNet. With the three others. */
  segmentBias?: Tensor;
  /** `[2, heads, headDim]`: what a query meets for a key of its segment, and of another one; `seg_embed` of XLNet. */
  segmentTable?: Tensor;
  /** `[queryLength]` or `[batch, queryLength]`: the segment of each query, a whole number from 0 to 2^32 − 1. */
  querySegments?: ArrayLike<number>;
  /** `[keyLength]` or `[batch, keyLength]`: the same for the keys. */
  keySegments?: ArrayLike<number>;
}

/** Query, key and sizes are those of `attention`. */
export interface TransformerXlScoresOptions extends QueryKeyOptions, TransformerXlParameters {
  /** How many keys come before the first query. keyLength − queryLength by default: the queries are the last keys. */
  memoryLength?: number;
  /** Keys after the query get −Infinity, as in Transformer-XL. false by default, as in XLNet. */
  causal?: boolean;
}

/**
 * What a query of `verifyRelative` meets beside the key: u and v `[headDim]`, relative `[dim, headDim]`, of one head.
 */
export type TransformerXlScoreOptions = Pick<TransformerXlScoresOptions, 'u' | 'v'> & {
  relative: Tensor;
};

export interface TransformerXl {
  /**
   * The scores of Transformer-XL and of the content stream of XLNet:
   * ((query + u) · key + (query + v) · relativeKey(distance)) / √headDim, where distance is query − key, so that a query at
   * memoryLength + i is i − j + memoryLength away from key j. With segments, XLNet's
   * (query + segmentBias) · segmentTable[0 or 1] / √headDim is added.
   *
   * Returns `[batch, heads, queryLength, keyLength]`: what enters the softmax. `attention` takes the same parameters as
   * `relative: { transformerXl }`.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: as the scores of `attention`; projected sinusoids are rounded once to float.
   * Source: Dai et al. 2019, arXiv:1901.02860, section 3.3; Yang et al. 2019, arXiv:1906.08237 (XLNet).
   */
  transformerXlScores<Out extends FloatTensor = Float32Array>(
    options: TransformerXlScoresOptions & Into<Out>,
  ): NoInfer<Out>;
}

/** How sinusoids become relative keys. */
const SINUSOID_OPTIONS = { relative: true, dim: true, base: true, clampLength: true } as const;

const SEGMENT_OPTIONS = { segmentBias: true, segmentTable: true, querySegments: true, keySegments: true } as const;

const PARAMETERS: Names<TransformerXlParameters> = {
  u: true,
  v: true,
  ...SINUSOID_OPTIONS,
  relativeKeys: true,
  ...SEGMENT_OPTIONS,
};

const transformerXlTerm: RelativeTerm<TransformerXlParameters> = {
  name: 'transformerXl',
  options: PARAMETERS,
  add: addRelativeKeys,
};

export const transformerXlEncoding: EncodingDefinition<
  TransformerXl,
  TransformerXlScoreOptions,
  never,
  { transformerXl: TransformerXlParameters }
> = {
  title: { en: 'Transformer-XL, XLNet', 'zh-Hans': 'Transformer-XL、XLNet' },
  formula: String.raw`s_{ij} = \frac{(q_i + u) \cdot k_j + (q_i + v) \cdot W_R R_{i - j}}{\sqrt d}`,
  parameters: ['u', 'v', 'relative', 'relativeKeys', 'memoryLength', 'clampLength', 'base', 'segmentTable'],
  source: 'Dai et al. 2019, arXiv:1901.02860, section 3.3',
  functions: { transformerXlScores },
  score: { options: { u: true, v: true, ...SINUSOID_OPTIONS }, at: score },
  relative: transformerXlTerm,
};

const MAX_SEGMENT = 2 ** 32 - 1;

const OPTIONS: Names<TransformerXlScoresOptions & Into<unknown>> = {
  ...QUERY_KEY_OPTIONS,
  ...PARAMETERS,
  memoryLength: true,
  causal: true,
  out: true,
};

function transformerXlScores(_: Engine, attend: RelativeAttention): TransformerXl['transformerXlScores'] {
  return (given) => {
    const options = requireOptions(given, OPTIONS);
    const { queryLength, keyLength } = requireSizes(options);
    const memory = withDefault(options.memoryLength, keyLength - queryLength);
    const queryStart = requireInteger(memory, 'memoryLength', 0, MAX_POSITION - (queryLength - 1));
    const call = pick(options, { ...QUERY_KEY_OPTIONS, causal: true, out: true });
    return attend({ ...call, queryStart, returns: 'scores' }, transformerXlTerm, options);
  };
}

function addRelativeKeys(options: TransformerXlParameters, call: ScoreCall, prefix: string): RelativeSlot {
  const { engine, heap, sizes, firstQuery } = call;
  const { heads, headDim } = sizes;
  // The relative keys end with the keys of the longest sequence.
  if (call.reachesEveryKey && firstQuery.least !== firstQuery.greatest) {
    throw badState('returns', { kind: 'unscaled-uncapped' }, { kind: 'scaled-or-capped' });
  }
  const slot = heap.own(new engine.wasm.RelativeSlot());
  engine.wasm.transformerXlTerm(
    slot,
    call.floats(options.u, `${prefix}u`, { heads, headDim }),
    call.floats(options.v, `${prefix}v`, { heads, headDim }),
    relativeKeysOf(options, call, prefix),
    firstQuery.greatest,
    ...segmentsOf(options, call, prefix),
  );
  return slot;
}

/** Those of the caller, or projected sinusoids. */
function relativeKeysOf(options: TransformerXlParameters, call: ScoreCall, prefix: string): HeapFloats {
  const { engine, heap, sizes } = call;
  const { heads, queryLength, keyLength, headDim } = sizes;
  const axes = { 'queryLength + keyLength': queryLength + keyLength, heads, headDim };
  if (options.relativeKeys !== undefined) {
    for (const name of namesOf(SINUSOID_OPTIONS)) {
      if (options[name] === undefined) continue;
      throw badArgument(prefix + name, { kind: 'left-out', where: 'relative-keys-given' }, options[name]);
    }
    return call.floats(options.relativeKeys, `${prefix}relativeKeys`, axes);
  }

  const { relative } = options;
  const columns = heads * headDim;
  const given = requireTensorLength(relative, `${prefix}relative`);
  const dim = requireCount(withDefault(options.dim, Math.max(1, Math.ceil(given / columns))), `${prefix}dim`);
  const series = within(prefix, () => sinusoidalSeries(dim, options.base));
  const invFreq = heap.doubles(series, 'dim');
  const projection = call.floats(relative, `${prefix}relative`, { dim, heads, headDim });
  const keys = heap.newFloats(axes);
  const clamp = requireClamp(options.clampLength, `${prefix}clampLength`);
  const scratch = heap.newDoubles({ scratch: dim + columns });
  const status = engine.wasm.transformerXlKeys(
    keys,
    projection,
    invFreq,
    heads,
    queryLength,
    keyLength,
    headDim,
    dim,
    call.firstQuery.greatest,
    clamp,
    scratch,
  );
  throwUnlessOk(engine, status, 'transformerXlScores');
  return keys;
}

/** The segment term of XLNet, or nothing. */
function segmentsOf(
  options: TransformerXlParameters,
  call: ScoreCall,
  prefix: string,
): [bias: HeapFloats, table: HeapFloats, queries: HeapIndices, keys: HeapIndices] {
  const { none } = call.engine;
  const { batch, heads, headDim, queryLength, keyLength } = call.sizes;
  if (namesOf(SEGMENT_OPTIONS).every((name) => options[name] === undefined)) {
    return [none.floats, none.floats, none.indices, none.indices];
  }
  const segments = (values: unknown, name: string, sizes: Sizes): HeapIndices => {
    const argument = prefix + name;
    const perSequence = batch > 1 && requireSome(values, argument) === batch * elementCount(sizes);
    const axes = perSequence ? { batch, ...sizes } : sizes;
    const whole = requireIntegers(values, argument, axes, 0, MAX_SEGMENT);
    return call.heap.indices(Uint32Array.from(whole), argument);
  };
  return [
    call.floats(options.segmentBias, `${prefix}segmentBias`, { heads, headDim }),
    call.floats(options.segmentTable, `${prefix}segmentTable`, { segments: 2, heads, headDim }),
    segments(options.querySegments, 'querySegments', { queryLength }),
    segments(options.keySegments, 'keySegments', { keyLength }),
  ];
}

function requireClamp(length: unknown, argument: string): number {
  if (length === undefined || length === -1) return Infinity;
  if (typeof length !== 'number' || !Number.isInteger(length) || length < 1 || length > MAX_COUNT) {
    throw badArgument(argument, { kind: 'whole-or-none', least: 1, most: MAX_COUNT }, length);
  }
  return length;
}

function score(
  engine: Engine,
  options: TransformerXlScoreOptions,
  { query, key }: Contents,
  attend: RelativeAttention,
): ScoreAt {
  const headDim = query.length;
  const relative = copyOfTensor(engine, options.relative, 'relative');
  const reach = new Float64Array(headDim); // of a projected sinusoid
  relative.forEach((weight, i) => (reach[i % headDim] = (reach[i % headDim] as number) + Math.abs(weight)));
  const plus = (name: 'u' | 'v') =>
    copyOfTensor(engine, options[name], name).map((bias, c) => Math.abs(bias) + Math.abs(query[c] as number));
  const size = (sizeOfProduct(plus('u'), key) + sizeOfProduct(plus('v'), reach)) / Math.sqrt(headDim);
  const terms = headDim + relative.length / headDim;
  return relativeScore(attend, transformerXlTerm, options, { query, key }, (terms + 6) * FLOAT_ROUNDING * size);
}
