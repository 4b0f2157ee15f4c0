import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, open, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  FINDINGS,
  parseHfConfig,
  RENDER_TARGETS,
  render,
  renderNotes,
  ropeFrequencies,
  type Finding,
  type RopeParams,
} from 'posenc';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ggufFile } from '../support/gguf-file.ts';
import { hfConfigs } from '../support/hf-configs.ts';

const program = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posenc-cli-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the program in the folder, with some text on its standard input. */
function posenc(words: readonly string[], input = ''): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [program, ...words],
      { cwd: folder, maxBuffer: 2 ** 24 },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

async function json<Result>(...words: string[]): Promise<Result> {
  const { stdout, stderr } = await posenc([...words, '--json']);
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Result;
}

async function file(name: string, contents: object | string): Promise<string> {
  const bytes = contents instanceof ArrayBuffer ? new Uint8Array(contents) : undefined;
  await writeFile(join(folder, name), bytes ?? (typeof contents === 'string' ? contents : JSON.stringify(contents)));
  return name;
}

const llama = { model_type: 'llama', hidden_size: 4096, num_attention_heads: 32, max_position_embeddings: 4096 };
const yarn = { rope_type: 'yarn', factor: 4, original_max_position_embeddings: 32_768 };
const qwen = { ...llama, model_type: 'qwen2', max_position_embeddings: 32_768, rope_theta: 1e6 };

describe('public cases', () => {
  test('A27: a factor that was copied is too large for 64k', async () => {
    const config = await file('a27.json', { ...qwen, rope_scaling: yarn });
    const { code, stdout } = await posenc(['check', config, '--target', '65536']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^warning +factor_too_large +rope_scaling\.factor\n.*factor 2 is enough.*1\.06931/m);
    const { stdout: plan } = await posenc(['plan', config, '--target', '65536']);
    expect(plan).toMatch(/^\* smaller-factor +1000000 +2 +1\.06931 +0\/64/m);
    expect(plan).toContain(
      '-c 65536 --rope-scaling yarn --rope-scale 2 --yarn-orig-ctx 32768 --rope-freq-base 1000000',
    );
  });

  test('A28: a scale and its inverse are written alike', async () => {
    const lines = await Promise.all(
      ['--rope-scale 8', '--rope-freq-scale 0.125'].map((line) => posenc(['convert', line, '--to', 'llama.cpp'])),
    );
    expect(lines.map(({ stdout }) => stdout.trim())).toEqual([
      '--rope-scaling linear --rope-scale 8 --rope-freq-base 10000',
      '--rope-scaling linear --rope-scale 8 --rope-freq-base 10000',
    ]);
  });

  test('A29: --ropeconfig 0.5 70000 is a factor and a base, and unusual', async () => {
    const { code, stdout } = await posenc(['check', '--flags', '--ropeconfig 0.5 70000']);
    expect(code).toBe(0);
    expect(stdout).toContain('flags of koboldcpp');
    expect(stdout).toContain('base 70000, linear 2');
    expect(stdout).toMatch(/^warning +scale_and_base/m);
  });

  test('A30: a file without a base fails beside a configuration that has another', async () => {
    const keys = { 'general.architecture': { string: 'llama' }, 'llama.rope.dimension_count': { u32: 128 } };
    const gguf = await file('a30.gguf', ggufFile({ keys }));
    const config = await file('a30.json', { ...llama, rope_theta: 1e6 });
    const { code, stdout } = await posenc(['check', config, '--launch', gguf]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^error +freq_base_missing +rope\.freq_base\n.*--rope-freq-base 1000000.*Ollama/m);
    expect((await posenc(['check', gguf])).code).toBe(0);
  });

  test('A31: a key beside rope_parameters that differs fails', async () => {
    const config = { ...qwen, rope_parameters: { rope_type: 'default', rope_theta: 5e5 } };
    const { code, stdout } = await posenc(['check', '-'], JSON.stringify(config));
    expect(code).toBe(1);
    expect(stdout).toMatch(/^error +conflict +rope_theta$/m);
  });
});

