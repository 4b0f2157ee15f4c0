import { attentionAxes, QUERY_KEY_OPTIONS, requireSizes, type QueryKeyOptions } from '../attention-sizes.js';
import type { AttentionOptions } from '../attention.js';
import { requireBoolean, requireChoice, requireInteger, requireOptions, withDefault } from '../check.js';
import type { Encoding } from '../encoding.js';
import { throwUnlessOk, type Engine } from '../engine.js';
import { tensorFormats } from '../format.js';
import { copyOfTensor, requireApart, withHeap, type FloatTensor, type Into, type Tensor } from '../heap.js';
import { requireQueryStart } from '../positions.js';
import { columnSizes, FLOAT_ROUNDING, rowsUpTo, sizeOfProduct, type Contents, type ScoreAt } from '../score.js';

/** Query, key, value, sizes and `returns` are those of `attention`. */
export interface ShawAttentionOptions
  extends QueryKeyOptions, Pick<AttentionOptions, 'value' | 'valueDim' | 'queryStart' | 'causal' | 'returns'> {
  /** `[2 clip + 1, headDim]`, shared by the heads: row key − query + clip is added to the key. */
  keyTable: Tensor;
  /** `[2 clip + 1, valueDim]`: the same for the value. Without it values stay as they are. */
  valueTable?: Tensor;
  /** Keys further away than this, on either side, share the row of this distance. */
  clip: number;
}

/** Which relative vectors `verifyRelative` adds: the options of `shawAttention`. Keys may be at 0 to 2^20. */
export type ShawScoreOptions = Pick<ShawAttentionOptions, (typeof SCORE_OPTIONS)[number]>;

export interface Shaw {
  /**
   * Attention with relative position representations: the score of a query and a key is
   * query · (key + keyTable[row]) / √headDim, and the output sums weight × (value + valueTable[row]), where row is
   * key − query clipped to ±clip, plus clip. A row without a key to attend to is zero.
   *
   * Returns what `returns` says, as `attention` does.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: sums and softmax in double, each result rounded once to float.
   * Source: Shaw, Uszkoreit and Vaswani 2018, arXiv:1803.02155, section 3.
   */
  shawAttention<Out extends FloatTensor = Float32Array>(options: ShawAttentionOptions & Into<Out>): NoInfer<Out>;
}

export const shawEncoding: Encoding<Shaw, ShawScoreOptions> = {
  title: { en: 'Relative vectors (Shaw)', 'zh-Hans': '相对位置向量（Shaw）' },
  formula: String.raw`s_{ij} = \frac{q_i \cdot (k_j + a^K_{j - i})}{\sqrt d}, \quad o_i = \sum_j w_{ij} (v_j + a^V_{j - i})`,
  parameters: ['keyTable', 'valueTable', 'clip'],
  source: 'Shaw et al. 2018, arXiv:1803.02155, section 3',
  functions: { shawAttention },
  score,
};

const OPTIONS = [
  ...QUERY_KEY_OPTIONS,
  'value',
  'valueDim',
  'keyTable',
  'valueTable',
  'clip',
  'queryStart',
  'causal',
  'returns',
  'out',
] as const satisfies readonly (keyof ShawAttentionOptions | 'out')[];

const MAX_CLIP = 2 ** 30 - 1;

function shawAttention(engine: Engine): Shaw['shawAttention'] {
  const { wasm } = engine;
  const formats = tensorFormats(engine);
  const { Output, Weights, Scores } = wasm.AttentionResult;
  const results = { output: Output, weights: Weights, scores: Scores };
  return (options) => {
    requireOptions(options, OPTIONS);
    const sizes = requireSizes(options);
    const { queryLength, keyLength, headDim, valueDim } = sizes;
    const format = requireChoice(withDefault(options.format, 'bshd'), 'format', formats);
    const result = requireChoice(withDefault(options.returns, 'output'), 'returns', results);
    const clip = requireInteger(options.clip, 'clip', 0, MAX_CLIP);
    const causal = requireBoolean(withDefault(options.causal, false), 'causal');
    const queryStart = requireQueryStart(options.queryStart, queryLength, keyLength);
    const { query, key, value, keyTable, valueTable, out } = options;
    requireApart(out, { query, key, value, keyTable, valueTable });

    return withHeap(engine, (heap) => {
      const axes = attentionAxes(engine, format, sizes);
      const rows = 2 * clip + 1;
      const target = heap.floatTarget(out, result === Output ? axes.output : axes.matrix);
      const shape = { ...sizes, format };
      const status = wasm.shawAttention(
        target.handle,
        heap.floats(query, 'query', axes.query),
        heap.floats(key, 'key', axes.key),
        heap.floats(value, 'value', axes.value),
        heap.floats(keyTable, 'keyTable', { '2 clip + 1': rows, headDim }),
        valueTable === undefined
          ? engine.none.floats
          : heap.floats(valueTable, 'valueTable', { '2 clip + 1': rows, valueDim }),
        shape,
        clip,
        queryStart,
        causal,
        result,
        heap.newDoubles({ scratch: wasm.shawScratch(shape, clip) }),
      );
      throwUnlessOk(engine, status, 'shawAttention');
      return target.take();
    });
  };
}

const SCORE_OPTIONS = ['keyTable', 'clip'] as const satisfies readonly (keyof ShawAttentionOptions)[];

function score(engine: Engine, options: ShawScoreOptions, { query, key }: Contents): ScoreAt {
  requireOptions(options, SCORE_OPTIONS, 'encoding.shaw');
  const headDim = query.length;
  const relative = columnSizes(copyOfTensor(engine, options.keyTable, 'keyTable'), headDim);
  const size = (sizeOfProduct(query, key) + sizeOfProduct(query, relative)) / Math.sqrt(headDim);
  const attend = shawAttention(engine);
  return (queryStart, keyPosition) => {
    const { rows, tensor } = rowsUpTo(keyPosition, key);
    const sizes = { heads: 1, queryLength: 1, keyLength: rows, headDim };
    const scores = attend({ ...options, ...sizes, query, key: tensor, value: tensor, queryStart, returns: 'scores' });
    return { value: scores[rows - 1] as number, rounding: (headDim + 3) * FLOAT_ROUNDING * size };
  };
}
