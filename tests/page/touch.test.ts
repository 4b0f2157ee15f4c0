import type { CDPSession, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Opened, figure, inkOf, nextFrames, open, settledFigure } from './support/page.ts';
import { type Site, startSite } from './support/site.ts';

let site: Site;
let opened: Opened;
let touch: CDPSession;
beforeAll(async () => {
  site = await startSite();
  opened = await open(site, { width: 390, height: 844, phone: true });
  touch = await opened.context.newCDPSession(opened.page);
  await settledFigure(figure(opened.page, 'waves'));
});
afterAll(async () => {
  await opened?.context.close();
  await site?.close();
});

/** Two fingers on a plot, from one distance to another, CSS pixels. */
async function pinch(plot: Locator, from: number, to: number): Promise<void> {
  const { x, y, width, height } = (await plot.boundingBox())!;
  const fingers = (apart: number): { x: number; y: number }[] =>
    [-1, 1].map((side) => ({ x: x + width / 2 + (side * apart) / 2, y: y + height / 2 }));
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints });
  await send('touchStart', fingers(from).slice(0, 1));
  await send('touchStart', fingers(from));
  for (let step = 1; step <= 4; step++) await send('touchMove', fingers(from + ((to - from) * step) / 4));
  await send('touchEnd', []);
  await nextFrames(opened.page);
}

/** The numbers under a plot's x axis. */
function labelsOf(plot: Locator): Promise<string[]> {
  return plot.evaluate((element) => {
    const canvas = (element instanceof HTMLCanvasElement ? element : element.querySelector('canvas'))!;
    const drawn = window.canvasTexts.get(canvas)!;
    return drawn.map(({ text }) => text);
  });
}

test('two fingers enlarge a line plot around the place between them, and a double tap resets it', async () => {
  const { page } = opened;
  const lines = figure(page, 'waves').locator('.plot').nth(1).locator('[role="img"]');
  await lines.scrollIntoViewIfNeeded();
  const before = await labelsOf(lines);
  expect(before).toContain('50');
  await pinch(lines, 40, 200);
  const after = await labelsOf(lines);
  // Rows 0 to 79 were in view; a fifth of them is now, around the middle.
  expect(after).not.toContain('50');
  expect(after).toContain('40');
  const { width, height } = (await lines.boundingBox())!;
  const middle = { position: { x: width / 2, y: height / 2 } };
  await lines.tap(middle);
  await lines.tap(middle);
  await nextFrames(page);
  expect((await labelsOf(lines)).filter((label) => /^\d+$/.test(label))).toEqual(
    before.filter((label) => /^\d+$/.test(label)),
  );
});

test('two fingers enlarge the cells of a map, and a double tap resets it', async () => {
  const { page } = opened;
  const map = figure(page, 'waves').locator('canvas').first();
  await map.scrollIntoViewIfNeeded();
  const { width, height } = (await map.boundingBox())!;
  const middle = { position: { x: width / 2, y: height / 2 } };
  await map.tap(middle);
  await nextFrames(page);
  const before = (await inkOf(map)).hash;
  await pinch(map, 60, 190);
  expect((await inkOf(map)).hash).not.toBe(before);
  await map.tap(middle);
  await map.tap(middle);
  await nextFrames(page);
  await map.tap(middle);
  await nextFrames(page);
  expect((await inkOf(map)).hash).toBe(before);
  expect(opened.problems).toEqual([]);
});

test('the list of exports opens inside the window', async () => {
  const waves = figure(opened.page, 'waves');
  await waves.locator('menu-button > button').tap();
  const { x, width } = (await waves.getByRole('menu').boundingBox())!;
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x + width).toBeLessThanOrEqual(390);
  await opened.page.keyboard.press('Escape');
  expect(await waves.getByRole('menu').isVisible()).toBe(false);
});

test('a cursor in a plot points out its terms in the formula and its words in the text', async () => {
  const { page } = opened;
  const slide = figure(page, 'slide');
  await settledFigure(slide);
  const shadow = (): Promise<string> =>
    slide
      .locator('.margin .q')
      .first()
      .evaluate((term) => getComputedStyle(term).boxShadow);
  expect(await shadow()).toBe('none');
  await slide.locator('canvas').first().focus();
  await page.keyboard.press('ArrowRight');
  expect(await shadow()).not.toBe('none');
  await page.keyboard.press('Escape');
  expect(await shadow()).toBe('none');
  await slide.locator('.prose em.q').first().focus();
  expect(await shadow()).not.toBe('none');
});
