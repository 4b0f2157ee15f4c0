import { type Encodings, load } from 'posenc';
import { beforeAll, describe, expect, test } from 'vitest';
import { HANDS_POSITIONS, handsTask } from '../../../web/app/figures/hands/task.js';
import { encodingRow, frequencies } from '../support/oracle.ts';

let encodings: Encodings;
beforeAll(async () => {
  encodings = await load();
});

const bound = 4.28 * 2 ** -24;
const positions = [0, 1, 2, 37, 512, HANDS_POSITIONS - 1];

describe.each([
  { dim: 2, base: 10_000, step: 1 },
  { dim: 16, base: 10_000, step: 5 },
  { dim: 64, base: 500_000, step: 64 },
  { dim: 30, base: 10, step: -17 },
])('d = $dim, base $base, k = $step', ({ dim, base, step }) => {
  test('rows and turned rows are those of plain float64', () => {
    const { now, turned, next } = handsTask(encodings, { dim, base, step, mode: 'intact' });
    for (const p of positions) {
      const at = p * dim;
      encodingRow(p, dim, base).forEach((value, c) => expect(Math.abs(now[at + c]! - value)).toBeLessThan(2 ** -24));
      encodingRow(p + step, dim, base).forEach((value, c) => {
        expect(Math.abs(next[at + c]! - value)).toBeLessThan(2 ** -24);
        expect(Math.abs(turned[at + c]! - value)).toBeLessThan(bound);
      });
    }
  });

  test('no hand is off by more than the tolerance at any position', () => {
    const { changes, turned, next, frequencies: found } = handsTask(encodings, { dim, base, step, mode: 'intact' });
    expect(changes).toHaveLength(HANDS_POSITIONS);
    expect(Math.max(...changes)).toBeLessThanOrEqual(bound);
    const row = Array.from({ length: dim }, (_, c) => Math.abs(turned[37 * dim + c]! - next[37 * dim + c]!));
    expect(changes[37]).toBe(Math.max(...row));
    frequencies(dim, base).forEach((f, i) => expect(found[i]! / f).toBeCloseTo(1, 12));
  });

  test('turned backwards the hands are k behind', () => {
    const { turned } = handsTask(encodings, { dim, base, step, mode: 'backwards' });
    for (const p of positions) {
      encodingRow(p - step, dim, base).forEach((value, c) =>
        expect(Math.abs(turned[p * dim + c]! - value)).toBeLessThan(bound),
      );
    }
  });
});

test('a step of 0 turns nothing', () => {
  const { changes } = handsTask(encodings, { dim: 16, base: 10_000, step: 0, mode: 'intact' });
  expect(Math.max(...changes)).toBe(0);
});

test('at the speeds of another base only the first pair keeps time', () => {
  const { turned, next } = handsTask(encodings, { dim: 16, base: 10_000, step: 5, mode: 'base' });
  const off = (pair: number): number => Math.abs(turned[3 * 16 + 2 * pair]! - next[3 * 16 + 2 * pair]!);
  expect(off(0)).toBeLessThan(bound);
  for (const pair of [1, 2, 3]) expect(off(pair)).toBeGreaterThan(1e-3);
});
