import { ropeFrequencies, type RopeParams, type RopeType } from 'posenc';

/** The scaling of a model as public configurations write it. */
export interface ScalingConfig {
  rope_type: RopeType;
  factor?: number | null;
  original_max_position_embeddings?: number;
  beta_fast?: number;
  beta_slow?: number;
  truncate?: boolean;
  low_freq_factor?: number;
  high_freq_factor?: number;
  short_factor?: number[];
  long_factor?: number[];
  attention_factor?: number;
  mscale?: number;
  mscale_all_dim?: number;
  mrope_section?: number[];
}

/** The rotary part of such a configuration. */
export interface RopeConfig {
  head_dim: number;
  rope_theta?: number | null;
  partial_rotary_factor?: number;
  max_position_embeddings?: number | null;
  original_max_position_embeddings?: number;
  rope_scaling?: ScalingConfig | null;
}

/** Frequencies and attention factor as huggingface/transformers computes them, in plain double precision. */
export function plainFrequencies(
  config: RopeConfig,
  seqLen?: number,
): { invFreq: Float64Array; attentionFactor: number } {
  const { head_dim, rope_theta, partial_rotary_factor = 1, rope_scaling } = config;
  const base = rope_theta ?? 10000;
  const type = rope_scaling?.rope_type ?? 'default';
  const turning = 2 * Math.floor((head_dim * partial_rotary_factor) / 2);
  const dim = type === 'proportional' ? head_dim : turning;
  const theta = Float64Array.from({ length: dim / 2 }, (_, p) => 1 / base ** ((2 * p) / dim));
  const s = rope_scaling ?? { rope_type: 'default' };
  const maximum = config.max_position_embeddings as number;
  const original = config.original_max_position_embeddings ?? s.original_max_position_embeddings ?? maximum;
  const factor = s.factor ?? (type === 'proportional' ? 1 : maximum / original);

  switch (type) {
    case 'linear':
      return { invFreq: theta.map((f) => f / factor), attentionFactor: 1 };
    case 'proportional':
      return { invFreq: theta.map((f, p) => (2 * p < turning ? f / factor : 0)), attentionFactor: 1 };
    case 'llama3': {
      const [low, high] = [s.low_freq_factor as number, s.high_freq_factor as number];
      const invFreq = theta.map((f) => {
        const wavelength = (2 * Math.PI) / f;
        if (wavelength > original / low) return f / factor;
        if (wavelength < original / high) return f;
        const smooth = (original / wavelength - low) / (high - low);
        return ((1 - smooth) * f) / factor + smooth * f;
      });
      return { invFreq, attentionFactor: 1 };
    }
    case 'longrope': {
      const divisors = (seqLen !== undefined && seqLen > original ? s.long_factor : s.short_factor) as number[];
      const attentionFactor = factor <= 1 ? 1 : Math.sqrt(1 + Math.log(factor) / Math.log(original));
      return { invFreq: theta.map((f, p) => f / (divisors[p] as number)), attentionFactor };
    }
    case 'yarn': {
      const turnsTo = (turns: number) => (dim * Math.log(original / (turns * 2 * Math.PI))) / (2 * Math.log(base));
      let [low, high] = [turnsTo(s.beta_fast ?? 32), turnsTo(s.beta_slow ?? 1)];
      if (s.truncate !== false) [low, high] = [Math.floor(low), Math.ceil(high)];
      [low, high] = [Math.max(low, 0), Math.min(high, dim - 1)];
      const invFreq = theta.map((f, p) => {
        const ramp = Math.min(1, Math.max(0, (p - low) / (high - low)));
        return (f / factor) * ramp + f * (1 - ramp);
      });
      const gain = (m: number) => 0.1 * m * Math.log(factor) + 1;
      return {
        invFreq,
        attentionFactor: s.mscale && s.mscale_all_dim ? gain(s.mscale) / gain(s.mscale_all_dim) : gain(1),
      };
    }
    default:
      return { invFreq: theta, attentionFactor: 1 };
  }
}

/** Parameters whose frequencies are any numbers: those of the default type, divided one by one. */
export function withFrequencies(params: RopeParams, frequencies: ArrayLike<number>): RopeParams {
  const unscaled = ropeFrequencies({ ...params, type: 'default' }).invFreq;
  const divisors = Array.from(unscaled, (frequency, pair) => frequency / (frequencies[pair] as number));
  const lists = { shortFactor: divisors, longFactor: divisors };
  return { attentionFactor: 1, ...params, type: 'longrope', factor: 1, originalMaxPosition: 4096, ...lists };
}
