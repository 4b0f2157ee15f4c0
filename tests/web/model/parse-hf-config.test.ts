import { check, parseHfConfig, PosencError, ropeFrequencies, type ParsedModel, type RopeParams } from 'posenc';
import { describe, expect, test } from 'vitest';
import { expectNear } from '../support/compare.ts';
import { numbers, readCases, type Stored } from '../support/data.ts';
import { hfConfigs, models, type ModelFacts } from '../support/hf-configs.ts';
import { randomFrom } from '../support/random.ts';
import { plainFrequencies } from '../support/rope-config.ts';

/** The rotary parameters of a configuration whose layers share an embedding. */
function paramsOf(config: object): RopeParams {
  const { layers } = parseHfConfig(config);
  expect(layers).toHaveLength(1);
  return layers[0]!.params;
}

const ENCODINGS: Readonly<Record<string, ParsedModel['encoding']>> = {
  rope: 'rope',
  mrope: 'mrope',
  rope_2d_chatglm: 'rope_2d',
  alibi: 'alibi',
  t5_bias: 't5',
  deberta: 'deberta',
  transformer_xl: 'transformer_xl',
  learned: 'learned',
};

test('the configurations are those of all 32 models', () => {
  expect(Object.keys(hfConfigs)).toEqual(models.map(({ name }) => name));
  expect(models).toHaveLength(32);
});

describe.each(models)('the configuration of $name', (facts) => {
  const config = hfConfigs[facts.name]!;
  const model = parseHfConfig(JSON.stringify(config));

  test('is read as its encoding and sizes', () => {
    const encoding = facts.mrope_section === undefined ? ENCODINGS[facts.position_encoding] : 'mrope';
    expect(model.encoding).toBe(encoding);
    expect(model).toMatchObject({
      source: 'hf',
      ...(facts.hidden_size === null ? {} : { hiddenSize: facts.hidden_size, heads: facts.num_attention_heads }),
      ...(facts.max_position_embeddings === null ? {} : { maxPosition: facts.max_position_embeddings }),
    });
    expect(model.assumed).toEqual([]);
    expect(parseHfConfig(config)).toEqual(model);
  });

  test('gives the frequencies, widths and pairing of every layer', () => {
    const variants = facts.rope_variants ?? (/rope/.test(facts.position_encoding) ? [facts] : []);
    expect(model.layers).toHaveLength(variants.length);
    variants.forEach((variant, i) => {
      const { params } = model.layers[i]!;
      const layer = { ...facts, ...variant };
      const headDim = layer.rope_head_dim ?? layer.head_dim;
      expect(params.headDim).toBe(headDim);
      expect(params.rotaryDim).toBe(
        facts.rotary_dim ?? 2 * Math.floor((headDim * (layer.partial_rotary_factor ?? 1)) / 2),
      );
      expect(params.pairing).toBe(facts.layout!.split(' ')[0]);
      expect(params.mropeSection).toEqual(facts.mrope_section);
      expect(params.mropeInterleaved ?? false).toBe(facts.mrope_mode === 'interleaved');
      if (layer.rope_theta !== null) {
        expect(params.base).toBe(layer.rope_theta);
        expectFrequencies(params, { ...layer, head_dim: headDim });
      }
    });
  });

  test('gives the facts of encodings other than rotary ones', () => {
    const heads = facts.num_attention_heads;
    const expected: Partial<Record<string, object>> = {
      alibi: { alibi: { heads, biasMax: facts.alibi_bias_max } },
      learned: { learned: { positions: facts.learned_positions, offset: facts.position_offset } },
      t5_bias: {
        t5: {
          heads,
          buckets: facts.relative_attention_num_buckets,
          maxDistance: facts.relative_attention_max_distance,
        },
      },
      deberta: {
        deberta: {
          heads,
          span: facts.position_buckets,
          bucketSize: facts.position_buckets,
          maxPosition: facts.max_relative_positions,
          terms: ['c2p', 'p2c'],
        },
      },
      transformer_xl: { transformerXl: { heads, causal: false } },
      rope_2d_chatglm: { variant: 'chatglm' },
    };
    const names = ['alibi', 'learned', 't5', 'deberta', 'transformerXl', 'variant'] as const;
    const given = Object.fromEntries(names.filter((name) => name in model).map((name) => [name, model[name]]));
    expect(given).toEqual(expected[facts.position_encoding] ?? {});
  });
});

/** At no length, within the original context and past it. */
function expectFrequencies(params: RopeParams, facts: ModelFacts): void {
  for (const seqLen of [
    undefined,
    facts.original_max_position_embeddings,
    facts.max_position_embeddings ?? undefined,
  ]) {
    const found = ropeFrequencies(params, seqLen === undefined ? {} : { seqLen });
    const plain = plainFrequencies(facts, seqLen);
    expectNear(found.invFreq, plain.invFreq, { relative: 1e-12 });
    expectNear([found.attentionFactor], [plain.attentionFactor], { relative: 1e-12 });
  }
}

