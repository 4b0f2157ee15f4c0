import { expect, test } from 'vitest';
import { expectAttention } from '../../support/compare.ts';
import { bytes, floats, numbers, shape, type Stored } from '../../support/data.ts';
import { openFixture } from '../../support/fixture.ts';
import { attend, randomFloats } from '../../support/oracle.ts';
import { problem, small } from '../../support/problem.ts';
import { describeVariants } from '../../support/variants.ts';

interface AttentionCase {
  name: string;
  q: Stored;
  k: Stored;
  v: Stored;
  bias: Stored | null;
  sink: Stored | null;
  softcap: number | null;
  causal: boolean;
  window: number | null;
  q_offset: number;
  key_valid: Stored;
  allow: Stored;
  weights: Stored;
  out: Stored;
}
interface RotaryCase {
  layout: 'half' | 'interleaved';
  base: number;
  window: number | null;
  q: Stored;
  k: Stored;
  v: Stored;
  out: Stored;
}
const cases = openFixture<AttentionCase>('attention');
const rotaryCases = openFixture<RotaryCase>('rope_attention');

/** Sizes of stored query, key and value, each `[heads, length, width]`. */
function sizesOf({ q, k, v }: { q: Stored; k: Stored; v: Stored }) {
  const [heads, queryLength, headDim] = shape(q) as [number, number, number];
  const [kvHeads, keyLength] = shape(k) as [number, number];
  return { heads, kvHeads, queryLength, keyLength, headDim, valueDim: shape(v)[2] as number };
}

