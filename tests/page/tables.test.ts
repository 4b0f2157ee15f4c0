import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nextFrames, numberIn, plain } from './support/page.ts';
import { PanelVisit, textOf } from './support/panel.ts';
import { cosine, npyFile, random, safetensorsFile, sinusoidal, toeplitzScore } from './support/table-files.ts';

// Learned tables in “Check my model”. Expected values are computed here, in float64, from the numbers that are written.

const DIM = 32;
const ROWS = 66;
const RESERVED = 2;

const visit = new PanelVisit();
const { dropFile, fact, refusal } = visit;

const compared = (): Promise<void> => visit.panel.locator('table-panel dl.facts').waitFor();
const badge = (): Promise<string | null> => visit.panel.locator('.proof').getAttribute('data-state');

/** Two rows of zeros and 64 of waves, as a model has them that keeps two rows for padding. */
const waves = [...new Array<number>(RESERVED * DIM).fill(0), ...sinusoidal(ROWS - RESERVED, DIM)];
const noise = random(ROWS * DIM, 7);
const upTo = (count: number, from = 0): number[] => Array.from({ length: count - from }, (_, i) => i + from);
const length = (table: readonly number[], row: number): number =>
  Math.hypot(...table.slice(row * DIM, (row + 1) * DIM).map(Math.fround));

const weights = safetensorsFile({
  'decoder.embed_positions.weight': { dtype: 'F32', shape: [ROWS, DIM], values: waves },
  'decoder.embed_tokens.weight': { dtype: 'F32', shape: [100, DIM], values: random(100 * DIM, 3) },
  'decoder.post_proj.weight': { dtype: 'F32', shape: [4, DIM], values: random(4 * DIM, 4) },
  'h.wpe.weight': { dtype: 'F32', shape: [1, ROWS, DIM], values: noise },
  'h.wpe.bias': { dtype: 'F32', shape: [DIM], values: random(DIM, 5) },
  position_ids: { dtype: 'I64', shape: [2, ROWS], values: [...upTo(ROWS), ...upTo(ROWS)] },
});

describe('a file of weights', () => {
  beforeAll(async () => {
    await visit.open();
    await dropFile('model.safetensors', weights);
    await compared();
  });
  afterAll(visit.close);

  const tensors = (): Locator => visit.panel.locator('choice-group[name="tensor"] [role="radio"]');

  test('has its tables of positions listed by the names in it, and no other tensor', async () => {
    expect(await tensors().allInnerTexts()).toEqual(['decoder.embed_positions.weight', 'h.wpe.weight']);
    expect(await textOf(visit.panel.locator('.tag'))).toBe('safetensors');
    expect(await textOf(visit.panel.locator('.file'))).toContain('model.safetensors');
    expect(await fact('shape')).toBe('66 × 32 · F32');
  });

  test('a table of waves is striped, and its two rows of zeros are reserved', async () => {
    const rows = upTo(ROWS, RESERVED);
    expect(numberIn(await fact('score'))).toBeCloseTo(toeplitzScore(waves, DIM, rows), 5);
    expect(await badge()).toBe('holds');
    expect(await fact('reserved')).toBe('0–1');
    expect(await fact('first')).toBe('2');
    expect(numberIn(await fact('middle'))).toBeCloseTo(Math.sqrt(DIM / 2), 2);
    expect(await fact('norms')).toBe('0 … 4.000');
    expect(await visit.panel.locator('.note').allInnerTexts()).toHaveLength(2);
    expect(plain(await visit.panel.locator('.note').last().innerText())).toContain('66 = 64 + 2');
  });

  test('the cursor reads the similarity of two rows and their lengths', async () => {
    const map = visit.panel.locator('table-panel canvas').first();
    await map.press('Home');
    for (let step = 0; step < 5; step++) await map.press('ArrowDown');
    for (let step = 0; step < 9; step++) await map.press('ArrowRight');
    await nextFrames(visit.opened.page);
    const readout = await textOf(visit.panel.locator('table-panel .readout'));
    const [, m, n, value] = /m = (\d+) · n = (\d+) ·.*similarity (\S+)/.exec(readout)!;
    expect([Number(m), Number(n)]).toEqual([5, 9]);
    expect(Math.abs(numberIn(value!) - cosine(waves, DIM, 5, 9))).toBeLessThan(1e-6);
  });

  test('a table of random numbers is not striped', async () => {
    await tensors().nth(1).click();
    await compared();
    const score = toeplitzScore(noise, DIM, upTo(ROWS));
    expect(score).toBeLessThan(0.2);
    expect(numberIn(await fact('score'))).toBeCloseTo(score, 6);
    expect(await badge()).toBe('fails');
    expect(await fact('reserved')).toBe('none');
    const lengths = upTo(ROWS)
      .map((row) => length(noise, row))
      .sort((a, b) => a - b);
    const [least, most] = (await fact('norms')).split(' … ').map(numberIn);
    expect(least).toBeCloseTo(lengths[0]!, 2);
    expect(most).toBeCloseTo(lengths.at(-1)!, 2);
  });
});

