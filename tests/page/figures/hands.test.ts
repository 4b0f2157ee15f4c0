import { expect, test } from 'vitest';
import { encodingRow, frequencies } from '../support/oracle.ts';
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

// Figure “Clock hands”, as a reader uses it.

const reader = readerOf('hands');

/** The table holds ω and the hands at p, turned, and at p + k. */
async function expectHands(dim: number, p: number, k: number, turnedTo = p + k): Promise<void> {
  const { heads, rows } = await readTable(
    reader.within,
    Array.from({ length: dim / 2 }, (_, pair) => pair),
  );
  expect(heads).toHaveLength(8);
  const speeds = frequencies(dim);
  const [now, turned, next] = [p, turnedTo, p + k].map((position) => encodingRow(position, dim));
  for (const [pair, cells] of rows) {
    const [name, speed, ...hands] = cells.map(numberIn);
    expect(name).toBe(pair);
    expect(speed! / speeds[pair]!).toBeCloseTo(1, 7);
    const expected = [now!, turned!, next!].flatMap((row) => row.slice(2 * pair, 2 * pair + 2));
    hands.forEach((value, c) => expect(Math.abs(value - expected[c]!)).toBeLessThan(4.28 * 2 ** -24 + 5e-10));
  }
}

test('opens at p = 3, k = 5, and holds at every position', async () => {
  expect(await reader.state()).toBe('holds');
  const { residual, tolerance } = await comparison(reader.within);
  expect(residual).toBeLessThanOrEqual(tolerance);
  expect(tolerance / (4.28 * 2 ** -24)).toBeCloseTo(1, 1);
  await expectHands(16, 3, 5);
});

test('the slider moves the hands, and asks the engine nothing new', async () => {
  const dials = reader.within.locator('canvas').first();
  const before = (await inkOf(dials)).hash;
  const proof = await reader.within.locator('.proof').innerText();
  const { track, box } = slider(reader.within, 'position');
  await track.focus();
  await track.press('ArrowRight');
  await track.press('PageUp');
  await nextFrames(reader.page);
  expect(await box.inputValue()).toBe('14');
  expect((await inkOf(dials)).hash).not.toBe(before);
  expect(await reader.within.locator('.proof').innerText()).toBe(proof);
  await expectHands(16, 14, 5);
});

test('a negative step turns back', async () => {
  await type(reader.within, 'step', '−9');
  await type(reader.within, 'position', '4');
  await settledFigure(reader.within);
  expect(await reader.state()).toBe('holds');
  await expectHands(16, 4, -9);
});

test('turned backwards the claim fails and says why', async () => {
  await choose(reader.within, 'mode', 'backwards');
  await settledFigure(reader.within);
  expect(await reader.state()).toBe('fails');
  expect(await reader.within.locator('.proof .claim').innerText()).toContain('−k · ω');
  expect((await comparison(reader.within)).residual).toBeGreaterThan(1);
  await expectHands(16, 3, 5, -2);
});

test('at the speeds of another base only the first pair keeps time', async () => {
  await choose(reader.within, 'mode', 'base');
  await settledFigure(reader.within);
  expect(await reader.state()).toBe('fails');
  const { rows } = await readTable(reader.within, [0, 1]);
  const off = (cells: string[]): number => Math.abs(numberIn(cells[4]!) - numberIn(cells[6]!));
  expect(off(rows.get(0)!)).toBeLessThan(1e-6);
  expect(off(rows.get(1)!)).toBeGreaterThan(1e-3);
});

test('keys choose a pair, and the readout turns its hand', async () => {
  const dials = reader.within.locator('canvas').first();
  await dials.focus();
  await dials.press('Home');
  for (const key of ['ArrowRight', 'ArrowRight']) await dials.press(key);
  await nextFrames(reader.page);
  const text = plain(await reader.within.locator('.readout').innerText());
  const [sine, cosine] = encodingRow(8, 16).slice(4, 6);
  expect(text).toContain('pair 2 · p = 3');
  expect(text).toContain(`turned 5 × 0.100000`);
  expect(text).toContain(`PE(8) = (${sine!.toFixed(6)}, ${cosine!.toFixed(6)})`);
});

test('a smaller width keeps the chosen pair inside', async () => {
  await type(reader.within, 'dim', '2');
  await settledFigure(reader.within);
  expect(plain(await reader.within.locator('.readout').innerText())).toMatch(/^pair 0 /);
  await expectHands(2, 3, 5);
});

test('steps where motion is unwelcome, and elsewhere plays until any input', async () => {
  const { page } = reader;
  const button = reader.within.locator('play-control button');
  const { box } = slider(reader.within, 'position');
  expect(await button.innerText()).toBe('Step');
  await button.click();
  await nextFrames(page);
  expect(await box.inputValue()).toBe('4');

  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await expect.poll(() => button.innerText()).toBe('Play');
  await button.click();
  await expect.poll(() => button.innerText()).toBe('Stop');
  await expect.poll(async () => Number(await box.inputValue())).toBeGreaterThan(6);
  await page.keyboard.press('Shift');
  await expect.poll(() => button.innerText()).toBe('Play');
  const stopped = await box.inputValue();
  await page.waitForTimeout(400);
  expect(await box.inputValue()).toBe(stopped);

  // The last position ends it.
  await type(reader.within, 'position', '1021');
  await button.click();
  await expect.poll(() => button.innerText()).toBe('Play');
  expect(plain(await box.inputValue())).toBe('1 023');
  await page.emulateMedia({ reducedMotion: 'reduce' });
});

test('nothing went wrong meanwhile', () => {
  expect(reader.problems).toEqual([]);
});
