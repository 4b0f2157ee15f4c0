import {
  check,
  FINDINGS,
  parseFlags,
  parseGguf,
  parseHfConfig,
  render,
  served,
  type Finding,
  type FindingCode,
  type ParsedModel,
} from 'posenc';
import { describe, expect, test } from 'vitest';
import { f32Bytes, ggufFile } from '../support/gguf-file.ts';
import { hfConfigs } from '../support/hf-configs.ts';

function findings(config: object, options?: Parameters<typeof check>[1]): Finding[] {
  return check(parseHfConfig(config), options);
}

function codes(config: object): FindingCode[] {
  return findings(config).map(({ code }) => code);
}

/** The one finding of a code. */
function find(code: FindingCode, config: object, options?: Parameters<typeof check>[1]): Finding {
  const found = findings(config, options).filter((finding) => finding.code === code);
  expect(found, code).toHaveLength(1);
  return found[0]!;
}

/** A stand-in for what a reader of another format would give. */
function ggufOf(model: ParsedModel, pairing: 'half' | 'interleaved'): ParsedModel {
  const layers = model.layers.map(({ name, params }) => ({ name, params: { ...params, pairing } }));
  return { source: 'gguf', encoding: 'rope', layers, statements: [], assumed: [] };
}

const llama32 = {
  model_type: 'llama',
  head_dim: 64,
  hidden_size: 2048,
  num_attention_heads: 32,
  max_position_embeddings: 131072,
  rope_theta: 500000.0,
};
const llama3 = { low_freq_factor: 1, high_freq_factor: 4, original_max_position_embeddings: 8192, rope_type: 'llama3' };

describe('no public model', () => {
  test.each(Object.entries(hfConfigs))('%s raises a false alarm', (_, config) => {
    expect(findings(config).filter(({ severity }) => severity !== 'info')).toEqual([]);
  });
});

describe('pairing', () => {
  const config = hfConfigs['Llama-2-7B']!;

  test('that differs between weights and runtime is an error', () => {
    const model = parseHfConfig(config);
    const { severity, found, expected } = find('pairing_differs', config, { launch: ggufOf(model, 'interleaved') });
    expect([severity, found, expected]).toEqual(['error', 'interleaved', 'half']);
    expect(check(model, { launch: ggufOf(model, 'half') })).toEqual(check(model));
  });

  test('of an unknown architecture is an assumption', () => {
    expect(find('pairing_assumed', { head_dim: 64, rope_theta: 1e4 }).severity).toBe('info');
    expect(codes(hfConfigs['Qwen3-8B']!)).toEqual([]);
  });
});

test('what a model is served with is compared with what its source states', () => {
  const model = parseHfConfig(hfConfigs['Mixtral-8x7B-v0.1']!);
  const launch = ggufOf(model, 'half');
  launch.layers[0]!.params.base = 10000;
  expect(check(model, { launch })[0]).toMatchObject({
    code: 'launch_differs',
    key: 'rope_theta',
    found: 10000,
    expected: 1e6,
  });
});

describe('a learned table', () => {
  test('is too short for a longer text', () => {
    const options = { targetLength: 1025 };
    expect(find('past_learned_table', hfConfigs['GPT-2']!, options).severity).toBe('error');
    expect(findings(hfConfigs['GPT-2']!, { targetLength: 1024 })).toHaveLength(1);
  });
});

test('a longer text than the context is doubtful for a rotary model', () => {
  expect(find('past_context', hfConfigs['Llama-2-7B']!, { targetLength: 8192 })).toMatchObject({
    severity: 'warning',
    found: 8192,
    expected: 4096,
  });
  expect(findings(hfConfigs['BLOOM-7B1']!, { targetLength: 8192 })).toEqual([]);
});

