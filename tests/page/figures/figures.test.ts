import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { embed } from '../../../web/app/figures/embedding.js';
import { randomMatrix } from '../../../web/app/figures/linear.js';
import { type Rotation, dot, encodingRow, frequencies, kernel, rotate, rowsOf, times } from '../support/oracle.ts';
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

const range = (count: number, step = 1): number[] => Array.from({ length: count }, (_, i) => i * step);

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

describe('distance in the dot product', () => {
  const within = (): Locator => figure(page, 'distance');
  const length = 64;
  /** A few whole rows and the corners of the window. */
  const cells = [0, 1, 63, 2 * 64 + 5, 10 * 64 + 13, 31 * 64 + 17, 63 * 64, 64 * 64 - 1];

  beforeEach(() => reset(within()));

  test('(2, 5) and (10, 13) have the same product, to 15 digits', async () => {
    const map = within().locator('canvas').first();
    await map.focus();
    for (const key of ['Home', ...Array<string>(7).fill('PageUp'), 'ArrowDown', 'ArrowDown']) await map.press(key);
    for (let i = 0; i < 5; i++) await map.press('ArrowRight');
    const labels = within().locator('.margin dt');
    await expect.poll(() => labels.allInnerTexts()).toEqual(['PE(2) ⋅ PE(5)', 'PE(10) ⋅ PE(13)', 'difference']);
    const { dot_2_5: reference } = (
      JSON.parse(readFileSync(new URL('../../fixtures/seed_claims.json', import.meta.url), 'utf8')) as {
        cases: { dot_2_5?: number }[];
      }
    ).cases.find((entry) => entry.dot_2_5 !== undefined)!;
    const values = within().locator('.margin dd');
    await expect
      .poll(async () => Math.abs(numberIn((await values.allInnerTexts())[0]!) - reference!))
      .toBeLessThan(1e-12 * 256);
    const [here, there, difference] = (await values.allInnerTexts()).map(numberIn);
    expect(Math.abs(here! - 211.7494434276926)).toBeLessThan(1e-9);
    expect(Math.abs(there! - 211.7494434276926)).toBeLessThan(1e-9);
    expect(difference).toBeLessThan(1e-9);
  });

  test.each([
    [512, 1_000_000],
    [512, 0],
    [64, 4321],
  ])('at d = %i the window at %i has the products of plain float64 rows', async (dim, start) => {
    await type(within(), 'dim', String(dim));
    await type(within(), 'start', String(start));
    await settledFigure(within());
    const { rows } = await readTable(within(), cells);
    // 0.51 · 2⁻²³ · d for a product of rounded rows, and half of the sixth decimal.
    const bound = 0.51 * 2 ** -23 * dim + 5e-7;
    for (const [at, texts] of rows) {
      const [m, n] = [Math.floor(at / length), at % length];
      const [first, second, distance, before, now] = texts.map((text) => numberIn(text));
      expect([first, second, distance]).toEqual([start + m, start + n, n - m]);
      expect(Math.abs(before! - dot(encodingRow(m, dim), encodingRow(n, dim)))).toBeLessThanOrEqual(bound);
      expect(Math.abs(now! - dot(encodingRow(start + m, dim), encodingRow(start + n, dim)))).toBeLessThanOrEqual(bound);
      expect(Math.abs(now! - (dim / 2) * kernel(n - m, dim))).toBeLessThanOrEqual(bound);
    }
    const { residual, tolerance } = await comparison(within());
    expect(residual).toBeLessThanOrEqual(tolerance);
    if (start === 0) expect(residual).toBe(0);
    expect(await within().locator('.proof').getAttribute('data-state')).toBe('holds');
  });

  test('the products of a window far out are not those of plain float32 positions', async () => {
    // Shows that the bound above can fail: angles rounded to float32 first are off by far more.
    const far = (position: number): number[] =>
      frequencies(512).flatMap((f) => {
        const angle = Math.fround(Math.fround(position) * Math.fround(f));
        return [Math.sin(angle), Math.cos(angle)];
      });
    const off = Math.abs(dot(far(1_000_002), far(1_000_005)) - 256 * kernel(3, 512));
    expect(off).toBeGreaterThan(100 * 1.02 * 512 * 2 ** -23);
  });

  test('a matrix between the rows breaks it', async () => {
    await choose(within(), 'between', 'matrix');
    await settledFigure(within());
    const proof = within().locator('.proof');
    expect(await proof.getAttribute('data-state')).toBe('fails');
    expect(await proof.locator('.badge').innerText()).toBe('Fails');
    expect(await proof.innerText()).toContain('A matrix stands between the two rows');
    const { residual, sign, tolerance } = await comparison(within());
    expect(sign).toBe('>');
    expect(residual).toBeGreaterThan(tolerance);
    await expect.poll(() => page.locator('#tally').innerText()).toBe(tally(figureNames.length - 1));
  });
});

