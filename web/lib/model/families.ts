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
  /** Rows of the learned table before that of position 0. */
  positionOffset?: number;
  /** Whether the rows before position 0 are counted in `max_position_embeddings`. */
  countsOffset?: true;
  /** Some of its layers have no rotary embedding, whether or not its configuration lists them. */
  unrotatedLayers?: true;
  /** Its scaling holds for layers with a base of their own as well. */
  scalesLocal?: true;
}

const llama: Family = { permuted: true, defaults: { max_position_embeddings: 2048 } };
const interleaved: Family = { pairing: 'interleaved' };
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
};
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
const bart: Family = { encoding: 'learned', defaults: { max_position_embeddings: 1024 }, positionOffset: 2 };
const sinusoidal: Family = { encoding: 'sinusoidal' };
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
const transformerXl: Family = { encoding: 'transformer_xl', defaults: { d_model: 1024, n_head: 16 } };
const deepseek: Family = { pairing: 'interleaved', defaults: { qk_rope_head_dim: 64, max_position_embeddings: 2048 } };

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
    unrotatedLayers: true,
    defaults: {
      hidden_size: 5120,
      num_attention_heads: 40,
      head_dim: 128,
      max_position_embeddings: 131072,
      rope_theta: 5e5,
    },
  },
  qwen: {},
  qwen2: { defaults: { max_position_embeddings: 32768 } },
  qwen2_moe: { defaults: { max_position_embeddings: 32768 } },
  qwen2_vl: { defaults: { max_position_embeddings: 32768, rope_theta: 1e6 } },
  qwen2_vl_text: { defaults: { max_position_embeddings: 32768, rope_theta: 1e6 } },
  qwen2_5_vl: { defaults: { max_position_embeddings: 32768, rope_theta: 1e6 } },
  qwen2_5_vl_text: { defaults: { max_position_embeddings: 32768, rope_theta: 1e6 } },
  qwen3: { defaults: { head_dim: 128, max_position_embeddings: 32768 } },
  qwen3_moe: { defaults: { max_position_embeddings: 32768 } },
  qwen3_vl: { defaults: { head_dim: 128, max_position_embeddings: 128000, rope_theta: 5e6 } },
  qwen3_vl_text: { defaults: { head_dim: 128, max_position_embeddings: 128000, rope_theta: 5e6 } },
  phi: { defaults: { partial_rotary_factor: 0.5, max_position_embeddings: 2048 } },
  phi3: { defaults: { max_position_embeddings: 4096, original_max_position_embeddings: 4096 } },
  phimoe: { defaults: { max_position_embeddings: 131072, rope_theta: 1e6 } },
  gemma: { defaults: { head_dim: 256, max_position_embeddings: 8192 } },
  gemma2: { defaults: { head_dim: 256, max_position_embeddings: 8192 } },
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
  gpt_oss: { defaults: { head_dim: 64, max_position_embeddings: 131072, rope_theta: 150000 } },
  deepseek_v2: deepseek,
  deepseek_v3: { ...deepseek, defaults: { qk_rope_head_dim: 64, max_position_embeddings: 4096 } },
  kimi_k2: deepseek,
  gptj: { pairing: 'interleaved', defaults: { n_embd: 4096, n_head: 16, n_positions: 2048, rotary_dim: 64 } },
  codegen: { pairing: 'interleaved', defaults: { n_embd: 4096, n_head: 16, n_positions: 2048, rotary_dim: 64 } },
  gpt_neox: { defaults: { rotary_pct: 0.25, max_position_embeddings: 2048 } },
  chatglm: interleaved,
  glm,
  glm4: glm,
  glm4_moe: { defaults: { partial_rotary_factor: 0.5, max_position_embeddings: 131072 } },
  baichuan: { defaults: { max_position_embeddings: 4096 } },
  falcon: { defaults: { hidden_size: 4544, num_attention_heads: 71, max_position_embeddings: 2048 } },
  RefinedWebModel: { defaults: { max_position_embeddings: 2048 } },
  cohere: { ...cohere, defaults: { ...cohere.defaults, rope_theta: 5e5 } },
  cohere2: { ...cohere, unrotatedLayers: true },
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
  internlm2: {},
  olmo: { defaults: { max_position_embeddings: 2048 } },
  olmo2: { defaults: { max_position_embeddings: 2048 } },
  bloom: { encoding: 'alibi', defaults: { seq_length: 2048 } },
  mpt: { encoding: 'alibi', defaults: { d_model: 2048, n_heads: 16, max_seq_len: 2048 } },
  jais: { encoding: 'alibi' },
  gpt2,
  'openai-gpt': { encoding: 'learned', defaults: { n_positions: 512, n_embd: 768, n_head: 12 } },
  gpt_bigcode: gpt2,
  gpt_neo: { encoding: 'learned', defaults: { max_position_embeddings: 2048 } },
  imagegpt: gpt2,
  opt: { encoding: 'learned', defaults: { max_position_embeddings: 2048 }, positionOffset: 2 },
  bert,
  electra: { encoding: 'learned', defaults: { max_position_embeddings: 512 } },
  albert: { encoding: 'learned', defaults: { max_position_embeddings: 512 } },
  distilbert: { encoding: 'learned', defaults: { dim: 768, n_heads: 12, max_position_embeddings: 512 } },
  roberta,
  'xlm-roberta': roberta,
  camembert: roberta,
  bart,
  mbart: bart,
  biogpt: bart,
  marian: sinusoidal,
  pegasus: sinusoidal,
  m2m_100: sinusoidal,
  xglm: sinusoidal,
  ctrl: sinusoidal,
  fsmt: sinusoidal,
  t5,
  mt5: t5,
  umt5: t5,
  longt5: t5,
  deberta: {
    encoding: 'deberta',
    defaults: { hidden_size: 768, num_attention_heads: 12, max_position_embeddings: 512 },
  },
  'deberta-v2': {
    encoding: 'deberta',
    defaults: { hidden_size: 1536, num_attention_heads: 24, max_position_embeddings: 512 },
  },
  xlnet: transformerXl,
  'transfo-xl': transformerXl,
  mamba: { encoding: 'none' },
  mamba2: { encoding: 'none' },
};

/** What is known of an architecture. */
export function familyOf(modelType: string | undefined): Family | undefined {
  return modelType !== undefined && Object.hasOwn(FAMILIES, modelType) ? FAMILIES[modelType] : undefined;
}
