import { expect, test } from 'vitest';
import { embed } from '../../../web/app/figures/embedding.js';
import { randomMatrix } from '../../../web/app/figures/linear.js';
import { TERMS_DIM as dim } from '../../../web/app/figures/terms/task.js';
import { dot, encodingRow, rotate, rowsOf, times } from '../support/oracle.ts';
import { choose, comparison, inkOf, nextFrames, numberIn, plain, readTable, settledFigure } from '../support/page.ts';
import { readerOf } from '../support/reader.ts';

// Figure “Four terms”, as a reader uses it.

const reader = readerOf('terms');

const sentence = 'the cat saw the dog and then the dog saw the cat'.split(' ');

/** Compares every cell of the table with plain float64; `sums` tells which terms are added up. */
async function expectTable(tokens: readonly string[], random: boolean, sums = [1, 1, 1, 1]): Promise<void> {
  const project = (rows: number[][], seed: number): number[][] =>
    random ? times(rows, rowsOf(randomMatrix(dim, dim, seed), dim)) : rows;
  const x = rowsOf(embed(tokens, dim), dim);
  const p = tokens.map((_, position) => encodingRow(position, dim));
  const [xq, pq, xk, pk] = [project(x, 301), project(p, 301), project(x, 302), project(p, 302)];
  const turn = (row: number[], at: number): number[] =>
    rotate(row, at, { rotaryDim: dim, base: 10_000, pairing: 'half' });
  const count = tokens.length;
  const { rows } = await readTable(
    reader.within,
    Array.from({ length: count * count }, (_, row) => row),
  );
  for (const [row, [query, key, ...cells]] of rows) {
    const [m, n] = [Math.floor(row / count), row % count];
    expect([query, key]).toEqual([`${m} ${tokens[m]!}`, `${n} ${tokens[n]!}`]);
    const [qx, qp, kx, kp] = [xq[m]!, pq[m]!, xk[n]!, pk[n]!];
    const terms = [dot(qx, kx), dot(qp, kx), dot(qx, kp), dot(qp, kp)];
    const sum = terms.reduce((total, term, t) => total + sums[t]! * term, 0);
    const score = terms.reduce((total, term) => total + term, 0);
    const expected = [...terms, sum, score, dot(turn(qx, m), turn(kx, n))];
    cells.forEach((cell, c) => expect(Math.abs(numberIn(cell) - expected[c]!)).toBeLessThan(5e-5));
  }
}

test('four terms and their sum are those of plain float64, and so is RoPE’s', async () => {
  expect(await reader.state()).toBe('holds');
  const { residual, tolerance } = await comparison(reader.within);
  expect(residual).toBeLessThanOrEqual(tolerance);
  await expectTable(sentence, false);
});

test('with random matrices they still add up, but position · position loses the distance', async () => {
  const spread = async (): Promise<number> =>
    numberIn(plain(await reader.within.locator('.margin dd').last().innerText()).replace('± ', ''));
  expect(await spread()).toBeLessThan(1e-5);
  await choose(reader.within, 'projections', 'random');
  await settledFigure(reader.within);
  expect(await reader.state()).toBe('holds');
  expect(await spread()).toBeGreaterThan(0.5);
  await expectTable(sentence, true);
});

test('without the cross terms the claim fails and says how much is missing', async () => {
  const sum = reader.within.locator('canvas').nth(4);
  const before = (await inkOf(sum)).hash;
  await choose(reader.within, 'included', 'outer');
  await settledFigure(reader.within);
  await nextFrames(reader.page);
  expect(await reader.state()).toBe('fails');
  expect(await reader.within.locator('.proof .claim').innerText()).toContain('Terms were left out');
  expect(await reader.within.locator('.left-out h3').allInnerTexts()).toEqual([
    'Position · content',
    'Content · position',
  ]);
  expect((await inkOf(sum)).hash).not.toBe(before);
  await expectTable(sentence, false, [1, 0, 0, 1]);
});

test('takes words of the reader, whose cursor stays inside', async () => {
  const field = reader.within.locator('text-field[name="sentence"]');
  await field.locator('input').fill('我 / 爱 / 你');
  await field.locator('input').press('Enter');
  await settledFigure(reader.within);
  expect(await reader.state()).toBe('holds');
  await expectTable(['我', '爱', '你'], false);
  const map = reader.within.locator('canvas').nth(3);
  await map.focus();
  await map.press('End');
  await map.press('PageUp');
  await nextFrames(reader.page);
  const text = plain(await reader.within.locator('.readout').innerText());
  expect(text).toMatch(/^m = 0 我 · n = 2 你 · n − m = 2 · /);
  const x = rowsOf(embed(['我', '爱', '你'], dim), dim);
  const at = (word: number): number[] => x[word]!.map((value, c) => value + encodingRow(word, dim)[c]!);
  expect(numberIn(/score (\S+) ·/.exec(text)![1]!)).toBeCloseTo(dot(at(0), at(2)), 3);
});

test('nothing went wrong meanwhile', () => {
  expect(reader.problems).toEqual([]);
});
