import { expect, test } from 'vitest';
import { expectAttention, expectNear } from './support/compare.ts';
import { bytes, floats, numbers, readCases, readFixture, shape, type Stored } from './support/data.ts';
import { randomFloats } from './support/oracle.ts';
import { describeVariants } from './support/variants.ts';

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
const cases = readFixture<BucketCase | ScoresCase>('deberta');
const bucketCases = cases.filter((entry) => entry.op === 'bucket');
const scoresCases = cases.filter((entry) => entry.op === 'scores');

interface ForeignCase {
  name: string;
  op: string;
  params: Record<string, number | string[] | boolean | string>;
  inputs: Record<string, Stored>;
  outputs: Record<string, Stored>;
  tolerance: { rtol: number; atol: number };
}
const foreign = readCases<ForeignCase>('../../conformance/hf_attention_bias.json').filter(({ name }) =>
  name.startsWith('deberta'),
);
const ofOp = (op: string) => foreign.filter((entry) => entry.op === op);
const within = ({ tolerance }: ForeignCase) => ({ absolute: tolerance.atol, relative: tolerance.rtol });

test('holds every case of DeBERTa', () => {
  const ops = ['DebertaLogBucket', 'DebertaRelativePosition', 'DebertaV2Disentangled', 'DebertaV1Disentangled'];
  expect(ops.map((op) => ofOp(op).length)).toEqual([3, 2, 2, 1]);
  expect(foreign.length).toBe(8);
});

await describeVariants('debertaBuckets', (encodings) => {
  test.each(bucketCases)('gives the fixture of $bucket_size buckets to $max_position', (entry) => {
    const { bucket_size: bucketSize, max_position: maxPosition } = entry;
    const buckets = encodings.debertaBuckets({ delta: numbers(entry.delta), bucketSize, maxPosition });
    expect([...buckets]).toEqual([...numbers(entry.bucket)]);
  });

  test.each(ofOp('DebertaLogBucket'))('agrees with $name, which does not clamp', ({ params, inputs, outputs }) => {
    const { bucket_size, max_position } = params as Record<string, number>;
    const rule = { bucketSize: bucket_size as number, maxPosition: max_position as number };
    const delta = numbers(inputs.relative_position);
    expect([...encodings.debertaBuckets({ delta, ...rule, clamp: false })]).toEqual([...numbers(outputs.bucket)]);
    const clamped = delta.map((d) => Math.max(1 - rule.maxPosition, Math.min(rule.maxPosition - 1, d)));
    expect(encodings.debertaBuckets({ delta, ...rule })).toEqual(
      encodings.debertaBuckets({ delta: clamped, ...rule, clamp: false }),
    );
  });

  test.each(ofOp('DebertaRelativePosition'))('are what a row of $name holds', ({ params, outputs }) => {
    const { query_size, key_size, bucket_size, max_position } = params as Record<string, number>;
    const delta = Array.from({ length: (query_size as number) * (key_size as number) }, (_, n) => {
      return Math.floor(n / (key_size as number)) - (n % (key_size as number));
    });
    const rule = { bucketSize: bucket_size as number, maxPosition: max_position as number, clamp: false };
    const got = bucket_size === -1 ? delta : [...encodings.debertaBuckets({ delta, ...rule })];
    expect(got).toEqual([...numbers(outputs.relative_pos)]);
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

  test.each([...ofOp('DebertaV2Disentangled'), ...ofOp('DebertaV1Disentangled')])('agrees with $name', (entry) => {
    const { inputs, outputs, params } = entry;
    const { att_span, position_buckets = -1, max_relative_positions } = params as Record<string, number>;
    const [heads, queryLength, headDim] = shape(inputs.q).slice(-3) as [number, number, number];
    const batch = shape(inputs.q).length === 4 ? (shape(inputs.q)[0] as number) : 1;
    const sizes = { batch, heads, queryLength, keyLength: queryLength, headDim };
    const scores = encodings.debertaScores({
      ...{
        ...sizes,
        query: floats(inputs.q),
        key: floats(inputs.k),
        format: 'bhsd' as const,
        span: att_span as number,
      },
      ...(inputs.pos_key === undefined ? {} : { relativeKey: floats(inputs.pos_key) }),
      ...(inputs.pos_query === undefined ? {} : { relativeQuery: floats(inputs.pos_query) }),
      ...(position_buckets === -1
        ? {}
        : { bucketSize: position_buckets, maxPosition: max_relative_positions as number, clamp: false }),
    });
    const size = queryLength * queryLength;
    for (let b = 0; b < batch; ++b) {
      const zeros = new Float32Array(heads * queryLength * headDim);
      const call = {
        ...{ heads, queryLength, keyLength: queryLength, headDim, format: 'bhsd' as const },
        ...{ query: zeros, key: zeros, value: floats(inputs.v).subarray(b * zeros.length, (b + 1) * zeros.length) },
        bias: scores.slice(b * heads * size, (b + 1) * heads * size),
        ...(inputs.attention_mask === undefined ? {} : { mask: bytes(inputs.attention_mask) }),
      };
      // A padded query attends to nothing here and to everything there.
      const attends = Array.from({ length: queryLength }, (_, i) => {
        return call.mask === undefined || call.mask.subarray(i * queryLength, (i + 1) * queryLength).includes(1);
      });
      const weights = encodings.attention({ ...call, returns: 'weights' });
      const expected = numbers(outputs.attention_probs).subarray(b * heads * size, (b + 1) * heads * size);
      const counts = (n: number) => attends[Math.floor(n / queryLength) % queryLength];
      expectNear(
        weights.filter((_, n) => counts(n)),
        expected.filter((_, n) => counts(n)),
        within(entry),
      );
      const output = encodings.attention(call);
      const context = numbers(outputs.context).subarray(b * zeros.length, (b + 1) * zeros.length);
      output.forEach((value, n) => {
        const [c, i, h] = [n % headDim, Math.floor(n / headDim) % queryLength, Math.floor(n / headDim / queryLength)];
        if (attends[i]) expectNear([value], [context[(i * heads + h) * headDim + c] as number], within(entry));
      });
    }
    if (outputs.rel_att_bias === undefined) return;
    const content = encodings.debertaScores({
      ...{ ...sizes, query: floats(inputs.q), key: floats(inputs.k), format: 'bhsd', span: att_span as number },
    });
    const terms = params.scale_factor as number;
    expectNear(
      scores.map((score, n) => score - (content[n] as number) / Math.sqrt(terms)),
      numbers(outputs.rel_att_bias),
      within(entry),
    );
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
