// Visits to the built page: first paint, first figure, layout shift, bytes, and frames while a slider is dragged.
import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { preview } from 'vite';
import { launchChromium } from './chromium.mjs';
import { median } from './start.mjs';

const languages = { EN: 'en-GB', 简: 'zh-CN', 繁: 'zh-TW' };
const screens = [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
];
/** Sliders that change whole plots: the base of the largest table, and the width that two maps and two lines depend on. */
const drags = [
  { name: 'base of the waves, 512 × 512', link: 'v1&waves&dim=512&length=512', figure: 'waves', slider: 1 },
  { name: 'base of 4 waves over 10 000 positions', link: 'v1&waves&reach=far', figure: 'waves', slider: 1 },
  { name: 'width of the dot products, 2 × 64 × 64', link: 'v1&distance&dim=256', figure: 'distance', slider: 0 },
];
const STEPS = 60;
const FRAME = 16;

export async function visit(count) {
  const server = await preview({
    configFile: fileURLToPath(new URL('../../../web/app/vite.config.ts', import.meta.url)),
    logLevel: 'error',
    preview: { port: 0 },
  });
  const address = `http://127.0.0.1:${server.httpServer.address().port}/`;
  const browser = await launchChromium();
  try {
    console.log(`Chromium ${browser.version()}, the page from this machine; milliseconds after navigation`);
    for (const { width, height } of screens) {
      for (const [name, locale] of Object.entries(languages)) {
        const runs = [];
        for (let i = 0; i < count; ++i) runs.push(await comingUp(browser, address, { width, height, locale }));
        const of = (value) => median(runs.map((run) => run[value]));
        console.log(
          `${name} ${width} px: first paint ${of('paint').toFixed(0)}, first figure ${of('figure').toFixed(0)}, ` +
            `layout shift ${of('shift').toFixed(4)}`,
        );
      }
    }
    for (const [name, locale] of Object.entries(languages)) {
      const bytes = await transferred(browser, address, locale);
      console.log(`${name}, read to its end: ${(bytes / 1024).toFixed(1)} KB with gzip`);
    }
    for (const rate of [1, 4]) {
      for (const drag of drags)
        console.log(`CPU ×${rate}, ${drag.name}: ${await dragged(browser, address, drag, rate)}`);
    }
  } finally {
    await browser.close();
    await server.close();
  }
}

/** One visit by someone who has not been here before. */
async function comingUp(browser, address, { width, height, locale }) {
  const context = await browser.newContext({ viewport: { width, height }, locale });
  const page = await context.newPage();
  await page.addInitScript(() => {
    window.seen = { shift: 0, figure: undefined };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.seen.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
    const { drawImage } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.drawImage = function (...what) {
      window.seen.figure ??= performance.now();
      return drawImage.apply(this, what);
    };
  });
  await page.goto(address);
  await allJudged(page);
  const seen = await page.evaluate(() => ({
    ...window.seen,
    paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
  }));
  await context.close();
  return seen;
}

/** Bytes of all that the page asks for while every section is scrolled into view. */
async function transferred(browser, address, locale) {
  const context = await browser.newContext({ locale });
  const page = await context.newPage();
  const urls = new Set();
  page.on('request', (request) => urls.add(request.url()));
  await page.goto(address);
  await allJudged(page);
  for (const section of await page.locator('main > section').all()) await section.scrollIntoViewIfNeeded();
  await page.locator('model-panel').waitFor();
  await page.waitForLoadState('networkidle');
  await context.close();
  const files = await Promise.all([...urls].map(async (url) => Buffer.from(await (await fetch(url)).arrayBuffer())));
  return files.reduce((sum, file) => sum + gzipSync(file).length, 0);
}

/** Times between frames while a slider's thumb is moved from frame to frame, on a processor slowed `rate` times. */
async function dragged(browser, address, { link, figure, slider }, rate) {
  const page = await browser.newPage({ viewport: screens[0] });
  await page.goto(`${address}#${link}`);
  await allJudged(page);
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate });
  const track = page.locator(`#${figure} input[type=range]`).nth(slider);
  await track.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await track.boundingBox();
  const moveTo = (share) => page.mouse.move(x + width * share, y + height / 2);
  await moveTo(0.3);
  await page.mouse.down();
  await page.evaluate(() => {
    window.frames = [];
    let last = performance.now();
    const frame = (now) => {
      window.frames?.push(now - last);
      last = now;
      if (window.frames) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  for (let step = 1; step <= STEPS; ++step) {
    await moveTo(0.3 + (0.4 * step) / STEPS);
    await page.waitForTimeout(FRAME);
  }
  const frames = (await page.evaluate(() => window.frames.splice(0))).slice(1).sort((a, b) => a - b);
  await page.mouse.up();
  await page.close();
  const of = (share) => `${frames[Math.floor(frames.length * share)].toFixed(1)} ms`;
  return `frames of ${of(0.5)} in the middle, 95 in 100 within ${of(0.95)} (${frames.length} frames)`;
}

function allJudged(page) {
  return page.waitForFunction(() => {
    const claims = [...document.querySelectorAll('section .proof')];
    return claims.length > 14 && claims.every((claim) => claim.dataset.state !== 'computing');
  });
}
