import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { frequencies } from '../support/oracle.ts';
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
import { arc, divisors } from '../support/stretching.ts';

const reader = readerOf('extend');

describe('longer than it was trained', () => {
  const within = (): Locator => reader.within;
  const proof = (): Locator => within().locator('.proof');
  const margin = async (): Promise<string[]> => (await within().locator('.margin dd').allInnerTexts()).map(plain);

  test.each([
    ['llama3', 65_536, true],
    ['llama3', 131_072, false],
    ['yarn', 65_536, true],
    ['linear', 65_536, true],
    ['ntk', 65_536, false],
    ['dynamic', 32_768, true],
  ] as const)('the table of %s at %i tokens is that of the plain formulas', async (method, length, holds) => {
    await choose(within(), 'method', method);
    await type(within(), 'length', String(length));
    await settledFigure(within());
    const wanted = divisors[method]({ dim: 128, base: 500_000, trained: 8192, factor: 8, length });
    const { rows } = await readTable(within(), [0, 20, 30, 36, 40, 50, 63]);
    let largest = 0;
    for (const [pair, cells] of rows) {
      const frequency = frequencies(128, 500_000)[pair]!;
      const [, before, divisor, now, , trained, reached, excess] = cells.map((cell, k) =>
        k === 4 ? 0 : numberIn(cell),
      );
      expect(before! / ((2 * Math.PI) / frequency)).toBeCloseTo(1, 10);
      expect(divisor! / wanted[pair]!).toBeCloseTo(1, 10);
      expect(now! / ((2 * Math.PI * wanted[pair]!) / frequency)).toBeCloseTo(1, 10);
      expect(trained).toBeCloseTo(arc(frequency, 8192), 8);
      expect(reached).toBeCloseTo(arc(frequency / wanted[pair]!, length), 8);
      expect(excess).toBeCloseTo(Math.max(0, reached! - trained!), 5);
      largest = Math.max(largest, excess!);
    }
    expect(await proof().getAttribute('data-state')).toBe(holds ? 'holds' : 'fails');
    const { residual } = await comparison(within());
    expect(residual).toBeGreaterThanOrEqual(0.99 * largest);
    if (!holds) {
      expect(residual).toBeGreaterThan(0.01);
      expect(plain(await proof().innerText())).toMatch(/At [\d ]+ tokens \d+ pairs turn to angles that training never/);
    }
  });

  test('a model brings its rule, its factor and the length that they reach', async () => {
    for (const [name, rule, factor, length, attention, softmax] of [
      ['DeepSeek-V3', 'yarn', '40', '163 840', '1', '1.87385421'],
      ['gpt-oss-20b', 'yarn', '32', '131 072', '1.34657359', '1'],
      ['Phi-3-mini-128k', 'longrope', '32', '131 072', '1.19023807', '1'],
      ['Llama-2-7B', 'default', '8', '4 096', '1', '1'],
    ] as const) {
      await choose(within(), 'model', name);
      await settledFigure(within());
      expect(await within().locator('choice-group[name="method"] select').inputValue()).toBe(rule);
      expect(plain(await slider(within(), 'factor').box.inputValue())).toBe(factor);
      expect(plain(await slider(within(), 'length').box.inputValue())).toBe(length);
      const [a, , s] = await margin();
      expect([a, s]).toEqual([attention, softmax]);
    }
  });

  test('LongRoPE does not apply to a model without lists', async () => {
    await choose(within(), 'method', 'longrope');
    await settledFigure(within());
    expect(await proof().getAttribute('data-state')).toBe('not-applicable');
    expect(await proof().innerText()).toContain('This model has none');
  });

  test('the cursor of the lines is that of the bars', async () => {
    const [lines, bars] = [0, 1].map((k) => within().locator('[role="img"][tabindex="0"]').nth(k)) as [
      Locator,
      Locator,
    ];
    const readout = async (): Promise<string> => plain(await within().locator('.readout').innerText());
    await bars.focus();
    await bars.press('Home');
    await bars.press('ArrowRight');
    await nextFrames(reader.page);
    expect(await readout()).toMatch(/^pair 1 \(kept\)/);
    await lines.focus();
    await lines.press('ArrowRight');
    await nextFrames(reader.page);
    expect(await readout()).toMatch(/^pair 2 \(kept\)/);
    await bars.press('End');
    await nextFrames(reader.page);
    expect(await readout()).toMatch(/^pair 63 \(scaled\)/);
  });

  test('new arcs are hatched over the trained ones', async () => {
    const bars = within().locator('canvas[aria-label^="Share of a turn"]');
    const before = await inkOf(bars);
    await choose(within(), 'method', 'default');
    await settledFigure(within());
    const after = await inkOf(bars);
    expect(after.hash).not.toBe(before.hash);
    expect(after.colored).toBeGreaterThan(before.colored);
  });
});

test('nothing went wrong meanwhile', () => {
  expect(reader.problems).toEqual([]);
});
