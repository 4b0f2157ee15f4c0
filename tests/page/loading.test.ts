import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Opened, figure, figureNames, open, settled } from './support/page.ts';
import { type Site, startSite } from './support/site.ts';

let site: Site;
let opened: Opened;
beforeAll(async () => {
  site = await startSite();
  opened = await open(site, { folder: '/a/folder/' });
  await settled(opened.page);
  // As a reader does who looks at everything and touches nothing.
  for (const section of await opened.page.locator('main > section').all()) await section.scrollIntoViewIfNeeded();
  await opened.page.locator('model-panel textarea').waitFor();
  await opened.page.waitForLoadState('networkidle');
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

  test('is at most 300 KB for the whole page, read to its end', async () => {
    const urls = [...new Set(opened.requests)];
    for (const ending of ['/', '.css', '.js', '.wasm']) {
      expect(urls.some((url) => url.endsWith(ending))).toBe(true);
    }
    const sizes = await Promise.all(urls.map(sizeOf));
    const sum = sizes.reduce((total, size) => total + size);
    expect(sum).toBeGreaterThan(60 * 1024);
    expect(sum).toBeLessThanOrEqual(300 * 1024);
  });

  test('is at most 50 KB for the engine: one binary', async () => {
    const binaries = [...new Set(opened.requests)].filter((url) => url.endsWith('.wasm'));
    expect(binaries).toHaveLength(1);
    expect(await sizeOf(binaries[0]!)).toBeLessThanOrEqual(50 * 1024);
  });
});
