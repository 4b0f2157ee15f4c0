import { additiveScore } from '../analysis/additive-score.js';
import { requireCount, requireIntegers, requireOptions, requireSome, type Names } from '../../common/check.js';
import type { EncodingDefinition } from './definition.js';
import { throwUnlessOk, type Engine } from '../runtime/engine.js';
import { withHeap, type FloatTensor, type Into } from '../runtime/heap.js';
import type { Projections } from '../analysis/projections.js';
import { requireWidth, type Contents, type ScoreAt } from '../analysis/score.js';

export interface OneHotOptions {
  /** `[length]`, whole numbers from 0 to maxLength − 1. */
  positions: ArrayLike<number>;
  /** Columns: how many positions there are. */
  maxLength: number;
}

/** What `verifyRelative` adds to a query and a key with a channel for every position, and how it projects the sums. */
export interface OneHotScoreOptions extends Projections, Pick<OneHotOptions, 'maxLength'> {}

export interface OneHot {
  /**
   * One-hot positions: row r is 1 in column positions[r] and 0 elsewhere. Two rows have inner product 1 where their
   * positions are equal and 0 otherwise, so there is no notion of distance.
   *
   * Returns `[length, maxLength]`.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   */
  oneHot<Out extends FloatTensor = Float32Array>(options: OneHotOptions & Into<Out>): NoInfer<Out>;
}

export const oneHotEncoding: EncodingDefinition<OneHot, OneHotScoreOptions> = {
  title: { en: 'One-hot position', 'zh-Hans': '独热编码（one-hot）' },
  formula: String.raw`e(p)_c = \begin{cases} 1 & c = p \\ 0 & c \ne p \end{cases}`,
  parameters: ['positions', 'maxLength'],
  source: 'the obvious baseline',
  functions: { oneHot },
  score: { options: { maxLength: true, wq: true, wk: true }, at: score },
};

const OPTIONS: Names<OneHotOptions & Into<unknown>> = { positions: true, maxLength: true, out: true };

function oneHot(engine: Engine): OneHot['oneHot'] {
  return (given) => {
    const options = requireOptions(given, OPTIONS);
    const maxLength = requireCount(options.maxLength, 'maxLength');
    const length = requireSome(options.positions, 'positions');
    const positions = requireIntegers(options.positions, 'positions', { length }, 0, maxLength - 1);
    return withHeap(engine, (heap) => {
      const target = heap.floatTarget(options.out, { length, maxLength });
      throwUnlessOk(
        engine,
        engine.wasm.oneHot(target.handle, heap.doubles(positions, 'positions'), maxLength),
        'oneHot',
      );
      return target.take();
    });
  };
}

function score(engine: Engine, options: OneHotScoreOptions, contents: Contents): ScoreAt {
  const { maxLength } = options;
  requireWidth(contents, { maxLength: requireCount(maxLength, 'maxLength') });
  const encode = oneHot(engine);
  return additiveScore(engine, contents, options, (position) => ({
    values: encode({ maxLength, positions: [position] }),
    rounding: 0,
  }));
}
