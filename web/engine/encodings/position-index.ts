import { additiveScore } from '../analysis/additive-score.js';
import {
  requireChoice,
  requireCount,
  requireInteger,
  requireOptions,
  withDefault,
  type Names,
} from '../../common/check.js';
import type { EncodingDefinition } from './definition.js';
import { throwUnlessOk, type Engine } from '../runtime/engine.js';
import { withHeap, type FloatTensor, type Into } from '../runtime/heap.js';
import type { Projections } from '../analysis/projections.js';
import { FLOAT_ROUNDING, type Contents, type ScoreAt } from '../analysis/score.js';

export interface IndexEncodingOptions {
  /** How many positions. */
  length: number;
  /** `integer` (default): 0, 1, 2, …; `unit`: p / (length − 1), from 0 to 1; `fraction`: p / length. */
  mode?: 'integer' | 'unit' | 'fraction';
}

/** What `verifyRelative` adds to every channel of a query and a key, and how it projects the sums. */
export interface IndexScoreOptions extends Projections, IndexEncodingOptions {}

export interface IndexEncoding {
  /**
   * The position itself, one number per token. `integer` grows without bound; `unit` and `fraction` give a token another
   * code in a longer text.
   *
   * Returns `[length]`.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: correctly rounded; `integer` is exact up to 2^24.
   */
  indexEncoding<Out extends FloatTensor = Float32Array>(options: IndexEncodingOptions & Into<Out>): NoInfer<Out>;
}

export const indexEncoding: EncodingDefinition<IndexEncoding, IndexScoreOptions> = {
  title: { en: 'Position index', 'zh-Hans': '位置编号' },
  formula: String.raw`e(p) = p \quad\text{or}\quad \frac{p}{L - 1} \quad\text{or}\quad \frac{p}{L}`,
  parameters: ['length', 'mode'],
  source: 'the obvious baseline',
  functions: { indexEncoding: positionIndex },
  score: { options: { length: true, mode: true, wq: true, wk: true }, at: score },
};

const OPTIONS: Names<IndexEncodingOptions & Into<unknown>> = { length: true, mode: true, out: true };

function positionIndex(engine: Engine): IndexEncoding['indexEncoding'] {
  const { IndexMode } = engine.wasm;
  const modes = { integer: IndexMode.Integer, unit: IndexMode.Unit, fraction: IndexMode.Fraction };
  return (given) => {
    const options = requireOptions(given, OPTIONS);
    const length = requireCount(options.length, 'length');
    const mode = requireChoice(withDefault(options.mode, 'integer'), 'mode', modes);
    return withHeap(engine, (heap) => {
      const target = heap.floatTarget(options.out, { length });
      throwUnlessOk(engine, engine.wasm.indexEncoding(target.handle, mode), 'indexEncoding');
      return target.take();
    });
  };
}

function score(engine: Engine, options: IndexScoreOptions, contents: Contents): ScoreAt {
  const { length, mode } = options;
  const codes = positionIndex(engine)(mode === undefined ? { length } : { length, mode });
  const dim = contents.query.length;
  return additiveScore(engine, contents, options, (position) => {
    const code = codes[requireInteger(position, 'shifts', 0, length - 1)] as number;
    return { values: new Float64Array(dim).fill(code), rounding: FLOAT_ROUNDING * code };
  });
}