describe('the scaling of a published size', () => {
  test('of Llama 3.2 has factor 32', () => {
    const wrong = { ...llama32, rope_scaling: { ...llama3, factor: 8 } };
    expect(find('scaling_for_size', wrong)).toMatchObject({
      severity: 'warning',
      key: 'rope_scaling.factor',
      found: 8,
      expected: 32,
    });
    expect(codes({ ...llama32, rope_scaling: { ...llama3, factor: 32 } })).toEqual(['pairing_permuted']);
    expect(find('scaling_for_size', llama32)).toMatchObject({ found: 'default', expected: 'llama3' });
  });

  test('is told by the head where the size is not stated', () => {
    const bare = { head_dim: 64, rope_theta: 5e5, rope_scaling: { ...llama3, factor: 8 } };
    expect(find('scaling_for_size', bare)).toMatchObject({ found: 8, expected: 32 });
    expect(codes({ ...bare, head_dim: 128 })).not.toContain('scaling_for_size');
  });

  test('of Gemma 3 holds for its global layers', () => {
    const config = { model_type: 'gemma3_text', hidden_size: 2560 };
    expect(find('scaling_for_size', config)).toMatchObject({ found: 'default', expected: 'linear' });
    expect(codes({ ...config, hidden_size: 1152, num_attention_heads: 4 })).not.toContain('scaling_for_size');
  });
});

test('a head width that is given counts, not hidden size / heads', () => {
  const config = { model_type: 'mistral', hidden_size: 5120, num_attention_heads: 32, head_dim: 128 };
  expect(find('head_dim_given', config)).toMatchObject({
    severity: 'info',
    key: 'head_dim',
    found: 128,
    expected: 160,
  });
  expect(codes({ ...config, head_dim: 160 })).toEqual(['pairing_permuted']);
});

test('layers without a rotary embedding are told, by the list or by the class', () => {
  const config = { model_type: 'qwen2', head_dim: 64 };
  expect(codes({ ...config, no_rope_layers: [1, 1, 1, 0] })).toEqual(['unrotated_layers']);
  expect(codes({ ...config, no_rope_layers: [1, 1, 1, 1] })).toEqual([]);
  expect(codes({ model_type: 'llama4_text' })).toEqual(['unrotated_layers']);
  expect(codes({ model_type: 'llama4_text', no_rope_layers: [1, 1] })).toEqual([]);
  expect(codes({ model_type: 'cohere2' })).toEqual(['unrotated_layers']);
});

test('layers with bases of their own are two tables', () => {
  const { found, why } = find('layer_tables', {
    rope_theta: 1e6,
    rope_local_base_freq: 10000,
    rope_scaling: { rope_type: 'linear', factor: 8 },
    head_dim: 256,
  });
  expect(found).toEqual(['full_attention', 'sliding_attention']);
  expect(why).toMatch(/full_attention: base 1000000, linear 8; sliding_attention: base 10000, default/);
});

test.each([
  [[16, 24, 24], undefined],
  [[16, 24, 23], 63],
  [[16, 24, 25], 65],
  [[16, 24, 24, 0], 64],
  [[64], 64],
])('sections %j of 64 pairs', (mrope_section, found) => {
  const config = { model_type: 'qwen2_vl', head_dim: 128, rope_scaling: { type: 'mrope', mrope_section } };
  const wrong = findings(config).filter(({ code }) => code === 'mrope_section_sum');
  expect(wrong.map(({ found: total, expected }) => [total, expected])).toEqual(
    found === undefined ? [] : [[found, 64]],
  );
});

describe('a key that contradicts another', () => {
  test.each([
    ['rope_theta', { rope_theta: 1e4, rope_parameters: { rope_type: 'default', rope_theta: 1e6 } }, 1e4, 1e6],
    ['rope_scaling.factor', { rope_parameters: { rope_type: 'linear', factor: 4 }, rope_scaling: { factor: 8 } }, 8, 4],
    ['rope_scaling.type', { rope_scaling: { rope_type: 'linear', type: 'yarn', factor: 4 } }, 'yarn', 'linear'],
    ['kv_channels', { rope_theta: 1e4, kv_channels: 128 }, 128, 64],
    ['partial_rotary_factor', { rotary_dim: 32, partial_rotary_factor: 0.25 }, 16, 32],
  ])('%s', (key, config, found, expected) => {
    expect(find('conflict', { model_type: 'phi', head_dim: 64, ...config })).toMatchObject({
      severity: 'error',
      key,
      found,
      expected,
    });
  });

  test('is none where both agree', () => {
    const rope_parameters = { rope_type: 'default', rope_theta: 1e6 };
    expect(codes({ model_type: 'qwen3', head_dim: 64, rope_theta: 1e6, rope_parameters })).toEqual([]);
    const rope_scaling = { rope_type: 'default', type: 'mrope', mrope_section: [16, 24, 24] };
    expect(codes({ model_type: 'qwen2_vl', head_dim: 128, rope_scaling })).toEqual([]);
  });
});

