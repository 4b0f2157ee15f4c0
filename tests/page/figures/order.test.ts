import { expect, test } from 'vitest';
import { embed } from '../../../web/app/figures/embedding.js';
import { randomMatrix } from '../../../web/app/figures/linear.js';
import { ORDER_DIM as dim } from '../../../web/app/figures/order/task.js';
import { attend, rotate, rowsOf, times } from '../support/oracle.ts';
import { choose, comparison, inkOf, numberIn, readTable, settledFigure } from '../support/page.ts';
import { readerOf } from '../support/reader.ts';

// Figure “Order is invisible to attention”, as a reader uses it.

const reader = readerOf('order');

const chips = (): Promise<string[]> => reader.within.locator('.chip').allInnerTexts();

/** Weights and mean output of words in an order, in plain float64. */
function naive(tokens: readonly string[], order: readonly number[], turned: boolean) {
  const words = rowsOf(embed(tokens, dim), dim);
  const x = order.map((token) => words[token]!);
  const [query, key, value] = [101, 102, 103].map((seed) => times(x, rowsOf(randomMatrix(dim, dim, seed), dim)));
  const turn = (row: number[], p: number): number[] =>
    turned ? rotate(row, p, { rotaryDim: dim, base: 10_000, pairing: 'half' }) : row;
  const { weights, output } = attend({ query: query!.map(turn), key: key!.map(turn), value: value! });
  return { weights, pooled: output[0]!.map((_, c) => output.reduce((sum, row) => sum + row[c]!, 0) / output.length) };
}

async function expectTable(tokens: readonly string[], order: readonly number[], turned = false): Promise<void> {
  const count = tokens.length;
  const [first, second] = [
    naive(
      tokens,
      tokens.map((_, place) => place),
      turned,
    ),
    naive(tokens, order, turned),
  ];
  const { rows } = await readTable(
    reader.within,
    Array.from({ length: count * count + dim }, (_, row) => row),
  );
  for (const [row, [query, key, before, now]] of rows) {
    const [m, n, channel] = [Math.floor(row / count), row % count, row - count * count];
    if (channel < 0) {
      expect([query, key]).toEqual([tokens[order[m]!], tokens[order[n]!]]);
      expect(Math.abs(numberIn(before!) - first.weights[order[m]!]![order[n]!]!)).toBeLessThan(3e-6);
      expect(Math.abs(numberIn(now!) - second.weights[m]![n]!)).toBeLessThan(3e-6);
    } else {
      expect(Math.abs(numberIn(before!) - first.pooled[channel]!)).toBeLessThan(2e-5);
      expect(Math.abs(numberIn(now!) - second.pooled[channel]!)).toBeLessThan(2e-5);
    }
  }
}

test('opens with 我 爱 你 read backwards, and nothing but the order has changed', async () => {
  expect(await chips()).toEqual(['你', '爱', '我']);
  expect(await reader.state()).toBe('holds');
  const { residual, tolerance } = await comparison(reader.within);
  expect(residual).toBeLessThanOrEqual(tolerance);
  expect(tolerance).toBeLessThan(1e-5);
  // Every score is the same float in both orders.
  expect(await reader.within.locator('.margin dd').first().innerText()).toBe('0');
  await expectTable(['我', '爱', '你'], [2, 1, 0]);
});

test('arrow keys move a word, which keeps the focus', async () => {
  const chip = reader.within.locator('.chip', { hasText: '你' });
  await chip.focus();
  await chip.press('ArrowRight');
  await settledFigure(reader.within);
  expect(await chips()).toEqual(['爱', '你', '我']);
  expect(await chip.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await chip.getAttribute('aria-description')).toContain('place 2 of 3');
  await expectTable(['我', '爱', '你'], [1, 2, 0]);
  await chip.press('End');
  await settledFigure(reader.within);
  expect(await chips()).toEqual(['爱', '我', '你']);
  expect(await reader.state()).toBe('holds');
});

test('a word is dragged to another place', async () => {
  await choose(reader.within, 'example', '他 / 欠 / 我 / 100万');
  await settledFigure(reader.within);
  expect(await chips()).toEqual(['100万', '我', '欠', '他']);
  const box = async (text: string) => (await reader.within.locator('.chip', { hasText: text }).boundingBox())!;
  await reader.within.locator('.chip').first().scrollIntoViewIfNeeded();
  const [from, to] = [await box('他'), await box('100万')];
  const { mouse } = reader.page;
  await mouse.move(from.x + 10, from.y + 10);
  await mouse.down();
  await mouse.move(to.x + 5, to.y + 10, { steps: 8 });
  await mouse.up();
  await settledFigure(reader.within);
  expect(await chips()).toEqual(['他', '100万', '我', '欠']);
  expect(await reader.state()).toBe('holds');
  await expectTable(['他', '欠', '我', '100万'], [0, 3, 2, 1]);
});

test('the same order twice says nothing', async () => {
  await reader.within.locator('.chip', { hasText: '你' }).press('End');
  await reader.within.locator('.chip', { hasText: '我' }).press('Home');
  await settledFigure(reader.within);
  expect(await chips()).toEqual(['我', '爱', '你']);
  expect(await reader.state()).toBe('not-applicable');
});

test.each(['index', 'sinusoidal', 'learned', 'rope'])('%s makes the claim fail', async (positions) => {
  await choose(reader.within, 'positions', positions);
  await settledFigure(reader.within);
  expect(await reader.state()).toBe('fails');
  expect(await reader.claim()).toMatch(/attention sees the order/);
  const { residual, tolerance } = await comparison(reader.within);
  expect(residual).toBeGreaterThan(100 * tolerance);
  expect((await inkOf(reader.within.locator('canvas').nth(2))).colored).toBeGreaterThan(0.05);
  if (positions === 'rope') await expectTable(['我', '爱', '你'], [2, 1, 0], true);
});

test('ALiBi cannot tell a sentence from its mirror image, but another order', async () => {
  await choose(reader.within, 'positions', 'alibi');
  await settledFigure(reader.within);
  expect(await reader.state()).toBe('holds');
  expect(await reader.claim()).toMatch(/^ALiBi lowers a score by the distance alone/);
  await reader.within.locator('.chip', { hasText: '你' }).press('ArrowRight');
  await settledFigure(reader.within);
  expect(await reader.state()).toBe('fails');
});

test('a causal mask makes it fail without any positions', async () => {
  await choose(reader.within, 'mask', 'causal');
  await settledFigure(reader.within);
  expect(await reader.state()).toBe('fails');
  expect(await reader.claim()).toMatch(/^A causal mask/);
});

test('takes words of the reader, and refuses one alone', async () => {
  const field = reader.within.locator('text-field[name="sentence"]');
  await field.locator('input').fill('dog / bites / man');
  await field.locator('input').press('Enter');
  await settledFigure(reader.within);
  expect(await chips()).toEqual(['man', 'bites', 'dog']);
  await expectTable(['dog', 'bites', 'man'], [2, 1, 0]);
  await field.locator('input').fill('alone');
  await field.locator('input').press('Enter');
  expect(await field.locator('.refusal').innerText()).toBe('The sentence must have 2 to 8 words; got 1.');
  expect(await chips()).toEqual(['man', 'bites', 'dog']);
});

test('nothing went wrong meanwhile', () => {
  expect(reader.problems).toEqual([]);
});