describe('other files', () => {
  beforeAll(() => visit.open());
  afterAll(visit.close);

  test('an array of NumPy is a table, under the name of its file', async () => {
    await dropFile('waves.npy', npyFile([ROWS - RESERVED, DIM], sinusoidal(ROWS - RESERVED, DIM)));
    await compared();
    expect(await badge()).toBe('holds');
    expect(await fact('shape')).toBe('64 × 32');
    expect(await fact('first')).toBe('0');
    expect(await textOf(visit.panel.locator('.verdict'))).toContain('follows from their distance');
  });

  test('where no name speaks of positions, every table is listed', async () => {
    const table = { dtype: 'F32', shape: [8, 4], values: random(32, 2) } as const;
    await dropFile('a.safetensors', safetensorsFile({ first: table, second: table }));
    await compared();
    expect(await visit.panel.locator('choice-group[name="tensor"] [role="radio"]').allInnerTexts()).toEqual([
      'first',
      'second',
    ]);
    expect(await textOf(visit.panel.locator('.note').first())).toContain('every table of it is listed');
    await dropFile('b.safetensors', safetensorsFile({ bias: { dtype: 'F32', shape: [4], values: [1, 2, 3, 4] } }));
    await expect.poll(() => textOf(visit.panel.locator('.verdict'))).toContain('no table');
  });

  test('what breaks its format is refused with the error of the library', async () => {
    await dropFile('cut.safetensors', weights.subarray(0, 4000));
    await expect.poll(refusal).toMatch(/^This cannot be read: source must be long enough for its tensors/);
    await dropFile('cut.npy', npyFile([ROWS, DIM], [1, 2, 3]));
    await expect.poll(refusal).toContain('2112 numbers of 8 bytes, as its shape (66, 32) says');
    await dropFile('vector.npy', npyFile([4], [1, 2, 3, 4]));
    await expect.poll(refusal).toContain('vector.npy must be an array with two axes');
    await dropFile('holes.npy', npyFile([2, 2], [1, Number.NaN, 3, 4]));
    await expect
      .poll(() => textOf(visit.panel.locator('table-panel .refusal')))
      .toBe('table must be finite numbers, got NaN');
  });

  test('of a file far larger than memory only the header and the chosen tensor are read, and nothing is sent', async () => {
    const { page, requests } = visit.opened;
    const before = requests.length;
    const read = await page.evaluate(
      async ({ rows, dim }) => {
        const after = 40e9;
        const table = 4 * rows * dim;
        const header = JSON.stringify({
          'embed_tokens.weight': { dtype: 'F32', shape: [after / 4000, 1000], data_offsets: [0, after] },
          'wpe.weight': { dtype: 'F32', shape: [rows, dim], data_offsets: [after, after + table] },
        });
        const head = new Uint8Array(8 + header.length);
        new DataView(head.buffer).setBigUint64(0, BigInt(header.length), true);
        head.set(new TextEncoder().encode(header), 8);
        let total = 0;
        class Huge extends File {
          override get size(): number {
            return head.length + after + table;
          }
          override slice(from = 0, to = this.size): Blob {
            const part = new Uint8Array(to - from);
            if (from < head.length) part.set(head.subarray(from, to));
            else new Float32Array(part.buffer).forEach((_, i, all) => (all[i] = Math.cos(i * i)));
            total += part.length;
            return new Blob([part]);
          }
          override arrayBuffer(): Promise<ArrayBuffer> {
            throw new Error('the whole file was read');
          }
        }
        const data = { types: ['Files'], files: [new Huge([], 'huge.safetensors')] };
        const event = new Event('drop', { bubbles: true, cancelable: true });
        Object.defineProperty(event, 'dataTransfer', { value: data });
        document.querySelector('model-panel')!.dispatchEvent(event);
        while (!document.querySelector('table-panel dl.facts')) await new Promise(requestAnimationFrame);
        return total;
      },
      { rows: ROWS, dim: DIM },
    );
    expect(await fact('shape')).toBe('66 × 32 · F32');
    expect(read).toBeLessThan(4 * ROWS * DIM + 1000);
    expect(requests.slice(before)).toEqual([]);
  });

  test('a table with many rows shows a part of them, and says so', async () => {
    const rows = 2600;
    await dropFile('long.npy', npyFile([rows, 2], sinusoidal(rows, 2)));
    await compared();
    expect(await textOf(visit.panel.locator('.note').first())).toBe(
      '2 600 × 2 600 similarities need 27 MB; the limit is 26. Rows 0 to 2 559 are shown.',
    );
    await visit.panel.locator('number-slider[name="first-row"] .box').fill('40');
    await visit.panel.locator('number-slider[name="first-row"] .box').press('Enter');
    await compared();
    expect(await textOf(visit.panel.locator('.note').first())).toContain('Rows 40 to 2 599');
  });

  test('Chinese says the same', async () => {
    await visit.opened.page.locator('[data-language="zh-Hans"]').click();
    await dropFile('model.safetensors', weights);
    await compared();
    expect(await textOf(visit.panel.locator('.verdict'))).toBe(
      '66 行，每行 32 个数：两行有多相似，只看它们的距离，如同由公式算出的表。',
    );
    await dropFile('vector.npy', npyFile([4], [1, 2, 3, 4]));
    await expect
      .poll(refusal)
      .toBe('无法读取：vector.npy 须为两个轴、最多 67108864 个数的数组，收到的是形状 (4) 的数组。');
  });
});
