import { QUERY_KEY_OPTIONS, type PlainAttentionOptions, type QueryKeyOptions } from '../attention/attention-options.js';
import { requireInteger, requireOptions, type Names } from '../../common/check.js';
import type { EncodingDefinition } from './definition.js';
import type { Engine } from '../runtime/engine.js';
import { copyOfTensor, type FloatTensor, type Into, type Tensor } from '../runtime/heap.js';
import { relativeScore, type RelativeAttention, type RelativeTerm, type ScoreCall } from '../attention/score-term.js';
import { columnSizes, FLOAT_ROUNDING, sizeOfProduct, type Contents, type ScoreAt } from '../analysis/score.js';
import type { RelativeSlot } from '../runtime/glue.js';

/** The relative vectors of a model. */
export interface ShawTables {
  /** `[2 clip + 1, headDim]`, shared by the heads: row key − query + clip is added to the key. */
  keyTable: Tensor;
  /** `[2 clip + 1, valueDim]`: the same for the value. Without it values stay as they are. */
  valueTable?: Tensor | undefined;
  /** Keys further away than this, on either side, share the row of this distance. */
  clip: number;
}

/** Query, key, value, sizes and `returns` are those of `attention`. */
export interface ShawAttentionOptions
  extends
    QueryKeyOptions,
    Pick<PlainAttentionOptions, 'value' | 'valueDim' | 'queryStart' | 'causal' | 'returns'>,
    ShawTables {}

/** Which relative vectors `verifyRelative` adds: the options of `shawAttention`. */
export type ShawScoreOptions = Pick<ShawAttentionOptions, 'keyTable' | 'clip'>;

export interface Shaw {
  /**
   * Attention with relative position representations: the score of a query and a key is
   * query · (key + keyTable[row]) / √headDim, and the output sums weight × (value + valueTable[row]), where row is
   * key − query clipped to ±clip, plus clip. A row without a key to attend to is zero.
   *
   * Returns what `returns` says, as `attention` does, which takes the tables as `relative: { shaw }`.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: as `attention`.
   * Source: Shaw, Uszkoreit and Vaswani 2018, arXiv:1803.02155, section 3.
   */
  shawAttention<Out extends FloatTensor = Float32Array>(options: ShawAttentionOptions & Into<Out>): NoInfer<Out>;
}

const shawTerm: RelativeTerm<ShawTables> = {
  name: 'shaw',
  options: { keyTable: true, valueTable: true, clip: true },
  add: addTables,
};

export const shawEncoding: EncodingDefinition<Shaw, ShawScoreOptions, never, { shaw: ShawTables }> = {
  title: { en: 'Relative vectors (Shaw)', 'zh-Hans': '相对位置向量（Shaw）' },
  formula: String.raw`s_{ij} = \frac{q_i \cdot (k_j + a^K_{j - i})}{\sqrt d}, \quad o_i = \sum_j w_{ij} (v_j + a^V_{j - i})`,
  parameters: ['keyTable', 'valueTable', 'clip'],
  source: 'Shaw et al. 2018, arXiv:1803.02155, section 3',
  functions: { shawAttention },
  score: { options: { keyTable: true, clip: true }, at: score },
  relative: shawTerm,
};

const OPTIONS: Names<ShawAttentionOptions & Into<unknown>> = {
  ...QUERY_KEY_OPTIONS,
  value: true,
  valueDim: true,
  keyTable: true,
  valueTable: true,
  clip: true,
  queryStart: true,
  causal: true,
  returns: true,
  out: true,
};

const MAX_CLIP = 2 ** 30 - 1;

function shawAttention(_: Engine, attend: RelativeAttention): Shaw['shawAttention'] {
  return (given) => {
    const options = requireOptions(given, OPTIONS);
    const { keyTable, valueTable, clip, ...rest } = options;
    return attend(rest, shawTerm, { keyTable, valueTable, clip });
  };
}

function addTables({ keyTable, valueTable, clip }: ShawTables, call: ScoreCall, prefix: string): RelativeSlot {
  const { engine, heap, sizes } = call;
  const rows = 2 * requireInteger(clip, `${prefix}clip`, 0, MAX_CLIP) + 1;
  const { headDim, valueDim } = sizes;
  const keys = call.floats(keyTable, `${prefix}keyTable`, { '2 clip + 1': rows, headDim });
  const values =
    valueTable === undefined
      ? engine.none.floats
      : call.floats(valueTable, `${prefix}valueTable`, { '2 clip + 1': rows, valueDim });
  const slot = heap.own(new engine.wasm.RelativeSlot());
  engine.wasm.shawTerm(slot, keys, values, clip);
  return slot;
}

function score(
  engine: Engine,
  options: ShawScoreOptions,
  { query, key }: Contents,
  attend: RelativeAttention,
): ScoreAt {
  const headDim = query.length;
  const relative = columnSizes(copyOfTensor(engine, options.keyTable, 'keyTable'), headDim);
  const size = (sizeOfProduct(query, key) + sizeOfProduct(query, relative)) / Math.sqrt(headDim);
  return relativeScore(attend, shawTerm, options, { query, key }, (headDim + 3) * FLOAT_ROUNDING * size);
}
