import { text } from 'node:stream/consumers';
import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { toTraditional } from '../../.setup/traditional.ts';
import { ggufFile } from '../web/support/gguf-file.ts';
import {
  type Language,
  type Opened,
  figure,
  nextFrames,
  numberIn,
  open,
  plain,
  settled,
  settledFigure,
} from './support/page.ts';
import { openPanel as panelOf } from './support/panel.ts';
import { type Site, startSite } from './support/site.ts';

// “Check my model”, as a reader uses it. Values are those of public cases, named by their numbers.

let site: Site;
let opened: Opened;
let panel: Locator;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.close());
afterEach(() => {
  expect(opened.problems).toEqual([]);
});

async function openPanel(language: Language = 'en', width = 1440): Promise<void> {
  ({ opened, panel } = await panelOf(site, { language, width, phone: width < 760 }));
}

async function paste(content: object | string): Promise<void> {
  await panel.locator('textarea').fill(typeof content === 'string' ? content : JSON.stringify(content));
}

async function dropFile(name: string, content: ArrayBuffer | string): Promise<void> {
  const buffer = Buffer.from(content as ArrayBuffer);
  await panel.locator('input[type="file"]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
}

/** Nothing pasted, no file. */
async function clear(): Promise<void> {
  const button = panel.locator('button.clear');
  if ((await button.count()) > 0) await button.click();
}

async function need(tokens: number | string): Promise<void> {
  const box = panel.locator('input[name="needed"]');
  if (tokens === '' && (await box.count()) === 0) return;
  await box.fill(String(tokens));
  await box.press('Enter');
}

const textOf = async (locator: Locator): Promise<string> => plain(await locator.innerText()).trim();
const verdict = (): Promise<string> => textOf(panel.locator('.verdict'));
const fact = (name: string): Promise<string> => textOf(panel.locator(`[data-fact="${name}"] dd`));
const codes = (): Promise<string[]> =>
  panel
    .locator('.findings li')
    .evaluateAll((items) => items.map((item) => (item as HTMLElement).dataset['code'] ?? ''));
const option = (rule: string): Promise<string[]> =>
  panel.locator(`tr[data-rule="${rule}"] > *`).evaluateAll((cells) =>
    cells.map((cell) =>
      cell
        .textContent!.replace(/\u2060/g, '')
        .replace(/\u00a0/g, ' ')
        .trim(),
    ),
  );

/** The divisor of a pair, as the plot says it at its cursor. */
async function divisorOf(pair: number): Promise<number> {
  const canvas = panel.locator('canvas');
  await canvas.press('Home');
  for (let step = 0; step < pair; step++) await canvas.press('ArrowRight');
  expect(await textOf(panel.locator('.readout'))).toContain(`pair ${pair} ·`);
  return numberIn(await textOf(panel.locator('.readout b').first()));
}

/** A whole number as the page writes it, its thin spaces plain ones. */
const inGroups = (value: number): string => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ' ');

const llama32 = {
  model_type: 'llama',
  hidden_size: 2048,
  num_attention_heads: 32,
  head_dim: 64,
  max_position_embeddings: 131072,
  rope_theta: 500000,
  rope_scaling: {
    rope_type: 'llama3',
    factor: 32,
    low_freq_factor: 1,
    high_freq_factor: 4,
    original_max_position_embeddings: 8192,
  },
};