describe('check', () => {
  test('says what each public model comes to, and finds no error in any', async () => {
    for (const name of ['Llama-3.1-8B', 'Gemma-3-4B', 'DeepSeek-V3', 'BERT-base']) {
      const { code, stdout, stderr } = await posenc(['check', '-'], JSON.stringify(hfConfigs[name]));
      expect([code, stderr], name).toEqual([0, '']);
      expect(stdout).toMatch(/^error 0, warning 0, info \d+$/m);
    }
    const { stdout } = await posenc(['check', '-'], JSON.stringify(hfConfigs['Llama-3.1-8B']));
    expect(stdout).toMatch(/head 128, 64 pairs \(half\), base 500000, llama3 8/);
    expect(stdout).toMatch(/pairs 0–28 kept, 29–34 blended, 35–63 scaled/);
    expect(stdout).toMatch(/39 of 64 pairs complete one in 131072 tokens/);
  });

  test('prints one object, with the codes of the table', async () => {
    const config = await file('json.json', { ...qwen, rope_scaling: { ...yarn, attention_factor: 2 } });
    const { findings, facts } = await json<{ findings: Finding[]; facts: { pairs: number }[] }>('check', config);
    expect(facts[0]?.pairs).toBe(64);
    expect(findings.length).toBeGreaterThan(0);
    for (const { code, severity } of findings) expect(FINDINGS[code].severity).toBe(severity);
  });

  test('speaks Chinese', async () => {
    const config = await file('zh.json', { ...qwen, rope_scaling: yarn });
    const { stdout } = await posenc(['check', config, '--lang', 'zh-Hans', '--target', '65536']);
    expect(stdout).toMatch(/头宽 128，64 对/);
    expect(stdout).toMatch(/只需倍数 2/);
  });

  test('takes flags, a folder, a file of flags and a Modelfile', async () => {
    await mkdir(join(folder, 'model'), { recursive: true });
    await file('model/config.json', qwen);
    const launched = await posenc(['check', 'model', '--launch', '-c 65536 --rope-scaling yarn --rope-scale 4']);
    expect(launched.stdout).toMatch(/^warning +factor_too_large +--rope-scale$/m);
    expect((await posenc(['check', await file('flags.txt', '--ropeconfig 0.5 70000')])).stdout).toMatch(/koboldcpp/);
    const modelfile = 'FROM llama2\nPARAMETER rope_frequency_base 1000000\n';
    expect((await posenc(['check', await file('Modelfile', modelfile)])).stdout).toMatch(/flags of ollama/);
  });

  test('takes flags that change nothing', async () => {
    const { code, stdout } = await posenc(['check', '-rs 1 -ra 1']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/flags of exllama, rope\nall: head 128, 64 pairs \(half\), base 10000, default$/m);
  });

  test('reads a file of 40 GB', async () => {
    const keys = { 'general.architecture': { string: 'qwen2' }, 'qwen2.rope.freq_base': { f32: 1e6 } };
    const handle = await open(join(folder, 'large.gguf'), 'w');
    try {
      await handle.write(new Uint8Array(ggufFile({ keys })));
      await handle.truncate(40 * 2 ** 30);
    } finally {
      await handle.close();
    }
    const { code, stdout } = await posenc(['check', 'large.gguf']);
    expect(code).toBe(0);
    expect(stdout).toContain('base 1000000');
    await rm(join(folder, 'large.gguf'));
  });

  test('prints nothing that a terminal would obey', async () => {
    const evil = '\u001b[2J\u009b31m\u202e';
    const config = { ...llama, rope_parameters: { [evil]: { rope_type: 'linear' }, [`${evil}2`]: {} } };
    const { stdout } = await posenc(['check', '-'], JSON.stringify(config));
    expect(stdout).not.toMatch(/[\u001b\u009b\u202e]/);
    const { stderr, code } = await posenc(['check', '-'], JSON.stringify({ ...llama, rope_scaling: { type: evil } }));
    expect(code).toBe(2);
    expect(stderr).not.toMatch(/[\u001b\u009b\u202e]/);
  });
});

