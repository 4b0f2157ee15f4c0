import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Language, type Opened, figure, figureNames, open, settled } from './support/page.ts';
import { type Site, startSite } from './support/site.ts';

const languages = ['en', 'zh-Hans', 'zh-Hant'] as const;
let site: Site;
let opened: Opened;
/** What the page asks for in each language. */
const requests = new Map<Language, readonly string[]>();
beforeAll(async () => {
  site = await startSite();
  for (const language of languages) {
    const visit = await open(site, { folder: '/a/folder/', language });
    await settled(visit.page);
    // As a reader does who looks at everything and touches nothing.
    for (const section of await visit.page.locator('main > section').all()) await section.scrollIntoViewIfNeeded();
    await visit.page.locator('model-panel textarea').waitFor();
    await visit.page.waitForLoadState('networkidle');
    requests.set(language, [...new Set(visit.requests)]);
    if (language === 'en') opened = visit;
    else await visit.context.close();
  }
});
afterAll(async () => {
  await opened?.context.close();
  await site?.close();
});

describe('the page in a folder, under a content policy that names every source', () => {
  test('works', async () => {
    for (const name of figureNames) {
      expect(await figure(opened.page, name).locator('.proof').getAttribute('data-state')).toBe('holds');
    }
    expect(opened.problems).toEqual([]);
  });

  test('asks for nothing outside that folder', () => {
    expect(opened.requests.filter((url) => !url.startsWith(`${site.origin}/a/folder/`))).toEqual([]);
  });

  test('brings a content policy of its own, without unsafe-eval or unsafe-inline', async () => {
    const policy = await opened.page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("'wasm-unsafe-eval'");
    expect(policy).not.toMatch(/unsafe-inline|[^-]unsafe-eval|https?:|data:|blob:|\*/);
  });
});

describe('what is transferred, with gzip', () => {
  const sizeOf = async (url: string): Promise<number> =>
    gzipSync(Buffer.from(await (await fetch(url)).arrayBuffer())).length;

  test.each(languages)('is at most 274 KB for the whole page in %s, read to its end', async (language) => {
    const urls = requests.get(language)!;
    for (const ending of ['/', '.css', '.js', '.wasm']) {
      expect(urls.some((url) => url.endsWith(ending))).toBe(true);
    }
    const sizes = await Promise.all(urls.map(sizeOf));
    const sum = sizes.reduce((total, size) => total + size);
    expect(sum).toBeGreaterThan(60 * 1024);
    expect(sum).toBeLessThanOrEqual(274 * 1024);
  });

  test.each(languages)('has the texts in %s alone', (language) => {
    const texts = requests.get(language)!.flatMap((url) => /\/(en|zh-han[st])-[^/]*\.js$/.exec(url)?.[1] ?? []);
    expect(texts).toEqual([language.toLowerCase()]);
  });

  test('is at most 50 KB for the engine: one binary', async () => {
    const binaries = [...new Set(opened.requests)].filter((url) => url.endsWith('.wasm'));
    expect(binaries).toHaveLength(1);
    expect(await sizeOf(binaries[0]!)).toBeLessThanOrEqual(50 * 1024);
  });
});
