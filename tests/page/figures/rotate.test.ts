import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { embed } from '../../../web/app/figures/embedding.js';
import { type Rotation, dot, frequencies, rotate } from '../support/oracle.ts';
import {
  choose,
  comparison,
  inkOf,
  nextFrames,
  numberIn,
  plain,
  readTable,
  settledFigure,
  slider,
  type,
} from '../support/page.ts';
import { readerOf } from '../support/reader.ts';

const reader = readerOf('rotate');

describe('rotate instead of add', () => {
  const within = (): Locator => reader.within;
  const proof = (): Locator => within().locator('.proof');
  const readout = async (): Promise<string> => plain(await within().locator('.readout').innerText());
  /** A number of a turned vector of length 1, and half of the ninth decimal. */
  const bound = 2 ** -22 + 5e-10;

  /** Length 1, from the page's own seeded generator. */
  const [query, key] = [0, 1].map((row) => {
    const vector = [...embed(['q', 'k'], 16).subarray(16 * row, 16 * row + 16)];
    const length = Math.sqrt(dot(vector, vector));
    return vector.map((value) => value / length);
  }) as [number[], number[]];

  const expectTable = async (m: number, n: number, rotation: Rotation): Promise<void> => {
    const pairs = rotation.rotaryDim / 2;
    const { rows } = await readTable(
      within(),
      Array.from({ length: pairs }, (_, pair) => pair),
    );
    expect(rows.size).toBe(pairs);
    const [turnedQuery, turnedKey] = [rotate(query, m, rotation), rotate(key, n, rotation)];
    for (const [pair, cells] of rows) {
      const [a, b] = rotation.pairing === 'half' ? [pair, pair + pairs] : [2 * pair, 2 * pair + 1];
      expect(cells.slice(0, 2)).toEqual([String(pair), `${a}, ${b}`]);
      expect(numberIn(cells[2]!) / frequencies(rotation.rotaryDim)[pair]!).toBeCloseTo(1, 7);
      const arrows = [query, turnedQuery, key, turnedKey].map((x) => [x[a]!, x[b]!] as const);
      const columns = [3, 4, 7, 8];
      arrows.forEach(([x, y], i) => {
        const [shownX, shownY] = cells[columns[i]!]!.split(',').map(numberIn);
        expect(Math.abs(shownX! - x)).toBeLessThanOrEqual(bound);
        expect(Math.abs(shownY! - y)).toBeLessThanOrEqual(bound);
        expect(Math.abs(numberIn(cells[[5, 6, 9, 10][i]!]!) - Math.hypot(x, y))).toBeLessThanOrEqual(bound);
      });
      const part = turnedQuery[a]! * turnedKey[a]! + turnedQuery[b]! * turnedKey[b]!;
      expect(Math.abs(numberIn(cells[11]!) - part)).toBeLessThanOrEqual(2 * bound);
    }
  };

  test('the table holds every pair before and after, as plain float64 turns it', async () => {
    await expectTable(5, 3, { rotaryDim: 16, base: 10_000, pairing: 'half' });
    await choose(within(), 'pairing', 'interleaved');
    await type(within(), 'm', '1000000');
    await type(within(), 'n', '999990');
    await type(within(), 'rotaryDim', '6');
    await settledFigure(within());
    await expectTable(1_000_000, 999_990, { rotaryDim: 6, base: 10_000, pairing: 'interleaved' });
    expect(await proof().getAttribute('data-state')).toBe('holds');
  });

  test('clockwise is the turn by the opposite angle', async () => {
    await choose(within(), 'direction', 'inverse');
    await settledFigure(within());
    await expectTable(-5, -3, { rotaryDim: 16, base: 10_000, pairing: 'half' });
    expect(plain(await within().locator('.margin dd').first().innerText())).toBe('m θ = −1.58114 rad');
  });

  test('both pairings give the score, until the vectors are not reordered', async () => {
    const rotation = { rotaryDim: 16, base: 10_000, pairing: 'half' } as const;
    const score = dot(rotate(query, 5, rotation), rotate(key, 3, rotation));
    const [, shown, other] = /score (.*), by the other (.*)$/.exec(await readout())!;
    expect(Math.abs(numberIn(shown!) - score)).toBeLessThan(1e-6);
    expect(Math.abs(numberIn(other!) - score)).toBeLessThan(1e-6);
    for (const [option, why] of [
      ['query', 'Only q was reordered'],
      ['neither', 'Nothing was reordered'],
    ] as const) {
      await choose(within(), 'reordered', option);
      await settledFigure(within());
      expect(await proof().getAttribute('data-state')).toBe('fails');
      expect(await proof().innerText()).toContain(why);
      const { residual, tolerance } = await comparison(within());
      expect(residual).toBeGreaterThan(1000 * tolerance);
    }
  });

  test('the cursor of one matrix moves that of the other to the same number, and chooses the pair', async () => {
    const [neighbours, halves] = [0, 1].map((k) => within().locator('canvas[tabindex="0"]').nth(k)) as [
      Locator,
      Locator,
    ];
    const before = await inkOf(halves);
    await neighbours.focus();
    for (const key of [
      'Home',
      ...Array<string>(3).fill('PageUp'),
      'ArrowDown',
      'ArrowDown',
      'ArrowDown',
      'ArrowDown',
    ]) {
      await neighbours.press(key);
    }
    await nextFrames(reader.page);
    expect(await readout()).toContain('pair 2 · channels 2 and 10 (4 and 5 in the other order)');
    expect(await slider(within(), 'pair').box.inputValue()).toBe('2');
    expect((await inkOf(halves)).hash).not.toBe(before.hash);
    await halves.focus();
    for (const key of ['Home', ...Array<string>(3).fill('PageUp'), 'ArrowDown', 'ArrowDown', 'ArrowDown']) {
      await halves.press(key);
    }
    await nextFrames(reader.page);
    expect(await readout()).toContain('pair 3 · channels 3 and 11 (6 and 7 in the other order)');
  });

  test('the arrows are drawn, and turn with the position', async () => {
    const after = within().locator('.duo').first().locator('canvas').nth(1);
    const before = await inkOf(after);
    expect(before.colored).toBeGreaterThan(0.002);
    await slider(within(), 'm').track.focus();
    await slider(within(), 'm').track.press('ArrowRight');
    await settledFigure(within());
    expect((await inkOf(after)).hash).not.toBe(before.hash);
  });

  test('a pair past a smaller width gives way to the last one', async () => {
    await type(within(), 'pair', '7');
    await type(within(), 'rotaryDim', '4');
    await settledFigure(within());
    expect(await slider(within(), 'pair').box.inputValue()).toBe('1');
    await type(within(), 'pair', '2');
    expect(plain(await slider(within(), 'pair').refusal.innerText())).toBe(
      'The pair must be a whole number from 0 to 1; got 2.',
    );
  });
});

test('nothing went wrong meanwhile', () => {
  expect(reader.problems).toEqual([]);
});