describe('table', () => {
  test('has every pair as ropeFrequencies gives it', async () => {
    const config = await file('table.json', hfConfigs['Gemma-4 text (proportional)']!);
    interface Table {
      layers: { layer: string; pairs: { frequency: number; wavelength: number | null }[] }[];
    }
    const { layers } = await json<Table>('table', config);
    expect(layers.map(({ layer, pairs }) => [layer, pairs.length])).toEqual([
      ['full_attention', 256],
      ['sliding_attention', 128],
    ]);
    const params = parseHfConfig(hfConfigs['Gemma-4 text (proportional)']!).layers[0]!.params;
    expect(layers[0]!.pairs.map(({ frequency }) => frequency)).toEqual([...ropeFrequencies(params).invFreq]);
    expect(layers[0]!.pairs.at(-1)!.wavelength).toBeNull();
    const { stdout } = await posenc(['table', config, '--layer', 'sliding_attention']);
    expect(stdout.split('\n')).toHaveLength(131);
    expect(stdout).not.toContain('full_attention');
  });

  test('follows the length of the text', async () => {
    const config = { ...llama, rope_scaling: { type: 'dynamic', factor: 2 } };
    const last = async (...words: string[]) => {
      const { stdout } = await posenc(['table', '-', ...words], JSON.stringify(config));
      return stdout.trim().split('\n').at(-1)!.trim().split(/ +/)[3];
    };
    expect([await last(), await last('--length', '8192')]).toEqual(['1', '3']);
  });
});

test('a line of flags may stand in place of FILE, with a program before it or after --', async () => {
  const line = '-c 65536 --rope-scaling linear --rope-scale 2';
  const words = [[`llama-server ${line}`], [line], ['--', line], ['--flags', line]];
  const answers = await Promise.all(words.map((one) => posenc(['check', ...one])));
  for (const { code, stdout, stderr } of answers) {
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`${line}: flags of llama.cpp, rope\n`);
    expect(stdout).toContain('base 10000, linear 2');
  }
});

