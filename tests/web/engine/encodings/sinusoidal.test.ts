import {
  PosencError,
  sinusoidalFrequencies,
  tokenPositions,
  type ColumnOrder,
  type Spacing,
  type TokenPositionsOptions,
} from 'posenc';
import { describe, expect, test } from 'vitest';
import { expectNear, expectUlp, ulpError } from '../../support/compare.ts';
import { numbers, shape, type Stored } from '../../support/data.ts';
import { openFixture } from '../../support/fixture.ts';
import { exactCosSin } from '../../support/oracle.ts';
import { describeVariants } from '../../support/variants.ts';

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
    'gives the rows of a padded sequence as fairseq does',
    ({ tokens, padding_idx: paddingIndex, d, positions, out }) => {
      const found = tokenPositions({ ids: numbers(tokens), batch: shape(tokens)[0] as number, paddingIndex });
      expect(found).toEqual(numbers(positions));
      const layout = { dim: d, order: 'concat', spacing: 't2t', paddingIndex } as const;
      const table = encodings.sinusoidal({ length: found.length, positions: found, ...layout });
      expectNear(table, numbers(out), { absolute: 2e-6 });
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

  test('keeps every dot product where cosines come first', () => {
    const [rows, dim] = [20, 512];
    const gram = (order: ColumnOrder) =>
      encodings.similarity({ table: encodings.sinusoidal({ length: rows, dim, order }), rows, dim });
    expectNear(gram('cos-first'), gram('interleaved'), { absolute: 1e-7 });
  });

  test.each([
    [5, 'paper', [0, 0, 0, 1, 1], [1, 1, 0, 0, 0]],
    [6, 'paper', [0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0]],
    [5, 't2t', [0, 0, 1, 1, 0], [1, 1, 0, 0, 0]],
  ] as const)('has one sine more in %i columns of spacing %s, or a zero', (dim, spacing, sinFirst, cosFirst) => {
    const call = { length: 1, dim, spacing };
    expect([...encodings.sinusoidal({ ...call, order: 'concat' })]).toEqual([...sinFirst]);
    expect([...encodings.sinusoidal({ ...call, order: 'cos-first' })]).toEqual([...cosFirst]);
  });

  test('zeroes the rows of padding, wherever they are, and no others', () => {
    const [length, dim] = [6, 8];
    const counted = encodings.sinusoidal({ length, dim, start: -1, paddingIndex: 1 });
    const positions = [1, 1, 4, -7, 1, 0];
    const given = encodings.sinusoidal({ length, dim, positions, paddingIndex: 1 });
    const whole = encodings.sinusoidal({ length, dim, start: -1 });
    const asGiven = encodings.sinusoidal({ length, dim, positions });
    for (let row = 0; row < length; ++row) {
      const [from, to] = [row * dim, (row + 1) * dim];
      const zeros = new Float32Array(dim);
      expect(counted.subarray(from, to)).toEqual(row === 2 ? zeros : whole.subarray(from, to));
      expect(given.subarray(from, to)).toEqual(positions[row] === 1 ? zeros : asGiven.subarray(from, to));
    }
    const buffer = encodings.buffer(length * dim);
    encodings.sinusoidal({ length, dim, positions, paddingIndex: 1, out: buffer });
    expect(buffer.view()).toEqual(given);
    buffer.dispose();
    for (const paddingIndex of [0.5, NaN, 2 ** 32, '1' as unknown as number]) {
      expect(() => encodings.sinusoidal({ length, dim, paddingIndex })).toThrowError(
        expect.objectContaining({ name: 'PosencError', argument: 'paddingIndex' }),
      );
    }
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

describe('tokenPositions', () => {
  test('counts the tokens of each sequence that are no padding, past the index of padding', () => {
    // Left padding, none, and right padding: as transformers' create_position_ids_from_input_ids has them.
    const ids = [1, 1, 5, 6, 5, 6, 7, 8, 5, 1, 6, 1];
    const positions = tokenPositions({ ids, batch: 3, paddingIndex: 1 });
    expect([...positions]).toEqual([1, 1, 2, 3, 2, 3, 4, 5, 2, 1, 3, 1]);
    expect([...tokenPositions({ ids: [9, 0, 9], paddingIndex: 0, pastLength: 10 })]).toEqual([11, 0, 12]);
  });

  test.each<[string, Partial<Record<keyof TokenPositionsOptions, unknown>>]>([
    ['ids', { ids: [] }],
    ['ids', { ids: [1, 2, 3], batch: 2 }],
    ['ids', { ids: [1, -2] }],
    ['ids', { ids: [1, 2.5] }],
    ['ids', { ids: undefined }],
    ['batch', { batch: 0 }],
    ['paddingIndex', { paddingIndex: -1 }],
    ['paddingIndex', { paddingIndex: undefined }],
    ['paddingIndex', { paddingIndex: 2 ** 31 }],
    ['pastLength', { pastLength: 0.5 }],
    ['pastLength', { pastLength: 2 ** 31 - 2 }],
    ['pastlength', { pastlength: 1 } as never],
  ])('refuses a wrong %s: %o', (argument, changes) => {
    const options = { ids: [5, 6], paddingIndex: 1, ...changes } as TokenPositionsOptions;
    expect(() => tokenPositions(options)).toThrowError(expect.objectContaining({ name: 'PosencError', argument }));
  });
});
