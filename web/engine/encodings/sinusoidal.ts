import { additiveScore } from '../analysis/additive-score.js';
import { requireCount, requireOptions, requirePosition, type Names } from '../../common/check.js';
import { requireColumnOrder, type ColumnOrder } from '../positions/column-order.js';
import type { EncodingDefinition } from './definition.js';
import { throwUnlessOk, type Engine } from '../runtime/engine.js';
import { sinusoidalSeries, type Spacing } from '../../rotary/frequencies.js';
import { withHeap, type FloatTensor, type Into } from '../runtime/heap.js';
import { requireRowPositions, type PositionOptions, type Positions } from '../positions/positions.js';
import type { Projections } from '../analysis/projections.js';
import { FLOAT_ROUNDING, type Contents, type ScoreAt } from '../analysis/score.js';

export interface SinusoidalOptions extends PositionOptions {
  /** Rows: how many positions. */
  length: number;
  /** Columns. An odd number has one sine more than cosines, or with spacing `t2t` ends in a column of zeros. */
  dim: number;
  /** 10000 by default. */
  base?: number;
  /** `interleaved` by default. */
  order?: ColumnOrder;
  /** `paper` by default. */
  spacing?: Spacing;
  /** A position whose rows are zeros, as fairseq keeps for padding: see `tokenPositions`. */
  paddingIndex?: number;
}

/** What `verifyRelative` adds to a query and a key as wide as it, and how it projects the sums. */
export interface SinusoidalScoreOptions
  extends Projections, Omit<SinusoidalOptions, 'length' | 'dim' | 'start' | 'positions'> {}

export interface Sinusoidal {
  /**
   * The sinusoidal position encoding of Vaswani et al.: sines and cosines of position × frequency.
   *
   * Returns `[length, dim]`.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: 0.51 ulp of each float at every position up to 2^31, for the frequencies of `sinusoidalFrequencies`.
   * Source: arXiv:1706.03762, section 3.5; spacing `t2t`: tensor2tensor `get_timing_signal_1d`.
   */
  sinusoidal<Out extends FloatTensor = Float32Array>(options: SinusoidalOptions & Into<Out>): NoInfer<Out>;
}

export const sinusoidalEncoding: EncodingDefinition<Sinusoidal, SinusoidalScoreOptions> = {
  title: { en: 'Sinusoidal encoding', 'zh-Hans': '正弦编码' },
  formula: String.raw`e(p)_{2i} = \sin\left(p \, b^{-2i/d}\right), \quad e(p)_{2i+1} = \cos\left(p \, b^{-2i/d}\right)`,
  parameters: ['dim', 'base', 'order', 'spacing', 'paddingIndex'],
  source: 'Vaswani et al. 2017, arXiv:1706.03762, section 3.5',
  functions: { sinusoidal },
  score: {
    options: { base: true, order: true, spacing: true, paddingIndex: true, wq: true, wk: true },
    at: score,
  },
};

const OPTIONS: Names<SinusoidalOptions & Into<unknown>> = {
  length: true,
  dim: true,
  base: true,
  start: true,
  positions: true,
  order: true,
  spacing: true,
  paddingIndex: true,
  out: true,
};

function sinusoidal(engine: Engine): Sinusoidal['sinusoidal'] {
  return (given) => {
    const options = requireOptions(given, OPTIONS);
    const length = requireCount(options.length, 'length');
    const dim = requireCount(options.dim, 'dim');
    const order = requireColumnOrder(engine, options.order);
    const rows = requireRowPositions(options, length);
    const { start, values } = rows;
    const padding =
      options.paddingIndex === undefined ? undefined : requirePosition(options.paddingIndex, 'paddingIndex');
    return withHeap(engine, (heap) => {
      const target = heap.floatTarget(options.out, { length, dim });
      const invFreq = heap.doubles(sinusoidalSeries(dim, options.base, options.spacing), 'dim');
      const positions = values === undefined ? engine.none.doubles : heap.doubles(values, 'positions');
      const status = engine.wasm.sinusoidal(target.handle, invFreq, length, start, positions, dim, order);
      throwUnlessOk(engine, status, 'sinusoidal');
      if (padding !== undefined) clearRows(target.handle.view(), { length, dim }, rows, padding);
      return target.take();
    });
  };
}

/** Zeroes the rows of a position. */
function clearRows(
  table: Float32Array,
  { length, dim }: Readonly<Record<'length' | 'dim', number>>,
  { start, values }: Positions,
  position: number,
): void {
  for (let row = 0; row < length; ++row) {
    if ((values?.[row] ?? start + row) === position) table.fill(0, row * dim, (row + 1) * dim);
  }
}

function score(engine: Engine, options: SinusoidalScoreOptions, contents: Contents): ScoreAt {
  const { wq: _, wk: __, ...layout } = options;
  const encode = sinusoidal(engine);
  const dim = contents.query.length;
  return additiveScore(engine, contents, options, (position) => ({
    values: encode({ ...layout, length: 1, dim, start: position }),
    rounding: 1.02 * FLOAT_ROUNDING, // 0.51 ulp of a number up to 1
  }));
}