test('an older name of a key is told once, unless the new one stands beside it', () => {
  const config = { model_type: 'qwen2', head_dim: 64 };
  const legacy = find('legacy_key', { ...config, rope_scaling: { type: 'linear', factor: 8 } });
  expect(legacy).toMatchObject({ severity: 'info', key: 'rope_scaling.type', expected: 'rope_type' });
  expect(codes({ ...config, rope_scaling: { type: 'linear', rope_type: 'linear', factor: 8 } })).not.toContain(
    'legacy_key',
  );
});

test('what a scaling lacks is told by its key', () => {
  const config = { model_type: 'qwen2', head_dim: 64 };
  expect(find('unusable', { ...config, rope_scaling: { rope_type: 'linear' } })).toMatchObject({ key: 'factor' });
  expect(find('unusable', { ...config, rope_scaling: { rope_type: 'linear', factor: -1 } })).toMatchObject({
    key: 'rope_scaling.factor',
    found: -1,
  });
  expect(find('unusable', { ...config, rope_theta: -5 }).key).toBe('rope_theta');
  expect(find('scaling_without_type', { ...config, rope_scaling: { factor: 8 } }).found).toBe(8);
});

test('a head that turns as a whole cannot be odd', () => {
  const odd = find('unusable', { ...llama32, head_dim: 127 });
  expect(odd.found).toBe(127);
  expect(odd.why).toMatch(/even number from 2 to headDim = 127/);
  expect(parseHfConfig({ ...llama32, head_dim: 127, partial_rotary_factor: 0.5 }).layers[0]!.params.rotaryDim).toBe(62);
});

describe('the original context', () => {
  const config = { model_type: 'qwen2', head_dim: 64, max_position_embeddings: 32768 };
  const bounds = { low_freq_factor: 1, high_freq_factor: 4 };
  const lists = { short_factor: new Array(32).fill(1), long_factor: new Array(32).fill(2) };

  test.each([
    { rope_type: 'yarn', factor: 4 },
    { rope_type: 'llama3', factor: 4, ...bounds },
    { rope_type: 'longrope', factor: 4, ...lists },
  ])('is assumed where $rope_type does not state it', (scaling) => {
    const bare = { ...config, rope_scaling: scaling };
    expect(find('original_assumed', bare)).toMatchObject({ severity: 'warning', found: undefined });
    expect(parseHfConfig(bare).assumed).toEqual(['originalMaxPosition']);
    const stated = { ...config, rope_scaling: { ...scaling, original_max_position_embeddings: 8192 } };
    expect(codes(stated).filter((code) => code === 'original_assumed' || code === 'scaling_shortens')).toEqual([]);
  });

  test('is not asked of scalings that do without, or of a class that has it', () => {
    expect(codes({ ...config, rope_scaling: { rope_type: 'linear', factor: 4 } })).not.toContain('original_assumed');
    expect(codes({ ...config, rope_scaling: { rope_type: 'dynamic', factor: 4 } })).not.toContain('original_assumed');
    const phi3 = { model_type: 'phi3', head_dim: 64, max_position_embeddings: 131072 };
    expect(codes({ ...phi3, rope_scaling: { type: 'longrope', ...lists } })).not.toContain('original_assumed');
  });

  test('is not the longer one', () => {
    const scaling = { rope_type: 'yarn', factor: 4, original_max_position_embeddings: 65536 };
    expect(find('scaling_shortens', { ...config, rope_scaling: scaling })).toMatchObject({
      key: 'rope_scaling.original_max_position_embeddings',
      found: 65536,
      expected: 32768,
    });
  });

  test('is not stretched by a factor below 1', () => {
    const shorter = find('scaling_shortens', { ...config, rope_scaling: { rope_type: 'linear', factor: 0.25 } });
    expect(shorter).toMatchObject({ key: 'rope_scaling.factor', found: 0.25, expected: 4 });
    const dynamic = { ...config, rope_scaling: { rope_type: 'dynamic', factor: 0.5 } };
    expect(codes(dynamic)).not.toContain('scaling_shortens');
  });
});

