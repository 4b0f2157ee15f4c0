import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FigureName, type Opened, nextFrames, open } from './support/page.ts';
import { type Site, startSite } from './support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.close());

/** How far down the window a figure's section begins, CSS pixels. */
function topOf(page: Page, name: FigureName): Promise<number> {
  return page.locator(`#${name}`).evaluate((section) => section.getBoundingClientRect().top);
}

function isRendered(page: Page, name: FigureName): Promise<boolean> {
  return page.locator(`${name}-figure h2`).evaluate((title) => title.checkVisibility({ contentVisibilityAuto: true }));
}

/** Opens the page and waits until it leaves out what is far from view. */
async function openSettled(options: Parameters<typeof open>[1] = {}): Promise<Opened> {
  const opened = await open(site, options);
  await opened.page.locator('#ledger.far').waitFor({ state: 'attached' });
  return opened;
}

async function goTo(page: Page, name: FigureName): Promise<void> {
  await page.locator(`#${name}`).evaluate((section) => section.scrollIntoView());
  await nextFrames(page);
}

describe('sections far from view', () => {
  test('are not rendered until the reader comes near, and keep their words for a search', async () => {
    const { page, context, problems } = await openSettled();
    expect(await isRendered(page, 'order')).toBe(true);
    expect(await isRendered(page, 'decay')).toBe(false);
    expect(await page.locator('decay-figure h2').textContent()).not.toBe('');
    await goTo(page, 'decay');
    expect(await isRendered(page, 'decay')).toBe(true);
    await expect.poll(() => isRendered(page, 'order')).toBe(false);
    expect(problems).toEqual([]);
    await context.close();
  });

  test('let a link lead where it says while they are laid out anew', async () => {
    const { page, context, problems } = await openSettled();
    await goTo(page, 'terms');
    await page.evaluate(() => {
      document.documentElement.style.setProperty('--changed', 'yes'); // the page may look different now
      location.hash = '#steps';
    });
    await nextFrames(page);
    await page.locator('#order.far').waitFor({ state: 'attached' });
    expect(Math.abs(await topOf(page, 'steps'))).toBeLessThan(120);
    expect(problems).toEqual([]);
    await context.close();
  });

  test('do not move what is read when the width of the page or its language changes', async () => {
    const { page, context, problems } = await openSettled();
    await goTo(page, 'decay');
    const before = await topOf(page, 'decay');
    for (const width of [700, 390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(async () => Math.abs((await topOf(page, 'decay')) - before)).toBeLessThan(8);
      await page.locator('#ledger.far').waitFor({ state: 'attached' });
    }
    // Without scrolling to the button, as a mouse of Playwright does.
    await page.locator('[data-language="zh-Hans"]').evaluate((button: HTMLElement) => button.click());
    await page.locator('html[lang="zh-Hans"]').waitFor();
    await page.locator('#ledger.far').waitFor({ state: 'attached' });
    await expect.poll(async () => Math.abs((await topOf(page, 'decay')) - before)).toBeLessThan(8);
    expect(problems).toEqual([]);
    await context.close();
  });

  test.each<FigureName>(['decay', 'ledger', 'order', 'precision'])(
    'stand at the top of a phone when the contents lead there: %s',
    async (name) => {
      const { page, context } = await openSettled({ width: 390, height: 844, phone: true });
      await page.locator('page-header [aria-haspopup="dialog"]').click();
      await page.locator(`#contents-sheet a[href="#${name}"]`).click();
      await expect.poll(async () => Math.abs((await topOf(page, name)) - 24)).toBeLessThan(8);
      await context.close();
    },
  );
});
