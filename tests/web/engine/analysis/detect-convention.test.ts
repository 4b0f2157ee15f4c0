import { ropeFrequencies, type ConventionGuess, type RopeParams } from 'posenc';
import { describe, expect, test } from 'vitest';
import { exactCosSin, randomFloats, rotate } from '../../support/oracle.ts';
import { randomFrom } from '../../support/random.ts';
import { describeVariants } from '../../support/variants.ts';

interface Shape {
  length: number;
  heads: number;
  headDim: number;
}

/** Vectors at the positions from `offset` on, turned in double precision as the formula says. */
function turned(
  before: ArrayLike<number>,
  { length, heads, headDim }: Shape,
  params: RopeParams,
  offset = 0,
  sign = 1,
) {
  const { invFreq, attentionFactor } = ropeFrequencies(params);
  const positions = Array.from({ length: length * heads }, (_, i) => sign * (offset + Math.floor(i / heads)));
  const layout = { heads: 1, headDim, pairing: params.pairing ?? 'half', factor: attentionFactor };
  return Float32Array.from(rotate(before, positions, invFreq, layout));
}

/** Channels turned in pairs of one layout, each by the angle that it has in the other. */
function mixed(
  before: ArrayLike<number>,
  { length, heads, headDim }: Shape,
  rotation: 'half' | 'interleaved',
  offset = 0,
) {
  const pairs = headDim / 2;
  const { invFreq } = ropeFrequencies({ headDim });
  return Float32Array.from({ length: length * heads * headDim }, (_, i) => {
    const channel = i % headDim;
    const row = i - channel;
    const position = offset + Math.floor(i / (heads * headDim));
    const isFirst = rotation === 'half' ? channel < pairs : channel % 2 === 0;
    const partner = rotation === 'half' ? (channel + pairs) % headDim : channel ^ 1;
    const frequency = invFreq[rotation === 'half' ? channel >> 1 : channel % pairs]!;
    const [cos, sin] = exactCosSin(position, frequency);
    return before[i]! * cos + (isFirst ? -1 : 1) * before[row + partner]! * sin;
  });
}

/** Rounds to the 8 significant bits of bfloat16, ties to even. */
function bfloat16(values: Float32Array): Float32Array {
  const bits = new Uint32Array(values.slice().buffer);
  return new Float32Array(bits.map((one) => (one + 0x7fff + ((one >>> 16) & 1)) & 0xffff0000).buffer);
}

/** What a guess says apart from its numbers of fit. */
function convention({ pairing, rotaryDim, sign, offset, base, factor }: ConventionGuess) {
  return { pairing, rotaryDim, sign, offset, base, factor };
}