describe('a key of a scaling that nothing is read from', () => {
  const config = { model_type: 'qwen2', head_dim: 64, max_position_embeddings: 32768 };
  const yarn = { rope_type: 'yarn', factor: 4, original_max_position_embeddings: 8192 };

  test('is told', () => {
    const scaling = { ...yarn, attn_factor: 1.2, betafast: 16, alpha: 2, beta_slow: null };
    expect(find('not_read', { ...config, rope_scaling: scaling }).found).toEqual(
      ['attn_factor', 'betafast', 'alpha'].map((key) => `rope_scaling.${key}`),
    );
    const perLayer = { full_attention: { ...yarn, attn_factor: 2 }, sliding_attention: { rope_type: 'default' } };
    expect(find('not_read', { ...config, rope_parameters: perLayer }).found).toEqual([
      'rope_parameters.full_attention.attn_factor',
    ]);
    expect(codes({ ...config, rope_scaling: yarn })).not.toContain('not_read');
  });

  test('and is not the alpha of HunYuan', () => {
    const hunyuan = { ...config, rope_scaling: { type: 'dynamic', alpha: 1000, factor: 1 } };
    expect(parseHfConfig(hunyuan).unread).toBeUndefined();
  });

  // Qwen/Qwen-7B, modeling_qwen.py: get_ntk_alpha
  test('nor is the dynamic scaling of Qwen-7B a type here', () => {
    const qwen = { model_type: 'qwen', seq_length: 8192, rotary_pct: 1 };
    expect(find('not_read', { ...qwen, use_dynamic_ntk: true }).found).toEqual(['use_dynamic_ntk']);
    expect(find('not_read', { ...qwen, use_logn_attn: true }).found).toEqual(['use_logn_attn']);
    expect(codes({ ...qwen, use_dynamic_ntk: false })).toEqual([]);
  });
});

describe('a key that stands twice in one object', () => {
  test('is told, with its path', () => {
    const text = `{"model_type": "qwen2", "head_dim": 64, "rope_theta": 1e4, "rope_\\u0074heta": 1e6,
      "rope_scaling": {"factor": 2, "type": "linear", "factor": 4}, "ids": [{"a": 1}, {"b": 1, "b": 2}]}`;
    const model = parseHfConfig(text);
    expect(model.duplicateKeys).toEqual(['rope_theta', 'rope_scaling.factor', 'ids[1].b']);
    expect(model.layers[0]!.params).toMatchObject({ base: 1e6, factor: 4 }); // as Python takes them
    const doubled = check(model).filter(({ code }) => code === 'duplicate_key');
    expect(doubled.map(({ key }) => key)).toEqual(model.duplicateKeys);
    expect(doubled[0]!.why).toMatch(/^rope_theta stands twice/);
    const served = check(parseHfConfig('{"model_type": "qwen2", "head_dim": 64}'), { launch: model });
    expect(served.map(({ code }) => code)).toContain('duplicate_key');
    expect(check(model, { language: 'zh-Hans' }).map(({ why }) => why)).toContainEqual(
      expect.stringMatching(/^rope_theta 在同一对象中出现了两次/),
    );
  });

  test('and not one that only looks like it', () => {
    for (const text of [
      '{"model_type": "qwen2", "rope_theta": 1, "a": {"rope_theta": 2}, "b": {"rope_theta": 3}}',
      '{"model_type": "qwen2", "a": "rope_theta", "b": "rope_theta", "c": ["a", "a", {"a": 1}]}',
      String.raw`{"model_type": "qwen2", "a": "\"b\": {\"a\": [", "c": "\\", "d": ["]", "}"], "e": NaN}`,
    ]) {
      expect(parseHfConfig(text).duplicateKeys, text).toBeUndefined();
    }
  });

  test('the first 16 are named', () => {
    const pairs = Array.from({ length: 40 }, (_, i) => `"k${i}": 1, "k${i}": 2`);
    expect(parseHfConfig(`{"model_type": "qwen2", ${pairs.join(', ')}}`).duplicateKeys).toHaveLength(16);
  });

  test('in what a flag states', () => {
    const flags = parseFlags(`vllm serve x --hf-overrides '{"rope_theta": 1e4, "rope_theta": 1e6}'`);
    expect([flags.duplicateKeys, flags.layers[0]!.params.base]).toEqual([['--hf-overrides rope_theta'], 1e6]);
  });
});

