import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Encodings, Variant } from 'posenc';
import { describe, expect, test } from 'vitest';
import { createEncodings } from '../../../../web/engine/encodings.ts';
import { createEngine } from '../../../../web/engine/runtime/engine.ts';
import { instantiate } from '../../support/module.ts';
import { randomFloats } from '../../support/oracle.ts';
import { accepts, describeVariants, variants } from '../../support/variants.ts';

/** An instance whose heap arrays can be counted. */
async function countedEngine(variant: Variant): Promise<{ encodings: Encodings; live: () => number }> {
  const wasm = await instantiate(variant);
  return { encodings: createEncodings(createEngine(wasm, variant)), live: () => wasm.liveHeapArrays() };
}

function callEverything(encodings: Encodings): void {
  const x = randomFloats(24, 1);
  const params = { headDim: 4 };
  const invFreq = Float64Array.of(1, 0.1);
  encodings.sinusoidal({ length: 3, dim: 4, positions: [1, 2, 3] });
  encodings.positionalEncoding({ x, length: 6, dim: 4 });
  encodings.oneHot({ positions: [0, 1], maxLength: 3 });
  encodings.indexEncoding({ length: 3 });
  encodings.learned({ table: x, rows: 6, dim: 4, positions: [0, 5] });
  encodings.ropeTable({ params, length: 3 });
  encodings.rope({ x, params, length: 3, heads: 2, headDim: 4, positions: [5, 6, 7] });
  encodings.xpos({ x, params, length: 3, heads: 2, headDim: 4, positions: [5, 6, 7] });
  encodings.mrope({
    x,
    params: { ...params, mropeSection: [1, 1, 0] },
    length: 3,
    heads: 2,
    headDim: 4,
    positions: [5, 6, 7, 1, 1, 1, 0, 1, 2],
  });
  for (const variant of ['chatglm', 'vision', 'axial'] as const) {
    encodings.rope2d({ x, params, variant, length: 3, heads: 2, headDim: 4, rows: [0, 0, 1], columns: [0, 1, 0] });
  }
  encodings.attention({
    query: x,
    key: x,
    value: x,
    heads: 2,
    queryLength: 3,
    keyLength: 3,
    headDim: 4,
    rope: params,
    causal: true,
    mask: new Uint8Array(9).fill(1),
    keyValid: new Uint8Array(3).fill(1),
    sinks: Float32Array.of(0, 0),
    bias: { alibi: Float64Array.of(0.5, 0.25) },
  });
  const cache = encodings.kvCache({ kvHeads: 2, headDim: 4, capacity: 4, rope: params, window: 2 });
  for (let step = 0; step < 2; ++step) {
    cache.append({ key: x, value: x, length: 3 });
    cache.attend({ query: x, heads: 2, length: 3, causal: true, keyValid: new Uint8Array(cache.length - cache.start) });
  }
  cache.keys();
  cache.dispose();
  const call = { query: x, key: x, value: x, heads: 2, queryLength: 3, keyLength: 3, headDim: 4 };
  const [u, v] = [x.subarray(0, 8), x.subarray(8, 16)];
  const fire = { w1: u, b1: v, w2: x.subarray(0, 16), b2: x.subarray(0, 2), c: 0.1 };
  encodings.attention({ ...call, bias: { alibi: Float64Array.of(0.5, 0.25), positions: [0, 0, 1] } });
  encodings.attention({ ...call, bias: { t5: { table: randomFloats(64, 4) } } });
  encodings.attention({ ...call, bias: { fire: { ...fire, threshold: 9 } } });
  encodings.attention({ ...call, bias: { fire: { ...fire, threshold: 1 } } });
  encodings.attention({ ...call, relative: { shaw: { keyTable: x.subarray(0, 12), clip: 1 } } });
  encodings.attention({ ...call, relative: { deberta: { span: 1, relativeKey: x.subarray(0, 16) } } });
  const segments = {
    segmentBias: u,
    segmentTable: x.subarray(0, 16),
    querySegments: [0, 1, 1],
    keySegments: [0, 1, 1],
  };
  encodings.attention({ ...call, relative: { transformerXl: { u, v, relative: x.subarray(0, 16), ...segments } } });
  encodings.similarity({ table: x, rows: 6, dim: 4 });
  encodings.distanceKernel({ invFreq, distances: [0, 1] });
  encodings.kernelEnvelope({ invFreq, edges: [0, 10, 20] });
  encodings.findAliases({ invFreq, from: 1, to: 100, above: 0 });
  encodings.decayBound({ invFreq, distances: [0, 1] });
  encodings.decompose({ x, length: 6, dim: 4, wq: randomFloats(12, 2), wk: randomFloats(12, 3) });
  encodings.verifyRelative({ query: x.subarray(0, 4), key: x.subarray(4, 8), params, distance: 1, shifts: [0, 1] });
}

