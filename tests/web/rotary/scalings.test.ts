import { ropeFrequencies, type RopeParams, type RopeType } from 'posenc';
import { describe, expect, test } from 'vitest';
import { expectNear } from '../support/compare.ts';
import { exactCosSin, randomFloats, rotate } from '../support/oracle.ts';
import { describeVariants } from '../support/variants.ts';

const near = { relative: 1e-12 };

/** base^(−2p / dim), all pairs. */
function series(dim: number, base: number, denominator = dim): Float64Array {
  return Float64Array.from({ length: dim / 2 }, (_, p) => base ** ((-2 * p) / denominator));
}

/** How many pairs are kept, blended and scaled, in this order. */
function zones(params: RopeParams): number[] {
  const { zone } = ropeFrequencies(params);
  const runs = ['kept', 'blended', 'scaled'].flatMap((name) => zone.filter((other) => other === name));
  expect(zone).toEqual(runs);
  return ['kept', 'blended', 'scaled'].map((name) => zone.filter((other) => other === name).length);
}

const llama3 = {
  headDim: 128,
  base: 500_000,
  type: 'llama3',
  factor: 8,
  lowFreqFactor: 1,
  highFreqFactor: 4,
  originalMaxPosition: 8192,
} as const satisfies RopeParams;

const longrope = {
  headDim: 8,
  type: 'longrope',
  shortFactor: [1, 1, 1, 1],
  longFactor: [8, 8, 8, 8],
  originalMaxPosition: 4096,
  maxPosition: 131_072,
} satisfies RopeParams;

describe('linear', () => {
  test('divides every pair, also by a factor below 1', () => {
    for (const factor of [8, 0.5]) {
      const { invFreq, divisor, zone } = ropeFrequencies({ headDim: 64, type: 'linear', factor });
      expectNear(
        invFreq,
        series(64, 10_000).map((f) => f / factor),
        near,
      );
      expect(divisor).toEqual(new Float64Array(32).fill(factor));
      expect(new Set(zone)).toEqual(new Set(['scaled']));
    }
    expect(zones({ headDim: 64, type: 'linear', factor: 1 })).toEqual([32, 0, 0]);
  });
});

describe('ntk', () => {
  test.each([2, 4, 8])('keeps the fastest pair and divides the slowest by alpha %i', (factor) => {
    const { divisor } = ropeFrequencies({ headDim: 128, type: 'ntk', factor });
    expect(divisor[0]).toBe(1);
    expect(divisor[63]).toBe(factor);
    expect(zones({ headDim: 128, type: 'ntk', factor })).toEqual([1, 62, 1]);
  });
});

describe('dynamic', () => {
  const params = { headDim: 64, base: 1000, type: 'dynamic', factor: 2, maxPosition: 2048 } satisfies RopeParams;

  test('needs the length for any change, and takes the original context before the offered one', () => {
    expectNear(ropeFrequencies(params).invFreq, series(64, 1000), near);
    const stretched = { ...params, originalMaxPosition: 2048, maxPosition: 32_768 };
    expectNear(ropeFrequencies(stretched, { seqLen: 4096 }).invFreq, series(64, 3108.2236667168813), near);
    const wide = { headDim: 128, type: 'dynamic', factor: 2, originalMaxPosition: 2048 } as const;
    expectNear(ropeFrequencies(wide, { seqLen: 4096 }).invFreq, series(128, 30527.7367), { relative: 1e-8 });
  });
});

