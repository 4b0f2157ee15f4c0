import { type Encodings, load, ropeFrequencies } from 'posenc';
import { beforeAll, describe, expect, test } from 'vitest';
import { embed } from '../../../web/app/figures/embedding.js';
import { type SlideMode, slideTask } from '../../../web/app/figures/slide/task.js';
import { modelPresets } from '../../../web/app/models.js';
import { round } from '../support/low-precision.ts';
import { type Rotation, dot, rotate } from '../support/oracle.ts';

let encodings: Encodings;
beforeAll(async () => {
  encodings = await load();
});

const tokens = ['the', 'cat', 'saw', 'the', 'dog'];
const shift = 4096;

test('opens with Llama-3.1-8B', () => {
  expect(modelPresets[0]).toMatchObject({
    name: 'Llama-3.1-8B',
    params: { headDim: 128, base: 500_000, pairing: 'half', type: 'llama3', factor: 8, originalMaxPosition: 8192 },
  });
});

test.each(modelPresets)('$name has the same frequencies on both sides', ({ params }) => {
  const { headDim, rotaryDim, pairing } = params;
  const { invFreq } = ropeFrequencies(params);
  const pairs = rotaryDim / 2;
  const words = tokens.map((_, row) => {
    const word = embed(tokens, headDim).subarray(row * headDim, (row + 1) * headDim);
    return Array.from(word, (value) => value / Math.hypot(...word));
  });
  const turn = (word: number[], position: number): number[] => {
    const turned = word.slice();
    invFreq.forEach((frequency, p) => {
      const [a, b] = pairing === 'half' ? [p, p + pairs] : [2 * p, 2 * p + 1];
      const [cos, sin] = [Math.cos(position * frequency), Math.sin(position * frequency)];
      turned[a] = word[a]! * cos - word[b]! * sin;
      turned[b] = word[a]! * sin + word[b]! * cos;
    });
    return turned;
  };
  const add = (word: number[], position: number): number[] => {
    const sum = word.map((value) => value * Math.SQRT1_2);
    invFreq.forEach((frequency, p) => {
      sum[p]! += Math.sin(position * frequency) / Math.sqrt(rotaryDim);
      sum[p + pairs]! += Math.cos(position * frequency) / Math.sqrt(rotaryDim);
    });
    return sum;
  };

  const result = slideTask(encodings, { tokens, params, mode: 'intact', shift });
  for (const [found, at, place] of [
    [result.rotatedBefore, 0, turn],
    [result.rotated, shift, turn],
    [result.addedBefore, 0, add],
    [result.added, shift, add],
  ] as const) {
    const placed = words.map((word, n) => place(word, n + at));
    placed.forEach((query, m) =>
      placed.forEach((key, n) => {
        expect(Math.abs(found[m * tokens.length + n]! - dot(query, key))).toBeLessThan(1e-6);
      }),
    );
  }
});

describe('broken on purpose', () => {
  const { params } = modelPresets.find(({ name }) => name === 'Llama-2-7B')!;
  const words = tokens.map((_, row) => {
    const word = embed(tokens, 128).subarray(row * 128, (row + 1) * 128);
    return Array.from(word, (value) => value / Math.hypot(...word));
  });
  const own = { rotaryDim: 128, base: 10_000, pairing: 'half' } as const;

  test.each<[SlideMode, number, (position: number) => number, Rotation]>([
    ['keys', shift, (position) => position, own],
    ['mixed', shift, (position) => position, { ...own, pairing: 'interleaved' }],
    ['base', shift, (position) => position, { ...own, base: 1250 }],
    ['bf16', shift, (position) => round(position, 'bf16'), own],
    ['fp16', 40_000, (position) => round(position, 'f16'), own],
  ])('%s: scores are those of plain float64, and differ from the intact ones', (mode, by, at, ofKeys) => {
    const result = slideTask(encodings, { tokens, params, mode, shift: by });
    words.forEach((query, m) =>
      words.forEach((key, n) => {
        const turnedQuery = rotate(query, mode === 'keys' ? m : at(m + by), own);
        const exact = dot(turnedQuery, rotate(key, at(n + by), ofKeys));
        expect(Math.abs(result.rotated[m * tokens.length + n]! - exact)).toBeLessThan(1e-6);
        const before = dot(rotate(query, m, own), rotate(key, n, own));
        expect(Math.abs(result.rotatedBefore[m * tokens.length + n]! - before)).toBeLessThan(1e-6);
      }),
    );
    expect(result.rotatedChange).toBeGreaterThan(0.01);
  });

  test('past 65 519 float16 has no position, and no score is left', () => {
    const result = slideTask(encodings, { tokens, params, mode: 'fp16', shift: 65_520 });
    expect(result.rotatedChange).toBeNaN();
    expect(result.addedChange).toBeNaN();
    expect(slideTask(encodings, { tokens, params, mode: 'fp16', shift: 1000 }).rotatedChange).toBeLessThan(2 ** -20);
  });
});
