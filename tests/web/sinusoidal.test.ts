import { PosencError, sinusoidalFrequencies, type Spacing } from 'posenc';
import { expect, test } from 'vitest';
import { expectNear, expectUlp, ulpError } from './support/compare.ts';
import { numbers, shape, type Stored } from './support/data.ts';
import { openFixture } from './support/fixture.ts';
import { exactCosSin } from './support/oracle.ts';
import { describeVariants } from './support/variants.ts';

interface TableCase {
  op: 'table';
  d: number;
  base: number;
  layout: 'interleaved' | 'concat';
  spacing: Spacing;
  positions: Stored;
  out: Stored;
}
interface PaddedCase {
  op: 'fairseq';
  tokens: Stored;
  padding_idx: number;
  d: number;
  positions: Stored;
  out: Stored;
}
interface ShiftCase {
  op: 'shift_matrix';
  k: number;
  d: number;
  out: Stored;
}
const cases = openFixture<TableCase | PaddedCase | ShiftCase>('sinusoidal');

await describeVariants('sinusoidal', (encodings) => {
  test.each(cases.where((entry) => entry.op === 'table'))(
    'gives the table of dim $d, order $layout, spacing $spacing',
    ({ d, base, layout, spacing, positions, out }) => {
      const table = encodings.sinusoidal({
        length: numbers(positions).length,
        dim: d,
        base,
        order: layout,
        spacing,
        positions: numbers(positions),
      });
      expectNear(table, numbers(out), { absolute: 2e-6 });
    },
  );

  test.each(cases.where((entry) => entry.op === 'fairseq'))(
    'gives the rows of a padded batch as fairseq numbers them',
    ({ tokens, padding_idx, d, positions, out }) => {
      const rows = numbers(positions);
      const table = encodings.sinusoidal({
        length: rows.length,
        dim: d,
        order: 'concat',
        spacing: 't2t',
        positions: rows,
      });
      const expected = numbers(out);
      numbers(tokens).forEach((token, row) => {
        // fairseq zeroes the row of padding afterwards.
        if (token === padding_idx) return;
        expectNear(table.subarray(row * d, (row + 1) * d), expected.subarray(row * d, (row + 1) * d), {
          absolute: 2e-6,
        });
      });
    },
  );

  test.each(cases.where((entry) => entry.op === 'shift_matrix'))(
    'moves by a fixed matrix: PE(p + $k) = T PE(p)',
    ({ k, d, out }) => {
      expect(shape(out)).toEqual([d, d]);
      const matrix = numbers(out);
      for (const position of [0, 1, 17, 1000, 999_999]) {
        const from = encodings.sinusoidal({ length: 1, dim: d, start: position });
        const to = encodings.sinusoidal({ length: 1, dim: d, start: position + k });
        const moved = Float64Array.from(to, (_, row) =>
          from.reduce((sum, value, column) => sum + value * (matrix[row * d + column] as number), 0),
        );
        expectNear(to, moved, { absolute: 3e-7 });
      }
    },
  );

  test.each([1, 2, 3, 5, 7, 8, 64, 129, 312])('is within 0.51 ulp at every position for dim %i', (dim) => {
    const positions = [0, 1, 2, 7, 1000, 131_071, 16_777_217, 2 ** 31 - 1, 2 ** 31, -1, -1000, -(2 ** 31)];
    const frequencies = sinusoidalFrequencies({ dim });
    const table = encodings.sinusoidal({ length: positions.length, dim, positions });
    const exact = positions.flatMap((position) =>
      Array.from(frequencies, (frequency) => {
        const [cos, sin] = exactCosSin(position, frequency);
        return [sin, cos];
      })
        .flat()
        .slice(0, dim),
    );
    expectUlp(table, exact);
  });

  test('is as exact in the last of a million rows as in the first', () => {
    const [length, dim] = [1_000_000, 16];
    const frequencies = sinusoidalFrequencies({ dim });
    const table = encodings.sinusoidal({ length, dim });
    let worst = 0;
    for (const first of [0, 499_990, length - 1000]) {
      for (let row = first; row < Math.min(length, first + 1000); ++row) {
        for (let pair = 0; pair < dim / 2; ++pair) {
          const [cos, sin] = exactCosSin(row, frequencies[pair] as number);
          worst = Math.max(
            worst,
            ulpError(table[row * dim + 2 * pair] as number, sin),
            ulpError(table[row * dim + 2 * pair + 1] as number, cos),
          );
        }
      }
    }
    expect(worst).toBeLessThanOrEqual(0.51);
  });

  test('counts positions from start as well as it takes them one by one', () => {
    const start = 123_456;
    const counted = encodings.sinusoidal({ length: 100, dim: 12, start });
    const given = encodings.sinusoidal({
      length: 100,
      dim: 12,
      positions: Array.from({ length: 100 }, (_, i) => start + i),
    });
    expectNear(counted, given, { absolute: 2 ** -24 });
  });

  test('ends an odd width in a column of zeros where the spacing is that of tensor2tensor', () => {
    const table = encodings.sinusoidal({ length: 3, dim: 5, order: 'concat', spacing: 't2t' });
    expect([table[4], table[9], table[14]]).toEqual([0, 0, 0]);
  });

  test('has inner products that depend on the distance only, and norms of dim / 2', () => {
    const dim = 512;
    const dot = (a: number, b: number) => {
      const table = encodings.sinusoidal({ length: 2, dim, positions: [a, b] });
      return table.subarray(0, dim).reduce((sum, value, i) => sum + value * (table[dim + i] as number), 0);
    };
    for (const [a, b] of [
      [2, 5],
      [10, 13],
    ] as const) {
      expect(dot(a, b)).toBeCloseTo(211.7494434276926, 4);
    }
    expect(dot(1_000_002, 1_000_005)).toBeCloseTo(211.7494434276926, 4);
    expect(dot(77, 77)).toBeCloseTo(dim / 2, 4);
  });

  test('writes into an array or a buffer and returns it', () => {
    const expected = encodings.sinusoidal({ length: 4, dim: 6 });
    const array = new Float32Array(24);
    expect(encodings.sinusoidal({ length: 4, dim: 6, out: array })).toBe(array);
    expect(array).toEqual(expected);
    const buffer = encodings.buffer(24);
    expect(encodings.sinusoidal({ length: 4, dim: 6, out: buffer })).toBe(buffer);
    expect(buffer.view()).toEqual(expected);
    buffer.dispose();
  });

  test('leaves out alone when an argument is wrong', () => {
    const out = new Float32Array(24).fill(7);
    expect(() => encodings.sinusoidal({ length: 4, dim: 6, base: -1, out })).toThrow(PosencError);
    expect(() => encodings.sinusoidal({ length: 4, dim: 6, positions: [0, 1, 2, 0.5], out })).toThrow(PosencError);
    expect(out).toEqual(new Float32Array(24).fill(7));
  });
});
