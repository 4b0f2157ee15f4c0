import { type Encodings, load } from 'posenc';
import { beforeAll, describe, expect, test } from 'vitest';
import { type PrecisionRequest, precisionTask } from '../../../web/app/figures/precision/task.js';
import { type Types, round, roundedScore } from '../support/low-precision.ts';
import { kernel } from '../support/oracle.ts';

let encodings: Encodings;
beforeAll(async () => {
  encodings = await load();
});

const exact: Types = { position: 'f64', invFreq: 'f64', angle: 'f64', table: 'f64' };
const request: PrecisionRequest = {
  params: { headDim: 128, rotaryDim: 128, base: 10_000 },
  precision: exact,
  distance: 7,
  shift: 1000,
  shifts: [1, 10, 100, 250, 1000, 20_000],
  distances: [1, 7, 100, 5000],
};
/** √64 pairs of numbers near 1 in float64, and angles near 10⁴ that a plain product rounds. */
const slack = 1e-11;

test('types round as they are defined', () => {
  expect([256, 257, 258, 8191].map((value) => round(value, 'bf16'))).toEqual([256, 256, 258, 8192]);
  expect([2048, 2049, 2051, 65_504, 70_000].map((value) => round(value, 'f16'))).toEqual([
    2048,
    2048,
    2052,
    65_504,
    Infinity,
  ]);
  expect(round(2 ** 24 + 1, 'f32')).toBe(2 ** 24);
});

test.each<Partial<Types>>([
  {},
  { table: 'bf16' },
  { invFreq: 'bf16' },
  { position: 'bf16' },
  { angle: 'f32' },
  { angle: 'f16' },
  { position: 'f32', invFreq: 'f32', angle: 'f32', table: 'f32' },
  { position: 'f16', invFreq: 'f16', angle: 'f16', table: 'f16' },
])('scores with %o are those of plain rounding', (lowered) => {
  const types = { ...exact, ...lowered };
  const result = precisionTask(encodings, { ...request, precision: types });
  const score = (shift: number, distance: number): number => roundedScore(shift, shift + distance, 128, 10_000, types);
  const start = score(0, 7);
  expect(Math.abs(result.exact - kernel(7, 128))).toBeLessThan(1e-7); // the vector is 1/√128 in float32
  expect(Math.abs(result.now.score - score(1000, 7))).toBeLessThan(1e-7);
  request.shifts.forEach((shift, i) =>
    expect(Math.abs(result.all.drift[i]! - Math.abs(score(shift, 7) - start))).toBeLessThan(1e-6 * 0.3 + slack),
  );
  request.distances.forEach((distance, i) => {
    const error = Math.abs(score(0, distance) - kernel(distance, 128));
    expect(Math.abs(result.all.error[i]! - error)).toBeLessThan(1e-6 * 0.3 + slack);
  });
  expect(result.largestDrift).toBe(Math.max(result.now.drift, ...result.all.drift));
});

describe('the two kinds of damage', () => {
  const shifts = [1, 100, 1000, 10_000, 100_000, 1_000_000];
  const damage = (precision: Partial<Types>) =>
    precisionTask(encodings, { ...request, shifts, shift: 1_000_000, precision: { ...exact, ...precision } });

  test('a rounded frequency drifts by no more than rounding, and is wrong at every distance', () => {
    const { largestDrift, bound, all } = damage({ invFreq: 'bf16' });
    expect(largestDrift).toBeLessThanOrEqual(bound);
    expect(bound).toBeLessThan(1e-12);
    expect(all.error[3]).toBeGreaterThan(1e-3);
  });

  test('a rounded table drifts by no more than its bound, at every shift alike', () => {
    const { largestDrift, bound } = damage({ table: 'bf16' });
    expect(largestDrift).toBeLessThanOrEqual(bound);
    expect(largestDrift).toBeGreaterThan(1e-5);
  });

  test.each([['position'], ['angle']] as const)('a rounded %s drifts past the bound', (stage) => {
    for (const dtype of ['bf16', 'f16'] as const) {
      const { largestDrift, bound } = damage({ [stage]: dtype });
      expect(Number.isNaN(largestDrift) || largestDrift > 1000 * bound).toBe(true);
    }
  });

  test('only lowered stages are computed by themselves', () => {
    expect(Object.keys(damage({ invFreq: 'bf16', table: 'f16' }).alone)).toEqual(['invFreq', 'table']);
    expect(damage({}).alone).toEqual({});
  });
});