test('the stored frequencies of the public models follow from their configurations', () => {
  interface ParameterCase {
    model: string;
    config: { layer?: string };
    seq_len: number | null;
    inv_freq: Stored;
    attention_factor: number;
  }
  const cases = readCases<ParameterCase>('../../fixtures/rope_parameters.json').filter(({ model }) =>
    Object.hasOwn(hfConfigs, model),
  );
  expect(cases).toHaveLength(24);
  for (const { model, config, seq_len, inv_freq, attention_factor } of cases) {
    const { layers } = parseHfConfig(hfConfigs[model]!);
    const { params } = layers[config.layer === 'local' ? 1 : 0]!;
    const found = ropeFrequencies(params, seq_len === null ? {} : { seqLen: seq_len });
    expectNear(found.invFreq, numbers(inv_freq), { relative: 1e-12 });
    expectNear([found.attentionFactor], [attention_factor], { relative: 1e-12 });
  }
});

describe('both schemas', () => {
  const sizes = { model_type: 'llama', hidden_size: 4096, num_attention_heads: 32, max_position_embeddings: 131072 };
  const scaling = { factor: 8, low_freq_factor: 1, high_freq_factor: 4, original_max_position_embeddings: 8192 };

  test('give the same parameters', () => {
    const old = parseHfConfig({ ...sizes, rope_theta: 5e5, rope_scaling: { ...scaling, rope_type: 'llama3' } });
    const current = parseHfConfig({ ...sizes, rope_parameters: { ...scaling, rope_type: 'llama3', rope_theta: 5e5 } });
    expect([old.schema, current.schema]).toEqual(['v4', 'v5']);
    expect(current.layers).toEqual(old.layers);
  });

  test('name each layer type of nested parameters', () => {
    const { layers } = parseHfConfig({
      ...sizes,
      rope_parameters: {
        sliding_attention: { rope_type: 'default', rope_theta: 1e4 },
        full_attention: { rope_type: 'yarn', rope_theta: 1e6, factor: 4, original_max_position_embeddings: 32768 },
      },
    });
    expect(layers.map(({ name, params: { type, base, factor } }) => [name, type, base, factor])).toEqual([
      ['sliding_attention', 'default', 1e4, undefined],
      ['full_attention', 'yarn', 1e6, 4],
    ]);
  });

  test('read everything from the block where nothing else is given', () => {
    const rope_parameters = {
      rope_type: 'longrope',
      rope_theta: 5e4,
      short_factor: [1, 1.5],
      long_factor: [1, 8],
      original_max_position_embeddings: 4096,
    };
    const model = parseHfConfig({ rope_parameters });
    expect(model.layers[0]?.params).toMatchObject({
      headDim: 4,
      base: 5e4,
      type: 'longrope',
      shortFactor: [1, 1.5],
      longFactor: [1, 8],
      originalMaxPosition: 4096,
    });
    rope_parameters.short_factor[0] = 7;
    expect(model.layers[0]?.params.shortFactor).toEqual([1, 1.5]);
  });

  test('take a null for a key that is not there', () => {
    expect(paramsOf({ ...sizes, head_dim: null, rope_theta: null, rope_scaling: null })).toEqual({
      headDim: 128,
      rotaryDim: 128,
      base: 10000,
      type: 'default',
      pairing: 'half',
      maxPosition: 131072,
    });
  });
});

