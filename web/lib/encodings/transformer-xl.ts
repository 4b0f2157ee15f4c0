import {
  attentionAxes,
  QUERY_KEY_OPTIONS,
  requireSizes,
  type AttentionSizes,
  type QueryKeyOptions,
} from '../attention-sizes.js';
import {
  MAX_COUNT,
  MAX_POSITION,
  requireBoolean,
  requireChoice,
  requireCount,
  requireInteger,
  requireOptions,
  withDefault,
} from '../check.js';
import type { Encoding } from '../encoding.js';
import { throwUnlessOk, type Engine } from '../engine.js';
import { badArgument } from '../errors.js';
import { sinusoidalSeries } from '../frequencies.js';
import { tensorFormats } from '../format.js';
import {
  copyOfTensor,
  requireApart,
  requireTensorLength,
  withHeap,
  type FloatTensor,
  type Heap,
  type Into,
  type Tensor,
} from '../heap.js';
import { FLOAT_ROUNDING, rowsUpTo, sizeOfProduct, type Contents, type ScoreAt } from '../score.js';
import type { HeapFloats } from '../wasm/simd.mjs';

/** Query, key and sizes are those of `attention`. */
export interface TransformerXlScoresOptions extends QueryKeyOptions {
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
   * memoryLength + queryLength, and so on down to memoryLength − keyLength + 1. Those are keyLength … 1 − queryLength where
   * the queries are the last keys.
   */
  relativeKeys?: Tensor;
  /** How many keys come before the first query. keyLength − queryLength by default: the queries are the last keys. */
  memoryLength?: number;
  /** Keys after the query get −Infinity, as in Transformer-XL. false by default, as in XLNet. */
  causal?: boolean;
}

/**
 * What a query of `verifyRelative` meets beside the key: u and v `[headDim]`, relative `[dim, headDim]`, of one head. Keys
 * may be at 0 to 2^20, queries from 0 on.
 */
export type TransformerXlScoreOptions = Pick<TransformerXlScoresOptions, (typeof SCORE_OPTIONS)[number]> & {
  relative: Tensor;
};

export interface TransformerXl {
  /**
   * The scores of Transformer-XL and of the content stream of XLNet:
   * ((query + u) · key + (query + v) · relativeKey(distance)) / √headDim, where distance is query − key, so that a query at
   * memoryLength + i is i − j + memoryLength away from key j. The segment term of XLNet is left to the caller.
   *
   * Returns `[batch, heads, queryLength, keyLength]`: what enters the softmax.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: sums in double; query + u, query + v, relative keys and scores are rounded once to float each.
   * Source: Dai et al. 2019, arXiv:1901.02860, section 3.3; Yang et al. 2019, arXiv:1906.08237 (XLNet).
   */
  transformerXlScores<Out extends FloatTensor = Float32Array>(
    options: TransformerXlScoresOptions & Into<Out>,
  ): NoInfer<Out>;
}

export const transformerXlEncoding: Encoding<TransformerXl, TransformerXlScoreOptions> = {
  title: { en: 'Transformer-XL, XLNet', 'zh-Hans': 'Transformer-XL、XLNet' },
  formula: String.raw`s_{ij} = \frac{(q_i + u) \cdot k_j + (q_i + v) \cdot W_R R_{i - j}}{\sqrt d}`,
  parameters: ['u', 'v', 'relative', 'relativeKeys', 'memoryLength', 'clampLength', 'base'],
  source: 'Dai et al. 2019, arXiv:1901.02860, section 3.3',
  functions: { transformerXlScores },
  score,
};

/** How sinusoids become relative keys. */
const SINUSOID_OPTIONS = ['relative', 'dim', 'base', 'clampLength'] as const;

const OPTIONS = [
  ...QUERY_KEY_OPTIONS,
  'u',
  'v',
  ...SINUSOID_OPTIONS,
  'relativeKeys',
  'memoryLength',
  'causal',
  'out',
] as const satisfies readonly (keyof TransformerXlScoresOptions | 'out')[];

