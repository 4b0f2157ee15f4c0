import { ropeFrequencies, sinusoidalFrequencies } from 'posenc';
import { expect, test } from 'vitest';
import { expectNear } from '../../support/compare.ts';
import { floats, numbers, shape, type Stored } from '../../support/data.ts';
import { openFixture } from '../../support/fixture.ts';
import { kernel, randomFloats } from '../../support/oracle.ts';
import { describeVariants } from '../../support/variants.ts';

interface CurveCase {
  op: 'curves';
  dim: number;
  base: number;
  delta: Stored;
  period: Stored;
  similarity: Stored;
  decay_bound: Stored;
  train_len: number;
  critical_dimension: number;
  fraction_uncovered: number;
}
interface CollisionCase {
  op: 'collisions';
  dim: number;
  base: number;
  lo: number;
  hi: number;
  delta: Stored;
  similarity: Stored;
}
interface FourTermCase {
  x: Stored;
  p: Stored;
  wq: Stored;
  wk: Stored;
  [term: string]: Stored;
}
const cases = openFixture<CurveCase | CollisionCase>('analysis', 'curves', 'collisions');
const fourTerms = openFixture<FourTermCase>('four_term');

await describeVariants('distanceKernel and decayBound', (encodings) => {
  test.each(cases.where((entry) => entry.op === 'curves'))('gives the curves of dim $dim, base $base', (entry) => {
    const { invFreq, wavelength } = ropeFrequencies({ headDim: entry.dim, base: entry.base });
    const distances = numbers(entry.delta);
    expectNear(wavelength, numbers(entry.period), { relative: 1e-12 });
    expectNear(encodings.distanceKernel({ invFreq, distances }), numbers(entry.similarity), { absolute: 1e-12 });
    expectNear(encodings.decayBound({ invFreq, distances }), numbers(entry.decay_bound), { relative: 1e-11 });
    // Pairs that turn at least once in training, and the share of those that do not.
    const covered = wavelength.filter((tokens) => tokens <= entry.train_len).length;
    expect(2 * covered).toBe(entry.critical_dimension);
    expect(1 - covered / wavelength.length).toBe(entry.fraction_uncovered);
  });

  test('is exact at any distance, to either side', () => {
    const invFreq = sinusoidalFrequencies({ dim: 312 });
    const distances = [0, 1, -1, 1019, 8_638_047, 2 ** 31, 2 ** 40, 2 ** 53, -(2 ** 53)];
    const found = encodings.distanceKernel({ invFreq, distances });
    const expected = distances.map((distance) => kernel(distance, invFreq));
    // The two-product of the oracle is exact, its sum of cosines is not.
    expectNear(found, expected, { absolute: 2e-15 });
  });
});

