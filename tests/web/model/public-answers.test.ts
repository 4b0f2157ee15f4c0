import {
  check,
  parseFlags,
  parseGguf,
  parseHfConfig,
  planExtension,
  render,
  renderNotes,
  ropeFrequencies,
  rotaryFacts,
  type CheckOptions,
  type FindingCode,
  type ParsedModel,
  type RopeParams,
} from 'posenc';
import { describe, expect, test } from 'vitest';
import { expectNear } from '../support/compare.ts';
import { ggufFile } from '../support/gguf-file.ts';

// Problems that people met in public, by number: what is said about each configuration, file or line of flags. The numbers
// behind the answers are in public-cases.test.ts.

const near = { relative: 1e-12 };

function series(dim: number, base: number): Float64Array {
  return Float64Array.from({ length: dim / 2 }, (_, p) => base ** ((-2 * p) / dim));
}

/** The one finding of a code. */
function find(code: FindingCode, model: ParsedModel, options?: CheckOptions) {
  const found = check(model, options).filter((one) => one.code === code);
  expect(found, code).toHaveLength(1);
  return found[0]!;
}

function codes(model: ParsedModel, options?: CheckOptions): FindingCode[] {
  return check(model, options).map(({ code }) => code);
}

function paramsOf(config: object): RopeParams {
  return parseHfConfig(config).layers[0]!.params;
}

const sizes = { hidden_size: 4096, num_attention_heads: 32 };
const llama = { model_type: 'llama', ...sizes, max_position_embeddings: 4096, rope_theta: 10_000 };
const qwen = { model_type: 'qwen2', ...sizes, max_position_embeddings: 32_768, rope_theta: 1e6 };

test('A2: the file of a converted Llama has other pairs than its configuration, and no error', async () => {
  const hf = parseHfConfig(llama);
  const keys = { 'general.architecture': { string: 'llama' }, 'llama.rope.dimension_count': { u32: 128 } };
  const gguf = await parseGguf(ggufFile({ keys: { ...keys, 'llama.rope.freq_base': { f32: 10_000 } } }));
  expect([hf, gguf].map(({ layers }) => layers[0]!.params.pairing)).toEqual(['half', 'interleaved']);
  const found = check(hf, { launch: gguf });
  expect(found.filter(({ severity }) => severity !== 'info')).toEqual([]);
  expect(found.find(({ code }) => code === 'pairing_permuted')?.why).toMatch(
    /rows i and i \+ 64 .* rows 2i and 2i \+ 1/,
  );
  // Weights of Meta in a runtime for the others.
  const layers = [{ name: 'all', params: { headDim: 128, pairing: 'interleaved' } satisfies RopeParams }];
  expect(check({ layers }, { launch: hf })[0]?.code).toBe('pairing_differs');
});

