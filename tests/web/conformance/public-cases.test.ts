import {
  check,
  parseHfConfig,
  PosencError,
  ropeFrequencies,
  sinusoidalFrequencies,
  type Dtype,
  type RopeParams,
} from 'posenc';
import { describe, expect, test } from 'vitest';
import { expectNear, expectUlp } from '../support/compare.ts';
import { exactCosSin, randomFloats, rotate } from '../support/oracle.ts';
import { describeVariants } from '../support/variants.ts';

// Problems that people met in public, by number, each with the input that shows it and the right value.

const near = { relative: 1e-12 };

/** base^(−2p / dim), all pairs. */
function series(dim: number, base: number): Float64Array {
  return Float64Array.from({ length: dim / 2 }, (_, p) => base ** ((-2 * p) / dim));
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Array.from(a).reduce((sum, value, c) => sum + value * (b[c] as number), 0);
}

/** The vector with a one in a single channel. */
function unit(dim: number, channel: number): Float32Array {
  return Float32Array.from({ length: dim }, (_, c) => Number(c === channel));
}

await describeVariants('pairing and rotation', (encodings) => {
  const turn = (x: Float32Array, start: number, params: Partial<RopeParams> = {}, inverse = false) =>
    encodings.rope({
      x,
      params: { headDim: x.length, ...params },
      length: 1,
      heads: 1,
      headDim: x.length,
      start,
      inverse,
    });

  test.each([
    ['neighbours', 'interleaved', [1, 2, 3, 4], [4, 3, 2, 1], 10.483012168789427],
    ['halves', 'half', [1, 2, 3, 4], [4, 3, 2, 1], 15.129492636384501],
    ['halves of reordered channels', 'half', [1, 3, 2, 4], [4, 2, 3, 1], 10.483012168789427],
  ] as const)('A1: pairs of %s keep their score when both tokens move', (_, pairing, q, k, score) => {
    const [query, key] = [Float32Array.from(q), Float32Array.from(k)];
    const params = { headDim: 4, pairing };
    const found = encodings.verifyRelative({ query, key, params, distance: 2, shifts: [0, 5, 100] });
    for (const entry of found) {
      expectNear([entry.score], [score], near);
      expect(entry.relative).toBe(true);
      const turned = dot(turn(query, entry.shift, { pairing }), turn(key, entry.shift + 2, { pairing }));
      expectNear([turned], [score], { relative: 1e-6 });
    }
  });

  test('A2: weights permuted for halves score as the original ones do for neighbours', () => {
    const [query, key] = [randomFloats(64, 1), randomFloats(64, 2)];
    // Row i of the first half is row 2i of the original, row i of the second half row 2i + 1.
    const permuted = (x: Float32Array) => x.map((_, row) => x[row < 32 ? 2 * row : 2 * (row - 32) + 1] as number);
    const score = (q: Float32Array, k: Float32Array, pairing: 'half' | 'interleaved') =>
      dot(turn(q, 7, { pairing }), turn(k, 1000, { pairing }));
    const original = score(query, key, 'interleaved');
    expect(score(permuted(query), permuted(key), 'half')).toBeCloseTo(original, 5);
    expect(Math.abs(score(query, key, 'half') - original)).toBeGreaterThan(0.1);
  });

  test('A3: a table for neighbours that turns halves makes scores depend on the positions', () => {
    const contents = { query: randomFloats(64, 3), key: randomFloats(64, 4), distance: 5, shifts: [1, 10, 1000] };
    const params = { headDim: 64 };
    const verdicts = (rope: object) =>
      encodings
        .verifyRelative({ ...contents, encoding: { rope: { params, ...rope } } })
        .map(({ relative }) => relative);
    expect(verdicts({ pairing: 'mixed' })).toEqual([false, false, false]);
    expect(verdicts({})).toEqual([true, true, true]);
    // It is no layout that anything else takes.
    expect(() => turn(contents.query, 1, { pairing: 'mixed' as never })).toThrowError(PosencError);
  });

  test('A4: a pair turns counter-clockwise; scores stay relative when query and key both turn the other way', () => {
    const up = Float32Array.of(0, 1);
    for (const position of [1, 2, 30]) {
      expectNear(turn(up, position), [-Math.sin(position), Math.cos(position)], { absolute: 1e-7 });
      expectNear(turn(up, position, {}, true), [Math.sin(position), Math.cos(position)], { absolute: 1e-7 });
    }
    const [query, key] = [randomFloats(8, 5), randomFloats(8, 6)];
    const score = (shift: number, backQuery: boolean, backKey: boolean) =>
      dot(turn(query, shift, {}, backQuery), turn(key, shift + 3, {}, backKey));
    for (const back of [false, true]) expect(score(50, back, back)).toBeCloseTo(score(0, back, back), 5);
    expect(Math.abs(score(50, true, false) - score(0, true, false))).toBeGreaterThan(0.1);
  });

  test('A5: the same distance gives the same score for the same vectors, not for fresh ones', () => {
    const params = { headDim: 16 };
    const scores = [7, 8].map((seed) => {
      const [query, key] = [randomFloats(16, seed), randomFloats(16, seed + 10)];
      const found = encodings.verifyRelative({ query, key, params, distance: 4, shifts: [0, 3, 77] });
      expect(found.map(({ relative }) => relative)).toEqual([true, true, true]);
      return found[0]!.score;
    });
    expect(Math.abs(scores[0]! - scores[1]!)).toBeGreaterThan(0.1);
  });

  test('A6: two arrays tell that one was turned in pairs of neighbours', () => {
    const [length, headDim] = [1088, 64];
    const before = randomFloats(length * headDim, 12);
    const positions = Array.from({ length }, (_, position) => position);
    const layout = { heads: 1, headDim, pairing: 'interleaved' };
    const after = Float32Array.from(rotate(before, positions, series(headDim, 10_000), layout));
    const [best, next] = encodings.detectConvention({ before, after, length, heads: 1, headDim });
    expect(best).toMatchObject({ pairing: 'interleaved', sign: 1, rotaryDim: 64, offset: 0, base: 10_000, fits: true });
    expect(best!.residual).toBeLessThan(1e-6);
    expect(next!.residual).toBeGreaterThan(0.5);
  });

  test('A7: a second call at another offset keeps nothing of the first', () => {
    const [length, headDim] = [5, 8];
    const x = randomFloats(length * headDim, 9);
    const call = { x, params: { headDim }, length, heads: 1, headDim };
    const first = encodings.rope({ ...call, start: 0 });
    const second = encodings.rope({ ...call, start: 7 });
    const expected = rotate(x, [7, 8, 9, 10, 11], series(headDim, 10_000), { heads: 1, headDim, pairing: 'half' });
    expectNear(second, expected, { absolute: 3e-7 });
    expect(encodings.rope({ ...call, start: 0 })).toEqual(first);
  });
});

