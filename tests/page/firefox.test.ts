import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { figureNames } from './support/page.ts';
import { type Site, startSite } from './support/site.ts';

const WIDTH = 360;

let site: Site;
let browser: Browser;
let page: Page;
const problems: string[] = [];

beforeAll(async () => {
  site = await startSite();
  browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr',
    headless: true,
    args: [`--width=${WIDTH}`, '--height=740'],
    extraPrefsFirefox: { 'intl.accept_languages': 'en-GB', 'ui.prefersReducedMotion': 1 },
  });
  page = await browser.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  await page.setViewport({ width: WIDTH, height: 740, deviceScaleFactor: 1 });
  await page.goto(site.origin, { waitUntil: 'load' });
  await page.waitForFunction(
    (count) => {
      const lines = [...document.querySelectorAll<HTMLElement>('.proof')].filter((line) => line.closest('figure'));
      return lines.length === count && lines.every((line) => line.dataset['state'] !== 'computing');
    },
    { timeout: 110_000, polling: 250 },
    figureNames.length,
  );
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

describe('in Firefox at 360 pixels', () => {
  test('every figure computes, and its claim holds', async () => {
    const states = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('figure .proof')].map((line) => line.dataset['state']),
    );
    expect(states).toEqual(figureNames.map(() => 'holds'));
  });

  describe.each(['en', 'zh-Hans', 'zh-Hant'])('in %s', (language) => {
    beforeAll(async () => {
      await page.evaluate((wanted) => {
        document.querySelector<HTMLElement>(`[data-language="${wanted}"]`)!.click();
        return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined))));
      }, language);
    });

    test('nothing stands out of the window', async () => {
      const { scrolls, wide } = await page.evaluate(() => {
        const width = document.documentElement.clientWidth;
        const isFramed = (element: Element | null): boolean =>
          element !== null &&
          (/auto|scroll|hidden/.test(getComputedStyle(element).overflowX) || isFramed(element.parentElement));
        return {
          scrolls: document.documentElement.scrollWidth > width,
          wide: [...document.body.querySelectorAll('*')]
            .filter((element) => {
              const { left, right, width: own } = element.getBoundingClientRect();
              return own > 0 && (left < -0.5 || right > width + 0.5) && !isFramed(element.parentElement);
            })
            .map((element) => `${element.tagName} ${element.className} ${element.textContent.trim().slice(0, 40)}`),
        };
      });
      expect(wide).toEqual([]);
      expect(scrolls).toBe(false);
    });

    test('every plot is drawn in the window', async () => {
      const blank = await page.evaluate(() =>
        [...document.querySelectorAll('canvas')]
          .filter((canvas) => {
            const { left, right, height } = canvas.getBoundingClientRect();
            const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
            const isInked = data.some((byte) => byte !== 0);
            return !isInked || height < 20 || left < -0.5 || right > document.documentElement.clientWidth + 0.5;
          })
          .map((canvas) => canvas.ariaLabel ?? canvas.id),
      );
      expect(blank).toEqual([]);
    });
  });

  test('nothing went wrong meanwhile', () => {
    expect(problems).toEqual([]);
  });
});
