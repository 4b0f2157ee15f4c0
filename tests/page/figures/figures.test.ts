import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { embed } from '../../../web/app/figures/embedding.js';
import { randomMatrix } from '../../../web/app/figures/linear.js';
import { dot, encodingRow, kernel, rotate, rowsOf, times } from '../support/oracle.ts';
import {
  type Ink,
  type Opened,
  choose,
  comparison,
  figure,
  figureNames,
  inkOf,
  nextFrames,
  numberIn,
  open,
  plain,
  readTable,
  reset,
  resetButton,
  settled,
  settledFigure,
  slider,
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
  await settled(page);
});
afterAll(async () => {
  await opened?.context.close();
  await site?.close();
});

/** How far a turn is off, of the length of a pair, by cosines and sines in bfloat16. */
const BFLOAT16_TURN = Math.SQRT2 * 2 ** -8;

const tally = (holding: number): string => `${holding} of ${figureNames.length} claims hold on this machine.`;

/** The largest sum of the sizes of all products in a score of “Four terms” as it opens: d = 32, no matrices. */
function largestProducts(): number {
  const tokens = 'the cat saw the dog and then the dog saw the cat'.split(' ');
  const rows = rowsOf(embed(tokens, 32), 32).map((x, p) =>
    x.map((value, c) => Math.abs(value) + Math.abs(encodingRow(p, 32)[c]!)),
  );
  return Math.max(...rows.flatMap((query) => rows.map((key) => dot(query, key))));
}

/** Two calls of attention and the rotation of “RoPE attention, step by step” as it opens: see its derivation. */
function stepsTolerance(): number {
  const x = rowsOf(embed('the cat saw the dog'.split(' '), 16), 16);
  const project = (seed: number): number[][] => times(x, rowsOf(randomMatrix(16, 16, seed), 16));
  const heads = (rows: number[][]): number[][] => rows.flatMap((row) => [row.slice(0, 8), row.slice(8)]);
  const [q, k, v] = [401, 402, 403].map((seed) => heads(project(seed)));
  const turn = (rows: number[][]): number[][] =>
    rows.map((row, i) => rotate(row, i >> 1, { rotaryDim: 8, base: 10_000, pairing: 'half' }));
  const [turnedQ, turnedK] = [turn(q!), turn(k!)];
  const scores = turnedQ.flatMap((a, i) =>
    turnedK.filter((_, j) => (i - j) % 2 === 0).map((b) => dot(a, b) / Math.sqrt(8)),
  );
  const longest = (rows: number[][]): number => Math.max(...rows.map((row) => Math.hypot(...row)));
  const perCall = 5e-6 + 2 ** -22 * Math.max(...scores.map(Math.abs));
  const moved = (2 * 1.52 * Math.SQRT2 * 2 ** -23 * longest(q!) * longest(k!)) / Math.sqrt(8);
  return (2 * perCall + 2 * moved) * Math.max(...v!.flat().map(Math.abs));
}

