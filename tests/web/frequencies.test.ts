import { readFileSync } from 'node:fs';
import { ropeFrequencies, type RopeParams, type RopeType } from 'posenc';
import { describe, expect, test } from 'vitest';
import { expectNear } from './support/compare.ts';
import { numbers, readFixture, type Stored } from './support/data.ts';
import { paramsOf, plainFrequencies, type RopeConfig } from './support/rope-config.ts';

interface ParameterCase {
  model: string;
  config: RopeConfig & { layer?: string };
  seq_len: number | null;
  inv_freq: Stored;
  attention_factor: number;
  rotary_dim: number;
}

/** One layer type of a model, or all of its layers. */
type LayerFacts = Partial<RopeConfig> & { layer?: string };
interface ModelFacts extends RopeConfig {
  name: string;
  position_encoding: string;
  rope_head_dim?: number;
  rope_variants?: LayerFacts[];
  mrope_section?: number[];
}

const cases = readFixture<ParameterCase>('rope_parameters').map((entry) => {
  const { layer } = entry.config;
  const name = [entry.model, ...(layer ? [layer] : []), ...(entry.seq_len ? [`length ${entry.seq_len}`] : [])].join(
    ', ',
  );
  return { ...entry, name };
});

const { models } = JSON.parse(readFileSync(new URL('../fixtures/model_configs.json', import.meta.url), 'utf8')) as {
  models: ModelFacts[];
};
const rotary = models.filter(({ position_encoding }) => /rope/.test(position_encoding));

/** The rotary part of every layer type, by the names of the fixture. */
function layersOf(model: ModelFacts): { name: string; config: RopeConfig }[] {
  // DeepSeek turns a part of its own beside the rest; each half of a head of ChatGLM-6B turns by a position of its own.
  const halves = model.position_encoding === 'rope_2d_chatglm' ? 2 : 1;
  const config = { ...model, head_dim: model.rope_head_dim ?? model.head_dim / halves };
  if (model.rope_variants === undefined) return [{ name: model.name, config }];
  return model.rope_variants.map((facts) => ({
    name: `${model.name}, ${facts.layer}`,
    config: { ...config, ...facts },
  }));
}

describe('ropeFrequencies', () => {
  test.each(cases)('gives the frequencies of $name', (entry) => {
    const params = paramsOf(entry.config);
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

  test('holds all 32 public models, of which 23 rotate', () => {
    expect([models.length, rotary.length]).toEqual([32, 23]);
    expect(models.filter((model) => !rotary.includes(model)).map(({ name }) => name)).toEqual([
      'Baichuan-13B',
      'BLOOM-176B',
      'BLOOM-7B1',
      'MPT-7B',
      'T5-base',
      'DeBERTa-v3-base',
      'XLNet-base',
      'BERT-base',
      'GPT-2',
    ]);
  });

  test.each(rotary.flatMap(layersOf))('follows from the public facts of $name', ({ name, config }) => {
    for (const seqLen of [undefined, config.original_max_position_embeddings, config.max_position_embeddings]) {
      const options = typeof seqLen === 'number' ? { seqLen } : {};
      const found = ropeFrequencies(paramsOf(config), options);
      const plain = plainFrequencies(config, options.seqLen);
      expectNear(found.invFreq, plain.invFreq, { relative: 1e-12 });
      expectNear([found.attentionFactor], [plain.attentionFactor], { relative: 1e-12 });
      const { mrope_section } = config as ModelFacts;
      if (mrope_section !== undefined) {
        expect(mrope_section.reduce((sum, pairs) => sum + pairs)).toBe(found.invFreq.length);
      }
      if (seqLen !== undefined) continue;
      const stored = cases.find((entry) => entry.name === name);
      if (stored !== undefined) expectNear(found.invFreq, numbers(stored.inv_freq), { relative: 1e-12 });
    }
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