describe('yarn', () => {
  const params = { headDim: 128, type: 'yarn', factor: 16, originalMaxPosition: 4096 } satisfies RopeParams;

  test.each([
    ['a head of 128', params, [21, 25, 18]],
    ['DeepSeek-V3', { ...params, headDim: 64, factor: 40 }, [11, 12, 9]],
    ['gpt-oss', { ...params, headDim: 64, base: 150_000, factor: 32, truncate: false }, [9, 9, 14]],
  ])('blends the pairs within the bounds of %s', (_, model, expected) => {
    expect(zones(model)).toEqual(expected);
  });

  test('weighs by the unrounded bounds where truncate is false', () => {
    const { divisor } = ropeFrequencies({ ...params, headDim: 64, base: 150_000, factor: 32, truncate: false });
    const [low, high] = [8.09277912, 17.3980245];
    const ramp = (9 - low) / (high - low);
    expectNear([divisor[9] as number], [1 / (1 - ramp + ramp / 32)], { relative: 1e-7 });
  });

  test.each([
    ['mscale alone', { mscale: 0.707 }, 1.2772588722239782, 1],
    ['mscaleAllDim alone', { mscaleAllDim: 1 }, 1.2772588722239782, 1.6313902266748685],
    ['a strength of 0', { mscale: 1, mscaleAllDim: 0 }, 1.2772588722239782, 1],
    ['an attention factor', { mscale: 2, mscaleAllDim: 1, attentionFactor: 1.5 }, 1.5, 1.6313902266748685],
  ])('has with %s its factors apart', (_, strengths, attentionFactor, softmaxFactor) => {
    const found = ropeFrequencies({ ...params, ...strengths });
    expectNear([found.attentionFactor, found.softmaxFactor], [attentionFactor, softmaxFactor], near);
  });

  test.each([
    ['DeepSeek-V3', 1, 40, 1.8738542071],
    ['DeepSeek-V2', 0.707, 40, 1.5896261652],
  ])('leaves the multiplier of %s to the softmax', (_, mscale, factor, softmaxFactor) => {
    const found = ropeFrequencies({ ...params, base: 50_000, factor, mscale, mscaleAllDim: mscale });
    expect(found.attentionFactor).toBe(1);
    expectNear([found.softmaxFactor], [softmaxFactor], { relative: 1e-10 });
  });

  test.each([
    [2, 1.0693147180559945],
    [32, 1.3465735903],
    [1, 1],
    [0.5, 1],
  ])('multiplies tables for factor %f by %f', (factor, attentionFactor) => {
    expectNear([ropeFrequencies({ ...params, factor }).attentionFactor], [attentionFactor], { relative: 1e-10 });
  });

  test('takes the ratio of the contexts where no factor is given', () => {
    const { factor, ...rest } = params;
    expect(ropeFrequencies({ ...rest, maxPosition: 65_536 })).toEqual(ropeFrequencies({ ...params, factor }));
    expect(zones({ ...rest, maxPosition: 2048 })).toEqual(zones(params));
    expect(ropeFrequencies({ ...rest, maxPosition: 2048 }).divisor[63]).toBe(0.5);
  });

  test('steps where both bounds are the same', () => {
    // One turn in the context: 64 ln(64 / 2π) / (2 ln 10^4) = 8.06.
    const step = {
      headDim: 64,
      type: 'yarn',
      factor: 4,
      originalMaxPosition: 64,
      betaFast: 1,
      truncate: false,
    } as const;
    expect(zones(step)).toEqual([9, 0, 23]);
  });
});

describe('longrope', () => {
  test.each([
    [undefined, 1],
    [1, 1],
    [4096, 1],
    [4097, 8],
    [131_072, 8],
  ])('at length %s divides by %i', (seqLen, divisor) => {
    const found = ropeFrequencies(longrope, seqLen === undefined ? {} : { seqLen });
    expect(found.divisor).toEqual(new Float64Array(4).fill(divisor));
    expectNear(
      found.invFreq,
      series(8, 10_000).map((f) => f / divisor),
      near,
    );
    expect(new Set(found.zone)).toEqual(new Set([divisor === 1 ? 'kept' : 'scaled']));
    expectNear([found.attentionFactor], [1.1902380714238083], near);
  });

  test('has attention factor 1 where nothing is stretched', () => {
    expect(ropeFrequencies({ ...longrope, maxPosition: 4096 }).attentionFactor).toBe(1);
    expect(ropeFrequencies({ ...longrope, factor: 0.5 }).attentionFactor).toBe(1);
  });

  test('takes the attention factor of Phi-MoE by the length, and a given one before it', () => {
    const moe = { ...longrope, shortMscale: 1.25, longMscale: 1.5 };
    expect(ropeFrequencies(moe, { seqLen: 4096 }).attentionFactor).toBe(1.25);
    expect(ropeFrequencies(moe, { seqLen: 4097 }).attentionFactor).toBe(1.5);
    expect(ropeFrequencies({ ...moe, attentionFactor: 2 }, { seqLen: 4097 }).attentionFactor).toBe(2);
    const { shortMscale, ...long } = moe;
    expect(shortMscale).toBe(1.25);
    expectNear([ropeFrequencies(long).attentionFactor], [1.1902380714238083], near);
  });
});

