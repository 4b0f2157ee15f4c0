import { encodingNames, registry } from 'posenc';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { open } from './support/page.ts';
import { type Site, startSite } from './support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.close());

test.each(['en', 'zh-Hans'] as const)('the list shows every encoding of the registry, in %s', async (language) => {
  const { page, context, problems } = await open(site, { language });
  const entries = page.locator('#encodings li');
  await entries.first().waitFor();
  await entries.first().scrollIntoViewIfNeeded();
  const entriesOfRegistry = encodingNames().map((name) => registry[name]);
  expect(await entries.locator('h3').allInnerTexts()).toEqual(entriesOfRegistry.map(({ title }) => title[language]));
  for (const [i, { functions }] of entriesOfRegistry.entries()) {
    expect(await entries.nth(i).locator('code').allInnerTexts()).toEqual(functions);
    // A long formula is in several parts, between which it may break.
    expect(await entries.nth(i).locator('.formula math').count()).toBeGreaterThan(0);
  }
  expect(problems).toEqual([]);
  await context.close();
});
