import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toTraditional } from '../../.setup/traditional.ts';
import {
  type FigureName,
  type Language,
  choose,
  figure,
  figureNames,
  nextFrames,
  open,
  plain,
  settled,
  settledFigure,
  slider,
  type,
} from './support/page.ts';
import { type State, links } from './support/links.ts';
import { type Site, startSite } from './support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.close());

function stateOf(page: Page, name: FigureName): Promise<State> {
  return figure(page, name).evaluate((element) => (element as HTMLElement & { state: State }).state);
}

/** Where a figure's section stands below the top of the window. */
async function topOf(page: Page, name: FigureName): Promise<number> {
  return (await page.locator(`#${name}`).boundingBox())!.y;
}

describe.each(links)('a link to %s', (name, words, state) => {
  test('opens the figure in that state, in view, in any language', async () => {
    const { page, context, problems } = await open(site, { language: 'zh-Hans', folder: `/#v1&${name}&${words}` });
    await settledFigure(figure(page, name));
    expect(await stateOf(page, name)).toEqual(state);
    await expect.poll(async () => Math.abs(await topOf(page, name))).toBeLessThan(120);

    await page.locator('[data-language="en"]').click();
    await nextFrames(page);
    expect(await stateOf(page, name)).toEqual(state);
    expect(new URL(page.url()).hash).toBe(`#v1&${name}&${words}`);
    expect(problems).toEqual([]);
    await context.close();
  });

  test('is what “Copy link” gives, and Reset takes it out of the address', async () => {
    const { page, context, problems } = await open(site, { folder: `/#v1&${name}&${words}` });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const within = figure(page, name);
    await settledFigure(within);
    await within.locator('copy-button button').click();
    await expect.poll(() => within.locator('copy-button').innerText()).toBe('Copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${site.origin}/#v1&${name}&${words}`);

    await within.locator('.reset').click();
    await expect.poll(() => new URL(page.url()).hash).toBe('');
    await settledFigure(within);
    await within.locator('copy-button button').click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`${site.origin}/#v1&${name}`);
    expect(problems).toEqual([]);
    await context.close();
  });
});

describe('the address', () => {
  test('holds what has changed in all figures, the last one first, and a reload keeps it', async () => {
    const { page, context, problems } = await open(site);
    await settled(page);
    await type(figure(page, 'slide'), 'shift', '300');
    await type(figure(page, 'waves'), 'dim', '128');
    await choose(figure(page, 'waves'), 'show', 'sum');
    await expect.poll(() => new URL(page.url()).hash).toBe('#v1&waves&dim=128&show=sum&slide&shift=300');
    await page.waitForLoadState('networkidle');
    await page.reload();
    await settled(page);
    expect(await slider(figure(page, 'waves'), 'dim').box.inputValue()).toBe('128');
    expect(await slider(figure(page, 'slide'), 'shift').box.inputValue()).toBe('300');
    expect(problems).toEqual([]);
    await context.close();
  });

  test('put in later is followed', async () => {
    const { page, context, problems } = await open(site);
    await settled(page);
    await page.evaluate(() => (location.hash = '#v1&distance&start=5'));
    await expect.poll(() => slider(figure(page, 'distance'), 'start').box.inputValue()).toBe('5');
    await expect.poll(async () => Math.abs(await topOf(page, 'distance'))).toBeLessThan(120);
    expect(problems).toEqual([]);
    await context.close();
  });

  test('of a section goes on leading there', async () => {
    const { page, context, problems } = await open(site, { folder: '/#aliases' });
    await settled(page);
    expect(Math.abs(await topOf(page, 'aliases'))).toBeLessThan(120);
    expect(problems).toEqual([]);
    await context.close();
  });

  test.each([
    '#v1&waves&dim=7',
    '#v1&waves&dim=514&base=777',
    '#v1&waves&width=64',
    '#v1&waves&columns=1,600',
    '#v1&waves&tokens=%',
    '#v1&order&order=0,0,1',
    '#v1&order&tokens=a,b',
    '#v1&steps&heads=3',
    '#v1&steps&kvHeads=4',
    '#v1&slide&shift=-1',
    '#v1&slide&shift=1e3',
    '#v1&slide&mode=constructor',
    '#v1&nowhere&dim=64',
    '#v1&__proto__&dim=64',
    '#v0&waves&dim=64',
    '#v1&waves&dim=64&dim=128',
    '#nowhere',
    '#%E0%A4%A',
    '#<img src=x onerror=alert(1)>',
  ])('with %s does no harm', async (fragment) => {
    const { page, context, problems } = await open(site, { folder: `/${fragment}` });
    await settledFigure(figure(page, 'waves'));
    for (const name of figureNames) expect(await figure(page, name).locator('.reset').count()).toBe(0);
    expect(problems).toEqual([]);
    await context.close();
  });
});

