import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { kernel } from '../support/oracle.ts';
import {
  type Opened,
  comparison,
  figure,
  numberIn,
  open,
  plain,
  readTable,
  reset,
  settledFigure,
  type,
} from '../support/page.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
let opened: Opened;
let page: Page;
beforeAll(async () => {
  site = await startSite();
  opened = await open(site);
  page = opened.page;
  await settledFigure(figure(page, 'aliases'));
});
afterAll(async () => {
  await opened?.context.close();
  await site?.close();
});

describe('when it comes back', () => {
  const within = (): Locator => figure(page, 'aliases');
  const shortTable = async (index: number): Promise<Map<number, number>> => {
    const rows = within().locator('table.short').nth(index).locator('tbody tr:not([aria-hidden])');
    const texts = await rows.evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent!)));
    return new Map(texts.map(([distance, similarity]) => [numberIn(distance!), numberIn(similarity!)]));
  };

  beforeEach(() => reset(within()));

  test('d = 8 nearly returns at 169 646', async () => {
    const records = await shortTable(0);
    expect(records.get(169_646)).toBeCloseTo(0.9999986301, 9);
    for (const [distance, similarity] of records) expect(similarity).toBeCloseTo(kernel(distance, 8), 8);
  });

  test('d = 312 stays below 0.3 to ten million; its strongest return up to a million is at 1 019', async () => {
    const records = await shortTable(1);
    expect(records.get(8_638_047)).toBeCloseTo(0.269081, 6);
    expect(records.get(1019)).toBeCloseTo(0.2436, 4);
    expect([...records.keys()].find((distance) => distance > 1019)).toBeGreaterThan(1_000_000);
    for (const [distance, similarity] of records) expect(similarity).toBeCloseTo(kernel(distance, 312), 8);
    const { residual } = await comparison(within());
    expect(residual).toBeCloseTo(0.269081, 6);
  });

  test('the table has the extremes of every range', async () => {
    const { heads, rows } = await readTable(within(), [0, 1, 100, 300, 420, 500]);
    expect(heads).toHaveLength(8);
    const ranges = [...rows.values()].map((texts) => texts.map((text) => numberIn(text)));
    expect(ranges.some(([from, to]) => to! - from! > 50)).toBe(true);
    for (const [from, to, ...cells] of ranges) {
      for (const [k, dim] of [8, 312].entries()) {
        const [least, greatest, at] = cells.slice(3 * k);
        const values = Array.from({ length: to! - from! + 1 }, (_, i) => kernel(from! + i, dim));
        expect(least).toBeCloseTo(Math.min(...values), 9);
        expect(greatest).toBeCloseTo(Math.max(...values), 9);
        expect(values[at! - from!]).toBeCloseTo(Math.max(...values), 9);
      }
    }
  });

  test('the error of K that it states is that of the width shown', async () => {
    const derivation = within().locator('.derivation');
    const stated = async (): Promise<string> => plain((await derivation.textContent())!).replace(/\s+/g, ' ');
    expect(await stated()).toContain('d = 312 is (156 + 8) · 2⁻⁵³ = 1.8 × 10⁻¹⁴');
    await type(within(), 'wide', '128');
    await settledFigure(within());
    expect(await stated()).toContain('for d = 128 that is 0.088, and 0.3 is 3.4 times that');
    expect(await stated()).toContain('d = 128 is (64 + 8) · 2⁻⁵³ = 8.0 × 10⁻¹⁵');
  });

  test('prose and what to look for follow the widths', async () => {
    const text = async (selector: string): Promise<string> =>
      plain(await within().locator(selector).first().innerText());
    expect(await text('.prose .text')).toContain('At d = 8 that is like waiting for 4 clocks to strike together');
    expect(await text('.notes')).toMatch(/d = 8, comes back to within .* d = 312, gets no higher than 0\.2691\./);
    await type(within(), 'narrow', '2');
    await type(within(), 'wide', '66');
    await settledFigure(within());
    expect(await text('.prose .text')).toContain('1 clock to strike; at d = 66 it is like waiting for 33.');
    const [, closest, highest] = /d = 2, comes back to within (.*) of 1; .* d = 66, gets no higher than (.*)\.\n/.exec(
      await text('.notes'),
    )!;
    const records = [...(await shortTable(0)).values()];
    expect(numberIn(closest!)).toBeCloseTo(1 - Math.max(...records), 8);
    expect(numberIn(highest!)).toBeCloseTo((await comparison(within())).residual, 4);
  });

  test('another narrow width does not come back so soon, and the badge says so', async () => {
    await type(within(), 'narrow', '64');
    await settledFigure(within());
    expect(await within().locator('.proof').getAttribute('data-state')).toBe('fails');
    expect(plain(await within().locator('.proof').innerText())).toContain('d = 64 never comes within');
    for (const [distance, similarity] of await shortTable(0)) expect(similarity).toBeCloseTo(kernel(distance, 64), 8);
  });
});

test('nothing went wrong meanwhile', () => {
  expect(opened.problems).toEqual([]);
});