test('A2: a converted Llama has pairs of halves, and the permutation is told', () => {
  const model = parseHfConfig({ model_type: 'llama', hidden_size: 4096, num_attention_heads: 32, rope_theta: 10_000 });
  expect(model.layers[0]?.params.pairing).toBe('half');
  expect(check(model).find(({ code }) => code === 'pairing_permuted')).toMatchObject({
    found: 'half',
    expected: expect.stringMatching(/interleaved in weights of Meta and in GGUF files/) as string,
    why: expect.stringMatching(/rows i and i \+ 64 .* are rows 2i and 2i \+ 1 .* value projection stay/) as string,
  });
});

await describeVariants('sinusoidal tables', (encodings) => {
  test('A8: the exponent has one factor 2: column 2 of position 1 in 512', () => {
    const row = encodings.sinusoidal({ length: 1, dim: 512, start: 1 });
    expectUlp(row.subarray(2, 3), [0.8218561900175316]);
    expect(Math.abs((row[2] as number) - 0.8019617952147853)).toBeGreaterThan(0.01);
  });

  test('A9: another order of columns changes no dot product, another spacing changes the frequencies', () => {
    const [rows, dim] = [20, 512];
    const gram = (order: 'interleaved' | 'concat') =>
      encodings.similarity({ table: encodings.sinusoidal({ length: rows, dim, order }), rows, dim });
    expectNear(gram('concat'), gram('interleaved'), { absolute: 1e-7 });
    const ends = (spacing: 'paper' | 't2t') => {
      const frequencies = sinusoidalFrequencies({ dim, spacing });
      return [frequencies[1] as number, frequencies[255] as number];
    };
    expectNear(ends('paper'), [0.9646616199111993, 1.0366329284376981e-4], near);
    expectNear(ends('t2t'), [0.9645255256233458, 1.0e-4], near);
  });

  test('A10: an odd width ends in a lone sine, an odd rotary width is refused by name', () => {
    const row = encodings.sinusoidal({ length: 1, dim: 5, start: 1 });
    expectNear(row, [0.8414709848, 0.5403023059, 0.0251162229, 0.9996845379, 0.0006309573], { relative: 1e-7 });
    const call = { x: new Float32Array(5), length: 1, heads: 1, headDim: 5 };
    const refusal = { name: 'PosencError', code: 'bad-argument', argument: 'params.rotaryDim' };
    expect(() => encodings.rope({ ...call, params: { headDim: 5, rotaryDim: 5 } })).toThrowError(
      expect.objectContaining(refusal),
    );
  });

  test('A11: columns are sin, cos, sin, cos unless another order is asked for', () => {
    const table = encodings.sinusoidal({ length: 2, dim: 4 });
    const [slow, fast] = [0.01, 1];
    const row = [Math.sin(fast), Math.cos(fast), Math.sin(slow), Math.cos(slow)];
    expectUlp(table, [0, 1, 0, 1, ...row]);
    const halves = encodings.sinusoidal({ length: 1, dim: 4, start: 1, order: 'concat' });
    expectUlp(halves, [Math.sin(fast), Math.sin(slow), Math.cos(fast), Math.cos(slow)]);
  });

  test('A12: the similarities of a correct table are Toeplitz, of one with doubled exponents they are not', () => {
    const [rows, dim] = [48, 64];
    const spread = (table: Float32Array) => {
      const matrix = encodings.similarity({ table, rows, dim });
      let worst = 0;
      for (let i = 1; i < rows; ++i) {
        for (let j = 1; j < rows; ++j) {
          const [here, before] = [matrix[i * rows + j], matrix[(i - 1) * rows + j - 1]] as [number, number];
          worst = Math.max(worst, Math.abs(here - before));
        }
      }
      return worst;
    };
    expect(spread(encodings.sinusoidal({ length: rows, dim }))).toBeLessThan(2e-7);
    // Every column has a frequency of its own, so that its sine lacks a cosine.
    const wrong = Float32Array.from({ length: rows * dim }, (_, at) => {
      const [position, column] = [Math.floor(at / dim), at % dim];
      return exactCosSin(position, 10_000 ** ((-2 * column) / dim))[column % 2 === 0 ? 1 : 0] as number;
    });
    expect(spread(wrong)).toBeGreaterThan(0.01);
  });
});