function transformerXlScores(engine: Engine): TransformerXl['transformerXlScores'] {
  const { wasm } = engine;
  const formats = tensorFormats(engine);
  return (options) => {
    requireOptions(options, OPTIONS);
    const sizes = requireSizes(options);
    const { heads, queryLength, keyLength, headDim } = sizes;
    const format = requireChoice(withDefault(options.format, 'bshd'), 'format', formats);
    const causal = requireBoolean(withDefault(options.causal, false), 'causal');
    const memoryLength = requireInteger(
      withDefault(options.memoryLength, keyLength - queryLength),
      'memoryLength',
      0,
      MAX_POSITION,
    );
    const { query, key, u, v, relative, relativeKeys, out } = options;
    requireApart(out, { query, key, u, v, relative, relativeKeys });
    return withHeap(engine, (heap) => {
      const axes = attentionAxes(engine, format, sizes);
      const target = heap.floatTarget(out, axes.matrix);
      const status = wasm.transformerXlScores(
        target.handle,
        heap.floats(query, 'query', axes.query),
        heap.floats(key, 'key', axes.key),
        heap.floats(u, 'u', { heads, headDim }),
        heap.floats(v, 'v', { heads, headDim }),
        relativeKeysOf(engine, heap, options, { ...sizes, format }, memoryLength),
        { ...sizes, format },
        memoryLength,
        causal,
        heap.newFloats({ scratch: 2 * headDim }),
      );
      throwUnlessOk(engine, status, 'transformerXlScores');
      return target.take();
    });
  };
}

/** Those of the caller, or projected sinusoids. */
function relativeKeysOf(
  engine: Engine,
  heap: Heap,
  options: TransformerXlScoresOptions,
  shape: AttentionSizes & { format: Parameters<typeof attentionAxes>[1] },
  memoryLength: number,
): HeapFloats {
  const { heads, queryLength, keyLength, headDim } = shape;
  const axes = { 'queryLength + keyLength': queryLength + keyLength, heads, headDim };
  if (options.relativeKeys !== undefined) {
    for (const name of SINUSOID_OPTIONS) {
      if (options[name] !== undefined) throw badArgument(name, 'left out where relativeKeys are given', options[name]);
    }
    return heap.floats(options.relativeKeys, 'relativeKeys', axes);
  }

  const { relative } = options;
  const columns = heads * headDim;
  const fewest = Math.max(1, Math.ceil(requireTensorLength(relative, 'relative') / columns));
  const dim = requireCount(withDefault(options.dim, fewest), 'dim');
  const invFreq = heap.doubles(sinusoidalSeries(dim, options.base), 'dim');
  const projection = heap.floats(relative, 'relative', { dim, heads, headDim });
  const keys = heap.newFloats(axes);
  const clamp = requireClamp(options.clampLength);
  const scratch = heap.newDoubles({ scratch: dim + columns });
  const status = engine.wasm.transformerXlKeys(keys, projection, invFreq, shape, dim, memoryLength, clamp, scratch);
  throwUnlessOk(engine, status, 'transformerXlScores');
  return keys;
}

function requireClamp(length: unknown): number {
  if (length === undefined || length === -1) return Infinity;
  if (typeof length !== 'number' || !Number.isInteger(length) || length < 1 || length > MAX_COUNT) {
    throw badArgument('clampLength', `a whole number from 1 to ${MAX_COUNT}, or −1 for none`, length);
  }
  return length;
}

const SCORE_OPTIONS = ['u', 'v', ...SINUSOID_OPTIONS] as const satisfies readonly (keyof TransformerXlScoresOptions)[];

function score(engine: Engine, options: TransformerXlScoreOptions, { query, key }: Contents): ScoreAt {
  requireOptions(options, SCORE_OPTIONS, 'encoding.transformer_xl');
  const headDim = query.length;
  const relative = copyOfTensor(engine, options.relative, 'relative');
  const reach = new Float64Array(headDim); // of a projected sinusoid
  relative.forEach((weight, i) => (reach[i % headDim] = (reach[i % headDim] as number) + Math.abs(weight)));
  const plus = (name: 'u' | 'v') =>
    copyOfTensor(engine, options[name], name).map((bias, c) => Math.abs(bias) + Math.abs(query[c] as number));
  const size = (sizeOfProduct(plus('u'), key) + sizeOfProduct(plus('v'), reach)) / Math.sqrt(headDim);
  const terms = headDim + relative.length / headDim;
  const compute = transformerXlScores(engine);
  return (queryPosition, keyPosition) => {
    const { rows, tensor } = rowsUpTo(keyPosition, key);
    const memoryLength = requireInteger(queryPosition, 'shifts', 0, MAX_POSITION);
    const sizes = { heads: 1, queryLength: 1, keyLength: rows, headDim };
    const scores = compute({ ...options, ...sizes, query, key: tensor, memoryLength });
    return { value: scores[rows - 1] as number, rounding: (terms + 6) * FLOAT_ROUNDING * size };
  };
}
