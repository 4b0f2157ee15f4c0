import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { links } from './support/links.ts';
import { type Opened, figure, open, plain, readTable, settledFigure } from './support/page.ts';
import { type Site, startSite } from './support/site.ts';

const python = process.env['PYTHON_PATH'] ?? '/usr/bin/python3';

let site: Site;
let folder: string;
beforeAll(async () => {
  site = await startSite();
  folder = mkdtempSync(join(tmpdir(), 'posenc-'));
});
afterAll(async () => {
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The largest difference between the numbers of a script and of an NPY file, as a share of the largest number in each column. */
const COMPARE = `
import sys, numpy as np
names = {}
exec(open(sys.argv[1]).read(), names)
mine, theirs = np.load(sys.argv[2]), names["table"]
assert mine.dtype == np.dtype("<f8") and mine.flags.c_contiguous, mine.dtype
assert mine.shape == theirs.shape, (mine.shape, theirs.shape)
assert np.array_equal(np.isnan(mine), np.isnan(theirs))
size = np.maximum(np.nanmax(abs(mine), axis=tuple(range(mine.ndim - 1)), keepdims=True), 1)
print("largest difference", np.nanmax(abs(mine - theirs) / size))
`;

interface Picture {
  readonly texts: number;
  readonly shapes: number;
  readonly references: string[];
  readonly problem: string;
}

/** What an SVG file is made of. */
function parse(page: Page, svg: string): Promise<Picture> {
  return page.evaluate((source) => {
    const drawn = new DOMParser().parseFromString(source, 'image/svg+xml');
    const count = (selector: string): number => drawn.querySelectorAll(selector).length;
    return {
      texts: count('text'),
      shapes: count('path, rect'),
      references: [...drawn.querySelectorAll('[href]')].map((element) => element.getAttribute('href')!.slice(0, 22)),
      problem: drawn.querySelector('parsererror')?.textContent ?? '',
    };
  }, svg);
}

describe.each(links)('%s', (name, words) => {
  let opened: Opened;
  const files = new Map<string, Buffer>();
  beforeAll(async () => {
    opened = await open(site, { folder: `/#v1&${name}&${words}` });
    const within = figure(opened.page, name);
    await settledFigure(within);
    const button = within.locator('menu-button > button');
    await button.click();
    const count = await within.getByRole('menuitem').count();
    for (let item = 0; item < count; item++) {
      if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
      const waiting = opened.page.waitForEvent('download');
      await within.getByRole('menuitem').nth(item).click();
      const download = await waiting;
      const path = join(folder, download.suggestedFilename());
      await download.saveAs(path);
      files.set(download.suggestedFilename().split('.').at(-1)!, readFileSync(path));
      expect(download.suggestedFilename()).toMatch(new RegExp(`^posenc-${name}[-\\w.]*\\.\\w+$`));
      files.set(`${download.suggestedFilename().split('.').at(-1)} path`, Buffer.from(path));
    }
  });
  afterAll(() => opened?.context.close());

  test('is saved in every kind of file', () => {
    const kinds = [...files.keys()].filter((kind) => !kind.endsWith(' path'));
    expect(kinds).toEqual(['png', 'svg', 'csv', 'npy', 'py', 'md']);
    expect(opened.problems).toEqual([]);
  });

  test('as a picture of two pixels to a CSS pixel', async () => {
    const png = files.get('png')!;
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    const { width } = (await figure(opened.page, name).locator('.plots').boundingBox())!;
    expect(png.readUInt32BE(16)).toBeGreaterThanOrEqual(1.8 * width);
    expect(png.readUInt32BE(16)).toBeLessThanOrEqual(2 * width + 200);
  });

  test('as SVG with lines and text, and nothing from elsewhere', async () => {
    const picture = await parse(opened.page, files.get('svg')!.toString());
    expect(picture.problem).toBe('');
    expect(picture.texts).toBeGreaterThan(8);
    expect(picture.shapes).toBeGreaterThan(8);
    expect(picture.references.filter((address) => address !== 'data:image/png;base64,')).toEqual([]);
  });

  test('as CSV and Markdown with the rows of its table and every digit', async () => {
    const { heads, rows } = await readTable(figure(opened.page, name), [0]);
    const lines = files.get('csv')!.toString().trimEnd().split('\r\n');
    const markdown = files.get('md')!.toString().trimEnd().split('\n');
    expect(markdown).toHaveLength(lines.length + 1);
    expect(lines[0]!.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/)).toHaveLength(heads.length);
    const cells = lines[1]!.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/);
    // Numbers of the table are those of the file, rounded.
    rows.get(0)!.forEach((shown, column) => {
      const decimals = /^−?[\d ]+\.(\d+)$/.exec(plain(shown))?.[1]?.length;
      if (decimals === undefined) return;
      const rounded = Number(cells[column]).toFixed(decimals).replace('-', '−');
      expect(plain(shown).replaceAll(' ', '')).toBe(
        Number(rounded.replace('−', '-')) === 0 ? rounded.replace('−', '') : rounded,
      );
    });
  });

  test('as a script whose numbers are those of the array', () => {
    const paths = ['py path', 'npy path'].map((kind) => files.get(kind)!.toString());
    const printed = execFileSync(python, ['-c', COMPARE, ...paths], { encoding: 'utf8' });
    const [, difference] = /largest difference (.*)/.exec(printed)!;
    expect(Number(difference)).toBeLessThan(2e-6);
  });
});
