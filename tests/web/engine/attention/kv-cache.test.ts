import { PosencError, ropeFrequencies, type KvCache } from 'posenc';
import { expect, test } from 'vitest';
import { expectAttention, expectNear } from '../../support/compare.ts';
import { attend, randomFloats, rotate } from '../../support/oracle.ts';
import { sizes, tensor, tokens } from '../../support/tokens.ts';
import { describeVariants } from '../../support/variants.ts';

function errorOf(run: () => unknown): PosencError {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(PosencError);
    return error as PosencError;
  }
  throw new Error('nothing was thrown');
}

await describeVariants('kvCache', (encodings) => {
  const newCache = (options: object = {}): KvCache => {
    const { heads: _, ...room } = sizes;
    return encodings.kvCache({ ...room, capacity: 64, ...options });
  };

  test.each(['bshd', 'bhsd'] as const)('decodes a %s prompt and then token by token, as the formula says', (format) => {
    const [batch, length] = [2, 40];
    const { query, key, value } = tokens(length, batch);
    const rope = { headDim: sizes.headDim, rotaryDim: 4 };
    const slopes = Float64Array.of(0.5, 0.25, 0.125, 0.0625);
    const sinks = Float32Array.of(0.5, -1, 0, 2);
    const extra = { bias: { alibi: slopes }, sinks, softcap: 2, causal: true, scale: 0.7 };
    const positions = Array.from({ length }, (_, i) => i);
    const { invFreq } = ropeFrequencies(rope);
    const turned = (x: Float32Array, heads: number) =>
      rotate(x, positions, invFreq, { heads, headDim: sizes.headDim, pairing: 'half' });
    const expected = Array.from({ length: batch }, (_, b) =>
      attend({
        ...sizes,
        query: turned(query.sequence(b), sizes.heads),
        key: turned(key.sequence(b), sizes.kvHeads),
        value: value.sequence(b),
        queryLength: length,
        keyLength: length,
        scale: 0.7,
        softcap: 2,
        sinks,
        bias: (h, i, j) => -(slopes[h] as number) * (i - j),
        allowed: (_, i, j) => j <= i,
      }),
    );
    const { heads, valueDim } = sizes;
    const cache = newCache({ batch, rope });
    for (let first = 0, count = 17; first < length; first += count, count = first < 30 ? 4 : 1) {
      count = Math.min(count, length - first);
      cache.append({
        key: key.part(first, count, format),
        value: value.part(first, count, format),
        length: count,
        format,
      });
      expect([cache.length, cache.start]).toEqual([first + count, 0]);
      const call = { query: query.part(first, count, format), heads, length: count, format, ...extra };
      const output = cache.attend(call);
      const weights = cache.attend({ ...call, returns: 'weights' });
      for (let b = 0; b < batch; ++b) {
        const whole = expected[b]!;
        const rows = new Float64Array(heads * count * valueDim);
        const keyed = new Float64Array(heads * count * cache.length);
        for (let h = 0; h < heads; ++h) {
          for (let t = 0; t < count; ++t) {
            const from = (h * length + first + t) * valueDim;
            const to = format === 'bhsd' ? h * count + t : t * heads + h;
            rows.set(whole.output.subarray(from, from + valueDim), to * valueDim);
            const row = (h * length + first + t) * length;
            keyed.set(whole.weights.subarray(row, row + cache.length), (h * count + t) * cache.length);
          }
        }
        expectAttention(output.subarray(b * rows.length, (b + 1) * rows.length), rows);
        expectAttention(weights.subarray(b * keyed.length, (b + 1) * keyed.length), keyed);
      }
    }
    cache.dispose();
  });

  test('holds 32 768 tokens of a prompt in chunks and 1000 steps: the same as one attention', () => {
    const [prompt, steps] = [32_768, 1000];
    const length = prompt + steps;
    const one = { kvHeads: 1, headDim: 8 };
    const [query, key, value] = [1, 2, 3].map((seed) => tensor(1, length, 1, 8, seed)) as [Tokens, Tokens, Tokens];
    const rope = { headDim: 8 };
    const expected = encodings.attention({
      ...one,
      heads: 1,
      query: query.values,
      key: key.values,
      value: value.values,
      queryLength: length,
      keyLength: length,
      rope,
      causal: true,
    });
    const cache = encodings.kvCache({ ...one, capacity: length, rope });
    const advance = (count: number): void => {
      const first = cache.length;
      cache.append({ key: key.part(first, count), value: value.part(first, count), length: count });
      const output = cache.attend({ query: query.part(first, count), heads: 1, length: count, causal: true });
      expectNear(output, expected.subarray(first * 8, (first + count) * 8), { absolute: 5e-6 });
    };
    while (cache.length < prompt) advance(4096);
    for (let step = 0; step < steps; ++step) advance(1);
    expect(cache.length).toBe(length);
    cache.dispose();
  });

  test.each([
    { window: 5, capacity: 5, steps: [1] },
    { window: 5, capacity: 10, steps: [1] },
    { window: 5, capacity: 12, steps: [3, 1, 7, 2] },
    { window: 1, capacity: 3, steps: [1, 3, 2] },
    { window: { left: 4, right: 0 }, capacity: 9, steps: [4, 5, 1] },
    { window: 20, capacity: 64, steps: [9] },
  ])('drops what no query sees any more: %o equals attention with the window', ({ window, capacity, steps }) => {
    const [batch, length] = [2, 60];
    const { query, key, value } = tokens(length, batch, 7);
    const rope = { headDim: sizes.headDim };
    const bias = { alibi: Float64Array.of(0.5, 0.25, 0.125, 0.0625) };
    const whole = { ...sizes, batch, queryLength: length, keyLength: length, rope, bias, window, causal: true };
    const expected = encodings.attention({ ...whole, query: query.values, key: key.values, value: value.values });
    const given = typeof window === 'number' ? window : { ...window };
    const cache = newCache({ batch, capacity, rope, window: given });
    if (typeof given === 'object') given.left = 0; // the cache keeps what it was told
    const left = typeof window === 'number' ? window - 1 : window.left;
    const { heads, valueDim } = sizes;
    for (let turn = 0; cache.length < length; ++turn) {
      const first = cache.length;
      const count = Math.min(steps[turn % steps.length]!, length - first);
      cache.append({ key: key.part(first, count), value: value.part(first, count), length: count });
      expect(cache.length).toBe(first + count);
      expect(cache.length - cache.start).toBeLessThanOrEqual(capacity);
      expect(cache.start).toBeLessThanOrEqual(Math.max(0, first - left));
      const output = cache.attend({ query: query.part(first, count), heads, length: count, causal: true, bias });
      const rows = tensorOf(expected, batch, length, heads, valueDim).part(first, count);
      expectNear(output, rows, { absolute: 5e-6 });
    }
    expect(cache.start).toBeGreaterThan(0 - Number(capacity >= length));
    cache.dispose();
  });

  test('adds what encodings add to scores at absolute positions, also after tokens were dropped', () => {
    const [length, window] = [40, 6];
    const { heads, headDim, valueDim } = sizes;
    const { query, key, value } = tokens(length);
    const [keyTable, valueTable] = [randomFloats(9 * headDim, 11), randomFloats(9 * valueDim, 12)];
    const [w1, b1, w2, b2] = [8, 8, 8 * heads, heads].map((size, seed) => randomFloats(size, 20 + seed));
    const scoring = {
      relative: { shaw: { keyTable, valueTable, clip: 4 } },
      bias: { fire: { w1: w1!, b1: b1!, w2: w2!, b2: b2!, c: 0.1, threshold: 16 } },
      causal: true,
    };
    const whole = { ...sizes, queryLength: length, keyLength: length, window, ...scoring };
    const expected = encodings.attention({ ...whole, query: query.values, key: key.values, value: value.values });
    const cache = newCache({ capacity: 13, window });
    while (cache.length < length) {
      const [first, count] = [cache.length, Math.min(3, length - cache.length)];
      cache.append({ key: key.part(first, count), value: value.part(first, count), length: count });
      const output = cache.attend({ query: query.part(first, count), heads, length: count, ...scoring });
      const rows = tensorOf(expected, 1, length, heads, valueDim).part(first, count);
      expectNear(output, rows, { absolute: 1e-5 });
    }
    expect(cache.start).toBeGreaterThan(0);
    cache.dispose();

    const turning = newCache({ rope: { headDim } });
    turning.append({ key: key.part(0, 1), value: value.part(0, 1), length: 1 });
    const { relative } = scoring;
    const error = errorOf(() => turning.attend({ query: query.part(0, 1), heads, length: 1, relative }));
    expect(error).toMatchObject({ code: 'bad-argument', argument: 'relative' });
    turning.dispose();
  });

  test('moves a token less than once on average where capacity is twice the window', () => {
    const [window, capacity, length] = [16, 32, 400];
    const { key, value } = tokens(length);
    const cache = newCache({ capacity, window });
    let moved = 0;
    for (let t = 0; t < length; ++t) {
      const start = cache.start;
      cache.append({ key: key.part(t, 1), value: value.part(t, 1), length: 1 });
      if (cache.start !== start) moved += cache.length - 1 - cache.start;
    }
    expect(moved).toBeLessThan(length);
    expect(cache.start).toBeGreaterThan(length - capacity - 1);
    cache.dispose();
  });

  test('takes masks, biases and valid keys over the tokens that it holds', () => {
    const { query, key, value } = tokens(12);
    const { heads, kvHeads, headDim } = sizes;
    const cache = newCache({ window: 4, capacity: 6 });
    for (let t = 0; t < 12; t += 2) {
      cache.append({ key: key.part(t, 2), value: value.part(t, 2), length: 2 });
    }
    const held = cache.length - cache.start;
    const [bias, mask] = [randomFloats(heads * 2 * held, 3), randomFloats(2 * held, 4)];
    const keyValid = Uint8Array.from({ length: held }, (_, j) => Number(j !== 1));
    const options = { bias, mask, maskShape: [2, held], keyValid };
    for (const returns of ['output', 'scores', 'capped', 'scaled'] as const) {
      const expected = encodings.attention({
        ...sizes,
        query: query.part(10, 2),
        key: key.part(cache.start, held),
        value: value.part(cache.start, held),
        queryLength: 2,
        keyLength: held,
        window: 4,
        returns,
        ...options,
      });
      const got = cache.attend({ query: query.part(10, 2), heads, length: 2, returns, ...options });
      expectNear(got, expected, { absolute: 1e-6 });
    }
    expect(cache.keys()).toEqual(key.part(cache.start, held));
    expect(kvHeads * headDim * held).toBe(cache.keys().length);
    cache.dispose();
  });

  test('reads out what it stores: turned keys and values, in either format, into an array or buffer', () => {
    const [batch, length] = [2, 9];
    const { key, value } = tokens(length, batch);
    const rope = { headDim: sizes.headDim, pairing: 'interleaved' } as const;
    const cache = newCache({ batch, rope });
    expect(cache.keys()).toEqual(new Float32Array(0));
    cache.append({ key: key.part(0, 4), value: value.part(0, 4), length: 4 });
    cache.append({ key: key.part(4, 5, 'bhsd'), value: value.part(4, 5, 'bhsd'), length: 5, format: 'bhsd' });
    for (const format of ['bshd', 'bhsd'] as const) {
      const x = key.part(0, length, format);
      const { kvHeads, headDim } = sizes;
      const turned = encodings.rope({ x, params: rope, format, batch, length, heads: kvHeads, headDim });
      expectNear(cache.keys({ format }), turned, { absolute: 1e-7 });
      expect(cache.values({ format })).toEqual(value.part(0, length, format));
      const out = encodings.buffer(turned.length);
      expect(cache.keys({ format, out })).toBe(out);
      expect(out.view()).toEqual(cache.keys({ format }));
      out.dispose();
    }
    cache.dispose();
  });

  test('turns by the positions or the table that it is given', () => {
    const { heads, kvHeads, headDim } = sizes;
    const length = 3;
    const { query, key, value } = tokens(length);
    const rope = { headDim };
    const positions = [4, 9, 2];
    const rows = 12;
    const table = { ...encodings.ropeTable({ params: rope, length: rows }), rows };
    const turn = (x: Float32Array, of: number, at: object) =>
      encodings.rope({ x, params: rope, length, heads: of, headDim, ...at });
    const tensors = { key: key.part(0, length), value: value.part(0, length), length };
    for (const options of [{ rope }, { rope, table }]) {
      for (const at of [{ positions }, {}]) {
        const cache = newCache(options);
        cache.append({ ...tensors, ...at });
        expectNear(cache.keys(), turn(tensors.key, kvHeads, at), { absolute: 1e-7 });
        const plain = newCache();
        plain.append({ ...tensors, key: turn(tensors.key, kvHeads, at) });
        expectNear(
          cache.attend({ query: query.part(0, length), heads, length, ...at }),
          plain.attend({ query: turn(query.part(0, length), heads, at), heads, length }),
          { absolute: 1e-6 },
        );
        cache.dispose();
        plain.dispose();
      }
    }
    const cache = newCache({ rope, table: { ...table, cos: table.cos.map(() => 0) } });
    table.sin.fill(7); // the cache has a copy
    cache.append(tensors);
    expect(Math.max(...cache.keys())).toBeLessThan(2);
    cache.dispose();
  });

  test('takes positions of each sequence', () => {
    const [batch, length] = [2, 2];
    const { query, key, value } = tokens(length, batch);
    const { heads, kvHeads, headDim } = sizes;
    const rope = { headDim };
    const positions = [3, 1, 70, 71];
    const cache = newCache({ batch, rope });
    cache.append({ key: key.values, value: value.values, length, positions });
    const x = { params: rope, batch, length, headDim, positions };
    expectNear(cache.keys(), encodings.rope({ ...x, x: key.values, heads: kvHeads }), { absolute: 1e-7 });
    const turned = encodings.rope({ ...x, x: query.values, heads });
    const unturned = newCache({ batch });
    unturned.append({ key: cache.keys(), value: value.values, length });
    expectNear(
      cache.attend({ query: query.values, heads, length, positions }),
      unturned.attend({ query: turned, heads, length }),
      { absolute: 1e-6 },
    );
    cache.dispose();
    unturned.dispose();
  });

  test('takes keys that are turned already as they are, at positions that go on', () => {
    const [length, held, window] = [30, 12, 5];
    const rope = { headDim: 6, base: 100, type: 'yarn', factor: 4, originalMaxPosition: 16 } as const;
    const { query, key, value } = tokens(length);
    const whole = newCache({ rope, window, capacity: held });
    for (let t = 0; t < length; ++t) whole.append({ key: key.part(t, 1), value: value.part(t, 1), length: 1 });
    const { start } = whole;
    expect(start).toBeGreaterThan(0);

    const restored = newCache({ rope, window, capacity: held, start });
    expect([restored.start, restored.length]).toEqual([start, start]);
    restored.append({ key: whole.keys(), value: whole.values(), length: length - start, turned: true });
    expect([restored.start, restored.length]).toEqual([start, length]);
    expectNear(restored.keys(), whole.keys(), {});
    const last = { query: query.part(length - 1, 1), heads: sizes.heads, length: 1, causal: true };
    expectNear(restored.attend(last), whole.attend(last), {});

    restored.reset();
    expect([restored.start, restored.length]).toEqual([start, start]);
    for (const cache of [whole, restored]) cache.dispose();
  });

  test('begins at a position, without a window too', () => {
    const [start, length] = [1000, 7];
    const { query, key, value } = tokens(length);
    const rope = { headDim: 6, base: 100 };
    const [here, there] = [0, start].map((first) => newCache({ rope, start: first })) as [KvCache, KvCache];
    for (const cache of [here, there]) cache.append({ key: key.values, value: value.values, length });
    const call = { query: query.values, heads: sizes.heads, length, causal: true };
    // The same distances: what rotary positions promise.
    expectNear(there.attend(call), here.attend(call), { absolute: 1e-5 });
    for (const cache of [here, there]) cache.dispose();
  });

  test('forgets a draft', () => {
    const { query, key, value } = tokens(9);
    const rope = { headDim: 6 };
    const [drafted, plain] = [0, 1].map(() => newCache({ rope })) as [KvCache, KvCache];
    drafted.append({ key: key.part(0, 5), value: value.part(0, 5), length: 5 });
    drafted.append({ key: key.part(7, 2), value: value.part(7, 2), length: 2 });
    drafted.truncate(5);
    expect(drafted.length).toBe(5);
    for (const cache of [drafted, plain]) {
      const from = cache.length;
      cache.append({ key: key.part(from, 7 - from), value: value.part(from, 7 - from), length: 7 - from });
    }
    const call = { query: query.part(6, 1), heads: sizes.heads, length: 1 };
    expectNear(drafted.attend(call), plain.attend(call), {});
    for (const length of [-1, 8, 1.5]) {
      const error = errorOf(() => drafted.truncate(length));
      expect([error.code, error.argument, error.got]).toEqual(['bad-argument', 'length', length]);
    }
    for (const cache of [drafted, plain]) cache.dispose();
  });

  test('starts again after a reset', () => {
    const { query, key, value } = tokens(6);
    const rope = { headDim: sizes.headDim };
    const cache = newCache({ rope, window: 3, capacity: 4 });
    const step = (t: number) => {
      cache.append({ key: key.part(t, 1), value: value.part(t, 1), length: 1 });
      return cache.attend({ query: query.part(t, 1), heads: sizes.heads, length: 1 });
    };
    const first = [0, 1, 2, 3, 4, 5].map(step);
    expect(cache.start).toBeGreaterThan(0);
    cache.reset();
    expect([cache.length, cache.start]).toEqual([0, 0]);
    expect([0, 1, 2, 3, 4, 5].map(step)).toEqual(first);
    cache.dispose();
  });
});

type Tokens = ReturnType<typeof tensor>;

/** The same as `tensor`, of numbers that there are. */
function tensorOf(values: Float32Array, batch: number, length: number, heads: number, width: number): Tokens {
  const shaped = tensor(batch, length, heads, width, 0);
  shaped.values.set(values);
  return shaped;
}
