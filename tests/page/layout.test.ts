import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Language,
  type Opened,
  figure,
  figureNames,
  inkOf,
  nextFrames,
  open,
  settled,
  settledFigure,
  slider,
} from './support/page.ts';
import { type Site, startSite } from './support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.close());

interface Screen {
  readonly width: number;
  readonly height: number;
  readonly phone: boolean;
}
const screens: readonly Screen[] = [
  { width: 320, height: 740, phone: true },
  { width: 360, height: 740, phone: true },
  { width: 390, height: 844, phone: true },
  { width: 768, height: 1024, phone: false },
  { width: 1440, height: 900, phone: false },
];

/** The sum of the shifts that counts as none, half of what Web Vitals call good. */
const LARGEST_SHIFT = 0.05;

const setLanguage = async (page: Page, language: Language): Promise<void> => {
  await page.locator(`[data-language="${language}"]`).click();
  await settled(page);
};

describe.each(screens)('at $width × $height', ({ width, height, phone }) => {
  let opened: Opened;
  let page: Page;
  beforeAll(async () => {
    opened = await open(site, { width, height, phone });
    page = opened.page;
    await settled(page);
  });
  afterAll(() => opened?.context.close());

  test('the living figure is on the first screen', async () => {
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    const strip = (await page.locator('#hero-strip').boundingBox())!;
    expect(strip.y).toBeGreaterThan(0);
    expect(strip.y + strip.height).toBeLessThanOrEqual(height);
    expect(strip.width).toBe(width);
  });

  describe.each<Language>(['en', 'zh-Hans'])('in %s', (language) => {
    beforeAll(async () => {
      await setLanguage(page, language);
    });

    test('the document does not scroll sideways, and nothing is wider than the screen', async () => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(await page.evaluate(tooWide)).toEqual([]);
    });

    test('no text leaves its box or lies on another', async () => {
      expect(await page.evaluate(clippedTexts)).toEqual([]);
      expect(await page.evaluate(overlappingTexts)).toEqual([]);
    });

    test('no label of a plot is cut off or lies on another', async () => {
      expect(await page.evaluate(troubledLabels)).toEqual([]);
    });
  });

  test('nothing went wrong meanwhile', () => {
    expect(opened.problems).toEqual([]);
  });
});

const layoutShift = (page: Page): Promise<number> => page.evaluate(() => window.layoutShift);

describe.each(screens.filter(({ width }) => width >= 390))('while the page comes up at $width × $height', (screen) => {
  test.each<Language>(['en', 'zh-Hans', 'zh-Hant'])('nothing moves, %s being the language', async (language) => {
    const { page, context, problems } = await open(site, { ...screen, language });
    await settled(page);
    expect(await layoutShift(page)).toBeLessThanOrEqual(LARGEST_SHIFT);
    expect(problems).toEqual([]);
    await context.close();
  });
});

test('nothing moves while the page comes up in a language that was chosen on it, and is not the browser’s', async () => {
  const { page, context } = await open(site, { width: 768, height: 1024 });
  await setLanguage(page, 'zh-Hans');
  await page.reload();
  await settled(page);
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('zh-Hans');
  expect(await layoutShift(page)).toBeLessThanOrEqual(LARGEST_SHIFT);
  await context.close();
});