test('A13: GPT-2 has a learned table, no formula, and no position past its end', () => {
  const model = parseHfConfig({ n_positions: 1024, n_embd: 768, n_head: 12 });
  expect(model).toMatchObject({ encoding: 'learned', layers: [], learned: { positions: 1024 } });
  expect(check(model).find(({ code }) => code === 'learned_table')?.why).toMatch(
    /learned absolute table; there is no formula, and positions past 1023 do not exist/,
  );
});

await describeVariants('precision', (encodings) => {
  test('A14: a table built in half precision is off by 0.78 within 2048 positions', () => {
    const params = { headDim: 32 };
    const tableIn = (dtype: Dtype) =>
      encodings.ropeTable({ params, length: 2048, precision: { position: dtype, invFreq: dtype, angle: dtype } }).cos;
    const [half, single] = [tableIn('f16'), tableIn('f32')];
    let [worst, where] = [0, ''];
    half.forEach((value, at) => {
      const error = Math.abs(value - (single[at] as number));
      if (error > worst) [worst, where] = [error, `position ${at >> 4}, pair ${at & 15}`];
    });
    expect(where).toBe('position 2008, pair 1');
    expect(worst).toBeCloseTo(0.78189, 5);

    const frequency = series(32, 10_000)[1] as number;
    expectNear([1857 * frequency], [1044.2678408784782], near);
    const at = 1857 * 16 + 1;
    expectUlp(encodings.ropeTable({ params, length: 1858 }).cos.subarray(at, at + 1), [0.30669280981876773]);
    expectUlp(half.subarray(at, at + 1), [Math.cos(1045)]);
  });

  test('A15: bfloat16 makes positions 8190 and 8191 one, and the first that collide are 256 and 257', () => {
    const params = { headDim: 8 };
    const rowsOf = (dtype: Dtype, length: number, start = 0) => {
      const { cos, sin } = encodings.ropeTable({ params, length, start, precision: { position: dtype } });
      return Array.from({ length }, (_, row) => [
        ...cos.subarray(4 * row, 4 * row + 4),
        ...sin.subarray(4 * row, 4 * row + 4),
      ]);
    };
    const [first, second, third] = rowsOf('bf16', 3, 8190);
    expect(second).toEqual(first);
    expect(third).toEqual(first);
    expect(first).toEqual(rowsOf('f64', 1, 8192)[0]);
    for (const [dtype, position] of [
      ['bf16', 257],
      ['f16', 2049],
    ] as const) {
      const rows = rowsOf(dtype, position + 1).map(String);
      expect(rows.indexOf(rows[position]!)).toBe(position - 1);
      expect(new Set(rows.slice(0, position)).size).toBe(position);
    }
  });

  test('A16: the phase at position 131071 is as good as at position 1', () => {
    const params = { headDim: 8 };
    const exact = [-0.8179834993879491, -0.5752416837547893] as const;
    const { cos, sin } = encodings.ropeTable({ params, length: 1, start: 131_071 });
    expectNear([cos[0] as number, sin[0] as number], exact, { absolute: 2e-7 });
    const score = (key: Float32Array) =>
      encodings.verifyRelative({ query: unit(8, 0), key, params, distance: 131_071, shifts: [0] })[0]!.score;
    expectNear([score(unit(8, 0)), -score(unit(8, 4))], exact, near);
  });

  test('A17: scores drift with the shift where positions or angles are rounded, not where frequencies or tables are', () => {
    const ones = new Float32Array(128).fill(1);
    const shifts = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000];
    const drifts = (stage: string, dtype: Dtype, at = shifts) =>
      encodings
        .verifyRelative({
          query: ones,
          key: ones,
          params: { headDim: 128 },
          distance: 5,
          shifts: at,
          precision: { [stage]: dtype },
        })
        .map(({ residual, drift, relative }) => ({ residual: residual / 128, drift: drift / 128, relative }));
    for (const stage of ['position', 'angle']) {
      const found = drifts(stage, 'bf16');
      expect(found[0]!.drift).toBeLessThan(0.01);
      expect(found.at(-1)!.drift).toBeGreaterThan(0.1);
      expect(found.at(-1)!.relative).toBe(false);
    }
    for (const { drift, relative } of drifts('invFreq', 'bf16')) {
      expect(drift).toBeLessThan(1e-14);
      expect(relative).toBe(true);
    }
    // The cost of a rounded table is the same in every decade.
    for (const decade of [1, 100, 10_000, 999_900]) {
      const places = Array.from({ length: 100 }, (_, i) => decade + i);
      const table = drifts('table', 'bf16', places);
      const worst = Math.max(...table.map(({ residual }) => residual));
      expect(worst).toBeGreaterThan(2e-4);
      expect(worst).toBeLessThan(8e-4);
      expect(table.every(({ relative }) => relative)).toBe(true);
    }
  });
});

