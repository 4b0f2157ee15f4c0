import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dot, encodingRow, frequencies, kernel } from '../support/oracle.ts';
import {
  type Opened,
  choose,
  comparison,
  figure,
  figureNames,
  numberIn,
  open,
  readTable,
  reset,
  settledFigure,
  type,
} from '../support/page.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
let opened: Opened;
let page: Page;
beforeAll(async () => {
  site = await startSite();
  opened = await open(site);
  page = opened.page;
  await settledFigure(figure(page, 'distance'));
});
afterAll(async () => {
  await opened?.context.close();
  await site?.close();
});

const tally = (holding: number): string => `${holding} of ${figureNames.length} claims hold on this machine.`;

describe('distance in the dot product', () => {
  const within = (): Locator => figure(page, 'distance');
  const length = 64;
  /** A few whole rows and the corners of the window. */
  const cells = [0, 1, 63, 2 * 64 + 5, 10 * 64 + 13, 31 * 64 + 17, 63 * 64, 64 * 64 - 1];

  beforeEach(() => reset(within()));

  test('(2, 5) and (10, 13) have the same product, to 15 digits', async () => {
    const map = within().locator('canvas').first();
    await map.focus();
    for (const key of ['Home', ...Array<string>(7).fill('PageUp'), 'ArrowDown', 'ArrowDown']) await map.press(key);
    for (let i = 0; i < 5; i++) await map.press('ArrowRight');
    const labels = within().locator('.margin dt');
    await expect.poll(() => labels.allInnerTexts()).toEqual(['PE(2) ⋅ PE(5)', 'PE(10) ⋅ PE(13)', 'difference']);
    const { dot_2_5: reference } = (
      JSON.parse(readFileSync(new URL('../../fixtures/seed_claims.json', import.meta.url), 'utf8')) as {
        cases: { dot_2_5?: number }[];
      }
    ).cases.find((entry) => entry.dot_2_5 !== undefined)!;
    const values = within().locator('.margin dd');
    await expect
      .poll(async () => Math.abs(numberIn((await values.allInnerTexts())[0]!) - reference!))
      .toBeLessThan(1e-12 * 256);
    const [here, there, difference] = (await values.allInnerTexts()).map(numberIn);
    expect(Math.abs(here! - 211.7494434276926)).toBeLessThan(1e-9);
    expect(Math.abs(there! - 211.7494434276926)).toBeLessThan(1e-9);
    expect(difference).toBeLessThan(1e-9);
  });

  test.each([
    [512, 1_000_000],
    [512, 0],
    [64, 4321],
  ])('at d = %i the window at %i has the products of plain float64 rows', async (dim, start) => {
    await type(within(), 'dim', String(dim));
    await type(within(), 'start', String(start));
    await settledFigure(within());
    const { rows } = await readTable(within(), cells);
    // 0.51 · 2⁻²³ · d for a product of rounded rows, and half of the sixth decimal.
    const bound = 0.51 * 2 ** -23 * dim + 5e-7;
    for (const [at, texts] of rows) {
      const [m, n] = [Math.floor(at / length), at % length];
      const [first, second, distance, before, now] = texts.map((text) => numberIn(text));
      expect([first, second, distance]).toEqual([start + m, start + n, n - m]);
      expect(Math.abs(before! - dot(encodingRow(m, dim), encodingRow(n, dim)))).toBeLessThanOrEqual(bound);
      expect(Math.abs(now! - dot(encodingRow(start + m, dim), encodingRow(start + n, dim)))).toBeLessThanOrEqual(bound);
      expect(Math.abs(now! - (dim / 2) * kernel(n - m, dim))).toBeLessThanOrEqual(bound);
    }
    const { residual, tolerance } = await comparison(within());
    expect(residual).toBeLessThanOrEqual(tolerance);
    if (start === 0) expect(residual).toBe(0);
    expect(await within().locator('.proof').getAttribute('data-state')).toBe('holds');
  });

  test('the products of a window far out are not those of plain float32 positions', async () => {
    // Shows that the bound above can fail: angles rounded to float32 first are off by far more.
    const far = (position: number): number[] =>
      frequencies(512).flatMap((f) => {
        const angle = Math.fround(Math.fround(position) * Math.fround(f));
        return [Math.sin(angle), Math.cos(angle)];
      });
    const off = Math.abs(dot(far(1_000_002), far(1_000_005)) - 256 * kernel(3, 512));
    expect(off).toBeGreaterThan(100 * 1.02 * 512 * 2 ** -23);
  });

  test('a matrix between the rows breaks it', async () => {
    await choose(within(), 'between', 'matrix');
    await settledFigure(within());
    const proof = within().locator('.proof');
    expect(await proof.getAttribute('data-state')).toBe('fails');
    expect(await proof.locator('.badge').innerText()).toBe('Fails');
    expect(await proof.innerText()).toContain('A matrix stands between the two rows');
    const { residual, sign, tolerance } = await comparison(within());
    expect(sign).toBe('>');
    expect(residual).toBeGreaterThan(tolerance);
    await expect.poll(() => page.locator('#tally').innerText()).toBe(tally(figureNames.length - 1));
  });
});

test('nothing went wrong meanwhile', () => {
  expect(opened.problems).toEqual([]);
});
