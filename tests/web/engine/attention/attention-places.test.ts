import { ropeFrequencies } from 'posenc';
import { expect, test } from 'vitest';
import { expectAttention, expectNear } from '../../support/compare.ts';
import { attend, randomFloats, rotate } from '../../support/oracle.ts';
import { problem, small } from '../../support/problem.ts';
import { describeVariants } from '../../support/variants.ts';

await describeVariants('attention', (encodings) => {
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
