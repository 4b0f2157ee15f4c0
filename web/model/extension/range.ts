import { requireCount } from '../../common/check.js';
import { badArgument } from '../../common/errors.js';
import { ropeFrequencies } from '../../rotary/frequencies.js';
import type { RopeParams } from '../../rotary/rope-params.js';

/** Angles that a model has seen. */
export interface TrainedRange {
  /** Tokens of the context that it was trained with. */
  length: number;
  /** Radians per token of each pair while it was. */
  invFreq: Float64Array;
  /** The embedding without its scaling, where that was put on a model that was trained without. */
  unscaled?: RopeParams;
}

/** Frequencies within a rounding error of each other, as factors of a length divided and multiplied again are. */
const SLACK = 1 + 1e-9;

/** What belongs to a scaling and not to the model that it is put on. */
const SCALING_ONLY = [
  'factor',
  'originalMaxPosition',
  'maxPosition',
  'betaFast',
  'betaSlow',
  'truncate',
  'attentionFactor',
  'mscale',
  'mscaleAllDim',
] as const satisfies readonly (keyof RopeParams)[];

/**
 * What a model was trained with. `linear`, `ntk`, `dynamic` and `yarn` with an original context are put on a model that
 * was trained without them; other scalings, and these without an original context, are taken as the model's own.
 */
export function trainedRange(params: RopeParams): TrainedRange {
  const { type = 'default', originalMaxPosition, maxPosition } = params;
  const isOwn =
    type === 'llama3' || type === 'longrope' || type === 'proportional' || isOwnScaling(type, originalMaxPosition);
  const length = isOwn ? (maxPosition ?? originalMaxPosition) : (originalMaxPosition ?? maxPosition);
  if (length === undefined) {
    throw badArgument('originalMaxPosition', { kind: 'trained-context' }, originalMaxPosition);
  }
  requireCount(length, length === originalMaxPosition ? 'originalMaxPosition' : 'maxPosition');
  if (isOwn) return { length, invFreq: ropeFrequencies(params, { seqLen: length }).invFreq };
  const unscaled = withoutScaling(params);
  return { length, invFreq: ropeFrequencies(unscaled).invFreq, unscaled };
}

function isOwnScaling(type: string, originalMaxPosition: number | undefined): boolean {
  return (type === 'linear' || type === 'ntk') && originalMaxPosition === undefined;
}

/** The embedding that a scaling is put on. */
export function withoutScaling(params: RopeParams): RopeParams {
  const kept = { ...params };
  for (const name of SCALING_ONLY) delete kept[name];
  return { ...kept, type: params.mropeSection === undefined ? 'default' : 'mrope' };
}

/** How many pairs complete no turn within a context. */
export function unturnedPairs({ length, invFreq }: Pick<TrainedRange, 'length' | 'invFreq'>): number {
  return invFreq.filter((frequency) => !completesTurn(frequency, length)).length;
}

function completesTurn(frequency: number, length: number): boolean {
  return frequency * length >= 2 * Math.PI;
}

/**
 * How many pairs turn further, at some distance within a length, than they ever did in training. A pair that completes a
 * turn in training has met every angle.
 */
export function pairsOutOfRange(trained: TrainedRange, invFreq: Float64Array, length: number): number {
  return invFreq.filter((frequency, pair) => {
    const seen = trained.invFreq[pair] as number;
    return !completesTurn(seen, trained.length) && frequency * length > seen * trained.length * SLACK;
  }).length;
}

/** Distances that a short prompt has. */
const SHORT = 100;

/**
 * The greatest change of the mean cosine of all pairs, the score of equal directions, at distances below 100: what a
 * scaling does to short prompts.
 */
export function shortChange(before: Float64Array, after: Float64Array): number {
  let greatest = 0;
  for (let distance = 1; distance < SHORT; ++distance) {
    let sum = 0;
    before.forEach((frequency, pair) => {
      sum += Math.cos(distance * frequency) - Math.cos(distance * (after[pair] as number));
    });
    greatest = Math.max(greatest, Math.abs(sum) / before.length);
  }
  return greatest;
}
