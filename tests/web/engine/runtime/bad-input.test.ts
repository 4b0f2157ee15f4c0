import { inspect } from 'node:util';
import { load, PosencError, type Encodings } from 'posenc';
import { describe, expect, test } from 'vitest';
import { describeVariants } from '../../support/variants.ts';

/** Functions by name, with arguments of any type: what JavaScript can pass. */
type Anything = Record<keyof Encodings, (options: unknown) => unknown>;

/** A valid call of every function; the tests below spoil one option at a time. */
const validCalls = {
  sinusoidal: () => ({ length: 3, dim: 4 }),
  sinusoidal2d: () => ({ rows: [0, 0.5], columns: [2, 3], dim: 4 }),
  positionalEncoding: () => ({ x: new Float32Array(12), length: 3, dim: 4 }),
  oneHot: () => ({ positions: [0, 1], maxLength: 3 }),
  indexEncoding: () => ({ length: 3 }),
  learned: () => ({ table: new Float32Array(12), rows: 3, dim: 4, positions: [0, 2] }),
  ropeTable: () => ({ params: { headDim: 4 }, length: 3 }),
  rope: () => ({ x: new Float32Array(24), params: { headDim: 4 }, length: 3, heads: 2, headDim: 4 }),
  xpos: () => ({ x: new Float32Array(24), params: { headDim: 4 }, length: 3, heads: 2, headDim: 4 }),
  mrope: () => ({
    x: new Float32Array(24),
    params: { headDim: 4, mropeSection: [1, 0, 1] },
    length: 3,
    heads: 2,
    headDim: 4,
    positions: [0, 1, 2, 0, 1, 2, 0, 1, 2],
  }),
  rope2d: () => ({
    x: new Float32Array(24),
    params: { headDim: 4 },
    variant: 'vision',
    length: 3,
    heads: 2,
    headDim: 4,
    rows: [0, 0, 0],
    columns: [0, 1, 2],
  }),
  alibiSlopes: () => ({ heads: 3 }),
  alibiBias: () => ({ heads: 3, queryLength: 1, keyLength: 2 }),
  t5Buckets: () => ({ relative: [0, 1] }),
  t5Bias: () => ({ table: new Float32Array(96), heads: 3, queryLength: 1, keyLength: 2 }),
  kerpleBias: () => ({
    kind: 'log',
    a: Float32Array.of(1, 1, 1),
    p: Float32Array.of(1, 2, 0.5),
    heads: 3,
    queryLength: 1,
    keyLength: 2,
  }),
  fireBias: () => ({
    w1: new Float32Array(4),
    b1: new Float32Array(4),
    w2: new Float32Array(8),
    b2: new Float32Array(2),
    c: 0.1,
    threshold: 512,
    heads: 2,
    queryLength: 1,
    keyLength: 3,
  }),
  attention: () => ({
    query: new Float32Array(24),
    key: new Float32Array(40),
    value: new Float32Array(40),
    heads: 2,
    queryLength: 3,
    keyLength: 5,
    headDim: 4,
  }),
  shawAttention: () => ({
    query: new Float32Array(24),
    key: new Float32Array(40),
    value: new Float32Array(40),
    heads: 2,
    queryLength: 3,
    keyLength: 5,
    headDim: 4,
    keyTable: new Float32Array(20),
    valueTable: new Float32Array(20),
    clip: 2,
  }),
  transformerXlScores: () => ({
    query: new Float32Array(24),
    key: new Float32Array(40),
    heads: 2,
    queryLength: 3,
    keyLength: 5,
    headDim: 4,
    u: new Float32Array(8),
    v: new Float32Array(8),
    relative: new Float32Array(48),
    dim: 6,
  }),
  debertaBuckets: () => ({ delta: [0, 1], bucketSize: 8, maxPosition: 20 }),
  debertaScores: () => ({
    query: new Float32Array(24),
    key: new Float32Array(40),
    heads: 2,
    queryLength: 3,
    keyLength: 5,
    headDim: 4,
    span: 2,
    relativeKey: new Float32Array(32),
    relativeQuery: new Float32Array(32),
  }),
  similarity: () => ({ table: new Float32Array(12), rows: 3, dim: 4 }),
  distanceKernel: () => ({ invFreq: Float64Array.of(1, 0.1), distances: [0, 1] }),
  kernelEnvelope: () => ({ invFreq: Float64Array.of(1, 0.1), edges: [0, 10, 20] }),
  findAliases: () => ({ invFreq: Float64Array.of(1, 0.1), from: 1, to: 100, above: 0 }),
  decayBound: () => ({ invFreq: Float64Array.of(1, 0.1), distances: [0, 1] }),
  decompose: () => ({ x: new Float32Array(12), length: 3, dim: 4 }),
  verifyRelative: () => ({
    query: new Float32Array(4),
    key: new Float32Array(4),
    params: { headDim: 4 },
    distance: 1,
    shifts: [0, 1],
  }),
  detectConvention: () => ({
    before: Float32Array.from({ length: 12 }, (_, i) => i),
    after: Float32Array.from({ length: 12 }, (_, i) => -i),
    length: 3,
    heads: 1,
    headDim: 4,
  }),
} satisfies Partial<Record<keyof Encodings, () => object>>;
type Name = keyof typeof validCalls;
const names = Object.keys(validCalls) as Name[];

