import {
  parseHfConfig,
  render,
  RENDER_TARGETS,
  renderNotes,
  ropeFrequencies,
  rotaryFacts,
  type RenderTarget,
  type RopeParams,
} from 'posenc';
import { describe, expect, test } from 'vitest';
import { expectNear } from '../support/compare.ts';
import { hfConfigs } from '../support/hf-configs.ts';

const near = { relative: 1e-12 };
const plain = { headDim: 128, base: 1e6 } satisfies RopeParams;
const linear = { ...plain, type: 'linear', factor: 8 } satisfies RopeParams;
const ntk = { headDim: 128, base: 10_000, type: 'ntk', factor: 4 } satisfies RopeParams;
const yarn = { ...plain, type: 'yarn', factor: 4, originalMaxPosition: 32_768 } satisfies RopeParams;
const dynamic = { ...plain, type: 'dynamic', factor: 2, originalMaxPosition: 2048 } satisfies RopeParams;
const llama3 = {
  ...plain,
  type: 'llama3',
  factor: 8,
  lowFreqFactor: 1,
  highFreqFactor: 4,
  originalMaxPosition: 8192,
} satisfies RopeParams;

describe('the keys of a configuration', () => {
  test.each(['hf-v4', 'hf-v5'] as const)('are read back by parseHfConfig as they were: %s', (target) => {
    for (const [name, config] of Object.entries(hfConfigs)) {
      for (const { params } of parseHfConfig(config).layers) {
        if (target === 'hf-v4' && params.type === 'proportional') continue;
        const read = parseHfConfig(render(params, target));
        expect(read.schema).toBe(target.slice(3));
        const again = read.layers[0]!.params;
        for (const seqLen of [1, params.originalMaxPosition ?? 1, params.maxPosition ?? 1]) {
          const [found, expected] = [again, params].map((one) => ropeFrequencies(one, { seqLen })) as [
            ReturnType<typeof ropeFrequencies>,
            ReturnType<typeof ropeFrequencies>,
          ];
          expectNear(found.invFreq, expected.invFreq, near);
          expectNear([found.attentionFactor], [expected.attentionFactor], near);
          expect(found.softmaxFactor, name).toBe(expected.softmaxFactor);
        }
        expect([again.headDim, again.rotaryDim]).toEqual([params.headDim, params.rotaryDim]);
        expect(again.mropeSection).toEqual(params.mropeSection);
      }
    }
  });

  // google/gemma-3-27b-it, config.json, in both schemas; huggingface/transformers, models/gemma3/configuration_gemma3.py
  test('of layers that do not share an embedding are one block', () => {
    const local = { headDim: 128, base: 1e4, maxPosition: 131_072 } satisfies RopeParams;
    const global = { ...local, base: 1e6, type: 'linear', factor: 8 } satisfies RopeParams;
    const layers = [
      { name: 'full_attention', params: global },
      { name: 'sliding_attention', params: local },
    ];
    const rope_parameters = {
      full_attention: { rope_type: 'linear', factor: 8, rope_theta: 1e6 },
      sliding_attention: { rope_type: 'default', rope_theta: 1e4 },
    };
    const sizes = { head_dim: 128, max_position_embeddings: 131_072 };
    expect(JSON.parse(render(layers, 'hf-v5'))).toEqual({ ...sizes, rope_parameters });
    expect(JSON.parse(render(layers, 'hf-v4'))).toEqual({
      ...sizes,
      rope_theta: 1e6,
      rope_local_base_freq: 1e4,
      rope_scaling: { rope_type: 'linear', factor: 8 },
    });
    expect(render(layers, 'vllm')).toBe(
      `--hf-overrides '${JSON.stringify({ rope_parameters })}' --max-model-len 131072`,
    );
    expect(render(layers.slice(1), 'llama.cpp')).toBe(render(local, 'llama.cpp'));
    for (const target of ['llama.cpp', 'koboldcpp', 'exllama', 'ollama'] as const) {
      expect(() => render(layers, target), target).toThrowError(
        expect.objectContaining({
          code: 'inexpressible',
          argument: 'layers',
          got: 'full_attention, sliding_attention',
        }),
      );
    }
    expect(renderNotes(layers, 'hf-v5')).toEqual(renderNotes(global, 'hf-v5'));
  });

  test.each(['hf-v4', 'hf-v5'] as const)('of all layers of a model are read back: %s', (target) => {
    const models = Object.entries(hfConfigs).map(([name, config]) => ({ name, ...parseHfConfig(config) }));
    const several = models.filter(({ layers }) => layers.length > 1);
    expect(several.length).toBeGreaterThanOrEqual(2);
    for (const { name, layers } of several) {
      const isOfV5 = layers.some(({ params }) => params.type === 'proportional');
      if (target === 'hf-v4' && isOfV5) continue;
      const read = parseHfConfig(render(layers, target)).layers;
      const partsOf = (all: typeof layers) =>
        all.map(({ name: of, params }) => [
          of,
          params.headDim,
          params.rotaryDim,
          params.base,
          params.type,
          params.factor,
        ]);
      expect(partsOf(read), name).toEqual(partsOf(layers));
    }
  });

  test('of layers have two widths at most, those with a window one', () => {
    const layer = (name: string, headDim: number, maxPosition = 4096) => ({ name, params: { headDim, maxPosition } });
    const wide = [layer('sliding_attention', 256), layer('full_attention', 512)];
    expect(JSON.parse(render(wide, 'hf-v5'))).toMatchObject({ head_dim: 256, global_head_dim: 512 });
    const refusal = (layers: object[], target: RenderTarget, argument: string) =>
      expect(() => render(layers as never, target)).toThrowError(expect.objectContaining({ argument }));
    refusal([...wide, layer('chunked_attention', 128)], 'hf-v5', 'headDim');
    refusal([layer('sliding_attention', 64), layer('full_attention', 64, 8192)], 'hf-v5', 'maxPosition');
    refusal(wide, 'hf-v4', 'layers');
    const scaled = { name: 'sliding_attention', params: { headDim: 64, type: 'linear', factor: 2 } };
    refusal([layer('full_attention', 64), scaled], 'hf-v4', 'layers');
    refusal([], 'hf-v5', 'layers');
    refusal([{ name: 'all' }], 'hf-v5', 'layers[0]');
    refusal([layer('all', 64), { params: { headDim: 64 } }], 'hf-v5', 'layers[1]');
    refusal([layer('all', 64), layer('local', 7)], 'hf-v5', 'layers[1].params.headDim');
  });

  test('are those of either schema', () => {
    expect(JSON.parse(render(yarn, 'hf-v4'))).toEqual({
      head_dim: 128,
      rope_theta: 1e6,
      rope_scaling: { rope_type: 'yarn', factor: 4, original_max_position_embeddings: 32_768 },
    });
    expect(JSON.parse(render(yarn, 'hf-v5'))).toEqual({
      head_dim: 128,
      rope_parameters: { rope_type: 'yarn', factor: 4, original_max_position_embeddings: 32_768, rope_theta: 1e6 },
    });
    expect(JSON.parse(render(plain, 'hf-v4'))).toEqual({ head_dim: 128, rope_theta: 1e6, rope_scaling: null });
  });

  test('have a raised base for NTK, and for dynamic scaling the length from which on it holds', () => {
    const { rope_theta } = JSON.parse(render(ntk, 'hf-v4')) as { rope_theta: number };
    expectNear([rope_theta], [40889.94243248622], near);
    const keys = JSON.parse(render({ ...dynamic, maxPosition: 8192 }, 'hf-v5')) as object;
    expect(keys).toMatchObject({ max_position_embeddings: 2048 });
    const [layer] = parseHfConfig(keys).layers;
    for (const seqLen of [1024, 4096]) {
      expectNear(
        ropeFrequencies(layer!.params, { seqLen }).invFreq,
        ropeFrequencies(dynamic, { seqLen }).invFreq,
        near,
      );
    }
  });

  test('turn as many channels as were asked for', () => {
    for (let rotaryDim = 2; rotaryDim <= 100; rotaryDim += 2) {
      const [layer] = parseHfConfig(render({ headDim: 100, rotaryDim }, 'hf-v5')).layers;
      expect(layer!.params.rotaryDim).toBe(rotaryDim);
    }
  });
});

