import { load } from 'posenc';
import { describe, expect, test } from 'vitest';
import { detached, names, strings, type Name, validCalls, hostile } from '../../support/hostile.ts';
import { describeVariants } from '../../support/variants.ts';

const sizes: Partial<Record<Name, string[]>> = {
  sinusoidal: ['length', 'dim'],
  sinusoidal2d: ['dim'],
  positionalEncoding: ['batch', 'length', 'dim', 'maxLength'],
  oneHot: ['maxLength'],
  indexEncoding: ['length'],
  learned: ['rows', 'dim'],
  ropeTable: ['length'],
  rope: ['batch', 'length', 'heads', 'headDim'],
  xpos: ['batch', 'length', 'heads', 'headDim'],
  mrope: ['batch', 'length', 'heads', 'headDim'],
  rope2d: ['batch', 'length', 'heads', 'headDim'],
  alibiSlopes: ['heads'],
  alibiBias: ['heads', 'queryLength', 'keyLength'],
  t5Bias: ['heads', 'queryLength', 'keyLength'],
  kerpleBias: ['heads', 'queryLength', 'keyLength'],
  fireBias: ['heads', 'queryLength', 'keyLength'],
  attention: ['batch', 'heads', 'kvHeads', 'queryLength', 'keyLength', 'headDim', 'valueDim'],
  shawAttention: ['batch', 'heads', 'kvHeads', 'queryLength', 'keyLength', 'headDim', 'valueDim'],
  transformerXlScores: ['batch', 'heads', 'kvHeads', 'queryLength', 'keyLength', 'headDim', 'dim'],
  debertaScores: ['batch', 'heads', 'kvHeads', 'queryLength', 'keyLength', 'headDim', 'span'],
  similarity: ['rows', 'dim'],
  findAliases: ['limit'],
  decompose: ['length', 'dim'],
  detectConvention: ['length', 'heads', 'headDim'],
};
const tensors: Partial<Record<Name, string[]>> = {
  positionalEncoding: ['x'],
  learned: ['table'],
  t5Bias: ['table'],
  kerpleBias: ['a', 'p'],
  fireBias: ['b1', 'w2', 'b2'],
  rope: ['x'],
  xpos: ['x'],
  mrope: ['x'],
  rope2d: ['x'],
  attention: ['query', 'key', 'value'],
  shawAttention: ['query', 'key', 'value', 'keyTable', 'valueTable'],
  transformerXlScores: ['query', 'key', 'u', 'v', 'relative'],
  debertaScores: ['query', 'key', 'relativeKey', 'relativeQuery'],
  similarity: ['table'],
  decompose: ['x', 'wq'],
  verifyRelative: ['query', 'key'],
  detectConvention: ['before', 'after'],
};
const doubles: Partial<Record<Name, string[]>> = {
  distanceKernel: ['invFreq'],
  kernelEnvelope: ['invFreq'],
  findAliases: ['invFreq'],
  decayBound: ['invFreq'],
};
const wholeNumbers: Partial<Record<Name, string[]>> = {
  sinusoidal: ['positions'],
  oneHot: ['positions'],
  learned: ['positions'],
  ropeTable: ['positions'],
  rope: ['positions'],
  xpos: ['positions'],
  mrope: ['positions'],
  rope2d: ['rows', 'columns'],
  alibiBias: ['positions'],
  t5Buckets: ['relative'],
  debertaBuckets: ['delta'],
  distanceKernel: ['distances'],
  kernelEnvelope: ['edges'],
  decayBound: ['distances'],
  verifyRelative: ['shifts'],
};

/** How many of them a valid call has, where not 2. */
const counts: Partial<Record<Name, number>> = { sinusoidal: 3, ropeTable: 3, rope: 3, xpos: 3, mrope: 9, rope2d: 3 };

function pairsOf(table: Partial<Record<Name, string[]>>): [Name, string][] {
  return (Object.entries(table) as [Name, string[]][]).flatMap(([name, options]) =>
    options.map((option): [Name, string] => [name, option]),
  );
}

