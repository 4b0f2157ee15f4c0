import { inspect } from 'node:util';
import { PosencError, type Encodings } from 'posenc';
import { expect } from 'vitest';

/** Functions by name, with arguments of any type: what JavaScript can pass. */
type Anything = Record<keyof Encodings, (options: unknown) => unknown>;

/** A valid call of every function; tests spoil one option at a time. */
export const validCalls = {
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
export type Name = keyof typeof validCalls;
export const names = Object.keys(validCalls) as Name[];

/** A network for two heads. */
export const validFire = () => ({
  ...{ w1: new Float32Array(3), b1: new Float32Array(3), w2: new Float32Array(6), b2: new Float32Array(2) },
  ...{ c: 0.1, threshold: 512 },
});

/** What looks like numbers. */
export const strings = ['1', '2', '3'];

/** A typed array whose memory was transferred away. */
export function detached(array: ArrayBufferView<ArrayBuffer>): unknown {
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}

/** The functions as JavaScript can call them, and a call that one of them has to refuse. */
export function hostile(typed: Encodings) {
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
  return { encodings, expectRefusal };
}