describe('every figure', () => {
  test.each(figureNames)('%s is drawn', async (name) => {
    const canvases = figure(page, name).locator('canvas');
    const inks: Ink[] = [];
    for (let i = 0; i < (await canvases.count()); i++) inks.push(await inkOf(canvases.nth(i)));
    expect(inks.length).toBeGreaterThan(0);
    for (const { colored } of inks) expect(colored).toBeGreaterThan(0.005);
    const maps = {
      order: 3,
      numbers: 8,
      waves: 1,
      hands: 0,
      distance: 1,
      aliases: 0,
      rotate: 0,
      slide: 2,
      steps: 8,
      terms: 4,
      decay: 0,
      relative: 0,
      extend: 0,
      precision: 0,
      ledger: 0,
    }[name];
    expect(inks.filter(({ colored }) => colored > 0.1).length).toBeGreaterThanOrEqual(maps);
  });

  test.each(figureNames)('%s claims what holds, within its tolerance', async (name) => {
    const within = figure(page, name);
    expect(await within.locator('.proof').getAttribute('data-state')).toBe('holds');
    expect(await within.locator('.proof .badge').innerText()).toBe('Holds');
    const { residual, sign, tolerance } = await comparison(within);
    const value = times(rowsOf(embed(['我', '爱', '你'], 16), 16), rowsOf(randomMatrix(16, 16, 103), 16));
    const expected = {
      order: 2 * (2 * 3 + 1) * 2 ** -24 * Math.max(...value.flat().map(Math.abs)),
      numbers: 2 ** -22,
      waves: 1.02 * 312 * 2 ** -24,
      hands: 4.28 * 2 ** -24,
      distance: 1.02 * 512 * 2 ** -23,
      aliases: 0.3,
      rotate: 2 ** -20,
      slide: 2 ** -20,
      steps: stepsTolerance(),
      terms: 37 * 2 ** -24 * largestProducts(),
      decay: 1,
      // The bias of head 1, 2⁻² a token, 40 tokens apart: rounded to float32 at both shifts; the float64 sum adds nothing.
      relative: 2 * 2 ** -24 * 2 ** -2 * 40,
      extend: 2e-14,
      ledger: 0.5,
      precision: 2 * BFLOAT16_TURN * (2 + BFLOAT16_TURN),
    };
    expect(tolerance / expected[name]).toBeCloseTo(1, 1);
    expect(sign).toBe(name === 'aliases' || name === 'ledger' ? '<' : '≤');
    expect(residual).toBeLessThanOrEqual(tolerance);
    expect(await within.locator('.proof .engine').innerText()).toMatch(
      /^wasm (relaxed|simd) · f(32|64)( → b?f(16|32|64))* · /,
    );
  });

  test('is listed in the contents with a mark, and counted at the foot of the page', async () => {
    const marks = page.locator('nav.contents:not(dialog *) .mark.ok');
    expect(await marks.count()).toBe(figureNames.length);
    expect(await page.locator('#tally').innerText()).toBe(tally(figureNames.length));
  });

  test('the first screen compares both distances', async () => {
    expect(await page.locator('#hero-badge').getAttribute('class')).toBe('badge holds');
    const value = kernel(3, 128).toFixed(4);
    expect(await page.locator('#hero-badge').innerText()).toBe(`3 apart: ${value} here, ${value} a million tokens on`);
    const [, residual, tolerance] = /^difference (.*) ≤ (.*)$/.exec(
      plain(await page.locator('#hero-residual').innerText()),
    )!;
    expect(numberIn(residual!)).toBeLessThanOrEqual(numberIn(tolerance!));
    expect(numberIn(tolerance!) / (4 * 0.51 * 2 ** -23)).toBeCloseTo(1, 1);
  });

  test.each(figureNames)('%s says how its tolerance is derived', async (name) => {
    const within = figure(page, name);
    const derivation = within.locator('.derivation');
    expect(await derivation.isVisible()).toBe(false);
    await within.locator('.proof').click();
    expect(await derivation.isVisible()).toBe(true);
    await within.locator('.proof').click();
    expect(await derivation.isVisible()).toBe(false);
  });
});

