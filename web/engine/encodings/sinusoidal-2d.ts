import { additiveScore } from '../analysis/additive-score.js';
import {
  requireChoice,
  requireCoordinates,
  requireCount,
  requireOptions,
  requireSome,
  withDefault,
  type Names,
} from '../../common/check.js';
import { requireColumnOrder, type ColumnOrder } from '../positions/column-order.js';
import type { EncodingDefinition } from './definition.js';
import { throwUnlessOk, type Engine } from '../runtime/engine.js';
import { badArgument } from '../../common/errors.js';
import { sinusoidalSeries, type Spacing } from '../../rotary/frequencies.js';
import { withHeap, type FloatTensor, type Into } from '../runtime/heap.js';
import type { Projections } from '../analysis/projections.js';
import { FLOAT_ROUNDING, type Contents, type ScoreAt } from '../analysis/score.js';

export interface Sinusoidal2dOptions {
  /** The row of each point, `[length]`: numbers from −2^31 to 2^31, whole or not. `gridCoordinates` gives those of DETR. */
  rows: ArrayLike<number>;
  /** The column of each point, likewise. */
  columns: ArrayLike<number>;
  /** Columns of the result, a multiple of 4: half of them for either coordinate. */
  dim: number;
  /** 10000 by default. */
  base?: number;
  /** Of either half; `interleaved` by default. */
  order?: ColumnOrder;
  /** `paper` by default: the frequencies are those of an encoding of dim / 2 columns. */
  spacing?: Spacing;
  /** The coordinate in the first half: `rows` (default, DETR) or `columns` (MAE). */
  first?: 'rows' | 'columns';
}

/**
 * What `verifyRelative` adds to a query and a key as wide as it, whose row and column are equal, and how it projects the
 * sums.
 */
export interface Sinusoidal2dScoreOptions extends Projections, Omit<Sinusoidal2dOptions, 'rows' | 'columns' | 'dim'> {}

export interface Sinusoidal2d {
  /**
   * The sinusoidal encoding of points in a plane: that of one coordinate in the first half of the columns, that of the other
   * in the second half.
   *
   * Returns `[length, dim]`.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: 0.51 ulp of each float, or 2^-96 where that is more, for the frequencies of `sinusoidalFrequencies`.
   * Source: Carion et al. 2020 (DETR), arXiv:2005.12872; He et al. 2021 (MAE), arXiv:2111.06377.
   */
  sinusoidal2d<Out extends FloatTensor = Float32Array>(options: Sinusoidal2dOptions & Into<Out>): NoInfer<Out>;
}

export const sinusoidal2dEncoding: EncodingDefinition<Sinusoidal2d, Sinusoidal2dScoreOptions> = {
  title: { en: 'Two-dimensional sinusoidal encoding', 'zh-Hans': '二维正弦编码' },
  formula: String.raw`e(y, x) = \left[\, e_{d/2}(y), \; e_{d/2}(x) \,\right]`,
  parameters: ['dim', 'base', 'order', 'spacing', 'first'],
  source: 'Carion et al. 2020 (DETR), arXiv:2005.12872; He et al. 2021 (MAE), arXiv:2111.06377',
  functions: { sinusoidal2d },
  score: { options: { base: true, order: true, spacing: true, first: true, wq: true, wk: true }, at: score },
};

const OPTIONS: Names<Sinusoidal2dOptions & Into<unknown>> = {
  rows: true,
  columns: true,
  dim: true,
  base: true,
  order: true,
  spacing: true,
  first: true,
  out: true,
};

function sinusoidal2d(engine: Engine): Sinusoidal2d['sinusoidal2d'] {
  return (given) => {
    const options = requireOptions(given, OPTIONS);
    const length = requireSome(options.rows, 'rows');
    const rows = requireCoordinates(options.rows, 'rows', { length });
    const columns = requireCoordinates(options.columns, 'columns', { length });
    const dim = requireCount(options.dim, 'dim');
    requireFours(dim, 'dim');
    const order = requireColumnOrder(engine, options.order);
    const [first, second] = requireChoice(withDefault(options.first, 'rows'), 'first', {
      rows: [rows, columns],
      columns: [columns, rows],
    } as const);
    return withHeap(engine, (heap) => {
      const target = heap.floatTarget(options.out, { length, dim });
      const status = engine.wasm.sinusoidal2d(
        target.handle,
        heap.doubles(sinusoidalSeries(dim / 2, options.base, options.spacing), 'dim'),
        heap.doubles(first, 'rows'),
        heap.doubles(second, 'columns'),
        order,
      );
      throwUnlessOk(engine, status, 'sinusoidal2d');
      return target.take();
    });
  };
}

/** Refuses a width that has no sine and cosine of two coordinates each. */
function requireFours(dim: number, argument: string): void {
  if (dim % 4 !== 0) throw badArgument(argument, { kind: 'two-coordinates' }, dim);
}

function score(engine: Engine, options: Sinusoidal2dScoreOptions, contents: Contents): ScoreAt {
  const { wq: _, wk: __, ...layout } = options;
  const encode = sinusoidal2d(engine);
  const dim = contents.query.length;
  requireFours(dim, 'query');
  return additiveScore(engine, contents, options, (position) => ({
    values: encode({ ...layout, dim, rows: [position], columns: [position] }),
    rounding: 1.02 * FLOAT_ROUNDING, // 0.51 ulp of a number up to 1
  }));
}