await describeVariants('bad input', (typed) => {
  const { encodings, expectRefusal } = hostile(typed);

  test.each(names)('%s takes its valid call', (name) => {
    expect(() => encodings[name](validCalls[name]())).not.toThrow();
  });

  test.each(names)('%s refuses anything but an object, and names it does not know', (name) => {
    for (const options of [undefined, null, 5, 'dim', [], () => 0]) {
      expect(() => encodings[name](options)).toThrowError(expect.objectContaining({ argument: 'options' }));
    }
    const error = expectRefusal(name, { lengthh: 3, unheardOf: 1 }, 'lengthh', 'bad-argument');
    expect(error.message).toContain('lengthh');
    expectRefusal(name, { unheardOf: 1 }, 'unheardOf', 'bad-argument');
  });

  test.each(pairsOf(sizes))('%s refuses %s 0, −1, 1.5, NaN, Infinity, 2^31 and what is no number', (name, option) => {
    for (const value of [0, -1, 1.5, NaN, Infinity, 2 ** 31, 2 ** 32, '4', null, true, [4], 4n, {}]) {
      const error = expectRefusal(name, { [option]: value }, option, 'bad-argument');
      expect(error.message).toContain(option);
      expect(error.got).toEqual(value);
    }
  });

  test.each(pairsOf(tensors))('%s refuses a %s of another length or type', (name, option) => {
    expectRefusal(name, { [option]: new Float32Array(5) }, option, /wrong-length|bad-argument/);
    expectRefusal(name, { [option]: new Float32Array(0) }, option, /wrong-length|bad-argument/);
    for (const value of [
      strings,
      [1, 2, 3],
      new Float64Array(12),
      new Int32Array(12),
      'x',
      5,
      null,
      {},
      new ArrayBuffer(48),
    ]) {
      expectRefusal(name, { [option]: value }, option, 'bad-argument');
    }
    expectRefusal(name, { [option]: detached(new Float32Array(12)) }, option, 'bad-argument');
  });

  test.each(pairsOf(tensors))('%s takes halves as %s, and refuses what only looks like them', (name, option) => {
    const valid = (validCalls[name]() as unknown as Record<string, Float32Array | undefined>)[option];
    for (const format of ['f16', 'bf16']) {
      if (valid !== undefined) {
        const halves = { [format]: new Uint16Array(valid.length).fill(0x3c00) };
        expect(() => encodings[name]({ ...validCalls[name](), [option]: halves })).not.toThrow();
      }
      expectRefusal(name, { [option]: { [format]: new Uint16Array(5) } }, option, /wrong-length|bad-argument/);
      expectRefusal(name, { [option]: { [format]: detached(new Uint16Array(12)) } }, option, 'bad-argument');
      for (const bits of [new Int16Array(12), new Float32Array(12), [1, 2], 5, null, undefined]) {
        expectRefusal(name, { [option]: { [format]: bits } }, `${option}.${format}`, 'bad-argument');
      }
      expectRefusal(name, { [option]: { [format]: new Uint16Array(12), bits: 16 } }, `${option}.bits`, 'bad-argument');
    }
    const bits = new Uint16Array(12);
    expectRefusal(name, { [option]: { f16: bits, bf16: bits } }, option, 'bad-argument');
    expectRefusal(name, { [option]: bits }, option, 'bad-argument');
  });

  test.each(pairsOf(doubles))('%s refuses a %s that is no array of finite frequencies', (name, option) => {
    for (const value of [
      undefined,
      [1, 0.1],
      strings,
      Float32Array.of(1),
      new Float64Array(0),
      Float64Array.of(1, NaN),
    ]) {
      expectRefusal(name, { [option]: value }, option, 'bad-argument');
    }
    expectRefusal(name, { [option]: Float64Array.of(Infinity) }, option, 'bad-argument');
    expectRefusal(name, { [option]: Float64Array.of(2 ** 33) }, option, 'bad-argument');
    expectRefusal(name, { [option]: detached(Float64Array.of(1)) }, option, 'bad-argument');
  });

  test.each(pairsOf(wholeNumbers))(
    '%s refuses %s 0.5, NaN, past the limit, and what are no numbers',
    (name, option) => {
      const limit = ['distances', 'edges', 'relative'].includes(option) ? 2 ** 53 : 2 ** 31;
      const length = counts[name] ?? 2;
      const spoilt = (value: unknown) => [...Array<number>(length - 1).keys(), value];
      for (const value of [
        0.5,
        NaN,
        Infinity,
        limit + (limit === 2 ** 31 ? 1 : 2),
        -limit - 2,
        '1',
        null,
        undefined,
        1n,
      ]) {
        const error = expectRefusal(name, { [option]: spoilt(value) }, option, 'bad-argument');
        expect(error.message).toContain(`index ${length - 1}`);
      }
      for (const value of ['123', 3, null, {}, new DataView(new ArrayBuffer(8))]) {
        expectRefusal(name, { [option]: value }, option, 'bad-argument');
      }
    },
  );

  test.each(names)('%s refuses an out of another length or type', (name) => {
    if (['findAliases', 'verifyRelative', 'detectConvention'].includes(name)) {
      expectRefusal(name, { out: new Float32Array(3) }, 'out', 'bad-argument');
      return;
    }
    const nested = { ropeTable: 'cos', decompose: 'positionContent', kernelEnvelope: 'maximum' }[name as string];
    const isDouble = ['alibiSlopes', 'distanceKernel', 'decayBound', 'kernelEnvelope'].includes(name);
    const Right =
      name === 't5Buckets' || name === 'debertaBuckets' ? Int32Array : isDouble ? Float64Array : Float32Array;
    const wrongLength = new Right(1);
    const wrongType = Right === Float32Array ? new Float64Array(12) : new Float32Array(12);
    const wrap = (out: unknown) => ({ out: nested === undefined ? out : { [nested]: out } });
    const argument = nested === undefined ? 'out' : `out.${nested}`;
    const at = (out: unknown, code: string) => {
      expect(() => encodings[name]({ ...validCalls[name](), ...wrap(out) })).toThrowError(
        expect.objectContaining({ name: 'PosencError', code, argument }),
      );
    };
    at(wrongLength, 'wrong-length');
    at(wrongType, 'bad-argument');
    at(strings, 'bad-argument');
    expectRefusal(name, { out: 5 }, 'out', 'bad-argument');
  });

  test('a result that would overwrite an input while it is read', () => {
    const buffer = typed.buffer(12);
    expectRefusal('learned', { table: buffer, positions: [0, 1, 2], out: buffer }, 'out', 'bad-argument');
    expectRefusal('t5Bias', { table: buffer, buckets: 4, queryLength: 2, out: buffer }, 'out', 'bad-argument');
    const perHead = typed.buffer(3);
    perHead.set([1, 1, 1]);
    for (const name of ['a', 'p']) {
      expectRefusal('kerpleBias', { [name]: perHead, keyLength: 1, out: perHead }, 'out', 'bad-argument');
    }
    perHead.dispose();
    const network = typed.buffer(4);
    for (const name of ['w1', 'b1']) {
      expectRefusal('fireBias', { [name]: network, keyLength: 2, out: network }, 'out', 'bad-argument');
    }
    network.dispose();
    const square = typed.buffer(9);
    expectRefusal('similarity', { table: square, rows: 3, dim: 3, out: square }, 'out', 'bad-argument');
    const query = typed.buffer(24);
    expectRefusal('attention', { query, out: query }, 'out', 'bad-argument');
    const matrix = typed.buffer(30);
    expectRefusal('transformerXlScores', { relative: matrix, out: matrix }, 'out', 'bad-argument');
    expectRefusal('debertaScores', { relativeKey: matrix, out: matrix }, 'out', 'bad-argument');
    matrix.dispose();
    expectRefusal('shawAttention', { query, out: query }, 'out', 'bad-argument');
    const table = { cos: typed.buffer(24), sin: typed.buffer(24), rows: 12 };
    expectRefusal('rope', { table, out: table.sin }, 'out', 'bad-argument');
    expectRefusal(
      'decompose',
      { x: buffer, length: 1, dim: 12, out: { contentPosition: buffer } },
      'out.contentPosition',
    );
    for (const held of [buffer, square, query, table.cos, table.sin]) held.dispose();
  });

  test('a place that two parts of a result would share', () => {
    const floats = new Float32Array(9);
    const doubles = new Float64Array(2);
    for (const cos of [0, 1, 5]) {
      const shared = new Float32Array(12);
      const parts = { cos: shared.subarray(cos, cos + 6), sin: shared.subarray(0, 6) };
      expectRefusal('ropeTable', { out: parts }, 'out.sin', 'bad-argument');
    }
    const halves = { cos: new Float32Array(floats.buffer, 0, 4), sin: new Float32Array(floats.buffer, 16, 4) };
    expect(() => encodings.ropeTable({ ...validCalls.ropeTable(), length: 2, out: halves })).not.toThrow();
    expect([...halves.cos, ...halves.sin]).toEqual([
      ...[1, 1, Math.cos(1), Math.cos(0.01)].map(Math.fround),
      ...[0, 0, Math.sin(1), Math.sin(0.01)].map(Math.fround),
    ]);
    expectRefusal('ropeTable', { out: { cos: floats, sin: floats } }, 'out.sin', 'bad-argument');
    expectRefusal('kernelEnvelope', { out: { minimum: doubles, argmax: doubles } }, 'out.argmax', 'bad-argument');
    const out = { contentContent: floats, positionPosition: floats };
    expectRefusal('decompose', { out }, 'out.positionPosition', 'bad-argument');
  });

  test('a view of WebAssembly memory, which a call may take away', () => {
    const buffer = typed.buffer(24);
    expectRefusal('rope', { x: buffer.view() }, 'x', 'bad-argument');
    expectRefusal('rope', { out: buffer.view() }, 'out', 'bad-argument');
    buffer.dispose();
  });

  test.each([
    ['sinusoidal', { length: 65_536, dim: 65_536 }, 'length'],
    ['sinusoidal', { length: 65_536, dim: 131_072 }, 'dim'],
    ['sinusoidal', { length: 2 ** 31 - 1, dim: 2 ** 31 - 1 }, 'length'],
    ['indexEncoding', { length: 2 ** 31 - 1 }, 'length'],
    ['indexEncoding', { length: 1_073_741_823 }, 'length'],
    ['oneHot', { positions: [0, 1, 2], maxLength: 2 ** 30 }, 'maxLength'],
    ['ropeTable', { params: { headDim: 128 }, length: 2 ** 30 }, 'length'],
    ['rope', { length: 2 ** 31 - 1 }, 'length'],
    ['alibiSlopes', { heads: 2 ** 30 }, 'heads'],
    ['alibiBias', { queryLength: 2 ** 16, keyLength: 2 ** 17 }, 'keyLength'],
    ['t5Bias', { queryLength: 2 ** 16, keyLength: 2 ** 17 }, 'keyLength'],
    ['findAliases', { limit: 2 ** 30 }, 'limit'],
  ] as const)('%s of a size too large for memory: %o', (name, changes, argument) => {
    expectRefusal(name, changes, argument, 'out-of-memory');
    expect(() => encodings[name](validCalls[name]())).not.toThrow();
  });

  test('a buffer too large for memory, or of no size', () => {
    for (const [length, code] of [
      [2 ** 31 - 1, 'out-of-memory'],
      [1_073_741_800, 'out-of-memory'],
      [2 ** 29, 'out-of-memory'],
      [0, 'bad-argument'],
      [1.5, 'bad-argument'],
      ['8', 'bad-argument'],
    ] as const) {
      expect(() => encodings.buffer(length)).toThrowError(
        expect.objectContaining({ name: 'PosencError', code, argument: 'length' }),
      );
    }
  });

  test('sizes whose product wraps 32 bits to the length of the array', () => {
    // 65536 × 65536 × 2 is 2^33 and (2^30 + 1) × 4 is 2^32 + 4: 0 and 4 modulo 2^32.
    expectRefusal(
      'rope',
      { x: new Float32Array(0), length: 65_536, heads: 65_536, params: { headDim: 2 }, headDim: 2 },
      'x',
      'wrong-length',
    );
    expectRefusal('similarity', { table: new Float32Array(4), rows: 2 ** 30 + 1, dim: 4 }, 'rows', 'out-of-memory');
  });
});

describe('a buffer', () => {
  test('belongs to one instance', async () => {
    const one = await load({ variant: 'simd' });
    const other = await load({ variant: 'simd', wasm: new URL('../../../../dist/wasm/simd.wasm', import.meta.url) });
    const buffer = other.buffer(4);
    expect(() => one.sinusoidal({ length: 1, dim: 4, out: buffer })).toThrowError(
      expect.objectContaining({ name: 'PosencError', argument: 'out' }),
    );
    buffer.dispose();
  });
});
