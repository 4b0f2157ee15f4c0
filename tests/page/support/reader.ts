import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type FigureName, type Opened, figure, open, plain, reset, settledFigure } from './page.ts';
import { type Site, startSite } from './site.ts';

/** One figure of an English page, as it opens at the start of every test of a file. */
export interface Reader {
  readonly page: Page;
  readonly within: Locator;
  /** What went wrong on the page so far. */
  readonly problems: readonly string[];
  /** What the badge says: holds, fails, not-applicable. */
  readonly state: () => Promise<string | null>;
  /** The claim, or why it fails, with the numbers compared. */
  readonly claim: () => Promise<string>;
}

/** Opens the page before the tests of a file, and puts a figure back before each of them. */
export function readerOf(name: FigureName): Reader {
  let site: Site | undefined;
  let opened: Opened | undefined;
  const within = (): Locator => figure(opened!.page, name);
  beforeAll(async () => {
    site = await startSite();
    opened = await open(site);
    await settledFigure(within());
  });
  afterAll(async () => {
    await opened?.context.close();
    await site?.close();
  });
  beforeEach(() => reset(within()));
  return {
    get page() {
      return opened!.page;
    },
    get within() {
      return within();
    },
    get problems() {
      return opened!.problems;
    },
    state: () => within().locator('.proof').getAttribute('data-state'),
    claim: async () => plain(await within().locator('.proof .claim').innerText()),
  };
}
