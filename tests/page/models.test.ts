import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Opened, figure, open, plain } from './support/page.ts';
import { type Site, startSite } from './support/site.ts';

// The models that the page offers, against facts collected from their public configurations.

interface Model {
  readonly name: string;
  readonly head_dim: number;
  readonly rotary_dim: number | null;
  readonly rope_theta: number | null;
  readonly layout: string | null;
  readonly partial_rotary_factor: number | null;
}
const { models } = JSON.parse(readFileSync(new URL('../fixtures/model_configs.json', import.meta.url), 'utf8')) as {
  models: Model[];
};

let site: Site;
let opened: Opened;
beforeAll(async () => {
  site = await startSite();
  opened = await open(site);
});
afterAll(async () => {
  await opened?.context.close();
  await site?.close();
});

test('carry the head width, base and pairing of their configurations', async () => {
  const group = figure(opened.page, 'slide').locator('choice-group[name="model"]');
  await group.locator('option').first().waitFor({ state: 'attached' });
  await group.scrollIntoViewIfNeeded();
  const names = (await group.locator('option').allInnerTexts()).map((name) => plain(name).trim());
  expect(names.length).toBeGreaterThanOrEqual(8);
  expect(names).toEqual(expect.arrayContaining(['Llama-3.1-8B', 'Qwen2.5-7B', 'GPT-J-6B']));
  for (const name of names) {
    const { head_dim: head, rope_theta: base, layout, ...model } = models.find((entry) => entry.name === name)!;
    const rotary = model.rotary_dim ?? head * (model.partial_rotary_factor ?? 1);
    const width = rotary === head ? `heads of ${head}` : `${rotary} of ${head} rotated`;
    const grouped = String(base).replace(/\B(?=(\d{3})+$)/g, ' ');
    await group.locator('select').selectOption(name);
    const note = group.locator('.note');
    await expect.poll(async () => plain(await note.innerText())).toBe(`${width} · base ${grouped} · ${layout}`);
  }
});