describe('llama3', () => {
  test('keeps, blends and scales the pairs of Llama-3.1-8B', () => {
    expect(zones(llama3)).toEqual([29, 6, 29]);
    const { invFreq, divisor } = ropeFrequencies(llama3);
    expectNear(invFreq.subarray(0, 29), series(128, 500_000).subarray(0, 29), near);
    expectNear(divisor.subarray(29, 35), [1.207484, 1.553415, 2.026313, 2.69453, 3.684253, 5.257327], {
      absolute: 5e-7,
    });
    expect(divisor.subarray(35)).toEqual(new Float64Array(29).fill(8));
  });

  test('with equal factors is a step at the original context, as in Llama 4 Scout', () => {
    const scout = { ...llama3, factor: 16, lowFreqFactor: 1, highFreqFactor: 1 };
    const plain = series(128, 500_000);
    const { invFreq, divisor } = ropeFrequencies(scout);
    expect(zones(scout)).toEqual([35, 0, 29]);
    expect(divisor).toEqual(plain.map((frequency) => ((2 * Math.PI) / frequency > 8192 ? 16 : 1)));
    expectNear(
      invFreq,
      plain.map((frequency) => ((2 * Math.PI) / frequency > 8192 ? frequency / 16 : frequency)),
      near,
    );
    // A pair of one radian per token makes exactly that many turns in a context of one token.
    const step = { lowFreqFactor: 1 / (2 * Math.PI), highFreqFactor: 1 / (2 * Math.PI) };
    expect(ropeFrequencies({ ...scout, ...step, headDim: 2, originalMaxPosition: 1 }).zone).toEqual(['kept']);
  });
});

describe('proportional', () => {
  test('turns the first pairs of the whole head and none of the others', () => {
    const found = ropeFrequencies({ headDim: 512, rotaryDim: 128, base: 1e6, type: 'proportional', factor: 4 });
    const expected = series(512, 1e6).map((f, p) => (p < 64 ? f / 4 : 0));
    expectNear(found.invFreq, expected, near);
    expect(found.divisor).toEqual(expected.map((_, p) => (p < 64 ? 4 : Infinity)));
    expect(found.wavelength.subarray(64)).toEqual(new Float64Array(192).fill(Infinity));
    expect(found.zone).toEqual(Array.from(expected, () => 'scaled'));
    expect(zones({ headDim: 512, rotaryDim: 128, type: 'proportional' })).toEqual([64, 0, 192]);
  });

  test('is the default type where all of the head turns', () => {
    const all = { headDim: 64, base: 1e6 };
    expect(ropeFrequencies({ ...all, type: 'proportional' })).toEqual(ropeFrequencies(all));
  });
});

