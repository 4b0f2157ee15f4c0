import { expect } from 'vitest';
import { expectNear } from '../support/compare.ts';
import { bytes, floats, numbers, shape } from '../support/data.ts';
import { expectOutput, within, type Run, type Suites } from './case.ts';

/** Theirs do not clamp; clamping is the same for distances held to those that a model has. */
const logBucket: Run<{ bucket_size: number; max_position: number }> = (encodings, { params, inputs, outputs }) => {
  const rule = { bucketSize: params.bucket_size, maxPosition: params.max_position };
  const delta = numbers(inputs.relative_position);
  expect([...encodings.debertaBuckets({ delta, ...rule, clamp: false })]).toEqual([...numbers(outputs.bucket)]);
  const clamped = delta.map((d) => Math.max(1 - rule.maxPosition, Math.min(rule.maxPosition - 1, d)));
  expect(encodings.debertaBuckets({ delta, ...rule })).toEqual(
    encodings.debertaBuckets({ delta: clamped, ...rule, clamp: false }),
  );
};

interface PositionParams {
  query_size: number;
  key_size: number;
  /** −1 without buckets. */
  bucket_size: number;
  max_position: number;
}
const relativePosition: Run<PositionParams> = (encodings, { params, outputs }) => {
  const { query_size, key_size, bucket_size: bucketSize, max_position: maxPosition } = params;
  const delta = Array.from({ length: query_size * key_size }, (_, n) => Math.floor(n / key_size) - (n % key_size));
  const rule = { bucketSize, maxPosition, clamp: false };
  const found = bucketSize === -1 ? delta : [...encodings.debertaBuckets({ delta, ...rule })];
  expect(found).toEqual([...numbers(outputs.relative_pos)]);
};

interface ScoresParams {
  att_span: number;
  position_buckets?: number;
  max_relative_positions: number;
  scale_factor: number;
}
const disentangled: Run<ScoresParams> = (encodings, entry) => {
  const { inputs, outputs, params } = entry;
  const { att_span: span, position_buckets: bucketSize = -1, max_relative_positions: maxPosition } = params;
  const [heads, queryLength, headDim] = shape(inputs.q).slice(-3) as [number, number, number];
  const batch = shape(inputs.q).length === 4 ? (shape(inputs.q)[0] as number) : 1;
  const call = {
    ...{ query: floats(inputs.q), key: floats(inputs.k), format: 'bhsd' as const, span },
    ...{ batch, heads, queryLength, keyLength: queryLength, headDim },
  };
  const scores = encodings.debertaScores({
    ...call,
    ...(inputs.pos_key && { relativeKey: floats(inputs.pos_key) }),
    ...(inputs.pos_query && { relativeQuery: floats(inputs.pos_query) }),
    ...(bucketSize !== -1 && { bucketSize, maxPosition, clamp: false }),
  });
  const size = queryLength * queryLength;
  for (let b = 0; b < batch; ++b) {
    const zeros = new Float32Array(heads * queryLength * headDim);
    const attended = {
      ...{ heads, queryLength, keyLength: queryLength, headDim, format: 'bhsd' as const },
      ...{ query: zeros, key: zeros, value: floats(inputs.v).subarray(b * zeros.length, (b + 1) * zeros.length) },
      bias: scores.slice(b * heads * size, (b + 1) * heads * size),
      ...(inputs.attention_mask && { mask: bytes(inputs.attention_mask) }),
    };
    // A padded query attends to nothing here and to everything there.
    const attends = Array.from({ length: queryLength }, (_, i) => {
      return attended.mask?.subarray(i * queryLength, (i + 1) * queryLength).includes(1) ?? true;
    });
    const weights = encodings.attention({ ...attended, returns: 'weights' });
    const expected = numbers(outputs.attention_probs).subarray(b * heads * size, (b + 1) * heads * size);
    const counts = (n: number) => attends[Math.floor(n / queryLength) % queryLength];
    expectNear(
      weights.filter((_, n) => counts(n)),
      expected.filter((_, n) => counts(n)),
      within(entry),
    );
    const context = numbers(outputs.context).subarray(b * zeros.length, (b + 1) * zeros.length);
    encodings.attention(attended).forEach((value, n) => {
      const [c, i, h] = [n % headDim, Math.floor(n / headDim) % queryLength, Math.floor(n / headDim / queryLength)];
      if (attends[i]) expectNear([value], [context[(i * heads + h) * headDim + c] as number], within(entry));
    });
  }
  if (outputs.rel_att_bias === undefined) return;
  const content = encodings.debertaScores(call);
  const positional = scores.map((score, n) => score - (content[n] as number) / Math.sqrt(params.scale_factor));
  expectOutput(positional, entry, outputs.rel_att_bias);
};

export const deberta: Suites = {
  hf_attention_bias: {
    DebertaLogBucket: logBucket,
    DebertaRelativePosition: relativePosition,
    DebertaV1Disentangled: disentangled,
    DebertaV2Disentangled: disentangled,
  },
};
