import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { embed } from '../../../web/app/figures/embedding.js';
import { type Rotation, dot, encodingRow, rotate } from '../support/oracle.ts';
import {
  type Opened,
  choose,
  comparison,
  figure,
  numberIn,
  open,
  plain,
  readTable,
  reset,
  settledFigure,
  slider,
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
  await settledFigure(figure(page, 'slide'));
});
afterAll(async () => {
  await opened?.context.close();
  await site?.close();
});

const range = (count: number, step = 1): number[] => Array.from({ length: count }, (_, i) => i * step);

describe('slide both', () => {
  const within = (): Locator => figure(page, 'slide');
  const models: Record<string, Rotation & { headDim: number }> = {
    'Llama-3-8B': { headDim: 128, rotaryDim: 128, base: 500_000, pairing: 'half' },
    'Qwen2.5-7B': { headDim: 128, rotaryDim: 128, base: 1_000_000, pairing: 'half' },
    'GPT-J-6B': { headDim: 256, rotaryDim: 64, base: 10_000, pairing: 'interleaved' },
    'GPT-NeoX-20B': { headDim: 96, rotaryDim: 24, base: 10_000, pairing: 'half' },
  };
  /** One score is within 2⁻²¹ by the derivation on the page; words rounded to float32 and twelve decimals fit in as well. */
  const bound = 2 ** -20;

  interface Row {
    readonly m: number;
    readonly n: number;
    readonly tokens: readonly [string, string];
    /** Rotated at shift 0 and now, added at shift 0 and now. */
    readonly scores: readonly number[];
  }
  async function readScores(): Promise<Row[]> {
    const { rows } = await readTable(within(), range(144));
    return [...rows.values()].map(([query, key, ...scores]) => {
      const [, m, first] = /^(\d+) (.*)$/.exec(query!)!;
      const [, n, second] = /^(\d+) (.*)$/.exec(key!)!;
      return { m: Number(m), n: Number(n), tokens: [first!, second!], scores: scores.map(numberIn) };
    });
  }

  /** Word vectors of length 1, from the page's own seeded generator. */
  function wordsOf(tokens: readonly string[], headDim: number): number[][] {
    const table = embed(tokens, headDim);
    return tokens.map((_, row) => {
      const vector = [...table.subarray(row * headDim, (row + 1) * headDim)];
      const size = Math.sqrt(dot(vector, vector));
      return vector.map((value) => value / size);
    });
  }

  function added(word: readonly number[], position: number, { rotaryDim, base }: Rotation): number[] {
    const row = encodingRow(position, rotaryDim, base);
    // Half of the squared length each. Sines first, then cosines; the order does not change a score with itself.
    const waves = [...row.filter((_, c) => c % 2 === 0), ...row.filter((_, c) => c % 2 === 1)];
    return word.map((value, c) => value * Math.SQRT1_2 + (waves[c] ?? 0) / Math.sqrt(rotaryDim));
  }

  beforeEach(() => reset(within()));

  test.each(Object.entries(models))('%s: both kinds of scores are those of plain float64', async (name, model) => {
    const shift = 1_000_000;
    await choose(within(), 'model', name);
    await settledFigure(within());
    const rows = await readScores();
    expect(rows).toHaveLength(144);
    const tokens = rows.slice(0, 12).map((row) => row.tokens[1]);
    expect(tokens).toEqual('the cat saw the dog and then the dog saw the cat'.split(' '));
    const words = wordsOf(tokens, model.headDim);
    const kinds = [0, shift].map((offset) => ({
      rotated: words.map((word, p) => rotate(word, p + offset, model)),
      added: words.map((word, p) => added(word, p + offset, model)),
    }));
    const [zero, now] = kinds as [(typeof kinds)[0], (typeof kinds)[0]];
    let worst = 0;
    let [rotatedChange, addedChange] = [0, 0];
    for (const { m, n, scores } of rows) {
      const exact = [zero.rotated, now.rotated, zero.added, now.added].map((side) => dot(side[m]!, side[n]!));
      exact.forEach((score, k) => (worst = Math.max(worst, Math.abs(score - scores[k]!))));
      rotatedChange = Math.max(rotatedChange, Math.abs(scores[1]! - scores[0]!));
      addedChange = Math.max(addedChange, Math.abs(scores[3]! - scores[2]!));
    }
    expect(worst).toBeLessThanOrEqual(bound);
    const { residual, tolerance } = await comparison(within());
    expect(tolerance).toBeCloseTo(2 ** -20, 8);
    expect(rotatedChange).toBeLessThanOrEqual(2 ** -20);
    expect(residual / rotatedChange).toBeCloseTo(1, 1);
    expect(addedChange).toBeGreaterThan(0.02);
    expect(await within().locator('.proof').getAttribute('data-state')).toBe('holds');
  });

  test('the slider shifts both; at 0 nothing has changed', async () => {
    const { track, box } = slider(within(), 'shift');
    await track.focus();
    await track.press('ArrowLeft');
    await settledFigure(within());
    const stepped = numberIn(await box.inputValue());
    expect(stepped).toBeLessThan(1_000_000);
    expect(stepped).toBeGreaterThan(900_000);
    expect(await within().locator('.proof').getAttribute('data-state')).toBe('holds');
    await type(within(), 'shift', '0');
    await settledFigure(within());
    expect((await comparison(within())).residual).toBe(0);
    for (const { scores } of await readScores()) expect(scores.slice(0, 2)).toEqual([scores[1], scores[1]]);
  });

  test('a shift beyond a million is refused', async () => {
    const readout = await within().locator('.readout').innerText();
    await type(within(), 'shift', '1000001');
    expect(plain(await slider(within(), 'shift').refusal.innerText())).toBe(
      'The shift must be a whole number from 0 to 1 000 000; got 1 000 001.',
    );
    expect(await within().locator('.readout').innerText()).toBe(readout);
  });

  test.each([
    ['keys', 'Only the keys moved'],
    ['mixed', 'Keys turn other channels together than queries do'],
    ['bf16', 'bfloat16 cannot tell neighbouring positions apart'],
    ['base', 'Keys turned at other speeds than queries'],
  ])('breaks with %s, and the badge says why', async (mode, why) => {
    await choose(within(), 'mode', mode);
    await settledFigure(within());
    const proof = within().locator('.proof');
    expect(await proof.getAttribute('data-state')).toBe('fails');
    expect(await proof.innerText()).toContain(why);
    const { residual, sign, tolerance } = await comparison(within());
    expect(sign).toBe('>');
    expect(residual).toBeGreaterThan(1000 * tolerance);
    await choose(within(), 'mode', 'intact');
    await settledFigure(within());
    expect(await proof.getAttribute('data-state')).toBe('holds');
  });

  test('breaks with fp16 where neighbours share a position, and where there is none any more', async () => {
    await choose(within(), 'mode', 'fp16');
    await type(within(), 'shift', '40000');
    await settledFigure(within());
    const proof = within().locator('.proof');
    expect(await proof.getAttribute('data-state')).toBe('fails');
    expect(await proof.innerText()).toContain('float16 cannot tell neighbouring positions apart');
    expect((await comparison(within())).residual).toBeGreaterThan(0.01);
    await type(within(), 'shift', '65520');
    await settledFigure(within());
    expect(await proof.getAttribute('data-state')).toBe('fails');
    expect(plain(await proof.innerText())).toContain('float16 ends at 65 504');
    expect(await proof.locator('.num').count()).toBe(0);
    await type(within(), 'shift', '1000');
    await settledFigure(within());
    expect(await proof.getAttribute('data-state')).toBe('holds');
  });
});

test('nothing went wrong meanwhile', () => {
  expect(opened.problems).toEqual([]);
});
