import { parseHfConfig, ropeFrequencies, type RopeParams, type RopeType } from 'posenc';
import { describe, expect, test } from 'vitest';
import { expectNear } from '../support/compare.ts';
import { numbers, type Stored } from '../support/data.ts';
import { openFixture } from '../support/fixture.ts';
import type { RopeConfig } from '../support/rope-config.ts';

interface ParameterCase {
  model: string;
  config: RopeConfig & { layer?: string };
  seq_len: number | null;
  inv_freq: Stored;
  attention_factor: number;
  rotary_dim: number;
}

const cases = openFixture<ParameterCase>('rope_parameters').all.map((entry) => {
  const { layer } = entry.config;
  const name = [entry.model, ...(layer ? [layer] : []), ...(entry.seq_len ? [`length ${entry.seq_len}`] : [])].join(
    ', ',
  );
  return { ...entry, name };
});

describe('ropeFrequencies', () => {
  test.each(cases)('gives the frequencies of $name', (entry) => {
    const { params } = parseHfConfig(entry.config).layers[0]!;
    const found = ropeFrequencies(params, entry.seq_len === null ? {} : { seqLen: entry.seq_len });
    const expected = numbers(entry.inv_freq);
    expect(2 * found.invFreq.length).toBe(entry.rotary_dim);
    expectNear(found.invFreq, expected, { relative: 1e-12 });
    expectNear([found.attentionFactor], [entry.attention_factor], { relative: 1e-12 });
    expectNear(
      found.wavelength,
      expected.map((frequency) => (2 * Math.PI) / frequency),
      { relative: 1e-12 },
    );
    const { invFreq: unscaled } = ropeFrequencies({
      headDim: params.headDim,
      rotaryDim: entry.rotary_dim,
      base: params.base as number,
    });
    expectNear(
      found.divisor,
      unscaled.map((frequency, pair) => frequency / (expected[pair] as number)),
      { relative: 1e-12 },
    );
  });

  test('takes the rotary width, not the head width, as denominator', () => {
    const { invFreq } = ropeFrequencies({ headDim: 96, rotaryDim: 24 });
    expect(invFreq).toHaveLength(12);
    expectNear([invFreq[1] as number], [0.46415888336127786], { relative: 1e-12 });
  });

  test('lets an attention factor count for the default type', () => {
    expect(ropeFrequencies({ headDim: 8, attentionFactor: 1.25 }).attentionFactor).toBe(1.25);
  });

  test('has wavelengths from 2π to 2π base^((d − 2) / d)', () => {
    for (const [base, longest] of [
      [1e4, 54_410],
      [1e6, 5.063e6],
    ] as const) {
      const { wavelength } = ropeFrequencies({ headDim: 128, base });
      expect(wavelength[0]).toBeCloseTo(2 * Math.PI, 12);
      expectNear([wavelength[63] as number], [longest], { relative: 2e-4 });
    }
  });

  test.each([
    ['headDim', { headDim: 0 }],
    ['headDim', { headDim: -1 }],
    ['headDim', { headDim: 1.5 }],
    ['headDim', { headDim: NaN }],
    ['headDim', { headDim: 2 ** 31 }],
    ['headDim', {} as RopeParams],
    ['headDim', { headDim: 5 }],
    ['rotaryDim', { headDim: 8, rotaryDim: 3 }],
    ['rotaryDim', { headDim: 8, rotaryDim: 10 }],
    ['rotaryDim', { headDim: 8, rotaryDim: 0 }],
    ['base', { headDim: 8, base: 0 }],
    ['base', { headDim: 8, base: -10000 }],
    ['base', { headDim: 8, base: 1 }],
    ['base', { headDim: 8, base: Infinity }],
    ['base', { headDim: 8, base: NaN }],
    ['base', { headDim: 8, base: 1e-30 }],
    ['base', { headDim: 8, base: '10000' as unknown as number }],
    ['type', { headDim: 8, type: 'ntk-aware' as RopeType }],
    ['pairing', { headDim: 8, pairing: 'Half' as 'half' }],
    ['attentionFactor', { headDim: 8, attentionFactor: 0 }],
    ['rotarydim', { headDim: 8, rotarydim: 4 } as RopeParams],
    ['params', 8 as unknown as RopeParams],
  ])('refuses a wrong %s: %o', (argument, params) => {
    expect(() => ropeFrequencies(params)).toThrowError(
      expect.objectContaining({ name: 'PosencError', argument, message: expect.stringContaining(argument) as string }),
    );
  });

  test('names the allowed types', () => {
    expect(() => ropeFrequencies({ headDim: 8, type: 'yarm' as RopeType })).toThrowError(/"yarn".*"longrope"/);
  });

  test('offers the right name for a misspelt one', () => {
    expect(() => ropeFrequencies({ headDim: 8, rotarydim: 4 } as RopeParams)).toThrowError(/did you mean rotaryDim/);
  });
});
