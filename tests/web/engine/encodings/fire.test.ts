import { expect, test } from 'vitest';
import { expectAttention } from '../../support/compare.ts';
import { floats, numbers, shape, type Stored } from '../../support/data.ts';
import { openFixture } from '../../support/fixture.ts';
import { attend, randomFloats } from '../../support/oracle.ts';
import { describeVariants } from '../../support/variants.ts';

interface FireCase {
  lq: number;
  lk: number;
  w1: Stored;
  b1: Stored;
  w2: Stored;
  b2: Stored;
  c: number;
  L: number;
  eps: number;
  bias: Stored;
}
const cases = openFixture<FireCase>('fire');

interface Network {
  w1: Float32Array;
  b1: Float32Array;
  w2: Float32Array;
  b2: Float32Array;
}

function randomNetwork(heads: number, width: number, seed: number): Network {
  return {
    w1: randomFloats(width, seed),
    b1: randomFloats(width, seed + 1),
    w2: randomFloats(heads * width, seed + 2),
    b2: randomFloats(heads, seed + 3),
  };
}

/** The bias of one head for a query at i and a key at j, as the formula says it. */
function fire({ w1, b1, w2, b2 }: Network, head: number, i: number, j: number, c: number, threshold: number): number {
  const psi = (x: number) => Math.log(1 + Math.abs(c * x));
  const u = psi(i - j) / (psi(Math.max(i, Math.abs(threshold))) + 1e-6);
  return w1.reduce((sum, weight, k) => {
    const unit = Math.max(weight * u + (b1[k] as number), 0);
    return sum + (w2[head * w1.length + k] as number) * unit;
  }, b2[head] as number);
}

await describeVariants('fireBias', (encodings) => {
  test.each(cases.all)('gives the fixture with threshold $L', ({ lq, lk, w1, b1, w2, b2, c, L, eps, bias }) => {
    const network = { w1: floats(w1), b1: floats(b1), w2: floats(w2), b2: floats(b2) };
    const heads = shape(w2)[0] as number;
    const call = { ...network, heads, queryLength: lq, keyLength: lk, c, threshold: L, epsilon: eps };
    expectAttention(encodings.fireBias(call), numbers(bias));
  });

  test.each([
    { heads: 12, width: 32, queryLength: 70, keyLength: 70, queryStart: 0, threshold: 32 },
    { heads: 3, width: 45, queryLength: 2, keyLength: 1001, queryStart: 999, threshold: 512 },
    { heads: 1, width: 1, queryLength: 9, keyLength: 5, queryStart: -2, threshold: -4 },
  ])('agrees with the formula for sizes %o', ({ width, threshold, ...sizes }) => {
    const network = randomNetwork(sizes.heads, width, 7);
    const got = encodings.fireBias({ ...network, ...sizes, c: 0.1, threshold });
    const expected = Float64Array.from(got, (_, n) => {
      const head = Math.floor(n / (sizes.queryLength * sizes.keyLength));
      const i = sizes.queryStart + (Math.floor(n / sizes.keyLength) % sizes.queryLength);
      return fire(network, head, i, n % sizes.keyLength, 0.1, threshold);
    });
    expectAttention(got, expected);
  });

  test('depends on the distance only up to the threshold, and on the query past it', () => {
    const call = { ...randomNetwork(2, 16, 3), heads: 2, queryLength: 1, keyLength: 40, c: 1, threshold: 20 };
    const atDistance = (queryStart: number) => encodings.fireBias({ ...call, queryStart })[queryStart - 7];
    expect(atDistance(8)).toBe(atDistance(20));
    expect(atDistance(30)).not.toBe(atDistance(20));
    expect(atDistance(31)).not.toBe(atDistance(30));
  });

  test('is a bias of causal attention, also one query at a time', () => {
    const sizes = { heads: 2, kvHeads: 2, queryLength: 6, keyLength: 6, headDim: 4, valueDim: 4 };
    const problem = {
      ...sizes,
      query: randomFloats(48, 1),
      key: randomFloats(48, 2),
      value: randomFloats(48, 3),
      scale: 0.5,
    };
    const network = randomNetwork(2, 8, 4);
    const call = { ...network, heads: 2, keyLength: 6, c: 0.5, threshold: 3 };
    const whole = encodings.fireBias({ ...call, queryLength: 6 });
    const expected = attend({
      ...problem,
      bias: (h, i, j) => fire(network, h, i, j, 0.5, 3),
      allowed: (_, i, j) => j <= i,
    });
    expectAttention(encodings.attention({ ...problem, format: 'bhsd', causal: true, bias: whole }), expected.output);
    const last = encodings.fireBias({ ...call, queryLength: 1 });
    expect([...last]).toEqual([...whole.subarray(30, 36), ...whole.subarray(66, 72)]);
  });

  test('takes its network from buffers and goes into another', () => {
    const { w1, b1, w2, b2 } = randomNetwork(2, 5, 9);
    const call = { heads: 2, queryLength: 3, keyLength: 4, c: 0.1, threshold: 512 };
    const hold = (values: Float32Array) => {
      const buffer = encodings.buffer(values.length);
      buffer.set(values);
      return buffer;
    };
    const held = { w1: hold(w1), b1: hold(b1), w2: hold(w2), b2: hold(b2) };
    const out = encodings.buffer(24);
    expect(encodings.fireBias({ ...call, ...held, out })).toBe(out);
    const values = out.view().slice();
    for (const buffer of [...Object.values(held), out]) buffer.dispose();
    expect(values).toEqual(encodings.fireBias({ ...call, w1, b1, w2, b2 }));
  });
});
