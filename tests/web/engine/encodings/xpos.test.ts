import { ropeFrequencies, type XposOptions } from 'posenc';
import { expect, test } from 'vitest';
import { expectNear } from '../../support/compare.ts';
import { floats, numbers, shape, type Stored } from '../../support/data.ts';
import { openFixture } from '../../support/fixture.ts';
import { exactCosSin, randomFloats } from '../../support/oracle.ts';
import { describeVariants } from '../../support/variants.ts';

interface XposCase {
  scale_base: number;
  gamma: number;
  base: number;
  center: number;
  positions: Stored;
  q: Stored;
  k: Stored;
  q_out: Stored;
  k_out: Stored;
  scores: Stored;
}
const cases = openFixture<XposCase>('xpos');
/** x `[heads, length, headDim]` as the formula says, pairs interleaved, in double precision. */
function oracle(
  x: ArrayLike<number>,
  { positions, headDim, downscale = false, gamma = 0.4, scaleBase = 512, center = 0 }: OracleOptions,
): Float64Array {
  const { invFreq } = ropeFrequencies({ headDim });
  return Float64Array.from(x, (_, i) => {
    const channel = i % headDim;
    const pair = Math.floor(channel / 2);
    const position = positions[Math.floor(i / headDim) % positions.length] as number;
    const [cos, sin] = exactCosSin(position, invFreq[pair] as number);
    const [a, b] = [x[i - (channel % 2)] as number, x[i - (channel % 2) + 1] as number];
    const zeta = ((2 * pair) / headDim + gamma) / (1 + gamma);
    const scale = zeta ** (((position - center) / scaleBase) * (downscale ? -1 : 1));
    return scale * (channel % 2 === 0 ? a * cos - b * sin : a * sin + b * cos);
  });
}
type OracleOptions = Pick<XposOptions, 'headDim' | 'downscale' | 'gamma' | 'scaleBase' | 'center'> & {
  positions: readonly number[];
};

