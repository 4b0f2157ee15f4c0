import { expect, test } from 'vitest';
import { expectAttention } from '../../support/compare.ts';
import { floats, numbers, shape, type Stored } from '../../support/data.ts';
import { openFixture } from '../../support/fixture.ts';
import { attend, randomFloats } from '../../support/oracle.ts';
import { describeVariants } from '../../support/variants.ts';

interface Rule {
  bidirectional: boolean;
  num_buckets: number;
  max_distance: number;
}
interface BucketCase extends Rule {
  op: 'bucket';
  rel: Stored;
  bucket: Stored;
}
interface BiasCase extends Rule {
  op: 'bias';
  table: Stored;
  lq: number;
  lk: number;
  q_offset: number;
  bias: Stored;
}
const cases = openFixture<BucketCase | BiasCase>('t5');

const ruleOf = ({ bidirectional, num_buckets, max_distance }: Rule) => ({
  bidirectional,
  buckets: num_buckets,
  maxDistance: max_distance,
});

await describeVariants('t5Buckets', (encodings) => {
  test.each(cases.where((entry) => entry.op === 'bucket'))(
    'gives the fixture of $num_buckets buckets to $max_distance, bidirectional $bidirectional',
    (entry) => {
      const got = encodings.t5Buckets({ relative: numbers(entry.rel), ...ruleOf(entry) });
      expect(got).toEqual(Int32Array.from(numbers(entry.bucket)));
    },
  );

  test('start a bucket at the distance where logarithms of floats miss it', () => {
    // 40² = 32 × 50, so that distance 40 is exactly halfway, at step 16 of 32.
    const relative = [-39, -40, -41];
    const got = encodings.t5Buckets({ relative, bidirectional: false, buckets: 64, maxDistance: 50 });
    expect([...got]).toEqual([46, 48, 49]);
  });

  test('never fall with the distance, for many rules, and end in the last bucket', () => {
    const relative = Array.from({ length: 3000 }, (_, distance) => -distance);
    for (const buckets of [2, 3, 7, 32, 100, 999]) {
      for (const maxDistance of [500, 501, 1024, 2999]) {
        const got = encodings.t5Buckets({ relative, bidirectional: false, buckets, maxDistance });
        expect(got).toEqual(got.slice().sort());
        const nearest = Math.floor(buckets / 2);
        expect([...got.subarray(0, nearest)]).toEqual(Array.from({ length: nearest }, (_, distance) => distance));
        expect(new Set(got.subarray(maxDistance))).toEqual(new Set([buckets - 1]));
      }
    }
  });

  test('go into an array of the caller', () => {
    const out = new Int32Array(2);
    expect(encodings.t5Buckets({ relative: Int16Array.of(-1, 1), out })).toBe(out);
    expect([...out]).toEqual([1, 17]);
  });
});

await describeVariants('t5Bias', (encodings) => {
  test.each(cases.where((entry) => entry.op === 'bias'))('gives the fixture of $lq queries and $lk keys', (entry) => {
    const bias = encodings.t5Bias({
      table: floats(entry.table),
      heads: shape(entry.table)[1] as number,
      queryLength: entry.lq,
      keyLength: entry.lk,
      queryStart: entry.q_offset,
      ...ruleOf(entry),
    });
    expect(bias).toEqual(floats(entry.bias));
  });

  test('puts the queries at the end of the keys by default, where a decoder with a cache has them', () => {
    const call = { table: randomFloats(64, 1), heads: 2, keyLength: 50, bidirectional: false };
    const whole = encodings.t5Bias({ ...call, queryLength: 50 });
    const last = encodings.t5Bias({ ...call, queryLength: 1 });
    expect([...last]).toEqual([...whole.subarray(49 * 50, 50 * 50), ...whole.subarray(99 * 50, 100 * 50)]);
  });

  test('is a bias of attention without a scale', () => {
    const sizes = { heads: 2, kvHeads: 2, queryLength: 3, keyLength: 40, headDim: 4, valueDim: 4 };
    const problem = {
      ...sizes,
      query: randomFloats(24, 1),
      key: randomFloats(320, 2),
      value: randomFloats(320, 3),
      scale: 1,
    };
    const table = randomFloats(64, 4);
    const relative = Array.from({ length: 40 }, (_, distance) => -distance);
    const rows = encodings.t5Buckets({ relative, bidirectional: false });
    const expected = attend({
      ...problem,
      bias: (h, i, j) => table[(rows[Math.max(0, i + 37 - j)] as number) * 2 + h] as number,
      allowed: (_, i, j) => j <= i + 37,
    });
    const bias = encodings.t5Bias({ table, heads: 2, queryLength: 3, keyLength: 40, bidirectional: false });
    expectAttention(encodings.attention({ ...problem, format: 'bhsd', causal: true, bias }), expected.output);
  });

  test('takes its table from a buffer and goes into another', () => {
    const table = randomFloats(96, 5);
    const call = { heads: 3, queryLength: 4, keyLength: 9 };
    const [held, out] = [encodings.buffer(96), encodings.buffer(108)];
    held.set(table);
    expect(encodings.t5Bias({ ...call, table: held, out })).toBe(out);
    const values = out.view().slice();
    held.dispose();
    out.dispose();
    expect(values).toEqual(encodings.t5Bias({ ...call, table }));
  });
});
