import { readFileSync } from 'node:fs';
import { type Encodings, load } from 'posenc';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ExtendRequest, METHODS, type Method, extendTask } from '../../../web/app/figures/extend/task.js';
import { stretchedPresets } from '../../../web/app/stretched-models.js';
import { frequencies } from '../support/oracle.ts';
import { arc, divisors } from '../support/stretching.ts';

let encodings: Encodings;
beforeAll(async () => {
  encodings = await load();
});

const llama = stretchedPresets[0]!.params;
const request: ExtendRequest = {
  params: llama,
  method: 'llama3',
  factor: 8,
  length: 65_536,
  distances: [1, 100, 40_000],
};
const stretch = { dim: 128, base: 500_000, trained: 8192, factor: 8, length: 65_536 };

describe('presets', () => {
  interface Model {
    readonly name: string;
    readonly head_dim: number;
    readonly rope_head_dim?: number;
    readonly rope_theta: number;
    readonly layout: string;
    readonly rope_scaling: Record<string, unknown> | null;
    readonly max_position_embeddings: number;
    readonly original_max_position_embeddings?: number;
  }
  const { models } = JSON.parse(
    readFileSync(new URL('../../fixtures/model_configs.json', import.meta.url), 'utf8'),
  ) as {
    models: Model[];
  };
  /** Names under which the fixture has them; the instruct model is the base model with an optional factor. */
  const names: Record<string, string> = {
    'Phi-3-mini-128k': 'Phi-3-mini-128k (longrope)',
    'Qwen2.5-7B-Instruct': 'Qwen2.5-7B',
  };

  test.each(stretchedPresets)('$name is as published', ({ name, params }) => {
    const model = models.find((entry) => entry.name === (names[name] ?? name))!;
    expect(params.headDim).toBe(model.rope_head_dim ?? model.head_dim);
    expect(params.base).toBe(model.rope_theta);
    expect(params.pairing).toBe(model.layout);
    const scaling = model.rope_scaling;
    if (!scaling) return;
    expect(params.type).toBe(scaling['rope_type']);
    const original = model.original_max_position_embeddings ?? scaling['original_max_position_embeddings'];
    expect(params.originalMaxPosition).toBe(original);
    const published: Record<string, unknown> = {
      factor: scaling['factor'] ?? model.max_position_embeddings / params.originalMaxPosition,
      lowFreqFactor: scaling['low_freq_factor'],
      highFreqFactor: scaling['high_freq_factor'],
      mscale: scaling['mscale'],
      mscaleAllDim: scaling['mscale_all_dim'],
      truncate: scaling['truncate'],
    };
    for (const [key, value] of Object.entries(published)) expect(params[key as keyof typeof params]).toBe(value);
    for (const [key, list] of [
      ['shortFactor', 'short_factor'],
      ['longFactor', 'long_factor'],
    ] as const) {
      const wanted = (scaling[list] ?? []) as number[];
      expect(params[key] ?? []).toHaveLength(wanted.length);
      wanted.forEach((value, p) => expect(params[key]![p]! / value).toBeCloseTo(1, 6));
    }
  });
});