describe('context extension', () => {
  const dynamic = { headDim: 64, base: 1000, type: 'dynamic', factor: 2, maxPosition: 2048 } satisfies RopeParams;

  test('A18: the base of dynamic NTK follows the length of the sequence', () => {
    for (const [seqLen, base] of [
      [1, 1000],
      [2048, 1000],
      [4096, 3108.2236667168813],
      [8192, 7453.483031811892],
    ] as const) {
      expectNear(ropeFrequencies(dynamic, { seqLen }).invFreq, series(64, base), near);
    }
  });

  test.each([
    [2, 20221.261689737912],
    [4, 40889.94243248622],
    [8, 82684.62264056221],
  ])('A20: alpha %i raises the base to %f', (factor, base) => {
    const { invFreq, divisor } = ropeFrequencies({ headDim: 128, type: 'ntk', factor });
    expectNear(invFreq, series(128, base), near);
    // Only the slowest pair is stretched by all of alpha, so the usable length is shorter than alpha times the trained one.
    expect(divisor.filter((value) => value >= factor)).toHaveLength(1);
  });

  const yarn = { headDim: 128, type: 'yarn', factor: 16, originalMaxPosition: 4096 } satisfies RopeParams;

  test('A21: equal strengths cancel in the table and leave a multiplier to the softmax', () => {
    const given = ropeFrequencies({ ...yarn, mscale: 1, mscaleAllDim: 1 });
    expect(given.attentionFactor).toBe(1);
    expectNear([given.softmaxFactor], [1.6313902266748685], near);
    const absent = ropeFrequencies(yarn);
    expectNear([absent.attentionFactor], [1.2772588722239782], near);
    expect(absent.softmaxFactor).toBe(1);
  });

  test('A22: factor 64 with both strengths multiplies the softmax by 2.0047 and not the table', () => {
    const params = { ...yarn, base: 50_000, factor: 64 };
    const given = ropeFrequencies({ ...params, mscale: 1, mscaleAllDim: 1 });
    expect(given.attentionFactor).toBe(1);
    expectNear([given.softmaxFactor], [2.004739701682487], near);
    const byItself = ropeFrequencies(params).attentionFactor; // what a runtime applies that does not know the strengths
    expectNear([byItself, 1 / byItself], [1.4158883083359672, 0.7062703986695512], near);
  });

  test('A23: an attention factor is final, and not multiplied by the computed one', () => {
    const given = ropeFrequencies({ ...yarn, factor: 128, attentionFactor: 1.4852030263919618 });
    expect(given.attentionFactor).toBe(1.4852030263919618);
    expectNear([ropeFrequencies({ ...yarn, factor: 128 }).attentionFactor], [1.4852030263919618], near);
  });

  const llama3 = {
    headDim: 64,
    base: 500_000,
    type: 'llama3',
    factor: 32,
    lowFreqFactor: 1,
    highFreqFactor: 4,
    originalMaxPosition: 8192,
  } as const satisfies RopeParams;

  test('A24: Llama 3.2 keeps 15 pairs, blends 3 and divides the others by 32', () => {
    const { divisor, zone } = ropeFrequencies(llama3);
    expect(divisor.subarray(0, 15)).toEqual(new Float64Array(15).fill(1));
    expectNear(divisor.subarray(15, 18), [1.6513292457638982, 3.2922621029408843, 9.666728978753293], near);
    expect(divisor.subarray(18)).toEqual(new Float64Array(14).fill(32));
    expect(zone).toEqual([
      ...new Array<string>(15).fill('kept'),
      ...new Array<string>(3).fill('blended'),
      ...new Array<string>(14).fill('scaled'),
    ]);
  });

  test('A24: the factor of Llama 3.1 on a head of Llama 3.2 is a finding', () => {
    const config = (factor: number) => ({
      model_type: 'llama',
      head_dim: 64,
      rope_theta: 500_000,
      rope_scaling: {
        rope_type: 'llama3',
        factor,
        low_freq_factor: 1,
        high_freq_factor: 4,
        original_max_position_embeddings: 8192,
      },
    });
    const found = (factor: number) =>
      check(parseHfConfig(config(factor))).find(({ code }) => code === 'scaling_for_size');
    expect(found(8)).toMatchObject({ found: 8, expected: 32 });
    expect(found(32)).toBeUndefined();
  });

  test('A25: a wavelength of 4000 is divided by 2.32', () => {
    // Pair 1 of 2 has base^(−1/2) = 2π / 4000.
    const params = { ...llama3, headDim: 4, factor: 8, base: (4000 / (2 * Math.PI)) ** 2 };
    const { wavelength, divisor, zone } = ropeFrequencies(params);
    const smooth = 0.34933333333333333;
    expectNear([divisor[1] as number], [2.321981424148607], near);
    expectNear([1 / (divisor[1] as number)], [(1 - smooth) / 8 + smooth], near);
    expectNear([wavelength[1] as number], [4000 * 2.321981424148607], near);
    expect(zone).toEqual(['kept', 'blended']);
  });
});

