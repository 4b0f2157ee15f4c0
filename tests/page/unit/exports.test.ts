import { describe, expect, test } from 'vitest';
import { npy } from '../../../web/app/exports/npy.ts';
import { csv, markdown, numbersOf } from '../../../web/app/exports/table-files.ts';

describe('an NPY file', () => {
  test('is a version 1.0 header in 64 bytes or a multiple, and float64 in little endian', () => {
    const values = [0, -0, 1.5, -1e308, 5e-324, Math.PI];
    const file = npy({ values, shape: [2, 3] });
    const text = new TextDecoder('latin1').decode(file);
    expect([...file.subarray(0, 8)]).toEqual([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0]);
    const length = file[8]! + 256 * file[9]!;
    expect((10 + length) % 64).toBe(0);
    expect(text.slice(10, 10 + length)).toMatch(
      /^\{'descr': '<f8', 'fortran_order': False, 'shape': \(2, 3\), \} *\n$/,
    );
    expect(file.length).toBe(10 + length + 8 * 6);
    const numbers = Buffer.from(file.subarray(10 + length));
    expect(values.map((_, i) => numbers.readDoubleLE(8 * i))).toEqual(values);
  });

  test('of one axis has a comma in its shape', () => {
    expect(Buffer.from(npy({ values: [1], shape: [1] })).toString('latin1')).toContain("'shape': (1,), }");
  });

  test('is refused where shape and numbers differ', () => {
    expect(() => npy({ values: [1, 2], shape: [3] })).toThrow('the shape holds 3 numbers; got 2');
  });
});

describe('a table', () => {
  const table = {
    columns: ['word', 'd\u2009=\u20091', 'a "b", c'],
    rows: 2,
    cell: () => 'not this',
    value: (row: number, column: number) => [`x|${row},\n`, 1 / 3, row][column]!,
  };

  test('becomes CSV with every digit, quoted where needed', () => {
    expect(csv(table)).toBe(
      'word,d=1,"a ""b"", c"\r\n"x|0,\n",0.3333333333333333,0\r\n"x|1,\n",0.3333333333333333,1\r\n',
    );
  });

  test('becomes Markdown, numbers to the right', () => {
    expect(markdown(table)).toBe(
      '| word | d=1 | a "b", c |\n| --- | --: | --: |\n| x\\|0,  | 0.3333333333333333 | 0 |\n| x\\|1,  | 0.3333333333333333 | 1 |\n',
    );
  });

  test('gives its numbers as an array', () => {
    expect(numbersOf(table)).toEqual({ values: Float64Array.of(1 / 3, 0, 1 / 3, 1), shape: [2, 2] });
  });
});
