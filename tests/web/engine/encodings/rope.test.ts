import { ropeFrequencies, type Pairing, type RopeParams, type RotaryPrecision } from 'posenc';
import { describe, expect, test } from 'vitest';
import { expectNear, expectUlp } from '../../support/compare.ts';
import { floats, numbers, shape, type Stored } from '../../support/data.ts';
import { openFixture } from '../../support/fixture.ts';
import { exactCosSin, randomFloats, rotate } from '../../support/oracle.ts';
import { describeVariants } from '../../support/variants.ts';

interface ApplyCase {
  op?: undefined;
  layout: 'half' | 'interleaved';
  head_dim: number;
  rotary_dim: number;
  base: number;
  attention_factor: number;
  positions: Stored;
  x: Stored;
  out: Stored;
  inverse_out: Stored;
}
interface PermutationCase {
  op: 'permutation';
  rotary_dim: number;
  perm: Stored;
}
interface MatrixCase {
  op: 'matrix';
  position: number;
  rotary_dim: number;
  base: number;
  interleaved: Stored;
  half: Stored;
}
interface PrecisionCase {
  dim: number;
  base: number;
  position: number;
  cos: Stored;
  sin: Stored;
}
const cases = openFixture<ApplyCase | PermutationCase | MatrixCase>('rope_apply');
const precision = openFixture<PrecisionCase>('rope_precision');
const pairings = ['half', 'interleaved'] as const;

