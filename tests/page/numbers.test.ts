import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { kernel } from './support/oracle.ts';
import {
  type Opened,
  choose,
  comparison,
  figure,
  nextFrames,
  numberIn,
  open,
  plain,
  readTable,
  settledFigure,
  slider,
  type,
} from './support/page.ts';
import { type Site, startSite } from './support/site.ts';

// Figure “From a number to a wave”, as a reader uses it.

let site: Site;
let opened: Opened;
let within: Locator;
beforeAll(async () => {
  site = await startSite();
  opened = await open(site);
  within = figure(opened.page, 'numbers');
  await settledFigure(within);
});
afterAll(async () => {
  await opened?.context.close();
  await site?.close();
});
beforeEach(async () => {
  const reset = within.locator('button.reset');
  if ((await reset.count()) > 0) await reset.click();
  await settledFigure(within);
});

const state = (): Promise<string | null> => within.locator('.proof').getAttribute('data-state');
const claim = async (): Promise<string> => plain(await within.locator('.proof .claim').innerText());

test('the table holds the similarities of every two positions', async () => {
  const length = 32;
  const { heads, rows } = await readTable(within, [0, 33, 5 * length + 8, length * length - 1]);
  expect(heads).toEqual(['m', 'n', 'n − m', 'index', '0 … 1', 'one-hot', 'learned', 'waves']);
  for (const [row, cells] of rows) {
    const [m, n] = [Math.floor(row / length), row % length];
    const numbers = cells.map(numberIn);
    expect(numbers.slice(0, 3)).toEqual([m, n, n - m]);
    const index = m === 0 || n === 0 ? 0 : 1;
    expect(numbers.slice(3, 6)).toEqual([index, index, m === n ? 1 : 0]);
    expect(Math.abs(numbers[7]! - kernel(n - m, 64))).toBeLessThan(2 ** -22);
  }
});

test('only waves keep the claim; every other code says why it does not', async () => {
  for (const [scheme, why] of [
    ['integer', /^One number has one direction/],
    ['unit', /^One number has one direction/],
    ['one-hot', /^Every two positions have similarity 0.* 0 ≥ 0/],
    ['learned', /^The same distance looks different/],
  ] as const) {
    await choose(within, 'scheme', scheme);
    await settledFigure(within);
    expect(await state()).toBe('fails');
    expect(await claim()).toMatch(why);
    expect(await within.locator('table.facts tr.chosen').count()).toBe(1);
  }
  await choose(within, 'scheme', 'waves');
  expect(await state()).toBe('holds');
  const { residual, tolerance } = await comparison(within);
  expect(residual).toBeLessThanOrEqual(tolerance);
});

test('one wave alone comes back', async () => {
  await type(within, 'dim', '2');
  await settledFigure(within);
  expect(await state()).toBe('fails');
  const further = Math.max(...Array.from({ length: 30 }, (_, k) => Math.cos(k + 2)));
  expect(await claim()).toContain(`as alike as ${further.toFixed(6)}`);
  const { residual, sign, tolerance } = await comparison(within);
  expect(residual).toBeCloseTo(further, 5);
  expect(tolerance).toBeCloseTo(Math.cos(1), 5);
  expect(sign).toBe('≥');
});

test('the cursor is one in all maps, and the readout gives all five similarities', async () => {
  const map = within.locator('canvas').nth(9);
  await map.focus();
  await map.press('Home');
  for (const key of ['ArrowRight', 'ArrowRight']) await map.press(key);
  await nextFrames(opened.page);
  const text = plain(await within.locator('.readout').innerText());
  expect(text).toMatch(/^m = 5 · n = 2 · n − m = −3 · similarity · index 1\.00000 .* one-hot 0 /);
  expect(numberIn(/waves (\S+)$/.exec(text)![1]!)).toBeCloseTo(kernel(3, 64), 5);
});

test('refuses more positions than the learned table has', async () => {
  await type(within, 'length', '65');
  expect(plain(await slider(within, 'length').refusal.innerText())).toBe(
    'The number of positions must be a whole number from 4 to 64; got 65.',
  );
  await type(within, 'length', '64');
  await settledFigure(within);
  expect(await state()).toBe('holds');
});

test('nothing went wrong meanwhile', () => {
  expect(opened.problems).toEqual([]);
});
