import { Converter } from 'opencc-js/cn2t';
import type { Page } from 'playwright-core';
import { registry } from 'posenc';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Language,
  choose,
  comparison,
  figure,
  figureNames,
  inkOf,
  nextFrames,
  open,
  plain,
  readTable,
  settled,
  settledFigure,
  slider,
  type,
} from './support/page.ts';
import { type Site, startSite } from './support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.close());

/** Every text a reader meets: in the document, in the attributes that are read out, on canvases. */
function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts: string[] = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement!;
      // Words of another language, code and titles of papers are marked as such.
      const own = parent.closest<HTMLElement>('[lang]')!.lang === document.documentElement.lang;
      if (own && !parent.closest('script, noscript, code, cite')) texts.push(node.textContent!);
    }
    for (const name of ['aria-label', 'title', 'alt', 'placeholder', 'aria-valuetext']) {
      for (const element of document.querySelectorAll(`[${name}]:not(body [lang])`)) {
        texts.push(element.getAttribute(name)!);
      }
    }
    for (const [canvas, drawn] of window.canvasTexts) {
      if (canvas.isConnected) texts.push(...drawn.map(({ text }) => text));
    }
    return texts.map((text) => text.trim()).filter((text) => text !== '');
  });
}

const HAN = /\p{Script=Han}|[，。：；？！（）“”]/u;
/** Names and notation that Chinese text keeps in Latin letters. */
const KEPT =
  /^(posenc|Transformer|RoPE|RoFormer|PE|SIMD|relaxed|simd|wasm|WebAssembly|MIT|JavaScript|positional|encoding|token|[Aa]ttention|max|sin|cos|exp|log|ln|bf16|bfloat16|fp16|float16|float32|float64|Vaswani|Su|d|i|b|m|n|x|k|q|a|f32|f64|K|W|ms|s|EN|Llama|Mistral|Mixtral|Qwen|Gemma|Falcon|GPT|J|NeoX|ChatGLM2?|B|v|xPos|ALiBi|KERPLE|FIRE|DeBERTa|Shaw|XL|XLNet|T5?|one|hot|Meta|Hugging|Face|interleaved|half|rad|PNG|SVG|CSV|NPY|NumPy|Markdown|f16|PI|NTK|aware|YaRN|LongRoPE|Phi|mini|DeepSeek|gpt|oss|Instruct|softmax|L|config|json|gguf|cpp)$/;

/** Characters that the conversion would change and that traditional Chinese has as well. */
const BOTH = '台游干';
const traditional = Converter({ from: 'cn', to: 't' });

describe.each<[Language, string]>([
  ['en', 'EN'],
  ['zh-Hans', '简'],
  ['zh-Hant', '繁'],
])('where the browser asks for %s', (language, label) => {
  test('the page starts in it, says so, and holds no word of the other language', async () => {
    const { page, context, problems } = await open(site, { language });
    await settled(page);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
    expect(await page.locator('.segments.small [aria-pressed="true"]').innerText()).toBe(label);
    for (const name of figureNames) {
      const within = figure(page, name);
      expect(await within.locator('.proof').getAttribute('data-state')).toBe('holds');
      expect(await within.locator('.proof .badge').innerText()).toBe(language === 'en' ? 'Holds' : '成立');
      const { residual, tolerance } = await comparison(within);
      expect(residual).toBeLessThanOrEqual(tolerance);
      await readTable(within, [0]);
    }
    // Refusals and claims that fail are text as well.
    await type(figure(page, 'waves'), 'dim', '7');
    await choose(figure(page, 'slide'), 'mode', 'keys');
    await choose(figure(page, 'distance'), 'between', 'matrix');
    await settled(page);
    const texts = await textsOf(page);
    expect(texts.length).toBeGreaterThan(200);
    const own = /^(我|很|牛逼|爱|你|中文)$|我 \/ 很 \/ 牛逼/;
    const foreign =
      language === 'en'
        ? texts.filter((text) => HAN.test(text.replace(/[“”]/g, '')) && !own.test(text))
        : texts.filter((text) => text.split(/[^A-Za-z0-9]+/).some((word) => /[A-Za-z]{2}/.test(word) && !isKept(word)));
    expect(foreign).toEqual([]);
    if (language === 'zh-Hant') {
      const simplified = texts.filter(
        (text) => !own.test(text) && [...text].some((mark) => traditional(mark) !== mark && !BOTH.includes(mark)),
      );
      expect(simplified).toEqual([]);
    }
    expect(problems).toEqual([]);
    await context.close();
  });
});

function isKept(word: string): boolean {
  return KEPT.test(word.replace(/^\d+/, '').replace(/\d+$/, '')) || KEPT.test(word) || /^\d/.test(word);
}