await describeVariants('rope', (encodings) => {
  /** One head at one position. */
  const turn = (x: ArrayLike<number>, position: number, params: Partial<RopeParams> = {}, inverse = false) =>
    encodings.rope({
      x: Float32Array.from(x),
      params: { headDim: x.length, ...params },
      length: 1,
      heads: 1,
      headDim: x.length,
      start: position,
      inverse,
    });

  test.each(cases.where((entry) => entry.op === undefined))(
    'turns $layout pairs of $rotary_dim channels in heads of $head_dim, base $base, factor $attention_factor',
    (entry) => {
      const [heads, length, headDim] = shape(entry.x) as [number, number, number];
      const call = {
        x: floats(entry.x),
        params: {
          headDim,
          rotaryDim: entry.rotary_dim,
          base: entry.base,
          pairing: entry.layout,
          attentionFactor: entry.attention_factor,
        },
        format: 'bhsd',
        length,
        heads,
        headDim,
        positions: numbers(entry.positions),
      } as const;
      const largest = Math.max(...numbers(entry.x).map(Math.abs)) * entry.attention_factor;
      expectNear(encodings.rope(call), numbers(entry.out), { absolute: 2e-6 * largest });
      const back = encodings.rope({ ...call, inverse: true });
      expectNear(back, numbers(entry.inverse_out), { absolute: 2e-6 * largest });
    },
  );

  test.each(cases.where((entry) => entry.op === 'matrix'))('is the matrix of position $position', (entry) => {
    const d = entry.rotary_dim;
    for (const pairing of pairings) {
      const matrix = numbers(entry[pairing]);
      for (let column = 0; column < d; ++column) {
        const unit = Float32Array.from({ length: d }, (_, i) => Number(i === column));
        const image = turn(unit, entry.position, { base: entry.base, pairing });
        expectNear(
          image,
          matrix.filter((_, i) => i % d === column),
          { absolute: 1e-7 },
        );
      }
    }
  });

  test.each(cases.where((entry) => entry.op === 'permutation'))(
    'gives the same for either pairing when $rotary_dim channels are permuted',
    (entry) => {
      const permutation = numbers(entry.perm);
      const half = randomFloats(entry.rotary_dim, 4);
      const permute = (x: Float32Array) => Float32Array.from(permutation, (i) => x[i] as number);
      const turned = turn(permute(half), 1234, { pairing: 'interleaved' });
      expect(turned).toEqual(permute(turn(half, 1234, { pairing: 'half' })));
    },
  );

  test('keeps norms and turns back', () => {
    const x = randomFloats(128, 5);
    for (const pairing of pairings) {
      const turned = turn(x, 123_456, { pairing });
      expect(Math.hypot(...turned)).toBeCloseTo(Math.hypot(...x), 5);
      expectNear(turn(turned, 123_456, { pairing }, true), x, { absolute: 3e-7 });
      expectNear(turn(turned, -123_456, { pairing }), x, { absolute: 3e-7 });
    }
  });

  test('takes neox and gptj as names of the pairings', () => {
    const x = randomFloats(16, 6);
    const by = (pairing: Pairing) => turn(x, 99, { pairing });
    expect(by('neox')).toEqual(by('half'));
    expect(by('gptj')).toEqual(by('interleaved'));
  });

  test('keeps no parameter of the call before, where another one of this call is undefined', () => {
    const x = randomFloats(8, 12);
    const by = (params: object) => turn(x, 3, params);
    const expected = (pairing: Pairing, base: number, factor = 1) => {
      const invFreq = Float64Array.from({ length: 4 }, (_, pair) => base ** (-pair / 4) / factor);
      return rotate(x, [3], invFreq, { heads: 1, headDim: 8, pairing });
    };
    const near = { absolute: 3e-7 };
    expectNear(by({ base: 500 }), expected('half', 500), near);
    expectNear(by({ pairing: undefined }), expected('half', 10000), near);
    expectNear(by({ pairing: 'interleaved' }), expected('interleaved', 10000), near);
    expectNear(by({ base: undefined }), expected('half', 10000), near);
    expectNear(by({ type: 'linear', factor: 4 }), expected('half', 10000, 4), near);
    const factor = expect.objectContaining({ code: 'bad-argument', argument: 'params.factor' });
    expect(() => by({ type: 'linear', base: undefined })).toThrowError(factor);
    by({ base: 9 });
    const nonsense = expect.objectContaining({ code: 'bad-argument', argument: 'params.nonsense' });
    expect(() => by({ nonsense: undefined })).toThrowError(nonsense);
  });

  test.each(pairings)('agrees with the formula for every width, %s', (pairing) => {
    for (let headDim = 2; headDim <= 70; headDim += 2) {
      for (const rotaryDim of new Set([2, headDim, 2 * Math.ceil(headDim / 4)])) {
        const [heads, length] = [3, 4];
        const params = { headDim, rotaryDim, pairing };
        const x = randomFloats(heads * length * headDim, headDim);
        const positions = [0, 3, -5, 2 ** 31];
        const turned = encodings.rope({ x, params, format: 'bhsd', length, heads, headDim, positions });
        const { invFreq } = ropeFrequencies(params);
        expectNear(turned, rotate(x, positions, invFreq, { heads, headDim, pairing }), { absolute: 3e-7 });
      }
    }
  });

  test.each(pairings)('is within 1.52 × 2^-23 (|a cos| + |b sin|) of the turn by the exact angle, %s', (pairing) => {
    const [length, headDim] = [64, 128];
    const params = { headDim, pairing };
    const x = randomFloats(length * headDim, 41);
    const positions = Array.from({ length }, (_, token) => token * token * 31);
    const turned = encodings.rope({ x, params, length, heads: 1, headDim, positions });
    const { invFreq } = ropeFrequencies(params);
    const exact = rotate(x, positions, invFreq, { heads: 1, headDim, pairing });
    for (let token = 0; token < length; ++token) {
      for (let pair = 0; pair < headDim / 2; ++pair) {
        const [i, j] = (pairing === 'half' ? [pair, pair + headDim / 2] : [2 * pair, 2 * pair + 1]).map(
          (channel) => token * headDim + channel,
        ) as [number, number];
        const [cos, sin] = exactCosSin(positions[token] as number, invFreq[pair] as number).map(Math.abs);
        for (const [channel, other] of [
          [i, j],
          [j, i],
        ] as const) {
          const size =
            Math.abs(x[channel] as number) * (cos as number) + Math.abs(x[other] as number) * (sin as number);
          const error = Math.abs((turned[channel] as number) - (exact[channel] as number));
          if (!(error <= 1.52 * 2 ** -23 * size)) expect.fail(`token ${token}, channel ${channel}: ${error / size}`);
        }
      }
    }
  });

  test('takes both formats, and positions per sequence', () => {
    const [batch, length, heads, headDim] = [2, 3, 2, 6];
    const params = { headDim, rotaryDim: 4, pairing: 'interleaved' } as const;
    const bhsd = randomFloats(batch * heads * length * headDim, 8);
    const at = (b: number, h: number, s: number) => ((b * heads + h) * length + s) * headDim;
    const bshd = new Float32Array(bhsd.length);
    for (let b = 0; b < batch; ++b)
      for (let h = 0; h < heads; ++h)
        for (let s = 0; s < length; ++s)
          bshd.set(bhsd.subarray(at(b, h, s), at(b, h, s) + headDim), ((b * length + s) * heads + h) * headDim);
    const positions = [0, 1, 2, 40, 50, 60];
    const call = { params, batch, length, heads, headDim, positions };
    const turned = encodings.rope({ ...call, x: bhsd, format: 'bhsd' });
    const { invFreq } = ropeFrequencies(params);
    const half = bhsd.length / batch;
    for (let b = 0; b < batch; ++b) {
      const expected = rotate(
        bhsd.subarray(b * half, (b + 1) * half),
        positions.slice(b * length, (b + 1) * length),
        invFreq,
        {
          heads,
          headDim,
          pairing: 'interleaved',
        },
      );
      expectNear(turned.subarray(b * half, (b + 1) * half), expected, { absolute: 3e-7 });
    }
    const other = encodings.rope({ ...call, x: bshd });
    for (let b = 0; b < batch; ++b)
      for (let h = 0; h < heads; ++h)
        for (let s = 0; s < length; ++s) {
          const from = ((b * length + s) * heads + h) * headDim;
          expect(other.subarray(from, from + headDim)).toEqual(turned.subarray(at(b, h, s), at(b, h, s) + headDim));
        }
  });

  test('takes a table of any numbers and the rows that positions name', () => {
    const cos = Float32Array.of(1, 2, 3, 4, 5, 6);
    const sin = Float32Array.of(0, 1, 0, -1, 2, 0);
    const table = { cos, sin, rows: 3 };
    const call = { params: { headDim: 4 }, table, length: 2, heads: 1, headDim: 4 } as const;
    const x = Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8);
    expect([...encodings.rope({ ...call, x, positions: [2, 0] })]).toEqual([-1, 12, 17, 24, 5, 4, 7, 22]);
    expect([...encodings.rope({ ...call, x, start: 1 })]).toEqual([3, 12, 9, 14, 11, 36, 45, 48]);
  });

  test('leaves out alone when an argument is wrong', () => {
    const out = encodings.buffer(8);
    const x = randomFloats(8, 11);
    const call = { x, params: { headDim: 4 }, length: 2, heads: 1, headDim: 4, out };
    expect(() => encodings.rope({ ...call, positions: [0, 0.5] })).toThrowError();
    const table = { cos: new Float32Array(4), sin: new Float32Array(4), rows: 2 };
    expect(() => encodings.rope({ ...call, table, positions: [0, 2] })).toThrowError();
    expect([...out.view()]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    out.dispose();
  });

  test('works in place on an array and on a buffer', () => {
    const [length, headDim] = [3, 8];
    const x = randomFloats(length * headDim, 9);
    const call = { params: { headDim }, length, heads: 1, headDim } as const;
    const expected = encodings.rope({ ...call, x });
    const array = x.slice();
    expect(encodings.rope({ ...call, x: array, out: array })).toBe(array);
    expect(array).toEqual(expected);
    const [from, to] = [encodings.buffer(x.length), encodings.buffer(x.length)];
    from.set(x);
    expect(encodings.rope({ ...call, x: from, out: to })).toBe(to);
    expect(to.view()).toEqual(expected);
    expect(from.view()).toEqual(x);
    encodings.rope({ ...call, x: from, out: from });
    expect(from.view()).toEqual(expected);
    from.dispose();
    to.dispose();
  });
});

