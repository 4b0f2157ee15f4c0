import { MAX_FLOAT, requireChoice, requireEach, requireOptions, type Names } from '../../common/check.js';
import type { Rule } from '../../phrases/errors/en.js';
import type { EncodingDefinition } from './definition.js';
import type { Engine } from '../runtime/engine.js';
import { requireApart, type FloatTensor, type Into, type Tensor } from '../runtime/heap.js';
import { BIAS_SIZES, biasScore, fillBias, type BiasSizes, type HeadOptions } from '../attention/relative-bias.js';
import type { FillBias, ScoreCall } from '../attention/score-term.js';
import { FLOAT_ROUNDING, type Contents, type ScoreAt } from '../analysis/score.js';
import type { BiasSlot, HeapFloats } from '../runtime/glue.js';

/** How the bias falls with the distance d: −p ln(1 + a d), or −a d^p. */
export type KerpleKind = 'log' | 'power';

/** What a model learned. */
export interface KerpleParameters {
  kind: KerpleKind;
  /** `[heads]`, above 0. */
  a: Tensor;
  /** `[heads]`, above 0; at most 2 for `power`. */
  p: Tensor;
}

export interface KerpleBiasOptions extends BiasSizes, KerpleParameters {}

/** Which bias `verifyRelative` adds to the inner product of a query and a key. */
export interface KerpleScoreOptions extends HeadOptions, KerpleParameters {}

/** The bias of KERPLE inside `attention`, whose memory does not grow with queryLength × keyLength. */
export interface KerpleTerm {
  kerple: KerpleParameters;
}

export interface Kerple {
  /**
   * The bias of KERPLE: a kernel of the distance |query − key| with two learned numbers per head, to be added to scaled
   * scores. `attention` takes it as `bias: { kerple }` as well.
   *
   * Returns `[heads, queryLength, keyLength]`.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: 0.51 ulp of each float.
   * Source: Chi et al. 2022, arXiv:2205.09921.
   */
  kerpleBias<Out extends FloatTensor = Float32Array>(options: KerpleBiasOptions & Into<Out>): NoInfer<Out>;
}

const PARAMETERS: Names<KerpleParameters> = { kind: true, a: true, p: true };

export const kerpleEncoding: EncodingDefinition<Kerple, KerpleScoreOptions, KerpleTerm> = {
  title: { en: 'KERPLE', 'zh-Hans': 'KERPLE' },
  formula: String.raw`b_h(i, j) = -p_h \ln\left(1 + a_h |i - j|\right) \quad\text{or}\quad -a_h |i - j|^{p_h}`,
  parameters: ['kind', 'a', 'p', 'heads'],
  source: 'Chi et al. 2022, arXiv:2205.09921',
  functions: { kerpleBias },
  score: { options: { ...PARAMETERS, heads: true, head: true }, at: score },
  bias: { name: 'kerple', options: { kerple: true }, add: addBias },
};

const OPTIONS: Names<KerpleBiasOptions & Into<unknown>> = { ...PARAMETERS, ...BIAS_SIZES, out: true };

function kerpleBias(engine: Engine): Kerple['kerpleBias'] {
  return (given) => {
    const options = requireOptions(given, OPTIONS);
    return fillBias(engine, options, 'kerpleBias', ({ heap, heads }) => {
      requireApart(options.out, { a: options.a, p: options.p });
      return fillOf(engine, options, '', (tensor, argument) => heap.floats(tensor, argument, { heads }));
    });
  };
}

function addBias({ kerple: given }: KerpleTerm, call: ScoreCall): BiasSlot {
  const kerple = requireOptions(given, PARAMETERS, 'bias.kerple');
  const { heads } = call.sizes;
  const take = (tensor: Tensor, argument: string) => call.floats(tensor, argument, { heads });
  return call.distanceBias(fillOf(call.engine, kerple, 'bias.kerple.', take));
}

function fillOf(
  { wasm }: Engine,
  options: KerpleParameters,
  prefix: string,
  take: (tensor: Tensor, argument: string) => HeapFloats,
): FillBias {
  const kinds = { log: wasm.KerpleKind.Log, power: wasm.KerpleKind.Power };
  const kind = requireChoice(options.kind, `${prefix}kind`, kinds);
  const a = take(options.a, `${prefix}a`);
  requireEach(a.view(), `${prefix}a`, { kind: 'positives' }, (value) => value > 0 && value < Infinity);
  const p = take(options.p, `${prefix}p`);
  const most = kind === kinds.log ? MAX_FLOAT : 2;
  const rule: Rule = kind === kinds.log ? { kind: 'positives' } : { kind: 'powers', most };
  requireEach(p.view(), `${prefix}p`, rule, (value) => value > 0 && value <= most);
  return (values, ...shape) => wasm.kerpleBias(values, a, p, ...shape, kind);
}

function score(engine: Engine, options: KerpleScoreOptions, contents: Contents): ScoreAt {
  const { head: _, ...bias } = options;
  const compute = kerpleBias(engine);
  return biasScore(
    contents,
    options,
    (place) => compute({ ...bias, ...place }),
    (bias) => 1.02 * FLOAT_ROUNDING * Math.abs(bias), // 0.51 ulp
  );
}