test('every figure has its link here', () => {
  expect(new Set(links.map(([name]) => name))).toEqual(new Set(figureNames));
});

test('every value of every figure has its place in links', async () => {
  const { page, context } = await open(site);
  await settledFigure(figure(page, 'waves'));
  for (const name of figureNames) {
    const missing = await figure(page, name).evaluate((element) => {
      const { initial, fields } = element as HTMLElement & { initial: object; fields: object };
      return Object.keys(initial).filter((field) => !(field in fields));
    });
    expect(missing, name).toEqual([]);
  }
  await context.close();
});

describe('what a link says and cannot be', () => {
  const said = (language: Language, hash: string): Promise<string> => read(language, hash, '.refused-link');
  async function read(language: Language, hash: string, selector: string): Promise<string> {
    const { page, context } = await open(site, { language, folder: `/${hash}` });
    const line = page.locator(selector);
    await line.waitFor();
    const text = plain(await line.innerText());
    expect(await line.count()).toBe(1);
    await context.close();
    return text;
  }

  test('is said at the figure, with the reason, in every language', async () => {
    const hash = '#v1&waves&dim=-3';
    expect(await said('en', hash)).toBe(
      'The link was not taken, and this figure stays as it was: dim must be an even number from 2 to 512; got −3.',
    );
    const chinese = '没有采用链接里的设置，本图保持原状：dim须为 2 到 512 之间的偶数，收到的是 −3。';
    expect(await said('zh-Hans', hash)).toBe(chinese);
    expect(await said('zh-Hant', hash)).toBe(toTraditional(chinese));
  });

  test.each([
    ['#v1&slide&mode=constructor', /mode must be one of .*intact.*; got constructor\.$/],
    ['#v1&waves&width=64', /there is no width here\.$/],
    ['#v1&order&order=0,0,1', /its values do not go together\.$/],
    ['#v1&steps&kvHeads=4', /its values do not go together\.$/],
    ['#v1&waves&dim=7&base=1', /dim must be .* got 7\. base must be .* got 1\.$/],
  ])('gives the reason for %s', async (hash, reason) => {
    expect(await said('en', hash)).toMatch(reason);
  });

  test.each([
    ['#v1&nowhere&dim=64', 'The link is also about what this page does not have: nowhere.'],
    ['#v9&waves&dim=64', 'The link in the address cannot be read, so no figure took anything from it.'],
    ['#v1&waves&dim=64&dim=128', 'The link in the address cannot be read, so no figure took anything from it.'],
  ])('is said under the header where no figure is meant: %s', async (hash, text) => {
    expect(await read('en', hash, 'link-notice .notice')).toBe(text);
  });

  test('is no longer said once the reader has chosen a value', async () => {
    const { page, context } = await open(site, { folder: '/#v1&waves&dim=-3' });
    const line = figure(page, 'waves').locator('.refused-link');
    await line.waitFor();
    await type(figure(page, 'waves'), 'dim', '64');
    await line.waitFor({ state: 'detached' });
    await context.close();
  });

  test('is said of a model as well', async () => {
    const text = await read('en', '#v1&check&model=own_headDim_7', 'model-panel .refusal:not(:empty)');
    expect(text).toBe('The link’s model cannot be read, so none is shown.');
  });
});

describe('“Link all figures”', () => {
  test('makes a change of a shared value in every figure that has it and takes it', async () => {
    const { page, context, problems } = await open(site);
    const [waves, distance] = [figure(page, 'waves'), figure(page, 'distance')];
    await settledFigure(waves);
    await type(waves, 'dim', '256');
    expect(await stateOf(page, 'distance')).toMatchObject({ dim: 512 });

    const linked = page.locator('contents-rail > nav').getByRole('switch');
    expect(await linked.isChecked()).toBe(false);
    await linked.check();
    await type(waves, 'dim', '128');
    await settledFigure(distance);
    expect(await slider(distance, 'dim').box.inputValue()).toBe('128');
    await type(distance, 'dim', '64');
    await settledFigure(waves);
    expect(await slider(waves, 'dim').box.inputValue()).toBe('64');
    await expect
      .poll(() => new URL(page.url()).hash)
      .toBe('#v1&distance&dim=64&waves&dim=64&hands&dim=64&decay&dim=64');

    // A model brings its width and its base along.
    await choose(figure(page, 'slide'), 'model', 'Gemma-2-9B');
    await expect.poll(() => stateOf(page, 'decay')).toMatchObject({ model: 'Gemma-2-9B', dim: 256, base: 10_000 });

    await linked.uncheck();
    await type(waves, 'dim', '32');
    expect(await stateOf(page, 'distance')).toMatchObject({ dim: 64 });
    expect(problems).toEqual([]);
    await context.close();
  });
});
