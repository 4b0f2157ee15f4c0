import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { frequencies } from '../support/oracle.ts';
import { choose, comparison, numberIn, plain, readTable, settledFigure, slider, type } from '../support/page.ts';
import { readerOf } from '../support/reader.ts';

const reader = readerOf('decay');

describe('does it fade with distance', () => {
  const within = (): Locator => reader.within;
  const proof = (): Locator => within().locator('.proof');

  test.each([
    [128, 500_000],
    [64, 10_000],
    [2, 100],
  ])('width %i, base %i: the table has K and the ceiling by the plain sums', async (dim, base) => {
    await type(within(), 'dim', String(dim));
    await type(within(), 'base', String(base));
    await settledFigure(within());
    const { rows } = await readTable(within(), [0, 1, 5, 60, 120, 180]);
    for (const cells of rows.values()) {
      const [distance, kernel, least, greatest, ceiling, rms, first] = cells.map((cell) => numberIn(cell));
      const phases = frequencies(dim, base).map((frequency) => distance! * frequency);
      expect(kernel).toBeCloseTo(phases.reduce((sum, phase) => sum + Math.cos(phase), 0) / phases.length, 8);
      let [x, y, sum] = [0, 0, 0];
      for (const phase of phases) {
        [x, y] = [x + Math.cos(phase), y + Math.sin(phase)];
        sum += Math.hypot(x, y);
      }
      expect(ceiling).toBeCloseTo(sum / phases.length, 7);
      expect(least!).toBeLessThanOrEqual(kernel!);
      expect(greatest!).toBeGreaterThanOrEqual(kernel!);
      expect(rms!).toBeGreaterThan(Math.abs(first!) / Math.sqrt(24) - 1e-9);
    }
    expect(await proof().getAttribute('data-state')).toBe('holds');
    expect((await comparison(within())).residual).toBeLessThanOrEqual(1);
  });

  test('what is said of all scores, or of every step, is false, and the badge says why', async () => {
    await choose(within(), 'claimed', 'random');
    await settledFigure(within());
    expect(await proof().getAttribute('data-state')).toBe('fails');
    expect(await proof().innerText()).toContain('they do not fade');
    expect((await comparison(within())).residual).toBeGreaterThan(0.8);
    await choose(within(), 'claimed', 'monotone');
    await type(within(), 'dim', '128');
    await type(within(), 'base', '10000');
    await settledFigure(within());
    const kernel = (distance: number): number =>
      frequencies(128).reduce((sum, frequency) => sum + Math.cos(distance * frequency), 0) / 64;
    let from = 0;
    while (kernel(from + 1) <= kernel(from)) from++;
    expect(plain(await proof().innerText())).toContain(`K already rises from distance ${from} to ${from + 1}.`);
  });

  test('equal q and k fade or not, as the base has it', async () => {
    await choose(within(), 'claimed', 'equal');
    await settledFigure(within());
    expect(await proof().getAttribute('data-state')).toBe('holds');
    await type(within(), 'base', '10000000');
    await settledFigure(within());
    expect(await proof().getAttribute('data-state')).toBe('fails');
    expect(plain(await proof().innerText())).toContain('a score past 10 000 tokens is above half');
  });

  test('a model sets width and base, and either of them makes it an own choice', async () => {
    const select = within().locator('choice-group[name="model"] select');
    await choose(within(), 'model', 'Falcon-7B');
    await settledFigure(within());
    expect(await slider(within(), 'dim').box.inputValue()).toBe('64');
    expect(plain(await slider(within(), 'base').box.inputValue())).toBe('10 000');
    await type(within(), 'dim', '62');
    expect(await select.inputValue()).toBe('own');
    await type(within(), 'dim', '64');
    expect(await select.inputValue()).toBe('Falcon-7B');
  });
});

test('nothing went wrong meanwhile', () => {
  expect(reader.problems).toEqual([]);
});
