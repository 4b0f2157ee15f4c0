import { ropeFrequencies, sinusoidalFrequencies } from 'posenc';
import { expect, test } from 'vitest';
import { expectNear } from '../../support/compare.ts';
import { numbers, type Stored } from '../../support/data.ts';
import { openFixture } from '../../support/fixture.ts';
import { describeVariants } from '../../support/variants.ts';

type Claim =
  | { claim: 'pe(2).pe(5) = pe(10).pe(13)'; d: number; dot_2_5: number; dot_10_13: number }
  | { claim: 'adjacent frequency ratio falls as base grows'; d: number; [ratio: `ratio_base_1e${number}`]: number }
  | { claim: 'similarity vs distance, d=512'; delta: Stored; similarity: Stored }
  | { claim: 'rope score depends on n-m only'; scores: Stored };
const claims = openFixture<Claim>('seed_claims');

await describeVariants('what is said of position encodings', (encodings) => {
  test.each(claims.where((entry) => entry.claim === 'pe(2).pe(5) = pe(10).pe(13)'))('$claim', (entry) => {
    const dim = entry.d;
    const table = encodings.sinusoidal({ length: 4, dim, positions: [2, 5, 10, 13] });
    const dot = (a: number, b: number) => {
      const row = table.subarray(b * dim, (b + 1) * dim);
      return table.subarray(a * dim, (a + 1) * dim).reduce((sum, value, i) => sum + value * (row[i] as number), 0);
    };
    expectNear([dot(0, 1), dot(2, 3)], [entry.dot_2_5, entry.dot_10_13], { relative: 2e-6 / dim });
  });

  test.each(claims.where((entry) => entry.claim === 'similarity vs distance, d=512'))('$claim', (entry) => {
    const { delta, similarity } = entry;
    const invFreq = sinusoidalFrequencies({ dim: 512 });
    const found = encodings.distanceKernel({ invFreq, distances: numbers(delta) });
    expectNear(found, numbers(similarity), { absolute: 1e-12 });
  });

  test.each(claims.where((entry) => entry.claim === 'rope score depends on n-m only'))('$claim', ({ scores }) => {
    const headDim = 16;
    const [q, k] = [
      Float32Array.from({ length: headDim }, (_, c) => Math.cos(1.7 * c + 0.3)),
      Float32Array.from({ length: headDim }, (_, c) => Math.sin(0.9 * c + 1.1)),
    ] as const;
    const turned = (x: Float32Array, start: number) =>
      encodings.rope({ x, params: { headDim, pairing: 'interleaved' }, length: 1, heads: 1, headDim, start });
    const found = [0, 100, 100_000].map((shift) => {
      const key = turned(k, shift + 4);
      return turned(q, shift + 1).reduce((sum, value, c) => sum + value * (key[c] as number), 0);
    });
    expectNear(found, numbers(scores), { absolute: 2e-6 });
  });
});

test.each(claims.where((entry) => entry.claim === 'adjacent frequency ratio falls as base grows'))(
  '$claim',
  (entry) => {
    const ratios = ([2, 4, 6] as const).map((exponent) => {
      const expected = entry[`ratio_base_1e${exponent}`] as number;
      const { invFreq } = ropeFrequencies({ headDim: entry.d, base: 10 ** exponent });
      const sinusoids = sinusoidalFrequencies({ dim: entry.d, base: 10 ** exponent });
      for (const frequencies of [invFreq, sinusoids]) {
        expectNear([(frequencies[1] as number) / (frequencies[0] as number)], [expected], { relative: 1e-12 });
      }
      return expected;
    }) as [number, number, number];
    expect(ratios[0]).toBeGreaterThan(ratios[1]);
    expect(ratios[1]).toBeGreaterThan(ratios[2]);
  },
);