await describeVariants('detectConvention', (encodings) => {
  const random = ({ length, heads, headDim }: Shape, seed = 1) => randomFloats(length * heads * headDim, seed);
  const detect = (before: Float32Array, after: Float32Array, shape: Shape) =>
    encodings.detectConvention({ before, after, ...shape });

  test.each<[string, Shape, RopeParams, number, 1 | -1]>([
    ['halves', { length: 200, heads: 4, headDim: 128 }, { headDim: 128, base: 5e5 }, 0, 1],
    ['an offset', { length: 100, heads: 2, headDim: 64 }, { headDim: 64 }, 1000, 1],
    ['a negative offset', { length: 60, heads: 2, headDim: 64 }, { headDim: 64, pairing: 'interleaved' }, -20, 1],
    ['an offset past a turn of the slowest pair', { length: 50, heads: 2, headDim: 128 }, { headDim: 128 }, 1e6, 1],
    ['the other sign', { length: 64, heads: 2, headDim: 64 }, { headDim: 64 }, 7, -1],
    ['a part of the head', { length: 64, heads: 2, headDim: 96 }, { headDim: 96, rotaryDim: 24 }, 3, 1],
    [
      'a part of neighbours',
      { length: 64, heads: 1, headDim: 256 },
      { headDim: 256, rotaryDim: 64, pairing: 'interleaved' },
      3,
      1,
    ],
    ['an odd width', { length: 64, heads: 3, headDim: 45 }, { headDim: 45, rotaryDim: 20 }, 0, 1],
    ['two rows', { length: 2, heads: 2, headDim: 64 }, { headDim: 64 }, 10, 1],
    ['one pair', { length: 20, heads: 2, headDim: 2 }, { headDim: 2 }, 3, 1],
    ['a large base', { length: 300, heads: 2, headDim: 128 }, { headDim: 128, base: 1e7 }, 0, 1],
    ['a base that is not round', { length: 500, heads: 2, headDim: 128 }, { headDim: 128, base: 523456 }, 11, 1],
  ])('finds %s', (_, shape, params, offset, sign) => {
    const before = random(shape, shape.length);
    const [best, next] = detect(before, turned(before, shape, params, offset, sign), shape);
    expect(convention(best!)).toEqual({
      pairing: params.pairing ?? 'half',
      rotaryDim: params.rotaryDim ?? shape.headDim,
      sign,
      offset,
      base: params.base ?? 10000,
      factor: 1,
    });
    expect(best!.residual).toBeLessThan(1e-7);
    if (shape.headDim > 2) expect(next!.residual).toBeGreaterThan(0.1);
    const { invFreq } = ropeFrequencies(params);
    best!.invFreq.forEach((frequency, pair) => expect(Math.abs(frequency - invFreq[pair]!)).toBeLessThan(1e-6));
  });

  test('finds any of many rotations', () => {
    const uniform = randomFrom(5);
    const pick = <T>(values: readonly T[]): T => values[Math.floor(uniform() * values.length)]!;
    for (let i = 0; i < 60; ++i) {
      const shape = { length: pick([3, 5, 17, 64, 200]), heads: pick([1, 2, 3]), headDim: pick([32, 64, 80, 128]) };
      const { headDim } = shape;
      const params: RopeParams & { rotaryDim: number; base: number } = {
        headDim,
        rotaryDim: headDim / pick([1, 1, 2, 4]),
        base: pick([100, 10000, 82684.625, 500000, 1e7]),
        pairing: pick(['half', 'interleaved']),
      };
      const [offset, sign] = [pick([0, 1, 37, 1000, 20000]), pick([1, -1] as const)];
      const before = random(shape, i);
      const [best] = detect(before, turned(before, shape, params, offset, sign), shape);
      const { pairing, rotaryDim } = params;
      expect(best, `${i}: ${JSON.stringify({ shape, params, offset, sign })}`).toMatchObject({
        pairing,
        rotaryDim,
        sign,
        offset,
        fits: true,
      });
      expect(best!.base / params.base).toBeCloseTo(1, 6);
    }
  });

  test('tells the same vector at every position apart as well', () => {
    const shape = { length: 50, heads: 1, headDim: 64 };
    const ones = new Float32Array(50 * 64).fill(1);
    for (const pairing of ['half', 'interleaved'] as const) {
      const [best] = detect(ones, turned(ones, shape, { headDim: 64, pairing }, 5), shape);
      expect(best).toMatchObject({ pairing, offset: 5, base: 10000, fits: true });
    }
  });

  test('reports an attention factor, and does not mind vectors of zeros', () => {
    const shape = { length: 90, heads: 2, headDim: 64 };
    const before = random(shape);
    for (let row = 0; row < 90; row += 3) before.fill(0, row * 128, (row + 1) * 128);
    const params = { headDim: 64, rotaryDim: 32, attentionFactor: 1.25 };
    const [best] = detect(before, turned(before, shape, params, 4), shape);
    expect(convention(best!)).toMatchObject({ pairing: 'half', rotaryDim: 32, offset: 4, base: 10000 });
    expect(best!.scale).toBeCloseTo(1.25, 7);
    expect(best!.residual).toBeLessThan(1e-7);
  });

  test('reports a factor by which all frequencies are divided', () => {
    const shape = { length: 300, heads: 2, headDim: 128 };
    const before = random(shape);
    const params: RopeParams = { headDim: 128, base: 1e6, type: 'linear', factor: 8 };
    const [best] = detect(before, turned(before, shape, params, 3), shape);
    expect(convention(best!)).toMatchObject({ pairing: 'half', base: 1e6, factor: 8, offset: 3 });
    expect(best!.residual).toBeLessThan(1e-7);
  });

  test.each<[string, RopeParams]>([
    [
      'Llama 3',
      {
        headDim: 128,
        base: 5e5,
        type: 'llama3',
        factor: 8,
        lowFreqFactor: 1,
        highFreqFactor: 4,
        originalMaxPosition: 8192,
      },
    ],
    ['YaRN', { headDim: 128, base: 1e6, type: 'yarn', factor: 4, originalMaxPosition: 4096 }],
  ])('finds pairing and base where the frequencies are scaled pair by pair: %s', (_, params) => {
    const shape = { length: 1000, heads: 1, headDim: 128 };
    const before = random(shape);
    const [best] = detect(before, turned(before, shape, params), shape);
    expect(convention(best!)).toMatchObject({ pairing: 'half', rotaryDim: 128, base: params.base, offset: 0 });
    expect(best!.pairResidual).toBeLessThan(1e-6);
    expect(best!.residual).toBeGreaterThan(1e3 * best!.pairResidual);
    const { invFreq } = ropeFrequencies(params);
    best!.invFreq.forEach((frequency, pair) => expect(Math.abs(frequency - invFreq[pair]!)).toBeLessThan(1e-8));
  });

  test('finds the pairs where slow ones do not turn at all', () => {
    const shape = { length: 200, heads: 2, headDim: 128 };
    const before = random(shape);
    const params: RopeParams = { headDim: 128, rotaryDim: 32, base: 1e6, type: 'proportional' };
    const [best] = detect(before, turned(before, shape, params), shape);
    expect(best).toMatchObject({ pairing: 'half', rotaryDim: 128, fits: false });
    expect(best!.pairResidual).toBeLessThan(1e-6);
    expect(best!.invFreq.subarray(16).every((frequency) => Math.abs(frequency) < 1e-8)).toBe(true);
  });

  describe.each(['half', 'interleaved'] as const)('pairs of %s with the angles of the other layout', (rotation) => {
    test.each([
      [1, 0],
      [1, 5],
      [3, 40],
    ])('are named mixed, with %i heads and offset %i', (heads, offset) => {
      const shape = { length: 300, heads, headDim: 64 };
      const before = random(shape, heads + offset);
      const [best, next] = detect(before, mixed(before, shape, rotation, offset), shape);
      const angles = rotation === 'half' ? 'interleaved' : 'half';
      expect(convention(best!)).toMatchObject({ pairing: 'mixed', rotaryDim: 64, sign: 1, offset, base: 10000 });
      expect(best!.mixed).toEqual({ rotation, angles });
      expect(best!.residual).toBeLessThan(1e-7);
      expect(next!.residual).toBeGreaterThan(0.1);
    });
  });

  test.each<[string, Shape, RopeParams]>([
    ['halves', { length: 100, heads: 4, headDim: 128 }, { headDim: 128, base: 1e6 }],
    ['neighbours', { length: 16, heads: 4, headDim: 128 }, { headDim: 128, rotaryDim: 64, pairing: 'interleaved' }],
  ])('is not confused by bfloat16: %s', (_, shape, params) => {
    const before = bfloat16(random(shape));
    const [best] = detect(before, bfloat16(turned(before, shape, params)), shape);
    expect(convention(best!)).toMatchObject({
      pairing: params.pairing ?? 'half',
      rotaryDim: params.rotaryDim ?? 128,
      base: params.base ?? 10000,
      offset: 0,
    });
    expect(best!.fits).toBe(true);
    expect(best!.residual).toBeGreaterThan(1e-4);
    expect(best!.residual).toBeLessThan(4e-3);
  });

  test('reads the bits of bfloat16', () => {
    const shape = { length: 50, heads: 2, headDim: 64 };
    const before = bfloat16(random(shape));
    const after = bfloat16(turned(before, shape, { headDim: 64 }));
    const bits = (values: Float32Array) => ({
      bf16: Uint16Array.from(new Uint32Array(values.buffer), (one) => one >>> 16),
    });
    const halves = { before: bits(before), after: bits(after) };
    expect(encodings.detectConvention({ ...halves, ...shape })).toEqual(detect(before, after, shape));
  });

  test('takes a base that is known', () => {
    const shape = { length: 8, heads: 4, headDim: 128 };
    const before = bfloat16(random(shape));
    const after = bfloat16(turned(before, shape, { headDim: 128, base: 1e6 }));
    const [best] = encodings.detectConvention({ before, after, ...shape, base: 1e6 });
    expect(convention(best!)).toMatchObject({ pairing: 'half', rotaryDim: 128, base: 1e6, offset: 0 });
  });

  test('says that shuffled values are no rotation', () => {
    const shape = { length: 100, heads: 1, headDim: 64 };
    const before = random(shape);
    for (const after of [before.slice().reverse(), before.slice().sort(), random(shape, 2)]) {
      const guesses = detect(before, after, shape);
      expect(guesses.map(({ pairing }) => pairing).sort()).toEqual(['half', 'interleaved', 'mixed']);
      for (const { fits, residual } of guesses) {
        expect(fits).toBe(false);
        expect(residual).toBeGreaterThan(0.9);
        expect(residual).toBeLessThanOrEqual(1);
      }
    }
  });

  test('answers anything in finite numbers', () => {
    const uniform = randomFrom(9);
    const pick = <T>(values: readonly T[]): T => values[Math.floor(uniform() * values.length)]!;
    const sources = [() => 1, () => 3e38 * (uniform() - 0.5), () => 1e-45, () => Math.round(uniform()), uniform];
    for (let i = 0; i < 200; ++i) {
      const shape = { length: pick([2, 3, 40]), heads: pick([1, 2, 5]), headDim: pick([2, 3, 4, 7, 16]) };
      const [before, after] = [pick(sources), pick(sources)].map((source) =>
        Float32Array.from({ length: shape.length * shape.heads * shape.headDim }, source),
      ) as [Float32Array, Float32Array];
      if (before.every((value, at) => value === after[at])) continue;
      for (const { invFreq, mixed: _, pairing: __, fits: ___, ...found } of detect(before, after, shape)) {
        for (const value of [...Object.values(found), ...invFreq]) expect(value).toSatisfy(Number.isFinite);
      }
    }
  });

  test('agrees with what this package computes, buffers included', () => {
    const shape = { length: 40, heads: 2, headDim: 32 };
    const before = encodings.buffer(40 * 64);
    before.set(random(shape));
    const after = encodings.buffer(40 * 64);
    encodings.rope({ x: before, params: { headDim: 32, pairing: 'gptj' }, ...shape, start: 12, out: after });
    const [best] = encodings.detectConvention({ before, after, ...shape });
    expect(convention(best!)).toMatchObject({ pairing: 'interleaved', offset: 12, base: 10000 });
    before.dispose();
    after.dispose();
  });

  test.each([
    ['length', { length: 1 }],
    ['headDim', { headDim: 1 }],
    ['before', { before: new Float32Array(12) }],
    ['after', { after: new Float32Array(12) }],
    ['after', { after: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) }],
    ['before', { before: new Float32Array(12).fill(NaN) }],
    ['after', { after: new Float32Array(12).fill(Infinity) }],
    ['base', { base: 1 }],
  ])('refuses a wrong %s: %o', (argument, change) => {
    const before = Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    const options = { before, after: before.slice().reverse(), length: 3, heads: 1, headDim: 4, ...change };
    expect(() => encodings.detectConvention(options)).toThrowError(expect.objectContaining({ argument }));
  });
});