describe('divisors', () => {
  test.each([8, 3, 1])('of every rule, factor %i, are those of the plain formulas', (factor) => {
    const { divisors: found } = extendTask(encodings, { ...request, factor });
    for (const [rule, formula] of Object.entries(divisors)) {
      const wanted = formula({ ...stretch, factor });
      wanted.forEach((value, p) => expect(found[rule as Method]![p]! / value).toBeCloseTo(1, 11));
    }
    expect(found.longrope).toBeUndefined();
  });

  test('published numbers: Llama-3.1 blends pairs 29 to 34', () => {
    const { chosen } = extendTask(encodings, request);
    [1.207484, 1.553415, 2.026313, 2.69453, 3.684253, 5.257327].forEach((value, k) =>
      expect(chosen!.divisor[29 + k]).toBeCloseTo(value, 6),
    );
    expect(chosen!.zone.filter((zone) => zone === 'kept')).toHaveLength(29);
    expect(chosen!.zone.filter((zone) => zone === 'scaled')).toHaveLength(29);
  });

  test('published numbers: attention and softmax factors', () => {
    const factors = (name: string) => {
      const { params } = stretchedPresets.find((preset) => preset.name === name)!;
      const method = params.type as Method;
      return extendTask(encodings, { ...request, params, method, factor: params.factor!, length: 100_000 }).chosen!;
    };
    expect(factors('DeepSeek-V3').attentionFactor).toBe(1);
    expect(factors('DeepSeek-V3').softmaxFactor).toBeCloseTo(1.8738542071, 9);
    expect(factors('gpt-oss-20b').attentionFactor).toBeCloseTo(1.3465735903, 9);
    expect(factors('Phi-3-mini-128k').attentionFactor).toBeCloseTo(1.1902380714, 9);
  });

  test('of LongRoPE are the short list up to the trained length, and the long one past it', () => {
    const { params } = stretchedPresets.find(({ name }) => name === 'Phi-3-mini-128k')!;
    const ask = (length: number) =>
      extendTask(encodings, { ...request, params, method: 'longrope', factor: 32, length }).chosen!.divisor;
    expect([...ask(4096)]).toEqual(params.shortFactor);
    expect([...ask(4097)]).toEqual(params.longFactor);
  });
});

describe('arcs', () => {
  test.each(METHODS.filter((method) => method !== 'longrope'))('by %s are those of the plain formulas', (method) => {
    for (const length of [1024, 65_536, 131_072, 1_000_000]) {
      const result = extendTask(encodings, { ...request, method, length });
      const wanted = method === 'default' ? Array<number>(64).fill(1) : divisors[method]({ ...stretch, length });
      const before = frequencies(128, 500_000);
      let [newArc, count] = [0, 0];
      before.forEach((frequency, p) => {
        const [trained, reached] = [arc(frequency, 8192), arc(frequency / wanted[p]!, length)];
        expect(Math.abs(result.trained[p]! - trained)).toBeLessThan(1e-13);
        expect(Math.abs(result.reached[p]! - reached)).toBeLessThan(1e-13);
        newArc = Math.max(newArc, reached - trained);
        if (reached - trained > 1e-9) count++;
      });
      expect(Math.abs(result.newArc - newArc)).toBeLessThan(1e-13);
      expect(result.pairsWithNewArc).toBe(count);
    }
  });

  test('up to factor × trained length, PI, YaRN and Llama 3 keep every pair on its arc; NTK and none do not', () => {
    const newArc = (method: Method): number => extendTask(encodings, { ...request, method }).newArc;
    for (const method of ['linear', 'yarn', 'llama3'] as const) expect(newArc(method)).toBeLessThanOrEqual(2e-14);
    for (const method of ['default', 'ntk'] as const) expect(newArc(method)).toBeGreaterThan(0.1);
  });

  test('the kernel before and after is the mean of the cosines', () => {
    const result = extendTask(encodings, request);
    const [before, divisor] = [frequencies(128, 500_000), divisors.llama3(stretch)];
    request.distances.forEach((distance, i) => {
      const mean = (by: (p: number) => number): number =>
        before.reduce((sum, frequency, p) => sum + Math.cos((distance * frequency) / by(p)), 0) / 64;
      expect(result.kernelBefore[i]).toBeCloseTo(
        mean(() => 1),
        10,
      );
      expect(result.kernelAfter[i]).toBeCloseTo(
        mean((p) => divisor[p]!),
        10,
      );
    });
  });

  test('where a model has no lists for LongRoPE nothing is chosen', () => {
    expect(extendTask(encodings, { ...request, method: 'longrope' }).chosen).toBeUndefined();
  });
});
