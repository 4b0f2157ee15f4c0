import {
  gridCoordinates,
  sinusoidalFrequencies,
  type ColumnOrder,
  type GridCoordinatesOptions,
  type Sinusoidal2dOptions,
} from 'posenc';
import { describe, expect, test } from 'vitest';
import { expectNear, expectUlp } from '../../support/compare.ts';
import { exactCosSin, randomFloats } from '../../support/oracle.ts';
import { describeVariants } from '../../support/variants.ts';

/** The encoding of one coordinate as the formula says it, in double precision. */
function ofCoordinate(x: number, dim: number, order: ColumnOrder): number[] {
  const angles = Array.from(sinusoidalFrequencies({ dim }), (frequency) => exactCosSin(x, frequency));
  const [cosines, sines] = [angles.map(([cos]) => cos), angles.map(([, sin]) => sin)];
  if (order === 'interleaved') return angles.flatMap(([cos, sin]) => [sin, cos]);
  return order === 'concat' ? [...sines, ...cosines] : [...cosines, ...sines];
}

await describeVariants('sinusoidal2d', (encodings) => {
  test.each(['interleaved', 'concat', 'cos-first'] as const)('is within 0.51 ulp anywhere, %s', (order) => {
    const rows = [0, 0, 0.1, -3.7, 2 * Math.PI, 1e-9, 123_456.789, 2 ** 31, ...randomFloats(40, 1)];
    const columns = [0, 5, 1 / 3, 1e-30, -(2 ** 31), 0.5, 0.5, 17, ...randomFloats(40, 2)];
    for (const dim of [4, 8, 20, 256]) {
      const found = encodings.sinusoidal2d({ rows, columns, dim, order });
      const exact = rows.flatMap((row, i) => [
        ...ofCoordinate(row, dim / 2, order),
        ...ofCoordinate(columns[i] as number, dim / 2, order),
      ]);
      expectUlp(found, exact);
    }
  });

  test('takes either coordinate first', () => {
    const [rows, columns, dim] = [[0, 1, 2.5], [3, 4.25, -1], 8];
    const byRow = encodings.sinusoidal2d({ rows, columns, dim });
    expect(encodings.sinusoidal2d({ rows, columns, dim, first: 'rows' })).toEqual(byRow);
    expect(encodings.sinusoidal2d({ rows: columns, columns: rows, dim, first: 'columns' })).toEqual(byRow);
    expect(encodings.sinusoidal2d({ rows, columns, dim, first: 'columns' })).not.toEqual(byRow);
  });

  test('is what sinusoidal gives where coordinates are whole', () => {
    const [rows, columns, dim] = [[0, 1, 1, 900], [7, 7, -3, 2], 24];
    for (const spacing of ['paper', 't2t'] as const) {
      const call = { base: 500, order: 'concat', spacing } as const;
      const found = encodings.sinusoidal2d({ rows, columns, dim, ...call });
      const [one, other] = [rows, columns].map((positions) =>
        encodings.sinusoidal({ length: 4, dim: dim / 2, positions, ...call }),
      ) as [Float32Array, Float32Array];
      const side = found.map((_, i) => {
        const [row, column] = [Math.floor(i / dim), i % dim];
        const half = column < dim / 2 ? one : other;
        return half[(row * dim) / 2 + (column % (dim / 2))] as number;
      });
      expectNear(found, side, { absolute: 2 ** -24 });
    }
  });

  test('has inner products that depend on both differences only', () => {
    const dim = 64;
    const dot = (a: readonly [number, number], b: readonly [number, number]) => {
      const table = encodings.sinusoidal2d({ rows: [a[0], b[0]], columns: [a[1], b[1]], dim });
      return table.subarray(0, dim).reduce((sum, value, i) => sum + value * (table[dim + i] as number), 0);
    };
    expect(dot([102.25, -8], [105.25, -6.5])).toBeCloseTo(dot([2, 5], [5, 6.5]), 4);
    expect(dot([1.5, 2.5], [1.5, 2.5])).toBeCloseTo(dim / 2, 4);
  });

  test('writes into an array or a buffer and returns it', () => {
    const call = { rows: [0.5, 1], columns: [2, 3], dim: 4 };
    const expected = encodings.sinusoidal2d(call);
    const array = new Float32Array(8);
    expect(encodings.sinusoidal2d({ ...call, out: array })).toBe(array);
    expect(array).toEqual(expected);
    const buffer = encodings.buffer(8);
    expect(encodings.sinusoidal2d({ ...call, out: buffer })).toBe(buffer);
    expect(buffer.view()).toEqual(expected);
    buffer.dispose();
  });

  test.each<[string, Partial<Record<keyof Sinusoidal2dOptions, unknown>>]>([
    ['rows', { rows: [] }],
    ['rows', { rows: [0, NaN] }],
    ['rows', { rows: [0, 2 ** 31 + 1] }],
    ['rows', { rows: [0, '1'] }],
    ['columns', { columns: [0] }],
    ['columns', { columns: [0, Infinity] }],
    ['columns', { columns: undefined }],
    ['dim', { dim: 6 }],
    ['dim', { dim: 0 }],
    ['base', { base: 0 }],
    ['order', { order: 'sin-first' }],
    ['spacing', { spacing: 'even' }],
    ['first', { first: 'x' }],
  ])('refuses a wrong %s: %o', (argument, changes) => {
    const out = new Float32Array(16).fill(7);
    const options = { rows: [0, 1], columns: [2, 3], dim: 8, out, ...changes } as Sinusoidal2dOptions;
    expect(() => encodings.sinusoidal2d(options)).toThrowError(
      expect.objectContaining({ name: 'PosencError', argument }),
    );
    expect(out).toEqual(new Float32Array(16).fill(7));
  });
});

