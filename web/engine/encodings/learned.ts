import { additiveScore } from '../analysis/additive-score.js';
import {
  MAX_POSITION,
  requireCount,
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
import type { Projections } from '../analysis/projections.js';
import type { Contents, ScoreAt } from '../analysis/score.js';

export interface LearnedOptions {
  /** `[rows, dim]`: what the model learned. */
  table: Tensor;
  rows: number;
  dim: number;
  /** `[length]`, whole numbers from 0 on. */
  positions: ArrayLike<number>;
  /** Added to every position: 0 (default) for BERT and GPT-2, 2 for OPT and RoBERTa. */
  offset?: number;
}

/** What `verifyRelative` adds to a query and a key as wide as the table, and how it projects the sums. */
export interface LearnedScoreOptions extends Projections, Pick<LearnedOptions, 'table' | 'rows' | 'offset'> {}

export interface Learned {
  /**
   * The learned absolute encoding: row positions[r] + offset of a table. A position past the table is an error, since
   * such a model has no encoding for it.
   *
   * Returns `[length, dim]`.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Source: Devlin et al. 2018, arXiv:1810.04805; Radford et al. 2019 (GPT-2).
   */
  learned<Out extends FloatTensor = Float32Array>(options: LearnedOptions & Into<Out>): NoInfer<Out>;
}

export const learnedEncoding: EncodingDefinition<Learned, LearnedScoreOptions> = {
  title: { en: 'Learned table', 'zh-Hans': '学习到的位置表' },
  formula: String.raw`e(p) = T_{p + \text{offset}}`,
  parameters: ['table', 'rows', 'dim', 'offset'],
  source: 'Devlin et al. 2018, arXiv:1810.04805',
  functions: { learned },
  score: { options: { table: true, rows: true, offset: true, wq: true, wk: true }, at: score },
};

const OPTIONS: Names<LearnedOptions & Into<unknown>> = {
  table: true,
  rows: true,
  dim: true,
  positions: true,
  offset: true,
  out: true,
};

function learned(engine: Engine): Learned['learned'] {
  return (given) => {
    const options = requireOptions(given, OPTIONS);
    const rows = requireCount(options.rows, 'rows');
    const dim = requireCount(options.dim, 'dim');
    const offset = requireInteger(withDefault(options.offset, 0), 'offset', -MAX_POSITION, rows - 1);
    const length = requireSome(options.positions, 'positions');
    const first = Math.max(0, -offset);
    const positions = requireIntegers(options.positions, 'positions', { length }, first, rows - 1 - offset);
    requireApart(options.out, { table: options.table });
    return withHeap(engine, (heap) => {
      const target = heap.floatTarget(options.out, { length, dim });
      const table = heap.floats(options.table, 'table', { rows, dim });
      const status = engine.wasm.learned(target.handle, table, heap.doubles(positions, 'positions'), rows, dim, offset);
      throwUnlessOk(engine, status, 'learned');
      return target.take();
    });
  };
}

function score(engine: Engine, options: LearnedScoreOptions, contents: Contents): ScoreAt {
  requireCount(options.rows, 'rows');
  const { wq: _, wk: __, ...table } = options;
  const encode = learned(engine);
  const dim = contents.query.length;
  return additiveScore(engine, contents, options, (position) => ({
    values: encode({ ...table, dim, positions: [position] }),
    rounding: 0,
  }));
}
