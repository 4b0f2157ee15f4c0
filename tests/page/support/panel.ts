import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type Opened, type PageOptions, numberIn, open, plain } from './page.ts';
import { type Site, startSite } from './site.ts';

/** A reader at “Check my model”, and the page's files for all tests of one file. No test leaves a problem on the page. */
export class PanelVisit {
  site!: Site;
  opened!: Opened;
  panel!: Locator;

  constructor() {
    beforeAll(async () => {
      this.site = await startSite();
    });
    afterAll(() => this.site?.close());
    afterEach(() => {
      expect(this.opened.problems).toEqual([]);
    });
  }

  /** A page at the section, as it stands before anything is given. */
  readonly open = async (options?: PageOptions): Promise<void> => {
    this.opened = await open(this.site, options);
    await this.opened.page.locator('#check').scrollIntoViewIfNeeded();
    this.panel = this.opened.page.locator('model-panel');
    await this.panel.locator('textarea').waitFor();
  };

  readonly close = (): Promise<void> => this.opened.context.close();

  // ---- what is given

  readonly paste = (content: object | string): Promise<void> =>
    this.panel.locator('textarea').fill(typeof content === 'string' ? content : JSON.stringify(content));

  readonly dropFile = async (name: string, content: ArrayBuffer | Buffer | string): Promise<void> => {
    const buffer = Buffer.from(content as ArrayBuffer);
    await this.panel
      .locator('input[type="file"]')
      .setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
  };

  /** Nothing pasted, no file. */
  readonly clear = async (): Promise<void> => {
    const button = this.panel.locator('button.clear');
    if ((await button.count()) > 0) await button.click();
  };

  readonly need = async (tokens: number | string): Promise<void> => {
    const box = this.panel.locator('input[name="needed"]');
    if (tokens === '' && (await box.count()) === 0) return;
    await box.fill(String(tokens));
    await box.press('Enter');
  };

  // ---- what is read

  readonly verdict = (): Promise<string> => textOf(this.panel.locator('.verdict'));

  readonly refusal = (): Promise<string> => textOf(this.panel.locator('.refusal').first());

  readonly fact = (name: string): Promise<string> => textOf(this.panel.locator(`[data-fact="${name}"] dd`));

  readonly codes = (): Promise<string[]> =>
    this.panel
      .locator('.findings li')
      .evaluateAll((items) => items.map((item) => (item as HTMLElement).dataset['code'] ?? ''));

  /** The cells of a way to a longer context. */
  readonly option = async (rule: string): Promise<string[]> => {
    const cells = await this.panel.locator(`tr[data-rule="${rule}"] > *`).allTextContents();
    return cells.map((cell) =>
      cell
        .replace(/\u2060/g, '')
        .replace(/\u00a0/g, ' ')
        .trim(),
    );
  };

  /** The divisor of a pair, as the plot says it at its cursor. */
  readonly divisorOf = async (pair: number): Promise<number> => {
    const canvas = this.panel.locator('canvas');
    await canvas.press('Home');
    for (let step = 0; step < pair; step++) await canvas.press('ArrowRight');
    expect(await textOf(this.panel.locator('.readout'))).toContain(`pair ${pair} ·`);
    return numberIn(await textOf(this.panel.locator('.readout b').first()));
  };
}

export const textOf = async (locator: Locator): Promise<string> => plain(await locator.innerText()).trim();

/** A whole number as the page writes it, its thin spaces plain ones. */
export const inGroups = (value: number): string => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ' ');

/** The parts of Llama 3.2's config.json that are about positions. */
export const llama32 = {
  model_type: 'llama',
  hidden_size: 2048,
  num_attention_heads: 32,
  head_dim: 64,
  max_position_embeddings: 131072,
  rope_theta: 500000,
  rope_scaling: {
    rope_type: 'llama3',
    factor: 32,
    low_freq_factor: 1,
    high_freq_factor: 4,
    original_max_position_embeddings: 8192,
  },
};
