import { requireChoice, requireEach, requireOptions } from '../check.js';
import type { Encoding } from '../encoding.js';
import { throwUnlessOk, type Engine } from '../engine.js';
import { requireApart, withHeap, type FloatTensor, type Into, type Tensor } from '../heap.js';
import { BIAS_SIZES, biasScore, requireBiasSizes, type BiasSizes, type HeadOptions } from '../relative-bias.js';
import { FLOAT_ROUNDING, type Contents, type ScoreAt } from '../score.js';

/** How the bias falls with the distance d: −p ln(1 + a d), or −a d^p. */
export type KerpleKind = 'log' | 'power';

export interface KerpleBiasOptions extends BiasSizes {
  kind: KerpleKind;
  /** `[heads]`, above 0. */
  a: Tensor;
  /** `[heads]`, above 0; at most 2 for `power`. */
  p: Tensor;
}

/** Which bias `verifyRelative` adds to the inner product of a query and a key. */
export interface KerpleScoreOptions extends HeadOptions, Pick<KerpleBiasOptions, 'kind' | 'a' | 'p'> {}

export interface Kerple {
  /**
   * The bias of KERPLE: a kernel of the distance |query − key| with two learned numbers per head, to be added to scaled
   * scores.
   *
   * Returns `[heads, queryLength, keyLength]`.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: 0.51 ulp of each float.
   * Source: Chi et al. 2022, arXiv:2205.09921.
   */
  kerpleBias<Out extends FloatTensor = Float32Array>(options: KerpleBiasOptions & Into<Out>): NoInfer<Out>;
}

export const kerpleEncoding: Encoding<Kerple, KerpleScoreOptions> = {
  title: { en: 'KERPLE', 'zh-Hans': 'KERPLE' },
  formula: String.raw`b_h(i, j) = -p_h \ln\left(1 + a_h |i - j|\right) \quad\text{or}\quad -a_h |i - j|^{p_h}`,
  parameters: ['kind', 'a', 'p', 'heads'],
  source: 'Chi et al. 2022, arXiv:2205.09921',
  functions: { kerpleBias },
  score,
};

const OPTIONS = ['kind', 'a', 'p', ...BIAS_SIZES, 'out'] as const satisfies readonly (
  keyof KerpleBiasOptions | 'out'
)[];

function kerpleBias(engine: Engine): Kerple['kerpleBias'] {
  const { wasm } = engine;
  const kinds = { log: wasm.KerpleKind.Log, power: wasm.KerpleKind.Power };
  return (options) => {
    requireOptions(options, OPTIONS);
    const kind = requireChoice(options.kind, 'kind', kinds);
    const { heads, queryLength, keyLength, queryStart, keyStart } = requireBiasSizes(options);
    requireApart(options.out, { a: options.a, p: options.p });
    return withHeap(engine, (heap) => {
      const a = heap.floats(options.a, 'a', { heads });
      requireEach(a.view(), 'a', 'finite numbers above 0', (value) => value > 0 && value < Infinity);
      const p = heap.floats(options.p, 'p', { heads });
      if (kind === kinds.log) {
        requireEach(p.view(), 'p', 'finite numbers above 0', (value) => value > 0 && value < Infinity);
      } else {
        requireEach(p.view(), 'p', 'numbers above 0 and at most 2', (value) => value > 0 && value <= 2);
      }
      const target = heap.floatTarget(options.out, { heads, queryLength, keyLength });
      const status = wasm.kerpleBias(target.handle, a, p, heads, queryLength, keyLength, queryStart, keyStart, kind);
      throwUnlessOk(engine, status, 'kerpleBias');
      return target.take();
    });
  };
}

const SCORE_OPTIONS = ['kind', 'a', 'p', 'heads', 'head'] as const satisfies readonly (keyof KerpleScoreOptions)[];

function score(engine: Engine, options: KerpleScoreOptions, contents: Contents): ScoreAt {
  requireOptions(options, SCORE_OPTIONS, 'encoding.kerple');
  const { head: _, ...bias } = options;
  const compute = kerpleBias(engine);
  return biasScore(
    contents,
    options,
    (place) => compute({ ...bias, ...place }),
    (bias) => 1.02 * FLOAT_ROUNDING * Math.abs(bias), // 0.51 ulp
  );
}