await describeVariants('context extension of a call', (encodings) => {
  const turn = (params: RopeParams, seqLen: number, start: number, x = randomFloats(params.headDim, 11)) =>
    encodings.rope({ x, params, length: 1, heads: 1, headDim: params.headDim, start, seqLen });

  test('A19: a long input leaves no trace in the next one, and keys cached under its base do not fit', () => {
    const params = { headDim: 64, base: 1000, type: 'dynamic', factor: 2, maxPosition: 2048 } satisfies RopeParams;
    const plain = { headDim: 64, base: 1000 } satisfies RopeParams;
    const before = turn(params, 1024, 900);
    const long = turn(params, 8192, 900);
    expect(turn(params, 1024, 900)).toEqual(before);
    const expected = (base: number) =>
      rotate(randomFloats(64, 11), [900], series(64, base), { heads: 1, headDim: 64, pairing: 'half' });
    expectNear(before, expected(1000), { absolute: 3e-7 });
    expectNear(long, expected(7453.483031811892), { absolute: 3e-7 });
    expect(turn(plain, 1024, 900)).toEqual(before);
    const query = turn(params, 1024, 1000);
    expect(Math.abs(dot(query, before) - dot(query, long))).toBeGreaterThan(0.1);
  });

  test('A26: LongRoPE takes the short factors up to the original context, whatever was allocated', () => {
    const params = {
      headDim: 8,
      type: 'longrope',
      shortFactor: [1, 1, 1, 1],
      longFactor: [8, 8, 8, 8],
      originalMaxPosition: 4096,
      maxPosition: 131_072,
    } satisfies RopeParams;
    const factor = 1.1902380714238083; // sqrt(1 + ln 32 / ln 4096), at either length
    for (const [seqLen, divisor] of [
      [1, 1],
      [4096, 1],
      [4097, 8],
      [131_072, 8],
    ] as const) {
      const invFreq = series(8, 10_000).map((frequency) => frequency / divisor);
      const expected = rotate(randomFloats(8, 11), [1000], invFreq, { heads: 1, headDim: 8, pairing: 'half', factor });
      expectNear(turn(params, seqLen, 1000), expected, { absolute: 4e-7 });
    }
  });
});