describe('convert', () => {
  test('prints what render gives, and fails where there are no words', async () => {
    const config = await file('convert.json', { ...qwen, rope_scaling: yarn });
    const params: RopeParams = parseHfConfig({ ...qwen, rope_scaling: yarn }).layers[0]!.params;
    for (const target of RENDER_TARGETS) {
      let line: string | undefined;
      try {
        line = render(params, target);
      } catch {
        line = undefined;
      }
      const { code, stdout, stderr } = await posenc(['convert', config, '--to', target]);
      if (line === undefined) {
        expect([code, stdout], target).toEqual([2, '']);
        expect(stderr).toMatch(new RegExp(`^posenc: ${target} has no words for type yarn`));
      } else {
        expect([code, stdout], target).toEqual([0, `${line}\n`]);
        const notes = renderNotes(params, target);
        expect(stderr, target).toBe(notes.map((note) => `note: ${note}\n`).join(''));
      }
    }
  });

  test('prints one block for layers with embeddings of their own, where the target has words for it', async () => {
    const config = { model_type: 'gemma3_text', head_dim: 128, rope_scaling: { rope_type: 'linear', factor: 8.0 } };
    const name = await file('gemma3.json', config);
    const { layers } = parseHfConfig(config);
    const { code, stdout, stderr } = await posenc(['convert', name, '--to', 'hf-v5']);
    expect([code, stdout]).toEqual([0, `${render(layers, 'hf-v5')}\n`]);
    expect(JSON.parse(stdout)).toMatchObject({
      head_dim: 128,
      rope_parameters: { full_attention: { factor: 8, rope_theta: 1e6 }, sliding_attention: { rope_theta: 1e4 } },
    });
    expect(stderr).toBe(
      renderNotes(layers, 'hf-v5')
        .map((note) => `note: ${note}\n`)
        .join(''),
    );
    const whole = await json<{ line: string; layers: { line: string }[] }>('convert', name, '--to', 'vllm');
    expect([whole.line, whole.layers.length]).toEqual([render(layers, 'vllm'), 2]);
    const one = await posenc(['convert', name, '--to', 'hf-v5', '--layer', 'full_attention']);
    expect(one.stdout).toBe(`${render(layers[0]!.params, 'hf-v5')}\n`);
    const flags = (await posenc(['convert', name, '--to', 'llama.cpp'])).stdout;
    expect(flags).toMatch(/^# full_attention\n.*--rope-freq-base 1000000\n# sliding_attention\n.*10000\n$/);
  });

  test('makes room for what the scaling reaches', async () => {
    const config = await file('room.json', { ...qwen, rope_scaling: yarn });
    expect((await posenc(['convert', config, '--to', 'vllm'])).stdout).toMatch(/--max-model-len 131072$/m);
  });

  test('says on standard error what a line leaves out: ExLlama has no flag for the base', async () => {
    const config = await file('code-llama.json', { ...llama, rope_theta: 1e6 });
    const { stdout, stderr } = await posenc(['convert', config, '--to', 'exllama']);
    expect(stdout).toBe('-l 4096 -rs 1 -ra 1\n');
    expect(stderr).toMatch(/^note: The base, 1000000, has no flag/m);
  });

  test('has notes in its object', async () => {
    const config = await file('notes.json', qwen);
    const { layers } = await json<{ layers: { notes: string[] }[] }>('convert', config, '--to', 'ollama');
    expect(layers[0]!.notes.join(' ')).toMatch(/0\.1\.35/);
  });
});

describe('plan', () => {
  test('takes the tokens of training where the source has none', async () => {
    const words = ['plan', '--flags', '--rope-freq-base 10000', '--target', '8192'];
    expect((await posenc(words)).code).toBe(2);
    const { code, stdout } = await posenc([...words, '--trained', '4096']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\* yarn +10000 +2 /m);
    expect(stdout).toMatch(/^ {2}none +10000 +1 +1 +18\/64/m);
  });
});

describe('calls', () => {
  test('--help and no word at all explain the commands', async () => {
    for (const words of [[], ['--help'], ['-h'], ['check', '--help']]) {
      const { code, stdout, stderr } = await posenc(words);
      expect([code, stderr]).toEqual([0, '']);
      for (const word of ['check', 'table', 'plan', 'convert', '--json', 'Exit codes']) expect(stdout).toContain(word);
    }
    expect((await posenc(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test.each<[string, string[], RegExp]>([
    ['an unknown command', ['chek'], /a command must be one of check, table, plan, convert, not chek/],
    ['an unknown option', ['check', '--bogus'], /Unknown option '--bogus'/],
    ['an option of another command', ['check', '--to', 'vllm'], /--to belongs to convert, not to check/],
    ['a plan without a length', ['plan'], /plan needs --target N/],
    ['no target', ['convert'], /convert needs --to, one of hf-v4/],
    ['an unknown target', ['convert', '--to', 'mlx'], /--to must be one of .* not mlx/],
    ['a length that is none', ['check', '--target', '1e6'], /--target must be a whole number of tokens .* not 1e6/],
    ['a length out of range', ['check', '--target', '4294967296'], /--target must be a whole number/],
    ['an unknown language', ['check', '--lang', 'fr'], /--lang must be one of en, zh-Hans, zh-Hant, not fr/],
    ['two files', ['check', 'a', 'b'], /One FILE at a time: what is b\?/],
    ['a file and flags', ['check', 'a', '--flags', '-c 5'], /Either FILE or --flags, not both/],
    ['no file of that name', ['check', 'nowhere.json'], /There is no file nowhere\.json/],
    [
      'no file of that name to serve',
      ['check', '--flags', '-c 5', '--launch', '/none.gguf'],
      /There is no file \/none\.gguf/,
    ],
    ['no file at all', ['check'], /There is no config\.json here/],
    ['flags without flags', ['check', '--flags', 'hello'], /line must be flags about positions/],
    ['an unknown runtime', ['check', '--runtime', 'mlx'], /--runtime must be one of llama\.cpp/],
  ])('%s ends with 2 and one line', async (_, words, message) => {
    const { code, stdout, stderr } = await posenc(words);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^posenc: .*\n$/);
  });

  test.each<[string[], string]>([
    [['chek'], '命令须为下列之一：check、table、plan、convert，而不是 chek。'],
    [['check', '--bogus'], '不认识的选项 --bogus。'],
    [['check', '--target'], '选项 --target <value> 的值缺失或多余。'],
    [['check', '--json=1'], '选项 --json 的值缺失或多余。'],
    [['check', '--to', 'vllm'], '--to 只用于 convert，不用于 check。'],
    [['plan'], 'plan 需要 --target N。'],
    [['convert'], `convert 需要 --to，可取 ${RENDER_TARGETS.join('、')}。`],
    [['convert', '--to', 'mlx'], `--to 须为下列之一：${RENDER_TARGETS.join('、')}，而不是 mlx。`],
    [['check', '--target', '1e6'], '--target 须为 1 到 2147483647 的整数（词元数），而不是 1e6。'],
    [['check', 'a', 'b'], '一次只读一个文件：b 是什么？'],
    [['check', 'a', '--flags', '-c 5'], '文件与 --flags 只能给一个。'],
    [['check', 'nowhere.json'], '没有文件 nowhere.json。'],
    [['check'], '这里没有 config.json：请给出文件名，或查看 posenc --help。'],
  ])('%j is refused in Chinese where that is asked for', async (words, message) => {
    for (const lang of [['--lang', 'zh-Hans'], ['--lang=zh-Hans']]) {
      const { code, stdout, stderr } = await posenc([...lang, ...words]);
      expect([code, stdout, stderr]).toEqual([2, '', `posenc: ${message}\n`]);
    }
  });

  test.each<[string, string, RegExp]>([
    ['broken.json', '{', /json must be JSON/],
    ['empty.json', '', /json must be JSON/],
    ['other.json', '{"a":1}', /json must be the configuration of a model/],
    ['broken.gguf', 'GGUF', /source must be/],
    ['empty.gguf', '', /source must be/],
    ['other.GGUF', 'PK-c 4096', /source must be/],
    ['bare/notes.txt', 'nothing', /line must be flags/],
  ])('what cannot be read ends with 2: %s', async (name, contents, message) => {
    await mkdir(join(folder, 'bare'), { recursive: true });
    const path = await file(name, contents);
    const { code, stderr } = await posenc(['check', path]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr).toContain(`posenc: ${path}: `);
  });

  test('a folder without a configuration ends with 2', async () => {
    await mkdir(join(folder, 'none'), { recursive: true });
    const { code, stderr } = await posenc(['check', 'none']);
    expect(code).toBe(2);
    expect(stderr).toBe('posenc: There is no config.json in the folder none.\n');
  });

  test('a model without a rotary embedding has no table, and a layer has to exist', async () => {
    const bert = await file('bert.json', hfConfigs['BERT-base']!);
    const { code, stderr } = await posenc(['table', bert]);
    expect([code, stderr]).toEqual([2, 'posenc: The model has no rotary embedding: its positions are learned.\n']);
    const layer = await posenc(['table', await file('layer.json', qwen), '--layer', 'local']);
    expect([layer.code, layer.stderr]).toEqual([2, 'posenc: --layer must be one of all, not local.\n']);
    const chinese = await posenc(['table', 'layer.json', '--layer', 'local', '--lang', 'zh-Hans']);
    expect(chinese.stderr).toBe('posenc: --layer 须为下列之一：all，而不是 local。\n');
    expect((await posenc(['table', bert, '--lang', 'zh-Hans'])).stderr).toMatch(/^posenc: 模型没有旋转位置编码/);
    expect((await posenc(['convert', 'layer.json', '--to', 'hf-v5', '--lang', 'zh-Hans'])).stderr).toMatch(/^说明：/);
  });

  test('runs through a link, as npm installs it, and loads no WebAssembly', async () => {
    const link = join(folder, 'posenc');
    await symlink(program, link);
    const ended = await new Promise<Ended>((resolve) => {
      const child = execFile(link, ['--version'], (_, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      );
    });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(await readFile(program, 'utf8')).not.toMatch(/\.wasm|WebAssembly\./);
  });
});
