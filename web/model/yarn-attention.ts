import { ropeFrequencies } from '../rotary/frequencies.js';
import type { RopeParams } from '../rotary/rope-params.js';

/** What YaRN multiplies cosines and sines by where the attention factor is not stated. The frequencies do not matter. */
export function yarnAttentionFactor({ factor = 1, mscale, mscaleAllDim }: RopeParams): number {
  return ropeFrequencies({
    headDim: 2,
    type: 'yarn',
    originalMaxPosition: 1,
    factor,
    ...(mscale === undefined ? {} : { mscale }),
    ...(mscaleAllDim === undefined ? {} : { mscaleAllDim }),
  }).attentionFactor;
}
