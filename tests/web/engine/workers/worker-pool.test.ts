import { getEventListeners } from 'node:events';
import {
  load,
  loadPool,
  PosencError,
  sinusoidalFrequencies,
  type AsyncEncodings,
  type Encodings,
  type RopeTable,
} from 'posenc';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNear } from '../../support/compare.ts';
import { randomFloats } from '../../support/oracle.ts';
import { rejection as error, watchThreads } from '../../support/threads.ts';

const threads = watchThreads();
let here: Encodings;
let pool: AsyncEncodings;
beforeAll(async () => {
  here = await load({ variant: 'simd' });
  pool = await loadPool({ workers: 2, variant: 'simd' });
});
afterAll(async () => {
  await pool.dispose();
});

function expectTable(actual: RopeTable, expected: RopeTable): void {
  expectNear(actual.cos, expected.cos, {});
  expectNear(actual.sin, expected.sin, {});
}

/** A search that takes seconds. */
const longSearch = { invFreq: sinusoidalFrequencies({ dim: 512 }), from: 1, to: 1e8, above: 0.99 };

test('has every function of the module but those that hold memory of one instance', () => {
  const functions = Object.keys(here).filter((name) => !['variant', 'buffer', 'kvCache'].includes(name));
  for (const name of functions) expect(pool[name as keyof AsyncEncodings], name).toBeTypeOf('function');
  expect([pool.variant, pool.workers]).toEqual(['simd', 2]);
});

describe('attention', () => {
  const sizes = { batch: 2, heads: 4, kvHeads: 2, queryLength: 700, keyLength: 800, headDim: 16 };
  const count = (heads: number, length: number, width: number) => 2 * heads * length * width;
  const inputs = {
    ...sizes,
    query: randomFloats(count(4, 700, 16), 1),
    key: randomFloats(count(2, 800, 16), 2),
    value: randomFloats(count(2, 800, 16), 3),
  };
  const bias = randomFloats(4 * 700 * 800, 4);
  const mask = Uint8Array.from(randomFloats(2 * 4 * 700 * 800, 5), (x) => Number(x > -0.5));
  const slopes = Float64Array.of(0.5, 0.25, 0.125, 0.0625);

  test.each([
    ['causal, as a projection leaves it', { causal: true }],
    ['in the format of PyTorch', { format: 'bhsd' }],
    ['rotated, in a window', { rope: { headDim: 16 }, causal: true, window: 100 }],
    ['with a bias matrix', { bias }],
    ['with slopes', { bias: { alibi: slopes }, causal: true }],
    ['with a mask for every batch and head', { mask }],
    ['with a mask for all', { mask: mask.subarray(0, 700 * 800) }],
    ['queries before their keys', { queryStart: 20, causal: true }],
    ['weights', { returns: 'weights', causal: true }],
    ['scores', { returns: 'scores', causal: true, format: 'bhsd' }],
  ] as const)('in blocks of queries is that of one call: %s', async (_, options) => {
    const whole = here.attention({ ...inputs, ...options });
    // Blocks meet the keys of a window from another first key on, so that sums may round differently.
    expectNear(await pool.attention({ ...inputs, ...options }), whole, { absolute: 1e-6, relative: 1e-6 });
  });

  test('reports its progress up to 1', async () => {
    const shares: number[] = [];
    await pool.attention({ ...inputs, onProgress: (share) => shares.push(share) });
    expect(shares.length).toBeGreaterThan(1);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
  });

  test('leaves its inputs to the caller and fills out', async () => {
    const out = new Float32Array(2 * 700 * 4 * 16);
    const before = inputs.query.slice();
    expect(await pool.attention({ ...inputs, out })).toBe(out);
    expect(inputs.query).toEqual(before);
    expectNear(out, here.attention(inputs), { absolute: 1e-6 });
  });

  test('tells what is wrong as one call does', async () => {
    const bad = { ...inputs, key: inputs.key.subarray(1) };
    const expected = await error((async () => here.attention(bad))());
    const found = await error(pool.attention(bad));
    expect(found).toBeInstanceOf(PosencError);
    expect([found.code, found.argument, found.message]).toEqual([expected.code, expected.argument, expected.message]);
    expectNear(await pool.attention(inputs), here.attention(inputs), { absolute: 1e-6 });
  });
});

describe('another call', () => {
  test('gives what the module gives, large or small', async () => {
    for (const length of [4, 40_000]) {
      const table = { length, dim: 64, start: 5 };
      expectNear(await pool.sinusoidal(table), here.sinusoidal(table), {});
      const rope = { params: { headDim: 64 }, length };
      expectTable(await pool.ropeTable(rope), here.ropeTable(rope));
    }
  });

  test('writes into parts of out, or into none of them', async () => {
    const length = 40_000;
    const params = { headDim: 64 };
    const out = { cos: new Float32Array(length * 32), sin: new Float32Array(length * 32) };
    const found = await pool.ropeTable({ params, length, out });
    expect([found.cos, found.sin].every((part, i) => part === [out.cos, out.sin][i])).toBe(true);
    expectTable(out, here.ropeTable({ params, length }));
    const short = { cos: new Float32Array(length * 32), sin: new Float32Array(3) };
    const refused = await error(pool.ropeTable({ params, length, out: short }));
    expect([refused.code, refused.argument]).toEqual(['wrong-length', 'out.sin']);
    expect(short.cos.every((value) => value === 0)).toBe(true);
  });

  test('refuses a buffer, which belongs to one instance', async () => {
    const x = here.buffer(8) as unknown as Float32Array;
    const found = await error(pool.rope({ x, params: { headDim: 8 }, length: 1, heads: 1, headDim: 8 }));
    expect([found.code, found.argument]).toEqual(['bad-argument', 'x']);
  });

  test('refuses a query whose memory is transferred away before a worker takes it', async () => {
    const query = new Float32Array(1024 * 16);
    const [key, value] = [query.slice(), query.slice()];
    const call = error(
      pool.attention({ query, key, value, heads: 1, queryLength: 1024, keyLength: 1024, headDim: 16 }),
    );
    structuredClone(query, { transfer: [query.buffer] });
    const found = await call;
    expect([found.code, found.argument]).toEqual(['bad-argument', 'query']);
  });

  test('refuses options of another kind', async () => {
    const found = await error(pool.sinusoidal(undefined as never));
    expect([found.code, found.argument]).toEqual(['bad-argument', 'options']);
  });
});

