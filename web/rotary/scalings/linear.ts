import { divideBy, requireFactor, type Scaling, type Unscaled } from './scaling.js';

/**
 * Position interpolation: θ / factor for every pair, which is the same as position / factor.
 *
 * Source: Chen et al. 2023, arXiv:2306.15595, section 2.3.
 */
export function linear(unscaled: Unscaled): Scaling {
  return divideBy(new Float64Array(unscaled.invFreq.length).fill(requireFactor(unscaled)));
}