describe('flags of llama.cpp', () => {
  test.each<[RopeParams, string]>([
    [plain, '--rope-scaling none --rope-freq-base 1000000'],
    [{ ...plain, maxPosition: 32_768 }, '-c 32768 --rope-scaling none --rope-freq-base 1000000'],
    [linear, '--rope-scaling linear --rope-scale 8 --rope-freq-base 1000000'],
    [yarn, '--rope-scaling yarn --rope-scale 4 --yarn-orig-ctx 32768 --rope-freq-base 1000000'],
    [
      { ...yarn, betaFast: 16, betaSlow: 2 },
      '--rope-scaling yarn --rope-scale 4 --yarn-orig-ctx 32768 --yarn-beta-fast 16 --yarn-beta-slow 2 --rope-freq-base 1000000',
    ],
  ])('%j', (params, line) => expect(render(params, 'llama.cpp')).toBe(line));

  test('have a raised base for NTK', () => {
    const [, base] = /^--rope-scaling none --rope-freq-base ([\d.]+)$/.exec(render(ntk, 'llama.cpp'))!;
    expectNear([Number(base)], [40889.94243248622], near);
  });

  test('take the factor of ggml out of an attention factor', () => {
    const [, flag] = /--yarn-attn-factor ([\d.]+)$/.exec(render({ ...yarn, attentionFactor: 1 }, 'llama.cpp'))!;
    expectNear([Number(flag)], [1 / (1 + 0.1 * Math.log(4))], near);
    const usual = { ...yarn, attentionFactor: 1 + 0.1 * Math.log(4) };
    expect(render(usual, 'llama.cpp')).toBe(render(yarn, 'llama.cpp'));
    expect(renderNotes({ ...yarn, attentionFactor: 1 }, 'llama.cpp').join(' ')).toMatch(/rope\.scaling\.attn_factor/);
  });

  test('leave strengths to the file, and name the flag that older builds need', () => {
    const params = { ...yarn, base: 50_000, factor: 64, originalMaxPosition: 4096, mscale: 1, mscaleAllDim: 1 };
    expect(render(params, 'llama.cpp')).not.toMatch(/attn-factor/);
    const notes = renderNotes(params, 'llama.cpp').join(' ');
    expect(notes).toMatch(/Others need --yarn-attn-factor 0\.70627039866955/);
    expect(notes).toMatch(/softmax scale, 2\.0047397016824/);
  });
});