describe('gridCoordinates', () => {
  test('counts the cells of an image from 1 on', () => {
    const { rows, columns } = gridCoordinates({ height: 2, width: 3 });
    expect([...rows]).toEqual([1, 1, 1, 2, 2, 2]);
    expect([...columns]).toEqual([1, 2, 3, 1, 2, 3]);
  });

  test('does not count padding, of each image in a batch', () => {
    const mask = [...[0, 1, 1, 1], ...[1, 1, 0, 0]];
    const { rows, columns } = gridCoordinates({ height: 2, width: 2, batch: 2, mask });
    expect([...rows]).toEqual([0, 1, 1, 2, 1, 1, 1, 1]);
    expect([...columns]).toEqual([0, 1, 1, 2, 1, 2, 0, 0]);
  });

  test('ends at the scale, whatever the size, and stays at 0 where there is nothing', () => {
    const mask = [...[1, 1, 0], ...[1, 1, 0], ...[0, 0, 0]];
    const { rows, columns } = gridCoordinates({ height: 3, width: 3, mask, scale: 2 * Math.PI });
    const [half, turn] = [Math.PI, 2 * Math.PI];
    expectNear(rows, [half, half, 0, turn, turn, 0, turn, turn, 0], { relative: 1.1e-6 });
    expectNear(columns, [half, turn, turn, half, turn, turn, 0, 0, 0], { relative: 1.1e-6 });
  });

  test.each<[string, Partial<Record<keyof GridCoordinatesOptions, unknown>>, string?]>([
    ['height', { height: 0 }],
    ['width', { width: 1.5 }],
    ['batch', { batch: -1 }],
    ['mask', { mask: [1, 1, 1] }, 'wrong-length'],
    ['mask', { mask: [1, 1, 1, 2] }],
    ['scale', { scale: 0 }],
    ['scale', { scale: Infinity }],
    ['height', { height: 2 ** 31 - 1, width: 2 ** 30 }, 'out-of-memory'],
    ['size', { size: 4 } as never],
  ])('refuses a wrong %s: %o', (argument, changes, code = 'bad-argument') => {
    const options = { height: 2, width: 2, ...changes } as GridCoordinatesOptions;
    expect(() => gridCoordinates(options)).toThrowError(
      expect.objectContaining({ name: 'PosencError', argument, code }),
    );
  });
});