describe('keys of older and vendors’ architectures', () => {
  test.each([
    ['a head width beside hidden size and heads', { hidden_size: 5120, num_attention_heads: 32, head_dim: 128 }, 64],
    ['hidden size and heads alone', { hidden_size: 5120, num_attention_heads: 32, rope_theta: 1e4 }, 80],
    ['a share of the head', { head_dim: 256, partial_rotary_factor: 0.25, rope_theta: 1e7 }, 32],
    ['a share by another name', { model_type: 'gpt_neox', head_dim: 96, rotary_pct: 0.25 }, 12],
    ['a share by a third name', { model_type: 'nomic_bert', head_dim: 64, rotary_emb_fraction: 1 }, 32],
    ['a share that makes no whole pair', { head_dim: 10, partial_rotary_factor: 0.5, rope_theta: 1e4 }, 2],
    ['a width that turns', { model_type: 'codegen', n_embd: 1024, n_head: 16, rotary_dim: 32 }, 16],
    ['the part of a latent head that turns', { model_type: 'minicpm3', qk_rope_head_dim: 32, head_dim: 96 }, 16],
  ])('%s', (_, config, pairs) => {
    expect(ropeFrequencies(paramsOf(config)).invFreq).toHaveLength(pairs);
  });

  const apertus = { factor: 8.0, original_max_position_embeddings: 8192, low_freq_factor: 1.0, high_freq_factor: 4.0 };

  test('a ratio multiplies the base of ChatGLM', () => {
    const config = {
      model_type: 'chatglm',
      hidden_size: 4096,
      num_attention_heads: 32,
      kv_channels: 128,
      rope_ratio: 500,
    };
    expect(paramsOf(config)).toMatchObject({ base: 5e6, rotaryDim: 64, pairing: 'interleaved' });
  });

  // THUDM/chatglm2-6b-32k, modeling_chatglm.py: the same key, and it divides positions
  test('but divides the positions of ChatGLM2, which its name alone gives away', () => {
    const config = { model_type: 'chatglm', _name_or_path: 'THUDM/chatglm2-6b-32k', seq_length: 32768, rope_ratio: 4 };
    const { base, type, factor } = paramsOf(config);
    expect({ base, type, factor }).toEqual({ base: 10000, type: 'linear', factor: 4 });
    expect(paramsOf({ ...config, _name_or_path: 'THUDM/chatglm3-6b-32k' })).toMatchObject({ base: 40000 });
    expect(paramsOf({ ...config, rope_ratio: 1 })).toMatchObject({ base: 10000, type: 'default' });
    const { invFreq } = ropeFrequencies(paramsOf(config));
    expectNear([invFreq[0] as number, invFreq[31] as number], [1 / 4, 10000 ** (-62 / 64) / 4], { relative: 1e-12 });
  });

  // The config.json of the models, and how their modelling files take it.
  test.each<[string, object, Partial<RopeParams>, string[]?]>([
    [
      'Qwen/Qwen-7B-Chat',
      {
        ...{ model_type: 'qwen', hidden_size: 4096, num_attention_heads: 32, kv_channels: 128, rotary_pct: 1.0 },
        ...{ max_position_embeddings: 32768, seq_length: 8192, rotary_emb_base: 10000 },
        ...{ use_dynamic_ntk: true, use_logn_attn: true },
      },
      { headDim: 128, rotaryDim: 128, base: 10000, pairing: 'half', originalMaxPosition: 8192, maxPosition: 32768 },
      ['use_dynamic_ntk', 'use_logn_attn'],
    ],
    [
      'baichuan-inc/Baichuan2-7B-Chat',
      {
        ...{ model_type: 'baichuan', hidden_size: 4096, num_attention_heads: 32 },
        ...{ max_position_embeddings: 4096, model_max_length: 4096 },
      },
      { headDim: 128, rotaryDim: 128, base: 10000, type: 'default', pairing: 'half', maxPosition: 4096 },
    ],
    [
      'internlm/internlm2-chat-7b',
      {
        ...{ model_type: 'internlm2', hidden_size: 4096, num_attention_heads: 32, num_key_value_heads: 8 },
        ...{ max_position_embeddings: 32768, rope_theta: 1e6, rope_scaling: { type: 'dynamic', factor: 2.0 } },
      },
      { headDim: 128, base: 1e6, type: 'dynamic', factor: 2, pairing: 'half', maxPosition: 32768 },
    ],
    [
      'THUDM/glm-4-9b-chat-1m',
      {
        ...{ model_type: 'chatglm', hidden_size: 4096, num_attention_heads: 32, kv_channels: 128 },
        ...{ original_rope: true, rope_ratio: 10000, seq_length: 1048576 },
      },
      { headDim: 128, rotaryDim: 64, base: 1e8, type: 'default', pairing: 'interleaved', maxPosition: 1048576 },
    ],
    [
      'MiniMaxAI/MiniMax-Text-01',
      {
        ...{ model_type: 'minimax_text_01', hidden_size: 6144, num_attention_heads: 64, head_dim: 128 },
        ...{ rotary_dim: 64, rope_theta: 10000000, max_position_embeddings: 10240000 },
      },
      { headDim: 128, rotaryDim: 64, base: 1e7, type: 'default', pairing: 'half', maxPosition: 10240000 },
    ],
    [
      'MiniMaxAI/MiniMax-M2',
      {
        ...{ model_type: 'minimax_m2', hidden_size: 3072, num_attention_heads: 48, head_dim: 128 },
        ...{ rotary_dim: 64, rope_theta: 5000000, max_position_embeddings: 196608 },
      },
      { headDim: 128, rotaryDim: 64, base: 5e6, type: 'default', pairing: 'half', maxPosition: 196608 },
    ],
    [
      'ByteDance-Seed/Seed-OSS-36B-Instruct',
      {
        ...{ model_type: 'seed_oss', hidden_size: 5120, num_attention_heads: 80, head_dim: 128 },
        ...{ rope_theta: 1e7, rope_scaling: { rope_type: 'default' }, max_position_embeddings: 524288 },
      },
      { headDim: 128, rotaryDim: 128, base: 1e7, type: 'default', pairing: 'half', maxPosition: 524288 },
    ],
    [
      'swiss-ai/Apertus-8B-Instruct-2509',
      {
        ...{ model_type: 'apertus', hidden_size: 4096, num_attention_heads: 32, max_position_embeddings: 65536 },
        ...{ rope_theta: 12000000, rope_scaling: { ...apertus, rope_type: 'llama3' } },
      },
      { headDim: 128, base: 12e6, type: 'llama3', factor: 8, originalMaxPosition: 8192, pairing: 'half' },
    ],
  ])('%s', (_, config, expected, unread) => {
    const model = parseHfConfig(config);
    expect(model.layers.map(({ params }) => params)).toEqual([expect.objectContaining(expected)]);
    expect([model.assumed, model.unread]).toEqual([[], unread]);
  });

  test('ModernBERT has its bases by other names', () => {
    const bases = { global_rope_theta: 160000.0, local_rope_theta: 10000.0 };
    const { layers } = parseHfConfig({ model_type: 'modernbert', hidden_size: 768, num_attention_heads: 12, ...bases });
    expect(layers.map(({ params }) => [params.headDim, params.base])).toEqual([
      [64, 160000],
      [64, 10000],
    ]);
  });

  test('single layers may have wider heads', () => {
    const { layers } = parseHfConfig({
      model_type: 'gemma4_text',
      layer_types: ['sliding_attention', 'full_attention'],
      per_layer_config: { 1: { head_dim: 384 } },
      rope_parameters: {
        sliding_attention: { rope_theta: 1e4 },
        full_attention: { rope_theta: 1e6, rope_type: 'proportional', partial_rotary_factor: 0.25 },
      },
    });
    expect(layers.map(({ params }) => [params.headDim, params.rotaryDim])).toEqual([
      [256, 256],
      [384, 96],
    ]);
  });

  test('a factor that is given as the final one stays as it is', () => {
    const rope_scaling = {
      rope_type: 'yarn',
      factor: 128,
      attention_factor: 1.4852030263919618,
      original_max_position_embeddings: 4096,
    };
    expect(ropeFrequencies(paramsOf({ head_dim: 64, rope_scaling })).attentionFactor).toBe(1.4852030263919618);
  });

  test('an alpha raises the base once and for all', () => {
    const rope_scaling = { type: 'dynamic', alpha: 4, factor: 1 };
    const { invFreq } = ropeFrequencies(paramsOf({ head_dim: 128, rope_theta: 10000, rope_scaling }));
    expectNear([invFreq[1] as number], [40889.94243248622 ** (-2 / 128)], { relative: 1e-12 });
  });

  // Source: huggingface/transformers, src/transformers/models/NAME/configuration_NAME.py, where NAME is the model_type without
  // _text or _moe_text; and of those that are not part of it: Qwen/Qwen-7B, configuration_qwen.py; THUDM/chatglm2-6b,
  // configuration_chatglm.py; baichuan-inc/Baichuan-7B, configuration_baichuan.py; internlm/internlm2-7b,
  // configuration_internlm2.py; moonshotai/Kimi-K2-Instruct, configuration_deepseek.py.
  test.each<[string, Partial<RopeParams>]>([
    ['gemma', { headDim: 256, rotaryDim: 256, base: 10000, maxPosition: 8192, pairing: 'half' }],
    ['gemma2', { headDim: 256, rotaryDim: 256, base: 10000, maxPosition: 8192, pairing: 'half' }],
    ['qwen2_5_vl', { headDim: 128, base: 1e6, maxPosition: 32768, pairing: 'half' }],
    ['qwen2_5_vl_text', { headDim: 128, base: 1e6, maxPosition: 32768, pairing: 'half' }],
    ['qwen3_next', { headDim: 256, rotaryDim: 64, base: 10000, maxPosition: 32768, pairing: 'half' }],
    ['qwen3_5_text', { headDim: 256, rotaryDim: 64, base: 10000, maxPosition: 32768, pairing: 'half' }],
    ['qwen3_5_moe_text', { headDim: 256, rotaryDim: 64, base: 10000, maxPosition: 32768, pairing: 'half' }],
    ['gptj', { headDim: 256, rotaryDim: 64, base: 10000, maxPosition: 2048, pairing: 'interleaved' }],
    ['codegen', { headDim: 256, rotaryDim: 64, base: 10000, maxPosition: 2048, pairing: 'interleaved' }],
    ['falcon', { headDim: 64, rotaryDim: 64, base: 10000, maxPosition: 2048, pairing: 'half' }],
    ['olmo', { headDim: 128, rotaryDim: 128, base: 10000, maxPosition: 2048, pairing: 'half' }],
    ['smollm3', { headDim: 128, rotaryDim: 128, base: 2e6, maxPosition: 32768, pairing: 'half' }],
    ['exaone4', { headDim: 128, rotaryDim: 128, base: 10000, maxPosition: 2048, pairing: 'half' }],
    ['minimax', { headDim: 128, base: 1e6, maxPosition: 131072, pairing: 'half' }],
    ['minimax_m2', { headDim: 128, base: 5e6, maxPosition: 196608, pairing: 'half' }],
    ['seed_oss', { headDim: 128, rotaryDim: 128, base: 10000, maxPosition: 524288, pairing: 'half' }],
    ['lfm2', { headDim: 80, rotaryDim: 80, base: 1e6, maxPosition: 128000, pairing: 'half' }],
    ['nomic_bert', { headDim: 64, rotaryDim: 64, base: 10000, maxPosition: 2048, pairing: 'half' }],
    ['phi4_multimodal', { headDim: 96, rotaryDim: 96, base: 10000, maxPosition: 131072, pairing: 'half' }],
    ['deepseek_v32', { headDim: 64, rotaryDim: 64, base: 10000, maxPosition: 163840, pairing: 'interleaved' }],
    ['glm4_moe_lite', { headDim: 64, rotaryDim: 64, base: 10000, maxPosition: 202752, pairing: 'interleaved' }],
    ['qwen', { headDim: 128, rotaryDim: 128, base: 10000, maxPosition: 8192, pairing: 'half' }],
    ['chatglm', { headDim: 128, rotaryDim: 64, base: 10000, maxPosition: 2048, pairing: 'interleaved' }],
    ['baichuan', { headDim: 128, rotaryDim: 128, base: 10000, maxPosition: 4096, pairing: 'half' }],
    ['internlm2', { headDim: 128, rotaryDim: 128, base: 10000, maxPosition: 2048, pairing: 'half' }],
    ['kimi_k2', { headDim: 64, rotaryDim: 64, base: 10000, maxPosition: 4096, pairing: 'interleaved' }],
    ['glm4', { headDim: 128, rotaryDim: 64, base: 10000, maxPosition: 131072, pairing: 'interleaved' }],
    ['glm', { headDim: 128, rotaryDim: 64, base: 10000, maxPosition: 131072, pairing: 'interleaved' }],
    ['cohere', { headDim: 128, rotaryDim: 128, base: 500000, maxPosition: 8192, pairing: 'interleaved' }],
    ['cohere2', { headDim: 128, rotaryDim: 128, base: 10000, maxPosition: 8192, pairing: 'interleaved' }],
    ['helium', { headDim: 128, base: 100000, maxPosition: 4096, pairing: 'interleaved' }],
    ['ernie4_5', { headDim: 128, base: 500000, maxPosition: 131072, pairing: 'interleaved' }],
    ['llama4_text', { headDim: 128, base: 500000, maxPosition: 131072, pairing: 'interleaved' }],
    ['persimmon', { headDim: 64, rotaryDim: 32, base: 25000, maxPosition: 16384 }],
  ])('%s has what its class takes for keys that are left out', (model_type, expected) => {
    const model = parseHfConfig({ model_type });
    expect(model.layers[0]!.params).toMatchObject(expected);
    expect([model.maxPosition, model.assumed]).toEqual([expected.maxPosition, []]);
  });

  // Source: huggingface/transformers, models/gpt_oss/configuration_gpt_oss.py, models/apertus/configuration_apertus.py and
  // models/gemma4/configuration_gemma4.py.
  describe('a class may take a scaling where the configuration has none', () => {
    const yarn = { type: 'yarn', factor: 32, betaFast: 32, betaSlow: 1, truncate: false, originalMaxPosition: 4096 };
    const llama3 = { type: 'llama3', factor: 8, lowFreqFactor: 1, highFreqFactor: 4, originalMaxPosition: 8192 };

    test.each<[string, object]>([
      ['gpt_oss', { ...yarn, headDim: 64, base: 150000, maxPosition: 131072, pairing: 'half' }],
      ['apertus', { ...llama3, headDim: 128, base: 12e6, maxPosition: 65536, pairing: 'half' }],
    ])('%s', (model_type, expected) => {
      expect(paramsOf({ model_type })).toMatchObject(expected);
      expect(paramsOf({ model_type, rope_parameters: null, rope_scaling: null })).toMatchObject(expected);
      expect(paramsOf({ model_type, rope_theta: 7e5 })).toMatchObject({ ...expected, base: 7e5 });
    });

    test('of which nothing counts as stated, and which is gone once there is one', () => {
      const { statements, assumed } = parseHfConfig({ text_config: { model_type: 'gpt_oss', rope_theta: 7e5 } });
      expect(statements.map(({ key }) => key)).toEqual(['text_config.rope_theta']);
      expect(assumed).toEqual([]);
      const params = paramsOf({ model_type: 'gpt_oss', rope_parameters: { rope_type: 'linear', factor: 2 } });
      expect(params).toMatchObject({ type: 'linear', factor: 2 });
      expect(params).not.toHaveProperty('betaFast');
    });

    test('gemma4_text', () => {
      const { layers, statements } = parseHfConfig({ model_type: 'gemma4_text' });
      expect(layers).toMatchObject([
        { name: 'sliding_attention', params: { type: 'default', headDim: 256, rotaryDim: 256, base: 10000 } },
        { name: 'full_attention', params: { type: 'proportional', headDim: 512, rotaryDim: 128, base: 1e6 } },
      ]);
      expect(statements).toEqual([]);
    });
  });

  // Source: huggingface/transformers, models/olmo3/configuration_olmo3.py, convert_rope_params_to_dict.
  test('OLMo 3 scales its global layers only', () => {
    const rope_scaling = { rope_type: 'yarn', factor: 8, original_max_position_embeddings: 8192 };
    expect(parseHfConfig({ model_type: 'olmo3', rope_scaling }).layers).toMatchObject([
      { name: 'full_attention', params: { type: 'yarn', factor: 8, base: 5e5, headDim: 128 } },
      { name: 'sliding_attention', params: { type: 'default', base: 5e5, headDim: 128 } },
    ]);
  });

  // Source: huggingface/transformers, models/smollm3/configuration_smollm3.py; models/exaone4/modeling_exaone4.py,
  // Exaone4Attention.forward.
  test.each([
    [{ model_type: 'smollm3' }, true],
    [{ model_type: 'smollm3', no_rope_layers: [1, 1, 1, 1] }, undefined],
    [{ model_type: 'exaone4', sliding_window: 4096 }, true],
    [{ model_type: 'exaone4', sliding_window: null }, undefined],
    [{ model_type: 'llama' }, undefined],
  ])('layers without a rotary embedding: %j', (config, expected) => {
    expect(parseHfConfig(config).unrotatedLayers).toBe(expected);
  });

  // Source: huggingface/transformers, models/phi4_multimodal/configuration_phi4_multimodal.py, convert_rope_params_to_dict.
  test('Phi-4 calls LongRoPE yarn too', () => {
    const ones = new Array<number>(48).fill(1);
    const rope_scaling = { type: 'yarn', short_factor: ones, long_factor: ones };
    expect(paramsOf({ model_type: 'phi4_multimodal', rope_scaling })).toMatchObject({
      type: 'longrope',
      originalMaxPosition: 4096,
    });
  });

  test.each(['su', 'yarn', 'longrope'])('Phi-3 calls LongRoPE %s, from 4096 tokens on', (type) => {
    const ones = new Array<number>(48).fill(1);
    const sizes = { model_type: 'phi3', hidden_size: 3072, num_attention_heads: 32, max_position_embeddings: 131072 };
    const rope_scaling = { type, short_factor: ones, long_factor: ones };
    expect(paramsOf({ ...sizes, rope_scaling })).toMatchObject({ type: 'longrope', originalMaxPosition: 4096 });
    expect(paramsOf(sizes)).not.toHaveProperty('originalMaxPosition');
  });

  test('DeepSeek may be stored with pairs of halves', () => {
    const config = hfConfigs['DeepSeek-V3']!;
    expect(paramsOf({ ...config, rope_interleave: true }).pairing).toBe('interleaved');
    expect(paramsOf({ ...config, rope_interleave: false }).pairing).toBe('half');
  });
});

