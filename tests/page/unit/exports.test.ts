import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { npy } from '../../../web/app/exports/npy.ts';
import { frequenciesOf } from '../../../web/app/exports/numpy.ts';
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

  const texts = (...cells: string[]) => ({
    columns: ['word', 'number'],
    rows: cells.length,
    cell: () => 'not this',
    value: (row: number, column: number) => (column === 0 ? cells[row]! : -0.5),
  });

  test.each([
    ['=HYPERLINK("https://x.org")', `"'=HYPERLINK(""https://x.org"")"`],
    ['+1+cmd', `'+1+cmd`],
    ['-1+2', `'-1+2`],
    ['@SUM(A1)', `'@SUM(A1)`],
    ['\tx', `'\tx`],
    ['\rx', `"'\rx"`],
    ['-0.5, 0.25', '"-0.5, 0.25"'],
    ['-3', '-3'],
    ['a=b', 'a=b'],
  ])('holds %j in CSV as %s, and no formula', (cell, written) => {
    expect(csv(texts(cell))).toBe(`word,number\r\n${written},-0.5\r\n`);
  });

  test.each([
    ['<img src=x onerror=alert(1)>', '\\<img src=x onerror=alert(1)\\>'],
    ['[x](javascript:alert(1))', '\\[x\\](javascript:alert(1))'],
    ['a|b\\c', 'a\\|b\\\\c'],
  ])('holds %s in Markdown as text', (cell, written) => {
    expect(markdown(texts(cell))).toBe(`| word | number |\n| --- | --: |\n| ${written} | -0.5 |\n`);
  });

  test('gives its numbers as an array', () => {
    expect(numbersOf(table)).toEqual({ values: Float64Array.of(1 / 3, 0, 1 / 3, 1), shape: [2, 2] });
  });
});

describe('the frequencies of a script', () => {
  const python = process.env['PYTHON_PATH'] ?? '/usr/bin/python3';
  const printed = (params: Parameters<typeof frequenciesOf>[0]): number[] => {
    const script = `import numpy as np\nnp.seterr(all='raise')\n${frequenciesOf(params)}\nprint(frequency.tolist())`;
    return JSON.parse(execFileSync(python, ['-c', script], { encoding: 'utf8' })) as number[];
  };
  const llama = { headDim: 128, rotaryDim: 128, base: 500000, type: 'llama3', originalMaxPosition: 8192 } as const;

  // meta-llama/Llama-4-Scout-17B-16E, config.json: pairs with a turn in 8192 tokens are kept, all others divided by 16.
  test('have a step where the two factors of llama3 are equal', () => {
    const found = printed({ ...llama, factor: 16, lowFreqFactor: 1, highFreqFactor: 1 });
    for (let pair = 0; pair < 64; ++pair) {
      const plain = 500000 ** (-pair / 64);
      const expected = (8192 * plain) / (2 * Math.PI) >= 1 ? plain : plain / 16;
      expect(found[pair]! / expected, `pair ${pair}`).toBeCloseTo(1, 12);
    }
    expect(found).toHaveLength(64);
  });

  test('and a ramp where they are not', () => {
    const found = printed({ ...llama, factor: 8, lowFreqFactor: 1, highFreqFactor: 4 });
    // 8192 / 2π × 500000^(−p / 64) is 4 at p = 28.2 and 1 at p = 34.98.
    const divisors = found.map((frequency, pair) => 500000 ** (-pair / 64) / frequency);
    expect(divisors.slice(0, 29).every((divisor) => Math.abs(divisor - 1) < 1e-12)).toBe(true);
    expect(divisors.slice(35).every((divisor) => Math.abs(divisor - 8) < 1e-11)).toBe(true);
    expect(divisors.slice(29, 35).every((divisor) => divisor > 1 && divisor < 8)).toBe(true);
  });
});