describe('the cursor', () => {
  test.each(figureNames)('of %s moves with the arrow keys, and the readout tells', async (name) => {
    const within = figure(page, name);
    // The first plots of “numbers” have one column.
    const plots = within.locator('[role="img"][tabindex="0"]');
    const plot = name === 'numbers' ? plots.last() : plots.first();
    const readout = within.locator('.readout');
    expect(await readout.getAttribute('aria-live')).toBe('polite');
    await plot.focus();
    const seen = new Set([await readout.innerText()]);
    for (const key of ['ArrowRight', 'ArrowUp', 'Home', 'ArrowRight', 'ArrowRight']) {
      await plot.press(key);
      await nextFrames(page);
      seen.add(await readout.innerText());
    }
    expect(seen.size).toBeGreaterThanOrEqual(3);
    await plot.press('Escape');
    expect(await plot.evaluate((element) => document.activeElement === element)).toBe(false);
  });

  test('of the table of waves shows the arithmetic of its cell', async () => {
    const within = figure(page, 'waves');
    const map = within.locator('canvas').first();
    await map.focus();
    for (const key of ['Home', 'PageUp', 'PageUp', 'PageUp', 'PageUp', 'PageUp', 'PageUp', 'PageUp', 'PageUp']) {
      await map.press(key);
    }
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Shift+ArrowRight', 'ArrowRight']) await map.press(key);
    await nextFrames(page);
    const text = plain(await within.locator('.readout').innerText());
    expect(text).toMatch(/position 3 · dimension 11 · pair 5 · .*cos\(3 × /);
    expect(numberIn(/= ([^=]*)$/.exec(text)![1]!)).toBeCloseTo(encodingRow(3, 312)[11]!, 6);
  });

  test('follows the pointer', async () => {
    const map = figure(page, 'slide').locator('canvas').first();
    await map.scrollIntoViewIfNeeded();
    const readout = figure(page, 'slide').locator('.readout');
    const before = await readout.innerText();
    const { width, height } = (await map.boundingBox())!;
    await map.hover({ position: { x: width * 0.3, y: height * 0.3 } });
    await nextFrames(page);
    expect(await readout.innerText()).not.toBe(before);
  });

  test('of the first screen moves by keys and by dragging', async () => {
    const strip = page.locator('#hero-strip');
    const position = async (): Promise<number> => Number(await strip.getAttribute('aria-valuenow'));
    await strip.focus();
    const before = await position();
    const ink = await inkOf(page.locator('#hero-canvas'));
    await strip.press('ArrowRight');
    await strip.press('PageUp');
    await nextFrames(page);
    expect(await position()).toBe(before + 11);
    expect(await page.locator('#hero-caption b').innerText()).toBe(String(before + 11));
    expect((await inkOf(page.locator('#hero-canvas'))).hash).not.toBe(ink.hash);
    await strip.hover({ position: { x: 300, y: 40 } });
    const { x, y } = (await strip.boundingBox())!;
    await page.mouse.down();
    await page.mouse.move(x + 501, y + 40);
    await page.mouse.up();
    await nextFrames(page);
    expect(await position()).toBe(250);
  });
});

describe('controls', () => {
  beforeEach(() => reset(figure(page, 'waves')));

  test('a slider moves by keys and by dragging, and the figure with it', async () => {
    const within = figure(page, 'waves');
    const { track, box } = slider(within, 'dim');
    const map = within.locator('canvas').first();
    const before = await inkOf(map);
    await track.focus();
    await track.press('ArrowLeft');
    await settledFigure(within);
    expect(await box.inputValue()).toBe('310');
    expect(await map.getAttribute('aria-label')).toContain('80 rows by 310 columns');
    expect((await inkOf(map)).hash).not.toBe(before.hash);

    const { width, height } = (await track.boundingBox())!;
    await track.hover({ position: { x: width * 0.6, y: height / 2 } });
    const { x, y } = (await track.boundingBox())!;
    await page.mouse.down();
    await page.mouse.move(x + width * 0.25, y + height / 2, { steps: 5 });
    await page.mouse.up();
    await settledFigure(within);
    const dim = Number(await box.inputValue());
    expect(Math.abs(dim - 128)).toBeLessThanOrEqual(12);
    expect(await map.getAttribute('aria-label')).toContain(`80 rows by ${dim} columns`);
    expect((await readTable(within, [79])).heads).toHaveLength(dim + 1);
  });

  test('a number out of range is refused with the range, and the figure keeps its last state', async () => {
    const within = figure(page, 'waves');
    const map = within.locator('canvas').first();
    const before = await inkOf(map);
    const { box, refusal } = slider(within, 'dim');
    for (const [typed, got] of [
      ['7', '7'],
      ['514', '514'],
      ['1e9', '1 000 000 000'],
      ['-2', '−2'],
      ['wide', 'wide'],
      ['', 'nothing'],
    ] as const) {
      await type(within, 'dim', typed);
      expect(plain(await refusal.innerText())).toBe(`The width must be an even number from 2 to 512; got ${got}.`);
      expect(await box.inputValue()).toBe(typed);
      expect(await box.getAttribute('aria-invalid')).toBe('true');
    }
    await nextFrames(page);
    expect((await inkOf(map)).hash).toBe(before.hash);
    expect(await map.getAttribute('aria-label')).toContain('80 rows by 312 columns');
    await type(within, 'dim', '64');
    await settledFigure(within);
    expect(await refusal.innerText()).toBe('');
    expect(await map.getAttribute('aria-label')).toContain('80 rows by 64 columns');
  });

  test('a refused number gives way to the slider, at its end as well, and to a preset that has the old value', async () => {
    const within = figure(page, 'waves');
    const { box, refusal, track } = slider(within, 'dim');
    await type(within, 'dim', '512');
    await type(within, 'dim', '514');
    expect(await refusal.innerText()).not.toBe('');
    const { width, height } = (await track.boundingBox())!;
    await track.click({ position: { x: width - 2, y: height / 2 } });
    await nextFrames(page);
    expect(await refusal.innerText()).toBe('');
    expect(await box.inputValue()).toBe('512');
    await type(within, 'dim', '514');
    await track.press('ArrowRight');
    await nextFrames(page);
    expect([await refusal.innerText(), await box.inputValue()]).toEqual(['', '512']);

    const decay = figure(page, 'decay');
    await settledFigure(decay);
    const dim = slider(decay, 'dim');
    expect(await dim.box.inputValue()).toBe('128');
    await type(decay, 'dim', '7');
    expect(await dim.refusal.innerText()).not.toBe('');
    await choose(decay, 'model', 'Mistral-7B-v0.1'); // heads of 128 as well
    await nextFrames(page);
    expect([await dim.refusal.innerText(), await dim.box.inputValue()]).toEqual(['', '128']);
    await reset(decay);
    await reset(within);
  });

  test('a curve over its slider moves it when pressed, not when the mouse passes over', async () => {
    const within = figure(page, 'slide');
    await reset(within);
    const { box } = slider(within, 'shift');
    const curve = within.locator('.plot [role="img"]');
    await curve.hover({ position: { x: 200, y: 60 } });
    await nextFrames(page);
    expect(plain(await box.inputValue())).toBe('1 000 000');
    await page.mouse.down();
    await page.mouse.up();
    await settledFigure(within);
    expect(plain(await box.inputValue())).not.toBe('1 000 000');
    await reset(within);
  });

  test('what is being typed stays while the figure is drawn anew', async () => {
    const within = figure(page, 'waves');
    const fields = [slider(within, 'base').box, within.locator('text-field[name="sentence"] input')];
    for (const field of fields) {
      await type(within, 'dim', field === fields[0] ? '100' : '200');
      await field.fill('12');
      await within
        .locator('canvas')
        .first()
        .hover({ position: { x: 200 + 10 * fields.indexOf(field), y: 200 } });
      await settledFigure(within);
      expect(await field.inputValue()).toBe('12');
    }
  });

  test('a text that breaks its rule is refused', async () => {
    const within = figure(page, 'waves');
    const sentence = within.locator('text-field[name="sentence"]');
    await sentence.locator('input').fill('a / b / c / d / e / f / g / h / i');
    await sentence.locator('input').press('Enter');
    expect(await sentence.locator('.refusal').innerText()).toBe('The sentence must have 1 to 8 words; got 9.');
    const columns = within.locator('text-field[name="columns"]');
    await columns.locator('input').fill('1, 312');
    await columns.locator('input').press('Enter');
    expect(await columns.locator('.refusal').innerText()).toContain('from 0 to 311');
    await sentence.locator('input').fill('one / two');
    await sentence.locator('input').press('Enter');
    await settledFigure(within);
    expect(await sentence.locator('.refusal').innerText()).toBe('');
    expect(await within.locator('.prose .text').innerText()).toContain('one / two');
    await sentence.locator('input').fill('three words here');
    await sentence.locator('input').press('Enter');
    await settledFigure(within);
    expect(await sentence.locator('input').inputValue()).toBe('three / words / here');
  });

  test('full-width digits are numbers', async () => {
    const within = figure(page, 'waves');
    await type(within, 'dim', '１００');
    await settledFigure(within);
    const { box, refusal } = slider(within, 'dim');
    expect(await refusal.innerText()).toBe('');
    expect(await box.inputValue()).toBe('100');
    const columns = within.locator('text-field[name="columns"]');
    await columns.locator('input').fill('１０，３０');
    await columns.locator('input').press('Enter');
    expect(await columns.locator('.refusal').innerText()).toBe('');
    expect(await columns.locator('input').inputValue()).toBe('10, 30');
  });

  test('columns past a smaller width are named under their field', async () => {
    const within = figure(page, 'waves');
    const columns = within.locator('text-field[name="columns"]');
    expect(await columns.locator('.note').innerText()).toBe('');
    await columns.locator('input').fill('20, 300, 310');
    await columns.locator('input').press('Enter');
    await type(within, 'dim', '64');
    await settledFigure(within);
    expect(await columns.locator('.note').innerText()).toBe('Not drawn, because the width is 64: 300, 310.');
    await type(within, 'dim', '312');
    await settledFigure(within);
    expect(await columns.locator('.note').innerText()).toBe('');
  });

  test('Reset appears with a change and takes it back', async () => {
    const within = figure(page, 'waves');
    const map = within.locator('canvas').first();
    expect(await resetButton(within).count()).toBe(0);
    const before = await inkOf(map);
    await type(within, 'base', '500');
    await type(within, 'length', '40');
    await settledFigure(within);
    expect((await inkOf(map)).hash).not.toBe(before.hash);
    await type(within, 'base', '5');
    await resetButton(within).click();
    await settledFigure(within);
    expect(await slider(within, 'base').box.inputValue()).toBe('10\u2009000');
    expect(await slider(within, 'base').refusal.innerText()).toBe('');
    expect((await inkOf(map)).hash).toBe(before.hash);
    expect(await resetButton(within).count()).toBe(0);
  });
});

test('nothing went wrong meanwhile', () => {
  expect(opened.problems).toEqual([]);
});
