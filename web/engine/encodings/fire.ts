import { requireEach, requireOptions, withDefault, type Sizes, type Names, namesOf } from '../../common/check.js';
import type { EncodingDefinition } from './definition.js';
import { throwUnlessOk, type Engine } from '../runtime/engine.js';
import { badArgument } from '../../common/errors.js';
import {
  copyOfTensor,
  requireApart,
  requireTensorLength,
  type FloatTensor,
  type Into,
  type Tensor,
} from '../runtime/heap.js';
import {
  BIAS_SIZES,
  biasScore,
  fillBias,
  type BiasSizes,
  type HeadOptions,
  type OneKey,
} from '../attention/relative-bias.js';
import type { FillBias, ScoreCall } from '../attention/score-term.js';
import { FLOAT_ROUNDING, type Contents, type ScoreAt } from '../analysis/score.js';
import type { BiasSlot, HeapFloats } from '../runtime/glue.js';

/** What a model learned. */
export interface FireParameters {
  /** `[width]`: the network, from one number to `width` rectified units to one bias per head. */
  w1: Tensor;
  /** `[width]` */
  b1: Tensor;
  /** `[heads, width]` */
  w2: Tensor;
  /** `[heads]` */
  b2: Tensor;
  /** Steepness of the logarithm, from −1e100 to 1e100; its sign does not count. */
  c: number;
  /** The position up to which only the distance counts, from −1e100 to 1e100; its sign does not count. */
  threshold: number;
  /** Added to the denominator, 1e-30 to 1e100. 1e-6 by default. */
  epsilon?: number;
}

export interface FireBiasOptions extends BiasSizes, FireParameters {}

/** Which bias `verifyRelative` adds to the inner product of a query and a key. */
export interface FireScoreOptions extends HeadOptions, FireParameters {}

/**
 * The bias of FIRE inside `attention`, whose memory does not grow with queryLength × keyLength. Where a query is past the
 * threshold, the network runs for every query and key.
 */
export interface FireTerm {
  fire: FireParameters;
}

export interface Fire {
  /**
   * The bias of FIRE: a small network of ψ(i − j) / (ψ(max(i, |threshold|)) + epsilon) with ψ(x) = ln(1 + |c x|), for a
   * query at i and a key at j; to be added to scaled scores of causal attention. Up to the threshold it depends on the
   * distance only, past it on the query as well. Keys after the query get the bias of their distance, too.
   * `attention` takes it as `bias: { fire }` as well.
   *
   * Returns `[heads, queryLength, keyLength]`.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: (width + 6) × 2^-24 of the sum of the sizes of all terms.
   * Source: Li et al. 2023, arXiv:2310.04418.
   */
  fireBias<Out extends FloatTensor = Float32Array>(options: FireBiasOptions & Into<Out>): NoInfer<Out>;
}

const NETWORK = { w1: true, b1: true, w2: true, b2: true } satisfies Partial<Names<FireParameters>>;

const PARAMETERS: Names<FireParameters> = { ...NETWORK, c: true, threshold: true, epsilon: true };

export const fireEncoding: EncodingDefinition<Fire, FireScoreOptions, FireTerm> = {
  title: { en: 'FIRE', 'zh-Hans': 'FIRE' },
  formula: String.raw`b_h(i, j) = f_h\left(\frac{\psi(i - j)}{\psi(\max(i, |L|)) + \epsilon}\right), \quad \psi(x) = \ln(1 + |c x|)`,
  parameters: ['w1', 'b1', 'w2', 'b2', 'heads', 'c', 'threshold', 'epsilon'],
  source: 'Li et al. 2023, arXiv:2310.04418',
  functions: { fireBias },
  score: { options: { ...PARAMETERS, heads: true, head: true }, at: score },
  bias: { name: 'fire', options: { fire: true }, add: addBias },
};

const OPTIONS: Names<FireBiasOptions & Into<unknown>> = { ...PARAMETERS, ...BIAS_SIZES, out: true };

const LARGEST = 1e100;
const LEAST_EPSILON = 1e-30;
const EPSILON = 1e-6;