await describeVariants('ropeTable', (encodings) => {
  test.each(precision.all)('is exact at position $position for dim $dim, base $base', (entry) => {
    const params = { headDim: entry.dim, base: entry.base };
    const { cos, sin } = encodings.ropeTable({ params, length: 1, start: entry.position });
    // The fixture takes the frequency itself as exact; the float64 one is off by up to 2^-54 of it.
    const slack = entry.position * 2 ** -53;
    expectNear(cos, numbers(entry.cos), { absolute: 2 ** -24 + slack });
    expectNear(sin, numbers(entry.sin), { absolute: 2 ** -24 + slack });
  });

  test('is within 0.51 ulp for real models at the ends of their contexts and at 2^31', () => {
    for (const params of [
      { headDim: 128, base: 5e5 },
      { headDim: 128, base: 1e6 },
      { headDim: 96, rotaryDim: 24 },
    ]) {
      const { invFreq } = ropeFrequencies(params);
      const positions = [0, 1, 4095, 131_071, 1_000_000, 2 ** 31 - 1, 2 ** 31, -7];
      const { cos, sin } = encodings.ropeTable({ params, positions });
      const exact = positions.flatMap((position) =>
        Array.from(invFreq, (frequency) => exactCosSin(position, frequency)),
      );
      expectUlp(
        cos,
        exact.map(([c]) => c),
      );
      expectUlp(
        sin,
        exact.map(([, s]) => s),
      );
    }
  });

  test('rounds the stages that precision names, and no others', () => {
    const params = { headDim: 2 };
    const at = (position: number, precision: RotaryPrecision) => {
      const { cos, sin } = encodings.ropeTable({ params, positions: [position], precision });
      return [cos[0], sin[0]];
    };
    expect(at(1, {})).toEqual(at(1, { position: 'f64', invFreq: 'f64', angle: 'f64', table: 'f64' }));
    expect(at(1, { table: 'bf16' })).toEqual([138 / 256, 215 / 256]); // cos 1 = 138.3 / 256, sin 1 = 215.4 / 256
    expect(at(1, { table: 'f16' })).toEqual([1107 / 2048, 1723 / 2048]); // 1106.5 / 2048, 1723.3 / 2048
    expect(at(2049, { position: 'f16' })).toEqual(at(2048, {}));
    expect(at(2051, { angle: 'f16' })).toEqual(at(2052, {}));
    expect(at(16_777_217, { position: 'f32' })).toEqual(at(16_777_216, {}));
    expect(at(65_519, { position: 'f16' })).toEqual(at(65_504, {}));
    expect(at(65_520, { position: 'f16' })).toEqual([NaN, NaN]);
    const whole = encodings.ropeTable({ params: { headDim: 64 }, length: 300, start: 1_000_000 });
    expect(encodings.ropeTable({ params: { headDim: 64 }, length: 300, start: 1_000_000, precision: {} })).toEqual(
      whole,
    );
  });

  test('holds the attention factor, rounded once', () => {
    const params = { headDim: 16, attentionFactor: 1.3465735902799727 };
    const { invFreq } = ropeFrequencies(params);
    const positions = [0, 1, 2, 3, 500, 131_071];
    const { cos } = encodings.ropeTable({ params, positions });
    const exact = positions.flatMap((position) =>
      Array.from(invFreq, (frequency) => params.attentionFactor * exactCosSin(position, frequency)[0]),
    );
    expectUlp(cos, exact);
  });

  test('gives the same rotation when it is handed to rope', () => {
    const [length, headDim] = [5, 8];
    const params = { headDim };
    const x = randomFloats(length * headDim, 10);
    const call = { x, params, length, heads: 1, headDim };
    const table = { ...encodings.ropeTable({ params, length }), rows: length };
    expect(encodings.rope({ ...call, table })).toEqual(encodings.rope(call));
  });

  test('writes into a pair of arrays or buffers', () => {
    const options = { params: { headDim: 8 }, length: 3 };
    const { cos, sin } = encodings.ropeTable(options);
    const buffers = { cos: encodings.buffer(12), sin: encodings.buffer(12) };
    encodings.ropeTable({ ...options, out: buffers });
    expect(buffers.cos.view()).toEqual(cos);
    expect(buffers.sin.view()).toEqual(sin);
    buffers.cos.dispose();
    buffers.sin.dispose();
  });
});

describe('the oracle of these tests', () => {
  test.each(precision.all)('agrees with 50 digits at position $position, dim $dim, base $base', (entry) => {
    const { invFreq } = ropeFrequencies({ headDim: entry.dim, base: entry.base });
    const found = Array.from(invFreq, (frequency) => exactCosSin(entry.position, frequency));
    const slack = 1e-15 + entry.position * 2 ** -53;
    expectNear(
      found.map(([cos]) => cos),
      numbers(entry.cos),
      { absolute: slack },
    );
    expectNear(
      found.map(([, sin]) => sin),
      numbers(entry.sin),
      { absolute: slack },
    );
  });
});
