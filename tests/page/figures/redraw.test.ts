import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Opened, choose, figure, nextFrames, open, settledFigure } from '../support/page.ts';
import { type Site, startSite } from '../support/site.ts';

declare global {
  interface Window {
    /** How often cells were coloured, and the tasks that the worker was asked. */
    coloured: number;
    asked: string[];
  }
}

let site: Site;
let opened: Opened;
let page: Page;
beforeAll(async () => {
  site = await startSite();
  opened = await open(site);
  page = opened.page;
  await settledFigure(figure(page, 'waves'));
  await page.evaluate(() => {
    const { putImageData } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.putImageData = function (...image: unknown[]) {
      window.coloured++;
      Reflect.apply(putImageData, this, image);
    };
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (message: { task: string }) {
      window.asked.push(message.task);
      postMessage.call(this, message);
    };
  });
});
afterAll(async () => {
  await opened?.context.close();
  await site?.close();
});

/** What moves of a figure's cursor by keys make the page do again. */
async function costOf(name: 'waves' | 'slide' | 'distance' | 'order', keys: readonly string[]) {
  const within = figure(page, name);
  await settledFigure(within);
  const map = within.locator('canvas').first();
  await map.focus();
  await nextFrames(page);
  await page.evaluate(() => {
    window.coloured = 0;
    window.asked = [];
  });
  const before = await within.locator('.readout').innerText();
  for (const key of keys) {
    await map.press(key);
    await nextFrames(page);
  }
  expect(await within.locator('.readout').innerText()).not.toBe(before);
  return page.evaluate(() => ({ coloured: window.coloured, asked: window.asked }));
}

const KEYS = ['Home', 'ArrowRight', 'ArrowRight', 'ArrowDown'];

test.each(['waves', 'slide', 'order'] as const)('a cursor in %s colours no cell and asks for nothing', async (name) => {
  expect(await costOf(name, KEYS)).toEqual({ coloured: 0, asked: [] });
});

test('a cursor in the dot products colours no cell and asks for its two products alone', async () => {
  const { coloured, asked } = await costOf('distance', KEYS);
  expect(coloured).toBe(0);
  expect([...new Set(asked)]).toEqual(['distancePair']);
});

test('a cursor in the far view of the waves asks for its own line, not for the table', async () => {
  const within = figure(page, 'waves');
  await choose(within, 'reach', 'far');
  const { coloured, asked } = await costOf('waves', KEYS);
  expect(coloured).toBe(0);
  expect(asked.length).toBeGreaterThan(0);
  expect([...new Set(asked)]).toEqual(['wavesColumn']);
});

test('new numbers are coloured', async () => {
  await page.evaluate(() => (window.coloured = 0));
  const within = figure(page, 'waves');
  await choose(within, 'show', 'sum');
  await settledFigure(within);
  expect(await page.evaluate(() => window.coloured)).toBe(1);
  expect(opened.problems).toEqual([]);
});