describe('words of other runtimes', () => {
  test.each<[RenderTarget, RopeParams, string]>([
    ['koboldcpp', { ...linear, factor: 2, base: 70_000 }, '--ropeconfig 0.5 70000'],
    ['koboldcpp', { ...plain, maxPosition: 8192 }, '--contextsize 8192 --ropeconfig 1 1000000'],
    ['exllama', { ...ntk, maxPosition: 8192 }, '-l 8192 -rs 1 -ra 4'],
    ['exllama', linear, '-rs 8 -ra 1'],
    [
      'vllm',
      { ...yarn, maxPosition: 131_072 },
      `--hf-overrides '{"rope_parameters":{"rope_type":"yarn","factor":4,"original_max_position_embeddings":32768,"rope_theta":1000000}}' --max-model-len 131072`,
    ],
  ])('%s', (target, params, line) => expect(render(params, target)).toBe(line));

  test('a Modelfile has its base and scale, with the versions that read them', () => {
    expect(render({ ...linear, factor: 4, maxPosition: 8192 }, 'ollama').split('\n')).toEqual([
      'PARAMETER num_ctx 8192',
      expect.stringMatching(/^# Ollama before 0\.1\.35/),
      'PARAMETER rope_frequency_base 1000000',
      'PARAMETER rope_frequency_scale 0.25',
    ]);
  });

  test('vLLM multiplies what it computes', () => {
    const line = render({ ...yarn, attentionFactor: 2 }, 'vllm');
    const { rope_parameters } = JSON.parse(/'(.*)'/.exec(line)![1]!) as { rope_parameters: Record<string, number> };
    expectNear([rope_parameters['attn_factor']!], [2 / (1 + 0.1 * Math.log(4))], near);
    expect(rope_parameters).not.toHaveProperty('attention_factor');
  });
});

describe('what cannot be said is refused by name', () => {
  const longrope = { headDim: 4, type: 'longrope', shortFactor: [1, 1], longFactor: [1, 8] } satisfies RopeParams;
  test.each<[RenderTarget, string, RopeParams]>([
    ['hf-v4', 'type', { ...plain, type: 'proportional', rotaryDim: 32 }],
    ['hf-v5', 'attentionFactor', { ...linear, attentionFactor: 1.5 }],
    ['llama.cpp', 'type', dynamic],
    ['llama.cpp', 'type', llama3],
    ['llama.cpp', 'type', { ...longrope, originalMaxPosition: 4096, maxPosition: 8192 }],
    ['llama.cpp', 'truncate', { ...yarn, truncate: false }],
    ['llama.cpp', 'factor', { ...yarn, factor: 1e-5 }],
    ['koboldcpp', 'type', yarn],
    ['koboldcpp', 'attentionFactor', { ...linear, attentionFactor: 1.5 }],
    ['exllama', 'type', yarn],
    ['exllama', 'type', llama3],
    ['exllama', 'attentionFactor', { ...plain, attentionFactor: 2 }],
    ['ollama', 'type', yarn],
    ['ollama', 'attentionFactor', { ...plain, attentionFactor: 2 }],
    ['vllm', 'type', dynamic],
    ['vllm', 'type', { ...plain, type: 'proportional', rotaryDim: 32 }],
    ['vllm', 'factor', { ...longrope, originalMaxPosition: 4096, factor: 4 }],
  ])('%s: %s', (target, argument, params) => {
    const refusal = expect.objectContaining({ name: 'PosencError', code: 'inexpressible', argument }) as Error;
    expect(() => render(params, target)).toThrowError(refusal);
    expect(() => renderNotes(params, target)).toThrowError(refusal);
  });

  test('and so are wrong calls', () => {
    expect(() => render(plain, 'mlx' as never)).toThrowError(expect.objectContaining({ argument: 'target' }));
    expect(() => render({ ...plain, type: 'linear' }, 'vllm')).toThrowError(
      expect.objectContaining({ argument: 'factor', code: 'bad-argument' }),
    );
  });
});

test('notes come in both languages', () => {
  for (const target of RENDER_TARGETS) {
    const english = renderNotes(linear, target);
    const chinese = renderNotes(linear, target, { language: 'zh-Hans' });
    expect(chinese).toHaveLength(english.length);
    for (const note of chinese) expect(note).toMatch(/\p{Script=Han}/u);
    for (const note of english) expect(note).not.toMatch(/\p{Script=Han}/u);
  }
});

describe('what a setting comes to', () => {
  test('has the ranges of pairs and how many complete a turn', () => {
    const facts = rotaryFacts(parseHfConfig(hfConfigs['Llama-3.1-8B']!).layers[0]!.params);
    expect(facts).toMatchObject({
      pairs: 64,
      pairing: 'half',
      zones: [
        { zone: 'kept', from: 0, to: 28 },
        { zone: 'blended', from: 29, to: 34 },
        { zone: 'scaled', from: 35, to: 63 },
      ],
      trainedLength: 131_072,
    });
    // The uncovered share of Llama-3 is 0.453125 of 64 pairs.
    expect(rotaryFacts({ headDim: 128, base: 5e5, maxPosition: 8192 }).turningPairs).toBe(64 - 29);
    expect(rotaryFacts({ headDim: 128 })).not.toHaveProperty('turningPairs');
    expectNear([rotaryFacts({ headDim: 128 }).wavelength.shortest], [2 * Math.PI], near);
    expect(rotaryFacts({ headDim: 128 }).shortChange).toBe(0);
  });

  test('names the factors as each runtime does', () => {
    const params = { ...yarn, base: 50_000, factor: 64, originalMaxPosition: 4096, mscale: 1, mscaleAllDim: 1 };
    const { attentionFactor, softmaxFactor, factorNames } = rotaryFacts(params);
    expect(attentionFactor).toBe(1);
    expectNear([softmaxFactor], [2.004739701682487], near);
    expect(factorNames['hf-v5'].attention).toEqual({ key: 'attention_factor', value: 1 });
    expect(factorNames['llama.cpp'].attention?.key).toBe('--yarn-attn-factor');
    expectNear([factorNames['llama.cpp'].attention!.value], [0.7062703986695512], near);
    expectNear([factorNames['llama.cpp'].softmax!.value], [0.1], near);
    expect(factorNames.vllm.attention?.key).toBe('attn_factor');
    expect(factorNames.koboldcpp).toEqual({});
  });

  test('counts what does not turn', () => {
    const { params } = parseHfConfig(hfConfigs['Gemma-4 text (proportional)']!).layers[0]!;
    const facts = rotaryFacts(params);
    expect(facts.pairs).toBe(256);
    expect(facts.zones).toEqual([
      { zone: 'kept', from: 0, to: 63 },
      { zone: 'scaled', from: 64, to: 255 },
    ]);
    expect(Number.isFinite(facts.wavelength.longest)).toBe(true);
  });
});
