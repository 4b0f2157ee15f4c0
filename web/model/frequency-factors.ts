import { ropeFrequencies } from '../rotary/frequencies.js';
import type { RopeParams } from '../rotary/rope-params.js';

/** What every published model with the scaling `llama3` has. */
const LLAMA3 = { lowFreqFactor: 1, highFreqFactor: 4, originalMaxPosition: 8192 } as const;

/** A divisor from here on stands for a pair that does not turn. */
const NEVER_TURNS = 1e29;

/** How far a divisor, stored as a float, may be from the one of a formula. */
const FLOAT_TOLERANCE = 1e-6;

/**
 * The parameters that divide the frequencies by these factors, one per pair. The rules of Llama 3 and of Gemma 4 are
 * recognised by their numbers; other factors are listed.
 *
 * Source: ggml-org/llama.cpp, convert_hf_to_gguf.py, which computes them.
 */
export function paramsWithFactors(plain: RopeParams, factors: readonly number[]): RopeParams {
  return llama3(plain, factors) ?? proportional(plain, factors) ?? listed(plain, factors);
}

function llama3(plain: RopeParams, factors: readonly number[]): RopeParams | undefined {
  const factor = factors.at(-1) ?? 1;
  if (!(factor > 1 && factor < NEVER_TURNS) || plain.headDim !== 2 * factors.length) return undefined;
  const params: RopeParams = { ...plain, type: 'llama3', factor, ...LLAMA3 };
  const { divisor } = ropeFrequencies(params);
  const fits = factors.every((value, pair) => {
    const computed = divisor[pair] as number;
    return Math.abs(value - computed) <= FLOAT_TOLERANCE * computed;
  });
  return fits ? params : undefined;
}

function proportional(plain: RopeParams, factors: readonly number[]): RopeParams | undefined {
  const turning = factors.findIndex((value) => value !== 1);
  const fits = turning > 0 && factors.slice(turning).every((value) => value >= NEVER_TURNS);
  return fits ? { ...plain, type: 'proportional', rotaryDim: 2 * turning } : undefined;
}

function listed(plain: RopeParams, factors: readonly number[]): RopeParams {
  const scaled = factors.map((value) => value * (plain.factor ?? 1));
  const { factor: _, ...others } = plain;
  return { attentionFactor: 1, ...others, type: 'longrope', shortFactor: scaled, longFactor: [...scaled] };
}
