import type { Locator } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Types, roundedScore } from '../support/low-precision.ts';
import { choose, comparison, numberIn, plain, readTable, settledFigure, slider, type } from '../support/page.ts';
import { readerOf } from '../support/reader.ts';

const reader = readerOf('precision');

describe('when arithmetic breaks it', () => {
  const within = (): Locator => reader.within;
  const proof = (): Locator => within().locator('.proof');
  const model = { dim: 128, base: 1_000_000 };

  beforeEach(async () => {
    // A model without scaling, so that its frequencies are those of the formula.
    await choose(within(), 'model', 'Qwen2.5-7B');
  });

  test.each<[string, Types]>([
    ['posenc', { position: 'f64', invFreq: 'f64', angle: 'f64', table: 'f32' }],
    ['huggingFace', { position: 'f32', invFreq: 'f32', angle: 'f32', table: 'f32' }],
    ['halfPositions', { position: 'bf16', invFreq: 'f64', angle: 'f64', table: 'f32' }],
  ])('the table of %s holds drift and error by plain rounding', async (recipe, types) => {
    await choose(within(), 'recipe', recipe);
    await type(within(), 'distance', '40');
    await settledFigure(within());
    for (const [stage, dtype] of Object.entries(types)) {
      const chosen = within().locator(`choice-group[name="${stage}"] [aria-checked="true"]`);
      expect(await chosen.getAttribute('data-value')).toBe(dtype);
    }
    const { rows } = await readTable(within(), [0, 20, 40, 60, 80]);
    const exact: Types = { position: 'f64', invFreq: 'f64', angle: 'f64', table: 'f64' };
    const score = (m: number, n: number, by: Types): number => roundedScore(m, n, model.dim, model.base, by);
    for (const cells of rows.values()) {
      const [shift, drift, distance, error] = cells.map((cell) => numberIn(cell));
      const wantedDrift = Math.abs(score(shift!, shift! + 40, types) - score(0, 40, types));
      const wantedError = Math.abs(score(0, distance!, types) - score(0, distance!, exact));
      // The vector is 1/√128 rounded to float32; frequencies agree to 3 · 10⁻¹⁵, and angles reach a million radians.
      expect(Math.abs(drift! - wantedDrift)).toBeLessThan(1e-6 * wantedDrift + 1e-8);
      expect(Math.abs(error! - wantedError)).toBeLessThan(1e-6 * wantedError + 1e-8);
    }
  });

  test('a rounded frequency holds, a rounded position fails, and the badge says why', async () => {
    await choose(within(), 'recipe', 'exact');
    await choose(within(), 'invFreq', 'f16');
    await settledFigure(within());
    expect(await proof().getAttribute('data-state')).toBe('holds');
    expect((await comparison(within())).tolerance).toBeLessThan(1e-12);
    await choose(within(), 'invFreq', 'f64');
    await choose(within(), 'position', 'bf16');
    await settledFigure(within());
    expect(await proof().getAttribute('data-state')).toBe('fails');
    expect(await proof().innerText()).toContain('a position or an angle ran out of digits');
    const { residual, sign, tolerance } = await comparison(within());
    expect(sign).toBe('>');
    expect(residual).toBeGreaterThan(1e9 * tolerance);
  });

  test('float16 positions end, and the badge says so without a number', async () => {
    await choose(within(), 'recipe', 'halfThroughout');
    await settledFigure(within());
    expect(await proof().getAttribute('data-state')).toBe('fails');
    expect(plain(await proof().innerText())).toContain('float16 ends at 65 504');
    expect(await proof().locator('.num').count()).toBe(0);
    expect(plain(await within().locator('.readout').innerText())).toMatch(/score none.*change since shift 0 none/);
    expect(await within().innerText()).not.toContain('NaN');
  });

  test('touching a stage makes the recipe an own choice', async () => {
    const select = within().locator('choice-group[name="recipe"] select');
    expect(await select.inputValue()).toBe('own');
    await choose(within(), 'recipe', 'posenc');
    expect(await select.inputValue()).toBe('posenc');
    await choose(within(), 'angle', 'f32');
    expect(await select.inputValue()).toBe('own');
  });

  test('pressing a plot moves its slider', async () => {
    for (const [name, index] of [
      ['shift', 0],
      ['distance', 1],
    ] as const) {
      const { box } = slider(within(), name);
      const before = await box.inputValue();
      const plot = within().locator('.side [role="img"]').nth(index);
      await plot.scrollIntoViewIfNeeded();
      await plot.click({ position: { x: 150, y: 100 } });
      await settledFigure(within());
      expect(await box.inputValue()).not.toBe(before);
    }
  });
});

test('nothing went wrong meanwhile', () => {
  expect(reader.problems).toEqual([]);
});