describe('encodings other than RoPE', () => {
  test.each<[object, Partial<ParsedModel>]>([
    [
      { n_positions: 1024, n_embd: 768, n_head: 12 },
      { encoding: 'learned', learned: { positions: 1024, offset: 0 } },
    ],
    [{ model_type: 'roberta', max_position_embeddings: 514 }, { learned: { positions: 512, offset: 2 } }],
    [{ model_type: 'opt', max_position_embeddings: 2048 }, { learned: { positions: 2048, offset: 2 } }],
    [{ model_type: 'falcon', alibi: true, num_attention_heads: 64 }, { alibi: { heads: 64, biasMax: 8 } }],
    [{ model_type: 'granite', position_embedding_type: 'alibi', num_attention_heads: 32 }, { encoding: 'alibi' }],
    [
      { model_type: 'bert', position_embedding_type: 'relative_key' },
      { encoding: 'shaw', layers: [] },
    ],
    [
      { model_type: 'esm', position_embedding_type: 'rotary', hidden_size: 64, num_attention_heads: 4 },
      { encoding: 'rope' },
    ],
    [{ relative_attention_num_buckets: 64, num_heads: 8 }, { t5: { heads: 8, buckets: 64, maxDistance: 128 } }],
    [{ model_type: 'marian' }, { encoding: 'sinusoidal', layers: [] }],
    [{ model_type: 'mamba' }, { encoding: 'none', layers: [] }],
    [
      { model_type: 'deberta', max_position_embeddings: 512, max_relative_positions: -1, pos_att_type: ['c2p'] },
      { deberta: { heads: 12, span: 512, maxPosition: 512, terms: ['c2p'] } },
    ],
    [
      { model_type: 'transfo-xl', n_head: 16, clamp_len: 1000, mem_len: 1600 },
      { transformerXl: { heads: 16, causal: true, clampLength: 1000, memoryLength: 1600 } },
    ],
  ])('%j', (config, expected) => {
    expect(parseHfConfig(config)).toMatchObject(expected);
  });
});

