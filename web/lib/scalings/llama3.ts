import { requireCount, requirePositive } from '../check.js';
import { badArgument } from '../errors.js';
import { blend, clampToUnit, requireFactor, type Scaling, type Unscaled } from './scaling.js';

/**
 * Llama 3: pairs that make at least `highFreqFactor` turns in the original context keep their frequency, those with at
 * most `lowFreqFactor` have it divided by `factor`, and between them the share falls linearly with the turns.
 *
 * Source: `apply_scaling` of meta-llama/llama-models, models/llama3/model.py; `_compute_llama3_parameters` of
 * huggingface/transformers, modeling_rope_utils.py.
 */
export function llama3(unscaled: Unscaled): Scaling {
  const { params, invFreq } = unscaled;
  const factor = requireFactor(unscaled);
  const original = requireCount(params.originalMaxPosition, 'originalMaxPosition');
  const low = requirePositive(params.lowFreqFactor, 'lowFreqFactor');
  const high = requirePositive(params.highFreqFactor, 'highFreqFactor');
  if (high <= low) throw badArgument('highFreqFactor', `above lowFreqFactor = ${low}`, high);
  const turns = (frequency: number) => (original * frequency) / (2 * Math.PI);
  return blend(
    factor,
    invFreq.map((frequency) => clampToUnit((high - turns(frequency)) / (high - low))),
  );
}
