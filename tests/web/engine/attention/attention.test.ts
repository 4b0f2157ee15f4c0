import { ropeFrequencies } from 'posenc';
import { expect, test } from 'vitest';
import { expectAttention, expectNear } from '../../support/compare.ts';
import { bytes, floats, numbers, shape, type Stored } from '../../support/data.ts';
import { openFixture } from '../../support/fixture.ts';
import { attend, randomFloats, rotate } from '../../support/oracle.ts';
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

  const problem = (sizes: {
    heads: number;
    kvHeads: number;
    queryLength: number;
    keyLength: number;
    headDim: number;
    valueDim: number;
  }) => {
    const { heads, kvHeads, queryLength, keyLength, headDim, valueDim } = sizes;
    return {
      ...sizes,
      query: randomFloats(heads * queryLength * headDim, 1),
      key: randomFloats(kvHeads * keyLength * headDim, 2),
      value: randomFloats(kvHeads * keyLength * valueDim, 3),
      format: 'bhsd' as const,
    };
  };
  const small = { heads: 4, kvHeads: 2, queryLength: 5, keyLength: 7, headDim: 6, valueDim: 3 };

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

  test('counts positions from keyStart: the causal line, the rotation and ALiBi move with it', () => {
    const slopes = Float64Array.of(1 / 2, 1 / 4, 1 / 8, 1 / 16);
    const call = { ...problem(small), causal: true, window: 3, rope: { headDim: small.headDim } } as const;
    const withAlibi = { ...call, bias: { alibi: slopes } };
    const moved = { keyStart: 1_000_000, queryStart: 1_000_001 };
    for (const returns of ['output', 'scores'] as const) {
      const expected = encodings.attention({ ...withAlibi, queryStart: 1, returns });
      expectNear(encodings.attention({ ...withAlibi, ...moved, returns }), expected, { absolute: 2e-6 });
      expectNear(
        encodings.attention({ ...withAlibi, keyStart: -40, returns }),
        encodings.attention({ ...withAlibi, returns }),
        { absolute: 2e-6 },
      );
    }
    const positions = [3, 4, 10, 11, 500, 501, 131_071];
    expect(encodings.attention({ ...call, ...moved, positions })).toEqual(
      encodings.attention({ ...call, queryStart: 1, positions }),
    );
  });

  test('ends each sequence at its own last key', () => {
    const keyLengths = [7, 3, 0];
    const batch = keyLengths.length;
    const { heads, queryLength, headDim, valueDim, keyLength } = small;
    const single = problem(small);
    const rope = { headDim };
    const { invFreq } = ropeFrequencies(rope);
    const repeat = (values: Float32Array) => Float32Array.from([0, 1, 2].flatMap(() => [...values]));
    const value = repeat(single.value);
    const call = { ...single, batch, query: repeat(single.query), key: repeat(single.key), value, keyLengths };
    const place = (keys: number) => Array.from({ length: queryLength }, (_, i) => keys - queryLength + i);
    const expected = (keys: number, start = keys - queryLength) =>
      attend({
        ...single,
        query: rotate(single.query, place(keys), invFreq, { heads, headDim, pairing: 'half' }),
        key: rotate(single.key, [0, 1, 2, 3, 4, 5, 6], invFreq, { heads: small.kvHeads, headDim, pairing: 'half' }),
        scale: 1 / Math.sqrt(headDim),
        bias: (_, i, j) => -0.25 * Math.abs(start + i - j),
        allowed: (_, i, j) => j < keys && j <= start + i,
      }).output;
    const output = encodings.attention({
      ...call,
      rope,
      causal: true,
      bias: { alibi: new Float64Array(heads).fill(0.25) },
    });
    const size = heads * queryLength * valueDim;
    keyLengths.forEach((keys, b) => expectAttention(output.subarray(b * size, (b + 1) * size), expected(keys)));

    // With a start of the queries, the lengths are padding alone.
    const keyValid = Uint8Array.from({ length: batch * keyLength }, (_, i) =>
      Number(i % keyLength < (keyLengths[Math.floor(i / keyLength)] as number)),
    );
    const { keyLengths: _, ...padded } = { ...call, causal: true, queryStart: 2 };
    expect(encodings.attention({ ...padded, keyLengths })).toEqual(encodings.attention({ ...padded, keyValid }));
  });

  test('takes the positions of the keys that each sequence has', () => {
    const keyLengths = [7, 5];
    const { heads, queryLength, headDim, valueDim } = small;
    const single = problem(small);
    const twice = (values: Float32Array) => Float32Array.of(...values, ...values);
    const call = {
      ...single,
      batch: 2,
      query: twice(single.query),
      key: twice(single.key),
      value: twice(single.value),
    };
    const positions = [5, 6, 10, 20, 30, 40, 50];
    const rope = { headDim };
    const both = encodings.attention({ ...call, rope, positions, keyLengths, causal: true });
    const size = heads * queryLength * valueDim;
    keyLengths.forEach((keys, b) => {
      const keyValid = Uint8Array.from(positions, (_, j) => Number(j < keys));
      const one = { ...single, rope, positions, keyValid, queryStart: keys - queryLength, causal: true };
      expect(both.subarray(b * size, (b + 1) * size)).toEqual(encodings.attention(one));
    });
  });

  test('returns the scaled and the capped products of all keys, and needs no values for them', () => {
    const { value, ...call } = { ...problem(small), scale: 1.5 };
    const softcap = 0.8;
    const bias = randomFloats(small.heads * small.queryLength * small.keyLength, 4);
    const hidden = { bias, causal: true, window: 2, mask: new Uint8Array(bias.length), keyValid: new Uint8Array(7) };
    const scaled = encodings.attention({ ...call, ...hidden, softcap, returns: 'scaled' });
    expectAttention(scaled, attend({ ...call, value }).scores);
    const capped = encodings.attention({ ...call, ...hidden, softcap, returns: 'capped' });
    expectAttention(capped, attend({ ...call, value, softcap }).scores);
    for (const returns of ['scores', 'weights'] as const) {
      expect(encodings.attention({ ...call, bias, returns })).toEqual(
        encodings.attention({ ...call, value, bias, returns }),
      );
    }
  });

  test('lets sinks take part of the weight', () => {
    const sinks = Float32Array.of(0.5, -2, 3, 0);
    const call = problem(small);
    const expected = attend({ ...call, scale: 1 / Math.sqrt(small.headDim), sinks });
    expectAttention(encodings.attention({ ...call, sinks }), expected.output);
    expectAttention(encodings.attention({ ...call, sinks, returns: 'weights' }), expected.weights);
  });

  test('rotates partial widths at positions of the keys, which queries share', () => {
    const sizes = { ...small, headDim: 8, valueDim: 4 };
    const call = problem(sizes);
    const params = { headDim: 8, rotaryDim: 4, pairing: 'interleaved', attentionFactor: 1.2 } as const;
    const positions = [3, 4, 10, 11, 500, 501, 131_071];
    const queryStart = 1;
    const { invFreq } = ropeFrequencies(params);
    const layout = { headDim: 8, pairing: 'interleaved', factor: 1.2 };
    const queryPositions = positions.slice(queryStart, queryStart + sizes.queryLength);
    const expected = attend({
      ...call,
      query: rotate(call.query, queryPositions, invFreq, { ...layout, heads: sizes.heads }),
      key: rotate(call.key, positions, invFreq, { ...layout, heads: sizes.kvHeads }),
      scale: 1 / Math.sqrt(8),
      allowed: (_, i, j) => j <= queryStart + i,
    });
    const rotated = encodings.attention({ ...call, rope: params, positions, queryStart, causal: true });
    expectAttention(rotated, expected.output);
  });

  test('takes positions per sequence', () => {
    const batch = 2;
    const single = problem(small);
    const twice = (values: Float32Array) => Float32Array.of(...values, ...values);
    const call = { ...single, batch, query: twice(single.query), key: twice(single.key), value: twice(single.value) };
    const rope = { headDim: small.headDim };
    const [first, second] = [
      [0, 1, 2, 3, 4, 5, 6],
      [0, 0, 0, 10, 20, 30, 40],
    ];
    const both = encodings.attention({ ...call, rope, positions: [...(first as number[]), ...(second as number[])] });
    expect(both.subarray(0, both.length / 2)).toEqual(
      encodings.attention({ ...single, rope, positions: first as number[] }),
    );
    expect(both.subarray(both.length / 2)).toEqual(
      encodings.attention({ ...single, rope, positions: second as number[] }),
    );
  });

  test('gives the same when all positions move', () => {
    const call = { ...problem(small), rope: { headDim: small.headDim }, returns: 'scores' } as const;
    const at = (shift: number) =>
      encodings.attention({ ...call, positions: Array.from({ length: small.keyLength }, (_, j) => j + shift) });
    expectNear(at(1_000_000), at(0), { absolute: 2e-6 });
  });

  test('takes both formats', () => {
    const { heads, kvHeads, queryLength, keyLength, headDim, valueDim } = small;
    const call = { ...problem(small), causal: true, rope: { headDim } };
    const swap = (values: Float32Array, outer: number, inner: number, width: number) =>
      Float32Array.from({ length: values.length }, (_, i) => {
        const [column, head, token] = [i % width, Math.floor(i / width) % outer, Math.floor(i / (width * outer))];
        return values[(head * inner + token) * width + column] as number;
      });
    const bshd = encodings.attention({
      ...call,
      format: 'bshd',
      query: swap(call.query, heads, queryLength, headDim),
      key: swap(call.key, kvHeads, keyLength, headDim),
      value: swap(call.value, kvHeads, keyLength, valueDim),
    });
    expectNear(bshd, swap(encodings.attention(call), heads, queryLength, valueDim), { absolute: 1e-7 });
  });

  test('takes tensors and result in buffers', () => {
    const call = problem(small);
    const expected = encodings.attention(call);
    const hold = (values: Float32Array) => {
      const buffer = encodings.buffer(values.length);
      buffer.set(values);
      return buffer;
    };
    const [query, key, value, out] = [call.query, call.key, call.value, expected].map(hold);
    out?.set(new Float32Array(expected.length));
    encodings.attention({ ...call, query: query!, key: key!, value: value!, out: out! });
    expect(out?.view()).toEqual(expected);
    for (const buffer of [query, key, value, out]) buffer?.dispose();
  });
});
