import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Language, figure, figureNames, inkOf, nextFrames, open, plain, settled } from './support/page.ts';
import { type FolderName, type Site, startSite } from './support/site.ts';

// What a reader sees where the engine comes late, damaged or not at all.

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.close());

type Written = Exclude<Language, 'zh-Hant'>;

const REFUSED: Record<Written, string> = {
  en: 'This browser refuses WebAssembly SIMD, which every figure needs (Chrome 91, Firefox 89, Safari 16.4 or newer have it).',
  'zh-Hans': '此浏览器不支持 WebAssembly SIMD，所有图都需要它（Chrome 91、Firefox 89、Safari 16.4 及以上可用）。',
};
const UNREACHABLE: Record<Written, RegExp> = {
  en: /^The engine could not be loaded, so no figure is computed: the WebAssembly module did not load: .+/,
  'zh-Hans': /^引擎无法加载，所有图都没有计算：.+/,
};
const NOT_COMPUTED: Record<Written, string> = {
  en: 'Not computed: the engine is not running.',
  'zh-Hans': '未计算：引擎没有运行。',
};

describe('in both languages the page says so, and stays readable,', () => {
  test.each<[string, FolderName, 'unsupported' | 'load-failed', Written]>([
    ['without WebAssembly', '/no-wasm/', 'unsupported', 'en'],
    ['without SIMD', '/no-simd/', 'unsupported', 'zh-Hans'],
    ['where the binary is missing', '/missing/', 'load-failed', 'en'],
    ['where the binary breaks off', '/broken-off/', 'load-failed', 'zh-Hans'],
    ['where the binary is cut in half', '/truncated/', 'load-failed', 'en'],
  ])('%s', async (_, folder, code, language) => {
    const { page, context, problems } = await open(site, { folder, language });
    const notice = page.locator('engine-notice .notice');
    await notice.waitFor();
    expect(await notice.getAttribute('role')).toBe('alert');
    const said = plain(await notice.innerText());
    if (code === 'unsupported') expect(said).toBe(REFUSED[language]);
    else expect(said).toMatch(UNREACHABLE[language]);
    const { y } = (await notice.boundingBox())!;
    expect(y).toBeLessThan(150);

    await settled(page, { computed: false });
    for (const name of figureNames) {
      const within = figure(page, name);
      expect(await within.locator('.readout').innerText()).toBe(NOT_COMPUTED[language]);
      expect(await within.locator('.proof').getAttribute('data-state')).toBe('not-applicable');
      expect((await within.locator('.prose .text').innerText()).length).toBeGreaterThan(50);
      expect(await within.locator('.notes').isVisible()).toBe(true);
      const { height } = (await within.locator('canvas').first().boundingBox())!;
      expect(height).toBeGreaterThan(120);
    }
    expect((await inkOf(page.locator('#hero-canvas'))).colored).toBeGreaterThan(0.1);
    expect(await page.locator('#hero-badge').getAttribute('class')).toBe('badge not-applicable');

    // Controls still answer, and the other language has the same words.
    const box = figure(page, 'waves').locator('number-slider[name="dim"] .box');
    await box.fill('64');
    await box.press('Enter');
    expect(await figure(page, 'waves').locator('canvas').first().getAttribute('aria-label')).toContain('64');
    const other = language === 'en' ? 'zh-Hans' : 'en';
    await page.locator(`[data-language="${other}"]`).click();
    await nextFrames(page);
    const translated = plain(await notice.innerText());
    if (code === 'unsupported') expect(translated).toBe(REFUSED[other]);
    else expect(translated).toMatch(UNREACHABLE[other]);
    expect(problems.filter((problem) => !problem.includes('.wasm') && !isReportOfRequest(problem))).toEqual([]);
    await context.close();
  });
});

/** Chromium's own line about a file that did not arrive. */
function isReportOfRequest(problem: string): boolean {
  return problem.startsWith('console: Failed to load resource');
}

test.each<[Written, RegExp]>([
  ['en', /^How transformers know/],
  ['zh-Hans', /^Transformer\s?怎样知道/],
])('before any script file arrives the first screen is drawn, in %s', async (language, title) => {
  const { page, context, requests } = await open(site, { folder: '/no-script-yet/', language, theme: 'dark' });
  await page.locator('#hero-badge:not(:empty)').waitFor();
  expect(requests.some((url) => url.endsWith('.js'))).toBe(true);
  expect(await page.locator('#figures > *').count()).toBe(0);
  expect(await page.locator('h1').innerText()).toMatch(title);
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(19, 21, 24)');
  expect((await inkOf(page.locator('#hero-canvas'))).colored).toBeGreaterThan(0.1);
  await context.close();
});

test('until the binary arrives the first screen is drawn, and figures keep their place', async () => {
  const blank = await open(site, { folder: '/never/' });
  await figure(blank.page, 'slide').locator('canvas').first().waitFor();
  await nextFrames(blank.page);
  const ready = await open(site);
  await settled(ready.page);

  expect((await inkOf(blank.page.locator('#hero-canvas'))).colored).toBeGreaterThan(0.1);
  expect(await blank.page.locator('#hero-badge').getAttribute('class')).toBe('badge computing');
  for (const name of figureNames) {
    const [before, after] = [figure(blank.page, name), figure(ready.page, name)];
    expect(await before.locator('.proof').getAttribute('data-state')).toBe('computing');
    const canvases = await before.locator('canvas').count();
    expect(await after.locator('canvas').count()).toBe(canvases);
    for (let k = 0; k < canvases; k++) {
      const [empty, drawn] = [
        await inkOf(before.locator('canvas').nth(k)),
        await inkOf(after.locator('canvas').nth(k)),
      ];
      // Names, cursors and colour bars have hues of their own.
      expect(empty.colored, `${name} ${k}`).toBeLessThan(0.03);
      const isPaper = name === 'order' && k === 2; // the change of weights that are the old ones, which is 0
      if (!isPaper) expect(drawn.colored - empty.colored, `${name} ${k}`).toBeGreaterThan(0.005);
    }
    const heights = [before, after].map(async (it) => (await it.locator('figure').boundingBox())!.height);
    const [heightBefore, heightAfter] = await Promise.all(heights);
    expect(Math.abs(heightAfter! - heightBefore!)).toBeLessThanOrEqual(24);
  }
  expect(blank.problems).toEqual([]);
  await blank.context.close();
  await ready.context.close();
});

test('an engine without relaxed SIMD runs the other binary, and the page shows which', async () => {
  const { page, context, problems, requests } = await open(site, { folder: '/no-relaxed/' });
  await settled(page);
  for (const name of figureNames) {
    expect(await figure(page, name).locator('.proof').getAttribute('data-state')).toBe('holds');
    expect(await figure(page, name).locator('.proof .engine').innerText()).toMatch(/^wasm simd · /);
  }
  expect(await page.locator('page-footer').innerText()).toContain('WebAssembly (SIMD)');
  const binaries = requests.filter((url) => url.endsWith('.wasm'));
  expect(binaries).toHaveLength(1);
  expect(binaries[0]).toMatch(/\/simd-[^/]*\.wasm$/);
  expect(problems).toEqual([]);
  await context.close();
});

test('Chromium runs the relaxed binary', async () => {
  const { page, context, requests } = await open(site);
  await settled(page);
  expect(await figure(page, 'waves').locator('.proof .engine').innerText()).toMatch(/^wasm relaxed · /);
  expect(requests.filter((url) => url.endsWith('.wasm'))).toEqual([expect.stringMatching(/\/relaxed-[^/]*\.wasm$/)]);
  await context.close();
});
