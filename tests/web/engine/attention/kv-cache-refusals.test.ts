import { PosencError, type KvCache } from 'posenc';
import { expect, test } from 'vitest';
import { sizes, tokens } from '../../support/tokens.ts';
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

  test('refuses tokens without room, and keeps what it has', () => {
    const { key, value } = tokens(20);
    const append = (cache: KvCache, first: number, count: number) =>
      cache.append({ key: key.part(first, count), value: value.part(first, count), length: count });
    const cache = newCache({ capacity: 8 });
    append(cache, 0, 6);
    const [keys, values] = [cache.keys(), cache.values()];
    const error = errorOf(() => append(cache, 6, 3));
    expect(error).toMatchObject({ code: 'cache-full', argument: 'length', got: 3 });
    expect(error.message).toBe('length must be at most 2, what capacity = 8 has room for, got 3');
    expect(cache.keys()).toEqual(keys);
    expect(cache.values()).toEqual(values);
    append(cache, 6, 2);
    expect(errorOf(() => append(cache, 8, 1)).code).toBe('cache-full');
    cache.dispose();

    const windowed = newCache({ capacity: 8, window: 4 });
    append(windowed, 0, 7);
    expect(errorOf(() => append(windowed, 7, 6)).message).toContain('at most 5');
    expect([windowed.length, windowed.start]).toEqual([7, 0]);
    append(windowed, 7, 5);
    expect([windowed.length, windowed.start]).toEqual([12, 4]);
    expect(windowed.keys()).toEqual(key.part(4, 8));
    windowed.dispose();
  });

  test('refuses queries that could see a token which is gone', () => {
    const { query, key, value } = tokens(12);
    const cache = newCache({ capacity: 6, window: 4 });
    for (let t = 0; t < 12; ++t) cache.append({ key: key.part(t, 1), value: value.part(t, 1), length: 1 });
    const seen = cache.start + 3;
    const attendFrom = (queryStart: number) => () =>
      cache.attend({ query: query.part(0, 1), heads: sizes.heads, length: 1, queryStart });
    expect(attendFrom(seen)).not.toThrow();
    const error = errorOf(attendFrom(seen - 1));
    expect(error).toMatchObject({ code: 'bad-argument', argument: 'queryStart', got: seen - 1 });
    expect(error.message).toContain(`at least ${seen}`);
    cache.dispose();
  });

  test('refuses bad options', () => {
    const rope = { headDim: sizes.headDim };
    const floats = new Float32Array(6);
    for (const [options, argument, code] of [
      [{ capacity: 0 }, 'capacity', 'bad-argument'],
      [{ capacity: 1.5 }, 'capacity', 'bad-argument'],
      [{ start: -1 }, 'start', 'bad-argument'],
      [{ start: 2 ** 31 + 1 }, 'start', 'bad-argument'],
      [{ kvHeads: undefined }, 'kvHeads', 'bad-argument'],
      [{ headDim: -1 }, 'headDim', 'bad-argument'],
      [{ valueDim: '3' }, 'valueDim', 'bad-argument'],
      [{ batch: 0 }, 'batch', 'bad-argument'],
      [{ window: 0 }, 'window', 'bad-argument'],
      [{ window: { left: -1, right: 0 } }, 'window.left', 'bad-argument'],
      [{ windo: 4 }, 'windo', 'bad-argument'],
      [{ rope: { headDim: 8 } }, 'headDim', 'bad-argument'],
      [{ rope: 5 }, 'rope', 'bad-argument'],
      [{ seqLen: 5 }, 'seqLen', 'bad-argument'],
      [{ table: { cos: floats, sin: floats, rows: 2 } }, 'table', 'bad-argument'],
      [{ rope, table: { cos: floats, sin: floats, rows: 3 } }, 'table.cos', 'wrong-length'],
      [{ rope, table: { cos: floats, sin: new Float32Array(5), rows: 2 } }, 'table.sin', 'wrong-length'],
      [{ rope, table: { cos: floats, sin: floats, rows: 0 } }, 'table.rows', 'bad-argument'],
      [{ capacity: 2 ** 30 }, 'capacity', 'out-of-memory'],
      [{ valueDim: 2 ** 30 }, 'valueDim', 'out-of-memory'],
    ] as const) {
      expect(errorOf(() => newCache(options))).toMatchObject({ argument, code });
    }
    for (const options of [undefined, null, 5]) {
      expect(errorOf(() => encodings.kvCache(options as never)).argument).toBe('options');
    }
  });

  test('refuses bad tokens and queries, and writes nothing', () => {
    const { heads, headDim } = sizes;
    const { query, key, value } = tokens(3);
    const good = { key: key.part(0, 2), value: value.part(0, 2), length: 2 };
    const cache = newCache({ rope: { headDim }, window: 8 });
    const append = (changes: object) => () => cache.append({ ...good, ...changes });
    cache.append(good);
    const before = cache.keys();
    for (const [changes, argument, code] of [
      [{ key: new Float32Array(23) }, 'key', 'wrong-length'],
      [{ key: [1, 2] }, 'key', 'bad-argument'],
      [{ value: new Float32Array(13) }, 'value', 'wrong-length'],
      [{ value: undefined }, 'value', 'bad-argument'],
      [{ length: 0 }, 'length', 'bad-argument'],
      [{ length: 3 }, 'key', 'wrong-length'],
      [{ format: 'sbhd' }, 'format', 'bad-argument'],
      [{ positions: [1] }, 'positions', 'wrong-length'],
      [{ positions: [1, 0.5] }, 'positions', 'bad-argument'],
      [{ positions: [1, 2], turned: true }, 'positions', 'bad-argument'],
      [{ turned: 1 }, 'turned', 'bad-argument'],
      [{ keys: key.part(0, 2) }, 'keys', 'bad-argument'],
    ] as const) {
      expect(errorOf(append(changes))).toMatchObject({ argument, code });
    }
    expect(cache.length).toBe(2);
    expect(cache.keys()).toEqual(before);

    const call = { query: query.part(0, 2), heads, length: 2 };
    for (const [changes, argument, code] of [
      [{ query: new Float32Array(5) }, 'query', 'wrong-length'],
      [{ heads: 3 }, 'heads', 'bad-argument'],
      [{ heads: 0 }, 'heads', 'bad-argument'],
      [{ length: 1 }, 'query', 'wrong-length'],
      [{ length: NaN }, 'length', 'bad-argument'],
      [{ window: 2 }, 'window', 'bad-argument'],
      [{ format: 5 }, 'format', 'bad-argument'],
      [{ positions: [1, 2, 3] }, 'positions', 'wrong-length'],
      [{ queryStart: 0.5 }, 'queryStart', 'bad-argument'],
      [{ returns: 'logits' }, 'returns', 'bad-argument'],
      [{ keyLength: 2 }, 'keyLength', 'bad-argument'],
      [{ mask: new Uint8Array(3) }, 'mask', 'wrong-length'],
      [{ out: new Float32Array(3) }, 'out', 'wrong-length'],
    ] as const) {
      expect(errorOf(() => cache.attend({ ...call, ...changes } as never))).toMatchObject({ argument, code });
    }
    const buffer = encodings.buffer(call.query.length);
    expect(errorOf(() => cache.attend({ ...call, query: buffer, out: buffer })).argument).toBe('out');
    buffer.dispose();
    expect(errorOf(() => cache.keys({ format: 'x' as never })).argument).toBe('format');
    expect(errorOf(() => cache.values({ out: new Float32Array(1) })).argument).toBe('out');
    cache.reset();
    expect(errorOf(() => cache.attend(call))).toMatchObject({ argument: 'cache', code: 'bad-argument' });
    cache.dispose();

    const plain = newCache();
    plain.append(good);
    const [of, at] = [
      { ...good, positions: [0, 1] },
      { ...call, positions: [0, 1] },
    ];
    expect(errorOf(() => plain.append(of)).argument).toBe('positions');
    expect(errorOf(() => plain.attend(at)).argument).toBe('positions');
    plain.dispose();
  });

  test('refuses positions outside of a given table', () => {
    const { headDim, heads } = sizes;
    const { query, key, value } = tokens(4);
    const rope = { headDim };
    const table = { ...encodings.ropeTable({ params: rope, length: 3 }), rows: 3 };
    const cache = newCache({ rope, table });
    const append = (first: number, count: number, more: object = {}) =>
      cache.append({ key: key.part(first, count), value: value.part(first, count), length: count, ...more });
    expect(errorOf(() => append(0, 4))).toMatchObject({ argument: 'length', code: 'bad-argument' });
    expect(errorOf(() => append(0, 2, { positions: [0, 3] })).argument).toBe('positions');
    append(0, 2);
    expect(errorOf(() => append(2, 2)).message).toContain('at most 1');
    append(2, 2, { positions: [2, 2] });
    const call = { query: query.part(0, 2), heads, length: 2 };
    expect(errorOf(() => cache.attend(call))).toMatchObject({ argument: 'queryStart', code: 'bad-argument' });
    expect(() => cache.attend({ ...call, positions: [1, 2] })).not.toThrow();
    cache.dispose();
  });

  test('throws when it is used after dispose', () => {
    const { query, key, value } = tokens(1);
    const cache = newCache();
    cache.dispose();
    cache.dispose();
    for (const use of [
      () => cache.append({ key: key.values, value: value.values, length: 1 }),
      () => cache.attend({ query: query.values, heads: sizes.heads, length: 1 }),
      () => cache.keys(),
      () => cache.values(),
      () => cache.reset(),
      () => cache.capacity,
      () => cache.length,
      () => cache.start,
    ]) {
      expect(errorOf(use)).toMatchObject({ code: 'disposed', argument: 'cache' });
    }
    const other = newCache();
    other[Symbol.dispose]();
    expect(errorOf(() => other.keys()).code).toBe('disposed');
  });

  test('keeps its tokens when the memory grows', () => {
    const { key, value } = tokens(5);
    const cache = newCache();
    cache.append({ key: key.values, value: value.values, length: 5 });
    const others = Array.from({ length: 8 }, () => encodings.buffer(2_000_000));
    expect(cache.keys()).toEqual(key.values);
    expect(cache.values()).toEqual(value.values);
    for (const held of others) held.dispose();
    cache.dispose();
  });
});
