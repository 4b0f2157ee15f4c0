import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { embed } from '../../../web/app/figures/embedding.js';
import { encodingRow, frequencies } from '../support/oracle.ts';
import {
  type Opened,
  choose,
  figure,
  numberIn,
  open,
  plain,
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
  await settledFigure(figure(page, 'waves'));
});
afterAll(async () => {
  await opened?.context.close();
  await site?.close();
});

const range = (count: number, step = 1): number[] => Array.from({ length: count }, (_, i) => i * step);

describe('the table of waves', () => {
  const within = (): Locator => figure(page, 'waves');
  /** 0.51 units in the last place of a float32 below 1, and half of the ninth decimal. */
  const bound = 0.51 * 2 ** -24 + 5e-10;

  async function expectEncoding(positions: readonly number[], dim: number, base: number): Promise<void> {
    const { heads, rows } = await readTable(within(), positions);
    expect(heads).toHaveLength(dim + 1);
    let worst = 0;
    for (const [position, cells] of rows) {
      expect(numberIn(cells[0]!)).toBe(position);
      const exact = encodingRow(position, dim, base);
      expect(cells).toHaveLength(dim + 1);
      cells.slice(1).forEach((cell, c) => (worst = Math.max(worst, Math.abs(numberIn(cell) - exact[c]!))));
    }
    expect(worst).toBeLessThanOrEqual(bound);
  }

  beforeEach(() => reset(within()));

  test('holds sines and cosines', async () => {
    await expectEncoding(range(80), 312, 10_000);
  });

  test('holds those of another width, base and length', async () => {
    await type(within(), 'dim', '24');
    await type(within(), 'base', '500');
    await type(within(), 'length', '120');
    await settledFigure(within());
    await expectEncoding(range(120), 24, 500);
  });

  test('holds 512 rows of 512', async () => {
    await type(within(), 'dim', '512');
    await type(within(), 'length', '512');
    await settledFigure(within());
    expect(await within().locator('.proof').getAttribute('data-state')).toBe('holds');
    await expectEncoding([0, 1, 255, 510, 511], 512, 10_000);
  });

  test('holds the chosen columns over 10 000 positions where the lines run over those', async () => {
    await type(within(), 'base', '500');
    await choose(within(), 'reach', 'far');
    await settledFigure(within());
    const { heads, rows } = await readTable(within(), [0, 79, 80, 4999, 9999]);
    // Sines of about 1000, 3000 and 10 000 tokens; at a base of 500 the slowest has 3080.
    expect(heads.slice(1)).toEqual(['254', '310']);
    for (const [position, cells] of rows) {
      const exact = encodingRow(position, 312, 500);
      [254, 310].forEach((column, k) =>
        expect(Math.abs(numberIn(cells[k + 1]!) - exact[column]!)).toBeLessThanOrEqual(bound),
      );
    }
    // The end of the lines is past the rows of the map.
    const lines = within().locator('.plot').nth(1).locator('[role="img"]');
    await lines.focus();
    await lines.press('End');
    await expect.poll(async () => plain(await within().locator('.readout').innerText())).toContain('position 9 999');
    const shown = plain(await within().locator('.readout').innerText());
    const column = numberIn(/dimension ([\d ]+)/.exec(shown)![1]!);
    expect(numberIn(/= ([^=]+)$/.exec(shown)![1]!)).toBeCloseTo(encodingRow(9999, 312, 500)[column]!, 5);
  });

  test('shows slow columns where the lines run far, until the reader chooses some', async () => {
    const columns = () => within().locator('text-field[name="columns"] input');
    await choose(within(), 'reach', 'far');
    await expect.poll(() => columns().inputValue()).toBe('172, 208, 250');
    await choose(within(), 'reach', 'rows');
    await expect.poll(() => columns().inputValue()).toBe('20, 80, 160');
    await columns().fill('8, 9');
    await columns().press('Enter');
    await choose(within(), 'reach', 'far');
    await settledFigure(within());
    expect(await columns().inputValue()).toBe('8, 9');
  });

  test('holds words and sines where the sum is shown; the claim then does not apply', async () => {
    await choose(within(), 'show', 'sum');
    await settledFigure(within());
    expect(await within().locator('.proof').getAttribute('data-state')).toBe('not-applicable');
    const words = embed(['我', '很', '牛逼'], 312);
    const { rows } = await readTable(within(), range(80));
    let worst = 0;
    for (const [position, cells] of rows) {
      const exact = encodingRow(position, 312);
      cells.slice(1).forEach((cell, c) => {
        const sum = exact[c]! + (position < 3 ? words[position * 312 + c]! : 0);
        worst = Math.max(worst, Math.abs(numberIn(cell) - sum));
      });
    }
    // One more rounding, of a sum below 8.
    expect(worst).toBeLessThanOrEqual(bound + 2 ** -22);
  });

  test('the four ways of writing a frequency agree, and with the reference', async () => {
    const values = (await within().locator('.margin dd').allInnerTexts()).slice(0, 4);
    const readout = await within().locator('.readout').innerText();
    const pair = Number(/pair (\d+)/.exec(readout)![1]);
    for (const text of values) {
      expect(numberIn(text.replace('=', '')) / frequencies(312)[pair]!).toBeCloseTo(1, 14);
    }
  });
});

test('nothing went wrong meanwhile', () => {
  expect(opened.problems).toEqual([]);
});