// ggml/src/ggml.c of llama.cpp: ggml_rope_yarn_corr_dims takes the floor of the first bound and the ceiling of the second
describe('the ramp of gpt-oss, whose bounds are no whole pairs', () => {
  const gptOss = { model_type: 'gpt_oss', head_dim: 64, rope_theta: 150000, max_position_embeddings: 131072 };
  const rope_scaling = {
    ...{ rope_type: 'yarn', factor: 32, beta_fast: 32, beta_slow: 1, truncate: false },
    original_max_position_embeddings: 4096,
  };
  const config = { ...gptOss, rope_scaling };

  test.each(['-c 131072', 'koboldcpp --contextsize 131072', 'PARAMETER num_ctx 131072'])('is rounded by %s', (line) => {
    const found = find('ramp_rounded', config, { launch: parseFlags(line) });
    expect(found).toMatchObject({ key: 'rope_scaling.truncate', found: true, expected: false });
    // θ (1 − share) + θ / 32 × share, with the share rising between the two bounds
    const bound = (turns: number) => (32 * Math.log(4096 / (2 * Math.PI * turns))) / Math.log(150000);
    const [low, high] = [bound(32), bound(1)];
    expect([Math.floor(low), Math.ceil(high)]).toEqual([8, 18]);
    const speed = (pair: number, from: number, to: number) => {
      const share = Math.min(Math.max((pair - from) / (to - from), 0), 1);
      return 1 - share + share / 32;
    };
    const changes = Array.from({ length: 32 }, (_, pair) => Math.abs(speed(pair, 8, 18) / speed(pair, low, high) - 1));
    const changed = changes.filter((change) => change > 1e-9).length;
    const most = Number((100 * Math.max(...changes)).toPrecision(6));
    expect(found.why).toContain(`${changed} of 32 pairs turn at another speed, by up to ${most} %.`);
  });

  test('also in a GGUF file of it', () => {
    const { truncate: _, ...ofFile } = rope_scaling;
    const file = { ...parseHfConfig({ ...config, rope_scaling: ofFile }), source: 'gguf' as const };
    expect(find('ramp_rounded', config, { launch: file }).found).toBe(true);
  });

  test('and not by vLLM, nor where the model rounds as well', () => {
    const vllm = parseFlags('vllm serve openai/gpt-oss-20b --max-model-len 131072');
    const rounds = { ...config, rope_scaling: { ...rope_scaling, truncate: true } };
    const plain = parseFlags('--rope-scaling none');
    for (const found of [
      findings(config),
      findings(config, { launch: vllm }),
      findings(config, { launch: plain }),
      findings(rounds, { launch: parseFlags('-c 131072') }),
    ]) {
      expect(found.map(({ code }) => code)).not.toContain('ramp_rounded');
    }
  });
});

test('where the factor of the table comes from, beside that of the softmax', () => {
  // g(m) = 0.1 m ln factor + 1
  const gain = (strength: number) => 0.1 * strength * Math.log(16) + 1;
  const shown = (value: number) => String(Number(value.toPrecision(6))).replace('.', '\\.');
  const why = (strengths: object) => {
    const scaling = { rope_type: 'yarn', factor: 16, original_max_position_embeddings: 4096, ...strengths };
    const config = { model_type: 'deepseek_v3', max_position_embeddings: 65536, rope_scaling: scaling };
    const softmax = new RegExp(`softmax scale by ${shown(gain(0.7) ** 2)} besides`);
    expect(find('softmax_factor', config).why).toMatch(softmax);
    return find('softmax_factor', config).why;
  };
  expect(why({ attention_factor: 1.2, mscale: 0.9, mscale_all_dim: 0.7 })).toMatch(
    /^Cosines and sines are multiplied by 1\.2, the attention factor that is given/,
  );
  expect(why({ mscale_all_dim: 0.7 })).toMatch(
    new RegExp(`multiplied by ${shown(gain(1))}, the usual factor of YaRN, since only mscale_all_dim is given`),
  );
  const ratio = shown(gain(0.9) / gain(0.7));
  expect(why({ mscale: 0.9, mscale_all_dim: 0.7 })).toMatch(
    new RegExp(
      `multiplied by ${ratio}, the ratio of the two strengths; without these keys it would be ${shown(gain(1))}`,
    ),
  );
});

test('what had to be assumed is told', () => {
  const bare = { rope_scaling: { rope_type: 'default' } };
  expect(codes(bare)).toEqual(['head_dim_assumed', 'pairing_assumed']);
  expect(codes({ hidden_size: 64, num_attention_heads: 2 })).toEqual(['encoding_assumed', 'pairing_assumed']);
});

