import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Language, type Opened, figure, figureNames, nextFrames, open, settled } from './support/page.ts';
import { type Site, startSite } from './support/site.ts';
import { npyFile, sinusoidal } from './support/table-files.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let site: Site;
let opened: Opened;
let page: Page;
beforeAll(async () => {
  site = await startSite();
  opened = await open(site);
  page = opened.page;
  await settled(page);
  await page.locator('#check').scrollIntoViewIfNeeded();
  await page.locator('model-panel button.example').click();
  // Evaluated from outside, where the page's content policy has no say.
  await page.evaluate(axe);
});
afterAll(async () => {
  await opened?.context.close();
  await site?.close();
});

/** What axe-core finds that is serious or critical: the rule and where. */
function findings(): Promise<string[]> {
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run: (options: object) => Promise<AxeResults> } };
    const { violations } = await axe.run({ resultTypes: ['violations'] });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ target, html }) => `${id}: ${target.join(' ')} ${html.slice(0, 120)}`));
  });
}

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  test.each<Language>(['en', 'zh-Hans', 'zh-Hant'])('axe-core finds nothing serious in %s', async (language) => {
    await page.emulateMedia({ colorScheme: theme });
    await page.locator(`[data-language="${language}"]`).click();
    await nextFrames(page);
    expect(await findings()).toEqual([]);
  });
});

test('axe-core finds nothing serious where everything is open', async () => {
  for (const name of figureNames) {
    const within = figure(page, name);
    await within.locator('.actions button.table').click();
    await within.locator('.proof').click();
  }
  await figure(page, 'slide').locator('menu-button > button').click();
  const buffer = npyFile([66, 32], [...new Array<number>(64).fill(0), ...sinusoidal(64, 32)]);
  const file = { name: 'table.npy', mimeType: 'application/octet-stream', buffer };
  await page.locator('model-panel input[type="file"]').setInputFiles(file);
  await page.locator('table-panel dl.facts').waitFor();
  await nextFrames(page);
  expect(await findings()).toEqual([]);
  await page.keyboard.press('Escape');
  await page.locator('model-panel button.example').click();
});

test('Tab reaches everything that can be operated, in the order of the page, and each shows that it has the focus', async () => {
  const { page, context } = await open(site);
  await settled(page);
  const stops = await page.evaluate(
    () =>
      [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, [tabindex="0"]')].filter(
        (element) =>
          element.checkVisibility({ visibilityProperty: true }) &&
          element.tabIndex >= 0 &&
          !element.matches(':disabled') &&
          !element.closest('dialog:not([open])'),
      ).length,
  );
  const seen: number[] = [];
  for (let stop = 0; stop < stops; stop++) {
    await page.keyboard.press('Tab');
    const [index, unmarked] = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      const around = getComputedStyle(element.closest('.segments, .choose, .switch') ?? element);
      const outlined = [outlineStyle, around.outlineStyle].some((style) => style !== 'none') && outlineWidth !== '0px';
      const mark = outlined || boxShadow !== 'none' ? '' : element.outerHTML.slice(0, 200);
      return [[...document.querySelectorAll('*')].indexOf(element), mark] as const;
    });
    seen.push(index);
    expect(unmarked, `stop ${stop}`).toBe('');
  }
  expect(new Set(seen).size).toBe(stops);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  await context.close();
});