describe('every type', () => {
  const types = {
    default: { headDim: 8 },
    linear: { headDim: 8, factor: 4 },
    ntk: { headDim: 8, factor: 4 },
    dynamic: { headDim: 8, factor: 4, originalMaxPosition: 64 },
    yarn: { headDim: 8, factor: 4, originalMaxPosition: 64 },
    longrope,
    llama3,
    mrope: { headDim: 8 },
    proportional: { headDim: 8, rotaryDim: 4 },
  } satisfies Record<RopeType, RopeParams>;
  const all = Object.entries(types).map(([type, rest]) => ({ ...rest, type }) as RopeParams & { type: RopeType });

  test.each(all)('$type goes with an attention factor and with sections', (params) => {
    const plain = ropeFrequencies(params);
    expect(ropeFrequencies({ ...params, attentionFactor: 1.25 })).toEqual({ ...plain, attentionFactor: 1.25 });
    const mropeSection = [plain.invFreq.length - 2, 1, 1];
    expect(ropeFrequencies({ ...params, mropeSection, mropeInterleaved: true })).toEqual(plain);
  });

  test.each(all)('$type divides the frequencies by its divisors', (params) => {
    const { invFreq, divisor, wavelength } = ropeFrequencies(params, { seqLen: 100_000 });
    const unscaled = ropeFrequencies({ headDim: params.headDim, base: params.base ?? 10_000 }).invFreq;
    expectNear(
      invFreq,
      unscaled.map((f, p) => f / (divisor[p] as number)),
      near,
    );
    expectNear(
      wavelength,
      invFreq.map((f) => (2 * Math.PI) / f),
      near,
    );
  });

  test('of a head that differs from hidden / heads has the pairs of the head', () => {
    expect(ropeFrequencies({ ...llama3, headDim: 128 }).invFreq).toHaveLength(64);
  });

  test('of a head wider than 2^20 is refused before anything is made for its pairs', () => {
    expect(ropeFrequencies({ headDim: 2 ** 20 }).zone).toHaveLength(2 ** 19);
    for (const headDim of [2 ** 20 + 2, 2 ** 28]) {
      expect(() => ropeFrequencies({ headDim })).toThrowError(
        expect.objectContaining({
          code: 'bad-argument',
          argument: 'headDim',
          expected: expect.stringContaining('1048576') as string,
        }),
      );
    }
  });

  test.each(Object.keys(types) as RopeType[])('%s refuses sections that are not those of its pairs', (type) => {
    const params = { ...types[type], type } as RopeParams;
    const pairs = ropeFrequencies(params).invFreq.length;
    for (const section of [
      'junk',
      null,
      pairs,
      [],
      [pairs],
      [pairs, 0],
      [pairs, 1, 0],
      [pairs - 0.5, 0.5, 0],
      [pairs + 1, -1, 0],
    ]) {
      expect(() => ropeFrequencies({ ...params, mropeSection: section as number[] })).toThrowError(
        expect.objectContaining({ name: 'PosencError', argument: 'mropeSection' }),
      );
    }
    for (const mropeInterleaved of ['junk', 1, null]) {
      expect(() =>
        ropeFrequencies({ ...params, mropeInterleaved: mropeInterleaved as unknown as boolean }),
      ).toThrowError(expect.objectContaining({ name: 'PosencError', argument: 'mropeInterleaved' }));
    }
  });

  const wrong = [0, -1, NaN, Infinity, null, '4', undefined];
  const refusals: [RopeType, string, unknown[], Partial<RopeParams>?][] = [
    ['linear', 'factor', [...wrong, 1e-300]],
    ['ntk', 'factor', wrong],
    ['ntk', 'rotaryDim', [2]],
    ['dynamic', 'factor', wrong],
    ['dynamic', 'originalMaxPosition', [...wrong, 1.5, 2 ** 31]],
    ['dynamic', 'maxPosition', [0, 1.5, null], { originalMaxPosition: undefined } as object],
    ['dynamic', 'rotaryDim', [2]],
    ['yarn', 'factor', wrong],
    ['yarn', 'originalMaxPosition', [...wrong, 1.5, 2 ** 31]],
    ['yarn', 'maxPosition', [0, -1, 1.5, NaN, null], { factor: undefined } as object],
    ['yarn', 'betaFast', [0, -1, NaN, null, 0.5]],
    ['yarn', 'betaSlow', [0, -1, NaN, null]],
    ['yarn', 'truncate', [0, 'false', null]],
    ['yarn', 'mscale', [-1, NaN, Infinity, null, '1']],
    ['yarn', 'mscale', [1e300, 1e40], { mscaleAllDim: 1 }],
    ['yarn', 'mscaleAllDim', [-1, NaN, Infinity, null, '1', 1e300]],
    ['yarn', 'base', [0.5]],
    ['longrope', 'factor', [0, -1, NaN, null]],
    ['longrope', 'factor', [undefined], { maxPosition: undefined } as object],
    ['longrope', 'originalMaxPosition', [0, 1, 1.5, NaN, null]],
    ['longrope', 'shortFactor', [undefined, null, 1, [], [1, 1, 1], [1, 1, 1, 1, 1], [1, 0, 1, 1], [1, 1, NaN, 1]]],
    ['longrope', 'longFactor', [undefined, null, [1, 1, 1], [1, -1, 1, 1], [1, 1, 1, '1'], [1e-300, 1, 1, 1]]],
    ['longrope', 'shortMscale', [0, -1, NaN, null, 1e300, 1e-300]],
    ['longrope', 'longMscale', [0, -1, NaN, null]],
    ['llama3', 'factor', [...wrong, 1e-300]],
    ['llama3', 'originalMaxPosition', [...wrong, 1.5, 2 ** 31]],
    ['llama3', 'lowFreqFactor', wrong],
    ['llama3', 'highFreqFactor', [...wrong, 0.5]],
    ['proportional', 'factor', [0, -1, NaN, null, 1e-300]],
    ['proportional', 'headDim', [7]],
    ['proportional', 'rotaryDim', [0, 3, 10]],
  ];
  test.each(refusals.map(([type, argument, values, changes = {}]) => ({ type, argument, values, changes })))(
    '$type refuses a wrong $argument: $values',
    ({ type, argument, values, changes }) => {
      for (const value of values) {
        const params = { ...types[type], type, ...changes, [argument]: value } as RopeParams;
        expect(() => ropeFrequencies(params), String(value)).toThrowError(
          expect.objectContaining({
            name: 'PosencError',
            argument,
            message: expect.stringContaining(argument) as string,
          }),
        );
      }
    },
  );

  test('says at which index a divisor is wrong', () => {
    const params = { ...longrope, longFactor: [1, 2, -3, 4] };
    expect(() => ropeFrequencies(params)).toThrowError('longFactor must be an array of 4 finite numbers above 0');
    expect(() => ropeFrequencies(params)).toThrowError('got -3 at index 2');
  });

  test.each([0, -1, 1.5, NaN, null, '8'])('refuses a sequence of length %s', (seqLen) => {
    for (const params of all) {
      expect(() => ropeFrequencies(params, { seqLen: seqLen as number })).toThrowError(
        expect.objectContaining({ argument: 'seqLen' }),
      );
    }
  });
});

