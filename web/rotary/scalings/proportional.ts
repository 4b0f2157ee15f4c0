import { divideBy, requireFactor, type Scaling, type Unscaled } from './scaling.js';

/**
 * Proportional: the pairs span the whole head, the first rotaryDim / 2 of them turn by θ / factor with the width of the
 * head as denominator, and the others do not turn.
 *
 * Source: Gemma 4 in huggingface/transformers, modeling_rope_utils.py.
 */
export function proportional(unscaled: Unscaled): Scaling {
  const { params, invFreq } = unscaled;
  const factor = params.factor === undefined ? 1 : requireFactor(unscaled);
  const turning = (params.rotaryDim ?? params.headDim) / 2;
  return divideBy(invFreq.map((_, pair) => (pair < turning ? factor : Infinity)));
}
