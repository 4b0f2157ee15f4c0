import { type Encodings, load } from 'posenc';
import { beforeAll, describe, expect, test } from 'vitest';
import { wavesTask } from '../../../web/app/figures/waves/task.js';

let encodings: Encodings;
beforeAll(async () => {
  encodings = await load();
});

const request = { tokens: ['a', 'b'], length: 9, dim: 16, base: 777 };

describe('columns further down than the rows', () => {
  // Neither a whole number of slices nor less than one.
  const far = { columns: [3, 0, 14], length: 1234 };

  test('are the sines and cosines of the formula', () => {
    const result = wavesTask(encodings, { ...request, far });
    expect(result.far).toHaveLength(far.columns.length * far.length);
    far.columns.forEach((column, k) => {
      const frequency = 777 ** (-(column - (column % 2)) / 16);
      for (let position = 0; position < far.length; position++) {
        const exact = column % 2 === 0 ? Math.sin(position * frequency) : Math.cos(position * frequency);
        expect(Math.abs(result.far![k * far.length + position]! - exact)).toBeLessThan(2 ** -23);
      }
    });
  });

  test('begin as the table does', () => {
    const { encoding, far: values } = wavesTask(encodings, { ...request, far });
    far.columns.forEach((column, k) => {
      for (let row = 0; row < 9; row++) expect(values![k * far.length + row]).toBe(encoding[row * 16 + column]);
    });
  });

  test('are not there unless they are asked for', () => {
    expect(wavesTask(encodings, request).far).toBeUndefined();
  });
});