describe('when it comes back', () => {
  const within = (): Locator => figure(page, 'aliases');
  const shortTable = async (index: number): Promise<Map<number, number>> => {
    const rows = within().locator('table.short').nth(index).locator('tbody tr:not([aria-hidden])');
    const texts = await rows.evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent!)));
    return new Map(texts.map(([distance, similarity]) => [numberIn(distance!), numberIn(similarity!)]));
  };

  beforeEach(() => reset(within()));

  test('d = 8 nearly returns at 169 646', async () => {
    const records = await shortTable(0);
    expect(records.get(169_646)).toBeCloseTo(0.9999986301, 9);
    for (const [distance, similarity] of records) expect(similarity).toBeCloseTo(kernel(distance, 8), 8);
  });

  test('d = 312 stays below 0.3 to ten million; its strongest return up to a million is at 1 019', async () => {
    const records = await shortTable(1);
    expect(records.get(8_638_047)).toBeCloseTo(0.269081, 6);
    expect(records.get(1019)).toBeCloseTo(0.2436, 4);
    expect([...records.keys()].find((distance) => distance > 1019)).toBeGreaterThan(1_000_000);
    for (const [distance, similarity] of records) expect(similarity).toBeCloseTo(kernel(distance, 312), 8);
    const { residual } = await comparison(within());
    expect(residual).toBeCloseTo(0.269081, 6);
  });

  test('the table has the extremes of every range', async () => {
    const { heads, rows } = await readTable(within(), [0, 1, 100, 300, 420, 500]);
    expect(heads).toHaveLength(8);
    const ranges = [...rows.values()].map((texts) => texts.map((text) => numberIn(text)));
    expect(ranges.some(([from, to]) => to! - from! > 50)).toBe(true);
    for (const [from, to, ...cells] of ranges) {
      for (const [k, dim] of [8, 312].entries()) {
        const [least, greatest, at] = cells.slice(3 * k);
        const values = Array.from({ length: to! - from! + 1 }, (_, i) => kernel(from! + i, dim));
        expect(least).toBeCloseTo(Math.min(...values), 9);
        expect(greatest).toBeCloseTo(Math.max(...values), 9);
        expect(values[at! - from!]).toBeCloseTo(Math.max(...values), 9);
      }
    }
  });

  test('the error of K that it states is that of the width shown', async () => {
    const derivation = within().locator('.derivation');
    const stated = async (): Promise<string> => plain((await derivation.textContent())!).replace(/\s+/g, ' ');
    expect(await stated()).toContain('d = 312 is (156 + 8) · 2⁻⁵³ = 1.8 × 10⁻¹⁴');
    await type(within(), 'wide', '128');
    await settledFigure(within());
    expect(await stated()).toContain('for d = 128 that is 0.088, and 0.3 is 3.4 times that');
    expect(await stated()).toContain('d = 128 is (64 + 8) · 2⁻⁵³ = 8.0 × 10⁻¹⁵');
  });

  test('prose and what to look for follow the widths', async () => {
    const text = async (selector: string): Promise<string> =>
      plain(await within().locator(selector).first().innerText());
    expect(await text('.prose .text')).toContain('At d = 8 that is like waiting for 4 clocks to strike together');
    expect(await text('.notes')).toMatch(/d = 8, comes back to within .* d = 312, gets no higher than 0\.2691\./);
    await type(within(), 'narrow', '2');
    await type(within(), 'wide', '66');
    await settledFigure(within());
    expect(await text('.prose .text')).toContain('1 clock to strike; at d = 66 it is like waiting for 33.');
    const [, closest, highest] = /d = 2, comes back to within (.*) of 1; .* d = 66, gets no higher than (.*)\.\n/.exec(
      await text('.notes'),
    )!;
    const records = [...(await shortTable(0)).values()];
    expect(numberIn(closest!)).toBeCloseTo(1 - Math.max(...records), 8);
    expect(numberIn(highest!)).toBeCloseTo((await comparison(within())).residual, 4);
  });

  test('another narrow width does not come back so soon, and the badge says so', async () => {
    await type(within(), 'narrow', '64');
    await settledFigure(within());
    expect(await within().locator('.proof').getAttribute('data-state')).toBe('fails');
    expect(plain(await within().locator('.proof').innerText())).toContain('d = 64 never comes within');
    for (const [distance, similarity] of await shortTable(0)) expect(similarity).toBeCloseTo(kernel(distance, 64), 8);
  });
});

