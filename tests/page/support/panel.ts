import type { Locator } from 'playwright-core';
import { type Opened, type PageOptions, open } from './page.ts';
import type { Site } from './site.ts';

/** A page at “Check my model”, as it stands before anything is given. */
export async function openPanel(site: Site, options?: PageOptions): Promise<{ opened: Opened; panel: Locator }> {
  const opened = await open(site, options);
  await opened.page.locator('#check').scrollIntoViewIfNeeded();
  const panel = opened.page.locator('model-panel');
  await panel.locator('textarea').waitFor();
  return { opened, panel };
}
