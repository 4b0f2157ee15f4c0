import { readFileSync } from 'node:fs';
import { PosencError, ropeFrequencies, type RopeParams, type RopeType } from 'posenc';
import { describe, expect, test } from 'vitest';
import { later } from './later.ts';
import { expectNear } from './support/compare.ts';
import { numbers, readFixture, type Stored } from './support/data.ts';

interface ScalingConfig {
  rope_type: RopeType;
  factor?: number;
  original_max_position_embeddings?: number;
  beta_fast?: number;
  beta_slow?: number;
  truncate?: boolean;
  low_freq_factor?: number;
  high_freq_factor?: number;
  short_factor?: number[];
  long_factor?: number[];
  mscale?: number;
  mscale_all_dim?: number;
  mrope_section?: number[];
}
interface ParameterCase {
  model: string;
  config: {
    head_dim: number;
    rope_theta: number;
    partial_rotary_factor: number;
    max_position_embeddings: number;
    original_max_position_embeddings?: number;
    rope_scaling?: ScalingConfig | null;
    layer?: string;
  };
  seq_len: number | null;
  inv_freq: Stored;
  attention_factor: number;
  rotary_dim: number;
}

interface ModelFacts {
  name: string;
  position_encoding: string;
  head_dim: number;
  rope_theta: number;
  rope_scaling: object | null;
  partial_rotary_factor: number;
  layout: 'half' | 'interleaved';
}

const cases = readFixture<ParameterCase>('rope_parameters').map((entry) => {
  const { layer } = entry.config;
  const name = [entry.model, ...(layer ? [layer] : []), ...(entry.seq_len ? [`length ${entry.seq_len}`] : [])].join(
    ', ',
  );
  return { ...entry, name };
});

function paramsOf({ config, rotary_dim }: ParameterCase): RopeParams {
  const scaling = config.rope_scaling;
  const params: RopeParams = {
    headDim: config.head_dim,
    rotaryDim: rotary_dim,
    base: config.rope_theta,
    maxPosition: config.max_position_embeddings,
  };
  return scaling ? { ...params, type: scaling.rope_type } : params;
}

describe('ropeFrequencies', () => {
  test.each(cases.filter(({ name }) => later.rope_parameters?.[name] === undefined))(
    'gives the frequencies of $name',
    (entry) => {
      const { invFreq, attentionFactor, wavelength, divisor, zone } = ropeFrequencies(paramsOf(entry));
      expectNear(invFreq, numbers(entry.inv_freq), { relative: 1e-12 });
      expect(attentionFactor).toBe(entry.attention_factor);
      expectNear(
        wavelength,
        numbers(entry.inv_freq).map((frequency) => (2 * Math.PI) / frequency),
        { relative: 1e-12 },
      );
      expect(divisor).toEqual(new Float64Array(invFreq.length).fill(1));
      expect(zone).toEqual(Array.from(invFreq, () => 'kept'));
    },
  );

  test('follows from the public facts of a model', () => {
    const url = new URL('../fixtures/model_configs.json', import.meta.url);
    const { models } = JSON.parse(readFileSync(url, 'utf8')) as { models: ModelFacts[] };
    const unscaled = models.filter((model) => model.position_encoding === 'rope' && model.rope_scaling === null);
    let found = 0;
    for (const { name, head_dim, rope_theta, partial_rotary_factor, layout } of unscaled) {
      const entry = cases.find(({ model, config }) => model === name && config.rope_theta === rope_theta);
      if (entry === undefined) continue;
      ++found;
      const rotaryDim = 2 * Math.floor((head_dim * partial_rotary_factor) / 2);
      const { invFreq } = ropeFrequencies({ headDim: head_dim, rotaryDim, base: rope_theta, pairing: layout });
      expectNear(invFreq, numbers(entry.inv_freq), { relative: 1e-12 });
    }
    expect(found).toBeGreaterThanOrEqual(12);
  });

  test('says of every other type that this version does not compute it', () => {
    const refused = cases.filter((entry) => {
      try {
        ropeFrequencies(paramsOf(entry));
        return false;
      } catch (error) {
        expect(error).toBeInstanceOf(PosencError);
        expect(error).toMatchObject({
          code: 'unsupported',
          argument: 'type',
          got: entry.config.rope_scaling?.rope_type,
        });
        return true;
      }
    });
    expect(refused.map(({ name }) => name)).toEqual(Object.keys(later.rope_parameters ?? {}));
  });

  test('takes the rotary width, not the head width, as denominator', () => {
    const { invFreq } = ropeFrequencies({ headDim: 96, rotaryDim: 24 });
    expect(invFreq).toHaveLength(12);
    expectNear([invFreq[1] as number], [0.46415888336127786], { relative: 1e-12 });
    const glm = ropeFrequencies({ headDim: 256, rotaryDim: 64, base: 1e7 });
    expectNear([glm.invFreq[1] as number], [0.6042963902381329], { relative: 1e-12 });
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
    ['rotaryDim', { headDim: 5 }],
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
