import { type Browser, type BrowserContext, type Locator, type Page, chromium } from 'playwright-core';
import { inject } from 'vitest';
import type { FolderName, Site } from './site.ts';

export type Language = 'en' | 'zh-Hans' | 'zh-Hant';
const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', 'zh-Hans': 'zh-CN', 'zh-Hant': 'zh-TW' };
/** The figures by their sections, in the order of the page. */
export const figureNames = [
  'order',
  'numbers',
  'waves',
  'hands',
  'distance',
  'aliases',
  'rotate',
  'slide',
  'steps',
  'terms',
  'decay',
  'relative',
  'extend',
  'precision',
  'ledger',
] as const;
export type FigureName = (typeof figureNames)[number];

export interface PageOptions {
  readonly folder?: FolderName | `${FolderName}${string}`;
  readonly language?: Language;
  readonly theme?: 'light' | 'dark';
  /** CSS pixels; 1440 × 900 when not given. */
  readonly width?: number;
  readonly height?: number;
  /** Touch and a pixel ratio of 2. */
  readonly phone?: boolean;
}

/** A page with what went wrong on it. */
export interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors and warnings of the console, refusals of the content policy, failed requests, requests to other origins. */
  readonly problems: string[];
  /** Addresses of every request, those of the worker included. */
  readonly requests: string[];
}

let browser: Promise<Browser> | undefined;

/** Opens the page in a context of its own: nothing stored, the language the browser's. */
export function open(site: Site, { folder = '/', ...options }: PageOptions = {}): Promise<Opened> {
  return openAddress(site.origin + folder, options);
}

/** Opens an address; a request to another origin than its own is a problem. */
export async function openAddress(address: string, options: Omit<PageOptions, 'folder'> = {}): Promise<Opened> {
  const { language = 'en', theme = 'light', width = 1440, height = 900, phone = false } = options;
  browser ??= chromium.connect(inject('chromium'));
  const context = await (
    await browser
  ).newContext({
    locale: LOCALES[language],
    colorScheme: theme,
    reducedMotion: 'reduce', // scrolling is then immediate
    viewport: { width, height },
    ...(phone ? { hasTouch: true, isMobile: true, deviceScaleFactor: 2 } : {}),
  });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const { origin } = new URL(address);
  const problems: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  page.on('requestfailed', (request) => problems.push(`failed: ${request.url()}`));
  page.on('request', (request) => {
    requests.push(request.url());
    if (new URL(request.url()).origin !== origin && !/^(data|blob):/.test(request.url()))
      problems.push(`other origin: ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()}: ${response.url()}`);
  });
  await context.exposeFunction('reportProblem', (problem: string) => problems.push(problem));
  await page.addInitScript(watchPage);
  await page.goto(address, { waitUntil: 'commit' });
  return { page, context, problems, requests };
}

/** What the watch in the page has seen. */
declare global {
  interface Window {
    reportProblem: (problem: string) => void;
    /** Sum of the layout shifts that no input caused. */
    layoutShift: number;
    /** Text last drawn on a canvas, with the box of its ink in canvas pixels. */
    canvasTexts: Map<HTMLCanvasElement, { text: string; box: [number, number, number, number] }[]>;
  }
}

/** Runs in the page before its own scripts. */
function watchPage(): void {
  addEventListener('securitypolicyviolation', (event) => {
    window.reportProblem(`content policy: ${event.effectiveDirective} ${event.blockedURI} ${event.sample}`);
  });
  window.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
      if (!entry.hadRecentInput) window.layoutShift += entry.value;
    }
  }).observe({ type: 'layout-shift', buffered: true });

  const texts: Window['canvasTexts'] = (window.canvasTexts = new Map());
  const { fillText, clearRect } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.clearRect = function (...area) {
    texts.delete(this.canvas);
    clearRect.apply(this, area);
  };
  const width = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'width')!;
  Object.defineProperty(HTMLCanvasElement.prototype, 'width', {
    ...width,
    set(this: HTMLCanvasElement, value: number) {
      texts.delete(this);
      width.set!.call(this, value);
    },
  });
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    fillText.call(this, text, x, y);
    const { a, d, e, f } = this.getTransform();
    const ink = this.measureText(text);
    const [left, right] = [x - ink.actualBoundingBoxLeft, x + ink.actualBoundingBoxRight];
    const [top, bottom] = [y - ink.actualBoundingBoxAscent, y + ink.actualBoundingBoxDescent];
    const drawn = texts.get(this.canvas) ?? [];
    drawn.push({ text, box: [a * left + e, d * top + f, a * right + e, d * bottom + f] });
    texts.set(this.canvas, drawn);
  };
}

export function figure(page: Page, name: FigureName): Locator {
  return page.locator(`${name}-figure`);
}

/**
 * Waits until the claims of all figures, and that of the first screen, have been judged; or, where nothing is computed,
 * until all of them say so.
 */
export async function settled(page: Page, { computed = true } = {}): Promise<void> {
  await page.locator('#hero-badge:not(.computing)').waitFor();
  for (const name of figureNames) {
    if (computed) await answered(figure(page, name));
    else await figure(page, name).locator('.proof[data-state="not-applicable"]').waitFor();
  }
  await layOutAll(page);
}

