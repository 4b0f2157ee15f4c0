import { load, loadPool, type AsyncEncodings, type Encodings, type PosencError } from 'posenc';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNear } from '../../support/compare.ts';
import { randomFloats } from '../../support/oracle.ts';
import { rejection } from '../../support/threads.ts';

// What a pool takes and refuses is what one thread takes and refuses, whether it cuts the call into parts or not.

let here: Encodings;
let pool: AsyncEncodings;
beforeAll(async () => {
  here = await load({ variant: 'simd' });
  pool = await loadPool({ workers: 2, variant: 'simd' });
});
afterAll(() => pool.dispose());

const sizes = { batch: 2, heads: 4, kvHeads: 2, queryLength: 300, keyLength: 320, headDim: 16 };
const inputs = {
  ...sizes,
  query: randomFloats(2 * 300 * 4 * 16, 1),
  key: randomFloats(2 * 320 * 2 * 16, 2),
  value: randomFloats(2 * 320 * 2 * 16, 3),
};
const bits = (floats: Float32Array) => new Uint16Array(floats.buffer).filter((_, i) => i % 2 === 1); // the upper halves
const bias = randomFloats(4 * 300 * 320, 4);
const mask = randomFloats(2 * 4 * 300 * 320, 5);

describe('attention of a pool cuts halves by rows', () => {
  test.each([
    ['queries', { query: { bf16: bits(inputs.query) } }],
    ['queries in the format of PyTorch', { query: { f16: bits(inputs.query).map((x) => x & 0x3fff) }, format: 'bhsd' }],
    ['a bias', { bias: { bf16: bits(bias) } }],
    ['a mask', { mask: { bf16: bits(mask) } }],
    ['all of them', { query: { bf16: bits(inputs.query) }, bias: { bf16: bits(bias) }, mask: { bf16: bits(mask) } }],
  ] as const)('%s', async (_, halves) => {
    const whole = here.attention({ ...inputs, ...halves });
    expectNear(await pool.attention({ ...inputs, ...halves }), whole, { absolute: 1e-6, relative: 1e-6 });
  });
});

/** The error of a call, as one thread gives it. */
function errorOf(call: () => unknown): PosencError {
  try {
    call();
  } catch (error) {
    return error as PosencError;
  }
  return expect.fail('the call succeeded');
}

describe('a pool refuses as one thread does', () => {
  const wrong: readonly [name: keyof AsyncEncodings & keyof Encodings, what: string, options: object][] = [
    ['attention', 'a negative width', { ...inputs, valueDim: -8 }],
    ['attention', 'a width beyond memory', { ...inputs, valueDim: 2 ** 31 - 1 }],
    ['attention', 'more keys than there are', { ...inputs, returns: 'weights', keyLength: 2 ** 31 - 1 }],
    ['attention', 'a mask of another length', { ...inputs, mask: new Uint8Array(300 * 320 - 1) }],
    ['attention', 'a mask of floats of another length', { ...inputs, mask: mask.subarray(1) }],
    ['attention', 'a bias of halves of another length', { ...inputs, bias: { bf16: new Uint16Array(7) } }],
    ['attention', 'a bias of no kind', { ...inputs, bias: {} }],
    ['attention', 'a query of no kind', { ...inputs, query: new Float64Array(inputs.query.length) }],
    ['attention', 'a proxy', { ...inputs, query: new Proxy(inputs.query, {}) }],
    ['attention', 'a place of another length', { ...inputs, out: new Float32Array(3) }],
    ['attention', 'a symbol as size', { ...inputs, queryLength: Symbol('many') }],
    ['attention', 'positions without a rotation', { ...inputs, positions: [1, 2] }],
    ['attention', 'an unknown option', { ...inputs, querylength: 300 }],
    ['similarity', 'a symbol as size', { table: inputs.query, rows: Symbol('many'), dim: 2400 }],
    [
      'rope',
      'positions of a big length',
      { x: inputs.query, params: { headDim: 16 }, length: 600, heads: 4, headDim: 16, positions: { length: 5n } },
    ],
    ['kernelEnvelope', 'a symbol as edge', { invFreq: new Float64Array(32), edges: [Symbol('far'), 1] }],
    ['findAliases', 'a symbol as distance', { invFreq: new Float64Array(32), from: 0, to: Symbol('far'), above: 0.5 }],
  ];
  test.each(wrong)('%s: %s', async (name, _, options) => {
    const call = (of: object): unknown => (of[name as keyof object] as (options: object) => unknown)(options);
    const expected = errorOf(() => call(here));
    const found = await rejection(call(pool) as Promise<unknown>);
    expect(expected.name).toBe('PosencError');
    expect([found.name, found.code, found.argument, found.message]).toEqual([
      'PosencError',
      expected.code,
      expected.argument,
      expected.message,
    ]);
  });

  test('what no memory holds', async () => {
    const length = 2 ** 17;
    const x = new Float32Array(length);
    const call = {
      query: x,
      key: x,
      heads: 1,
      queryLength: length,
      keyLength: length,
      headDim: 1,
      returns: 'weights',
    } as const;
    expect(errorOf(() => here.attention(call)).code).toBe('out-of-memory');
    expect((await rejection(pool.attention(call))).code).toBe('out-of-memory');
  });
});