/** A network for two heads. */
const validFire = () => ({
  ...{ w1: new Float32Array(3), b1: new Float32Array(3), w2: new Float32Array(6), b2: new Float32Array(2) },
  ...{ c: 0.1, threshold: 512 },
});

const strings = ['1', '2', '3'];

/** A typed array whose memory was transferred away. */
function detached(array: ArrayBufferView<ArrayBuffer>): unknown {
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}

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
  const encodings = typed as unknown as Anything;

  /** Calls a function with one option changed, which it has to refuse by name. */
  function expectRefusal(name: Name, changes: object, argument: string, code: string | RegExp = /./): PosencError {
    let thrown: unknown;
    try {
      encodings[name]({ ...validCalls[name](), ...changes });
    } catch (error) {
      thrown = error;
    }
    expect(thrown, `${name} takes ${inspect(changes)}`).toBeInstanceOf(PosencError);
    const error = thrown as PosencError;
    expect(error.argument).toBe(argument);
    expect(error.code).toMatch(code);
    expect(error.expected).toBeTypeOf('string');
    return error;
  }

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

  test('positions of the wrong number', () => {
    expectRefusal('sinusoidal', { positions: [0, 1] }, 'positions', 'wrong-length');
    expectRefusal('ropeTable', { positions: [0, 1] }, 'positions', 'wrong-length');
    expectRefusal('rope', { positions: [0, 1, 2, 3] }, 'positions', 'wrong-length');
    expectRefusal('xpos', { positions: [0, 1, 2, 3] }, 'positions', 'wrong-length');
    expectRefusal('mrope', { positions: [0, 1, 2] }, 'positions', 'wrong-length');
    expectRefusal('rope2d', { rows: [0, 1] }, 'rows', 'wrong-length');
    expectRefusal('rope2d', { columns: [0, 1, 2, 3] }, 'columns', 'wrong-length');
    expectRefusal('rope', { positions: detached(new Float64Array(3)) }, 'positions', 'bad-argument');
    expectRefusal('oneHot', { positions: [] }, 'positions', 'bad-argument');
    expectRefusal('learned', { positions: [] }, 'positions', 'bad-argument');
  });

  test('positions beside a start, and a start that leads past 2^31', () => {
    for (const name of ['sinusoidal', 'rope', 'ropeTable'] as const) {
      expectRefusal(name, { positions: [0, 1, 2], start: 0 }, 'start', 'bad-argument');
      expectRefusal(name, { start: 2 ** 31 - 1 }, 'start', 'bad-argument');
      expectRefusal(name, { start: 0.5 }, 'start', 'bad-argument');
      expect(() => encodings[name]({ ...validCalls[name](), start: 2 ** 31 - 2 })).not.toThrow();
    }
  });

  test.each(['sinusoidal', 'positionalEncoding', 'decompose'] as const)(
    '%s refuses a base ≤ 0, 1 or infinite',
    (name) => {
      for (const base of [0, -1, 1, Infinity, NaN, '10000']) expectRefusal(name, { base }, 'base', 'bad-argument');
    },
  );

  test('an unknown name of a choice, with the allowed ones', () => {
    expect(expectRefusal('sinusoidal', { order: 'sincos' }, 'order').message).toMatch(/"interleaved", "concat"/);
    expect(expectRefusal('sinusoidal', { spacing: 'T2T' }, 'spacing').message).toMatch(/"paper", "t2t"/);
    expect(expectRefusal('indexEncoding', { mode: 'log' }, 'mode').message).toMatch(/"integer", "unit", "fraction"/);
    expect(expectRefusal('rope', { format: 'sbhd' }, 'format').message).toMatch(/"bshd", "bhsd"/);
    expect(expectRefusal('attention', { returns: 'logits' }, 'returns').message).toMatch(
      /"output", "weights", "scores"/,
    );
    for (const name of ['ropeTable', 'verifyRelative'] as const) {
      const precision = { table: 'fp16' };
      expect(expectRefusal(name, { precision }, 'precision.table').message).toMatch(/"f64", "f32", "f16", "bf16"/);
      expectRefusal(name, { precision: { tables: 'f16' } }, 'precision.tables');
      expectRefusal(name, { precision: null }, 'precision');
    }
    expectRefusal('sinusoidal', { order: 'toString' }, 'order');
  });

  test('an option inside another, by its path', () => {
    const params = { headDim: 7 };
    for (const name of ['ropeTable', 'rope', 'xpos', 'mrope', 'rope2d', 'verifyRelative'] as const) {
      const { message } = expectRefusal(name, { params }, 'params.headDim', 'bad-argument');
      expect(message).toMatch(/^params\.headDim must be even/);
      expectRefusal(name, { params: { headDim: 4, rotaryDim: 3 } }, 'params.rotaryDim', 'bad-argument');
      const misspelt = { headDim: 4, rotarydim: 4 };
      expectRefusal(name, { params: misspelt }, 'params.rotarydim', 'bad-argument');
      expectRefusal(name, { params: { headDim: 0 } }, 'params.headDim', 'bad-argument');
      expectRefusal(name, { params: { headDim: 4, type: 'linear' } }, 'params.factor', 'bad-argument');
      if (name !== 'mrope' && name !== 'rope2d') expectRefusal(name, { seqLen: 0 }, 'seqLen', 'bad-argument');
    }
    const longrope = { headDim: 4, type: 'longrope', originalMaxPosition: 8, factor: 2, shortFactor: [1, 1] };
    expectRefusal('ropeTable', { params: { ...longrope, longFactor: [1] } }, 'params.longFactor', 'wrong-length');
    expectRefusal('mrope', { params: { headDim: 4 } }, 'params.mropeSection', 'bad-argument');
    expectRefusal('rope2d', { params: { headDim: 4, rotaryDim: 2 } }, 'params.rotaryDim', 'bad-argument');
    expectRefusal('rope2d', { params: { headDim: 4, pairing: 'interleaved' } }, 'params.pairing', 'bad-argument');
    const yarn = { headDim: 4, type: 'yarn', factor: 2 };
    expectRefusal('attention', { rope: yarn }, 'rope.originalMaxPosition', 'bad-argument');
    expectRefusal('attention', { rope: { headdim: 4 } }, 'rope.headdim', 'bad-argument');
    const cache = { kvHeads: 1, headDim: 4, capacity: 2 };
    const paths = [
      [{ rope: { headDim: 4, base: 1 } }, 'rope.base'],
      [{ rope: { headDim: 4 }, table: { cos: new Float32Array(4), sin: new Float32Array(4), rows: 0 } }, 'table.rows'],
      [{ window: { left: 1, rigth: 0 } }, 'window.rigth'],
    ] as const;
    for (const [options, argument] of paths) {
      expect(() => typed.kvCache({ ...cache, ...options } as never)).toThrowError(
        expect.objectContaining({
          code: 'bad-argument',
          argument,
          message: expect.stringContaining(`${argument} `) as string,
        }),
      );
    }
    const base = { u: new Float32Array(8), v: new Float32Array(8), relative: new Float32Array(16), base: 1 };
    expectRefusal('attention', { relative: { transformerXl: base } }, 'relative.transformerXl.base', 'bad-argument');
    expectRefusal('ropeTable', { out: { cosine: 1 } }, 'out.cosine', 'bad-argument');
  });

  test('rotary widths, types and tables', () => {
    expectRefusal('rope', { params: { headDim: 4, rotaryDim: 3 } }, 'params.rotaryDim', 'bad-argument');
    expectRefusal('rope', { params: { headDim: 8 } }, 'headDim', 'bad-argument');
    expectRefusal('rope', { params: undefined }, 'params', 'bad-argument');
    expectRefusal('rope', { params: { headDim: 4, type: 'su' } }, 'params.type', 'bad-argument');
    expectRefusal('rope', { params: { headDim: 4, base: 0 } }, 'params.base', 'bad-argument');
    for (const attentionFactor of [0, -1, 1e300, 1e39, 1e-300, 1e-39]) {
      for (const name of ['rope', 'ropeTable', 'xpos', 'verifyRelative'] as const) {
        expectRefusal(name, { params: { headDim: 4, attentionFactor } }, 'params.attentionFactor', 'bad-argument');
      }
    }
    for (const name of ['rope', 'ropeTable', 'xpos', 'rope2d', 'verifyRelative'] as const) {
      expectRefusal(name, { params: { headDim: 4, mropeSection: [1, 1, 1] } }, 'params.mropeSection', 'bad-argument');
      expect(() =>
        encodings[name]({ ...validCalls[name](), params: { headDim: 4, mropeSection: [1, 1, 0] } }),
      ).not.toThrow();
    }
    // A scale of xPos that is a float, but not times the attention factor.
    const far = { params: { headDim: 4, attentionFactor: 1e30 }, scaleBase: 1 };
    expectRefusal('xpos', { ...far, start: 50 }, 'start', 'bad-argument');
    expect(() => encodings.xpos({ ...validCalls.xpos(), ...far })).not.toThrow();
    expectRefusal('rope', { inverse: 1 }, 'inverse', 'bad-argument');
    const table = { cos: new Float32Array(8), sin: new Float32Array(8), rows: 4 };
    expectRefusal('rope', { table: { ...table, sin: new Float32Array(7) } }, 'table.sin', 'wrong-length');
    expectRefusal('rope', { table: { ...table, rows: 0 } }, 'table.rows', 'bad-argument');
    expectRefusal('rope', { table: 5 }, 'table', 'bad-argument');
    expectRefusal('rope', { table, positions: [0, 1, 4] }, 'positions', 'bad-argument');
    expectRefusal('rope', { table, positions: [0, 1, -1] }, 'positions', 'bad-argument');
    expectRefusal('rope', { table, start: 2 }, 'start', 'bad-argument');
    const short = { cos: new Float32Array(4), sin: new Float32Array(4), rows: 2 };
    expectRefusal('rope', { table: short }, 'length', 'bad-argument');
  });

  test('positions outside a learned table, and one-hot ones outside its columns', () => {
    expectRefusal('learned', { positions: [0, 3] }, 'positions', 'bad-argument');
    expectRefusal('learned', { positions: [0, -1] }, 'positions', 'bad-argument');
    expectRefusal('learned', { positions: [0, 2], offset: 1 }, 'positions', 'bad-argument');
    expectRefusal('learned', { offset: 0.5 }, 'offset', 'bad-argument');
    expectRefusal('oneHot', { positions: [0, 3] }, 'positions', 'bad-argument');
    expectRefusal('oneHot', { positions: [0, -1] }, 'positions', 'bad-argument');
  });

  test('a sequence longer than the module, a dropout outside [0, 1), a seed that is no whole number', () => {
    expectRefusal('positionalEncoding', { maxLength: 2 }, 'length', 'bad-argument');
    for (const dropout of [1, -0.1, NaN, '0.1'])
      expectRefusal('positionalEncoding', { dropout }, 'dropout', 'bad-argument');
    for (const seed of [-1, 0.5, 2 ** 53]) expectRefusal('positionalEncoding', { seed }, 'seed', 'bad-argument');
  });

  test('what ALiBi does not take', () => {
    for (const name of ['alibiSlopes', 'alibiBias'] as const) {
      for (const rule of ['paper', 'constructor', 1, null]) expectRefusal(name, { rule }, 'rule', 'bad-argument');
      for (const biasMax of [0, -8, NaN, Infinity, '8', null]) {
        expectRefusal(name, { biasMax }, 'biasMax', 'bad-argument');
      }
    }
    for (const symmetric of [1, 'yes', null]) expectRefusal('alibiBias', { symmetric }, 'symmetric', 'bad-argument');
    for (const start of [0.5, NaN, '0', null, 2 ** 31 + 1, -(2 ** 31) - 1]) {
      expectRefusal('alibiBias', { queryStart: start }, 'queryStart', 'bad-argument');
      expectRefusal('alibiBias', { keyStart: start }, 'keyStart', 'bad-argument');
    }
    expectRefusal('alibiBias', { keyStart: 2 ** 31 }, 'keyStart', 'bad-argument'); // key 1 is past the last position
    expectRefusal('alibiBias', { positions: [0, 1, 2] }, 'positions', 'wrong-length');
    for (const queryStart of [-1, 2]) {
      expectRefusal('alibiBias', { positions: [0, 1], queryStart }, 'queryStart', 'bad-argument');
      const moved = { positions: [0, 1], queryStart: queryStart + 9, keyStart: 9 };
      expectRefusal('alibiBias', moved, 'queryStart', 'bad-argument');
    }
    const error = expectRefusal('alibiBias', { positions: [0, 1], queryLength: 3 }, 'queryLength', 'bad-argument');
    expect(error.message).toContain('at most keyLength = 2');
  });

  test('what attention does not take as a bias or relative term of an encoding', () => {
    const refuse = (options: object, argument: string, code: 'bad-argument' | 'wrong-length' = 'bad-argument') =>
      expectRefusal('attention', options, argument, code);
    refuse({ bias: { t5: null } }, 'bias.t5');
    refuse({ bias: { t5: { table: new Float32Array(64), bucket: 3 } } }, 'bias.t5.bucket');
    refuse({ bias: { t5: { table: new Float32Array(63) } } }, 'bias.t5.table', 'wrong-length');
    refuse({ bias: { t5: { table: new Float32Array(64), buckets: 1 } } }, 'bias.t5.buckets');
    refuse({ bias: { t5: { table: new Float32Array(64) }, alibi: Float64Array.of(1, 1) } }, 'bias.t5');
    const [one, two] = [new Float32Array(2).fill(1), new Float32Array(2).fill(2.5)];
    refuse({ bias: { kerple: { kind: 'cubic', a: one, p: one } } }, 'bias.kerple.kind');
    refuse({ bias: { kerple: { kind: 'power', a: one, p: two } } }, 'bias.kerple.p');
    refuse({ bias: { fire: { ...validFire(), c: NaN } } }, 'bias.fire.c');
    refuse({ bias: { fire: { ...validFire(), w2: new Float32Array(3) } } }, 'bias.fire.w2', 'wrong-length');
    const alibi = Float64Array.of(1, 1);
    for (const positions of [null, 3, []]) refuse({ bias: { alibi, positions } }, 'bias.positions');
    refuse({ bias: { alibi, positions: [0, 1] } }, 'bias.positions', 'wrong-length');
    refuse({ bias: { alibi, positions: [0, 1, 2, 3, 0.5] } }, 'bias.positions');
    refuse({ bias: { alibi, positions: [0, 1, 2, 3, 4] }, queryStart: 3 }, 'queryStart');
    refuse({ bias: { alibi: Float64Array.of(1, 1e38), positions: [0, 0, 0, 0, 9] } }, 'bias.alibi');

    for (const relative of [null, 1, []]) refuse({ relative }, 'relative');
    refuse({ relative: {} }, 'relative');
    refuse({ relative: { shawn: {} } }, 'relative.shawn');
    refuse(
      { relative: { shaw: { keyTable: new Float32Array(19), clip: 2 } } },
      'relative.shaw.keyTable',
      'wrong-length',
    );
    refuse({ relative: { shaw: { keyTable: new Float32Array(20), clip: -1 } } }, 'relative.shaw.clip');
    const vectors = { u: new Float32Array(8), v: new Float32Array(8), relativeKeys: new Float32Array(64) };
    const xl = (options: object) => ({ relative: { transformerXl: { ...vectors, ...options } } });
    refuse(xl({ u: new Float32Array(7) }), 'relative.transformerXl.u', 'wrong-length');
    refuse(xl({ dim: 3 }), 'relative.transformerXl.dim');
    refuse(xl({ relativeKeys: undefined }), 'relative.transformerXl.relative');
    refuse(xl({ segmentBias: new Float32Array(8) }), 'relative.transformerXl.segmentTable');
    const segments = { segmentBias: new Float32Array(8), segmentTable: new Float32Array(16), querySegments: [0, 0, 1] };
    refuse(xl({ ...segments, keySegments: [0, 0, 1, 1] }), 'relative.transformerXl.keySegments', 'wrong-length');
    refuse(xl({ ...segments, keySegments: [0, 0, 1, 1, -1] }), 'relative.transformerXl.keySegments');
    const table = new Float32Array(32);
    const deberta = (options: object) => ({ relative: { deberta: { span: 2, relativeKey: table, ...options } } });
    refuse(deberta({ span: 0 }), 'relative.deberta.span');
    refuse(deberta({ span: 3 }), 'relative.deberta.relativeKey', 'wrong-length');
    refuse(deberta({ clamp: true }), 'relative.deberta.clamp');
    refuse(deberta({ bucketSize: 1, maxPosition: 9 }), 'relative.deberta.bucketSize');

    const out = typed.buffer(24);
    refuse({ out, relative: { deberta: { span: 2, relativeKey: out } } }, 'out');
    out.dispose();
  });

  test('what T5 does not take', () => {
    for (const name of ['t5Buckets', 't5Bias'] as const) {
      for (const bidirectional of [0, 'no', null]) {
        expectRefusal(name, { bidirectional }, 'bidirectional', 'bad-argument');
      }
      for (const buckets of [0, -1, 3, 32.5, 65_537, NaN, '32', null]) {
        expectRefusal(name, { buckets }, 'buckets', 'bad-argument');
      }
      expectRefusal(name, { bidirectional: false, buckets: 1 }, 'buckets', 'bad-argument');
      for (const maxDistance of [0, 8, 128.5, 2 ** 31, NaN, '128', null]) {
        expectRefusal(name, { maxDistance }, 'maxDistance', 'bad-argument');
      }
      expectRefusal(name, { bidirectional: false, maxDistance: 16 }, 'maxDistance', 'bad-argument');
    }
    expectRefusal('t5Bias', { buckets: 16 }, 'table', 'wrong-length');
    for (const queryStart of [0.5, NaN, '0', null, 2 ** 31 + 1]) {
      expectRefusal('t5Bias', { queryStart }, 'queryStart', 'bad-argument');
    }
  });

  test('what KERPLE does not take', () => {
    for (const kind of ['exp', 'toString', 0, null, undefined]) {
      expectRefusal('kerpleBias', { kind }, 'kind', 'bad-argument');
    }
    for (const name of ['a', 'p'] as const) {
      for (const value of [0, -1, NaN, Infinity]) {
        const error = expectRefusal('kerpleBias', { [name]: Float32Array.of(1, value, 1) }, name, 'bad-argument');
        expect(error.message).toContain('index 1');
        const buffer = typed.buffer(3);
        buffer.set([1, value, 1]);
        expectRefusal('kerpleBias', { [name]: buffer }, name, 'bad-argument');
        buffer.dispose();
      }
    }
    expectRefusal('kerpleBias', { kind: 'power', p: Float32Array.of(1, 1, 2.5) }, 'p', 'bad-argument');
  });

  test('what FIRE does not take', () => {
    for (const w1 of [new Float32Array(0), strings, [1, 2, 3, 4], new Float64Array(4), null, undefined, {}]) {
      expectRefusal('fireBias', { w1 }, 'w1', 'bad-argument');
    }
    expectRefusal('fireBias', { w1: detached(new Float32Array(4)) }, 'w1', 'bad-argument');
    expectRefusal('fireBias', { w1: new Float32Array(5) }, 'b1', 'wrong-length');
    for (const [name, length] of [
      ['w1', 4],
      ['b1', 4],
      ['w2', 8],
      ['b2', 2],
    ] as const) {
      for (const value of [NaN, Infinity]) {
        const spoilt = new Float32Array(length);
        spoilt[1] = value;
        const error = expectRefusal('fireBias', { [name]: spoilt }, name, 'bad-argument');
        expect(error.message).toContain('index 1');
      }
    }
    for (const value of [NaN, Infinity, 1e101, '1', null]) {
      for (const name of ['c', 'threshold', 'epsilon']) {
        expectRefusal('fireBias', { [name]: value }, name, 'bad-argument');
      }
    }
    for (const name of ['c', 'threshold']) expectRefusal('fireBias', { [name]: undefined }, name, 'bad-argument');
    for (const epsilon of [0, -1e-6, 1e-31]) expectRefusal('fireBias', { epsilon }, 'epsilon', 'bad-argument');
  });

  test('what attention does not take', () => {
    expectRefusal('attention', { heads: 3, kvHeads: 2 }, 'kvHeads', 'bad-argument');
    expectRefusal('attention', { causal: 'yes' }, 'causal', 'bad-argument');
    for (const window of [0, -1, 1.5, '3', { left: 1 }, { left: -1, right: 0 }, { left: 1, rigth: 2 }, null]) {
      const argument =
        typeof window === 'object' && window !== null
          ? 'rigth' in window
            ? 'window.rigth'
            : /window\.(left|right)/
          : 'window';
      expect(() => encodings.attention({ ...validCalls.attention(), window })).toThrowError(
        expect.objectContaining({
          name: 'PosencError',
          argument: typeof argument === 'string' ? argument : (expect.stringMatching(argument) as string),
        }),
      );
    }
    for (const scale of [NaN, Infinity, '1', 1e39, -1e39, 1e-40]) {
      expect(expectRefusal('attention', { scale }, 'scale', 'bad-argument').message).toMatch(/2\^-126 to 3\.4e38/);
    }
    for (const softcap of [0, -1, NaN, Infinity, 1e300, 1e-300]) {
      expect(expectRefusal('attention', { softcap }, 'softcap', 'bad-argument').message).toMatch(/2\^-126 to 3\.4e38/);
    }
    for (const scale of [0, -1, 2 ** -126, 1e38]) {
      expect(() => encodings.attention({ ...validCalls.attention(), scale })).not.toThrow();
    }
    expectRefusal('attention', { bias: new Float32Array(15) }, 'bias', 'wrong-length');
    for (const bias of [strings, {}, null]) {
      expect(expectRefusal('attention', { bias }, 'bias', 'bad-argument').message).toMatch(
        /PosencBuffer or one of { alibi }/,
      );
    }
    expectRefusal('attention', { bias: { alibi: [0.5, 0.25] } }, 'bias.alibi', 'bad-argument');
    expectRefusal('attention', { bias: { alibi: Float64Array.of(0.5) } }, 'bias.alibi', 'wrong-length');
    expectRefusal('attention', { bias: { alibi: Float64Array.of(0.5, NaN) } }, 'bias.alibi', 'bad-argument');
    for (const slope of [Infinity, 1e300, -1e39]) {
      const alibi = Float64Array.of(0.5, slope);
      expectRefusal('attention', { bias: { alibi } }, 'bias.alibi', 'bad-argument');
    }
    // Finite as a float, but not at a distance of 4.
    expectRefusal('attention', { bias: { alibi: Float64Array.of(0.5, 1e38) } }, 'bias.alibi', 'bad-argument');
    const steep = encodings.attention({ ...validCalls.attention(), bias: { alibi: Float64Array.of(0.5, 8e37) } });
    expect((steep as Float32Array).every(Number.isFinite)).toBe(true);
    expectRefusal('attention', { mask: new Uint8Array(14) }, 'mask', 'wrong-length');
    expectRefusal('attention', { mask: new Float32Array(14) }, 'mask', 'wrong-length');
    for (const mask of [new Int8Array(15), [1, 0]]) {
      expect(expectRefusal('attention', { mask }, 'mask', 'bad-argument').message).toMatch(/Uint8Array.*Float32Array/);
    }
    expectRefusal('attention', { keyValid: new Uint8Array(4) }, 'keyValid', 'wrong-length');
    expectRefusal('attention', { keyValid: [1, 1, 1, 1, 1] }, 'keyValid', 'bad-argument');
    expectRefusal('attention', { keyValid: detached(new Uint8Array(5)) }, 'keyValid', 'bad-argument');
    const bytes = new Uint8Array(15);
    const shapes = [[], [6], [0], [1, 5.5], [2, 5], [3, 3, 5], [2, 2, 3, 5], [1, 1, 1, 3, 5], '3, 5', null, ['5']];
    for (const maskShape of shapes) {
      const { message } = expectRefusal('attention', { mask: bytes, maskShape }, 'maskShape', 'bad-argument');
      expect(message).toMatch(/\[batch, heads, queryLength, keyLength\] = \[1, 2, 3, 5\]/);
    }
    expectRefusal('attention', { mask: bytes, maskShape: [3, 4] }, 'mask', 'wrong-length');
    expectRefusal('attention', { mask: new Float32Array(15), maskShape: [1, 5] }, 'mask', 'wrong-length');
    expectRefusal('attention', { maskShape: [3, 5] }, 'maskShape', 'bad-argument');
    expectRefusal('attention', { keyLengths: [5, 5] }, 'keyLengths', 'wrong-length');
    for (const keyLengths of [[6], [-1], [2.5], ['5'], [NaN], 5, null]) {
      expectRefusal('attention', { keyLengths }, 'keyLengths', 'bad-argument');
    }
    for (const keyStart of [0.5, NaN, '0', 2 ** 31 + 1, -(2 ** 31) - 1, 2 ** 31 - 3]) {
      expectRefusal('attention', { keyStart }, 'keyStart', 'bad-argument');
    }
    expectRefusal('attention', { sinks: new Float32Array(3) }, 'sinks', 'wrong-length');
    expectRefusal('attention', { queryStart: 0.5 }, 'queryStart', 'bad-argument');
    const rope = { headDim: 4 };
    expectRefusal('attention', { positions: [0, 1, 2, 3, 4] }, 'positions', 'bad-argument');
    expectRefusal('attention', { rope, positions: [0, 1, 2, 3] }, 'positions', 'wrong-length');
    expectRefusal('attention', { rope, positions: [0, 1, 2, 3, 0.5] }, 'positions', 'bad-argument');
    for (const none of [null, NaN, 0, '']) {
      expectRefusal('attention', { rope, positions: none }, 'positions', 'bad-argument');
    }
    const positions = [0, 1, 2, 3, 4];
    expectRefusal('attention', { rope, positions, queryStart: 3 }, 'queryStart', 'bad-argument');
    expectRefusal('attention', { rope, positions, queryStart: 2, keyStart: 3 }, 'queryStart', 'bad-argument');
    expectRefusal('attention', { rope, positions, keyLengths: [2] }, 'keyLengths', 'bad-argument');
    const many = { rope, queryLength: 7, query: new Float32Array(56) };
    expectRefusal('attention', { ...many, positions: [0, 1, 2, 3, 4] }, 'queryLength', 'bad-argument');
    expect(expectRefusal('attention', { rope: { headDim: 6 } }, 'headDim', 'bad-argument').message).toMatch(/in rope/);
    for (const value of [null, 5, 'half', []]) {
      expectRefusal('attention', { rope: value }, 'rope', 'bad-argument');
    }
  });

  test('what Shaw does not take', () => {
    for (const clip of [undefined, -1, 1.5, NaN, 2 ** 30, '2', null]) {
      expectRefusal('shawAttention', { clip }, 'clip', 'bad-argument');
    }
    expectRefusal('shawAttention', { clip: 3 }, 'keyTable', 'wrong-length');
    expectRefusal('shawAttention', { heads: 3, kvHeads: 2 }, 'kvHeads', 'bad-argument');
    for (const causal of [1, 'yes', null]) expectRefusal('shawAttention', { causal }, 'causal', 'bad-argument');
    for (const queryStart of [0.5, NaN, '0', null, 2 ** 31 + 1]) {
      expectRefusal('shawAttention', { queryStart }, 'queryStart', 'bad-argument');
    }
    expectRefusal('shawAttention', { returns: 'logits' }, 'returns', 'bad-argument');
    expectRefusal('shawAttention', { format: 'sbhd' }, 'format', 'bad-argument');
  });

  test('Transformer-XL has no relative keys for what lies past the end of a shorter sequence', () => {
    const [zero, one] = [new Float32Array(1), Float32Array.of(1, 1)];
    const call = {
      ...{ batch: 2, heads: 1, queryLength: 1, keyLength: 4, headDim: 1, query: one, key: new Float32Array(8) },
      ...{ value: new Float32Array(8), keyLengths: [4, 2] },
      relative: { transformerXl: { u: zero, v: zero, relative: Float32Array.of(1, 0), dim: 2 } },
    };
    for (const returns of ['scaled', 'capped']) {
      expect(() => encodings.attention({ ...call, returns })).toThrowError(
        expect.objectContaining({ name: 'PosencError', code: 'bad-argument', argument: 'returns' }),
      );
    }
    for (const returns of ['output', 'weights', 'scores']) encodings.attention({ ...call, returns });
  });

  test('what Transformer-XL does not take', () => {
    for (const memoryLength of [-1, 0.5, NaN, '2', null, 2 ** 31 + 1]) {
      expectRefusal('transformerXlScores', { memoryLength }, 'memoryLength', 'bad-argument');
    }
    expectRefusal('transformerXlScores', { keyLength: 2, key: new Float32Array(16) }, 'memoryLength', 'bad-argument');
    for (const clampLength of [0, -2, 1.5, NaN, Infinity, '2', null]) {
      expectRefusal('transformerXlScores', { clampLength }, 'clampLength', 'bad-argument');
    }
    for (const causal of [1, 'yes', null]) expectRefusal('transformerXlScores', { causal }, 'causal', 'bad-argument');
    for (const base of [0, 1, NaN, '2']) expectRefusal('transformerXlScores', { base }, 'base', 'bad-argument');
    expectRefusal('transformerXlScores', { dim: 5 }, 'relative', 'wrong-length');
    expectRefusal('transformerXlScores', { relative: undefined }, 'relative', 'bad-argument');
    const relativeKeys = new Float32Array(64);
    expectRefusal('transformerXlScores', { relativeKeys }, 'relative', 'bad-argument');
    expectRefusal('transformerXlScores', { relative: undefined, relativeKeys }, 'dim', 'bad-argument');
    const ready = { relative: undefined, dim: undefined };
    expectRefusal('transformerXlScores', { ...ready, relativeKeys, clampLength: 2 }, 'clampLength', 'bad-argument');
    expectRefusal(
      'transformerXlScores',
      { ...ready, relativeKeys: new Float32Array(63) },
      'relativeKeys',
      'wrong-length',
    );
  });

  test('what DeBERTa does not take', () => {
    const buckets = { bucketSize: 8, maxPosition: 20 };
    for (const name of ['debertaBuckets', 'debertaScores'] as const) {
      for (const bucketSize of [0, 1, 1.5, 65_537, NaN, '8', null]) {
        expectRefusal(name, { ...buckets, bucketSize }, 'bucketSize', 'bad-argument');
      }
      for (const maxPosition of [undefined, 0, 5, 20.5, 2 ** 31, NaN, '20', null]) {
        expectRefusal(name, { ...buckets, maxPosition }, 'maxPosition', 'bad-argument');
      }
      expectRefusal(name, { bucketSize: 8, maxPosition: 7, clamp: false }, 'maxPosition', 'bad-argument');
      for (const clamp of [0, 'no', null]) expectRefusal(name, { ...buckets, clamp }, 'clamp', 'bad-argument');
    }
    expectRefusal('debertaBuckets', { bucketSize: -1 }, 'bucketSize', 'bad-argument');
    expectRefusal('debertaScores', { maxPosition: 20 }, 'maxPosition', 'bad-argument');
    expectRefusal('debertaScores', { clamp: true }, 'clamp', 'bad-argument');
    expectRefusal('debertaScores', { span: 3 }, 'relativeKey', 'wrong-length');
  });

  test('ranges of distances', () => {
    expectRefusal('kernelEnvelope', { edges: [0] }, 'edges', 'bad-argument');
    expectRefusal('kernelEnvelope', { edges: [0, 10, 10] }, 'edges', 'bad-argument');
    expectRefusal('kernelEnvelope', { edges: [-1, 10] }, 'edges', 'bad-argument');
    expectRefusal('findAliases', { from: -1 }, 'from', 'bad-argument');
    expectRefusal('findAliases', { from: 101 }, 'from', 'bad-argument');
    expectRefusal('findAliases', { to: 2 ** 53 }, 'to', 'bad-argument');
    expectRefusal('findAliases', { to: 1.5 }, 'to', 'bad-argument');
    expectRefusal('findAliases', { above: NaN }, 'above', 'bad-argument');
    expectRefusal('verifyRelative', { distance: 0.5 }, 'distance', 'bad-argument');
    expectRefusal('verifyRelative', { shifts: [2 ** 31] }, 'shifts', 'bad-argument');
  });

  test('projections that do not fit', () => {
    expectRefusal('decompose', { wq: new Float32Array(8), wk: new Float32Array(12) }, 'wk', 'bad-argument');
    expectRefusal('decompose', { wq: new Float32Array(8) }, 'wk', 'bad-argument');
    expectRefusal('decompose', { wk: new Float32Array(8) }, 'wk', 'bad-argument');
  });

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