describe.each(variants)('heap arrays [%s]', (variant) => {
  test.skipIf(!accepts(variant))('are all freed after a call, and after an error in its middle', async () => {
    const { encodings, live } = await countedEngine(variant);
    const x = randomFloats(24, 1);
    const params = { headDim: 4 };
    const call = { query: x, key: x, value: x, heads: 2, queryLength: 3, keyLength: 3, headDim: 4 };
    const failing = [
      () => encodings.attention({ ...call, sinks: new Float32Array(5) }),
      () => encodings.attention({ ...call, relative: { shaw: { keyTable: x, clip: 1 } } }),
      () => encodings.attention({ ...call, bias: { t5: { table: x } } }),
      () => encodings.attention({ ...call, rope: { headDim: 4 }, positions: [0, 1, 0.5] }),
      () => encodings.sinusoidal({ length: 3, dim: 4, base: -1 }),
      () => encodings.decompose({ x, length: 6, dim: 4, base: 0 }),
      () => encodings.verifyRelative({ query: x, key: x, params: { headDim: 4 }, distance: 1, shifts: [0] }),
      () => encodings.indexEncoding({ length: 1_073_741_823 }),
      () => encodings.buffer(1_073_741_823),
    ];
    const calls = [() => callEverything(encodings), ...failing.map((fail) => () => expect(fail).toThrow())];
    // Calls keep a few arrays for each other, which are no leaks: their number stops growing after the first rounds.
    for (let round = 0; round < 5; ++round) for (const run of calls) run();
    const before = live();
    for (const run of calls) {
      run();
      expect(live()).toBe(before);
    }

    const room = { kvHeads: 2, headDim: 4, capacity: 3, rope: params };
    const table = { ...encodings.ropeTable({ params, length: 4 }), rows: 4 };
    const cache = encodings.kvCache({ ...room, table });
    expect(live()).toBe(before + 4);
    expect(() => cache.append({ key: x, value: x.subarray(1), length: 3 })).toThrow();
    cache.append({ key: x, value: x, length: 3 });
    expect(() => cache.append({ key: x, value: x, length: 3 })).toThrow();
    expect(() => cache.attend({ query: x, heads: 2, length: 3, sinks: new Float32Array(5) })).toThrow();
    expect(() => encodings.kvCache({ ...room, table: { ...table, sin: x } })).toThrow();
    expect(() => encodings.kvCache({ ...room, capacity: 2 ** 26, valueDim: 2 ** 20 })).toThrow();
    expect(live()).toBe(before + 4);
    cache.dispose();
    cache.dispose();
    expect(live()).toBe(before);

    const buffer = encodings.buffer(8);
    expect(live()).toBe(before + 1);
    buffer.dispose();
    buffer.dispose();
    expect(live()).toBe(before);
  });
});

describe.each(variants)('memory [%s]', (variant) => {
  test.skipIf(!accepts(variant))('stays flat over 10 000 calls', async () => {
    const { encodings, live } = await countedEngine(variant);
    const buffer = encodings.buffer(1);
    const collectGarbage = garbageCollector();
    const used = () => {
      collectGarbage();
      return { webAssembly: buffer.view().buffer.byteLength, handles: live(), heap: process.memoryUsage().heapUsed };
    };
    let calls = 0;
    const counting = new Proxy(encodings, {
      get: (target, name: keyof Encodings) => {
        calls += 1;
        return target[name];
      },
    });
    while (calls < 2000) callEverything(counting);
    const before = used();
    while (calls < 12_000) callEverything(counting);
    const after = used();
    expect(after.webAssembly).toBe(before.webAssembly);
    expect(after.handles).toBe(before.handles);
    expect(after.heap - before.heap).toBeLessThan(2 ** 20);
  });

  test.skipIf(!accepts(variant))('of attention to 131 072 keys is less than 64 MB beside the tensors', async () => {
    const { encodings } = await countedEngine(variant);
    const sizes = { heads: 1, queryLength: 64, keyLength: 131_072, headDim: 64 };
    const tensor = (rows: number, seed: number) => {
      const values = randomFloats(rows * sizes.headDim, seed);
      const buffer = encodings.buffer(values.length);
      buffer.set(values);
      return { values, buffer };
    };
    const [query, key, value, out] = [
      tensor(sizes.queryLength, 1),
      tensor(sizes.keyLength, 2),
      tensor(sizes.keyLength, 3),
      tensor(sizes.queryLength, 4),
    ];
    const tensors = [query, key, value, out];
    encodings.attention({
      ...sizes,
      ...{ query: query.buffer, key: key.buffer, value: value.buffer, out: out.buffer },
      rope: { headDim: 64 },
    });
    const bytes = tensors.reduce((sum, { values }) => sum + values.byteLength, 0);
    expect(out.buffer.view().buffer.byteLength - bytes).toBeLessThanOrEqual(64 * 2 ** 20);
  });
});