describe('context extension', () => {
  const dynamic = {
    ...llama,
    hidden_size: 2048,
    max_position_embeddings: 2048,
    rope_theta: 1000,
    rope_scaling: { type: 'dynamic', factor: 2 },
  };

  test('A18: dynamic scaling is refused for a runtime that computes the base once', () => {
    expect(find('depends_on_length', parseHfConfig(dynamic)).why).toMatch(/computes the base once/);
    expect(() => render(paramsOf(dynamic), 'vllm')).toThrowError(/computes the base once/);
    const [, , , option] = planExtension({ headDim: 64, base: 1000, maxPosition: 2048 }, 4096);
    expect(option?.rule).toBe('dynamic');
    expectNear([option!.base], [3108.2236667168813], near);
  });

  test('A19: keys that were cached under another base are named', () => {
    expect(find('depends_on_length', parseHfConfig(dynamic)).why).toMatch(
      /the old one again for the next short text\. Keys that were cached under another base do not match/,
    );
  });

  test('A20: alpha is the factor of NTK-aware scaling, and reaches less than alpha times the context', () => {
    const ntk = planExtension({ headDim: 128, maxPosition: 2048 }, 8192).find(({ rule }) => rule === 'ntk')!;
    expectNear([ntk.base], [40889.94243248622], near);
    expect(ntk.outOfRange).toBeGreaterThan(0);
    expect(ntk.lines.exllama).toBe('-l 8192 -rs 1 -ra 4');
    const { layers } = parseFlags(ntk.lines.exllama!, { runtime: 'exllama' });
    expect(layers[0]!.params).toMatchObject({ type: 'ntk', factor: 4 });
  });

  const yarn = (scaling: object, theta = 10_000) => ({
    model_type: 'deepseek_v3',
    ...sizes,
    max_position_embeddings: 65_536,
    rope_theta: theta,
    rope_scaling: { rope_type: 'yarn', factor: 16, original_max_position_embeddings: 4096, ...scaling },
  });

  test('A21: both strengths are told apart from the softmax, and from their absence', () => {
    const { found, why } = find('softmax_factor', parseHfConfig(yarn({ mscale: 1, mscale_all_dim: 1 })));
    expect(found).toMatchObject({ attentionFactor: 1 });
    expectNear([(found as { softmaxFactor: number }).softmaxFactor], [1.6313902266748685], near);
    expect(why).toMatch(/multiplied by 1, .* it would be 1\.27726\. .* softmax scale by 1\.63139 /);
    expect(codes(parseHfConfig(yarn({})))).not.toContain('softmax_factor');
  });

  test('A22: the flag that takes the factor of ggml back', () => {
    const params = paramsOf(yarn({ factor: 64, mscale: 1, mscale_all_dim: 1 }, 50_000));
    const { value } = rotaryFacts(params).factorNames['llama.cpp'].attention!;
    expectNear([value], [0.7062703986695512], near);
    expect(renderNotes(params, 'llama.cpp').join(' ')).toContain(`--yarn-attn-factor ${value}`);
  });

  test('A23: an attention factor that is given is final, whatever a runtime calls it', () => {
    const given = 1.4852030263919618;
    const model = parseHfConfig(yarn({ factor: 128, attention_factor: given }));
    const { why, expected } = find('attention_factor_given', model);
    expectNear([expected as number], [given], near);
    expect(why).toMatch(/1\.4852 is final, .* multiplies the two gets 2\.20583/);
    const { params } = model.layers[0]!;
    expect(JSON.parse(render(params, 'hf-v4'))).toMatchObject({ rope_scaling: { attention_factor: given } });
    for (const target of ['llama.cpp', 'vllm'] as const) expect(render(params, target)).not.toMatch(/attn.factor/);
  });

  test('A24: Llama 3.2 with the factor of 3.1, in both languages', () => {
    const model = parseHfConfig({
      model_type: 'llama',
      head_dim: 64,
      rope_theta: 500_000,
      rope_scaling: {
        rope_type: 'llama3',
        factor: 8,
        low_freq_factor: 1,
        high_freq_factor: 4,
        original_max_position_embeddings: 8192,
      },
    });
    expect(find('scaling_for_size', model)).toMatchObject({ severity: 'warning', found: 8, expected: 32 });
    expect(find('scaling_for_size', model, { language: 'zh-Hans' }).why).toMatch(
      /Llama 3\.2 用的是 llama3 缩放，倍数为 32/,
    );
    expect(rotaryFacts({ ...model.layers[0]!.params, factor: 32 }).zones).toEqual([
      { zone: 'kept', from: 0, to: 14 },
      { zone: 'blended', from: 15, to: 17 },
      { zone: 'scaled', from: 18, to: 31 },
    ]);
    expect(() => render(model.layers[0]!.params, 'llama.cpp')).toThrowError(/tensors of the GGUF file/);
  });

  test('A25: a blended pair survives both schemas', () => {
    const params: RopeParams = {
      headDim: 4,
      base: (4000 / (2 * Math.PI)) ** 2,
      type: 'llama3',
      factor: 8,
      lowFreqFactor: 1,
      highFreqFactor: 4,
      originalMaxPosition: 8192,
    };
    for (const target of ['hf-v4', 'hf-v5'] as const) {
      const { divisor } = ropeFrequencies(paramsOf(JSON.parse(render(params, target)) as object));
      expectNear([divisor[1]!], [2.321981424148607], near);
    }
  });

  test('A26: a runtime that chooses its LongRoPE list by the allocated size differs', () => {
    const ones = new Array<number>(64).fill(1);
    const config = {
      model_type: 'phi3',
      ...sizes,
      max_position_embeddings: 131_072,
      original_max_position_embeddings: 4096,
      rope_scaling: { type: 'longrope', short_factor: ones, long_factor: ones.map((one) => 8 * one) },
    };
    expect(find('depends_on_length', parseHfConfig(config)).why).toMatch(
      /up to 4096 tokens take the short factors, .* chooses by the size it allocates takes the long ones/,
    );
    expect(renderNotes(paramsOf(config), 'vllm').join(' ')).toMatch(/chosen by --max-model-len/);
  });

  test('A27: factor 2 is enough for 64k, and changes short texts less than the factor 4 that was copied', () => {
    const copied = parseHfConfig({
      ...qwen,
      rope_scaling: { rope_type: 'yarn', factor: 4, original_max_position_embeddings: 32_768 },
    });
    const { severity, found, expected, why } = find('factor_too_large', copied, { targetLength: 65_536 });
    expect([severity, found, expected]).toEqual(['warning', 4, 2]);
    expect(why).toMatch(/factor 2 is enough, with attention factor 1\.06931/);
    const plan = planExtension(copied.layers[0]!.params, 65_536);
    const [asItIs, smaller] = plan;
    expect(smaller).toMatchObject({ rule: 'smaller-factor', recommended: true });
    expectNear([smaller!.attentionFactor], [1.0693147180559945], near);
    expect(smaller!.shortChange).toBeLessThan(asItIs!.shortChange);
    expect(find('short_prompts_changed', copied).why).toMatch(/distances below 100/);
    const fresh = planExtension({ headDim: 128, base: 1e6, maxPosition: 32_768 }, 65_536);
    expect(fresh.find(({ recommended }) => recommended)).toMatchObject({ rule: 'yarn', params: { factor: 2 } });
  });
});

