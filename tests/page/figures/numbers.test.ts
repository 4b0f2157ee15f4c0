import { expect, test } from 'vitest';
import { kernel } from '../support/oracle.ts';
import {
  choose,
  comparison,
  nextFrames,
  numberIn,
  plain,
  readTable,
  settledFigure,
  slider,
  type,
} from '../support/page.ts';
import { readerOf } from '../support/reader.ts';

// Figure “From a number to a wave”, as a reader uses it.

const reader = readerOf('numbers');

test('the table holds the similarities of every two positions', async () => {
  const length = 32;
  const { heads, rows } = await readTable(reader.within, [0, 33, 5 * length + 8, length * length - 1]);
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
    await choose(reader.within, 'scheme', scheme);
    await settledFigure(reader.within);
    expect(await reader.state()).toBe('fails');
    expect(await reader.claim()).toMatch(why);
    expect(await reader.within.locator('table.facts tr.chosen').count()).toBe(1);
  }
  await choose(reader.within, 'scheme', 'waves');
  expect(await reader.state()).toBe('holds');
  const { residual, tolerance } = await comparison(reader.within);
  expect(residual).toBeLessThanOrEqual(tolerance);
});

test('one wave alone comes back', async () => {
  await type(reader.within, 'dim', '2');
  await settledFigure(reader.within);
  expect(await reader.state()).toBe('fails');
  const further = Math.max(...Array.from({ length: 30 }, (_, k) => Math.cos(k + 2)));
  expect(await reader.claim()).toContain(`as alike as ${further.toFixed(6)}`);
  const { residual, sign, tolerance } = await comparison(reader.within);
  expect(residual).toBeCloseTo(further, 5);
  expect(tolerance).toBeCloseTo(Math.cos(1), 5);
  expect(sign).toBe('≥');
});

test('the cursor is one in all maps, and the readout gives all five similarities', async () => {
  const map = reader.within.locator('canvas').nth(9);
  await map.focus();
  await map.press('Home');
  for (const key of ['ArrowRight', 'ArrowRight']) await map.press(key);
  await nextFrames(reader.page);
  const text = plain(await reader.within.locator('.readout').innerText());
  expect(text).toMatch(/^m = 5 · n = 2 · n − m = −3 · similarity · index 1\.00000 .* one-hot 0 /);
  expect(numberIn(/waves (\S+)$/.exec(text)![1]!)).toBeCloseTo(kernel(3, 64), 5);
});

test('refuses more positions than the learned table has', async () => {
  await type(reader.within, 'length', '65');
  expect(plain(await slider(reader.within, 'length').refusal.innerText())).toBe(
    'The number of positions must be a whole number from 4 to 64; got 65.',
  );
  await type(reader.within, 'length', '64');
  await settledFigure(reader.within);
  expect(await reader.state()).toBe('holds');
});

test('nothing went wrong meanwhile', () => {
  expect(reader.problems).toEqual([]);
});