describe('configurations', () => {
  test('A33: the head width that is given counts, hidden size / heads only without it', () => {
    const config = { model_type: 'mistral', hidden_size: 5120, num_attention_heads: 32, rope_theta: 1e6 };
    const pairs = (given: object) => {
      const [layer] = parseHfConfig({ ...config, ...given }).layers;
      return ropeFrequencies(layer!.params).invFreq.length;
    };
    expect(pairs({ head_dim: 128 })).toBe(64);
    expect(pairs({})).toBe(80);
  });

  test('A35: Gemma 3 has a scaled table for global layers and a plain one for local layers', () => {
    const { layers } = parseHfConfig({
      rope_theta: 1e6,
      rope_local_base_freq: 10_000,
      rope_scaling: { rope_type: 'linear', factor: 8 },
      head_dim: 256,
    });
    expect(layers.map(({ name }) => name)).toEqual(['full_attention', 'sliding_attention']);
    const [global, local] = layers.map(({ params }) => ropeFrequencies(params).invFreq) as [Float64Array, Float64Array];
    expectNear(global.subarray(0, 2), [0.125, 0.11221089155591428], near);
    expectNear(local, series(256, 10_000), near);
  });

  test('A36: sections that are not all pairs are a finding', () => {
    const config = (mrope_section: number[]) => ({
      model_type: 'qwen2_vl',
      hidden_size: 3584,
      num_attention_heads: 28,
      rope_theta: 1e6,
      rope_scaling: { type: 'mrope', mrope_section },
    });
    const wrong = (section: number[]) =>
      check(parseHfConfig(config(section))).filter(({ key }) => key.endsWith('mrope_section'));
    expect(wrong([16, 24, 24])).toEqual([]);
    expect(wrong([16, 24, 23])).toHaveLength(1);
  });
});