/** Runs the garbage collector of the engine, which Node keeps behind a flag. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

await describeVariants('results', (encodings) => {
  test('are copies: a small table is unchanged after one of 400 MB', () => {
    const small = encodings.sinusoidal({ length: 8, dim: 16 });
    const copy = small.slice();
    const [length, dim] = [400_000, 250];
    const large = encodings.sinusoidal({ length, dim });
    expect(large.byteLength).toBe(400_000_000);
    expect(small).toEqual(copy);
    expect([large[0], large[1]]).toEqual([0, 1]);
    expect(encodings.sinusoidal({ length: 8, dim: 16 })).toEqual(copy);
  });
});

await describeVariants('a buffer', (encodings) => {
  test('starts with zeros, takes numbers and shows them', () => {
    const buffer = encodings.buffer(5);
    expect(buffer.length).toBe(5);
    expect([...buffer.view()]).toEqual([0, 0, 0, 0, 0]);
    buffer.set([1, 2, 3]);
    buffer.set(Float32Array.of(9), 4);
    expect([...buffer.view()]).toEqual([1, 2, 3, 0, 9]);
    buffer.dispose();
  });

  test('refuses what does not fit', () => {
    const buffer = encodings.buffer(3);
    const detached = Float32Array.of(1, 2);
    structuredClone(detached.buffer, { transfer: [detached.buffer] });
    const refusals: [() => void, object][] = [
      [() => buffer.set(detached), { name: 'PosencError', code: 'bad-argument', argument: 'values' }],
      [() => buffer.set([1, 2, 3, 4]), { code: 'wrong-length', argument: 'values' }],
      [() => buffer.set([1], 3), { code: 'wrong-length', argument: 'values' }],
      [() => buffer.set([1], -1), { code: 'bad-argument', argument: 'offset' }],
      [() => buffer.set(['1'] as unknown as number[]), { code: 'bad-argument', argument: 'values' }],
      [() => buffer.set(null as unknown as number[]), { code: 'bad-argument', argument: 'values' }],
    ];
    for (const [refused, error] of refusals) expect(refused).toThrowError(expect.objectContaining(error));
    expect([...buffer.view()]).toEqual([0, 0, 0]);
    buffer.dispose();
  });

  test('throws when it is used after dispose', () => {
    const buffer = encodings.buffer(4);
    buffer.dispose();
    buffer.dispose();
    const disposed = expect.objectContaining({ name: 'PosencError', code: 'disposed' });
    expect(() => buffer.length).toThrowError(disposed);
    expect(() => buffer.view()).toThrowError(disposed);
    expect(() => buffer.set([1])).toThrowError(disposed);
    expect(() => encodings.sinusoidal({ length: 1, dim: 4, out: buffer })).toThrowError(disposed);
    const x = { x: buffer, params: { headDim: 4 }, length: 1, heads: 1, headDim: 4 };
    expect(() => encodings.rope(x)).toThrowError(expect.objectContaining({ code: 'disposed', argument: 'x' }));
  });

  test('is disposed of by Symbol.dispose', () => {
    const buffer = encodings.buffer(4);
    buffer[Symbol.dispose]();
    expect(() => buffer.view()).toThrowError(expect.objectContaining({ code: 'disposed' }));
  });

  test('keeps its numbers when the memory grows', () => {
    const buffer = encodings.buffer(1000);
    const values = randomFloats(1000, 4);
    buffer.set(values);
    const others = Array.from({ length: 8 }, () => encodings.buffer(2_000_000));
    expect(buffer.view()).toEqual(values);
    for (const held of [buffer, ...others]) held.dispose();
  });
});
