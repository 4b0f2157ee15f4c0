import { parseSafetensors, PosencError, tableStatistics } from 'posenc';
import { expect, test } from 'vitest';
import { expectNear } from '../../support/compare.ts';
import { Bytes } from '../../support/gguf-file.ts';
import { randomFrom } from '../../support/random.ts';
import { describeVariants } from '../../support/variants.ts';

const [rows, dim] = [40, 32];

/** Sines and cosines of the paper, in float64. */
function plainSinusoid(base = 10000): Float32Array {
  return Float32Array.from({ length: rows * dim }, (_, at) => {
    const [position, column] = [Math.floor(at / dim), at % dim];
    const angle = position * base ** ((-2 * Math.floor(column / 2)) / dim);
    return column % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
  });
}

/** The share of the variance that the diagonals explain, in two plain passes. */
function plainScore(similarity: Float32Array, kept: readonly number[]): number {
  const diagonals = new Map<number, number[]>();
  for (const i of kept) {
    for (const j of kept) {
      if (j > i) diagonals.set(j - i, [...(diagonals.get(j - i) ?? []), similarity[i * rows + j]!]);
    }
  }
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = (values: number[]) => {
    const middle = mean(values);
    return values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  };
  const within = [...diagonals.values()].reduce((sum, values) => sum + squares(values), 0);
  return 1 - within / squares([...diagonals.values()].flat());
}

await describeVariants('a table of positions', (encodings) => {
  const statisticsOf = (table: Float32Array) => {
    const similarity = encodings.similarity({ table, rows, dim });
    return { ...tableStatistics({ table, rows, dim, similarity }), similarity };
  };

  test('A12: a sinusoidal one is explained by the distance, with rows of length √(dim / 2)', () => {
    const { norms, toeplitz, reserved } = statisticsOf(plainSinusoid());
    expectNear(
      norms,
      Float64Array.from({ length: rows }, () => Math.sqrt(dim / 2)),
      { relative: 1e-7 },
    );
    expect(toeplitz).toBeGreaterThan(1 - 1e-12);
    expect(toeplitz).toBeLessThanOrEqual(1);
    expect(reserved).toEqual([]);
  });

  test('A12: one whose columns each have a frequency of their own is not', () => {
    const wrong = Float32Array.from({ length: rows * dim }, (_, at) => {
      const [position, column] = [Math.floor(at / dim), at % dim];
      const angle = position * 10000 ** ((-2 * column) / dim);
      return column % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
    });
    const { toeplitz, similarity } = statisticsOf(wrong);
    expect(toeplitz).toBeLessThan(0.99);
    expect(toeplitz).toBeCloseTo(plainScore(similarity, [...Array(rows).keys()]), 10);
  });

  test('rows of padding are reserved, and left out of the score', () => {
    const table = plainSinusoid();
    table.fill(0, 0, dim);
    table.subarray(dim, 2 * dim).forEach((value, i, row) => (row[i] = value / 1000));
    const { norms, toeplitz, reserved } = statisticsOf(table);
    expect(reserved).toEqual([0, 1]);
    expect(norms[0]).toBe(0);
    expect(toeplitz).toBeGreaterThan(1 - 1e-12);
  });

  test('one of noise is explained no better than by chance', () => {
    const random = randomFrom(7);
    const table = Float32Array.from({ length: rows * dim }, () => random() - 0.5);
    const { toeplitz, similarity } = statisticsOf(table);
    expect(toeplitz).toBeCloseTo(plainScore(similarity, [...Array(rows).keys()]), 10);
    expect(toeplitz).toBeLessThan(0.15);
  });

  test('is read from a file', async () => {
    const values = plainSinusoid();
    const header = JSON.stringify({
      'wpe.weight': { dtype: 'F32', shape: [rows, dim], data_offsets: [0, 4 * rows * dim] },
    });
    const file = new Bytes().u64(header.length).raw(new TextEncoder().encode(header));
    const index = await parseSafetensors(file.raw(new Uint8Array(values.buffer)).done());
    expect(statisticsOf(await index.read('wpe.weight')).toeplitz).toBeGreaterThan(1 - 1e-12);
  });
});

test('what is no table is refused', () => {
  const good = { table: new Float32Array(4).fill(1), rows: 2, dim: 2, similarity: new Float32Array(4).fill(1) };
  expect(tableStatistics(good).toeplitz).toBeNaN();
  for (const [wrong, argument] of [
    [{ rows: 0 }, 'rows'],
    [{ dim: 1.5 }, 'dim'],
    [{ table: [1, 2, 3, 4] }, 'table'],
    [{ table: Float32Array.of(1, 2, 3, NaN) }, 'table'],
    [{ similarity: new Float32Array(3) }, 'similarity'],
    [{ other: 1 }, 'other'],
  ] as const) {
    const call = () => tableStatistics({ ...good, ...wrong } as never);
    expect(call).toThrow(PosencError);
    expect(call).toThrow(expect.objectContaining({ argument }));
  }
});
