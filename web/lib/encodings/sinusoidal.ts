import { additiveScore } from '../additive-score.js';
import { requireChoice, requireCount, requireOptions, withDefault } from '../check.js';
import type { Encoding } from '../encoding.js';
import { throwUnlessOk, type Engine } from '../engine.js';
import { sinusoidalSeries, type Spacing } from '../frequencies.js';
import { withHeap, type FloatTensor, type Into } from '../heap.js';
import { requireRowPositions, type PositionOptions } from '../positions.js';
import type { Projections } from '../projections.js';
import { FLOAT_ROUNDING, type Contents, type ScoreAt } from '../score.js';

export interface SinusoidalOptions extends PositionOptions {
  /** Rows: how many positions. */
  length: number;
  /** Columns. An odd one ends in a lone sine, or with spacing `t2t` in a column of zeros. */
  dim: number;
  /** 10000 by default. */
  base?: number;
  /** Columns sin, cos, sin, cos, … (`interleaved`, the default) or all sines, then all cosines (`concat`). */
  order?: 'interleaved' | 'concat';
  /** `paper` by default. */
  spacing?: Spacing;
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

export const sinusoidalEncoding: Encoding<Sinusoidal, SinusoidalScoreOptions> = {
  title: { en: 'Sinusoidal encoding', 'zh-Hans': '正弦编码' },
  formula: String.raw`e(p)_{2i} = \sin\left(p \, b^{-2i/d}\right), \quad e(p)_{2i+1} = \cos\left(p \, b^{-2i/d}\right)`,
  parameters: ['dim', 'base', 'order', 'spacing'],
  source: 'Vaswani et al. 2017, arXiv:1706.03762, section 3.5',
  functions: { sinusoidal },
  score,
};

const OPTIONS = ['length', 'dim', 'base', 'start', 'positions', 'order', 'spacing', 'out'] as const satisfies readonly (
  keyof SinusoidalOptions | 'out'
)[];

function sinusoidal(engine: Engine): Sinusoidal['sinusoidal'] {
  const { AngleLayout } = engine.wasm;
  const orders = { interleaved: AngleLayout.SinCosInterleaved, concat: AngleLayout.SinThenCos };
  return (options) => {
    requireOptions(options, OPTIONS);
    const length = requireCount(options.length, 'length');
    const dim = requireCount(options.dim, 'dim');
    const order = requireChoice(withDefault(options.order, 'interleaved'), 'order', orders);
    const { start, values } = requireRowPositions(options, length);
    return withHeap(engine, (heap) => {
      const target = heap.floatTarget(options.out, { length, dim });
      const invFreq = heap.doubles(sinusoidalSeries(dim, options.base, options.spacing), 'dim');
      const positions = values === undefined ? engine.none.doubles : heap.doubles(values, 'positions');
      const status = engine.wasm.sinusoidal(target.handle, invFreq, length, start, positions, dim, order);
      throwUnlessOk(engine, status, 'sinusoidal');
      return target.take();
    });
  };
}

/** What the contents and the shifts decide. */
const PLACE_OPTIONS: readonly string[] = ['length', 'dim', 'start', 'positions', 'out'];

function score(engine: Engine, options: SinusoidalScoreOptions, contents: Contents): ScoreAt {
  const known = OPTIONS.filter((name) => !PLACE_OPTIONS.includes(name));
  requireOptions(options, [...known, 'wq', 'wk'], 'encoding.sinusoidal');
  const { wq: _, wk: __, ...layout } = options;
  const encode = sinusoidal(engine);
  const dim = contents.query.length;
  return additiveScore(engine, contents, options, (position) => ({
    values: encode({ ...layout, length: 1, dim, start: position }),
    rounding: 1.02 * FLOAT_ROUNDING, // 0.51 ulp of a number up to 1
  }));
}