// Source: huggingface/transformers, src/transformers/models/NAME/configuration_NAME.py, and for the rows before that of
// position 0 modeling_NAME.py: 2 in those that copy BartLearnedPositionalEmbedding or OPTLearnedPositionalEmbedding, and
// padding_idx + 1 of max_position_embeddings where position ids are made from input ids, as in RoBERTa. Jais is not part of
// it: core42/jais-13b, configuration_jais.py.
describe('a class of another encoding has what is left out', () => {
  const learned = (hiddenSize: number, heads: number, positions: number, offset = 0) => ({
    encoding: 'learned' as const,
    hiddenSize,
    heads,
    maxPosition: positions,
    learned: { positions, offset },
  });
  const sinusoidal = (hiddenSize: number, heads: number, maxPosition: number) => ({
    encoding: 'sinusoidal' as const,
    hiddenSize,
    heads,
    maxPosition,
  });
  const t5 = (heads: number) => ({
    encoding: 't5' as const,
    hiddenSize: 512,
    t5: { heads, buckets: 32, maxDistance: 128 },
  });

  test.each<[string, Partial<ParsedModel>]>([
    ['gpt2', learned(768, 12, 1024)],
    ['openai-gpt', learned(768, 12, 512)],
    ['gpt_bigcode', learned(768, 12, 1024)],
    ['jais', learned(768, 12, 1024)],
    ['gpt_neo', learned(2048, 16, 2048)],
    ['imagegpt', learned(512, 8, 1024)],
    ['opt', learned(768, 12, 2048, 2)],
    ['bert', learned(768, 12, 512)],
    ['electra', learned(256, 4, 512)],
    ['albert', learned(4096, 64, 512)],
    ['distilbert', learned(768, 12, 512)],
    ['roberta', learned(768, 12, 510, 2)],
    ['xlm-roberta', learned(768, 12, 510, 2)],
    ['camembert', learned(768, 12, 510, 2)],
    ['esm', learned(768, 12, 1024, 2)],
    ['clip_text_model', learned(512, 8, 77)],
    ['bart', learned(1024, 16, 1024, 2)],
    ['mbart', learned(1024, 16, 1024, 2)],
    ['biogpt', learned(1024, 16, 1024, 2)],
    ['whisper', learned(384, 6, 448)],
    ['deberta', learned(768, 12, 512)],
    ['deberta-v2', learned(1536, 24, 512)],
    ['marian', sinusoidal(1024, 16, 1024)],
    ['pegasus', sinusoidal(1024, 16, 1024)],
    ['m2m_100', sinusoidal(1024, 16, 1024)],
    ['fsmt', sinusoidal(1024, 16, 1024)],
    ['xglm', sinusoidal(1024, 16, 2048)],
    ['ctrl', sinusoidal(1280, 16, 256)],
    ['t5', t5(8)],
    ['longt5', t5(8)],
    ['mt5', t5(6)],
    ['umt5', t5(6)],
    ['bloom', { encoding: 'alibi', hiddenSize: 64, alibi: { heads: 8, biasMax: 8 } }],
    ['mpt', { encoding: 'alibi', hiddenSize: 2048, maxPosition: 2048, alibi: { heads: 16, biasMax: 8 } }],
    ['xlnet', { hiddenSize: 1024, transformerXl: { heads: 16, causal: false } }],
    [
      'transfo-xl',
      { hiddenSize: 1024, transformerXl: { heads: 16, causal: true, clampLength: 1000, memoryLength: 1600 } },
    ],
    ['granitemoehybrid', { encoding: 'none', hiddenSize: 4096, heads: 32, maxPosition: 2048, layers: [] }],
    ['jamba', { encoding: 'none', layers: [] }],
  ])('%s', (model_type, expected) => {
    expect(parseHfConfig({ model_type })).toMatchObject({ ...expected, assumed: [] });
  });

  test('keys of these classes count before it', () => {
    expect(parseHfConfig({ model_type: 'bart', d_model: 768, encoder_attention_heads: 12 })).toMatchObject({
      hiddenSize: 768,
      heads: 12,
    });
    expect(parseHfConfig({ model_type: 'xglm', attention_heads: 32 }).heads).toBe(32);
    expect(parseHfConfig({ model_type: 'jais', position_embedding_type: 'alibi', n_head: 40 })).toMatchObject({
      alibi: { heads: 40 },
    });
    expect(parseHfConfig({ model_type: 'granitemoehybrid', position_embedding_type: 'rope' })).toMatchObject({
      encoding: 'rope',
      layers: [{ params: { headDim: 128, base: 10000, pairing: 'half' } }],
    });
    expect(parseHfConfig({ model_type: 'esm', position_embedding_type: 'rotary' })).toMatchObject({
      encoding: 'rope',
      layers: [{ params: { headDim: 64, base: 10000, pairing: 'half' } }],
    });
  });

  test('DeBERTa is relative where its configuration says so', () => {
    const sizes = { model_type: 'deberta-v2', pos_att_type: 'p2c|c2p' };
    expect(parseHfConfig({ ...sizes, relative_attention: true }).encoding).toBe('deberta');
    expect(parseHfConfig({ ...sizes, relative_attention: false }).encoding).toBe('learned');
  });

  // configuration_fsmt.py, to_dict
  test('the decoder of FSMT is not a model of its own', () => {
    const config = { model_type: 'fsmt', d_model: 512, decoder: { model_type: 'fsmt_decoder', vocab_size: 31640 } };
    expect(parseHfConfig(config)).toMatchObject({ modelType: 'fsmt', encoding: 'sinusoidal', hiddenSize: 512 });
  });
});

