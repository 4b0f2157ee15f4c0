import { MAX_FREQUENCY, requirePositiveFloat } from '../../common/check.js';
import { badArgument, refusal } from '../../common/errors.js';
import { divideBy, requireFactorOrRatio, requireOriginalContext, type Scaling, type Unscaled } from './scaling.js';

/**
 * LongRoPE, also called su: every pair has a divisor of its own, from `longFactor` where the sequence is longer than the
 * original context L0, otherwise from `shortFactor`. Cosines and sines are multiplied by sqrt(1 + ln factor / ln L0), by 1
 * for factors of at most 1, or by `longMscale` or `shortMscale` where that is given (Phi-MoE).
 *
 * Source: Ding et al. 2024, arXiv:2402.13753; `_compute_longrope_parameters` of huggingface/transformers,
 * modeling_rope_utils.py, and its models/phimoe.
 */
export function longrope(unscaled: Unscaled): Scaling {
  const { params, seqLen } = unscaled;
  const original = requireOriginalContext(unscaled, 2);
  const factor = requireFactorOrRatio(unscaled, original);
  const short = {
    divisor: requireDivisors(params.shortFactor, 'shortFactor', unscaled),
    mscale: requireMscale(params.shortMscale, 'shortMscale'),
  };
  const long = {
    divisor: requireDivisors(params.longFactor, 'longFactor', unscaled),
    mscale: requireMscale(params.longMscale, 'longMscale'),
  };
  const { divisor, mscale } = seqLen !== undefined && seqLen > original ? long : short;
  const computed = factor <= 1 ? 1 : Math.sqrt(1 + Math.log(factor) / Math.log(original));
  return { ...divideBy(divisor), attentionFactor: mscale ?? computed };
}

/** One divisor per pair, as a copy. */
function requireDivisors(values: unknown, argument: string, { invFreq }: Unscaled): Float64Array {
  const rule = { kind: 'divisors', pairs: invFreq.length } as const;
  if (!Array.isArray(values)) throw badArgument(argument, rule, values);
  if (values.length !== invFreq.length) {
    const state = { kind: 'items', count: values.length } as const;
    throw refusal('wrong-length', { argument, rule, got: values.length, state });
  }
  return invFreq.map((frequency, pair) => {
    const value: unknown = values[pair];
    const isPositive = typeof value === 'number' && value > 0 && value < Infinity;
    if (isPositive && frequency / value <= MAX_FREQUENCY) return value;
    throw badArgument(argument, isPositive ? { kind: 'slow-enough' } : rule, value, pair);
  });
}

function requireMscale(value: unknown, argument: string): number | undefined {
  return value === undefined ? undefined : requirePositiveFloat(value, argument);
}
