import { readFileSync } from 'node:fs';
import type { ScalingConfig } from './rope-config.ts';

/** What tests/fixtures/model_configs.json says of one layer type of a model, or of all of them. */
export interface LayerFacts {
  layer?: string;
  head_dim: number;
  rope_theta: number | null;
  rope_scaling?: ScalingConfig | null;
  partial_rotary_factor?: number;
}

/** What it says of a model. */
export interface ModelFacts extends LayerFacts {
  name: string;
  position_encoding: string;
  hidden_size: number | null;
  num_attention_heads: number | null;
  max_position_embeddings: number | null;
  original_max_position_embeddings?: number;
  rope_head_dim?: number;
  rope_variants?: Partial<LayerFacts>[];
  mrope_section?: number[];
  mrope_mode?: 'chunked' | 'interleaved';
  rotary_dim?: number;
  layout?: string;
  alibi_bias_max?: number;
  learned_positions?: number;
  position_offset?: number;
  relative_attention_num_buckets?: number;
  relative_attention_max_distance?: number;
  position_buckets?: number;
  max_relative_positions?: number;
}

export const models = (
  JSON.parse(readFileSync(new URL('../../fixtures/model_configs.json', import.meta.url), 'utf8')) as {
    models: ModelFacts[];
  }
).models;

const longrope = models.find(({ name }) => name.startsWith('Phi-3'))?.rope_scaling as ScalingConfig;

const llama3 = {
  factor: 8,
  high_freq_factor: 4,
  low_freq_factor: 1,
  original_max_position_embeddings: 8192,
  rope_type: 'llama3',
};

const deepseekYarn = { beta_fast: 32, beta_slow: 1, factor: 40, original_max_position_embeddings: 4096, type: 'yarn' };

/**
 * The parts about positions and sizes of the `config.json` that each model ships, in the keys that its file has. Phi-4-mini
 * and Qwen3-VL, of which the facts leave parts open, have these parts left out; Gemma 4 has the defaults of its class.
 */
