import type { ModelEncoding } from './parsed-model.js';

/** What a `model_type` means where its configuration does not say it. */
export interface Family {
  /** `rope` by default. */
  encoding?: ModelEncoding;
  /** How its weights in the layout of Hugging Face are turned; `half` by default. */
  pairing?: 'half' | 'interleaved';
  /** Its weights were trained with neighbours as pairs, and permuted when they were converted to this layout. */
  permuted?: true;
  /** What its configuration class takes for keys that are left out, as huggingface/transformers has it. */
  defaults?: Readonly<Record<string, number>>;
  /** What its configuration class takes for `rope_parameters` where neither these nor `rope_scaling` are given. */
  ropeParameters?: Readonly<Record<string, unknown>>;
  /** Rows of the learned table before that of position 0. */
  positionOffset?: number;
  /** Whether the rows before position 0 are counted in `max_position_embeddings`. */
  countsOffset?: true;
  /**
   * Some of its layers have no rotary embedding, whether or not its configuration lists them: always, or where its other
   * layers look at a window only.
   */
  unrotatedLayers?: 'always' | 'beside_window';
  /** Its scaling holds for layers with a base of their own as well. */
  scalesLocal?: true;
  /** It was released with `yarn` as a name for LongRoPE. */
  longropeIsYarn?: true;
  /** The key of the context that it was trained for, beside the one that it is offered with. */
  trainedContext?: 'seq_length';
}

const llama: Family = { permuted: true, defaults: { max_position_embeddings: 2048 } };
const gemma3: Family = {
  defaults: {
    hidden_size: 2304,
    num_attention_heads: 8,
    head_dim: 256,
    max_position_embeddings: 131072,
    rope_theta: 1e6,
    rope_local_base_freq: 1e4,
  },
};
const gemma4: Family = {
  defaults: {
    hidden_size: 2304,
    num_attention_heads: 8,
    head_dim: 256,
    global_head_dim: 512,
    max_position_embeddings: 131072,
  },
  ropeParameters: {
    sliding_attention: { rope_type: 'default', rope_theta: 1e4 },
    full_attention: { rope_type: 'proportional', partial_rotary_factor: 0.25, rope_theta: 1e6 },
  },
};
const qwen25Vl: Family = {
  defaults: { hidden_size: 8192, num_attention_heads: 64, max_position_embeddings: 32768, rope_theta: 1e6 },
};
const qwen3Next: Family = {
  defaults: {
    hidden_size: 2048,
    num_attention_heads: 16,
    head_dim: 256,
    partial_rotary_factor: 0.25,
    max_position_embeddings: 32768,
  },
};
const qwen35: Family = { defaults: { ...qwen3Next.defaults, hidden_size: 4096 } };
const glm: Family = {
  pairing: 'interleaved',
  defaults: {
    hidden_size: 4096,
    num_attention_heads: 32,
    head_dim: 128,
    partial_rotary_factor: 0.5,
    max_position_embeddings: 131072,
  },
};
const cohere: Family = {
  pairing: 'interleaved',
  defaults: { hidden_size: 8192, num_attention_heads: 64, max_position_embeddings: 8192 },
};
const bert: Family = {
  encoding: 'learned',
  defaults: { hidden_size: 768, num_attention_heads: 12, max_position_embeddings: 512 },
};
const roberta: Family = { ...bert, positionOffset: 2, countsOffset: true };
const gpt2: Family = { encoding: 'learned', defaults: { n_positions: 1024, n_embd: 768, n_head: 12 } };
const bart: Family = {
  encoding: 'learned',
  defaults: { d_model: 1024, encoder_attention_heads: 16, max_position_embeddings: 1024 },
  positionOffset: 2,
};
const clipText: Family = {
  encoding: 'learned',
  defaults: { hidden_size: 512, num_attention_heads: 8, max_position_embeddings: 77 },
};
const marian: Family = {
  encoding: 'sinusoidal',
  defaults: { d_model: 1024, encoder_attention_heads: 16, max_position_embeddings: 1024 },
};
const t5: Family = {
  encoding: 't5',
  defaults: {
    d_model: 512,
    d_kv: 64,
    num_heads: 8,
    relative_attention_num_buckets: 32,
    relative_attention_max_distance: 128,
  },
};
const mt5: Family = { ...t5, defaults: { ...t5.defaults, num_heads: 6 } };
const refinedWeb: Family = { defaults: { hidden_size: 64, n_head: 8 } };
// Its other layers are linear attention, which decays with the distance.
const minimax: Family = {
  defaults: { hidden_size: 4096, num_attention_heads: 32, max_position_embeddings: 131072, rope_theta: 1e6 },
};
const latent = (context: number): Family => ({
  pairing: 'interleaved',
  defaults: { qk_rope_head_dim: 64, max_position_embeddings: context },
});

