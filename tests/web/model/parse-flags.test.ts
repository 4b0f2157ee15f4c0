import {
  check,
  parseFlags,
  parseHfConfig,
  PosencError,
  render,
  ropeFrequencies,
  type ParsedModel,
  type RenderTarget,
  type RopeParams,
  type Runtime,
} from 'posenc';
import { describe, expect, test } from 'vitest';
import { expectNear } from '../support/compare.ts';

const near = { relative: 1e-12 };

/** What the flags state of all layers, without the width that they never state. */
function stated(line: string, runtime?: Runtime): Record<string, unknown> {
  const { layers } = parseFlags(line, runtime === undefined ? {} : { runtime });
  expect(layers).toHaveLength(1);
  const { headDim: _, ...params } = layers[0]!.params;
  return params;
}

function refusal(line: string, runtime?: Runtime): PosencError {
  try {
    parseFlags(line, runtime === undefined ? {} : { runtime });
  } catch (error) {
    if (error instanceof PosencError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('llama.cpp', () => {
  test('A28: --rope-scale 8 and --rope-freq-scale 0.125 are the same', () => {
    expect(stated('--rope-scale 8')).toEqual({ type: 'linear', factor: 8 });
    expect(stated('--rope-freq-scale 0.125')).toEqual({ type: 'linear', factor: 8 });
  });

  test('a number sign inside a word begins no comment', () => {
    expect(stated(String.raw`llama-server -m a\ #b --rope-scale 4`)).toEqual({ type: 'linear', factor: 4 });
    expect(stated('llama-server -m "a"#b --rope-scale 4 # --rope-scale 8')).toEqual({ type: 'linear', factor: 4 });
  });

  test('a whole command, quoted and over several lines', () => {
    const model = parseFlags(
      `./build/bin/llama-server -m "my model.gguf" -ngl 99 \\\n  -c 65536 --rope-scaling yarn --rope-scale 2 --yarn-orig-ctx 32768 # twice\n`,
    );
    expect(model).toMatchObject({
      source: 'flags',
      runtime: 'llama.cpp',
      encoding: 'rope',
      maxPosition: 65536,
      assumed: ['headDim'],
      unread: ['-m my model.gguf', '-ngl 99'],
    });
    expect(model.layers[0]!.params).toMatchObject({
      type: 'yarn',
      factor: 2,
      originalMaxPosition: 32768,
      maxPosition: 65536,
    });
    // A27
    const { attentionFactor } = ropeFrequencies(model.layers[0]!.params);
    expect(attentionFactor).toBeCloseTo(1.0693147180559945, 14);
  });

  test('A22: the factor that cancels the one of ggml leaves 1', () => {
    const line = '--rope-scaling yarn --rope-scale 64 --yarn-orig-ctx 4096 --rope-freq-base 50000';
    const { params } = parseFlags(`${line} --yarn-attn-factor 0.7062703986695512`).layers[0]!;
    expect(ropeFrequencies(params).attentionFactor).toBeCloseTo(1, 14);
    expect(ropeFrequencies(parseFlags(line).layers[0]!.params).attentionFactor).toBeCloseTo(1.4158883083359672, 14);
  });

  test('what stands for "as the model has it" states nothing', () => {
    expect(
      stated('-c 0 --rope-freq-base 0 --rope-freq-scale 0 --yarn-ext-factor -1 --yarn-beta-fast -1 --ctx-size 8'),
    ).toEqual({
      maxPosition: 8,
    });
  });

  test('of flags that repeat each other the last counts, and both are named', () => {
    const model = parseFlags('--rope-scale 8 --rope-freq-scale 0.25');
    expect(model.layers[0]!.params.factor).toBe(4);
    expect(model.statements.map(({ key, value }) => [key, value])).toEqual([
      ['--rope-freq-scale', 4],
      ['--rope-scale', 8],
    ]);
    expect(check(model)).toContainEqual(expect.objectContaining({ code: 'conflict', key: '--rope-scale' }));
  });

  test('--override-kv states a key of the file', () => {
    expect(stated('--override-kv llama.rope.freq_base=float:1000000')).toEqual({ base: 1e6 });
    expect(parseFlags('-c 1 --override-kv tokenizer.ggml.add_bos_token=bool:false').unread).toEqual([
      '--override-kv tokenizer.ggml.add_bos_token=bool:false',
    ]);
  });

  test('a misspelt flag is reported', () => {
    expect(parseFlags('-c 4096 --rope-freqbase 1e6').unread).toEqual(['--rope-freqbase 1e6']);
    // This program takes no values after =.
    expect(parseFlags('-c 4096 --rope-scale=8').unread).toEqual(['--rope-scale=8']);
  });

  test.each([
    ['--rope-scale eight', '--rope-scale'],
    ['--rope-scale 0', '--rope-scale'],
    ['--rope-scale', '--rope-scale'],
    ['--rope-scaling su', '--rope-scaling'],
    ['-c 4096.5', '-c'],
    ['-c -1', '-c'],
    ['-c 1e99', '-c'],
    ["--rope-scale '8", 'line'],
    ['--rope-scale "8\\"', 'line'],
    ['llama', 'line'],
    ['', 'line'],
    ['--temp 0.5', 'line'],
  ])('%s is refused', (line, argument) => {
    expect(refusal(line)).toMatchObject({ code: 'bad-argument', argument });
  });
});

describe('KoboldCpp', () => {
  test('A29: --ropeconfig states a linear factor and a base at once', () => {
    const model = parseFlags('koboldcpp.exe --model x.gguf --contextsize 4096 --ropeconfig 0.5 70000');
    expect(model.runtime).toBe('koboldcpp');
    expect(model.layers[0]!.params).toMatchObject({ type: 'linear', factor: 2, base: 70000, maxPosition: 4096 });
    const { invFreq } = ropeFrequencies({ ...model.layers[0]!.params, headDim: 128 });
    expect(invFreq[0]).toBe(0.5);
    expect(invFreq[1]).toBeCloseTo(70000 ** (-2 / 128) / 2, 15);
  });

  test('a scale alone brings the base 10000, and a scale of 1 no scaling', () => {
    expect(stated('--ropeconfig 0.25')).toEqual({ type: 'linear', factor: 4, base: 10000 });
    expect(stated('--ropeconfig 1.0 26000')).toEqual({ type: 'default', base: 26000 });
    expect(parseFlags('--ropeconfig 0.0 10000').unread).toEqual(['--ropeconfig 0.0']);
  });
});

describe('ExLlama', () => {
  test.each([
    [2, 20221.261689737912],
    [4, 40889.94243248622],
    [8, 82684.62264056221],
  ])('A20: alpha %d raises the base', (alpha, base) => {
    for (const flags of [`-ra ${alpha}`, `--rope_alpha=${alpha}`, `-a ${alpha}`]) {
      const model = parseFlags(`-d models/llama -l 8192 ${flags}`);
      expect(model).toMatchObject({ runtime: 'exllama', maxPosition: 8192 });
      const { invFreq } = ropeFrequencies({ ...model.layers[0]!.params, headDim: 128 });
      expect(invFreq[63]! / base ** (-126 / 128)).toBeCloseTo(1, 12);
    }
  });

  test.each(['-rs 2 -ra 2.6', '-a 2.6 -cpe 2', '--alpha_value 2.6 --max_seq_len 8192 --compress_pos_emb 2'])(
    '%s: alpha raises the base and positions are divided, both at once',
    (line) => {
      const flags = parseFlags(line, { runtime: 'exllama' });
      expect(flags.unread).toBeUndefined();
      const frequencies = (base: number, headDim: number) =>
        Float64Array.from({ length: headDim / 2 }, (_, pair) => {
          const raised = base * 2.6 ** (headDim / (headDim - 2));
          return raised ** ((-2 * pair) / headDim) / 2;
        });
      expectNear(ropeFrequencies(flags.layers[0]!.params).invFreq, frequencies(1e4, 128), near);
      expect(check(flags).map(({ code }) => code)).toEqual(expect.arrayContaining(['scale_and_base', 'flags_alone']));

      // The base and the heads of the model, where it is known.
      const model = parseHfConfig({
        model_type: 'qwen2',
        head_dim: 64,
        rope_theta: 1e6,
        max_position_embeddings: 4096,
      });
      const base = 1e6 * 2.6 ** (64 / 62);
      const both = check(model, { launch: flags }).find(({ code }) => code === 'scale_and_base');
      expect((both?.found as { factor: number }).factor).toBe(2);
      expectNear([(both?.found as { base: number }).base], [base], near);
    },
  );

  test('alpha raises the base that is stated, in place of that of the model', () => {
    const flags = parseFlags('-theta 5e5 -rs 2 -ra 4');
    expectNear([flags.layers[0]!.params.base!], [5e5 * 4 ** (128 / 126)], near);
    expect(check(flags).map(({ code }) => code)).not.toContain('conflict');
    const model = parseHfConfig({ model_type: 'qwen2', head_dim: 64, rope_theta: 1e6 });
    const both = check(model, { launch: flags }).find(({ code }) => code === 'scale_and_base');
    expectNear([(both?.found as { base: number }).base], [5e5 * 4 ** (64 / 62)], near);
  });

  test('a scale divides positions', () => {
    expect(stated('-rs 4 -theta 1e6')).toEqual({ type: 'linear', factor: 4, base: 1e6 });
    expect(stated('-cpe 2 -l 4096')).toEqual({ type: 'linear', factor: 2, maxPosition: 4096 });
    expect(stated('-rs 1 -ra 2')).toEqual({ type: 'ntk', factor: 2 });
  });
});

describe('Ollama', () => {
  const MODELFILE = `# a comment
FROM ./model.gguf
PARAMETER num_ctx 32768
parameter rope_frequency_base 1000000
PARAMETER rope_frequency_scale 0.25
PARAMETER temperature 1
SYSTEM """
PARAMETER num_ctx 1
"""
`;

  test('a Modelfile', () => {
    const model = parseFlags(MODELFILE);
    expect(model).toMatchObject({ runtime: 'ollama', maxPosition: 32768, unread: ['temperature 1'] });
    expect(stated(MODELFILE)).toEqual({ maxPosition: 32768, base: 1e6, type: 'linear', factor: 4 });
  });

  test('a line of the prompt, and quoted numbers', () => {
    expect(stated('/set parameter num_ctx 8192')).toEqual({ maxPosition: 8192 });
    expect(stated('PARAMETER num_ctx "8192"')).toEqual({ maxPosition: 8192 });
  });
});

describe('vLLM', () => {
  const YARN = '{"rope_type":"yarn","factor":4.0,"original_max_position_embeddings":32768}';

  test.each([
    `vllm serve Qwen/Qwen3-8B --rope-scaling '${YARN}' --max-model-len 131072`,
    `vllm serve Qwen/Qwen3-8B --hf-overrides '{"rope_scaling":${YARN}}' --max-model-len=128K`,
    `vllm serve Qwen/Qwen3-8B --hf_overrides='{"rope_parameters":${YARN}}' --max_model_len 128K`,
    `python -m vllm.entrypoints.openai.api_server --hf-overrides.rope_scaling.rope_type yarn ` +
      `--hf-overrides.rope_scaling.factor 4.0 --hf-overrides.rope_scaling.original_max_position_embeddings 32768 --max-model-len 131072`,
  ])('%s', (line) => {
    const model: ParsedModel = parseFlags(line);
    expect(model).toMatchObject({ runtime: 'vllm', maxPosition: 131072 });
    expect(stated(line)).toEqual({ type: 'yarn', factor: 4, originalMaxPosition: 32768, maxPosition: 131072 });
  });

  test('a base, and numbers with letters', () => {
    expect(stated('--rope-theta 1000000 --max-model-len 25.6k')).toEqual({ base: 1e6, maxPosition: 25600 });
    expect(stated('--max-model-len auto --rope-theta 5e6')).toEqual({ base: 5e6 });
  });

  test('overrides per layer type', () => {
    const parameters = {
      full_attention: { rope_type: 'linear', factor: 8, rope_theta: 1e6 },
      sliding_attention: { rope_theta: 1e4 },
    };
    const { layers } = parseFlags(`--hf-overrides '${JSON.stringify({ rope_parameters: parameters })}'`);
    expect(layers).toEqual([
      { name: 'full_attention', params: { headDim: 128, base: 1e6, type: 'linear', factor: 8 } },
      { name: 'sliding_attention', params: { headDim: 128, base: 1e4 } },
    ]);
  });

  test('what is not about positions is reported', () => {
    expect(parseFlags(`--max-model-len 4096 --hf-overrides '{"architectures":["X"]}' --dtype half`).unread).toEqual([
      '--dtype half',
      '--hf-overrides architectures',
    ]);
  });

  test.each([
    ["--hf-overrides '{'", '--hf-overrides'],
    ["--hf-overrides '[1]'", '--hf-overrides'],
    [`--rope-scaling '{"type":"magic"}'`, 'rope_scaling.type'],
    ['--max-model-len 1.5.2k', '--max-model-len'],
  ])('%s is refused', (line, argument) => {
    expect(refusal(line, 'vllm')).toMatchObject({ code: 'bad-argument', argument });
  });

  test('names are data: none of them reaches a prototype', () => {
    parseFlags(
      `--rope-theta 1e4 --hf-overrides '{"__proto__":{"polluted":1},"rope_scaling":{"__proto__":{"polluted":1}}}'`,
    );
    parseFlags('--rope-theta 1e4 --hf-overrides.__proto__.polluted 1 --hf-overrides.constructor.prototype.polluted 1');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('SGLang', () => {
  const YARN = '{"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}}';

  // The documentation of Qwen3-8B, and its own test: test_server_args.py
  test.each([
    `python -m sglang.launch_server --model-path Qwen/Qwen3-8B --json-model-override-args '${YARN}' --context-length 131072`,
    `--json-model-override-args='${YARN}' --context-length=131072`,
  ])('%s', (line) => {
    expect(parseFlags(line)).toMatchObject({ runtime: 'sglang', maxPosition: 131072 });
    expect(stated(line)).toEqual({ type: 'yarn', factor: 4, originalMaxPosition: 32768, maxPosition: 131072 });
    expect(parseFlags(line).statements.map(({ key }) => key)).toContain(
      '--json-model-override-args rope_scaling.factor',
    );
  });

  test('refuses what is no object', () => {
    expect(refusal("--json-model-override-args '[1]'", 'sglang')).toMatchObject({
      argument: '--json-model-override-args',
    });
  });
});

describe('--flag=value', () => {
  const YARN = '{"rope_type":"yarn","factor":4.0,"original_max_position_embeddings":32768}';

  // The parsers of these programs are Python's argparse.
  test.each<[string, Runtime, object]>([
    [`vllm serve x --max-model-len=131072 --rope-scaling='${YARN}'`, 'vllm', { factor: 4, maxPosition: 131072 }],
    [`--rope-scaling='${YARN}'`, 'vllm', { type: 'yarn', factor: 4 }],
    ['--rope-theta=1e6 --hf-overrides.rope_scaling.factor=2', 'vllm', { base: 1e6 }],
    ['--contextsize=8192 --ropeconfig=0.5', 'koboldcpp', { factor: 2, base: 10000, maxPosition: 8192 }],
    ['--max_seq_len=8192 --compress_pos_emb=2', 'exllama', { factor: 2 }],
  ])('%s is for %s', (line, runtime, expected) => {
    const model = parseFlags(line);
    expect(model.runtime).toBe(runtime);
    expect(model.layers[0]!.params).toMatchObject(expected);
    expect(model.unread).toBeUndefined();
  });

  // Python 3, ArgumentParser with nargs='+': ropeconfig is [0.5], and 20000 the next positional argument
  test('has one value, also of a flag that takes two', () => {
    const { layers, unread } = parseFlags('koboldcpp.py --ropeconfig=0.5 20000');
    expect([layers[0]!.params.base, unread]).toEqual([10000, ['20000']]);
    expect(parseFlags('koboldcpp.py --ropeconfig 0.5 20000').layers[0]!.params.base).toBe(20000);
  });

  // ggml-org/llama.cpp, common/arg.cpp: common_params_parse_ex looks the whole word up
  test.each(['--rope-scaling=yarn', '--rope-scaling=yarn --rope-scale=4', '--ctx-size=8192'])(
    'llama.cpp does not take %s, and check says why',
    (line) => {
      const launch = parseFlags(line);
      expect([launch.runtime, launch.statements, launch.unread]).toEqual(['llama.cpp', [], line.split(' ')]);
      const model = parseHfConfig({ model_type: 'qwen2', head_dim: 64, rope_theta: 1e6 });
      const found = check(model, { launch }).find(({ code }) => code === 'not_read');
      expect(found?.why).toContain('llama.cpp takes no value after =');
    },
  );
});

test('a program that is named is believed, and one that is not is told by its flags', () => {
  expect(parseFlags('--contextsize 4096').runtime).toBe('koboldcpp');
  expect(parseFlags('-c 4096').runtime).toBe('llama.cpp');
  expect(parseFlags('-l 4096').runtime).toBe('exllama');
  expect(parseFlags('--rope-scaling yarn --rope-scale 4').runtime).toBe('llama.cpp');
  expect(parseFlags('vllm serve x --rope-theta 1').runtime).toBe('vllm');
  expect(() => parseFlags('-c 1', { runtime: 'other' as Runtime })).toThrow(/runtime must be one of/);
  expect(() => parseFlags(5 as unknown as string)).toThrow(/line must be a string/);
});

test.each([
  ['digits', (many: string) => `-c ${many.replaceAll('x', '1')}e`],
  ['spaces', (many: string) => `PARAMETER num_ctx 8${many.replaceAll('x', ' ')}8`],
  ['a quoted text', (many: string) => `-c 1 -m "${many}"`],
  ['a text that is not closed', (many: string) => `-c 1 "${many.replaceAll('x', '\\\\')}`.slice(0, 2 ** 20)],
  ['quotes', (many: string) => many.replaceAll('x', '"')],
  ['a path of keys', (many: string) => `--hf-overrides${many.replaceAll('x', '.')}\n 1`],
  ['nested lists', (many: string) => `--hf-overrides '{"rope_scaling":${many.replaceAll('x', '[')}}'`],
  ['flags', (many: string) => many.replaceAll('x', '-c 1 ').slice(0, 2 ** 20)],
])('a megabyte of %s is read or refused', (_, line) => {
  try {
    parseFlags(line('x'.repeat(2 ** 20 - 64)));
  } catch (error) {
    if (!(error instanceof PosencError)) throw error;
  }
});

describe('what is written for a program is read back', () => {
  const plain: RopeParams = { headDim: 128, base: 1e6, maxPosition: 32768 };
  const linear: RopeParams = { ...plain, type: 'linear', factor: 8 };
  const ntk: RopeParams = { ...plain, base: 10000, type: 'ntk', factor: 4 };
  const yarn: RopeParams = { ...plain, type: 'yarn', factor: 4, originalMaxPosition: 8192, betaFast: 16 };
  test.each<[Runtime & RenderTarget, string, RopeParams]>([
    ['llama.cpp', 'yarn', yarn],
    ['vllm', 'yarn', yarn],
    ...(['llama.cpp', 'koboldcpp', 'exllama', 'ollama', 'vllm'] as const).flatMap(
      (runtime): [Runtime & RenderTarget, string, RopeParams][] => [
        [runtime, 'default', plain],
        [runtime, 'linear', linear],
        [runtime, 'ntk', ntk],
      ],
    ),
  ])('for %s, %s', (runtime, _, params) => {
    const model = parseFlags(render(params, runtime));
    expect(model).toMatchObject({ runtime, maxPosition: 32768 });
    expect(model.unread).toBeUndefined();
    // ExLlama takes the base from the configuration.
    const read = ropeFrequencies({ base: params.base!, ...model.layers[0]!.params, headDim: 128 });
    const written = ropeFrequencies(params);
    expectNear(read.invFreq, written.invFreq, { relative: 1e-12 });
    expect(read.attentionFactor).toBeCloseTo(written.attentionFactor, 12);
  });
});

test('what a model is served with is compared with what it states', () => {
  const model = parseHfConfig({ model_type: 'qwen2', hidden_size: 3584, num_attention_heads: 28, rope_theta: 1e6 });
  const findings = check(model, { launch: parseFlags('-c 32768 --rope-freq-base 10000') });
  expect(findings).toContainEqual(expect.objectContaining({ code: 'launch_differs', found: 10000, expected: 1e6 }));
});
