import { parseHfConfig, planExtension, ropeFrequencies, type ExtensionRule, type RopeParams } from 'posenc';
import { describe, expect, test } from 'vitest';
import { expectNear } from '../support/compare.ts';
import { hfConfigs } from '../support/hf-configs.ts';

const near = { relative: 1e-12 };

/** The slow pairs of a plain series that complete no turn in a context, and turn further in a longer one. */
function plainOutOfRange(dim: number, base: number, trained: number): number {
  return Array.from({ length: dim / 2 }, (_, p) => base ** ((-2 * p) / dim)).filter(
    (frequency) => (trained * frequency) / (2 * Math.PI) < 1,
  ).length;
}

const llama2 = { headDim: 128, base: 10_000, maxPosition: 4096 } satisfies RopeParams;
const trained = { headDim: 128, base: 1e6, maxPosition: 32_768 } satisfies RopeParams;

function rules(params: RopeParams, targetLength: number): ExtensionRule[] {
  return planExtension(params, targetLength).map(({ rule }) => rule);
}

function recommended(params: RopeParams, targetLength: number) {
  const best = planExtension(params, targetLength).filter((option) => option.recommended);
  expect(best).toHaveLength(1);
  return best[0]!;
}

describe('a model without a scaling', () => {
  const plan = planExtension(llama2, 8192);
  const option = (rule: ExtensionRule) => plan.find((one) => one.rule === rule)!;

  test('has every way open', () => {
    expect(plan.map(({ rule }) => rule)).toEqual(['none', 'linear', 'ntk', 'dynamic', 'yarn']);
    expect(recommended(llama2, 8192).rule).toBe('yarn');
  });

  test('leaves the angles of training with its slow pairs as it is', () => {
    // 18 of 64: the fraction 0.28125 that Llama-2 leaves uncovered.
    expect(plainOutOfRange(128, 10_000, 4096)).toBe(18);
    expect(option('none').outOfRange).toBe(18);
    expect([option('none').pairs, option('none').params]).toEqual([64, llama2]);
  });

  test('keeps all angles by interpolation, YaRN and a base that follows the length', () => {
    for (const rule of ['linear', 'yarn', 'dynamic'] as const) expect(option(rule).outOfRange, rule).toBe(0);
  });

  test('stretches only its slowest pair in full by NTK-aware scaling, unless alpha is greater', () => {
    const ntk = option('ntk');
    expectNear([ntk.base], [20221.261689737912], near);
    expect(ntk.divisor.at(-1)).toBeCloseTo(2, 12);
    expect(ntk.outOfRange).toBe(17);
    const alpha = Number(/Alpha ([\d.]+) would/.exec(ntk.why)?.[1]);
    const enough = ropeFrequencies({ ...llama2, type: 'ntk', factor: alpha });
    const short = ropeFrequencies({ ...llama2, type: 'ntk', factor: alpha - 0.02 });
    const first = 64 - 18;
    expect(enough.divisor[first]).toBeGreaterThanOrEqual(2);
    expect(short.divisor[first]).toBeLessThan(2);
  });

  test('has base, divisors and factors of each way', () => {
    expectNear([option('yarn').attentionFactor], [1 + 0.1 * Math.log(2)], near);
    expectNear(option('yarn').divisor.subarray(46), new Float64Array(18).fill(2), near);
    expectNear(option('linear').divisor, new Float64Array(64).fill(2), near);
    // 2 × 8192 / 4096 − 1 = 3
    expectNear([option('dynamic').base], [10_000 * 3 ** (128 / 126)], near);
    expect([option('none').base, option('yarn').base]).toEqual([10_000, 10_000]);
  });

  test('changes short texts as the mean cosine says', () => {
    const kernel = (distance: number, scale: number) => {
      let sum = 0;
      for (let p = 0; p < 64; ++p) sum += Math.cos((distance / scale) * 10_000 ** ((-2 * p) / 128));
      return sum / 64;
    };
    const changes = Array.from({ length: 99 }, (_, i) => Math.abs(kernel(i + 1, 1) - kernel(i + 1, 2)));
    expectNear([option('linear').shortChange], [Math.max(...changes)], { relative: 1e-9 });
    expect([option('none').shortChange, option('dynamic').shortChange]).toEqual([0, 0]);
    expect(option('yarn').shortChange).toBeLessThan(option('linear').shortChange / 3);
  });

  test('has lines to paste that make room for the tokens', () => {
    expect(option('yarn').flags).toBe(
      '-c 8192 --rope-scaling yarn --rope-scale 2 --yarn-orig-ctx 4096 --rope-freq-base 10000',
    );
    expect(option('none').flags).toBe('-c 8192 --rope-scaling none --rope-freq-base 10000');
    expect(option('dynamic').flags).toBe('');
    expect(Object.keys(option('dynamic').lines)).toEqual(['hf-v4', 'hf-v5']);
    const { layers } = parseHfConfig(option('yarn').lines['hf-v5']!);
    expectNear(ropeFrequencies(layers[0]!.params).invFreq, option('yarn').invFreq, near);
  });
});

