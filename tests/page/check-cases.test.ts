import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ggufFile } from '../web/support/gguf-file.ts';
import { numberIn, plain } from './support/page.ts';
import { PanelVisit, inGroups, llama32, textOf } from './support/panel.ts';

// “Check my model”: values are those of public cases, named by their numbers.

const visit = new PanelVisit();
const { clear, codes, divisorOf, dropFile, fact, need, option, paste, verdict } = visit;

describe('public cases', () => {
  beforeAll(() => visit.open());
  afterAll(visit.close);
  beforeEach(async () => {
    await need('');
    await clear();
  });

  test('A2: weights from Hugging Face are paired by halves, those of a llama GGUF by neighbours', async () => {
    await paste(llama32);
    expect(await fact('pairing')).toBe('half (i, i + 32)');
    expect(await codes()).toContain('pairing_permuted');
    const file = ggufFile({
      keys: {
        'general.architecture': { string: 'llama' },
        'llama.embedding_length': { u32: 2048 },
        'llama.attention.head_count': { u32: 32 },
        'llama.context_length': { u32: 8192 },
        'llama.rope.freq_base': { f32: 500000 },
      },
    });
    await dropFile('llama.gguf', file);
    await expect.poll(() => fact('pairing')).toBe('interleaved (2i, 2i + 1)');
    expect(await textOf(visit.panel.locator('.tag'))).toBe('GGUF');
  });

  test('A22: the strengths of YaRN cancel in the table and leave a multiplier to the softmax', async () => {
    await paste({
      model_type: 'deepseek_v3',
      qk_rope_head_dim: 64,
      max_position_embeddings: 262144,
      rope_theta: 50000,
      rope_scaling: { type: 'yarn', factor: 64, mscale: 1, mscale_all_dim: 1, original_max_position_embeddings: 4096 },
    });
    expect(await fact('attention')).toBe('1');
    expect(numberIn(await fact('softmax'))).toBeCloseTo(2.004739701682487, 9);
    await visit.panel.locator('[data-target="llama.cpp"]').click();
    const notes = (await visit.panel.locator('.elsewhere .note').allInnerTexts()).join(' ');
    expect(Number(/--yarn-attn-factor ([\d.]*\d)/.exec(notes)?.[1])).toBeCloseTo(0.7062703986695512, 12);
  });

  test('A24: the pairs of Llama 3.2 are kept, blended and divided by 32, and a factor of 8 is noticed', async () => {
    await paste(llama32);
    expect(await verdict()).toContain('the fast 15 stay, 3 are blended, the slow 14 turn 32 times slower');
    for (const [pair, divisor] of [
      [14, 1],
      [15, 1.6513292457638982],
      [16, 3.2922621029408843],
      [17, 9.666728978753293],
      [18, 32],
    ] as const) {
      expect(Math.abs((await divisorOf(pair)) / divisor - 1)).toBeLessThan(1e-5);
    }
    expect(await codes()).not.toContain('scaling_for_size');
    await paste({ ...llama32, rope_scaling: { ...llama32.rope_scaling, factor: 8 } });
    expect(await codes()).toContain('scaling_for_size');
  });

  test('A27: for 65 536 tokens a factor of 2 is enough', async () => {
    const scaling = { rope_type: 'yarn', factor: 4, original_max_position_embeddings: 32768 };
    await paste({
      model_type: 'qwen2',
      head_dim: 128,
      max_position_embeddings: 32768,
      rope_theta: 1e6,
      rope_scaling: scaling,
    });
    await need(65536);
    const recommended = visit.panel.locator('tr.recommended');
    expect(await recommended.getAttribute('data-rule')).toBe('smaller-factor');
    const [name, base, divisors, attention] = await option('smaller-factor');
    expect(name).toContain('2 is enough');
    expect(numberIn(base!)).toBe(1e6);
    expect(divisors).toBe('1 … 2');
    expect(numberIn(attention!)).toBeCloseTo(1.0693147180559945, 5);
    expect(await codes()).toContain('factor_too_large');
    await need('many');
    expect(await textOf(visit.panel.locator('.need .refusal'))).toMatch(
      /whole number from 1 to 2 147 483 647; got many\.$/,
    );
  });

  test('A18: dynamic scaling grows its base with the length', async () => {
    const scaling = { rope_type: 'dynamic', factor: 2 };
    await paste({
      model_type: 'llama',
      head_dim: 64,
      max_position_embeddings: 2048,
      rope_theta: 1000,
      rope_scaling: scaling,
    });
    for (const [length, base] of [
      [2048, 1000],
      [4096, 3108.2236667168813],
      [8192, 7453.483031811892],
    ] as const) {
      await need(length);
      expect(Math.abs(numberIn((await option('none'))[1]!) / base - 1)).toBeLessThan(1e-9);
    }
  });

  test('A28: a scale of 8 and a frequency scale of an eighth are the same', async () => {
    const answers: string[] = [];
    for (const flags of ['--rope-scale 8', '--rope-freq-scale 0.125']) {
      await paste(flags);
      expect(await textOf(visit.panel.locator('.tag'))).toBe('llama.cpp');
      expect(await verdict()).toContain('all turn 8 times slower');
      answers.push(await textOf(visit.panel.locator('.facts')));
    }
    expect(answers[0]).toBe(answers[1]);
  });

  test('A30: a GGUF without a base is compared with the config of its model', async () => {
    const file = ggufFile({
      keys: {
        'general.architecture': { string: 'llama' },
        'llama.embedding_length': { u32: 4096 },
        'llama.attention.head_count': { u32: 32 },
        'llama.context_length': { u32: 32768 },
      },
    });
    await dropFile('model.gguf', file);
    await expect.poll(codes).toContain('freq_base_assumed');
    expect(await textOf(visit.panel.locator('.file'))).toContain('model.gguf');
    await paste({ model_type: 'llama', hidden_size: 4096, num_attention_heads: 32, rope_theta: 1000000 });
    expect(await codes()).toContain('freq_base_missing');
    expect(await visit.panel.locator('.severity').first().innerText()).toBe('Error');
    expect(await textOf(visit.panel.locator('[data-code="freq_base_missing"]'))).toMatch(
      /10 000.*1 000 000|1 000 000.*10 000/s,
    );
  });

  test('flags alone say what they were applied to, and a context that is asked for is not one of training', async () => {
    const label = (): Promise<string> => textOf(visit.panel.locator('[data-fact="trained"] dt'));
    await paste('FROM llama3.1:8b\nPARAMETER num_ctx 32768\nPARAMETER temperature 0.7');
    expect(await textOf(visit.panel.locator('.tag'))).toBe('Ollama');
    expect(await textOf(visit.panel.locator('.assumed'))).toContain('heads of 128 on base 10 000');
    expect(await label()).toBe('context asked for');
    await paste(`${JSON.stringify(llama32)}\n--rope-scale 8`);
    expect(await visit.panel.locator('.assumed').count()).toBe(0);
    expect(await label()).toBe('trained length');
  });

  test('a configuration with flags is what is served, beside what it is by itself', async () => {
    // linear scaling by 4 on a base of 10 000: every wavelength is four times that of the base
    await paste(`${JSON.stringify(llama32)}\n--rope-scaling linear --rope-scale 4 --rope-freq-base 10000 -c 32768`);
    expect(await verdict()).toBe('32 pairs per head, linear scaling: all turn 4 times slower.');
    expect(await textOf(visit.panel.locator('.served'))).toBe('As it is served (llama.cpp):');
    expect(await textOf(visit.panel.locator('.alone'))).toMatch(
      /^The model by itself: 32 pairs per head, Llama 3 scaling/,
    );
    const longest = 2 * Math.PI * 10_000 ** (62 / 64);
    expect(await fact('before')).toBe(`6.28 … ${inGroups(longest)}`);
    expect(await fact('after')).toBe(`25.1 … ${inGroups(4 * longest)}`);
    await visit.panel.locator('[data-target="hf-v5"]').click();
    expect(JSON.parse(await visit.panel.locator('.elsewhere pre').innerText())).toMatchObject({
      rope_parameters: { rope_type: 'linear', factor: 4, rope_theta: 10_000 },
    });
    await paste(`${JSON.stringify(llama32)}\n-c 32768`);
    expect(await textOf(visit.panel.locator('.alone'))).toBe('What it is served with does not change this.');
  });

  test('layers of several types are one block, as Transformers ships Gemma 3', async () => {
    await paste({
      model_type: 'gemma3_text',
      head_dim: 256,
      max_position_embeddings: 131072,
      rope_theta: 1000000,
      rope_local_base_freq: 10000,
      sliding_window_pattern: 6,
      rope_scaling: { factor: 8, rope_type: 'linear' },
    });
    const block = visit.panel.locator('.elsewhere pre');
    await visit.panel.locator('[data-target="hf-v5"]').click();
    expect(JSON.parse(await block.innerText())).toEqual({
      head_dim: 256,
      max_position_embeddings: 131072,
      rope_parameters: {
        full_attention: { rope_type: 'linear', factor: 8, rope_theta: 1000000 },
        sliding_attention: { rope_type: 'default', rope_theta: 10000 },
      },
    });
    await visit.panel.locator('[data-target="llama.cpp"]').click();
    expect(await textOf(visit.panel.locator('.elsewhere .note').first())).toBe('For layers of type full_attention:');
    expect(await block.innerText()).toContain('--rope-scale 8');
  });

  test('numbers are in groups of three, but not where they are to be typed', async () => {
    await paste(`${JSON.stringify(llama32)}\n--rope-freq-base 10000`);
    const finding = (code: string): Promise<string> => textOf(visit.panel.locator(`[data-code="${code}"]`).first());
    expect(await finding('launch_differs')).toContain('base 10 000 where its source states 500 000');
    await need(1000000);
    expect(plain(await visit.panel.locator('input[name="needed"]').inputValue())).toBe('1 000 000');
    await need('');
    await paste('--rope-scale 8 --seed 1234');
    expect(await finding('not_read')).toContain('--seed 1234');
  });

  test('divisors that differ for all pairs are one range', async () => {
    await paste({
      model_type: 'phi3',
      head_dim: 8,
      max_position_embeddings: 131072,
      original_max_position_embeddings: 4096,
      rope_scaling: { type: 'longrope', short_factor: [1, 1, 1, 1], long_factor: [1.08, 2, 4, 62.18] },
    });
    expect(await verdict()).toBe(
      '4 pairs per head, LongRoPE scaling: at 131 072 tokens, all turn 1.08 to 62.18 times slower.',
    );
  });

  test('A35: the global layers of Gemma 3 are scaled, the local ones are not', async () => {
    await paste({
      model_type: 'gemma3_text',
      head_dim: 256,
      max_position_embeddings: 131072,
      rope_theta: 1e6,
      rope_local_base_freq: 10000,
      rope_scaling: { rope_type: 'linear', factor: 8 },
    });
    const layers = visit.panel.locator('choice-group[name="layer"] [role="radio"]');
    expect(await layers.allInnerTexts()).toHaveLength(2);
    const scaled: boolean[] = [];
    for (const layer of await layers.all()) {
      await layer.click();
      scaled.push((await verdict()).includes('all turn 8 times slower'));
    }
    expect(scaled.sort()).toEqual([false, true]);
  });

  test('A36: sections that do not cover the pairs are an error', async () => {
    const config = (sections: number[]): object => ({
      model_type: 'qwen2_vl',
      head_dim: 128,
      max_position_embeddings: 32768,
      rope_theta: 1e6,
      rope_scaling: { type: 'mrope', mrope_section: sections },
    });
    await paste(config([16, 24, 24]));
    expect(await codes()).not.toContain('mrope_section_sum');
    await paste(config([16, 24, 23]));
    expect(await codes()).toContain('mrope_section_sum');
  });

  test('A13: a learned table has no formula, and an end', async () => {
    await paste({ model_type: 'gpt2', n_positions: 1024, n_embd: 768, n_head: 12 });
    expect(await verdict()).toBe('A learned table, no formula: positions past 1 023 do not exist.');
    expect(await visit.panel.locator('canvas').count()).toBe(0);
  });
});