await describeVariants('attention', (encodings) => {
  test.each(cases.all)('gives weights and output of $name', (entry) => {
    const call = {
      query: floats(entry.q),
      key: floats(entry.k),
      value: floats(entry.v),
      format: 'bhsd',
      ...sizesOf(entry),
      queryStart: entry.q_offset,
      causal: entry.causal,
      keyValid: bytes(entry.key_valid),
      ...(entry.bias === null ? {} : { bias: floats(entry.bias) }),
      ...(entry.sink === null ? {} : { sinks: floats(entry.sink) }),
      ...(entry.softcap === null ? {} : { softcap: entry.softcap }),
      ...(entry.window === null ? {} : { window: entry.window }),
    } as const;
    expectAttention(encodings.attention(call), numbers(entry.out));
    expectAttention(encodings.attention({ ...call, returns: 'weights' }), numbers(entry.weights));
    const masked = Array.from(encodings.attention({ ...call, returns: 'scores' }), (score) =>
      Number(score !== -Infinity),
    );
    const allowed = numbers(entry.allow);
    masked.forEach((finite, i) => expect(finite).toBe(allowed[i % allowed.length]));
  });

  test.each(rotaryCases.all)('rotates $layout pairs inside, all at once and one query at a time', (entry) => {
    const sizes = sizesOf(entry);
    const call = {
      query: floats(entry.q),
      key: floats(entry.k),
      value: floats(entry.v),
      format: 'bhsd',
      ...sizes,
      rope: { headDim: sizes.headDim, base: entry.base, pairing: entry.layout },
      causal: true,
      ...(entry.window === null ? {} : { window: entry.window }),
    } as const;
    const expected = numbers(entry.out);
    expectAttention(encodings.attention(call), expected);

    const { heads, queryLength, headDim, valueDim } = sizes;
    for (let token = 0; token < queryLength; ++token) {
      const take = (values: ArrayLike<number>, width: number) =>
        Float32Array.from({ length: heads * width }, (_, i) => {
          return values[(Math.floor(i / width) * queryLength + token) * width + (i % width)] as number;
        });
      const step = encodings.attention({
        ...call,
        query: take(call.query, headDim),
        queryLength: 1,
        queryStart: token,
      });
      expectAttention(step, take(expected, valueDim));
    }
  });

  test.each([
    { heads: 1, kvHeads: 1, queryLength: 1, keyLength: 1, headDim: 1, valueDim: 1 },
    { heads: 2, kvHeads: 1, queryLength: 3, keyLength: 65, headDim: 7, valueDim: 5 },
    { heads: 6, kvHeads: 3, queryLength: 67, keyLength: 130, headDim: 16, valueDim: 9 },
    { heads: 3, kvHeads: 3, queryLength: 33, keyLength: 257, headDim: 64, valueDim: 64 },
    { heads: 2, kvHeads: 2, queryLength: 9, keyLength: 4, headDim: 8, valueDim: 8 },
  ])('agrees with the formula for sizes %o', (sizes) => {
    for (const causal of [false, true]) {
      for (const window of [undefined, 1, 3, { left: 4, right: 2 }, { left: Infinity, right: 0 }]) {
        const call = { ...problem(sizes), causal, ...(window === undefined ? {} : { window }) };
        const start = sizes.keyLength - sizes.queryLength;
        const [left, right] =
          window === undefined
            ? [Infinity, Infinity]
            : typeof window === 'number'
              ? [window - 1, window - 1]
              : [window.left, window.right];
        const allowed = (_: number, i: number, j: number) => {
          const distance = start + i - j;
          return (!causal || distance >= 0) && distance <= left && -distance <= right;
        };
        const expected = attend({ ...call, scale: 1 / Math.sqrt(sizes.headDim), allowed });
        expectAttention(encodings.attention(call), expected.output);
        expectAttention(encodings.attention({ ...call, returns: 'weights' }), expected.weights);
        expectAttention(encodings.attention({ ...call, returns: 'scores' }), expected.scores);
      }
    }
  });

  test('caps a scaled score before the bias, and takes any scale', () => {
    const call = { ...problem(small), scale: 3, softcap: 0.8 };
    const bias = randomFloats(small.heads * small.queryLength * small.keyLength, 4);
    const biasAt = (h: number, i: number, j: number) =>
      bias[(h * small.queryLength + i) * small.keyLength + j] as number;
    const expected = attend({ ...call, bias: biasAt });
    expectAttention(encodings.attention({ ...call, bias, returns: 'scores' }), expected.scores);
    expectAttention(encodings.attention({ ...call, bias }), expected.output);
  });

  test('takes ALiBi slopes: −slope × distance, to either side unless causal', () => {
    const slopes = Float64Array.of(1 / 2, 1 / 4, 1 / 8, 1 / 16);
    const start = small.keyLength - small.queryLength;
    for (const causal of [false, true]) {
      const call = { ...problem(small), causal };
      const expected = attend({
        ...call,
        scale: 1 / Math.sqrt(small.headDim),
        bias: (h, i, j) => -(slopes[h] as number) * Math.abs(start + i - j),
        allowed: (_, i, j) => !causal || j <= start + i,
      });
      expectAttention(encodings.attention({ ...call, bias: { alibi: slopes } }), expected.output);
    }
  });

  test('takes masks for all heads, per head, and per sequence and head', () => {
    const batch = 2;
    const { heads, kvHeads, queryLength, keyLength, headDim, valueDim } = small;
    const single = problem(small);
    const twice = (values: Float32Array) => Float32Array.of(...values, ...values);
    const call = { ...single, batch, query: twice(single.query), key: twice(single.key), value: twice(single.value) };
    const cells = queryLength * keyLength;
    for (const [count, at] of [
      [1, () => 0],
      [heads, (_: number, h: number) => h],
      [batch * heads, (b: number, h: number) => b * heads + h],
    ] as const) {
      const random = randomFloats(count * cells, 5);
      const mask = Uint8Array.from(random, (value) => Number(value > -0.3));
      const additive = random.map((value) => (value > -0.3 ? value : -Infinity));
      const output = encodings.attention({ ...call, mask });
      const added = encodings.attention({ ...call, mask: additive });
      for (let b = 0; b < batch; ++b) {
        const cell = (h: number, i: number, j: number) => at(b, h) * cells + i * keyLength + j;
        const rule = {
          scale: 1 / Math.sqrt(headDim),
          allowed: (h: number, i: number, j: number) => mask[cell(h, i, j)] === 1,
        };
        const part = (values: Float32Array) =>
          values.subarray(b * heads * queryLength * valueDim, (b + 1) * heads * queryLength * valueDim);
        expectAttention(part(output), attend({ ...single, kvHeads, ...rule }).output);
        const bias = (h: number, i: number, j: number) =>
          mask[cell(h, i, j)] === 1 ? (random[cell(h, i, j)] as number) : 0;
        expectAttention(part(added), attend({ ...single, ...rule, bias }).output);
      }
    }
  });

  test('leaves out keys that are not valid, for all sequences or each, and gives zeros where none is left', () => {
    const batch = 2;
    const { queryLength, keyLength, headDim, heads, valueDim } = small;
    const single = problem(small);
    const twice = (values: Float32Array) => Float32Array.of(...values, ...values);
    const call = { ...single, batch, query: twice(single.query), key: twice(single.key), value: twice(single.value) };
    const shared = Uint8Array.of(1, 0, 1, 1, 0, 1, 1);
    const each = Uint8Array.of(...shared, ...new Uint8Array(keyLength));
    const expected = attend({
      ...single,
      scale: 1 / Math.sqrt(headDim),
      allowed: (_, __, j) => shared[j] === 1,
    }).output;
    const size = heads * queryLength * valueDim;
    const output = encodings.attention({ ...call, keyValid: shared });
    expectAttention(output.subarray(0, size), expected);
    expectAttention(output.subarray(size), expected);
    const padded = encodings.attention({ ...call, keyValid: each });
    expectAttention(padded.subarray(0, size), expected);
    expect(padded.subarray(size)).toEqual(new Float32Array(size));
    const weights = encodings.attention({ ...call, keyValid: each, returns: 'weights' });
    expect(weights.subarray(weights.length / 2).every((weight) => weight === 0)).toBe(true);
  });

  test('takes masks of any broadcast shape, and forbids the keys past a short one', () => {
    const batch = 2;
    const { heads, queryLength, keyLength, valueDim } = small;
    const single = problem(small);
    const twice = (values: Float32Array) => Float32Array.of(...values, ...values);
    const call = { ...single, batch, query: twice(single.query), key: twice(single.key), value: twice(single.value) };
    for (const maskShape of [
      [keyLength],
      [3],
      [1],
      [queryLength, 4],
      [1, keyLength],
      [heads, 1, 6],
      [1, queryLength, keyLength],
      [batch, 1, queryLength, keyLength],
      [batch, heads, 1, 5],
      [1, 1, 1, 2],
      [batch, heads, queryLength, keyLength],
    ]) {
      const size = maskShape.reduce((product, axis) => product * axis, 1);
      const random = randomFloats(size, 6);
      const mask = Uint8Array.from(random, (value) => Number(value > -0.3));
      const additive = random.map((value) => (value > -0.3 ? value : -Infinity));
      const output = encodings.attention({ ...call, mask, maskShape });
      const added = encodings.attention({ ...call, mask: additive, maskShape });
      const [ofBatch, ofHeads, ofQueries, keys] = [...Array(4 - maskShape.length).fill(1), ...maskShape] as number[];
      for (let b = 0; b < batch; ++b) {
        const along = (axis: number | undefined, at: number) => (axis === 1 ? 0 : at);
        const cell = (h: number, i: number, j: number) => {
          const row = (along(ofBatch, b) * (ofHeads as number) + along(ofHeads, h)) * (ofQueries as number);
          return (row + along(ofQueries, i)) * (keys as number) + j;
        };
        const rule = {
          scale: 1 / Math.sqrt(small.headDim),
          allowed: (h: number, i: number, j: number) => j < (keys as number) && mask[cell(h, i, j)] === 1,
        };
        const part = (values: Float32Array) =>
          values.subarray(b * heads * queryLength * valueDim, (b + 1) * heads * queryLength * valueDim);
        expectAttention(part(output), attend({ ...single, ...rule }).output);
        const bias = (h: number, i: number, j: number) =>
          rule.allowed(h, i, j) ? (random[cell(h, i, j)] as number) : 0;
        expectAttention(part(added), attend({ ...single, ...rule, bias }).output);
      }
    }
  });
});