await describeVariants('xpos', (encodings) => {
  test.each(cases.all)('matches the reference: scale base $scale_base, center $center', (entry) => {
    const [length, headDim] = shape(entry.q) as [number, number];
    const call = (x: Stored, downscale: boolean) =>
      encodings.xpos({
        x: floats(x),
        params: { headDim, base: entry.base },
        length,
        heads: 1,
        headDim,
        positions: numbers(entry.positions),
        downscale,
        gamma: entry.gamma,
        scaleBase: entry.scale_base,
        center: entry.center,
      });
    const [q, k] = [call(entry.q, false), call(entry.k, true)];
    expectNear(q, numbers(entry.q_out), { absolute: 2e-6 });
    expectNear(k, numbers(entry.k_out), { absolute: 2e-6 });
    const scores = Array.from({ length: length * length }, (_, at) => {
      const [i, j] = [Math.floor(at / length) * headDim, (at % length) * headDim];
      return q.subarray(i, i + headDim).reduce((sum, value, c) => sum + value * (k[j + c] as number), 0);
    });
    const largest = Math.max(...numbers(entry.scores).map(Math.abs));
    expectNear(scores, numbers(entry.scores), { absolute: 5e-6 * largest });
  });

  test('agrees with the formula in both formats, for sequences of their own positions and either side', () => {
    const [batch, heads, length, headDim] = [2, 3, 4, 10];
    const x = randomFloats(batch * heads * length * headDim, 20);
    const positions = [0, 1, 2, 3, 700, -5, 1000, 31];
    const call = { x, params: { headDim }, format: 'bhsd', batch, heads, length, headDim, positions } as const;
    for (const downscale of [false, true]) {
      const scaled = { downscale, gamma: 0.3, scaleBase: 700, center: 12.5 };
      const turned = encodings.xpos({ ...call, ...scaled });
      const half = x.length / batch;
      for (let b = 0; b < batch; ++b) {
        const own = { positions: positions.slice(b * length, (b + 1) * length), headDim, ...scaled };
        const part = [b * half, (b + 1) * half] as const;
        expectNear(turned.subarray(...part), oracle(x.subarray(...part), own), { absolute: 2e-6 });
      }
    }
  });

  test('scores by the distance only, whatever the center that queries and keys share', () => {
    const headDim = 16;
    const [query, key] = [randomFloats(headDim, 21), randomFloats(headDim, 22)];
    const score = (m: number, n: number, center: number): number => {
      const call = { params: { headDim }, length: 1, heads: 1, headDim, center };
      const q = encodings.xpos({ ...call, x: query, start: m });
      const k = encodings.xpos({ ...call, x: key, start: n, downscale: true });
      return q.reduce((sum, value, c) => sum + value * (k[c] as number), 0);
    };
    const [q] = [oracle(query, { positions: [200], headDim })];
    const k = oracle(key, { positions: [0], headDim, downscale: true });
    const expected = q.reduce((sum, value, c) => sum + value * (k[c] as number), 0);
    for (const shift of [0, 7, 3000]) {
      for (const center of [0, 100, -600]) expect(score(200 + shift, shift, center)).toBeCloseTo(expected, 5);
    }
  });

  test('turns and scales back', () => {
    const [length, headDim] = [5, 12];
    const x = randomFloats(length * headDim, 23);
    for (const downscale of [false, true]) {
      const call = { params: { headDim, rotaryDim: 8 }, length, heads: 1, headDim, start: 3000, downscale };
      const turned = encodings.xpos({ ...call, x });
      expectNear(encodings.xpos({ ...call, x: turned, inverse: true }), x, { absolute: 4e-7 });
      for (let t = 0; t < length; ++t) {
        expect(turned.subarray(t * headDim + 8, (t + 1) * headDim)).toEqual(
          x.subarray(t * headDim + 8, (t + 1) * headDim),
        );
      }
    }
  });

  test('takes the pairing of params, and interleaved pairs without one', () => {
    const headDim = 8;
    const x = randomFloats(headDim, 24);
    const by = (params: XposOptions['params']) =>
      encodings.xpos({ x, params, length: 1, heads: 1, headDim, start: 40 });
    expect(by({ headDim })).toEqual(by({ headDim, pairing: 'interleaved' }));
    const permuted = (values: Float32Array) => Float32Array.from([0, 4, 1, 5, 2, 6, 3, 7], (i) => values[i] as number);
    const half = encodings.xpos({
      x,
      params: { headDim, pairing: 'half' },
      length: 1,
      heads: 1,
      headDim,
      start: 40,
    });
    const interleaved = encodings.xpos({
      x: permuted(x),
      params: { headDim },
      length: 1,
      heads: 1,
      headDim,
      start: 40,
    });
    expect(interleaved).toEqual(permuted(half));
  });

  test('takes the attention factor, buffers and out', () => {
    const headDim = 8;
    const x = randomFloats(headDim, 25);
    const call = { params: { headDim }, length: 1, heads: 1, headDim, start: 9 };
    const plain = encodings.xpos({ ...call, x });
    const twice = encodings.xpos({ ...call, x, params: { headDim, attentionFactor: 2 } });
    expect(twice).toEqual(plain.map((value) => 2 * value));
    const buffer = encodings.buffer(headDim);
    buffer.set(x);
    expect(encodings.xpos({ ...call, x: buffer, out: buffer })).toBe(buffer);
    expect(buffer.view()).toEqual(plain);
    buffer.dispose();
  });

  test('refuses positions where a scale would leave the range of floats', () => {
    const headDim = 8;
    const call = { x: new Float32Array(headDim), params: { headDim }, length: 1, heads: 1, headDim };
    const refusal = (argument: string, got: number): unknown =>
      expect.objectContaining({
        code: 'bad-argument',
        argument,
        got,
        message: expect.stringContaining('35556 tokens'),
      });
    expect(() => encodings.xpos({ ...call, start: 35_556 })).not.toThrow();
    expect(() => encodings.xpos({ ...call, start: 35_557 })).toThrowError(refusal('start', 35_557));
    expect(() => encodings.xpos({ ...call, positions: [-40_000] })).toThrowError(refusal('positions', -40_000));
    expect(() => encodings.xpos({ ...call, start: 1e6, center: 1e6 })).not.toThrow();
    expect(() => encodings.xpos({ ...call, center: 1e6 })).toThrowError(refusal('start', 0));
  });

  test.each([
    ['gamma', { gamma: 0 }],
    ['gamma', { gamma: NaN }],
    ['scaleBase', { scaleBase: -512 }],
    ['center', { center: Infinity }],
    ['downscale', { downscale: 1 }],
    ['start', { start: 1, positions: [0] }],
    ['positions', { positions: [0.5] }],
    ['params.pairing', { params: { headDim: 8, pairing: 'Half' } }],
    ['params', { params: undefined }],
    ['headDim', { headDim: 6 }],
  ])('refuses a wrong %s: %o', (argument, change) => {
    const out = new Float32Array(8).fill(7);
    const call = { x: new Float32Array(8), params: { headDim: 8 }, length: 1, heads: 1, headDim: 8, out };
    expect(() => encodings.xpos({ ...call, ...(change as Partial<XposOptions>) })).toThrowError(
      expect.objectContaining({ name: 'PosencError', argument }),
    );
    expect(out).toEqual(new Float32Array(8).fill(7));
  });
});
