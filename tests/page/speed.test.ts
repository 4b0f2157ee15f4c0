import { afterAll, beforeAll, expect, test } from 'vitest';
import { open, plain } from './support/page.ts';
import { type Site, startSite } from './support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.close());

test('posenc and plain JavaScript are timed when the reader asks, and have to agree', async () => {
  const { page, context, problems } = await open(site, { language: 'en' });
  const section = page.locator('#speed');
  const measure = section.locator('button.primary');
  await section.locator('.badge.not-applicable').waitFor();
  expect(await section.locator('.bar').count()).toBe(0);

  await measure.click();
  await section.locator('.badge.holds').waitFor({ timeout: 60_000 });
  expect(await measure.innerText()).toBe('Measure again');
  const rows = await section
    .locator('tbody tr')
    .evaluateAll((found) =>
      found.map((row) => [...row.querySelectorAll('.ratio, .time')].map((cell) => cell.textContent ?? '')),
    );
  expect(rows).toHaveLength(3);
  for (const cells of rows) {
    const [ratio, ours, theirs] = cells.map((cell) => Number(plain(cell).replace(/[^\d.]/g, ''))) as [
      number,
      number,
      number,
    ];
    // Both times are shown with two digits at least.
    expect(theirs / ours / ratio).toBeGreaterThan(0.9);
    expect(theirs / ours / ratio).toBeLessThan(1.1);
  }
  expect(problems).toEqual([]);
  await context.close();
});