/** Elements that stand out of the window's sides, unless a frame of their own scrolls them. */
function tooWide(): string[] {
  const width = document.documentElement.clientWidth;
  const scrolls = (element: Element | null): boolean =>
    element !== null &&
    (/auto|scroll|hidden/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  return [...document.body.querySelectorAll('*')]
    .filter((element) => {
      const { left, right, width: own } = element.getBoundingClientRect();
      return own > 0 && (left < -0.5 || right > width + 0.5) && !scrolls(element.parentElement);
    })
    .map((element) => `${element.tagName} ${element.className} ${element.textContent!.trim().slice(0, 40)}`);
}

/** Texts of which a part lies outside the nearest ancestor that does not show what leaves it. */
function clippedTexts(): string[] {
  const clipped: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement!;
    if (node.textContent!.trim() === '' || !parent.checkVisibility({ visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { left, right, top, bottom } = range.getBoundingClientRect();
    if (right - left < 1) continue;
    let frame: Element | null = parent;
    while (frame && getComputedStyle(frame).overflowX === 'visible') frame = frame.parentElement;
    // A frame that scrolls shows all of it, in time.
    if (frame && /auto|scroll/.test(getComputedStyle(frame).overflowX)) continue;
    const box = (frame ?? document.documentElement).getBoundingClientRect();
    const within = left >= box.left - 1 && right <= box.right + 1 && top >= box.top - 1 && bottom <= box.bottom + 1;
    if (!within) clipped.push(node.textContent!.trim());
  }
  // A select tells no width of its text, and any of its options may come to stand in it.
  const pen = document.createElement('canvas').getContext('2d')!;
  for (const select of document.querySelectorAll('select')) {
    if (!select.checkVisibility()) continue; // in a sheet that is closed
    const { fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(select);
    const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    pen.font = `${fontSize} ${fontFamily}`;
    for (const { text } of select.options) if (pen.measureText(text).width > room + 1) clipped.push(text);
  }
  for (const button of document.querySelectorAll<HTMLElement>('button, .box, .line')) {
    if (button.scrollWidth > button.clientWidth + 1) clipped.push(button.textContent!.trim() || button.className);
  }
  return clipped;
}

/** Pairs of texts of different elements whose lines lie on each other. */
function overlappingTexts(): string[] {
  const lines: { text: string; element: Element; box: DOMRect }[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement!;
    const text = node.textContent!.trim();
    // What stays on the screen while the rest scrolls lies on it by intent; formulas set their own signs.
    if (text === '' || element.closest('math, .axis-slider, dialog, data-table, nav.contents')) continue;
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) lines.push({ text, element, box });
  }
  const overlaps: string[] = [];
  lines.sort((a, b) => a.box.top - b.box.top);
  lines.forEach((a, i) => {
    for (let j = i + 1; j < lines.length && lines[j]!.box.top < a.box.bottom; j++) {
      const b = lines[j]!;
      if (a.element.contains(b.element) || b.element.contains(a.element)) continue;
      const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      // Boxes of lines are taller than their letters.
      const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (wide > 1 && high > 0.3 * Math.min(a.box.height, b.box.height)) overlaps.push(`${a.text} | ${b.text}`);
    }
  });
  return overlaps;
}

/** Words on canvases that leave the canvas, and pairs of words whose ink lies on each other. */
function troubledLabels(): string[] {
  const troubled: string[] = [];
  for (const [canvas, drawn] of window.canvasTexts) {
    if (!canvas.isConnected) continue;
    const texts = drawn.filter(({ text }) => text.trim() !== '');
    texts.forEach(({ text, box: [left, top, right, bottom] }, i) => {
      // Ink is measured in whole pixels, rounded outwards.
      const slack = devicePixelRatio;
      const { width, height } = canvas;
      if (left < -slack || top < -slack || right > width + slack || bottom > height + slack) {
        const plot = canvas.closest('[role="img"]')?.getAttribute('aria-label') ?? canvas.id;
        troubled.push(`cut off: ${text} in ${plot}`);
      }
      for (const other of texts.slice(i + 1)) {
        const wide = Math.min(right, other.box[2]) - Math.max(left, other.box[0]);
        const high = Math.min(bottom, other.box[3]) - Math.max(top, other.box[1]);
        if (wide > 1 && high > 1) troubled.push(`${text} | ${other.text}`);
      }
    });
  }
  return troubled;
}

describe.each(screens)('at $width × $height, with texts that do not end', ({ width, height, phone }) => {
  let opened: Opened;
  let page: Page;
  beforeAll(async () => {
    opened = await open(site, { width, height, phone });
    page = opened.page;
    await settled(page);
  });
  afterAll(() => opened?.context.close());

  const write = async (name: string, text: string): Promise<void> => {
    const waves = figure(page, 'waves');
    const field = waves.locator(`:is(text-field, number-slider)[name="${name}"] input`).first();
    const toggle = waves.locator('.control-strip .toggle');
    if (!(await field.isVisible())) await toggle.click();
    await field.fill(text);
    await field.press('Enter');
    await settledFigure(waves);
  };

  test('long words leave the map its place, and end in an ellipsis', async () => {
    await write('sentence', 'antidisestablishmentarianism / 一个长得写不下的中文句子没有任何分隔 / a');
    const map = figure(page, 'waves').locator('canvas').first();
    const labels = await map.evaluate((canvas) =>
      window.canvasTexts
        .get(canvas as HTMLCanvasElement)!
        .filter(({ text }) => text.endsWith('…'))
        .map(({ text, box: [left, , right] }) => ({ text, left, share: right / (canvas as HTMLCanvasElement).width })),
    );
    expect(labels.map(({ text }) => text[0])).toEqual(['a', '一']);
    for (const { left, share } of labels) {
      expect(left).toBeGreaterThanOrEqual(-1);
      expect(share).toBeLessThanOrEqual(0.2);
    }
    expect((await inkOf(map)).colored).toBeGreaterThan(0.2);
    expect(await page.evaluate(troubledLabels)).toEqual([]);
  });

  test('texts without a space break, and refusals repeat their beginning', async () => {
    const refusal = (name: string): Promise<string> =>
      figure(page, 'waves').locator(`[name="${name}"] .refusal`).innerText();
    await write('sentence', 'x'.repeat(200));
    await write('columns', '9'.repeat(300));
    await write('dim', '9'.repeat(300));
    for (const name of ['columns', 'dim']) expect(await refusal(name)).toContain(`${'9'.repeat(40)}…`);
    await write('base', 'w'.repeat(300));
    expect(await refusal('base')).toContain(`${'w'.repeat(40)}…`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(await page.evaluate(tooWide)).toEqual([]);
  });
});

describe('on a phone', () => {
  let opened: Opened;
  let page: Page;
  beforeAll(async () => {
    opened = await open(site, { width: 390, height: 844, phone: true });
    page = opened.page;
    await settled(page);
  });
  afterAll(() => opened?.context.close());

  test('long control strips are a sheet at the bottom, of at most half the screen', async () => {
    const waves = figure(page, 'waves');
    const toggle = waves.locator('.control-strip .toggle');
    const { box } = slider(waves, 'dim');
    expect(await box.isVisible()).toBe(false);
    await toggle.tap();
    expect(await toggle.getAttribute('aria-expanded')).toBe('true');
    const sheet = (await waves.locator('.strip-body').boundingBox())!;
    expect(sheet.height).toBeLessThanOrEqual(422);
    expect(Math.round(sheet.y + sheet.height)).toBe(844);
    for (const name of ['dim', 'base', 'length']) {
      const control = slider(waves, name).box;
      await control.scrollIntoViewIfNeeded();
      const { x, y, width, height } = (await control.boundingBox())!;
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(390);
      expect(y).toBeGreaterThanOrEqual(sheet.y);
      expect(y + height).toBeLessThanOrEqual(844);
      const size = await control.evaluate((input) => parseFloat(getComputedStyle(input).fontSize));
      expect(size).toBeGreaterThanOrEqual(16);
    }
    await box.fill('100');
    await box.press('Enter');
    await expect.poll(() => waves.locator('canvas').first().getAttribute('aria-label')).toContain('by 100 columns');
    await toggle.tap();
    expect(await box.isVisible()).toBe(false);
  });

  test('the contents open as a sheet and lead to a figure', async () => {
    await page.locator('page-header .narrow-only').tap();
    const sheet = page.locator('#contents-sheet');
    expect(await sheet.isVisible()).toBe(true);
    await sheet.locator('a[href="#slide"]').tap();
    expect(await sheet.isVisible()).toBe(false);
    await expect.poll(async () => Math.abs((await page.locator('#slide').boundingBox())!.y)).toBeLessThan(200);
  });

  test('the slider under an axis stays at the bottom of the screen while its figure is in view', async () => {
    const slide = figure(page, 'slide');
    await slide.locator('.duo').evaluate((element) => element.scrollIntoView({ block: 'start', behavior: 'instant' }));
    await nextFrames(page);
    const { y, height } = (await slide.locator('.axis-slider').boundingBox())!;
    expect(y + height).toBeLessThanOrEqual(844.5);
    expect(y).toBeGreaterThan(844 / 2);
  });

  test('a finger moves the cursor of a map', async () => {
    const slide = figure(page, 'slide');
    const map = slide.locator('canvas').first();
    await map.scrollIntoViewIfNeeded();
    const before = await slide.locator('.readout').innerText();
    const { width } = (await map.boundingBox())!;
    await map.tap({ position: { x: width * 0.3, y: 60 } });
    await expect.poll(() => slide.locator('.readout').innerText()).not.toBe(before);
  });

  test('what can be pressed is large enough for a finger', async () => {
    const small = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('button, select, input.track, input.line')]
        .filter((element) => element.checkVisibility() && element.offsetHeight > 0)
        .filter((element) => element.getBoundingClientRect().height < 43.5 && !element.closest('.segments.small'))
        .map((element) => `${element.className} ${element.textContent!.trim()} ${element.offsetHeight}`),
    );
    expect(small).toEqual([]);
  });

  test.each(figureNames)('the table of %s scrolls in its own frame', async (name) => {
    const within = figure(page, name);
    const button = within.locator('.actions button.table');
    await button.tap();
    const frame = within.locator('data-table .frame');
    await frame.waitFor();
    const { x, width } = (await frame.boundingBox())!;
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(390);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await button.tap();
  });

  test('nothing went wrong meanwhile', () => {
    expect(opened.problems).toEqual([]);
  });
});

test.each([60, 30, 1])('a window of %i pixels draws what it has room for', async (width) => {
  const { page, context, problems } = await open(site, { width });
  await page.locator('#encodings').waitFor({ state: 'attached' });
  await page.evaluate(async () => {
    for (const section of document.querySelectorAll('section')) {
      section.scrollIntoView();
      for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
    }
  });
  await settled(page);
  await nextFrames(page);
  expect(problems).toEqual([]);
  await context.close();
});