test('the numbers that Python writes into JSON are refused where they count, strings with such names are not touched', () => {
  const text = '{"model_type":"llama","note":"a \\" NaN","head_dim":64,"time_step_limit":[0.0,-Infinity]}';
  expect(parseHfConfig(text).layers[0]?.params).toMatchObject({ headDim: 64, base: 10000 });
  for (const value of ['NaN', 'Infinity', '-Infinity']) {
    for (const key of ['rope_theta', 'head_dim']) {
      const wrong = `{"model_type":"llama","${key}":${value}}`;
      expect(() => parseHfConfig(wrong)).toThrowError(new RegExp(`^${key} must be .*, got "${value}"$`));
    }
    const list = `{"rope_scaling":{"type":"longrope","long_factor":[1,${value}]}}`;
    expect(() => parseHfConfig(list)).toThrowError(/rope_scaling\.long_factor must be a list of .* finite numbers/);
  }
  expect(() => parseHfConfig('{"model_type":"NaN Infinity","head_dim":"Infinity"}')).toThrowError(/got "Infinity"/);
  expect(() => parseHfConfig('{"model_type":"llama",NaN:1}')).toThrowError(/^json must be JSON/);
});

test('deep or endless text is refused at once', () => {
  for (const text of ['['.repeat(2 ** 23), `"${'\\"'.repeat(2 ** 22)} NaN`, '{"a":'.repeat(2 ** 21)]) {
    expect(() => parseHfConfig(text)).toThrowError(expect.objectContaining({ name: 'PosencError', argument: 'json' }));
  }
});