describe('bad input', () => {
  const big = { length: 8000, dim: 312 };
  test.each([
    ['a function', { ...big, start: () => 1 }, 'start'],
    ['a symbol', { ...big, base: Symbol('q') }, 'base'],
    ['a signal of another kind', { ...big, signal: {} }, 'signal'],
    ['progress for a number', { ...big, onProgress: 3 }, 'onProgress'],
  ])('is a PosencError that names the argument: %s', async (_, options, argument) => {
    const found = await error(pool.sinusoidal(options as never));
    expect(found).toBeInstanceOf(PosencError);
    expect([found.code, found.argument]).toEqual(['bad-argument', argument]);
  });
});

describe('a call whose length no single option tells', () => {
  test('is made by a worker', async () => {
    const { invFreq } = longSearch;
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 1);
    const found = await pool.kernelEnvelope({ invFreq, edges: [0, 2e6, 4e6] });
    clearInterval(turning);
    expect(turns).toBeGreaterThan(2); // this thread went on
    expect(found.maximum[0]).toBeCloseTo(1, 14); // the kernel at distance 0
  });
});

describe('a call that is abandoned', () => {
  test('rejects with the reason of its signal, and the workers take the next call', async () => {
    const controller = new AbortController();
    const calls = [1, 2, 3].map(() => error(pool.findAliases({ ...longSearch, signal: controller.signal })));
    const reason = new Error('no longer needed');
    setTimeout(() => controller.abort(reason), 50);
    for (const call of calls) expect(await call).toBe(reason);
    const table = { length: 4000, dim: 64 };
    expectNear(await pool.sinusoidal(table), here.sinusoidal(table), {});
  });

  test('leaves nothing at a signal that outlives it, and out as it was', async () => {
    const { signal } = new AbortController();
    await pool.sinusoidal({ length: 4000, dim: 64, signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);

    const controller = new AbortController();
    const out = new Float32Array(8 * 4096 * 16);
    const sizes = { heads: 8, queryLength: 4096, keyLength: 4096, headDim: 16 };
    const [query, key, value] = [0, 1, 2].map(() => new Float32Array(out.length)) as [
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    const call = error(pool.attention({ query, key, value, ...sizes, out, signal: controller.signal }));
    controller.abort();
    expect((await call).name).toBe('AbortError');
    expect(out.every((value) => value === 0)).toBe(true);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  test('is not begun where the signal has been given', async () => {
    const reason = new Error('too late');
    expect(await error(pool.sinusoidal({ length: 4, dim: 4, signal: AbortSignal.abort(reason) }))).toBe(reason);
  });
});

describe('a worker that dies', () => {
  test('fails its call, and another takes its place', async () => {
    const alone = await loadPool({ workers: 1, variant: 'simd' });
    const call = error(alone.findAliases(longSearch));
    await threads.at(-1)?.terminate();
    const found = await call;
    expect(found).toBeInstanceOf(PosencError);
    expect(found.code).toBe('worker-failed');
    const table = { length: 4000, dim: 64 };
    expectNear(await alone.sinusoidal(table), here.sinusoidal(table), {});
    await alone.dispose();
  });
});

describe('loadPool', () => {
  test('refuses what it does not know', async () => {
    for (const [options, argument] of [
      [{ workers: 0 }, 'workers'],
      [{ workers: 1.5 }, 'workers'],
      [{ workers: 257 }, 'workers'],
      [{ variant: 'fast' }, 'variant'],
      [{ threads: 2 }, 'threads'],
    ] as const) {
      const found = await error(loadPool(options as never));
      expect([found.code, found.argument]).toEqual(['bad-argument', argument]);
    }
  });

  test('rejects where the file does not load', async () => {
    const found = await error(loadPool({ workers: 1, wasm: new URL('file:///nowhere.wasm') }));
    expect(found.code).toBe('load-failed');
  });

  test('after dispose, calls that run and new ones reject', async () => {
    const other = await loadPool({ workers: 1, variant: 'simd' });
    const running = error(other.findAliases(longSearch));
    const waiting = error(other.findAliases(longSearch));
    await other.dispose();
    expect(threads.at(-1)?.threadId).toBe(-1); // has ended
    await other.dispose();
    expect([(await running).code, (await waiting).code]).toEqual(['disposed', 'disposed']);
    for (const length of [1, 4000]) {
      expect((await error(other.sinusoidal({ length, dim: 64 }))).code).toBe('disposed');
    }
  });
});