await describeVariants('configurations', (encodings) => {
  test('A34: a partial width has its exponents and its pairs within itself', () => {
    const [config] = parseHfConfig({ head_dim: 256, partial_rotary_factor: 0.25, rope_theta: 1e7 }).layers;
    const params = { headDim: 256, rotaryDim: 64, base: 1e7 };
    expect(config!.params).toMatchObject(params);
    const { invFreq } = ropeFrequencies(params);
    expect(invFreq).toHaveLength(32);
    expectNear([invFreq[1] as number], [0.6042963902381329], near);
    for (const channel of [0, 1, 31, 32, 63, 64, 200, 255]) {
      const x = unit(256, channel);
      const turned = encodings.rope({ x, params, length: 1, heads: 1, headDim: 256, start: 3 });
      const touched = [...turned.keys()].filter((c) => turned[c] !== 0);
      expect(touched).toEqual(channel < 64 ? [channel % 32, (channel % 32) + 32] : [channel]);
    }
  });

  test('A36: the sections 16, 24, 24 are pairs 0–15 by time, 16–39 by height, 40–63 by width', () => {
    const params = { headDim: 128, base: 1e6, mropeSection: [16, 24, 24] };
    const x = new Float32Array(128).fill(1);
    const axes = [0, 1, 2].map((axis) => {
      const positions = [0, 1, 2].map((other) => (other === axis ? 1000 : 0));
      const turned = encodings.mrope({ x, params, length: 1, heads: 1, headDim: 128, positions });
      return Array.from({ length: 64 }, (_, pair) => pair).filter((pair) => turned[pair] !== 1);
    });
    const run = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
    expect(axes).toEqual([run(0, 15), run(16, 39), run(40, 63)]);
  });
});

await describeVariants('biases', (encodings) => {
  test('A37: 12 heads have the slopes of 8, then 2^-0.5 and on', () => {
    const exponents = [1, 2, 3, 4, 5, 6, 7, 8, 0.5, 1.5, 2.5, 3.5];
    const published = exponents.map((n) => 2 ** -n);
    expectNear(encodings.alibiSlopes({ heads: 12 }), published, near);
    expectNear(encodings.alibiSlopes({ heads: 12, rule: 'published-code' }), published, near);
  });

  test('A38: 8 heads have slopes from 1/2 to 1/256', () => {
    expect([...encodings.alibiSlopes({ heads: 8 })]).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((n) => 2 ** -n));
  });

  test('A39: tokens to come share bucket 0 of a decoder, and have half of the buckets of an encoder', () => {
    const decoder = { relative: [-200, -20, -1, 0, 1, 5], bidirectional: false, buckets: 32, maxDistance: 128 };
    expect([...encodings.t5Buckets(decoder)]).toEqual([31, 17, 1, 0, 0, 0]);
    expect([...encodings.t5Buckets({ relative: [-20, -8, 8, 20, 128] })]).toEqual([10, 8, 24, 26, 31]);
  });
});