describe('what cannot be read', () => {
  test.each([
    ['json', '{'],
    ['json', ''],
    ['json', '[]'],
    ['json', 'null'],
    ['json', '"llama"'],
    ['json', '{}'],
    ['json', '{"architectures":["A"]}'],
    ['json', `{"model_type":"${'a'.repeat(2 ** 24)}"}`],
    ['json', undefined],
    ['json', 3],
    ['model_type', { model_type: 7 }],
    ['head_dim', { head_dim: '128' }],
    ['head_dim', { head_dim: 0 }],
    ['head_dim', { head_dim: 64.5 }],
    ['hidden_size', { hidden_size: 100, num_attention_heads: 3 }],
    ['partial_rotary_factor', { head_dim: 64, partial_rotary_factor: 1.5 }],
    ['rope_theta', { head_dim: 64, rope_theta: '10000' }],
    ['rope_theta', { head_dim: 64, rope_theta: Infinity }],
    ['rope_scaling', { head_dim: 64, rope_scaling: 'linear' }],
    ['rope_scaling.type', { head_dim: 64, rope_scaling: { type: 'constructor' } }],
    ['rope_scaling.factor', { head_dim: 64, rope_scaling: { type: 'linear', factor: true } }],
    ['rope_scaling.short_factor', { head_dim: 64, rope_scaling: { type: 'longrope', short_factor: [1, '2'] } }],
    ['rope_scaling.short_factor', { head_dim: 64, rope_scaling: { short_factor: new Array(2 ** 17).fill(1) } }],
    ['text_config.rope_theta', { text_config: { head_dim: 64, rope_theta: [] } }],
    ['rope_parameters.a.rope_theta', { head_dim: 64, rope_parameters: { a: { rope_theta: {} } } }],
    ['rope_parameters', { rope_parameters: Object.fromEntries(Array.from({ length: 65 }, (_, i) => [i, {}])) }],
    ['max_position_embeddings', { model_type: 'opt', max_position_embeddings: -1 }],
  ])('%s', (argument, config) => {
    expect(() => parseHfConfig(config as string)).toThrowError(
      expect.objectContaining({ name: 'PosencError', code: 'bad-argument', argument }),
    );
  });

  test('names the key and the value', () => {
    const config = { head_dim: 64, rope_scaling: { type: 'yarm' } };
    expect(() => parseHfConfig(config)).toThrowError(/rope_scaling\.type must be one of .*yarn.*, got "yarm"/);
  });
});