function fireBias(engine: Engine): Fire['fireBias'] {
  return (given) => {
    const options = requireOptions(given, OPTIONS);
    return fillBias(engine, options, 'fireBias', ({ heap, heads }) => {
      const { w1, b1, w2, b2, out } = options;
      requireApart(out, { w1, b1, w2, b2 });
      const { network, scale } = requireFire(options, heads, '', (...tensor) => heap.floats(...tensor));
      return fillOf(engine, network, scale);
    });
  };
}

function addBias({ fire: given }: FireTerm, call: ScoreCall): BiasSlot {
  const fire = requireOptions(given, PARAMETERS, 'bias.fire');
  const { engine, heap, sizes, keyStart, greatestDistance, distances } = call;
  const take: TakeFloats = (...tensor) => call.floats(...tensor);
  const { network, scale } = requireFire(fire, sizes.heads, 'bias.fire.', take);
  const [, threshold] = scale;
  if (keyStart + greatestDistance <= Math.abs(threshold)) return call.distanceBias(fillOf(engine, network, scale));
  const slot = heap.own(new engine.wasm.BiasSlot());
  const numerators = heap.newFloats({ distances });
  const status = engine.wasm.fireTerm(slot, ...network, ...scale, numerators, greatestDistance);
  throwUnlessOk(engine, status, 'attention');
  return slot;
}

type Network = readonly [w1: HeapFloats, b1: HeapFloats, w2: HeapFloats, b2: HeapFloats];
type Scale = readonly [c: number, threshold: number, epsilon: number];
type TakeFloats = (tensor: Tensor, argument: string, sizes: Sizes) => HeapFloats;

function requireFire(
  options: FireParameters,
  heads: number,
  prefix: string,
  take: TakeFloats,
): { network: Network; scale: Scale } {
  const scale = [
    requireWithin(options.c, `${prefix}c`, -LARGEST, LARGEST),
    requireWithin(options.threshold, `${prefix}threshold`, -LARGEST, LARGEST),
    requireWithin(withDefault(options.epsilon, EPSILON), `${prefix}epsilon`, LEAST_EPSILON, LARGEST),
  ] as const;
  const { w1, b1, w2, b2 } = options;
  const width = requireTensorLength(w1, `${prefix}w1`);
  if (width === 0) throw badArgument(`${prefix}w1`, { kind: 'some', what: 'number' }, w1);
  const finite = (tensor: Tensor, name: string, sizes: Sizes) => {
    const argument = prefix + name;
    const handle = take(tensor, argument, sizes);
    requireEach(handle.view(), argument, { kind: 'finites' }, Number.isFinite);
    return handle;
  };
  const network = [
    finite(w1, 'w1', { width }),
    finite(b1, 'b1', { width }),
    finite(w2, 'w2', { heads, width }),
    finite(b2, 'b2', { heads }),
  ] as const;
  return { network, scale };
}

function fillOf({ wasm }: Engine, network: Network, scale: Scale): FillBias {
  return (values, ...shape) => wasm.fireBias(values, ...network, ...scale, ...shape);
}

function requireWithin(value: unknown, argument: string, least: number, most: number): number {
  if (typeof value !== 'number' || !(value >= least && value <= most)) {
    throw badArgument(argument, { kind: 'between', least, most }, value);
  }
  return value;
}

function score(engine: Engine, options: FireScoreOptions, contents: Contents): ScoreAt {
  const { head: _, ...bias } = options;
  const compute = fireBias(engine);
  const [w1, b1, w2, b2] = namesOf(NETWORK).map((name) => copyOfTensor(engine, options[name], name).map(Math.abs)) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const { c, threshold, epsilon = EPSILON } = options;
  const psi = (x: number) => Math.log1p(Math.abs(c * x));
  const width = w1.length;
  // The error bound of fireBias: (width + 6) × 2^-24 of the terms, all taken as positive.
  const rounding = (_bias: number, { queryStart, keyStart }: OneKey, head: number): number => {
    const input = psi(queryStart - keyStart) / (psi(Math.max(queryStart, Math.abs(threshold))) + epsilon);
    const unit = (k: number) => (w1[k] as number) * input + (b1[k] as number);
    const size = w1.reduce((sum, _, k) => sum + (w2[head * width + k] as number) * unit(k), b2[head] as number);
    return (width + 6) * FLOAT_ROUNDING * size;
  };
  return biasScore(contents, options, (place) => compute({ ...bias, ...place }), rounding);
}