describe('slide both', () => {
  const within = (): Locator => figure(page, 'slide');
  const models: Record<string, Rotation & { headDim: number }> = {
    'Llama-3-8B': { headDim: 128, rotaryDim: 128, base: 500_000, pairing: 'half' },
    'Qwen2.5-7B': { headDim: 128, rotaryDim: 128, base: 1_000_000, pairing: 'half' },
    'GPT-J-6B': { headDim: 256, rotaryDim: 64, base: 10_000, pairing: 'interleaved' },
    'GPT-NeoX-20B': { headDim: 96, rotaryDim: 24, base: 10_000, pairing: 'half' },
  };
  /** One score is within 2⁻²¹ by the derivation on the page; words rounded to float32 and twelve decimals fit in as well. */
  const bound = 2 ** -20;

  interface Row {
    readonly m: number;
    readonly n: number;
    readonly tokens: readonly [string, string];
    /** Rotated at shift 0 and now, added at shift 0 and now. */
    readonly scores: readonly number[];
  }
  async function readScores(): Promise<Row[]> {
    const { rows } = await readTable(within(), range(144));
    return [...rows.values()].map(([query, key, ...scores]) => {
      const [, m, first] = /^(\d+) (.*)$/.exec(query!)!;
      const [, n, second] = /^(\d+) (.*)$/.exec(key!)!;
      return { m: Number(m), n: Number(n), tokens: [first!, second!], scores: scores.map(numberIn) };
    });
  }

  /** Word vectors of length 1, from the page's own seeded generator. */
  function wordsOf(tokens: readonly string[], headDim: number): number[][] {
    const table = embed(tokens, headDim);
    return tokens.map((_, row) => {
      const vector = [...table.subarray(row * headDim, (row + 1) * headDim)];
      const size = Math.sqrt(dot(vector, vector));
      return vector.map((value) => value / size);
    });
  }

  function added(word: readonly number[], position: number, { rotaryDim, base }: Rotation): number[] {
    const row = encodingRow(position, rotaryDim, base);
    // Half of the squared length each. Sines first, then cosines; the order does not change a score with itself.
    const waves = [...row.filter((_, c) => c % 2 === 0), ...row.filter((_, c) => c % 2 === 1)];
    return word.map((value, c) => value * Math.SQRT1_2 + (waves[c] ?? 0) / Math.sqrt(rotaryDim));
  }

  beforeEach(() => reset(within()));

  test.each(Object.entries(models))('%s: both kinds of scores are those of plain float64', async (name, model) => {
    const shift = 1_000_000;
    await choose(within(), 'model', name);
    await settledFigure(within());
    const rows = await readScores();
    expect(rows).toHaveLength(144);
    const tokens = rows.slice(0, 12).map((row) => row.tokens[1]);
    expect(tokens).toEqual('the cat saw the dog and then the dog saw the cat'.split(' '));
    const words = wordsOf(tokens, model.headDim);
    const kinds = [0, shift].map((offset) => ({
      rotated: words.map((word, p) => rotate(word, p + offset, model)),
      added: words.map((word, p) => added(word, p + offset, model)),
    }));
    const [zero, now] = kinds as [(typeof kinds)[0], (typeof kinds)[0]];
    let worst = 0;
    let [rotatedChange, addedChange] = [0, 0];
    for (const { m, n, scores } of rows) {
      const exact = [zero.rotated, now.rotated, zero.added, now.added].map((side) => dot(side[m]!, side[n]!));
      exact.forEach((score, k) => (worst = Math.max(worst, Math.abs(score - scores[k]!))));
      rotatedChange = Math.max(rotatedChange, Math.abs(scores[1]! - scores[0]!));
      addedChange = Math.max(addedChange, Math.abs(scores[3]! - scores[2]!));
    }
    expect(worst).toBeLessThanOrEqual(bound);
    const { residual, tolerance } = await comparison(within());
    expect(tolerance).toBeCloseTo(2 ** -20, 8);
    expect(rotatedChange).toBeLessThanOrEqual(2 ** -20);
    expect(residual / rotatedChange).toBeCloseTo(1, 1);
    expect(addedChange).toBeGreaterThan(0.02);
    expect(await within().locator('.proof').getAttribute('data-state')).toBe('holds');
  });

  test('the slider shifts both; at 0 nothing has changed', async () => {
    const { track, box } = slider(within(), 'shift');
    await track.focus();
    await track.press('ArrowLeft');
    await settledFigure(within());
    const stepped = numberIn(await box.inputValue());
    expect(stepped).toBeLessThan(1_000_000);
    expect(stepped).toBeGreaterThan(900_000);
    expect(await within().locator('.proof').getAttribute('data-state')).toBe('holds');
    await type(within(), 'shift', '0');
    await settledFigure(within());
    expect((await comparison(within())).residual).toBe(0);
    for (const { scores } of await readScores()) expect(scores.slice(0, 2)).toEqual([scores[1], scores[1]]);
  });

  test('a shift beyond a million is refused', async () => {
    const readout = await within().locator('.readout').innerText();
    await type(within(), 'shift', '1000001');
    expect(plain(await slider(within(), 'shift').refusal.innerText())).toBe(
      'The shift must be a whole number from 0 to 1 000 000; got 1 000 001.',
    );
    expect(await within().locator('.readout').innerText()).toBe(readout);
  });

  test.each([
    ['keys', 'Only the keys moved'],
    ['mixed', 'Keys turn other channels together than queries do'],
    ['bf16', 'bfloat16 cannot tell neighbouring positions apart'],
    ['base', 'Keys turned at other speeds than queries'],
  ])('breaks with %s, and the badge says why', async (mode, why) => {
    await choose(within(), 'mode', mode);
    await settledFigure(within());
    const proof = within().locator('.proof');
    expect(await proof.getAttribute('data-state')).toBe('fails');
    expect(await proof.innerText()).toContain(why);
    const { residual, sign, tolerance } = await comparison(within());
    expect(sign).toBe('>');
    expect(residual).toBeGreaterThan(1000 * tolerance);
    await choose(within(), 'mode', 'intact');
    await settledFigure(within());
    expect(await proof.getAttribute('data-state')).toBe('holds');
  });

  test('breaks with fp16 where neighbours share a position, and where there is none any more', async () => {
    await choose(within(), 'mode', 'fp16');
    await type(within(), 'shift', '40000');
    await settledFigure(within());
    const proof = within().locator('.proof');
    expect(await proof.getAttribute('data-state')).toBe('fails');
    expect(await proof.innerText()).toContain('float16 cannot tell neighbouring positions apart');
    expect((await comparison(within())).residual).toBeGreaterThan(0.01);
    await type(within(), 'shift', '65520');
    await settledFigure(within());
    expect(await proof.getAttribute('data-state')).toBe('fails');
    expect(plain(await proof.innerText())).toContain('float16 ends at 65 504');
    expect(await proof.locator('.num').count()).toBe(0);
    await type(within(), 'shift', '1000');
    await settledFigure(within());
    expect(await proof.getAttribute('data-state')).toBe('holds');
  });
});

test('nothing went wrong meanwhile', () => {
  expect(opened.problems).toEqual([]);
});