/**
 * Architectures by `model_type`. Those that turn halves, take their widths from the configuration and have a base of 10000
 * are listed so that their pairing is known.
 *
 * Source: configuration and modelling files of huggingface/transformers, and for architectures that are not part of it the
 * files that models ship.
 */
const FAMILIES: Readonly<Record<string, Family>> = {
  llama,
  mistral: { permuted: true, defaults: { max_position_embeddings: 131072 } },
  mixtral: { permuted: true, defaults: { max_position_embeddings: 131072, rope_theta: 1e6 } },
  llama4_text: {
    pairing: 'interleaved',
    unrotatedLayers: 'always',
    defaults: {
      hidden_size: 5120,
      num_attention_heads: 40,
      head_dim: 128,
      max_position_embeddings: 131072,
      rope_theta: 5e5,
    },
  },
  qwen: {
    defaults: { hidden_size: 4096, num_attention_heads: 32, kv_channels: 128, max_position_embeddings: 8192 },
    trainedContext: 'seq_length',
  },
  qwen2: { defaults: { max_position_embeddings: 32768 } },
  qwen2_moe: { defaults: { max_position_embeddings: 32768 } },
  qwen2_vl: { defaults: { max_position_embeddings: 32768, rope_theta: 1e6 } },
  qwen2_vl_text: { defaults: { max_position_embeddings: 32768, rope_theta: 1e6 } },
  qwen2_5_vl: qwen25Vl,
  qwen2_5_vl_text: qwen25Vl,
  qwen3: { defaults: { head_dim: 128, max_position_embeddings: 32768 } },
  qwen3_moe: { defaults: { max_position_embeddings: 32768 } },
  qwen3_vl: { defaults: { head_dim: 128, max_position_embeddings: 128000, rope_theta: 5e6 } },
  qwen3_vl_text: { defaults: { head_dim: 128, max_position_embeddings: 128000, rope_theta: 5e6 } },
  qwen3_next: qwen3Next,
  qwen3_5: qwen35,
  qwen3_5_text: qwen35,
  qwen3_5_moe: qwen3Next,
  qwen3_5_moe_text: qwen3Next,
  phi: { defaults: { partial_rotary_factor: 0.5, max_position_embeddings: 2048 } },
  phi3: { defaults: { max_position_embeddings: 4096, original_max_position_embeddings: 4096 }, longropeIsYarn: true },
  phi4_multimodal: {
    defaults: {
      hidden_size: 3072,
      num_attention_heads: 32,
      max_position_embeddings: 131072,
      original_max_position_embeddings: 4096,
    },
    longropeIsYarn: true,
  },
  phimoe: { defaults: { max_position_embeddings: 131072, rope_theta: 1e6 } },
  gemma: { defaults: { hidden_size: 3072, num_attention_heads: 16, head_dim: 256, max_position_embeddings: 8192 } },
  gemma2: { defaults: { hidden_size: 2304, num_attention_heads: 8, head_dim: 256, max_position_embeddings: 8192 } },
  gemma3,
  gemma3_text: gemma3,
  gemma3n_text: {
    defaults: {
      hidden_size: 2048,
      num_attention_heads: 8,
      head_dim: 256,
      max_position_embeddings: 32768,
      rope_theta: 1e6,
      rope_local_base_freq: 1e4,
    },
  },
  gemma4,
  gemma4_text: gemma4,
  gpt_oss: {
    defaults: {
      hidden_size: 2880,
      num_attention_heads: 64,
      head_dim: 64,
      max_position_embeddings: 131072,
      rope_theta: 150000,
    },
    ropeParameters: {
      rope_type: 'yarn',
      factor: 32,
      beta_fast: 32,
      beta_slow: 1,
      truncate: false,
      original_max_position_embeddings: 4096,
    },
  },
  deepseek_v2: latent(2048),
  deepseek_v3: latent(4096),
  deepseek_v32: latent(163840),
  kimi_k2: latent(4096),
  gptj: { pairing: 'interleaved', defaults: { n_embd: 4096, n_head: 16, n_positions: 2048, rotary_dim: 64 } },
  codegen: { pairing: 'interleaved', defaults: { n_embd: 4096, n_head: 16, n_positions: 2048, rotary_dim: 64 } },
  gpt_neox: { defaults: { rotary_pct: 0.25, max_position_embeddings: 2048 } },
  chatglm: {
    pairing: 'interleaved',
    defaults: { hidden_size: 4096, num_attention_heads: 32, kv_channels: 128, seq_length: 2048 },
  },
  glm,
  glm4: glm,
  glm4_moe: { defaults: { partial_rotary_factor: 0.5, max_position_embeddings: 131072 } },
  glm4_moe_lite: latent(202752),
  baichuan: { defaults: { hidden_size: 4096, num_attention_heads: 32, max_position_embeddings: 4096 } },
  falcon: { defaults: { hidden_size: 4544, num_attention_heads: 71, max_position_embeddings: 2048 } },
  RefinedWeb: refinedWeb,
  RefinedWebModel: refinedWeb,
  cohere: { ...cohere, defaults: { ...cohere.defaults, rope_theta: 5e5 } },
  cohere2: { ...cohere, unrotatedLayers: 'always' },
  ernie4_5: {
    pairing: 'interleaved',
    defaults: {
      hidden_size: 1024,
      num_attention_heads: 16,
      head_dim: 128,
      max_position_embeddings: 131072,
      rope_theta: 5e5,
    },
  },
  helium: {
    pairing: 'interleaved',
    defaults: {
      hidden_size: 2560,
      num_attention_heads: 20,
      head_dim: 128,
      max_position_embeddings: 4096,
      rope_theta: 1e5,
    },
  },
  roformer: {
    pairing: 'interleaved',
    defaults: { hidden_size: 768, num_attention_heads: 12, max_position_embeddings: 1536 },
  },
  modernbert: {
    defaults: {
      hidden_size: 768,
      num_attention_heads: 12,
      max_position_embeddings: 8192,
      global_rope_theta: 160000,
      local_rope_theta: 1e4,
    },
    scalesLocal: true,
  },
  stablelm: { defaults: { partial_rotary_factor: 0.25, max_position_embeddings: 4096 } },
  persimmon: {
    defaults: {
      hidden_size: 4096,
      num_attention_heads: 64,
      partial_rotary_factor: 0.5,
      max_position_embeddings: 16384,
      rope_theta: 25000,
    },
  },
  nemotron: { defaults: { partial_rotary_factor: 0.5, max_position_embeddings: 4096 } },
  starcoder2: { defaults: { max_position_embeddings: 4096 } },
  granite: { defaults: { max_position_embeddings: 2048 } },
  internlm2: { defaults: { hidden_size: 4096, num_attention_heads: 32, max_position_embeddings: 2048 } },
  olmo: { defaults: { hidden_size: 4096, num_attention_heads: 32, max_position_embeddings: 2048 } },
  olmo2: { defaults: { max_position_embeddings: 2048 } },
  // Its layers with a window are never scaled, and have a base of the class that no key changes.
  olmo3: {
    defaults: {
      hidden_size: 4096,
      num_attention_heads: 32,
      max_position_embeddings: 2048,
      rope_theta: 5e5,
      rope_local_base_freq: 5e5,
    },
  },
  smollm3: {
    unrotatedLayers: 'always',
    defaults: { hidden_size: 2048, num_attention_heads: 16, max_position_embeddings: 32768, rope_theta: 2e6 },
  },
  exaone4: {
    unrotatedLayers: 'beside_window',
    defaults: { hidden_size: 4096, num_attention_heads: 32, max_position_embeddings: 2048 },
  },
  apertus: {
    defaults: { hidden_size: 4096, num_attention_heads: 32, max_position_embeddings: 65536, rope_theta: 12e6 },
    ropeParameters: {
      rope_type: 'llama3',
      factor: 8,
      original_max_position_embeddings: 8192,
      low_freq_factor: 1,
      high_freq_factor: 4,
    },
  },
  minimax,
  minimax_text_01: minimax,
  minimax_m1: minimax,
  minimax_m2: {
    defaults: {
      hidden_size: 3072,
      num_attention_heads: 48,
      head_dim: 128,
      max_position_embeddings: 196608,
      rope_theta: 5e6,
    },
  },
  seed_oss: {
    defaults: { hidden_size: 4096, num_attention_heads: 80, head_dim: 128, max_position_embeddings: 524288 },
  },
  lfm2: { defaults: { hidden_size: 2560, num_attention_heads: 32, max_position_embeddings: 128000, rope_theta: 1e6 } },
  nomic_bert: { defaults: { hidden_size: 768, num_attention_heads: 12, max_position_embeddings: 2048 } },
  bloom: { encoding: 'alibi', defaults: { hidden_size: 64, n_head: 8 } },
  mpt: { encoding: 'alibi', defaults: { d_model: 2048, n_heads: 16, max_seq_len: 2048 } },
  jais: gpt2,
  gpt2,
  'openai-gpt': { encoding: 'learned', defaults: { n_positions: 512, n_embd: 768, n_head: 12 } },
  gpt_bigcode: gpt2,
  gpt_neo: { encoding: 'learned', defaults: { hidden_size: 2048, num_heads: 16, max_position_embeddings: 2048 } },
  imagegpt: { encoding: 'learned', defaults: { n_positions: 1024, n_embd: 512, n_head: 8 } },
  opt: {
    encoding: 'learned',
    defaults: { hidden_size: 768, num_attention_heads: 12, max_position_embeddings: 2048 },
    positionOffset: 2,
  },
  bert,
  electra: { ...bert, defaults: { ...bert.defaults, hidden_size: 256, num_attention_heads: 4 } },
  albert: { ...bert, defaults: { ...bert.defaults, hidden_size: 4096, num_attention_heads: 64 } },
  distilbert: { encoding: 'learned', defaults: { dim: 768, n_heads: 12, max_position_embeddings: 512 } },
  roberta,
  'xlm-roberta': roberta,
  camembert: roberta,
  esm: { ...roberta, defaults: { ...roberta.defaults, max_position_embeddings: 1026 } },
  clip: clipText,
  clip_text_model: clipText,
  bart,
  mbart: bart,
  biogpt: {
    encoding: 'learned',
    defaults: { hidden_size: 1024, num_attention_heads: 16, max_position_embeddings: 1024 },
    positionOffset: 2,
  },
  // The decoder; the encoder has a sinusoidal table.
  whisper: {
    encoding: 'learned',
    defaults: { d_model: 384, encoder_attention_heads: 6, max_target_positions: 448 },
  },
  marian,
  pegasus: marian,
  m2m_100: marian,
  fsmt: marian,
  xglm: { encoding: 'sinusoidal', defaults: { d_model: 1024, attention_heads: 16, max_position_embeddings: 2048 } },
  ctrl: { encoding: 'sinusoidal', defaults: { n_positions: 256, n_embd: 1280, n_head: 16 } },
  t5,
  mt5,
  umt5: mt5,
  longt5: t5,
  deberta: {
    encoding: 'deberta',
    defaults: { hidden_size: 768, num_attention_heads: 12, max_position_embeddings: 512 },
  },
  'deberta-v2': {
    encoding: 'deberta',
    defaults: { hidden_size: 1536, num_attention_heads: 24, max_position_embeddings: 512 },
  },
  xlnet: { encoding: 'transformer_xl', defaults: { d_model: 1024, n_head: 16 } },
  'transfo-xl': {
    encoding: 'transformer_xl',
    defaults: { d_model: 1024, n_head: 16, clamp_len: 1000, mem_len: 1600 },
  },
  // Rotary only where the configuration says so.
  granitemoehybrid: {
    encoding: 'none',
    defaults: { hidden_size: 4096, num_attention_heads: 32, max_position_embeddings: 2048 },
  },
  jamba: { encoding: 'none' },
  mamba: { encoding: 'none' },
  mamba2: { encoding: 'none' },
};

/** What is known of an architecture. */
export function familyOf(modelType: string | undefined): Family | undefined {
  return modelType !== undefined && Object.hasOwn(FAMILIES, modelType) ? FAMILIES[modelType] : undefined;
}
