import { tokenPositions } from 'posenc';
import { expect, test } from 'vitest';
import { expectNear } from '../../support/compare.ts';
import { floats, numbers, shape, type Stored } from '../../support/data.ts';
import { openFixture } from '../../support/fixture.ts';
import { exactCosSin, randomFloats } from '../../support/oracle.ts';
import { describeVariants } from '../../support/variants.ts';

interface IndexCase {
  op: 'index';
  length: number;
  integer: Stored;
  unit: Stored;
  fraction: Stored;
}
interface OneHotCase {
  op: 'one_hot';
  positions: Stored;
  max_len: number;
  out: Stored;
}
interface LearnedCase {
  op: 'learned';
  table: Stored;
  positions: Stored;
  offset: number;
  out: Stored;
}
interface ModuleCase {
  x: Stored;
  max_len: number;
  padded: Stored;
  p_drop: number;
  keep_mask: Stored;
  eval: Stored;
  train: Stored;
}
const cases = openFixture<IndexCase | OneHotCase | LearnedCase>('absolute_basic');
const modules = openFixture<ModuleCase>('pe_module');

await describeVariants('indexEncoding', (encodings) => {
  test.each(cases.where((entry) => entry.op === 'index'))('gives $length positions in every mode', (entry) => {
    for (const mode of ['integer', 'unit', 'fraction'] as const) {
      const expected = Float32Array.from(numbers(entry[mode]));
      expect(encodings.indexEncoding({ length: entry.length, mode })).toEqual(expected);
    }
  });

  test('counts exactly to 2^24', () => {
    const last = 2 ** 24;
    expect(encodings.indexEncoding({ length: last + 1 })[last]).toBe(last);
  });
});

await describeVariants('oneHot', (encodings) => {
  test.each(cases.where((entry) => entry.op === 'one_hot'))('gives $max_len columns', (entry) => {
    const positions = Int32Array.from(numbers(entry.positions));
    expect(encodings.oneHot({ positions, maxLength: entry.max_len })).toEqual(floats(entry.out));
  });
});

await describeVariants('learned', (encodings) => {
  test.each(cases.where((entry) => entry.op === 'learned'))('takes rows with offset $offset', (entry) => {
    const [rows, dim] = shape(entry.table) as [number, number];
    const options = {
      table: floats(entry.table),
      rows,
      dim,
      positions: numbers(entry.positions),
      offset: entry.offset,
    };
    expect(encodings.learned(options)).toEqual(floats(entry.out));
  });

  test.each([
    ['BERT', 512, 0, 0],
    ['GPT-2', 1024, 0, 0],
    ['OPT', 2048, 2, 0],
    ['RoBERTa', 512, 2, 1],
  ])('ends where the table of %s ends: %i positions after %i rows', (_, positions, offset, paddingIndex) => {
    const [rows, dim] = [positions + offset, 4];
    const table = randomFloats(rows * dim, 9);
    const row = (at: number) => table.subarray(at * dim, (at + 1) * dim);
    const call = { table, rows, dim, offset };
    const found = encodings.learned({ ...call, positions: [0, positions - 1] });
    expect(found.subarray(0, dim)).toEqual(row(offset));
    expect(found.subarray(dim)).toEqual(row(rows - 1));
    expect(() => encodings.learned({ ...call, positions: [positions] })).toThrowError(
      expect.objectContaining({ name: 'PosencError', code: 'bad-argument', argument: 'positions', got: positions }),
    );
    if (paddingIndex === 0) return;
    // The same rows by positions that are counted past the index of padding, which has a row of its own.
    const counted = tokenPositions({ ids: [7, 8, paddingIndex, 9], paddingIndex });
    const padded = encodings.learned({ table, rows, dim, positions: counted });
    expect(padded).toEqual(Float32Array.from([2, 3, 1, 4].flatMap((at) => [...row(at)])));
  });

  test('is one-hot positions times the table', () => {
    const [rows, dim] = [7, 3];
    const table = randomFloats(rows * dim, 1);
    const positions = [6, 0, 3, 3];
    const oneHot = encodings.oneHot({ positions, maxLength: rows });
    const product = positions.flatMap((_, row) =>
      Array.from({ length: dim }, (_, column) => {
        let sum = 0;
        for (let k = 0; k < rows; ++k) sum += (oneHot[row * rows + k] as number) * (table[k * dim + column] as number);
        return sum;
      }),
    );
    expect([...encodings.learned({ table, rows, dim, positions })]).toEqual(product);
  });
});

