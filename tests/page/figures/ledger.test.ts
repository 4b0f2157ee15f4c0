import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { kernel } from '../support/oracle.ts';
import { choose, comparison, figure, nextFrames, numberIn, plain, readTable, settledFigure } from '../support/page.ts';
import { readerOf } from '../support/reader.ts';

const reader = readerOf('ledger');

describe('the claims ledger', () => {
  const within = (): Locator => reader.within;
  const lines = (): Locator => within().locator('.ledger > li');
  const claim = (name: string): Locator => within().locator(`[data-claim="${name}"]`);

  test('every line has the verdict that its checks make', async () => {
    await settledFigure(within()); // what is far from view has no words to read
    const verdicts = { '✓': 0, '◐': 0, '✕': 0 };
    for (let i = 0; i < (await lines().count()); i++) {
      const marks = await lines().nth(i).locator('.mark').allInnerTexts();
      const verdict = ((await lines().nth(i).locator('.verdict').innerText()) as string)[0] as keyof typeof verdicts;
      const held = marks.filter((mark) => mark === '✓').length;
      expect(verdict).toBe(held === marks.length ? '✓' : held === 0 ? '✕' : '◐');
      verdicts[verdict]++;
    }
    const counts = (await within().locator('.margin dd').allInnerTexts()).map(parseFloat);
    expect(counts).toEqual(Object.values(verdicts));
    const { residual, tolerance, sign } = await comparison(within());
    expect(residual).toBeCloseTo(verdicts['✓'] / (await lines().count()), 2);
    expect([sign, tolerance]).toEqual(['<', 0.5]);
  });

  test('the table holds the numbers of the checks', async () => {
    const { rows } = await readTable(
      within(),
      Array.from({ length: 24 }, (_, row) => row),
    );
    const all = [...rows.values()].map((cells) => cells.map(plain));
    const number = (check: string): number => numberIn(all.find((cells) => cells[1] === check)![2]!);
    expect(number('d = 8, up to 200 000 tokens')).toBeCloseTo(kernel(169_646, 8), 5);
    expect(number('the function only falls')).toBeGreaterThanOrEqual(0.99 * (kernel(44, 512) - kernel(43, 512)));
    expect(number('different speeds in 32 heads')).toBe(64);
    expect(number('ratio of frequencies, base 10⁶ against 10²')).toBeCloseTo(1_000_000 ** (-2 / 312), 5);
    expect(number('weight 300 tokens back, slope 1/2, in float32')).toBe(0);
  });

  test('the choice shows the lines of one verdict', async () => {
    const all = await lines().count();
    let sum = 0;
    for (const verdict of ['true', 'conditions', 'false']) {
      await choose(within(), 'show', verdict);
      await nextFrames(reader.page);
      const shown = await lines().count();
      expect(await within().locator(`.ledger .verdict.${verdict}`).count()).toBe(shown);
      sum += shown;
    }
    expect(sum).toBe(all);
  });

  test('a line leads to the figure that shows it, by its number', async () => {
    const link = claim('decay').locator('a');
    const number = await figure(reader.page, 'decay').locator('.over b').textContent();
    expect(await link.innerText()).toBe(`see figure ${number}`);
    await link.click();
    await expect.poll(async () => Math.abs((await reader.page.locator('#decay').boundingBox())!.y)).toBeLessThan(120);
  });

  test('keys move along the lines, and the readout tells', async () => {
    const plot = within().locator('[role="img"][tabindex="0"]');
    await plot.focus();
    await plot.press('End');
    await nextFrames(reader.page);
    expect(await within().locator('.readout').innerText()).toContain(
      'RoPE reads texts longer than those of its training.',
    );
    expect(await claim('extrapolation').getAttribute('class')).toBe('chosen');
  });
});

test('nothing went wrong meanwhile', () => {
  expect(reader.problems).toEqual([]);
});