test('findings come gravest first, with the severity of their code', () => {
  const found = findings({ head_dim: 64, rope_theta: 1e4, rope_parameters: { type: 'linear', rope_theta: 1e6 } });
  expect(found.map(({ severity }) => severity)).toEqual(['error', 'error', 'info', 'info']);
  for (const { code, severity, key, why } of found) {
    expect(severity).toBe(FINDINGS[code].severity);
    expect(key).not.toBe('');
    expect(why).toMatch(/\.$/);
  }
  for (const code of Object.keys(FINDINGS)) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
});

describe('a model beside the same model in other words', () => {
  const differences = (config: object, launch: ParsedModel) =>
    findings(config, { launch }).filter(({ severity }) => severity !== 'info');
  const entry = (value: number) => (Number.isInteger(value) ? { u32: value } : { f32: value });

  function keysOf(architecture: string, numbers: Record<string, number>) {
    const keys = Object.entries(numbers).map(([key, value]) => [`${architecture}.${key}`, entry(value)]);
    return { 'general.architecture': { string: architecture }, ...Object.fromEntries(keys) };
  }

  test('factors in single precision are the same, and the first that is not is named', async () => {
    const long_factor = Array.from({ length: 48 }, (_, pair) => 1 + pair / 7);
    const short_factor = long_factor.map(() => 1.1);
    const config = {
      ...{ model_type: 'phi3', hidden_size: 3072, num_attention_heads: 32, rope_theta: 10000 },
      ...{ max_position_embeddings: 131072, original_max_position_embeddings: 4096 },
      rope_scaling: { type: 'longrope', long_factor, short_factor },
    };
    const keys = keysOf('phi3', {
      ...{ context_length: 131072, embedding_length: 3072, 'attention.head_count': 32, 'rope.dimension_count': 96 },
      ...{ 'rope.freq_base': 10000, 'rope.scaling.original_context_length': 4096 },
    });
    const launch = (long: number[]) =>
      parseGguf(
        ggufFile({
          keys,
          tensors: {
            'rope_factors_short.weight': { shape: [48], type: 0, data: f32Bytes(short_factor) },
            'rope_factors_long.weight': { shape: [48], type: 0, data: f32Bytes(long) },
          },
        }),
      );
    expect(differences(config, await launch(long_factor))).toEqual([]);
    const other = differences(config, await launch(long_factor.map((factor, pair) => (pair === 7 ? 2.5 : factor))));
    expect(other).toMatchObject([{ code: 'launch_differs' }]);
    expect(other[0]!.why).toBe('The model is served with longFactor[7] 2.5 where its source states 2.');
  });

  test('mrope is called default in a file and in flags of vLLM', async () => {
    const config = {
      ...{ model_type: 'qwen2_vl', hidden_size: 3584, num_attention_heads: 28, max_position_embeddings: 32768 },
      ...{ rope_theta: 1e6, rope_scaling: { type: 'mrope', mrope_section: [16, 24, 24] } },
    };
    const keys = {
      ...keysOf('qwen2vl', { context_length: 32768, embedding_length: 3584, 'attention.head_count': 28 }),
      'qwen2vl.rope.freq_base': { f32: 1e6 },
      'qwen2vl.rope.dimension_sections': { u32s: [16, 24, 24, 0] },
    };
    expect(differences(config, await parseGguf(ggufFile({ keys })))).toEqual([]);
    const line = render(parseHfConfig(config).layers[0]!.params, 'vllm');
    expect(differences(config, parseFlags(line))).toEqual([]);
  });

  test('a file may state the whole head of latent attention', async () => {
    const config = {
      ...{ model_type: 'deepseek_v3', hidden_size: 7168, num_attention_heads: 128, qk_rope_head_dim: 64 },
      ...{ qk_nope_head_dim: 128, rope_theta: 10000, max_position_embeddings: 4096 },
    };
    const numbers = { context_length: 4096, embedding_length: 7168, 'attention.head_count': 128 };
    const launch = (turned: number) => {
      const widths = { 'attention.key_length': 192, 'rope.dimension_count': turned, 'rope.freq_base': 10000 };
      return parseGguf(ggufFile({ keys: keysOf('deepseek2', { ...numbers, ...widths }) }));
    };
    expect(differences(config, await launch(64))).toEqual([]);
    expect(differences(config, await launch(32)).map(({ code }) => code)).toContain('launch_differs');
  });

  test.each<[string, object, share: number]>([
    ['GPT-NeoX', { model_type: 'gpt_neox', hidden_size: 6144, num_attention_heads: 64, rotary_pct: 0.25 }, 0.25],
    ['Phi-2', { model_type: 'phi', hidden_size: 2560, num_attention_heads: 32, partial_rotary_factor: 0.4 }, 0.4],
  ])('the share of a head that turns is one of the head of the model: %s', (_, config, share) => {
    const line = (partial_rotary_factor: number) =>
      parseFlags(`vllm serve --hf-overrides '${JSON.stringify({ rope_parameters: { partial_rotary_factor } })}'`);
    const whole = { ...config, max_position_embeddings: 2048, rope_theta: 10000 };
    expect(differences(whole, line(share))).toEqual([]);
    expect(differences(whole, line(0.5))).toMatchObject([{ code: 'launch_differs' }]);
  });
});

