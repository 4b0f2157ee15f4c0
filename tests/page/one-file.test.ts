import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Opened, figure, figureNames, openAddress, plain, settled } from './support/page.ts';
import { npyFile, sinusoidal } from './support/table-files.ts';

const built = fileURLToPath(new URL('../../build/posenc.html', import.meta.url));
let folder: string;
let opened: Opened;
beforeAll(async () => {
  // A place with nothing beside it.
  folder = mkdtempSync(join(tmpdir(), 'posenc-'));
  copyFileSync(built, join(folder, 'lesson.html'));
  opened = await openAddress(`${pathToFileURL(join(folder, 'lesson.html')).href}#v1&slide&shift=1234`);
  await settled(opened.page);
});
afterAll(async () => {
  await opened?.context.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the page in one file computes every figure when it is opened from disk', async () => {
  for (const name of figureNames) {
    expect(await figure(opened.page, name).locator('.proof').getAttribute('data-state')).toBe('holds');
  }
  expect(await figure(opened.page, 'slide').locator('.proof .engine').innerText()).toMatch(/^wasm (relaxed|simd) · /);
  expect(opened.problems).toEqual([]);
});

test('it has the parts that come when they are wanted: the check of a model, and of a table', async () => {
  const { page } = opened;
  await page.locator('#check').scrollIntoViewIfNeeded();
  await page.locator('model-panel button.example').click();
  expect(plain(await page.locator('model-panel .verdict').innerText())).toContain('Llama 3 scaling');
  const buffer = npyFile([64, 32], sinusoidal(64, 32));
  const file = { name: 'table.npy', mimeType: 'application/octet-stream', buffer };
  await page.locator('model-panel input[type="file"]').setInputFiles(file);
  await page.locator('table-panel .proof[data-state="holds"]').waitFor();
  expect(opened.problems).toEqual([]);
});

test('it asks for nothing but itself', () => {
  const others = opened.requests.filter((address) => !/^(data|blob):/.test(address));
  expect(others.map((address) => address.split('#')[0])).toEqual([pathToFileURL(join(folder, 'lesson.html')).href]);
});

test('it keeps the state of figures in its address', async () => {
  const { page } = opened;
  const { state } = await figure(page, 'slide').evaluate((element) => ({
    state: (element as HTMLElement & { state: Record<string, unknown> }).state,
  }));
  expect(state['shift']).toBe(1234);
  await figure(page, 'slide').locator('.reset').click();
  await expect.poll(() => new URL(page.url()).hash).toBe('');
});

test('its content policy lets nothing in from elsewhere', async () => {
  const policy = await opened.page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe-inline|[^-]unsafe-eval|https?:|'self'|\*/);
});
