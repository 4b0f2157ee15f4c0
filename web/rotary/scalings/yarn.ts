import { isPositiveFloat, requireBoolean, requirePositive, withDefault } from '../../common/check.js';
import { badArgument } from '../../common/errors.js';
import {
  blend,
  clampToUnit,
  requireFactorOrRatio,
  requireOriginalContext,
  type Scaling,
  type Unscaled,
} from './scaling.js';

/**
 * YaRN: pairs that make more than `betaFast` turns in the original context keep their frequency, those with fewer than
 * `betaSlow` have it divided by `factor`, and between the two pairs where that happens the share rises linearly. Cosines
 * and sines are multiplied by g(1), or by g(mscale) / g(mscaleAllDim) where neither is 0, with g(m) = 0.1 m ln factor + 1
 * for a factor above 1 and 1 otherwise. The multiplier of the softmax scale is g(mscaleAllDim)².
 *
 * Source: Peng et al. 2023, arXiv:2309.00071, section 3.4; `_compute_yarn_parameters` of huggingface/transformers,
 * modeling_rope_utils.py; deepseek-ai/DeepSeek-V3, inference/model.py (softmax scale).
 */
export function yarn(unscaled: Unscaled): Scaling {
  const { params, base, rotaryDim, invFreq } = unscaled;
  const original = requireOriginalContext(unscaled);
  const factor = requireFactorOrRatio(unscaled, original);
  const betaSlow = requirePositive(withDefault(params.betaSlow, 1), 'betaSlow');
  const betaFast = requirePositive(withDefault(params.betaFast, 32), 'betaFast');
  if (betaFast < betaSlow)
    throw badArgument('betaFast', { kind: 'at-least', of: 'betaSlow', value: betaSlow }, betaFast);
  if (base < 1) throw badArgument('base', { kind: 'yarn-base' }, base);

  const pairOf = (turns: number) => (rotaryDim * Math.log(original / (2 * Math.PI * turns))) / (2 * Math.log(base));
  const bounds = requireBoolean(withDefault(params.truncate, true), 'truncate')
    ? [Math.floor(pairOf(betaFast)), Math.ceil(pairOf(betaSlow))]
    : [pairOf(betaFast), pairOf(betaSlow)];
  // As in transformers: the upper limit is that of channels, not of pairs, and a ramp of no width is a step.
  const low = Math.max(bounds[0]!, 0);
  const high = Math.min(bounds[1]!, rotaryDim - 1);
  const width = high === low ? 0.001 : high - low;

  const mscale = requireStrength(params.mscale, 'mscale');
  const mscaleAllDim = requireStrength(params.mscaleAllDim, 'mscaleAllDim');
  const gain = (strength: number) => (factor <= 1 ? 1 : 0.1 * strength * Math.log(factor) + 1);
  const softmaxFactor = gain(mscaleAllDim) ** 2;
  if (!isPositiveFloat(softmaxFactor)) {
    throw badArgument('mscaleAllDim', { kind: 'gives-float', of: 'softmaxFactor' }, mscaleAllDim);
  }
  const attentionFactor = mscale === 0 || mscaleAllDim === 0 ? gain(1) : gain(mscale) / gain(mscaleAllDim);
  if (!isPositiveFloat(attentionFactor)) {
    throw badArgument('mscale', { kind: 'gives-float', of: 'attentionFactor' }, mscale);
  }
  return {
    ...blend(
      factor,
      invFreq.map((_, pair) => clampToUnit((pair - low) / width)),
    ),
    attentionFactor,
    softmaxFactor,
  };
}

/** A strength of 0 is the same as none. */
function requireStrength(value: unknown, argument: string): number {
  if (value === undefined || value === 0) return 0;
  if (typeof value !== 'number' || !(value > 0 && value < Infinity)) {
    throw badArgument(argument, { kind: 'not-negative' }, value);
  }
  return value;
}