describe('the section', () => {
  afterEach(() => opened.context.close());

  test('brings its code when the reader comes near, and is in the contents', async () => {
    opened = await open(site);
    const { page, requests } = opened;
    await settled(page);
    const isPanel = (url: string): boolean => /model-panel-[^/]*\.js$/.test(url);
    expect(requests.filter(isPanel)).toEqual([]);
    await page.locator('contents-rail > nav a[href="#check"]').click();
    await page.locator('model-panel textarea').waitFor();
    expect(requests.filter(isPanel)).toHaveLength(1);
    await expect
      .poll(() => page.locator('contents-rail > nav a[href="#check"]').getAttribute('aria-current'))
      .toBe('true');
  });

  test('has an example ready, and the figures take it', async () => {
    await openPanel();
    const { page } = opened;
    await settled(page);
    await panel.locator('button.example').click();
    expect(await verdict()).toBe(
      '64 pairs per head, Llama 3 scaling: the fast 29 stay, 6 are blended, the slow 29 turn 8 times slower.',
    );
    expect(await textOf(panel.locator('.tag'))).toBe('HF v4');
    expect(await panel.locator('.facts dd').count()).toBe(9);
    expect(await fact('headDim')).toBe('128');
    expect(await fact('pairing')).toBe('half (i, i + 64)');
    expect(await fact('trained')).toBe('8 192 → 131 072');

    const load = panel.locator('.load .primary');
    expect(await load.innerText()).toBe('Load into figures 8, 13, 14');
    await load.click();
    for (const name of ['slide', 'extend', 'precision'] as const) {
      await settledFigure(figure(page, name));
      const group = figure(page, name).locator('choice-group[name="model"]');
      expect(await group.locator('select').inputValue()).toMatch(/^own_headDim_128_/);
      expect(plain(await group.locator('.note').innerText())).toBe('heads of 128 · base 500 000 · half');
    }
    // The same model as that of the list, so the same answer.
    const extend = figure(page, 'extend');
    const state = (): Promise<Record<string, unknown>> =>
      extend.evaluate((element) => (element as HTMLElement & { state: Record<string, unknown> }).state);
    expect(await state()).toMatchObject({ method: 'llama3', factor: 8, length: 131072 });

    // The address opens it again.
    await expect.poll(() => page.url()).toContain('model=own_headDim_128');
    await page.reload();
    await figure(page, 'extend').locator('.proof').waitFor();
    expect(await state()).toMatchObject({ method: 'llama3', factor: 8, length: 131072 });
    expect((await state())['model']).toMatch(/^own_headDim_128_/);
  });

  const deepseek = {
    model_type: 'deepseek_v3',
    qk_rope_head_dim: 64,
    max_position_embeddings: 163840,
    rope_theta: 10000,
    rope_scaling: {
      type: 'yarn',
      factor: 40,
      mscale: 1,
      mscale_all_dim: 1,
      beta_fast: 32,
      beta_slow: 1,
      original_max_position_embeddings: 4096,
    },
    secret: 'nobody-else-reads-this',
  };

  test('a link carries the parameters, and nothing else of what was pasted', async () => {
    await openPanel();
    await paste(deepseek);
    const shown = [await verdict(), await textOf(panel.locator('.facts'))];
    expect(await fact('pairing')).toBe('interleaved (2i, 2i + 1)');
    // The clipboard is not there without https: the link stands beside the button.
    await opened.page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await panel.locator('.actions copy-button button').click();
    const link = await panel.locator('.actions copy-button input').inputValue();
    expect(link).toMatch(/#v1&check&model=own_headDim_64_/);
    expect(link).not.toContain('nobody');
    expect(opened.page.url()).not.toContain('own_');
    await opened.context.close();

    opened = await open(site, { folder: `/#${link.split('#')[1]!}` });
    panel = opened.page.locator('model-panel');
    await panel.locator('.verdict').waitFor();
    expect([await verdict(), await textOf(panel.locator('.facts'))]).toEqual(shown);
    expect(JSON.parse(await panel.locator('textarea').inputValue())).toMatchObject({
      head_dim: 64,
      rope_parameters: { rope_type: 'yarn', factor: 40, mscale: 1, mscale_all_dim: 1, rope_theta: 10000 },
    });
    await expect.poll(() => opened.page.evaluate(() => scrollY)).toBeGreaterThan(1000);
  });

  test('a report has the parameters, the wavelengths, the findings and the setting of every program', async () => {
    await openPanel();
    await paste({ ...deepseek, 'rope_`<b>|thetta': 1 });
    const saved = async (item: number): Promise<string> => {
      const waiting = opened.page.waitForEvent('download');
      await panel.locator('.actions menu-button > button').click();
      await panel.locator('.actions [role="menuitem"]').nth(item).click();
      const download = await waiting;
      expect(download.suggestedFilename()).toBe(`posenc-model.${['md', 'json'][item]!}`);
      return text(await download.createReadStream());
    };
    const wavelength = (pair: number): number => 2 * Math.PI * 10000 ** ((2 * pair) / 64);
    const report = JSON.parse(await saved(1)) as {
      layers: {
        params: object;
        pairs: { divisor: number; wavelengthBefore: number; wavelength: number }[];
        settings: { program: string; text?: string; notes: string[] }[];
      }[];
      findings: { code: string }[];
    };
    const [layer] = report.layers;
    expect(layer!.params).toMatchObject({ headDim: 64, type: 'yarn', factor: 40, pairing: 'interleaved' });
    expect(layer!.pairs).toHaveLength(32);
    for (const [pair, divisor] of [
      [0, 1],
      [31, 40],
    ] as const) {
      const one = layer!.pairs[pair]!;
      expect(one.divisor).toBeCloseTo(divisor, 9);
      expect(one.wavelengthBefore / wavelength(pair)).toBeCloseTo(1, 9);
      expect(one.wavelength / wavelength(pair) / divisor).toBeCloseTo(1, 9);
    }
    expect(layer!.settings.map(({ program }) => program)).toEqual([
      'HF v5',
      'HF v4',
      'llama.cpp',
      'vLLM',
      'Ollama',
      'KoboldCpp',
      'ExLlama',
    ]);
    expect(report.findings.map(({ code }) => code)).toEqual(await codes());

    const markdown = await saved(0);
    expect(markdown).toMatch(/^# Positions in this model\n\n32 pairs per head, YaRN scaling/);
    expect(markdown).toContain('| factor | 40 |');
    expect(markdown).toMatch(/^\| 31 \| 40\S* \| /m);
    for (const { program, text: setting } of layer!.settings) {
      expect(markdown).toContain(`**${program}**\n\n${setting === undefined ? '' : `\`\`\`\n${setting}\n`}`);
    }
    for (const code of await codes()) expect(markdown).toContain(`\`${code}\``);
    expect(markdown).not.toContain('<b>');
  });

  test('speaks Chinese', async () => {
    await openPanel('zh-Hans');
    await panel.locator('button.example').click();
    expect(await verdict()).toBe('每头 64 对，Llama 3 缩放：最快的 29 对不变，6 对过渡，最慢的 29 对放慢到 1/8。');
    await need(262144);
    expect(await textOf(panel.locator('.findings .severity').first())).toBe('留意');
    expect((await option('greater-factor'))[0]).toContain('推荐');
    await opened.page.locator('[data-language="zh-Hant"]').click();
    await expect.poll(verdict).toBe('每頭 64 對，Llama 3 縮放：最快的 29 對不變，6 對過渡，最慢的 29 對放慢到 1/8。');
  });

  test('what the library says is in the language of the page', async () => {
    await openPanel('zh-Hans');
    const { page } = opened;
    await paste({ ...llama32, rope_scaling: { ...llama32.rope_scaling, factor: 8 }, rope_thetta: 1 });
    await need(262144);
    await panel.locator('[data-target="koboldcpp"]').click();
    const sentences = (): Promise<string[]> =>
      panel.locator('.findings li > span:last-child, .need small, .elsewhere .note').allTextContents();
    const simplified = await sentences();
    expect(simplified.length).toBeGreaterThanOrEqual(6);
    await page.locator('[data-language="zh-Hant"]').click();
    await expect.poll(sentences).toEqual(simplified.map(toTraditional));
    const error = (): Promise<string> => textOf(panel.locator('.refusal').first());
    await paste({ rope_theta: 'high' });
    expect(await error()).toBe('無法讀取：rope_theta 須為有限的數，收到的是 "high"。');
    await page.locator('[data-language="zh-Hans"]').click();
    expect(await error()).toBe('无法读取：rope_theta 须为有限的数，收到的是 "high"。');
    await paste('{ "rope_theta": ');
    expect(await error()).toBe('无法读取：贴入的文本须为完整的 JSON，收到的是 "{ \\"rope_theta\\":"。');
    await paste({ head_dim: 64, rope_scaling: { rope_type: 'yarm', factor: 2 } });
    expect(await error()).toMatch(
      /^无法读取：rope_scaling\.rope_type 须为下列之一：default, .*, proportional，收到的是 "yarm"。$/,
    );
    await dropFile('cut.gguf', ggufFile({ keys: {} }).slice(0, 20));
    await expect.poll(error).toBe('无法读取：文件须为完整的文件，其中应有 24 字节，收到的是 20 字节。');
    // What the page has no words for is quoted, and said to be English.
    await paste('--hf-overrides.a.b.c.d.e.f.g.h.i.j 1');
    expect(await error()).toMatch(/^无法读取：按库的说明（英文）修改后再试：/);
    const quotation = panel.locator('.refusal q');
    expect(await quotation.getAttribute('lang')).toBe('en');
    expect(await textOf(quotation)).toContain('must be a path of at most 8 keys');
  });
});

describe.each([360, 390, 768])('at a width of %i', (width) => {
  beforeAll(() => openPanel('en', width));
  afterAll(() => opened.context.close());

  test.each<Language>(['en', 'zh-Hans'])('nothing stands out of the screen in %s', async (language) => {
    await opened.page.locator(`[data-language="${language}"]`).click();
    await panel.locator('button.example').click();
    await need(262144);
    await nextFrames(opened.page);
    const wide = await panel.evaluate((root) =>
      [...root.querySelectorAll('*')]
        .filter((element) => !element.closest('.frame > *, .tabs > *, pre > *'))
        .filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5)
        .map((element) => `${element.tagName} ${element.className}`),
    );
    expect(wide).toEqual([]);
    expect(await opened.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
});

describe('public cases', () => {
  beforeAll(() => openPanel());
  afterAll(() => opened.context.close());
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
    expect(await textOf(panel.locator('.tag'))).toBe('GGUF');
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
    await panel.locator('[data-target="llama.cpp"]').click();
    const notes = (await panel.locator('.elsewhere .note').allInnerTexts()).join(' ');
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
    const recommended = panel.locator('tr.recommended');
    expect(await recommended.getAttribute('data-rule')).toBe('smaller-factor');
    const [name, base, divisors, attention] = await option('smaller-factor');
    expect(name).toContain('2 is enough');
    expect(numberIn(base!)).toBe(1e6);
    expect(divisors).toBe('1 … 2');
    expect(numberIn(attention!)).toBeCloseTo(1.0693147180559945, 5);
    expect(await codes()).toContain('factor_too_large');
    await need('many');
    expect(await textOf(panel.locator('.need .refusal'))).toMatch(/whole number from 1 to 2 147 483 647; got many\.$/);
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
      expect(await textOf(panel.locator('.tag'))).toBe('llama.cpp');
      expect(await verdict()).toContain('all turn 8 times slower');
      answers.push(await textOf(panel.locator('.facts')));
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
    expect(await textOf(panel.locator('.file'))).toContain('model.gguf');
    await paste({ model_type: 'llama', hidden_size: 4096, num_attention_heads: 32, rope_theta: 1000000 });
    expect(await codes()).toContain('freq_base_missing');
    expect(await panel.locator('.severity').first().innerText()).toBe('Error');
    expect(await textOf(panel.locator('[data-code="freq_base_missing"]'))).toMatch(
      /10 000.*1 000 000|1 000 000.*10 000/s,
    );
  });

  test('flags alone say what they were applied to, and a context that is asked for is not one of training', async () => {
    const label = (): Promise<string> => textOf(panel.locator('[data-fact="trained"] dt'));
    await paste('FROM llama3.1:8b\nPARAMETER num_ctx 32768\nPARAMETER temperature 0.7');
    expect(await textOf(panel.locator('.tag'))).toBe('Ollama');
    expect(await textOf(panel.locator('.assumed'))).toContain('heads of 128 on base 10 000');
    expect(await label()).toBe('context asked for');
    await paste(`${JSON.stringify(llama32)}\n--rope-scale 8`);
    expect(await panel.locator('.assumed').count()).toBe(0);
    expect(await label()).toBe('trained length');
  });

  test('a configuration with flags is what is served, beside what it is by itself', async () => {
    // linear scaling by 4 on a base of 10 000: every wavelength is four times that of the base
    await paste(`${JSON.stringify(llama32)}\n--rope-scaling linear --rope-scale 4 --rope-freq-base 10000 -c 32768`);
    expect(await verdict()).toBe('32 pairs per head, linear scaling: all turn 4 times slower.');
    expect(await textOf(panel.locator('.served'))).toBe('As it is served (llama.cpp):');
    expect(await textOf(panel.locator('.alone'))).toMatch(/^The model by itself: 32 pairs per head, Llama 3 scaling/);
    const longest = 2 * Math.PI * 10_000 ** (62 / 64);
    expect(await fact('before')).toBe(`6.28 … ${inGroups(longest)}`);
    expect(await fact('after')).toBe(`25.1 … ${inGroups(4 * longest)}`);
    await panel.locator('[data-target="hf-v5"]').click();
    expect(JSON.parse(await panel.locator('.elsewhere pre').innerText())).toMatchObject({
      rope_parameters: { rope_type: 'linear', factor: 4, rope_theta: 10_000 },
    });
    await paste(`${JSON.stringify(llama32)}\n-c 32768`);
    expect(await textOf(panel.locator('.alone'))).toBe('What it is served with does not change this.');
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
    const block = panel.locator('.elsewhere pre');
    await panel.locator('[data-target="hf-v5"]').click();
    expect(JSON.parse(await block.innerText())).toEqual({
      head_dim: 256,
      max_position_embeddings: 131072,
      rope_parameters: {
        full_attention: { rope_type: 'linear', factor: 8, rope_theta: 1000000 },
        sliding_attention: { rope_type: 'default', rope_theta: 10000 },
      },
    });
    await panel.locator('[data-target="llama.cpp"]').click();
    expect(await textOf(panel.locator('.elsewhere .note').first())).toBe('For layers of type full_attention:');
    expect(await block.innerText()).toContain('--rope-scale 8');
  });

  test('numbers are in groups of three, but not where they are to be typed', async () => {
    await paste(`${JSON.stringify(llama32)}\n--rope-freq-base 10000`);
    const finding = (code: string): Promise<string> => textOf(panel.locator(`[data-code="${code}"]`).first());
    expect(await finding('launch_differs')).toContain('base 10 000 where its source states 500 000');
    await need(1000000);
    expect(plain(await panel.locator('input[name="needed"]').inputValue())).toBe('1 000 000');
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
    const layers = panel.locator('choice-group[name="layer"] [role="radio"]');
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
    expect(await panel.locator('canvas').count()).toBe(0);
  });
});

describe('more public cases, one paste each', () => {
  beforeAll(() => openPanel());
  afterAll(() => opened.context.close());
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
  const why = (code: string): Promise<string> => textOf(panel.locator(`[data-code="${code}"]`).first());
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
        expect(await textOf(panel.locator('.tag'))).toBe('ExLlama');
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
        near(numberIn(await textOf(panel.locator('.readout b').last())), turn / 0.6042963902381329);
      },
    ],
  ])('%s', async (_, content, tokens, answers) => {
    await paste(content);
    if (tokens !== '') await need(tokens);
    await answers();
  });
});

