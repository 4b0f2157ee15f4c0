import { expect, test } from 'vitest';
import { randomFloats } from '../../support/oracle.ts';
import { describeVariants } from '../../support/variants.ts';

await describeVariants('keyStart', (encodings) => {
  const sizes = { heads: 2, queryLength: 3, keyLength: 7 };
  const network = {
    w1: randomFloats(5, 1),
    b1: randomFloats(5, 2),
    w2: randomFloats(10, 3),
    b2: randomFloats(2, 4),
    c: 0.1,
    threshold: 40,
  };
  const [a, p] = [Float32Array.of(0.5, 2), Float32Array.of(1, 0.3)];
  const biases = {
    alibiBias: (starts: object) => encodings.alibiBias({ ...sizes, ...starts }),
    t5Bias: (starts: object) => encodings.t5Bias({ ...sizes, ...starts, table: randomFloats(64, 5) }),
    kerpleBias: (starts: object) => encodings.kerpleBias({ ...sizes, ...starts, kind: 'log', a, p }),
    fireBias: (starts: object) => encodings.fireBias({ ...sizes, ...starts, ...network }),
  };

  test.each(Object.entries(biases))('moves the keys of %s and, by default, the queries after them', (_, bias) => {
    const here = bias({});
    expect(bias({ keyStart: 20 })).toEqual(here);
    expect(bias({ keyStart: -9, queryStart: -5 })).toEqual(here);
    // Keys from 2 on are the last columns of keys from 0 on.
    const [wide, narrow] = [bias({ queryStart: 6, keyStart: 0 }), bias({ queryStart: 6, keyStart: 2 })];
    for (let row = 0; row < 6; ++row) {
      expect(narrow.subarray(7 * row, 7 * row + 5)).toEqual(wide.subarray(7 * row + 2, 7 * row + 7));
    }
    expect(narrow).not.toEqual(wide);
  });

  test('leaves the threshold of FIRE where it is: past it the position of the query counts', () => {
    const bias = (keyStart: number) => biases.fireBias({ keyStart });
    expect(bias(33)).toEqual(bias(0)); // queries at 37 to 39
    expect(bias(50)).not.toEqual(bias(0));
    expect(bias(50)).not.toEqual(bias(60));
  });

  test('is the position of the first of the keys that positions are given for', () => {
    const positions = [0, 0, 0, 1, 2, 3, 4];
    const here = biases.alibiBias({ positions });
    expect(biases.alibiBias({ positions, keyStart: 100 })).toEqual(here);
    expect(biases.alibiBias({ positions, keyStart: 100, queryStart: 104 })).toEqual(here);
  });
});
