import { requirePositive } from '../../common/check.js';
import { growBase } from './ntk.js';
import { requireOriginalContext, type Scaling, type Unscaled } from './scaling.js';

/**
 * Dynamic NTK: the base grows as in `ntk`, by factor × L / L0 − (factor − 1), where L is the length of the sequence and L0
 * the original context. Within that context, or without a length, nothing changes. Keys that were turned at another length
 * had another base.
 *
 * Source: emozilla 2023; Peng et al. 2023, arXiv:2309.00071, section 3.3; `_compute_dynamic_ntk_parameters` of
 * huggingface/transformers, modeling_rope_utils.py.
 */
export function dynamic(unscaled: Unscaled): Scaling {
  const original = requireOriginalContext(unscaled);
  const factor = requirePositive(unscaled.params.factor, 'factor');
  const length = Math.max(unscaled.seqLen ?? original, original);
  return growBase(unscaled, 1 + factor * (length / original - 1));
}
