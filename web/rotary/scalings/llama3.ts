import { requireCount, requirePositive } from '../../common/check.js';
import { badArgument } from '../../common/errors.js';
import { blend, requireFactor, type Scaling, type Unscaled } from './scaling.js';

/**
 * Llama 3: pairs that make at least `highFreqFactor` turns in the original context keep their frequency, those with at
 * most `lowFreqFactor` have it divided by `factor`, and between them the share falls linearly with the turns. Equal factors,
 * as Llama 4 Scout has, leave nothing between: a step, at which a pair is kept.
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
  if (high < low) throw badArgument('highFreqFactor', { kind: 'at-least', of: 'lowFreqFactor', value: low }, high);
  const share = (turns: number) => (turns >= high ? 0 : turns <= low ? 1 : (high - turns) / (high - low));
  return blend(
    factor,
    invFreq.map((frequency) => share((original * frequency) / (2 * Math.PI))),
  );
}
