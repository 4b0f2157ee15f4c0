import { ropeFrequencies, sinusoidalFrequencies, type Dtype } from 'posenc';
import { expect, test } from 'vitest';
import { later } from './later.ts';
import { expectNear } from './support/compare.ts';
import { floats, numbers, readFixture, shape, type Stored } from './support/data.ts';
import { exactCosSin, kernel, randomFloats } from './support/oracle.ts';
import { describeVariants } from './support/variants.ts';

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
interface InvarianceCase {
  op: 'invariance';
  dim: number;
  base: number;
  delta: number;
  offsets: Stored;
  kind: string;
  error: Stored;
}
interface FourTermCase {
  x: Stored;
  p: Stored;
  wq: Stored;
  wk: Stored;
  [term: string]: Stored;
}
const cases = readFixture<CurveCase | CollisionCase | InvarianceCase>('analysis');
const fourTerms = readFixture<FourTermCase>('four_term');

await describeVariants('distanceKernel and decayBound', (encodings) => {
  test.each(cases.filter((entry) => entry.op === 'curves'))('gives the curves of dim $dim, base $base', (entry) => {
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

  test('gives the kernel of the sinusoidal encoding of width 512', () => {
    const claim = readFixture<{ claim: string; delta: Stored; similarity: Stored }>('seed_claims').find(
      ({ similarity }) => similarity,
    );
    const invFreq = sinusoidalFrequencies({ dim: 512 });
    const found = encodings.distanceKernel({ invFreq, distances: numbers(claim?.delta) });
    expectNear(found, numbers(claim?.similarity), { absolute: 1e-12 });
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
  test.each(cases.filter((entry) => entry.op === 'collisions'))(
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

  test('of a correct sinusoidal table is Toeplitz, of one with the wrong exponent is not', () => {
    const [rows, dim] = [48, 64];
    const spread = (table: Float32Array) => {
      const matrix = encodings.similarity({ table, rows, dim });
      let worst = 0;
      for (let i = 1; i < rows; ++i) {
        for (let j = 1; j < rows; ++j) {
          const [here, before] = [matrix[i * rows + j], matrix[(i - 1) * rows + j - 1]] as [number, number];
          worst = Math.max(worst, Math.abs(here - before));
        }
      }
      return worst;
    };
    expect(spread(encodings.sinusoidal({ length: rows, dim }))).toBeLessThan(2e-7);
    // The error of a table whose sine and cosine columns step by their own number: each has a frequency of its own.
    const wrong = Float32Array.from({ length: rows * dim }, (_, at) => {
      const [position, column] = [Math.floor(at / dim), at % dim];
      return exactCosSin(position, 10000 ** ((-2 * column) / dim))[column % 2 === 0 ? 1 : 0] as number;
    });
    expect(spread(wrong)).toBeGreaterThan(0.01);
  });
});

await describeVariants('decompose', (encodings) => {
  test.each(fourTerms)('splits a score into four terms', (entry) => {
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

await describeVariants('verifyRelative', (encodings) => {
  const ones = (length: number) => new Float32Array(length).fill(1);
  const stages = (dtype: Dtype) => ({ position: dtype, invFreq: dtype, angle: dtype });

  test.each(
    cases.filter(
      (entry) => entry.op === 'invariance' && later.analysis?.[entry.kind] === undefined,
    ) as InvarianceCase[],
  )('gives the residuals of angles in $kind', ({ dim, base, delta, offsets, kind, error }) => {
    const found = encodings.verifyRelative({
      query: ones(dim),
      key: ones(dim),
      params: { headDim: dim, base },
      distance: delta,
      shifts: numbers(offsets),
      precision: stages(kind as Dtype),
    });
    expect(found.map(({ shift }) => shift)).toEqual([...numbers(offsets)]);
    // The fixture divides the score by the width. Its own float64 angles are off by up to 1e-10 at a million.
    const residuals = found.map(({ residual }) => residual / dim);
    expectNear(residuals, numbers(error), { absolute: kind === 'f64' ? 1e-10 : 1e-9 });
  });

  test('leaves no other kind of angle to a later version', () => {
    const kinds = cases.flatMap((entry) => (entry.op === 'invariance' ? entry.kind : []));
    expect(kinds.filter((kind) => !['f64', 'f32', 'f16', 'bf16'].includes(kind))).toEqual(
      Object.keys(later.analysis ?? {}),
    );
  });

  test('finds the score unchanged at every shift when the stages are exact', () => {
    const params = { headDim: 128, base: 5e5 };
    const found = encodings.verifyRelative({
      query: randomFloats(128, 12),
      key: randomFloats(128, 13),
      params,
      distance: 5,
      shifts: [0, 1, 100, 1_000_000, 2 ** 31 - 5, -(2 ** 31)],
    });
    for (const { residual } of found) expect(residual).toBeLessThan(1e-13);
  });

  test('scores as the definition does', () => {
    const [query, key] = [Float32Array.of(1, 2, 3, 4), Float32Array.of(4, 3, 2, 1)];
    for (const [pairing, score] of [
      ['interleaved', 10.483012168789427],
      ['half', 15.129492636384501],
    ] as const) {
      const params = { headDim: 4, pairing };
      const found = encodings.verifyRelative({ query, key, params, distance: 2, shifts: [0, 5, 100] });
      expectNear(
        found.map((entry) => entry.score),
        [score, score, score],
        { relative: 1e-14 },
      );
    }
  });

  test('shows which stage may be held in few bits: residuals grow with the shift for positions and angles only', () => {
    const call = {
      query: randomFloats(128, 14),
      key: randomFloats(128, 15),
      params: { headDim: 128 },
      distance: 5,
      shifts: [0, 1000, 1_000_000],
    };
    const residuals = (precision: Record<string, Dtype>) =>
      encodings.verifyRelative({ ...call, precision }).map(({ residual }) => residual) as [number, number, number];
    for (const stage of ['position', 'angle']) {
      const [, , far] = residuals({ [stage]: 'bf16' });
      expect(far).toBeGreaterThan(0.1);
    }
    // A rounded frequency is another model, with the same score at every shift.
    const frequency = residuals({ invFreq: 'bf16' });
    expect(Math.max(...frequency) - Math.min(...frequency)).toBeLessThan(1e-12);
    // Rounded tables cost the same everywhere: 2^-9 of a term at most.
    const [near, middle, far] = residuals({ table: 'bf16' });
    for (const residual of [near, middle, far]) expect(residual).toBeLessThan(0.1);
  });

  test('rounds 16-bit positions as other frameworks do', () => {
    const params = { headDim: 2 };
    // One pair of frequency 1: a query (1, 0) at position s and a key (1, 0) at s + 1 score cos(rounded distance).
    const score = (shift: number, dtype: Dtype) =>
      encodings.verifyRelative({
        query: Float32Array.of(1, 0),
        key: Float32Array.of(1, 0),
        params,
        distance: 1,
        shifts: [shift],
        precision: { position: dtype },
      })[0]?.score as number;
    // bfloat16 holds 256 but not 257, and neither 8190 nor 8191; half precision holds 2048 but not 2049.
    expect(score(256, 'bf16')).toBe(1);
    expect(score(255, 'bf16')).toBeCloseTo(Math.cos(1), 12);
    expect(score(8190, 'bf16')).toBe(1);
    expect(score(2048, 'f16')).toBe(1);
    expect(score(2047, 'f16')).toBeCloseTo(Math.cos(1), 12);
  });

  test('finds what a table built in half precision costs: a wrong sign at position 1857, 0.78 at 2008', () => {
    const precision = { position: 'f16', invFreq: 'f16', angle: 'f16', table: 'f16' } as const;
    // A query and a key in the first channel of a pair, at 0 and at a position, score the cosine of its angle.
    const cosine = (position: number, pair: number) => {
      const unit = Float32Array.from({ length: 32 }, (_, channel) => Number(channel === pair));
      const call = { query: unit, key: unit, params: { headDim: 32 }, distance: position, shifts: [0], precision };
      return encodings.verifyRelative(call)[0] as { score: number; residual: number };
    };
    const { score, residual } = cosine(1857, 1);
    expect(score).toBeCloseTo(Math.cos(1045), 3);
    expect(residual).toBeCloseTo(0.30669280981876773 - score, 12);

    let [worst, where] = [0, ''];
    for (let position = 0; position < 2048; ++position) {
      for (let pair = 0; pair < 16; ++pair) {
        const error = cosine(position, pair).residual;
        if (error > worst) [worst, where] = [error, `position ${position}, pair ${pair}`];
      }
    }
    expect(where).toBe('position 2008, pair 1');
    expect(worst).toBeCloseTo(0.7819, 4);
  });

  test('gives NaN where a stage overflows', () => {
    const call = { query: ones(2), key: ones(2), params: { headDim: 2 }, distance: 1 };
    const [entry] = encodings.verifyRelative({ ...call, shifts: [100_000], precision: { position: 'f16' } });
    expect(entry?.residual).toBeNaN();
  });
});