describe('flags, files and configurations', () => {
  test('A28: a scale and its inverse are one setting, written alike', () => {
    const lines = ['--rope-scale 8', '--rope-freq-scale 0.125'].map((line) => parseFlags(line).layers[0]!.params);
    expect(lines[0]).toEqual(lines[1]);
    expect(lines[0]).toMatchObject({ type: 'linear', factor: 8 });
    const written = lines.map((params) => render(params, 'koboldcpp'));
    expect(written).toEqual(['--ropeconfig 0.125 10000', '--ropeconfig 0.125 10000']);
  });

  test('A29: a scale and a base at once is unusual, and told with its wavelengths', () => {
    const flags = parseFlags('--ropeconfig 0.5 70000');
    expect(flags.layers[0]!.params).toMatchObject({ type: 'linear', factor: 2, base: 70_000 });
    const { severity, why } = find('scale_and_base', parseHfConfig(llama), { launch: flags });
    expect(severity).toBe('warning');
    const slowest = 2 * 2 * Math.PI * 70_000 ** (126 / 128);
    expect(why).toContain(`12.5664 … ${Number(slowest.toPrecision(6))} tokens`);
    expect(codes(flags)).toContain('scale_and_base');
    expect(codes(parseFlags('--ropeconfig 0.5 10000'))).not.toContain('scale_and_base');
  });

  test('A30: a file without a base is an error beside a configuration with another, with the lines that mend it', async () => {
    const keys = { 'general.architecture': { string: 'llama' }, 'llama.rope.dimension_count': { u32: 128 } };
    const gguf = await parseGguf(ggufFile({ keys }));
    const hf = parseHfConfig({ ...llama, rope_theta: 1e6 });
    const { severity, found, expected, why } = find('freq_base_missing', hf, { launch: gguf });
    expect([severity, found, expected]).toEqual(['error', 10_000, 1e6]);
    const slowest = (base: number) => String(Number((2 * Math.PI * base ** (126 / 128)).toPrecision(6)));
    expect(why).toContain(`once in ${slowest(10_000)} tokens instead of ${slowest(1e6)}`);
    expect(why).toContain('--rope-freq-base 1000000 in llama.cpp');
    expect(why).toContain('PARAMETER rope_frequency_base 1000000 in Ollama');
    expect(find('freq_base_missing', gguf, { launch: hf })).toMatchObject({ found: 10_000, expected: 1e6 });
    expect(find('freq_base_assumed', gguf).severity).toBe('info');
    expect(codes(parseHfConfig(llama), { launch: gguf })).not.toContain('freq_base_missing');
    expect(render(hf.layers[0]!.params, 'ollama')).toMatch(/^PARAMETER rope_frequency_base 1000000$/m);
  });

  test('A31: rope_parameters alone are enough, and a key beside them that differs is an error', () => {
    const rope_parameters = {
      rope_type: 'longrope',
      rope_theta: 5e4,
      short_factor: new Array<number>(64).fill(1),
      long_factor: new Array<number>(64).fill(8),
      original_max_position_embeddings: 4096,
    };
    const config = { ...sizes, model_type: 'phi3', max_position_embeddings: 131_072, rope_parameters };
    expect(paramsOf(config)).toMatchObject({ base: 5e4, type: 'longrope', originalMaxPosition: 4096 });
    expect(codes(parseHfConfig(config))).not.toContain('conflict');
    expect(find('conflict', parseHfConfig({ ...config, rope_theta: 1e6 }))).toMatchObject({
      severity: 'error',
      key: 'rope_theta',
      found: 1e6,
      expected: 5e4,
    });
  });

  test('A32: the old key of the type is read, and told', () => {
    const model = parseHfConfig({ ...llama, rope_scaling: { type: 'linear', factor: 8 } });
    expect(model.layers[0]!.params).toMatchObject({ type: 'linear', factor: 8 });
    expect(find('legacy_key', model)).toMatchObject({ severity: 'info', key: 'rope_scaling.type' });
    expect(JSON.parse(render(model.layers[0]!.params, 'hf-v4'))).toMatchObject({
      rope_scaling: { rope_type: 'linear' },
    });
  });

  test('A33: the given width of a head counts, and is told', () => {
    const config = { model_type: 'mistral', hidden_size: 5120, num_attention_heads: 32, rope_theta: 1e6 };
    const given = parseHfConfig({ ...config, head_dim: 128 });
    expect(rotaryFacts(given.layers[0]!.params).pairs).toBe(64);
    expect(find('head_dim_given', given)).toMatchObject({ found: 128, expected: 160 });
    expect(rotaryFacts(paramsOf(config)).pairs).toBe(80);
  });

  test('A34: a partial width is kept in both schemas', () => {
    const config = { head_dim: 256, partial_rotary_factor: 0.25, rope_theta: 1e7, max_position_embeddings: 32_768 };
    for (const params of [
      paramsOf(config),
      ...(['hf-v4', 'hf-v5'] as const).map((target) =>
        paramsOf(JSON.parse(render(paramsOf(config), target)) as object),
      ),
    ]) {
      const { invFreq } = ropeFrequencies(params);
      expect(invFreq).toHaveLength(32);
      expectNear([invFreq[1]!], [0.6042963902381329], near);
    }
  });

  test('A35: the global and the local table of Gemma 3 are both told', () => {
    const model = parseHfConfig({
      rope_theta: 1e6,
      rope_local_base_freq: 10_000,
      rope_scaling: { rope_type: 'linear', factor: 8 },
      head_dim: 256,
    });
    expect(find('layer_tables', model).why).toMatch(
      /full_attention: base 1000000, linear 8; sliding_attention: base 10000, default/,
    );
    const [global, local] = model.layers.map(({ params }) => ropeFrequencies(params).invFreq);
    expectNear(global!.subarray(0, 2), [0.125, 0.11221089155591428], near);
    expectNear(local!, series(256, 10_000), near);
  });

  test('A36: sections that miss a pair are an error with both numbers', () => {
    const config = (mrope_section: number[]) => ({
      ...qwen,
      model_type: 'qwen2_vl',
      head_dim: 128,
      rope_scaling: { type: 'mrope', mrope_section },
    });
    expect(codes(parseHfConfig(config([16, 24, 24])))).not.toContain('mrope_section_sum');
    expect(find('mrope_section_sum', parseHfConfig(config([16, 24, 23])))).toMatchObject({
      severity: 'error',
      found: 63,
      expected: 64,
    });
  });
});

