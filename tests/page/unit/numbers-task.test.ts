import { type Encodings, load } from 'posenc';
import { beforeAll, describe, expect, test } from 'vitest';
import { randomMatrix } from '../../../web/app/figures/linear.js';
import { LEARNED_ROWS, SCHEMES, numbersTask } from '../../../web/app/figures/numbers/task.js';
import { dot, encodingRow, kernel, rowsOf } from '../support/oracle.ts';

let encodings: Encodings;
beforeAll(async () => {
  encodings = await load();
});

const table = rowsOf(randomMatrix(LEARNED_ROWS, 64, 201), 64).map((row) => row.map((value) => 8 * value));

/** The code of a position among `length`, in plain float64. */
const naive = {
  integer: (p: number) => [p],
  unit: (p: number, length: number) => [p / (length - 1)],
  'one-hot': (p: number, length: number) => Array.from({ length }, (_, c) => (c === p ? 1 : 0)),
  learned: (p: number) => table[p]!,
  waves: (p: number) => encodingRow(p, 64),
};
const cosine = (a: number[], b: number[]): number => {
  const lengths = Math.sqrt(dot(a, a) * dot(b, b));
  return lengths === 0 ? 0 : dot(a, b) / lengths;
};

describe.each([8, 33])('with %i positions', (length) => {
  test.each(SCHEMES)('%s has the codes and similarities of plain float64', (scheme) => {
    const { codes, similarities, widths } = numbersTask(encodings, { length, dim: 64, base: 10_000 });
    const s = SCHEMES.indexOf(scheme);
    const rows = Array.from({ length }, (_, p) => naive[scheme](p, length));
    expect(widths[s]).toBe(rows[0]!.length);
    rows.flat().forEach((value, i) => expect(Math.abs(codes[s]![i]! - value)).toBeLessThan(1e-6 * Math.max(1, value)));
    rows.forEach((a, m) =>
      rows.forEach((b, n) =>
        expect(Math.abs(similarities[s]![m * length + n]! - cosine(a, b))).toBeLessThan(2 * 2 ** -22),
      ),
    );
  });
});

test('the facts are those of each code', () => {
  const length = 32;
  const { facts } = numbersTask(encodings, { length, dim: 64, base: 10_000 });
  const of = (scheme: (typeof SCHEMES)[number]) => facts[SCHEMES.indexOf(scheme)]!;
  expect(of('integer')).toMatchObject({ largest: 31, longer: { kind: 'changes', by: 0 }, spread: 1 });
  const unit = of('unit').longer;
  expect(unit.kind === 'changes' && unit.by).toBeCloseTo(1 - 31 / 63, 6);
  expect(of('one-hot')).toMatchObject({ longer: { kind: 'widens', width: 64 }, spread: 0, neighbours: 0, further: 0 });
  expect(of('learned').longer).toEqual({ kind: 'ends', rows: 64 });
  expect(of('learned').spread).toBeGreaterThan(0.3);
  const waves = of('waves');
  expect(waves.longer).toEqual({ kind: 'changes', by: 0 });
  expect(waves.spread).toBeLessThanOrEqual(2 ** -22);
  expect(waves.neighbours).toBeCloseTo(kernel(1, 64), 6);
  const further = Array.from({ length: length - 2 }, (_, k) => kernel(k + 2, 64));
  expect(waves.further).toBeCloseTo(Math.max(...further), 6);
});

test.each([2, 6, 16, 128])('at d = %i a wave’s similarities of one distance agree within the tolerance', (dim) => {
  for (const base of [10, 500, 1_000_000]) {
    const { facts } = numbersTask(encodings, { length: 64, dim, base });
    expect(facts[SCHEMES.indexOf('waves')]!.spread).toBeLessThanOrEqual(2 ** -22);
  }
});