describe('more public cases, one paste each', () => {
  beforeAll(() => visit.open());
  afterAll(visit.close);
  beforeEach(async () => {
    await need('');
    await clear();
  });

  const dynamic = {
    model_type: 'llama',
    head_dim: 64,
    max_position_embeddings: 2048,
    rope_theta: 1000,
    rope_scaling: { rope_type: 'dynamic', factor: 2 },
  };
  const yarn = (scaling: object): object => ({
    model_type: 'deepseek_v3',
    qk_rope_head_dim: 64,
    max_position_embeddings: 65536,
    rope_theta: 10000,
    rope_scaling: { rope_type: 'yarn', factor: 16, original_max_position_embeddings: 4096, ...scaling },
  });
  const numbers = (count: number, value: number): number[] => new Array<number>(count).fill(value);
  const longrope = {
    model_type: 'phi3',
    head_dim: 96,
    max_position_embeddings: 131072,
    rope_parameters: {
      rope_type: 'longrope',
      rope_theta: 50000,
      short_factor: numbers(48, 1),
      long_factor: numbers(48, 8),
      original_max_position_embeddings: 4096,
    },
  };
  const why = (code: string): Promise<string> => textOf(visit.panel.locator(`[data-code="${code}"]`).first());
  const base = async (): Promise<number> => numberIn((await option('none'))[1]!);
  /** Both ends of the wavelengths after scaling. */
  const wavelengths = async (): Promise<number[]> => (await fact('after')).split(' … ').map(numberIn);
  const near = (value: number, expected: number, error = 1e-5): void =>
    expect(Math.abs(value / expected - 1)).toBeLessThan(error);
  const turn = 2 * Math.PI;

  test.each<[name: string, content: object | string, tokens: number | '', answers: () => Promise<void>]>([
    [
      'A19: a short text after a long one has the old base again, and keys of the other do not fit',
      dynamic,
      8192,
      async () => {
        near(await base(), 7453.483031811892, 1e-9);
        await need(1024);
        near(await base(), 1000, 1e-9);
        expect(await why('depends_on_length')).toContain('Keys that were cached under another base do not match');
      },
    ],
    [
      'A20: alpha 4 raises the base as NTK scaling does',
      '-rope-theta 10000 -ra 4',
      '',
      async () => {
        expect(await textOf(visit.panel.locator('.tag'))).toBe('ExLlama');
        const [, slowest] = await wavelengths();
        near(slowest!, turn * 40889.94243248622 ** (126 / 128), 1e-4);
      },
    ],
    [
      'A21: equal strengths cancel in the table and leave a softmax factor',
      yarn({ mscale: 1, mscale_all_dim: 1 }),
      '',
      async () => {
        expect(await fact('attention')).toBe('1');
        near(numberIn(await fact('softmax')), 1.6313902266748685, 1e-8);
        expect(await why('softmax_factor')).toContain('1.27726');
      },
    ],
    [
      'A23: a given attention factor is final',
      yarn({ factor: 128, attention_factor: 1.4852030263919618 }),
      '',
      async () => near(numberIn(await fact('attention')), 1.4852030263919618, 1e-8),
    ],
    [
      'A25: a wavelength of 4000 is divided by 2.32',
      {
        model_type: 'llama',
        head_dim: 4,
        rope_theta: (4000 / turn) ** 2,
        rope_scaling: { ...llama32.rope_scaling, factor: 8 },
      },
      '',
      async () => near(await divisorOf(1), 2.321981424148607),
    ],
    [
      'A26: the short factors hold up to the original context, the long ones from there',
      longrope,
      4096,
      async () => {
        expect(await divisorOf(9)).toBe(1);
        await need(4097);
        expect(await divisorOf(9)).toBe(8);
        expect(await why('depends_on_length')).toContain('chooses by the size it allocates takes the long ones');
      },
    ],
    [
      'A29: a scale of a half and a base of 70 000 at once are unusual, and told with their wavelengths',
      '--ropeconfig 0.5 70000',
      '',
      async () => {
        near((await wavelengths())[0]!, 2 * turn, 5e-3);
        expect(await why('scale_and_base')).toContain('12.5664');
      },
    ],
    [
      'A31: rope_parameters alone are enough, and a key beside them that differs is an error',
      longrope,
      '',
      async () => {
        expect(await codes()).not.toContain('conflict');
        const [first, last] = (await fact('before')).split(' … ').map(numberIn);
        near(first!, turn, 1e-3);
        near(last!, turn * 50000 ** (94 / 96), 1e-4);
        await paste({ ...longrope, rope_theta: 1e6 });
        expect(await why('conflict')).toMatch(/^Error/);
      },
    ],
    [
      'A33: a given head width counts, not the hidden size by the heads',
      { model_type: 'mistral', hidden_size: 5120, num_attention_heads: 32, head_dim: 128, rope_theta: 1e6 },
      '',
      async () => expect(await fact('pairs')).toBe('64'),
    ],
    [
      'A34: a partial width has its exponents and its pairs within itself',
      { head_dim: 256, partial_rotary_factor: 0.25, rope_theta: 1e7, max_position_embeddings: 32768 },
      '',
      async () => {
        expect([await fact('pairs'), await fact('headDim')]).toEqual(['32', '64 / 256']);
        expect(await fact('pairing')).toBe('half (i, i + 32)');
        await divisorOf(1);
        near(numberIn(await textOf(visit.panel.locator('.readout b').last())), turn / 0.6042963902381329);
      },
    ],
  ])('%s', async (_, content, tokens, answers) => {
    await paste(content);
    if (tokens !== '') await need(tokens);
    await answers();
  });
});