describe('what a model is served with', () => {
  test('a context that flags make room for is a length to check', () => {
    const model = parseHfConfig(qwen);
    expect(codes(model, { launch: parseFlags('-c 65536') })).toEqual(['past_context']);
    expect(codes(model, { launch: parseFlags('-c 8192') })).toEqual([]);
    const scaled = parseFlags('-c 65536 --rope-scaling yarn --rope-scale 2 --yarn-orig-ctx 32768');
    expect(codes(model, { launch: scaled })).not.toContain('past_context');
    const tooFar = parseFlags('-c 65536 --rope-scaling yarn --rope-scale 4');
    expect(find('factor_too_large', model, { launch: tooFar })).toMatchObject({ found: 4, expected: 2 });
  });

  test('flags that are not about positions are told, once', () => {
    const flags = parseFlags('--rope-scale 2 --rope-freq-bas 5 --temp 0.7');
    expect(find('not_read', flags).why).toMatch(/--rope-freq-bas 5, --temp 0\.7/);
  });
});

test('everything that is found is said in Chinese as well', () => {
  const model = parseHfConfig({
    ...qwen,
    rope_scaling: { type: 'yarn', factor: 4, attention_factor: 2, original_max_position_embeddings: 32_768 },
  });
  const options = { targetLength: 65_536, launch: parseFlags('--ropeconfig 0.5 70000 --host a') };
  const english = check(model, options);
  const chinese = check(model, { ...options, language: 'zh-Hans' });
  expect(chinese.map(({ code }) => code)).toEqual(english.map(({ code }) => code));
  for (const { why } of chinese) expect(why).toMatch(/\p{Script=Han}/u);
  for (const { why } of english) expect(why).not.toMatch(/\p{Script=Han}/u);
  expect(() => check(model, { language: 'fr' as never })).toThrowError(
    expect.objectContaining({ argument: 'language' }),
  );
});