describe('a change of language', () => {
  test('keeps controls, cursor and claims, and translates the rest', async () => {
    const { page, context, problems } = await open(site);
    await settled(page);
    const waves = figure(page, 'waves');
    const slide = figure(page, 'slide');
    await type(waves, 'dim', '128');
    await type(waves, 'base', '777');
    await type(slide, 'shift', '1234');
    await choose(slide, 'model', 'GPT-J-6B');
    await choose(slide, 'mode', 'bf16');
    for (const within of [waves, slide]) await settledFigure(within);
    const map = waves.locator('canvas').first();
    await map.focus();
    for (const key of ['Home', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight']) await map.press(key);
    await nextFrames(page);
    const numbers = async (): Promise<string[]> =>
      plain(await waves.locator('.readout').innerText()).match(/\d[\d.]*/g) ?? [];
    const before = await numbers();
    const english = await page.locator('h1, h2, h3, label, .readout, .claim, .actions button').allInnerTexts();

    await page.locator('[data-language="zh-Hans"]').click();
    await settled(page);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('zh-Hans');
    expect(await page.title()).toMatch(HAN);
    expect(await numbers()).toEqual(before);
    expect(await slider(waves, 'dim').box.inputValue()).toBe('128');
    expect(await slider(waves, 'base').box.inputValue()).toBe('777');
    expect(plain(await slider(slide, 'shift').box.inputValue())).toBe('1 234');
    expect(await slide.locator('choice-group[name="model"] select').inputValue()).toBe('GPT-J-6B');
    expect(await slide.locator('choice-group[name="mode"] select').inputValue()).toBe('bf16');
    expect(await slide.locator('.proof').getAttribute('data-state')).toBe('fails');
    expect(plain(await waves.locator('.proof .engine').innerText())).toContain('80 × 128');
    const chinese = await page.locator('h1, h2, h3, label, .readout, .claim, .actions button').allInnerTexts();
    expect(chinese).toHaveLength(english.length);
    const same = chinese.filter((text, k) => text !== '' && text === english[k]);
    // Names that are the same in both languages.
    const names = Object.values(registry).filter(({ title }) => title.en === title['zh-Hans']);
    expect(same).toEqual(names.map(({ title }) => title.en));

    // The choice outlives the page.
    await page.reload();
    await settled(page);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('zh-Hans');
    await page.locator('[data-language="en"]').click();
    await nextFrames(page);
    expect(await page.locator('h1').innerText()).toMatch(
      /^How transformers know where a\swordis$|^How transformers know/,
    );
    expect(problems).toEqual([]);
    await context.close();
  });
});

describe('texts that cannot be fetched', () => {
  test('at the start: the page comes in English, without taking that for the choice of the reader', async () => {
    const { page, context } = await open(site, { folder: '/without-chinese/', language: 'zh-Hant' });
    await settled(page);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
    expect(await page.locator('[data-language="en"]').getAttribute('aria-pressed')).toBe('true');
    expect(await figure(page, 'waves').locator('h2').innerText()).toMatch(/^Each position is a row of waves/);
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
    await context.close();
  });

  test('later: the page stays as it is, and the next choice tries again', async () => {
    const { page, context } = await open(site);
    await settled(page);
    await page.route(/zh-hans-[^/]*\.js$/, (route) => route.abort());
    const failed = page.waitForEvent('requestfailed');
    await page.locator('[data-language="zh-Hans"]').click();
    await failed;
    await nextFrames(page);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
    await page.unroute(/zh-hans-[^/]*\.js$/);
    await page.locator('[data-language="zh-Hans"]').click();
    await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('zh-Hans');
    await context.close();
  });
});

describe('a change of theme', () => {
  test('goes round from the system to light and dark, redraws every plot, and keeps the state', async () => {
    const { page, context, problems } = await open(site, { theme: 'light' });
    await settled(page);
    const waves = figure(page, 'waves');
    await type(waves, 'dim', '64');
    await settledFigure(waves);
    const paper = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const canvases = page.locator('canvas');
    const hashes = async (): Promise<number[]> => {
      await nextFrames(page);
      const count = await canvases.count();
      return Promise.all(Array.from({ length: count }, async (_, k) => (await inkOf(canvases.nth(k))).hash));
    };
    const [light, inLight] = [await paper(), await hashes()];
    expect(light).toBe('rgb(253, 253, 252)');

    const button = page.locator('[data-theme-next]');
    const seen: (string | null)[] = [];
    for (let k = 0; k < 3; k++) {
      seen.push(await button.getAttribute('data-theme-next'));
      await button.click();
      await nextFrames(page);
      if (seen.at(-1) === 'dark') {
        expect(await paper()).toBe('rgb(19, 21, 24)');
        const inDark = await hashes();
        expect(inDark).toHaveLength(inLight.length);
        inDark.forEach((hash, k) => expect(hash).not.toBe(inLight[k]));
        expect(await slider(waves, 'dim').box.inputValue()).toBe('64');
        for (const name of figureNames) {
          expect(await figure(page, name).locator('.proof').getAttribute('data-state')).toBe('holds');
        }
      }
    }
    expect(seen).toEqual(['light', 'dark', 'system']);
    expect(await paper()).toBe(light);
    expect(await hashes()).toEqual(inLight);

    await page.emulateMedia({ colorScheme: 'dark' });
    await nextFrames(page);
    expect(await paper()).toBe('rgb(19, 21, 24)');
    expect(problems).toEqual([]);
    await context.close();
  });
});
