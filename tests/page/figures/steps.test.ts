import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { embed } from '../../../web/app/figures/embedding.js';
import { randomMatrix } from '../../../web/app/figures/linear.js';
import { attend, encodingRow, rotate, rowsOf, times } from '../support/oracle.ts';
import { choose, comparison, nextFrames, numberIn, plain, readTable, settledFigure } from '../support/page.ts';
import { readerOf } from '../support/reader.ts';

// Figure “RoPE attention, step by step”, as a reader uses it.

const reader = readerOf('steps');

const dim = 16;
const sentence = 'the cat saw the dog'.split(' ');
const readout = async (): Promise<string> => plain(await reader.within.locator('.readout').innerText());

/** The nine matrices of a head for each of the three columns of the table, in plain float64. */
function naive(tokens: readonly string[], heads: number, kvHeads: number, head: number): number[][][][] {
  const headDim = dim / heads;
  const kvHead = Math.floor(head / (heads / kvHeads));
  return ['rope', 'none', 'sinusoids'].map((method) => {
    const x = rowsOf(embed(tokens, dim), dim).map((row, p) =>
      method === 'sinusoids' ? row.map((value, c) => value + encodingRow(p, dim)[c]!) : row,
    );
    const project = (seed: number, count: number, at: number): number[][] =>
      times(x, rowsOf(randomMatrix(dim, count * headDim, seed), count * headDim)).map((row) =>
        row.slice(at * headDim, (at + 1) * headDim),
      );
    const [q, k, v] = [project(401, heads, head), project(402, kvHeads, kvHead), project(403, kvHeads, kvHead)];
    const turn = (row: number[], p: number): number[] =>
      method === 'rope' ? rotate(row, p, { rotaryDim: headDim, base: 10_000, pairing: 'half' }) : row;
    const [turnedQ, turnedK] = [q.map(turn), k.map(turn)];
    const { scores, weights, output } = attend({ query: turnedQ, key: turnedK, value: v, sees: (m, n) => n <= m });
    return [x, q, k, v, turnedQ, turnedK, scores, weights, output];
  });
}

async function expectTable(tokens: readonly string[], heads: number, kvHeads: number, head: number): Promise<void> {
  const methods = naive(tokens, heads, kvHeads, head);
  const columns = methods.map((steps) => steps.flat(2));
  const count = columns[0]!.length;
  const { rows } = await readTable(
    reader.within,
    Array.from({ length: count }, (_, row) => row),
  );
  expect(rows.size).toBe(count);
  for (const [row, cells] of rows) {
    cells.slice(3).forEach((cell, method) => {
      const expected = columns[method]![row]!;
      if (Number.isFinite(expected)) expect(Math.abs(numberIn(cell) - expected)).toBeLessThan(2e-5);
      else expect(cell).toBe('−∞');
    });
  }
}

test('all nine matrices are those of plain float64, for all three methods', async () => {
  expect(await reader.state()).toBe('holds');
  const { residual, tolerance } = await comparison(reader.within);
  expect(residual).toBeLessThanOrEqual(tolerance);
  await expectTable(sentence, 2, 2, 0);
});

test('grouped heads and words of the reader', async () => {
  await choose(reader.within, 'heads', '4');
  await choose(reader.within, 'kvHeads', '2');
  await choose(reader.within, 'head', '3');
  const field = reader.within.locator('text-field[name="sentence"]');
  await field.locator('input').fill('我 / 爱 / 你');
  await field.locator('input').press('Enter');
  await settledFigure(reader.within);
  expect(await reader.state()).toBe('holds');
  await expectTable(['我', '爱', '你'], 4, 2, 3);
  // Fewer heads leave fewer for keys, and fewer to show.
  await choose(reader.within, 'heads', '1');
  await settledFigure(reader.within);
  expect(await reader.within.locator('[name="head"] [aria-checked="true"]').innerText()).toBe('0');
  expect(await reader.within.locator('[name="kvHeads"] [aria-checked="true"]').innerText()).toBe('1');
  await expectTable(['我', '爱', '你'], 1, 1, 0);
});

test.each([
  ['values', /^Values were turned too/],
  ['keys', /^Only queries were turned/],
  ['early', /^Turned embeddings go through the matrices/],
] as const)('the mistake “%s” shows, and the badge says why', async (mistake, why) => {
  await choose(reader.within, 'mistake', mistake);
  await settledFigure(reader.within);
  expect(await reader.state()).toBe('fails');
  expect(plain(await reader.within.locator('.proof .claim').innerText())).toMatch(why);
  const { residual, tolerance } = await comparison(reader.within);
  expect(residual).toBeGreaterThan(100 * tolerance);
});

test('a cell is worked out, and the cells it comes from are marked', async () => {
  const [rope] = naive(sentence, 2, 2, 0);
  const map = (step: number): Locator => reader.within.locator('canvas').nth(step - 1);
  await map(7).focus();
  await map(7).press('Home');
  await map(7).press('ArrowRight');
  await nextFrames(reader.page);
  const score = rope![6]![3]![1]!;
  let text = await readout();
  expect(text).toMatch(/^7 Scores · RoPE · m = 3 the · n = 1 cat · \(/);
  expect(text).toContain('/ √8');
  expect(numberIn(/= (\S+)$/.exec(text)![1]!)).toBeCloseTo(score, 4);
  await map(7).press('End');
  await nextFrames(reader.page);
  expect(await readout()).toContain('masked: −∞');

  await map(8).focus();
  await map(8).press('Home');
  await nextFrames(reader.page);
  text = await readout();
  expect(text.match(/e\^/g)).toHaveLength(5);
  expect(numberIn(/= (\S+)$/.exec(text)![1]!)).toBeCloseTo(rope![7]![3]![0]!, 4);

  await map(5).focus();
  await map(5).press('ArrowDown');
  await map(5).press('End');
  await nextFrames(reader.page);
  text = await readout();
  expect(text).toMatch(/ × sin\(4 × 0\.0010\) \+ \S+ × cos\(4 × 0\.0010\)/);
  expect(numberIn(/= (\S+)$/.exec(text)![1]!)).toBeCloseTo(rope![4]![4]![7]!, 4);
});

test('another method is worked out by choice, or by pointing at it', async () => {
  await choose(reader.within, 'method', 'sinusoids');
  await nextFrames(reader.page);
  expect(await readout()).toContain('5 Queries, turned · sinusoids');
  const map = reader.within.locator('canvas').first();
  await map.scrollIntoViewIfNeeded();
  const { width } = (await map.boundingBox())!;
  await map.hover({ position: { x: width * 0.45, y: 70 } });
  await nextFrames(reader.page);
  expect(await readout()).toMatch(/^1 Embeddings x · no positions · /);
});

test('nothing went wrong meanwhile', () => {
  expect(reader.problems).toEqual([]);
});