/** Has sections that are far from view laid out from now on, which have no text to read otherwise. */
export async function layOutAll(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('section { content-visibility: visible !important; }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  });
  await nextFrames(page);
}

/** Goes to a figure and waits until the engine has answered its newest question, and the answer is on screen. */
export async function settledFigure(within: Locator): Promise<void> {
  await bringNear(within);
  await answered(within);
}

async function answered(within: Locator): Promise<void> {
  await within.evaluate(async (element) => {
    const figure = element as HTMLElement & {
      state: object;
      answer: { request: object } | undefined;
      request: (state: object) => object;
      updateComplete: Promise<unknown>;
    };
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
    await figure.updateComplete;
    const isAnswered = (): boolean =>
      JSON.stringify(figure.answer?.request) === JSON.stringify(figure.request(figure.state));
    while (!isAnswered()) await frame();
    await figure.updateComplete;
    await frame();
    await frame();
  });
  await within.locator('.proof:not([data-state="computing"])').waitFor({ state: 'attached' });
}

/** Scrolls to what is so far away that it is not laid out. */
async function bringNear(within: Locator): Promise<void> {
  await within.evaluate((element) => {
    if (!element.checkVisibility({ contentVisibilityAuto: true })) element.scrollIntoView();
  });
}

export const resetButton = (within: Locator): Locator => within.locator('button.reset');

/** The figure as it stands when the page is opened. */
export async function reset(within: Locator): Promise<void> {
  if ((await resetButton(within).count()) > 0) await resetButton(within).click();
  await settledFigure(within);
}

/** Waits until what was asked for in this frame has been drawn. */
export async function nextFrames(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}

/** A text as it reads: without the marks that keep it on one line, its narrow spaces plain ones. */
export function plain(text: string): string {
  return text.replace(/\u2060/g, '').replace(/[\u2009\u00a0]/g, ' ');
}

/** A number as the page writes it: groups of three, a true minus, powers of ten. */
export function numberIn(text: string): number {
  const closed = plain(text).replace(/ /g, '').replace(/−/g, '-');
  const [, digits, power] = /^(-?[\d.]+?)?(?:×?10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?$/.exec(closed) ?? [];
  if (digits === undefined && power === undefined) throw new Error(`not a number: ${text}`);
  // “10⁻⁷” alone: the digits are the 10 itself.
  const exponent = power?.replace(/./g, (mark) => (mark === '⁻' ? '-' : String('⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(mark))));
  return Number(`${digits ?? 1}e${exponent ?? 0}`);
}

/** Both sides of the comparison in a figure's proof line: residual, sign, tolerance. */
export async function comparison(within: Locator): Promise<{ residual: number; sign: string; tolerance: number }> {
  const text = await within.locator('.proof .claim .num').innerText();
  const [, residual, sign, tolerance] = /^(.*?)([≤<>≥])(.*)$/s.exec(text)!;
  return { residual: numberIn(residual!), sign: sign!, tolerance: numberIn(tolerance!) };
}

/** How much of a canvas is drawn on. */
export interface Ink {
  /** Share of the pixels that have a hue: data, not text or axes. */
  readonly colored: number;
  /** A number that changes with any pixel. */
  readonly hash: number;
}

export function inkOf(canvas: Locator): Promise<Ink> {
  return canvas.evaluate((element) => {
    const { width, height } = element as HTMLCanvasElement;
    // Read from a copy, so that the page's own canvas stays as fast as it is.
    const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })!;
    copy.drawImage(element as HTMLCanvasElement, 0, 0);
    const { data } = copy.getImageData(0, 0, width, height);
    let [colored, hash] = [0, 0];
    for (let i = 0; i < data.length; i += 4) {
      const [r, g, b] = [data[i]!, data[i + 1]!, data[i + 2]!];
      if (Math.max(r, g, b) - Math.min(r, g, b) > 24) colored++;
      hash = (Math.imul(hash, 31) + (r | (g << 8) | (b << 16) | (data[i + 3]! << 24))) | 0;
    }
    return { colored: colored / (width * height), hash };
  });
}

export interface Table {
  readonly heads: string[];
  readonly rows: ReadonlyMap<number, string[]>;
}

/** Opens a figure's table, scrolls to each of the rows, and reads those in sight. */
export async function readTable(within: Locator, rows: readonly number[]): Promise<Table> {
  const frame = within.locator('data-table .frame');
  if ((await frame.count()) === 0) await within.locator('.actions button.table').click();
  await frame.waitFor();
  const { heads, found } = await frame.evaluate(
    async (element, wanted) => {
      const found: [number, string[]][] = [];
      const texts = (row: Element): string[] => [...row.children].map((cell) => cell.textContent!.trim());
      for (const row of wanted) {
        element.scrollTop = row * 28;
        const selector = `tr[aria-rowindex="${row + 2}"]`;
        while (!element.querySelector(selector)) await new Promise((resolve) => requestAnimationFrame(resolve));
        found.push([row, texts(element.querySelector(selector)!)]);
      }
      element.scrollTop = 0;
      return { heads: texts(element.querySelector('thead tr')!), found };
    },
    [...rows],
  );
  return { heads, rows: new Map(found) };
}

export function slider(within: Locator, name: string): { box: Locator; track: Locator; refusal: Locator } {
  const element = within.locator(`number-slider[name="${name}"]`);
  return { box: element.locator('.box'), track: element.locator('.track'), refusal: element.locator('.refusal') };
}

/** Types a number into a slider's box. The pointer rests elsewhere: a plot that scrolls under it takes it for a choice. */
export async function type(within: Locator, name: string, text: string): Promise<void> {
  const { box } = slider(within, name);
  await within.page().mouse.move(0, 0);
  await box.fill(text);
  await box.press('Enter');
}

export async function choose(within: Locator, name: string, value: string): Promise<void> {
  const group = within.locator(`choice-group[name="${name}"]`);
  const select = group.locator('select');
  if ((await select.count()) > 0) await select.selectOption(value);
  else await group.locator(`[data-value="${value}"]`).click();
}