await describeVariants('findAliases and kernelEnvelope', (encodings) => {
  test.each(cases.where((entry) => entry.op === 'collisions'))(
    'finds the strongest aliases of dim $dim from $lo to $hi',
    (entry) => {
      const { invFreq } = ropeFrequencies({ headDim: entry.dim, base: entry.base });
      const expected = numbers(entry.delta);
      const found = encodings.findAliases({ invFreq, from: entry.lo, to: entry.hi, above: -1, limit: expected.length });
      expect(found.map(({ distance }) => distance)).toEqual([...expected]);
      expectNear(
        found.map(({ similarity }) => similarity),
        numbers(entry.similarity),
        { absolute: 1e-12 },
      );
    },
  );

  test('knows that width 8 nearly returns at 169 646 and width 312 does not to 10^7', () => {
    const narrow = encodings.findAliases({
      invFreq: sinusoidalFrequencies({ dim: 8 }),
      from: 1,
      to: 1e6,
      above: 0.99999,
    });
    expect(narrow.find(({ distance }) => distance === 169_646)?.similarity).toBeCloseTo(0.9999986, 7);
    const invFreq = sinusoidalFrequencies({ dim: 312 });
    const [strongest] = encodings.findAliases({ invFreq, from: 1000, to: 1e7, above: 0.2, limit: 1 });
    expect(strongest?.distance).toBe(8_638_047);
    expect(strongest?.similarity).toBeCloseTo(0.269081, 6);
    const [early] = encodings.findAliases({ invFreq, from: 1000, to: 1e6, above: 0.2, limit: 1 });
    expect(early?.distance).toBe(1019);
    expect(early?.similarity).toBeCloseTo(0.2436, 4);
  });

  test('gives as many aliases as asked for, 16 by default, and none above what there is', () => {
    const invFreq = sinusoidalFrequencies({ dim: 64 });
    expect(encodings.findAliases({ invFreq, from: 1, to: 100_000, above: -1 })).toHaveLength(16);
    expect(encodings.findAliases({ invFreq, from: 1, to: 100_000, above: -1, limit: 3 })).toHaveLength(3);
    expect(encodings.findAliases({ invFreq, from: 1, to: 100_000, above: 1 })).toEqual([]);
  });

  test('gives the least and greatest kernel of every range, and where the greatest is', () => {
    const invFreq = sinusoidalFrequencies({ dim: 24 });
    const edges = [0, 1, 2, 10, 1000, 5000];
    const { minimum, maximum, argmax } = encodings.kernelEnvelope({ invFreq, edges });
    for (let range = 0; range < edges.length - 1; ++range) {
      let [least, most, at] = [Infinity, -Infinity, -1];
      for (let distance = edges[range] as number; distance < (edges[range + 1] as number); ++distance) {
        const value = kernel(distance, invFreq);
        least = Math.min(least, value);
        if (value > most) [most, at] = [value, distance];
      }
      expectNear([minimum[range] as number, maximum[range] as number], [least, most], { absolute: 2 ** -47 });
      expect(argmax[range]).toBe(at);
    }
  });
});

await describeVariants('similarity', (encodings) => {
  test('is the cosine of every two rows', () => {
    const [rows, dim] = [13, 37];
    const table = randomFloats(rows * dim, 11);
    table.fill(0, 5 * dim, 6 * dim);
    const row = (i: number) => table.subarray(i * dim, (i + 1) * dim);
    const dot = (i: number, j: number) => row(i).reduce((sum, value, c) => sum + value * (row(j)[c] as number), 0);
    const expected = Float64Array.from({ length: rows * rows }, (_, at) => {
      const [i, j] = [Math.floor(at / rows), at % rows];
      const norms = Math.sqrt(dot(i, i)) * Math.sqrt(dot(j, j));
      return norms === 0 ? 0 : dot(i, j) / norms;
    });
    expectNear(encodings.similarity({ table, rows, dim }), expected, { absolute: 1e-7 });
  });
});

await describeVariants('decompose', (encodings) => {
  test.each(fourTerms.all)('splits a score into four terms', (entry) => {
    const [length, dim] = shape(entry.x) as [number, number];
    const x = floats(entry.x);
    expectNear(encodings.sinusoidal({ length, dim }), numbers(entry.p), { absolute: 1e-7 });
    const terms = {
      contentContent: 'xx',
      positionContent: 'px',
      contentPosition: 'xp',
      positionPosition: 'pp',
    } as const;
    const bounds = { absolute: 2e-6, relative: 2e-6 };
    const plain = encodings.decompose({ x, length, dim });
    const projected = encodings.decompose({ x, length, dim, wq: floats(entry.wq), wk: floats(entry.wk) });
    for (const name of Object.keys(terms) as (keyof typeof terms)[]) {
      expectNear(plain[name], numbers(entry[`plain_${terms[name]}`]), bounds);
      expectNear(projected[name], numbers(entry[`proj_${terms[name]}`]), bounds);
    }
    const total = plain.contentContent.map(
      (value, i) =>
        value +
        (plain.positionContent[i] as number) +
        (plain.contentPosition[i] as number) +
        (plain.positionPosition[i] as number),
    );
    expectNear(total, numbers(entry.plain_total), { absolute: 4e-6 });
  });

  test('has a position term that is dim / 2 times the kernel', () => {
    const [length, dim] = [12, 32];
    const { positionPosition } = encodings.decompose({ x: new Float32Array(length * dim), length, dim });
    const invFreq = sinusoidalFrequencies({ dim });
    const expected = Float64Array.from(positionPosition, (_, at) => {
      return (dim / 2) * kernel(Math.floor(at / length) - (at % length), invFreq);
    });
    expectNear(positionPosition, expected, { absolute: 4e-6 });
  });
});