await describeVariants('positionalEncoding', (encodings) => {
  test.each(modules.all)('adds the encoding to a padded sequence', (entry) => {
    const [length, dim] = shape(entry.padded) as [number, number];
    const x = floats(entry.padded);
    const sum = encodings.positionalEncoding({ x, length, dim, maxLength: entry.max_len });
    expectNear(sum, numbers(entry.eval), { absolute: 2e-6 });
    const mask = numbers(entry.keep_mask);
    const kept = numbers(entry.train).map((value, i) => (mask[i] === 0 ? 0 : value));
    expectNear(
      sum.map((value, i) => (mask[i] === 0 ? 0 : value / (1 - entry.p_drop))),
      kept,
      { absolute: 2e-6 },
    );
  });

  test('gives every sequence of a batch the same encoding', () => {
    const [batch, length, dim] = [3, 5, 7];
    const x = randomFloats(batch * length * dim, 2);
    const sum = encodings.positionalEncoding({ x, batch, length, dim });
    const expected = Float64Array.from(x, (value, i) => {
      const [position, column] = [Math.floor(i / dim) % length, i % dim];
      const pair = Math.floor(column / 2);
      return value + (exactCosSin(position, 10000 ** ((-2 * pair) / dim))[column % 2 === 0 ? 1 : 0] as number);
    });
    expectNear(sum, expected, { absolute: 2e-7 });
  });

  test('drops a share of the elements, divides the rest by 1 − p, and repeats itself for a seed', () => {
    const [length, dim, dropout] = [200, 250, 0.3];
    const x = new Float32Array(length * dim).fill(3);
    const options = { x, length, dim, dropout, seed: 42 };
    const first = encodings.positionalEncoding(options);
    const bare = encodings.positionalEncoding({ x, length, dim });
    let dropped = 0;
    first.forEach((value, i) => {
      if (value === 0) ++dropped;
      else expect(value).toBeCloseTo((bare[i] as number) / (1 - dropout), 5);
    });
    // Five standard deviations of a binomial count.
    const count = length * dim;
    const spread = Math.sqrt(count * dropout * (1 - dropout));
    expect(Math.abs(dropped - count * dropout)).toBeLessThan(5 * spread);
    expect(encodings.positionalEncoding(options)).toEqual(first);
    expect(encodings.positionalEncoding({ ...options, seed: 43 })).not.toEqual(first);
  });

  test('leaves the bare encoding in rows of padding: |PE|² = dim / 2', () => {
    const [length, dim] = [80, 312];
    const sum = encodings.positionalEncoding({ x: new Float32Array(length * dim), length, dim });
    for (const row of [3, 79]) {
      const norm = Math.hypot(...sum.subarray(row * dim, (row + 1) * dim));
      expect(norm).toBeCloseTo(Math.sqrt(156), 4);
    }
  });

  test('works in place on a buffer', () => {
    const [length, dim] = [4, 6];
    const x = randomFloats(length * dim, 3);
    const expected = encodings.positionalEncoding({ x, length, dim });
    const buffer = encodings.buffer(length * dim);
    buffer.set(x);
    expect(encodings.positionalEncoding({ x: buffer, length, dim, out: buffer })).toBe(buffer);
    expect(buffer.view()).toEqual(expected);
    buffer.dispose();
  });
});