describe('what is given', () => {
  beforeAll(() => openPanel());
  afterAll(() => opened.context.close());
  beforeEach(clear);

  test('stays in the browser: no request is made with it or about it', async () => {
    const { page, requests } = opened;
    await panel.locator('button.example').click();
    const before = requests.length;
    await paste({ ...llama32, secret: 'nobody-else-reads-this' });
    await dropFile('config.json', JSON.stringify(llama32));
    await expect.poll(() => panel.locator('textarea').inputValue()).toContain('llama3');
    await dropFile('private.gguf', ggufFile({ keys: { 'general.architecture': { string: 'llama' } } }));
    await expect.poll(() => panel.locator('.tag').first().innerText()).toBe('GGUF');
    await need(65536);
    await panel.locator('[data-target="vllm"]').click();
    await nextFrames(page);
    expect(requests.slice(before)).toEqual([]);
    expect(page.url()).not.toMatch(/nobody|private/);
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toMatch(
      /nobody|private/,
    );
  });

  test('is shown as text, whatever it holds', async () => {
    const { page } = opened;
    const evil = '<img src=x onerror="window.struck = true"><b>';
    await paste({
      model_type: evil,
      head_dim: 64,
      max_position_embeddings: 2048,
      rope_parameters: {
        [evil]: { rope_type: 'default', rope_theta: 10000 },
        other: { rope_type: 'linear', factor: 2, rope_theta: 10000 },
      },
    });
    expect(await panel.locator('choice-group[name="layer"]').innerText()).toContain(evil);
    await paste(`--rope-scale 8 "${evil.replaceAll('"', "'")}"`);
    expect(await textOf(panel.locator('[data-code="not_read"]'))).toBeTruthy();
    await paste({ head_dim: evil });
    expect(await textOf(panel.locator('.refusal').first())).toContain('head_dim');
    await dropFile(
      `${evil.replaceAll('/', '')}.gguf`,
      ggufFile({ keys: { 'general.architecture': { string: evil } } }),
    );
    await panel.locator('.file').waitFor();
    await nextFrames(page);
    expect(await panel.locator('img').count()).toBe(0);
    expect(await page.evaluate(() => 'struck' in window)).toBe(false);
  });

  test('is refused with the key, the rule and the value where it is wrong, and stays', async () => {
    await paste('{ "rope_theta": ');
    expect(await textOf(panel.locator('.refusal').first())).toMatch(/^This cannot be read: json must be JSON/);
    expect(await panel.locator('textarea').inputValue()).toBe('{ "rope_theta": ');
    expect(await panel.locator('textarea').getAttribute('aria-invalid')).toBe('true');
    await paste({ rope_theta: 'high' });
    expect(await textOf(panel.locator('.refusal').first())).toContain('rope_theta must be a finite number, got "high"');
    await dropFile('picture.png', new Uint8Array([0x89, 0x50, 0, 0]).buffer);
    await expect.poll(() => textOf(panel.locator('.refusal').first())).toContain('is expected');
  });

  test.each(['[]', '[{"rope_theta": 10000}]', 'null', '7', '"--rope-scale 8"'])(
    'is no line of flags: %s',
    async (json) => {
      await paste(json);
      expect(await textOf(panel.locator('.refusal').first())).toBe(
        'This is JSON, but no configuration: that is an object, with its keys in braces.',
      );
    },
  );

  test('may have comments, which are left out', async () => {
    const kinds = () => panel.locator('.tag[lang="en"]').allInnerTexts();
    const commented = `// from the hub {\n# of 2025\n/* } */\n{ "head_dim": 64, // "rope_theta": 1, }
      "model_type": "llama", # not "//" here\n "rope_theta": 20000, "torch_dtype": "https://x#y" /* } */ }\n--rope-scale 2`;
    await paste(commented);
    expect(await kinds()).toEqual(['HF v4', 'llama.cpp']);
    expect(await fact('before')).toBe(`6.28 … ${inGroups(2 * Math.PI * 20_000 ** (62 / 64))}`);
    expect(await textOf(panel.locator('.paste .note'))).toBe('Comments were left out: JSON has none.');
    await paste('# llama-server\n--rope-scale 2');
    expect(await kinds()).toEqual(['llama.cpp']);
    expect(await panel.locator('.paste .note').count()).toBe(0);
  });

  test('may be a file far larger than memory, of which only the header is read', async () => {
    const { page } = opened;
    const header = Buffer.from(
      ggufFile({ keys: { 'general.architecture': { string: 'llama' }, 'llama.rope.freq_base': { f32: 500000 } } }),
    );
    // A file that says how much of it is read, dropped on the section.
    const read = await page.evaluate(
      async (bytes) => {
        const head = new Uint8Array(bytes);
        const size = 40e9;
        let total = 0;
        class Huge extends File {
          override get size(): number {
            return size;
          }
          override slice(from = 0, to = size): Blob {
            const part = new Uint8Array(to - from);
            part.set(head.subarray(from, to));
            total += part.length;
            return new Blob([part]);
          }
          override arrayBuffer(): Promise<ArrayBuffer> {
            throw new Error('the whole file was read');
          }
          override text(): Promise<string> {
            throw new Error('the whole file was read');
          }
        }
        const data = { types: ['Files'], files: [new Huge([], 'huge.gguf')] };
        const event = new Event('drop', { bubbles: true, cancelable: true });
        Object.defineProperty(event, 'dataTransfer', { value: data });
        document.querySelector('model-panel')!.dispatchEvent(event);
        while (!document.querySelector('model-panel .verdict, model-panel .refusal:not(:empty)'))
          await new Promise(requestAnimationFrame);
        return total;
      },
      [...header],
    );
    expect(await textOf(panel.locator('.file'))).toContain('40 GB');
    expect(await verdict()).toContain('base 500 000');
    expect(read).toBeLessThan(64e6);
  });
});
