import { readFileSync } from 'node:fs';
import { type Encodings, load } from 'posenc';
import { beforeAll, describe, expect, test } from 'vitest';
import { type AliasesRequest, type AliasesResult, aliasesTask } from '../../../web/app/figures/aliases/task.js';
import { distanceCurveTask, distancePairTask, distanceTask } from '../../../web/app/figures/distance/task.js';

// What the worker computes for the figures, on the real engine in Node, against the reference program and plain loops.

let encodings: Encodings;
beforeAll(async () => {
  encodings = await load();
});

interface SeedClaim {
  claim: string;
  dot_2_5?: number;
  dot_10_13?: number;
  delta?: { data: number[] };
  similarity?: { data: number[] };
}
const claims: SeedClaim[] = JSON.parse(
  readFileSync(new URL('../../fixtures/seed_claims.json', import.meta.url), 'utf8'),
).cases;
const seedClaim = (name: string): SeedClaim => claims.find(({ claim }) => claim.startsWith(name))!;

/** The mean over pairs of cos(distance · 10000^(−2i/dim)), as the formula reads. */
function kernel(dim: number, distance: number): number {
  let sum = 0;
  for (let i = 0; i < dim / 2; i++) sum += Math.cos(distance * 10000 ** ((-2 * i) / dim));
  return sum / (dim / 2);
}

/** Everything a generator yields, and what it returns. */
function run<Yielded, Result>(slices: Generator<Yielded, Result>): { yielded: Yielded[]; result: Result } {
  const yielded: Yielded[] = [];
  for (;;) {
    const { done, value } = slices.next();
    if (done) return { yielded, result: value };
    yielded.push(value);
  }
}

describe('distance in the dot product', () => {
  const length = 64;

  test('(2, 5) and (10, 13) give the reference value to 15 digits', () => {
    const { dot_2_5, dot_10_13 } = seedClaim('pe(2).pe(5)');
    const request = {
      dim: 512,
      between: 'nothing',
      pairs: [
        [2, 5],
        [10, 13],
      ],
    } as const;
    const [here, there] = distancePairTask(encodings, request);
    expect(Math.abs(here! - dot_2_5!)).toBeLessThan(5e-13);
    expect(Math.abs(there! - dot_10_13!)).toBeLessThan(5e-13);
    expect(here!.toPrecision(15)).toBe(there!.toPrecision(15));
  });

  test.each([2, 8, 312, 512])('at d = %i a window at a million has the products of d/2 · K(n − m)', (dim) => {
    const { before, now, change, offKernel } = distanceTask(encodings, {
      dim,
      between: 'nothing',
      length,
      start: 1_000_000,
    });
    const bound = 0.51 * dim * 2 ** -23;
    let [worstNow, worstBefore] = [0, 0];
    for (let m = 0; m < length; m++) {
      for (let n = 0; n < length; n++) {
        const exact = (dim / 2) * kernel(dim, n - m);
        worstNow = Math.max(worstNow, Math.abs(now[m * length + n]! - exact));
        worstBefore = Math.max(worstBefore, Math.abs(before[m * length + n]! - exact));
      }
    }
    expect(worstNow).toBeLessThanOrEqual(bound);
    expect(worstBefore).toBeLessThanOrEqual(bound);
    expect(change).toBeLessThanOrEqual(2 * bound);
    expect(Math.abs(offKernel - worstNow)).toBeLessThan(1e-11);
  });

  test('the kernel is that of the reference program', () => {
    const { delta, similarity } = seedClaim('similarity vs distance');
    const result = distanceTask(encodings, { dim: 512, between: 'nothing', length, start: 0 });
    delta!.data.forEach((distance, i) => {
      if (distance < length) expect(Math.abs(result.kernel[distance]! - similarity!.data[i]!)).toBeLessThan(1e-12);
    });
    expect(result.change).toBe(0);
  });

  test('a matrix between the rows makes the products depend on where they are', () => {
    const request = { dim: 64, between: 'matrix', length } as const;
    expect(distanceTask(encodings, { ...request, start: 1000 }).change).toBeGreaterThan(1);
    const pairs = [
      [2, 5],
      [10, 13],
    ] as const;
    const [here, there] = distancePairTask(encodings, { dim: 64, between: 'matrix', pairs });
    expect(Math.abs(here! - there!)).toBeGreaterThan(0.1);
  });

  test('the curve holds the change of every start', () => {
    const request = { dim: 64, between: 'nothing', length } as const;
    const starts = [1, 10, 100, 1000, 10_000, 100_000];
    const { result } = run(distanceCurveTask(encodings, { ...request, starts }));
    starts.forEach((start, k) => expect(result[k]).toBe(distanceTask(encodings, { ...request, start }).change));
  });
});

describe('when it comes back', () => {
  const compute = (request: AliasesRequest): { shares: number[]; result: AliasesResult } => {
    const { yielded, result } = run(aliasesTask(encodings, request));
    return { shares: yielded.map(({ share }) => share), result };
  };

  test('d = 8 nearly returns at 169 646; d = 312 stays below 0.3 to ten million', { timeout: 60_000 }, () => {
    const { result } = compute({ narrow: 8, wide: 312, farthest: 10_000_000, bins: 840, from: 1000 });
    const near = result.records.find(({ similarity }) => 1 - similarity < 1e-5);
    expect(near?.distance).toBe(169_646);
    expect(near?.similarity).toBeCloseTo(0.9999986, 7);
    expect(result.highest.distance).toBe(8_638_047);
    expect(result.highest.similarity).toBeCloseTo(0.269081, 6);
    // The record of 1019 stands beyond a million.
    const at = result.wideRecords.findIndex(({ distance }) => distance === 1019);
    expect(result.wideRecords[at]?.similarity).toBeCloseTo(0.2436, 4);
    expect(result.wideRecords[at + 1]?.distance).toBeGreaterThan(1_000_000);
    for (const { distance, similarity } of result.records) expect(similarity).toBeCloseTo(kernel(8, distance), 8);
  });

  test('every range has the extremes, and every record is found, that a plain loop finds', () => {
    const [narrow, wide, farthest, from] = [8, 66, 20_000, 1000];
    const { result, shares } = compute({ narrow, wide, farthest, bins: 200, from });
    const values = Float64Array.from({ length: farthest + 2 }, (_, distance) => kernel(narrow, distance));
    const { edges } = result;
    expect(edges[0]).toBe(1);
    expect(edges.at(-1)).toBe(farthest + 1);
    expect(edges).toContain(from);
    for (let i = 0; i < edges.length - 1; i++) {
      const range = values.subarray(edges[i], edges[i + 1]);
      const greatest = Math.max(...range);
      expect(result.narrow.maximum[i]).toBeCloseTo(greatest, 11);
      expect(result.narrow.minimum[i]).toBeCloseTo(Math.min(...range), 11);
      expect(values[result.narrow.argmax[i]!]).toBeCloseTo(greatest, 11);
    }
    const records: number[] = [];
    let best = -1;
    for (let n = 1; n <= farthest; n++) {
      if (values[n - 1]! <= values[n]! && values[n]! > values[n + 1]! && values[n]! > best) {
        best = values[n]!;
        records.push(n);
      }
    }
    expect(result.records.map(({ distance }) => distance)).toEqual(records);
    expect(shares.at(-1)).toBeGreaterThanOrEqual(1);
  });
});