test('flags of a launch that look like those about positions and are not known are told, and no others', () => {
  const launch = parseFlags('llama-server -m a.gguf -ngl 99 -c 4096 --rope-scaleing yarn --yarn-org-ctx 9');
  const { found } = find('not_read', hfConfigs['Llama-2-7B']!, { launch });
  expect(found).toEqual(['--rope-scaleing yarn', '--yarn-org-ctx 9']);
  const known = parseFlags('llama-server -m a.gguf -ngl 99 -c 4096');
  expect(findings(hfConfigs['Llama-2-7B']!, { launch: known }).map(({ code }) => code)).not.toContain('not_read');
});

// Source: ggml-org/llama.cpp, src/llama-model.cpp and src/llama-context.cpp: a file without a type is linear.
test('llama.cpp takes a scale without a type: linear, or the type of the model', () => {
  const launch = parseFlags('llama-server -c 16384 --rope-scale 4');
  expect(check(launch).map(({ code }) => code)).not.toContain('scaling_without_type');
  const plain = find('short_prompts_changed', hfConfigs['Llama-2-7B']!, { launch });
  expect([plain.key, plain.found]).toEqual(['--rope-scale', 4]);
  expect(plain.why).toMatch(/^linear with factor 4 /);
  const rope_scaling = { rope_type: 'yarn', factor: 2, original_max_position_embeddings: 4096 };
  const yarn = find('short_prompts_changed', { ...hfConfigs['Llama-2-7B']!, rope_scaling }, { launch });
  expect(yarn.why).toMatch(/^yarn with factor 4 /);
});

test('refuses a wrong option', () => {
  const model = parseHfConfig(hfConfigs['GPT-2']!);
  expect(() => check(model, { targetLength: 0 })).toThrowError(expect.objectContaining({ argument: 'targetLength' }));
  expect(() => check(model, { target: 5 } as object)).toThrowError(expect.objectContaining({ argument: 'target' }));
});

test('takes a model made by hand, and refuses what is none', () => {
  const layers = [{ name: 'all', params: { headDim: 128, mropeSection: [16, 24, 23] } }];
  expect(check({ layers })).toMatchObject([
    { code: 'mrope_section_sum', key: 'mrope_section', found: 63, expected: 64 },
  ]);
  const wrong: unknown[] = [undefined, null, {}, [], 'llama', { layers: {} }, { layers: [1] }, { layers: [{}] }];
  for (const model of [...wrong, { layers, statements: 5 }] as ParsedModel[]) {
    expect(() => check(model)).toThrowError(expect.objectContaining({ name: 'PosencError', argument: 'model' }));
    if (model === undefined) continue;
    expect(() => check({ layers }, { launch: model })).toThrowError(expect.objectContaining({ argument: 'launch' }));
  }
});

test('what a model is served with: its own embedding with what flags change, or that of a file', () => {
  const model = parseHfConfig({
    model_type: 'llama',
    head_dim: 64,
    max_position_embeddings: 8192,
    rope_theta: 500000,
  });
  const own = model.layers[0]!.params;
  expect(served(model, parseFlags('-c 32768'))).toEqual(model.layers);
  expect(served(model, parseFlags('--rope-scaling yarn --rope-scale 4 --rope-freq-base 10000'))).toEqual([
    { name: 'all', params: { ...own, type: 'yarn', factor: 4, base: 10000, originalMaxPosition: 8192 } },
  ]);
  const file: ParsedModel = { ...model, source: 'gguf', layers: [{ name: 'all', params: { ...own, base: 10000 } }] };
  expect(served(model, file)).toEqual(file.layers);
  expect(() => served(model, {} as ParsedModel)).toThrow(/^launch must be a model/);
});
