import { ropeFrequencies, sinusoidalFrequencies, type RopeParams } from 'posenc';
import { expect, test } from 'vitest';
import { ulpError } from '../../support/compare.ts';
import { attend, exactCosSin, randomFloats, rotate } from '../../support/oracle.ts';
import { randomFrom } from '../../support/random.ts';
import { describeVariants } from '../../support/variants.ts';

/** Positions of [0, 2^31) in runs, since a table carries each row to its neighbours, and one by one. */
function randomPositions(count: number, seed: number): Float64Array {
  const random = randomFrom(seed);
  let position = 0;
  return Float64Array.from({ length: count }, (_, i) => {
    const isNew = i < count / 2 ? i % 100 === 0 : true;
    position = isNew ? Math.floor(random() * (2 ** 31 - 100)) : position + 1;
    return position;
  });
}

/** How many of the values are not the nearest float, and by how many ulp the worst is off. */
class Misses {
  values = 0;
  missed = 0;
  worst = 0.5;

  add(found: number, exact: number): void {
    this.values += 1;
    if (found === Math.fround(exact)) return;
    this.missed += 1;
    this.worst = Math.max(this.worst, ulpError(found, exact));
  }

  expectFew(): void {
    expect(this.worst).toBeLessThanOrEqual(0.51);
    expect(this.missed / this.values).toBeLessThanOrEqual(1e-4);
  }
}

await describeVariants('tables', (encodings) => {
  const models: Record<string, RopeParams> = {
    'Llama 2': { headDim: 128, base: 1e4 },
    'Llama 3': { headDim: 128, base: 5e5 },
    'Llama 3.1': {
      headDim: 128,
      base: 5e5,
      type: 'llama3',
      factor: 8,
      lowFreqFactor: 1,
      highFreqFactor: 4,
      originalMaxPosition: 8192,
    },
    Qwen2: { headDim: 128, base: 1e6 },
    'GPT-J': { headDim: 256, rotaryDim: 64, base: 1e4 },
    Gemma: { headDim: 256, base: 1e4 },
    'Phi-2': { headDim: 80, rotaryDim: 32, base: 1e4 },
  };

  test('of rotation are within 0.51 ulp, and the nearest floats in 9999 of 10 000, up to 2^31', () => {
    const misses = new Misses();
    for (const [i, params] of Object.values(models).entries()) {
      const { invFreq } = ropeFrequencies(params);
      const positions = randomPositions(3000, i);
      const { cos, sin } = encodings.ropeTable({ params, positions });
      positions.forEach((position, row) => {
        invFreq.forEach((frequency, pair) => {
          const [exactCos, exactSin] = exactCosSin(position, frequency);
          misses.add(cos[row * invFreq.length + pair] as number, exactCos);
          misses.add(sin[row * invFreq.length + pair] as number, exactSin);
        });
      });
    }
    expect(misses.values).toBeGreaterThan(2e6);
    misses.expectFew();
  });

  test('of sinusoids are within 0.51 ulp, and the nearest floats in 9999 of 10 000, up to 2^31', () => {
    const misses = new Misses();
    for (const dim of [64, 512, 768]) {
      const frequencies = sinusoidalFrequencies({ dim });
      const positions = randomPositions(1600, dim);
      const table = encodings.sinusoidal({ length: positions.length, dim, positions });
      positions.forEach((position, row) => {
        frequencies.forEach((frequency, pair) => {
          const [cos, sin] = exactCosSin(position, frequency);
          misses.add(table[row * dim + 2 * pair] as number, sin);
          misses.add(table[row * dim + 2 * pair + 1] as number, cos);
        });
      });
    }
    expect(misses.values).toBeGreaterThan(2e6);
    misses.expectFew();
  });
});

await describeVariants('attention', (encodings) => {
  test('is within 2e-7 of float64 for 8 heads of 512 tokens, causal and with RoPE', () => {
    const [heads, length, headDim] = [8, 512, 64];
    const sizes = { heads, queryLength: length, keyLength: length, headDim };
    const [query, key, value] = [1, 2, 3].map((seed) => randomFloats(heads * length * headDim, seed)) as [
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    const output = encodings.attention({
      ...{ query, key, value },
      ...sizes,
      format: 'bhsd',
      causal: true,
      rope: { headDim },
    });
    const positions = Array.from({ length }, (_, i) => i);
    const turn = (x: Float32Array): Float64Array =>
      rotate(x, positions, ropeFrequencies({ headDim }).invFreq, { heads, headDim, pairing: 'half' });
    const expected = attend({
      query: turn(query),
      key: turn(key),
      value,
      ...sizes,
      kvHeads: heads,
      valueDim: headDim,
      scale: 1 / Math.sqrt(headDim),
      allowed: (_, i, j) => j <= i,
    });
    const worst = output.reduce((most, found, i) => Math.max(most, Math.abs(found - expected.output[i]!)), 0);
    expect(worst).toBeLessThanOrEqual(2e-7);
  });
});
