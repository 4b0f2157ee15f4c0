import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { toTraditional } from '../../.setup/traditional.ts';
import { ggufFile } from '../web/support/gguf-file.ts';
import { type Language, figure, nextFrames, open, settled, settledFigure, plain } from './support/page.ts';
import { PanelVisit, llama32, textOf } from './support/panel.ts';

// “Check my model”, as a reader uses it.

const visit = new PanelVisit();
const { codes, dropFile, fact, need, option, paste, refusal, verdict } = visit;

describe('the section', () => {
  afterEach(visit.close);

  test('brings its code when the reader comes near, and is in the contents', async () => {
    visit.opened = await open(visit.site);
    const { page, requests } = visit.opened;
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
    await visit.open();
    const { page } = visit.opened;
    await settled(page);
    await visit.panel.locator('button.example').click();
    expect(await verdict()).toBe(
      '64 pairs per head, Llama 3 scaling: the fast 29 stay, 6 are blended, the slow 29 turn 8 times slower.',
    );
    expect(await textOf(visit.panel.locator('.tag'))).toBe('HF v4');
    expect(await visit.panel.locator('.facts dd').count()).toBe(9);
    expect(await fact('headDim')).toBe('128');
    expect(await fact('pairing')).toBe('half (i, i + 64)');
    expect(await fact('trained')).toBe('8 192 → 131 072');

    const load = visit.panel.locator('.load .primary');
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
    await visit.open();
    await paste(deepseek);
    const shown = [await verdict(), await textOf(visit.panel.locator('.facts'))];
    expect(await fact('pairing')).toBe('interleaved (2i, 2i + 1)');
    // The clipboard is not there without https: the link stands beside the button.
    await visit.opened.page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await visit.panel.locator('.actions copy-button button').click();
    const link = await visit.panel.locator('.actions copy-button input').inputValue();
    expect(link).toMatch(/#v1&check&model=own_headDim_64_/);
    expect(link).not.toContain('nobody');
    expect(visit.opened.page.url()).not.toContain('own_');
    await visit.close();

    visit.opened = await open(visit.site, { folder: `/#${link.split('#')[1]!}` });
    visit.panel = visit.opened.page.locator('model-panel');
    await visit.panel.locator('.verdict').waitFor();
    expect([await verdict(), await textOf(visit.panel.locator('.facts'))]).toEqual(shown);
    expect(JSON.parse(await visit.panel.locator('textarea').inputValue())).toMatchObject({
      head_dim: 64,
      rope_parameters: { rope_type: 'yarn', factor: 40, mscale: 1, mscale_all_dim: 1, rope_theta: 10000 },
    });
    await expect.poll(() => visit.opened.page.evaluate(() => scrollY)).toBeGreaterThan(1000);
  });

  test('a report has the parameters, the wavelengths, the findings and the setting of every program', async () => {
    await visit.open();
    await paste({ ...deepseek, 'rope_`<b>|thetta': 1 });
    const saved = async (item: number): Promise<string> => {
      const waiting = visit.opened.page.waitForEvent('download');
      await visit.panel.locator('.actions menu-button > button').click();
      await visit.panel.locator('.actions [role="menuitem"]').nth(item).click();
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
    await visit.open({ language: 'zh-Hans' });
    await visit.panel.locator('button.example').click();
    expect(await verdict()).toBe('每头 64 对，Llama 3 缩放：最快的 29 对不变，6 对过渡，最慢的 29 对放慢到 1/8。');
    await need(262144);
    expect(await textOf(visit.panel.locator('.findings .severity').first())).toBe('留意');
    expect((await option('greater-factor'))[0]).toContain('推荐');
    await visit.opened.page.locator('[data-language="zh-Hant"]').click();
    await expect.poll(verdict).toBe('每頭 64 對，Llama 3 縮放：最快的 29 對不變，6 對過渡，最慢的 29 對放慢到 1/8。');
  });

  test('what the library says is in the language of the page', async () => {
    await visit.open({ language: 'zh-Hans' });
    const { page } = visit.opened;
    await paste({ ...llama32, rope_scaling: { ...llama32.rope_scaling, factor: 8 }, rope_thetta: 1 });
    await need(262144);
    await visit.panel.locator('[data-target="koboldcpp"]').click();
    const sentences = (): Promise<string[]> =>
      visit.panel.locator('.findings li > span:last-child, .need small, .elsewhere .note').allTextContents();
    const simplified = await sentences();
    expect(simplified.length).toBeGreaterThanOrEqual(6);
    await page.locator('[data-language="zh-Hant"]').click();
    await expect.poll(sentences).toEqual(simplified.map(toTraditional));
    const error = (): Promise<string> => refusal();
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
    await paste('--hf-overrides.a.b.c.d.e.f.g.h.i.j 1');
    expect(await error()).toMatch(
      /^无法读取：--hf-overrides\.a\.b\.c\.d\.e\.f\.g\.h\.i\.j 须为不超过 8 层的键路径，收到的是 "--hf-overrides.*"。$/,
    );
  });
});

describe.each([360, 390, 768])('at a width of %i', (width) => {
  beforeAll(() => visit.open({ width, phone: width < 760 }));
  afterAll(visit.close);

  test.each<Language>(['en', 'zh-Hans'])('nothing stands out of the screen in %s', async (language) => {
    await visit.opened.page.locator(`[data-language="${language}"]`).click();
    await visit.panel.locator('button.example').click();
    await need(262144);
    await nextFrames(visit.opened.page);
    const wide = await visit.panel.evaluate((root) =>
      [...root.querySelectorAll('*')]
        .filter((element) => !element.closest('.frame > *, .tabs > *, pre > *'))
        .filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5)
        .map((element) => `${element.tagName} ${element.className}`),
    );
    expect(wide).toEqual([]);
    expect(await visit.opened.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
});