export const hfConfigs: Readonly<Record<string, object>> = {
  'Llama-2-7B': {
    model_type: 'llama',
    hidden_size: 4096,
    max_position_embeddings: 4096,
    num_attention_heads: 32,
    num_key_value_heads: 32,
    rope_scaling: null,
  },
  'Llama-3-8B': {
    model_type: 'llama',
    hidden_size: 4096,
    max_position_embeddings: 8192,
    num_attention_heads: 32,
    num_key_value_heads: 8,
    rope_scaling: null,
    rope_theta: 500000.0,
  },
  'Llama-3.1-8B': {
    model_type: 'llama',
    hidden_size: 4096,
    max_position_embeddings: 131072,
    num_attention_heads: 32,
    num_key_value_heads: 8,
    rope_scaling: llama3,
    rope_theta: 500000.0,
  },
  'Mistral-7B-v0.1': {
    model_type: 'mistral',
    hidden_size: 4096,
    max_position_embeddings: 32768,
    num_attention_heads: 32,
    num_key_value_heads: 8,
    rope_theta: 10000.0,
    sliding_window: 4096,
  },
  'Mixtral-8x7B-v0.1': {
    model_type: 'mixtral',
    hidden_size: 4096,
    max_position_embeddings: 32768,
    num_attention_heads: 32,
    num_key_value_heads: 8,
    rope_theta: 1000000.0,
    sliding_window: null,
  },
  'Qwen2.5-7B': {
    model_type: 'qwen2',
    hidden_size: 3584,
    max_position_embeddings: 131072,
    max_window_layers: 28,
    num_attention_heads: 28,
    num_key_value_heads: 4,
    rope_theta: 1000000.0,
    sliding_window: 131072,
    use_sliding_window: false,
  },
  'Qwen2-VL-7B': {
    model_type: 'qwen2_vl',
    hidden_size: 3584,
    max_position_embeddings: 32768,
    num_attention_heads: 28,
    num_key_value_heads: 4,
    rope_scaling: { type: 'mrope', mrope_section: [16, 24, 24] },
    rope_theta: 1000000.0,
    vision_config: { depth: 32, embed_dim: 1280, hidden_size: 3584, num_heads: 16, spatial_merge_size: 2 },
  },
  'Qwen3-VL-4B (text rotary only)': {
    model_type: 'qwen3_vl',
    text_config: {
      model_type: 'qwen3_vl_text',
      head_dim: 128,
      rope_scaling: { mrope_interleaved: true, mrope_section: [24, 20, 20], rope_type: 'default' },
    },
    vision_config: { hidden_size: 1024, num_heads: 16 },
  },
  'Qwen3-8B': {
    model_type: 'qwen3',
    head_dim: 128,
    hidden_size: 4096,
    max_position_embeddings: 40960,
    num_attention_heads: 32,
    num_key_value_heads: 8,
    rope_scaling: null,
    rope_theta: 1000000,
  },
  'Phi-3-mini-128k (longrope)': {
    model_type: 'phi3',
    hidden_size: 3072,
    max_position_embeddings: 131072,
    num_attention_heads: 32,
    num_key_value_heads: 32,
    original_max_position_embeddings: 4096,
    rope_scaling: { long_factor: longrope.long_factor, short_factor: longrope.short_factor, type: 'su' },
    rope_theta: 10000.0,
  },
  'Phi-4-mini (partial rotary)': {
    model_type: 'phi3',
    hidden_size: 3072,
    max_position_embeddings: 131072,
    num_attention_heads: 24,
    num_key_value_heads: 8,
    partial_rotary_factor: 0.75,
    rope_theta: 10000.0,
  },
  'Gemma-2-9B': {
    model_type: 'gemma2',
    attn_logit_softcapping: 50.0,
    head_dim: 256,
    hidden_size: 3584,
    max_position_embeddings: 8192,
    num_attention_heads: 16,
    num_key_value_heads: 8,
    query_pre_attn_scalar: 256,
    rope_theta: 10000.0,
    sliding_window: 4096,
  },
  'Gemma-3-4B': {
    model_type: 'gemma3',
    text_config: {
      model_type: 'gemma3_text',
      hidden_size: 2560,
      num_hidden_layers: 34,
      rope_scaling: { factor: 8.0, rope_type: 'linear' },
      sliding_window: 1024,
    },
    vision_config: { hidden_size: 1152, model_type: 'siglip_vision_model', num_attention_heads: 16 },
  },
  'Gemma-4 text (proportional)': {
    model_type: 'gemma4_text',
    global_head_dim: 512,
    head_dim: 256,
    hidden_size: 2304,
    max_position_embeddings: 131072,
    num_attention_heads: 8,
    num_key_value_heads: 4,
    rope_parameters: {
      full_attention: { partial_rotary_factor: 0.25, rope_theta: 1000000.0, rope_type: 'proportional' },
      sliding_attention: { rope_theta: 10000.0, rope_type: 'default' },
    },
    sliding_window: 512,
  },
  'DeepSeek-V2-Lite': {
    model_type: 'deepseek_v2',
    hidden_size: 2048,
    max_position_embeddings: 163840,
    num_attention_heads: 16,
    num_key_value_heads: 16,
    qk_nope_head_dim: 128,
    qk_rope_head_dim: 64,
    rope_scaling: { ...deepseekYarn, mscale: 0.707, mscale_all_dim: 0.707 },
    rope_theta: 10000,
    v_head_dim: 128,
  },
  'DeepSeek-V3': {
    model_type: 'deepseek_v3',
    hidden_size: 7168,
    max_position_embeddings: 163840,
    num_attention_heads: 128,
    num_key_value_heads: 128,
    qk_nope_head_dim: 128,
    qk_rope_head_dim: 64,
    rope_scaling: { ...deepseekYarn, mscale: 1.0, mscale_all_dim: 1.0 },
    rope_theta: 10000,
    v_head_dim: 128,
  },
  'gpt-oss-20b': {
    model_type: 'gpt_oss',
    head_dim: 64,
    hidden_size: 2880,
    initial_context_length: 4096,
    max_position_embeddings: 131072,
    num_attention_heads: 64,
    num_key_value_heads: 8,
    rope_scaling: {
      beta_fast: 32.0,
      beta_slow: 1.0,
      factor: 32.0,
      original_max_position_embeddings: 4096,
      rope_type: 'yarn',
      truncate: false,
    },
    rope_theta: 150000,
    sliding_window: 128,
  },
  'GPT-J-6B': {
    model_type: 'gptj',
    n_embd: 4096,
    n_head: 16,
    n_positions: 2048,
    rotary: true,
    rotary_dim: 64,
  },
  'GPT-NeoX-20B': {
    model_type: 'gpt_neox',
    hidden_size: 6144,
    max_position_embeddings: 2048,
    num_attention_heads: 64,
    rotary_emb_base: 10000,
    rotary_pct: 0.25,
  },
  'ChatGLM-6B': {
    model_type: 'chatglm',
    hidden_size: 4096,
    max_sequence_length: 2048,
    num_attention_heads: 32,
    position_encoding_2d: true,
  },
  'ChatGLM2-6B': {
    model_type: 'chatglm',
    hidden_size: 4096,
    kv_channels: 128,
    multi_query_attention: true,
    multi_query_group_num: 2,
    num_attention_heads: 32,
    original_rope: true,
    seq_length: 32768,
  },
  'Baichuan-7B': {
    model_type: 'baichuan',
    hidden_size: 4096,
    max_position_embeddings: 4096,
    num_attention_heads: 32,
  },
  'Baichuan-13B': {
    model_type: 'baichuan',
    hidden_size: 5120,
    model_max_length: 4096,
    num_attention_heads: 40,
  },
  'BLOOM-176B': {
    model_type: 'bloom',
    n_embed: 14336,
    n_layer: 70,
    num_attention_heads: 112,
    seq_length: 2048,
  },
  'BLOOM-7B1': {
    model_type: 'bloom',
    n_embed: 4096,
    n_layer: 30,
    num_attention_heads: 32,
    seq_length: 2048,
  },
  'MPT-7B': {
    model_type: 'mpt',
    attn_config: { alibi: true, alibi_bias_max: 8, attn_impl: 'torch', attn_type: 'multihead_attention' },
    d_model: 4096,
    max_seq_len: 2048,
    n_heads: 32,
  },
  'Falcon-7B': {
    model_type: 'falcon',
    alibi: false,
    hidden_size: 4544,
    multi_query: true,
    num_attention_heads: 71,
  },
  'T5-base': {
    model_type: 't5',
    d_kv: 64,
    d_model: 768,
    n_positions: 512,
    num_heads: 12,
    relative_attention_num_buckets: 32,
  },
  'DeBERTa-v3-base': {
    model_type: 'deberta-v2',
    hidden_size: 768,
    max_position_embeddings: 512,
    max_relative_positions: -1,
    norm_rel_ebd: 'layer_norm',
    num_attention_heads: 12,
    pos_att_type: 'p2c|c2p',
    position_biased_input: false,
    position_buckets: 256,
    relative_attention: true,
    share_att_key: true,
  },
  'XLNet-base': {
    model_type: 'xlnet',
    attn_type: 'bi',
    bi_data: false,
    clamp_len: -1,
    d_head: 64,
    d_model: 768,
    mem_len: null,
    n_head: 12,
    same_length: false,
    untie_r: true,
  },
  'BERT-base': {
    model_type: 'bert',
    hidden_size: 768,
    max_position_embeddings: 512,
    num_attention_heads: 12,
    position_embedding_type: 'absolute',
  },
  'GPT-2': {
    model_type: 'gpt2',
    n_ctx: 1024,
    n_embd: 768,
    n_head: 12,
    n_positions: 1024,
  },
};
