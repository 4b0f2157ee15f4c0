import type { Names } from '../common/check.js';

/**
 * Which two channels of a head turn together: `half` pairs i with i + rotaryDim / 2 (GPT-NeoX, Hugging Face Llama; also
 * called `neox`), `interleaved` pairs 2i with 2i + 1 (RoFormer, Meta's Llama; also called `gptj`).
 */
export type Pairing = 'half' | 'interleaved' | 'neox' | 'gptj';

/**
 * How a model's rotary frequencies θ = base^(−2p / rotaryDim) are stretched to longer contexts, with s = `factor`:
 *
 * - `default`  not at all
 * - `linear`  θ / s, position interpolation: Chen et al. 2023, arXiv:2306.15595
 * - `ntk`  a greater base, so that the slowest pair is divided by s and the fastest kept: Peng et al. 2023,
 *   arXiv:2309.00071, section 3.1
 * - `dynamic`  the same by what the sequence at hand needs: there, section 3.3
 * - `yarn`  θ / s for pairs with few turns in the original context, θ for those with many, a ramp between: there,
 *   section 3.4
 * - `longrope`  a divisor per pair, one list for sequences within the original context and one for longer ones: Ding et
 *   al. 2024, arXiv:2402.13753
 * - `llama3`  as `yarn`, blended by turns instead of by pairs: meta-llama/llama-models, models/llama3/model.py
 * - `mrope`  as `default`; pairs turn by time, height or width: Wang et al. 2024, arXiv:2409.12191, section 2.1
 * - `proportional`  θ of the whole head for the first pairs, 0 for the others: Gemma 4 in huggingface/transformers,
 *   modeling_rope_utils.py
 */
export type RopeType =
  'default' | 'linear' | 'ntk' | 'dynamic' | 'yarn' | 'longrope' | 'llama3' | 'mrope' | 'proportional';

/** The rotary embedding of a model. Each `type` reads the parameters it needs and leaves the others alone. */
export interface RopeParams {
  /** Channels of a head, at most 2^20. */
  headDim: number;
  /**
   * How many channels turn, the first ones of the head: even. All of them by default. `proportional` pairs the channels
   * of the whole head, and turns as many of these pairs as `rotaryDim` has.
   */
  rotaryDim?: number;
  /** Base of the geometric series, `rope_theta` in many configurations. 10000 by default. */
  base?: number;
  /** `default` by default. */
  type?: RopeType;
  /** `half` by default. */
  pairing?: Pairing;
  /**
   * By how much the context is stretched, above 0. `linear`, `ntk`, `dynamic` and `llama3` need it; in `yarn` and
   * `longrope` it is maxPosition / originalMaxPosition by default; in `proportional`, 1.
   */
  factor?: number;
  /**
   * Tokens of the context that the model was first trained for. `llama3` needs it; in `dynamic`, `yarn` and `longrope` it
   * is `maxPosition` by default.
   */
  originalMaxPosition?: number;
  /** Tokens of the context that the model is offered with. */
  maxPosition?: number;
  /** `yarn`: pairs with more turns than this in the original context keep their frequency. 32 by default. */
  betaFast?: number;
  /** `yarn`: pairs with fewer turns than this are scaled in full. 1 by default. */
  betaSlow?: number;
  /** `yarn`: whether the bounds between those are rounded to whole pairs. True by default. */
  truncate?: boolean;
  /** `llama3`: pairs with fewer turns than this in the original context are scaled in full. */
  lowFreqFactor?: number;
  /** `llama3`: pairs with more turns than this keep their frequency. */
  highFreqFactor?: number;
  /** `longrope`: a divisor per pair for sequences within the original context, or of unknown length. */
  shortFactor?: number[];
  /** `longrope`: a divisor per pair for longer sequences. */
  longFactor?: number[];
  /**
   * Multiplies cosines and sines, whatever the type, in place of the factor that the type would give. It is a float with
   * all its digits: from 2^-126 to 3.4e38, as are `shortMscale`, `longMscale` and what the strengths below amount to.
   */
  attentionFactor?: number;
  /** `yarn`: strength of the attention factor; counts where `mscaleAllDim` is given as well and neither is 0. */
  mscale?: number;
  /** `yarn`: strength of the factor that takes it back, and of `softmaxFactor`. 0 is the same as none. */
  mscaleAllDim?: number;
  /**
   * How many pairs turn by time, height and width: three whole numbers whose sum is the number of pairs. They go
   * with every type, and only the function `mrope` uses them: with one position per token they change nothing.
   */
  mropeSection?: number[];
  /** Whether the three take turns over the pairs instead of following each other. Likewise. */
  mropeInterleaved?: boolean;
  /** `longrope`: the attention factor of sequences within the original context, in place of the computed one. */
  shortMscale?: number;
  /** `longrope`: the attention factor of longer ones. */
  longMscale?: number;
}

/** The names of all parameters. */
export const ROPE_PARAMS: Names<RopeParams> = {
  headDim: true,
  rotaryDim: true,
  base: true,
  type: true,
  pairing: true,
  factor: true,
  originalMaxPosition: true,
  maxPosition: true,
  betaFast: true,
  betaSlow: true,
  truncate: true,
  lowFreqFactor: true,
  highFreqFactor: true,
  shortFactor: true,
  longFactor: true,
  attentionFactor: true,
  mscale: true,
  mscaleAllDim: true,
  mropeSection: true,
  mropeInterleaved: true,
  shortMscale: true,
  longMscale: true,
};
