import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { RELATIVE_METHODS, sample } from '../../../web/app/figures/relative/task.js';
import { choose, comparison, nextFrames, numberIn, plain, readTable, settledFigure, type } from '../support/page.ts';
import { readerOf } from '../support/reader.ts';
import { relativeScore } from '../support/relative-scores.ts';

const reader = readerOf('relative');

describe('other relative encodings', () => {
  const within = (): Locator => reader.within;
  const proof = (): Locator => within().locator('.proof');
  const marks = (): Promise<string[]> => within().locator('.badges .mark').allInnerTexts();

  test.each(RELATIVE_METHODS)(
    'the table of %s has its scores by the formula, and rows of weights sum to 1',
    async (method) => {
      await choose(within(), 'method', method);
      await type(within(), 'head', '2');
      await settledFigure(within());
      const { rows } = await readTable(within(), [0, 3, 11, 12 * 5 + 2, 12 * 11, 143]);
      for (const [at, cells] of rows) {
        const [m, n] = [Math.floor(at / 12), at % 12];
        expect(numberIn(/^\d+/.exec(plain(cells[0]!))![0])).toBe(100 + m);
        expect(numberIn(cells[2]!)).toBe(n - m);
        const exact = relativeScore(method, sample.query, sample.key, 100 + m, 100 + n, { head: 1, causal: false });
        expect(Math.abs(numberIn(cells[3]!) - exact)).toBeLessThan(5e-5);
      }
      const first = await readTable(
        within(),
        Array.from({ length: 12 }, (_, n) => n),
      );
      const sum = [...first.rows.values()].reduce((total, cells) => total + numberIn(cells[4]!), 0);
      expect(sum).toBeCloseTo(1, 5);
      expect(await proof().getAttribute('data-state')).toBe('holds');
    },
  );

  test('past its threshold FIRE fails, alone of the seven, and the badge says why', async () => {
    expect(await marks()).toEqual(Array<string>(7).fill('✓'));
    await type(within(), 'start', '5000');
    await choose(within(), 'method', 'fire');
    await settledFigure(within());
    expect(await marks()).toEqual([...Array<string>(6).fill('✓'), '✕']);
    expect(await proof().getAttribute('data-state')).toBe('fails');
    expect(await proof().innerText()).toContain('Past position 512');
    const { residual, tolerance } = await comparison(within());
    expect(residual).toBeGreaterThan(1000 * tolerance);
  });

  test('keys after the query are masked where a word sees what came before', async () => {
    await choose(within(), 'sight', 'causal');
    await settledFigure(within());
    const { rows } = await readTable(within(), [1, 12]);
    expect(rows.get(1)![3]).toBe('masked');
    expect(numberIn(rows.get(1)![4]!)).toBe(0);
    expect(rows.get(12)![3]).not.toBe('masked');
  });

  test('pressing the curve moves the cell to that distance', async () => {
    const curve = within().locator('.plot [role="img"]');
    await curve.focus();
    await curve.press('Home');
    await nextFrames(reader.page);
    expect(plain(await within().locator('.readout').innerText())).toContain('n − m = −11');
    await curve.press('ArrowRight');
    await nextFrames(reader.page);
    expect(plain(await within().locator('.readout').innerText())).toContain('n − m = −10');
  });
});

test('nothing went wrong meanwhile', () => {
  expect(reader.problems).toEqual([]);
});
