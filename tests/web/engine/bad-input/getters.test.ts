import { PosencError } from 'posenc';
import { expect, test } from 'vitest';
import { hostile, names, validCalls } from '../../support/hostile.ts';
import { randomFloats } from '../../support/oracle.ts';
import { describeVariants } from '../../support/variants.ts';

// Options whose getters use the library themselves: a call gives the right answer or a PosencError, never numbers from
// memory that is gone, and no error of the engine.

await describeVariants('options that are getters', (typed) => {
  const { encodings } = hostile(typed);
  const sizes = { heads: 1, queryLength: 16, keyLength: 16, headDim: 16 };
  const [query, key, value, other] = [1, 2, 3, 4].map((seed) => randomFloats(256, seed)) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const filled = (values: Float32Array) => {
    const buffer = typed.buffer(values.length);
    buffer.set(values);
    return buffer;
  };
  /** Memory that was freed is given to others at once. */
  const reuse = () => Array.from({ length: 8 }, () => filled(other)).forEach((buffer) => buffer.dispose());

  test.each(names)('%s reads every option once', (name) => {
    const call: Record<string, unknown> = validCalls[name]();
    const reads: Record<string, number> = {};
    const counted = {};
    for (const option of Object.keys(call)) {
      reads[option] = 0;
      const get = () => ((reads[option] as number) += 1) && call[option];
      Object.defineProperty(counted, option, { enumerable: true, get });
    }
    expect(encodings[name](counted)).toEqual(encodings[name](call));
    expect(Object.values(reads)).toEqual(Object.values(reads).map(() => 1));
  });

  test('a buffer that is disposed of while a call reads its options stays until the call has ended', () => {
    const expected = typed.attention({
      query,
      key,
      value,
      ...sizes,
      window: { left: 3, right: 0 },
      bias: { alibi: Float64Array.of(0.5) },
    });
    const held = filled(query);
    const disposing = {
      get alibi() {
        held.dispose();
        reuse();
        return Float64Array.of(0.5);
      },
    };
    const late = new Proxy(disposing, {}); // read after the tensors
    expect(() => held.length).not.toThrow();
    let found: Float32Array | undefined;
    try {
      found = typed.attention({ query: held, key, value, ...sizes, window: { left: 3, right: 0 }, bias: late });
    } catch (error) {
      expect(error).toMatchObject({ name: 'PosencError', code: 'disposed' });
    }
    if (found !== undefined) expect(found).toEqual(expected);
    expect(() => held.view()).toThrowError(PosencError);

    const again = filled(query);
    const slopes = Float64Array.of(0.5);
    const positions = Object.defineProperty(
      Array.from({ length: 16 }, (_, i) => i),
      0,
      {
        get() {
          again.dispose();
          reuse();
          return 0;
        },
      },
    );
    const padded = { key, value, ...sizes, bias: { alibi: slopes, positions } };
    const placed = { ...padded, bias: { alibi: slopes, positions: Array.from({ length: 16 }, (_, i) => i) } };
    expect(typed.attention({ ...padded, query: again })).toEqual(typed.attention({ ...placed, query }));
  });

  test('a cache that an option disposes of, or appends to', () => {
    const room = { kvHeads: 1, headDim: 16, capacity: 64, rope: { headDim: 16 } };
    const tokens = { key, value, length: 16 };
    const cache = typed.kvCache(room);
    const appending = {
      ...tokens,
      get value() {
        cache.append({ key: other, value: other, length: 16 });
        return value;
      },
    };
    cache.append(appending);
    const ordered = typed.kvCache(room);
    ordered.append({ key: other, value: other, length: 16 });
    ordered.append(tokens);
    expect(cache.keys()).toEqual(ordered.keys());
    expect(cache.values()).toEqual(ordered.values());

    const places = Object.defineProperty(
      Array.from({ length: 16 }, (_, i) => i),
      3,
      {
        get() {
          cache.append({ key: other, value: other, length: 16 });
          return 3;
        },
      },
    );
    cache.append({ ...tokens, positions: places });
    ordered.append({ key: other, value: other, length: 16 });
    ordered.append({ ...tokens, positions: Array.from({ length: 16 }, (_, i) => i) });
    expect(cache.keys()).toEqual(ordered.keys());

    const expected = ordered.attend({ query, heads: 1, length: 16, bias: { alibi: Float64Array.of(0.5) } });
    const bias = {
      get alibi() {
        cache.dispose();
        reuse();
        return Float64Array.of(0.5);
      },
    };
    try {
      expect(cache.attend({ query, heads: 1, length: 16, bias })).toEqual(expected);
    } catch (error) {
      expect(error).toMatchObject({ name: 'PosencError', code: 'disposed' });
    }
    const gone = {
      query,
      heads: 1,
      length: 16,
      get out() {
        ordered.dispose();
        return new Float32Array(256);
      },
    };
    expect(() => ordered.attend(gone)).toThrowError(expect.objectContaining({ name: 'PosencError', code: 'disposed' }));
  });

  test('the memory grows while a buffer takes numbers', () => {
    const buffer = typed.buffer(4);
    const growing = Object.defineProperty([0, 2, 3, 4], 0, {
      get() {
        typed.buffer(2 ** 22).dispose();
        return 1;
      },
    });
    buffer.set(growing as number[]);
    expect([...buffer.view()]).toEqual([1, 2, 3, 4]);
    buffer.dispose();
  });
});

await describeVariants('what only looks like an array', (typed) => {
  const { expectRefusal } = hostile(typed);

  test('a proxy of a typed array or of a buffer is refused', () => {
    const buffer = typed.buffer(12);
    for (const table of [new Proxy(new Float32Array(12), {}), new Proxy(buffer, {})]) {
      expectRefusal('similarity', { table }, 'table', 'bad-argument');
      expectRefusal('similarity', { out: table }, 'out', 'bad-argument');
      expect(() => buffer.set(table as unknown as number[])).toThrowError(PosencError);
    }
    expectRefusal('oneHot', { positions: new Proxy(new Float64Array(2), {}) }, 'positions', 'bad-argument');
    expectRefusal('distanceKernel', { invFreq: new Proxy(new Float64Array(2), {}) }, 'invFreq', 'bad-argument');
    buffer.dispose();
  });

  test('an array without a prototype is taken, a typed one refused', () => {
    const bare = Object.setPrototypeOf([1, 0], null) as number[];
    expect(typed.oneHot({ positions: bare, maxLength: 2 })).toEqual(Float32Array.of(0, 1, 1, 0));
    const buffer = typed.buffer(2);
    buffer.set(bare);
    expect([...buffer.view()]).toEqual([1, 0]);
    buffer.dispose();
    const table = Object.setPrototypeOf(new Float32Array(12), null) as unknown;
    expectRefusal('similarity', { table }, 'table', 'bad-argument');
    expectRefusal('oneHot', { positions: table }, 'positions', 'bad-argument');
  });
});
