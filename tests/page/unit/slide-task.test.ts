import { type Encodings, load, ropeFrequencies } from 'posenc';
import { beforeAll, expect, test } from 'vitest';
import { embed } from '../../../web/app/figures/embedding.js';
import { slideTask } from '../../../web/app/figures/slide-task.js';
import { modelPresets } from '../../../web/app/models.js';
import { dot } from '../support/oracle.ts';

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
