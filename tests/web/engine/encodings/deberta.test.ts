import { expect, test } from 'vitest';
import { expectAttention } from '../../support/compare.ts';
import { floats, numbers, shape, type Stored } from '../../support/data.ts';
import { openFixture } from '../../support/fixture.ts';
import { randomFloats } from '../../support/oracle.ts';
import { describeVariants } from '../../support/variants.ts';

interface BucketCase {
  op: 'bucket';
  bucket_size: number;
  max_position: number;
  delta: Stored;
  bucket: Stored;
}
interface ScoresCase {
  op: 'scores';
  pos_att_type: string;
  bucket_size: number;
  max_position: number;
  span: number;
  q: Stored;
  k: Stored;
  pos_k: Stored | null;
  pos_q: Stored | null;
  row: Stored;
  scores: Stored;
}
const cases = openFixture<BucketCase | ScoresCase>('deberta');
const bucketCases = cases.where((entry) => entry.op === 'bucket');
const scoresCases = cases.where((entry) => entry.op === 'scores');

await describeVariants('debertaBuckets', (encodings) => {
  test.each(bucketCases)('gives the fixture of $bucket_size buckets to $max_position', (entry) => {
    const { bucket_size: bucketSize, max_position: maxPosition } = entry;
    const buckets = encodings.debertaBuckets({ delta: numbers(entry.delta), bucketSize, maxPosition });
    expect([...buckets]).toEqual([...numbers(entry.bucket)]);
  });

  test('are exact where doubles miss a border', () => {
    const rule = { bucketSize: 32, maxPosition: 129 };
    expect([...encodings.debertaBuckets({ delta: [32, 64, -32, -64], ...rule })]).toEqual([21, 26, -21, -26]);
  });

  test('go into an array of the caller', () => {
    const out = new Int32Array(3);
    const delta = [127, 200, -129];
    expect(encodings.debertaBuckets({ delta, bucketSize: 256, maxPosition: 512, out })).toBe(out);
    expect([...out]).toEqual([127, 169, -129]);
  });
});

await describeVariants('debertaScores', (encodings) => {
  test.each(scoresCases)('gives the fixture of $pos_att_type with span $span', (entry) => {
    const [heads, queryLength, headDim] = shape(entry.q) as [number, number, number];
    const call = {
      ...{ query: floats(entry.q), key: floats(entry.k), format: 'bhsd' as const },
      ...{ heads, queryLength, keyLength: shape(entry.k)[1] as number, headDim, span: entry.span },
      ...(entry.pos_k === null ? {} : { relativeKey: floats(entry.pos_k) }),
      ...(entry.pos_q === null ? {} : { relativeQuery: floats(entry.pos_q) }),
    };
    const { bucket_size: bucketSize, max_position: maxPosition } = entry;
    expectAttention(encodings.debertaScores({ ...call, bucketSize, maxPosition }), numbers(entry.scores));
    if (bucketSize === -1) expectAttention(encodings.debertaScores(call), numbers(entry.scores));
  });

  test('depends on the distance only where queries and keys are the same everywhere', () => {
    const [query, key] = [randomFloats(6, 1), randomFloats(6, 2)];
    const tokens = (vector: Float32Array, count: number) =>
      Float32Array.from({ length: count * 6 }, (_, n) => vector[n % 6] as number);
    const scores = encodings.debertaScores({
      ...{ query: tokens(query, 5), key: tokens(key, 9), heads: 1, queryLength: 5, keyLength: 9, headDim: 6, span: 4 },
      ...{ relativeKey: randomFloats(48, 3), relativeQuery: randomFloats(48, 4), bucketSize: 4, maxPosition: 8 },
    });
    for (let i = 1; i < 5; ++i) {
      for (let j = 1; j < 9; ++j) expect(scores[i * 9 + j]).toBe(scores[(i - 1) * 9 + j - 1]);
    }
  });

  test('takes tensors from buffers and goes into another', () => {
    const call = {
      ...{ query: randomFloats(40, 1), key: randomFloats(24, 2), relativeKey: randomFloats(48, 3), span: 3 },
      ...{ heads: 2, queryLength: 5, keyLength: 3, headDim: 4 },
    };
    const [held, out] = [encodings.buffer(48), encodings.buffer(30)];
    held.set(call.relativeKey);
    expect(encodings.debertaScores({ ...call, relativeKey: held, out })).toBe(out);
    const values = out.view().slice();
    held.dispose();
    out.dispose();
    expect(values).toEqual(encodings.debertaScores(call));
  });
});
