import { divideBy, type Scaling, type Unscaled } from './scaling.js';

/** Keeps every frequency. Source: Su et al. 2021, arXiv:2104.09864, section 3.2.2. */
export function keepAll({ invFreq }: Unscaled): Scaling {
  return divideBy(new Float64Array(invFreq.length).fill(1));
}