test('names from Object.prototype are no keys, and pollute nothing', () => {
  const before = Object.getOwnPropertyNames(Object.prototype);
  const text = `{"head_dim":64,"rope_theta":100,"constructor":{"rope_theta":5},"model_type":"__proto__","__proto__":{
    "hidden_size":1,"rope_local_base_freq":7},"rope_parameters":{"__proto__":{"rope_theta":50,"polluted":1}}}`;
  const { layers } = parseHfConfig(text);
  expect(layers.map(({ name, params }) => [name, params.base, params.headDim])).toEqual([['__proto__', 50, 64]]);
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  const inherited = Object.create({ rope_theta: 5, hidden_size: 1 }) as object;
  expect(parseHfConfig(Object.assign(inherited, { head_dim: 64 })).layers[0]?.params.base).toBe(10000);
});

describe('mutated configurations', () => {
  const VALUES = [
    null,
    true,
    '',
    'default',
    -1,
    0,
    0.5,
    1e9,
    2 ** 53,
    -1e308,
    1e308,
    [],
    [1],
    [1, 'a'],
    {},
    { type: 'yarn' },
  ];

  /** A copy with one value anywhere replaced, dropped, moved to another key or wrapped. */
  function mutated(config: object, random: () => number): unknown {
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
    const copy = structuredClone(config) as Record<string, unknown>;
    const objects: Record<string, unknown>[] = [];
    const visit = (value: unknown) => {
      if (typeof value !== 'object' || value === null) return;
      objects.push(value as Record<string, unknown>);
      Object.values(value).forEach(visit);
    };
    visit(copy);
    const object = pick(objects);
    const key = pick(Object.keys(object));
    const value = object[key];
    const change = Math.floor(random() * 5);
    if (change === 0) delete object[key];
    else if (change === 1) object[key] = pick(VALUES);
    else if (change === 2)
      object[pick(['rope_scaling', 'text_config', 'head_dim', '__proto__', 'rope_parameters'])] = value;
    else if (change === 3) object[key] = { [key]: value };
    else object[key] = Array.isArray(value) ? value.slice(1) : [value];
    return copy;
  }

  test('are read or refused by a typed error, in bounded time', () => {
    const random = randomFrom(1);
    const configs = Object.values(hfConfigs);
    let refused = 0;
    for (let i = 0; i < 20_000; ++i) {
      let config: unknown = configs[i % configs.length];
      for (let rounds = 1 + Math.floor(random() * 3); rounds > 0; --rounds) config = mutated(config as object, random);
      try {
        const model = parseHfConfig(config as object);
        for (const { params } of model.layers) expect(Number.isInteger(params.rotaryDim)).toBe(true);
        for (const { why } of check(model)) expect(why).not.toBe('');
      } catch (error) {
        ++refused;
        if (!(error instanceof PosencError)) throw error;
      }
    }
    expect(refused).toBeGreaterThan(1000);
    expect(refused).toBeLessThan(19_000);
  });

  test('as text, byte by byte, likewise', () => {
    const random = randomFrom(2);
    const texts = Object.values(hfConfigs).map((config) => JSON.stringify(config));
    for (let i = 0; i < 10_000; ++i) {
      const text = texts[i % texts.length]!;
      const at = Math.floor(random() * text.length);
      const changed = text.slice(0, at) + String.fromCharCode(32 + Math.floor(random() * 95)) + text.slice(at + 1);
      try {
        parseHfConfig(changed);
      } catch (error) {
        if (!(error instanceof PosencError)) throw error;
      }
    }
  });
});
