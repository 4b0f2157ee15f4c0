import { badArgument } from '../../common/errors.js';
import { requireFactor, type Scaling, type Unscaled } from './scaling.js';

/**
 * NTK-aware interpolation: the base becomes base × factor^(r / (r − 2)) with r = rotaryDim. That keeps the fastest pair
 * and divides the slowest by exactly `factor`. Called alpha in exllama.
 *
 * Source: bloc97 2023; Peng et al. 2023, arXiv:2309.00071, section 3.1, definition 1.
 */
export function ntk(unscaled: Unscaled): Scaling {
  return growBase(unscaled, requireFactor(unscaled));
}

/** Divides pair p by growth^(2p / (r − 2)), which is what base × growth^(r / (r − 2)) comes to. */
export function growBase({ rotaryDim, invFreq }: Unscaled, growth: number): Scaling {
  const slowest = invFreq.length - 1;
  if (slowest === 0) throw badArgument('rotaryDim', { kind: 'ntk-width' }, rotaryDim);
  const zone = (pair: number) => (pair === 0 || growth === 1 ? 'kept' : pair === slowest ? 'scaled' : 'blended');
  return {
    divisor: invFreq.map((_, pair) => growth ** (pair / slowest)),
    zone: Array.from(invFreq, (_, pair) => zone(pair)),
  };
}