describe('a scaling that was put on a model', () => {
  const yarn = { ...trained, type: 'yarn', factor: 4, originalMaxPosition: 32_768 } satisfies RopeParams;

  test('is replaced by a smaller one where that is enough', () => {
    expect(rules(yarn, 65_536)).toEqual(['none', 'smaller-factor', 'linear', 'ntk', 'dynamic']);
    expect(recommended(yarn, 65_536)).toMatchObject({ rule: 'smaller-factor', params: { type: 'yarn', factor: 2 } });
    expect(recommended(yarn, 20_000)).toMatchObject({ rule: 'smaller-factor', params: { type: 'default' } });
    expect(recommended(yarn, 131_072).rule).toBe('none');
    expect(recommended(yarn, 262_144)).toMatchObject({ rule: 'yarn', params: { factor: 8 } });
  });

  test('stays where the model is offered with it', () => {
    expect(recommended({ ...yarn, maxPosition: 131_072 }, 65_536).rule).toBe('none');
    const { params } = parseHfConfig(hfConfigs['gpt-oss-20b']!).layers[0]!;
    expect(recommended(params, 65_536).rule).toBe('none');
  });
});

describe('a scaling that a model was trained with', () => {
  test('stays where every pair that turns has met all angles', () => {
    const { params } = parseHfConfig(hfConfigs['Gemma-4 text (proportional)']!).layers[0]!;
    expect(recommended(params, 262_144)).toMatchObject({ rule: 'none', outOfRange: 0 });
  });

  test.each(['Llama-3.1-8B', 'Phi-3-mini-128k (longrope)', 'Gemma-3-4B'])('is increased for %s', (name) => {
    const { params } = parseHfConfig(hfConfigs[name]!).layers[0]!;
    expect(recommended(params, 131_072)).toMatchObject({ rule: 'none', outOfRange: 0 });
    expect(rules(params, 262_144)).toEqual(['none', 'greater-factor']);
    const greater = recommended(params, 262_144);
    expect(greater.outOfRange).toBe(0);
    expect(planExtension(params, 262_144)[0]!.outOfRange).toBeGreaterThan(0);
    // The attention factor of LongRoPE stays that of the model.
    expectNear([greater.attentionFactor], [ropeFrequencies(params).attentionFactor], near);
  });
});

test('a greater factor of LongRoPE is stated, and every divisor has its share', () => {
  const { params } = parseHfConfig(hfConfigs['Phi-3-mini-128k (longrope)']!).layers[0]!;
  const greater = planExtension(params, 200_000).find(({ rule }) => rule === 'greater-factor')!;
  expectNear([greater.params.factor!], [200_000 / 4096], near);
  expectNear(
    greater.divisor,
    params.longFactor!.map((divisor) => (divisor * 200_000) / 131_072),
    near,
  );
  expect(greater.why).toMatch(/Every divisor of long texts is multiplied by 1\.52588/);
});

test('a pair alone has no scaling by its base', () => {
  expect(rules({ headDim: 2, maxPosition: 100 }, 200)).toEqual(['none', 'linear', 'yarn']);
});

test('sections of M-RoPE are kept', () => {
  const { params } = parseHfConfig(hfConfigs['Qwen2-VL-7B']!).layers[0]!;
  for (const option of planExtension(params, 65_536)) expect(option.params.mropeSection).toEqual([16, 24, 24]);
});

test('every model that turns has a plan, in both languages', () => {
  for (const [name, config] of Object.entries(hfConfigs)) {
    for (const { params } of parseHfConfig(config).layers) {
      if (params.maxPosition === undefined) continue;
      const english = planExtension(params, 300_000);
      const chinese = planExtension(params, 300_000, { language: 'zh-Hans' });
      expect(chinese.map(({ rule }) => rule)).toEqual(english.map(({ rule }) => rule));
      expect(
        english.filter((option) => option.recommended),
        name,
      ).toHaveLength(1);
      chinese.forEach(({ why }, i) => {
        expect(why).toMatch(/\p{Script=Han}/u);
        expect(english[i]!.why).not.toMatch(/\p{Script=Han}/u);
      });
    }
  }
});

test('refuses what it cannot plan', () => {
  const refusal = (argument: string) => expect.objectContaining({ code: 'bad-argument', argument }) as Error;
  expect(() => planExtension({ headDim: 64 }, 100)).toThrowError(refusal('originalMaxPosition'));
  expect(() => planExtension(llama2, 0)).toThrowError(refusal('targetLength'));
  expect(() => planExtension({ ...llama2, type: 'linear' }, 100)).toThrowError(refusal('factor'));
  expect(() => planExtension(llama2, 100, { language: 'fr' as never })).toThrowError(refusal('language'));
});