await describeVariants('scaled rotation', (encodings) => {
  const positions = [0, 1, 77, 4095, 131_071];
  const [length, heads] = [positions.length, 2];
  const scaled: [string, RopeParams, number | undefined][] = [
    ['llama3', llama3, undefined],
    ['longrope past its context', longrope, 8192],
    ['dynamic past its context', { headDim: 16, type: 'dynamic', factor: 2, maxPosition: 2048 }, 8192],
    ['yarn', { headDim: 64, type: 'yarn', factor: 4, originalMaxPosition: 2048 }, undefined],
    ['proportional', { headDim: 64, rotaryDim: 16, type: 'proportional', base: 1e6 }, undefined],
    [
      'proportional, interleaved',
      { headDim: 12, rotaryDim: 4, type: 'proportional', pairing: 'interleaved' },
      undefined,
    ],
  ];

  test.each(scaled)('turns by %s as the formula says', (_, params, seqLen) => {
    const { headDim, pairing = 'half' } = params;
    const options = seqLen === undefined ? {} : { seqLen };
    const { invFreq, attentionFactor: factor } = ropeFrequencies(params, options);
    const x = randomFloats(heads * length * headDim, 3);
    const call = { x, params, format: 'bhsd', length, heads, headDim, positions, ...options } as const;
    const turned = encodings.rope(call);
    expectNear(turned, rotate(x, positions, invFreq, { heads, headDim, pairing, factor }), { absolute: 4e-7 });

    const { cos, sin } = encodings.ropeTable({ params, positions, ...options });
    const exact = positions.flatMap((position) => Array.from(invFreq, (f) => exactCosSin(position, f)));
    expectNear(
      cos,
      exact.map(([c]) => c * factor),
      { absolute: 1e-7 },
    );
    expectNear(
      sin,
      exact.map(([, s]) => s * factor),
      { absolute: 1e-7 },
    );
    const last = positions.length - 1;
    const table = { cos, sin, rows: length };
    const byTable = encodings.rope({ ...call, table, positions: [0, 1, 2, 3, last] });
    expect(byTable).toEqual(turned);
  });

  test('proportional leaves the channels of the other pairs as they are', () => {
    const params = { headDim: 16, rotaryDim: 4, type: 'proportional' } as const;
    const x = randomFloats(16, 5);
    const turned = encodings.rope({ x, params, length: 1, heads: 1, headDim: 16, start: 1000 });
    for (let channel = 0; channel < 16; ++channel) {
      const turns = channel % 8 < 2;
      expect(turned[channel] !== x[channel], `channel ${channel}`).toBe(turns);
    }
  });

  test('attention turns as rope does, at the length that it is given', () => {
    const [headDim, queryLength, keyLength] = [8, 3, 9];
    const query = randomFloats(queryLength * headDim, 6);
    const key = randomFloats(keyLength * headDim, 7);
    const value = randomFloats(keyLength * headDim, 8);
    const sizes = { heads: 1, queryLength, keyLength, headDim };
    const queryStart = keyLength - queryLength;
    const turnedBy = (params: RopeParams, options: { seqLen?: number }) => {
      const turn = (x: Float32Array, rows: number, start: number) =>
        encodings.rope({ x, params, length: rows, heads: 1, headDim, start, ...options });
      const turned = { query: turn(query, queryLength, queryStart), key: turn(key, keyLength, 0) };
      return encodings.attention({ ...turned, value, ...sizes });
    };
    for (const options of [{}, { seqLen: 8192 }]) {
      const inside = encodings.attention({ query, key, value, ...sizes, rope: longrope, ...options });
      expectNear(inside, turnedBy(longrope, options), { absolute: 1e-6 });
    }
    const proportional = { headDim, rotaryDim: 4, type: 'proportional' } as const;
    const inside = encodings.attention({ query, key, value, ...sizes, rope: proportional });
    expectNear(inside, turnedBy(proportional, {}), { absolute: 1e-6 });
    expect(() => encodings.attention({ query, key, value, ...sizes, seqLen: 9 })).toThrowError(
      expect.objectContaining({ argument: 'seqLen' }),
    );
  });

  test.each(scaled)('scores turned by %s depend on the distance only', (_, params, seqLen) => {
    const [query, key] = [randomFloats(params.headDim, 9), randomFloats(params.headDim, 10)];
    const shifts = [0, 1, 4096, 1_000_000];
    const options = seqLen === undefined ? {} : { seqLen };
    const found = encodings.verifyRelative({ query, key, params, distance: 5, shifts, ...options });
    const { invFreq, attentionFactor: factor } = ropeFrequencies(params, options);
    const { headDim, pairing = 'half' } = params;
    const turn = (x: Float32Array, position: number) =>
      rotate(x, [position], invFreq, { heads: 1, headDim, pairing, factor });
    const turnedKey = turn(key, 5);
    const score = turn(query, 0).reduce((sum, value, i) => sum + value * (turnedKey[i] as number), 0);
    for (const entry of found) {
      expectNear([entry.score], [score], { absolute: 1e-12 });
      expect(entry.residual).toBeLessThan(1e-12);
    }
  });
});
