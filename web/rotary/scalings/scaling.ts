import { MAX_COUNT, MAX_FREQUENCY, requireCount, requireInteger, requirePositive } from '../../common/check.js';
import { badArgument } from '../../common/errors.js';
import type { RopeParams } from '../rope-params.js';

/** Whether a pair keeps its frequency, has it scaled, or lies between. */
export type Zone = 'kept' | 'blended' | 'scaled';

/** What a scaling starts from. */
export interface Unscaled {
  params: RopeParams;
  base: number;
  /** Channels in pairs, the denominator of the series. */
  rotaryDim: number;
  /** base^(−2p / rotaryDim) for pair p. */
  invFreq: Float64Array;
  /** Length of the sequence in tokens. */
  seqLen: number | undefined;
}

/** What a type does to the frequencies. */
export interface Scaling {
  divisor: Float64Array;
  zone: Zone[];
  /** 1 by default. */
  attentionFactor?: number;
  /** 1 by default. */
  softmaxFactor?: number;
}

/** The function of a type. It checks the parameters that it reads. */
export type ScalingRule = (unscaled: Unscaled) => Scaling;

/** Divides each pair by a number of its own. */
export function divideBy(divisor: Float64Array): Scaling {
  return { divisor, zone: Array.from(divisor, (d) => (d === 1 ? 'kept' : 'scaled')) };
}

/** Divides a share of each frequency by `factor` and keeps the rest: θ (1 − share) + θ / factor × share. */
export function blend(factor: number, shares: Float64Array): Scaling {
  return {
    divisor: shares.map((share) => factor / (factor * (1 - share) + share)),
    zone: Array.from(shares, (share) => (share === 0 ? 'kept' : share === 1 ? 'scaled' : 'blended')),
  };
}

/** A number brought between 0 and 1. */
export function clampToUnit(value: number): number {
  return Math.min(Math.max(value, 0), 1);
}

/** The factor of a type that needs one. */
export function requireFactor({ params, invFreq }: Unscaled): number {
  const factor = requirePositive(params.factor, 'factor');
  // The series rises where the base is below 1.
  const fastest = Math.max(invFreq[0]!, invFreq.at(-1)!);
  if (fastest / factor > MAX_FREQUENCY) throw badArgument('factor', { kind: 'slow-enough' }, factor);
  return factor;
}

/** The factor, or where it is left out, the ratio of the contexts. */
export function requireFactorOrRatio(unscaled: Unscaled, originalMaxPosition: number): number {
  const { factor, maxPosition } = unscaled.params;
  if (factor !== undefined) return requireFactor(unscaled);
  if (maxPosition === undefined) throw badArgument('factor', { kind: 'factor-or-context' }, factor);
  return requireCount(maxPosition, 'maxPosition') / originalMaxPosition;
}

/** Tokens of the original context: `originalMaxPosition`, or `maxPosition` where that is left out. */
export function requireOriginalContext({ params }: Unscaled, least = 1): number {
  const { originalMaxPosition, maxPosition } = params;
  return originalMaxPosition === undefined && maxPosition !== undefined
    ? requireInteger(maxPosition, 'maxPosition', least, MAX_COUNT)
    : requireInteger(originalMaxPosition, 'originalMaxPosition', least, MAX_COUNT);
}
