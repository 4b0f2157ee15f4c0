import { expect, test } from 'vitest';
import { expectAttention, expectNear, expectUlp } from '../../support/compare.ts';
import { floats, numbers, type Stored } from '../../support/data.ts';
import { openFixture } from '../../support/fixture.ts';
import { attend, randomFloats } from '../../support/oracle.ts';
import { describeVariants } from '../../support/variants.ts';

interface KerpleCase {
  kind: 'log' | 'power';
  a: Stored;
  p: Stored;
  lq: number;
  lk: number;
  q_offset: number;
  bias: Stored;
}
const cases = openFixture<KerpleCase>('kerple');

const formulas = {
  log: (a: number, p: number, distance: number) => -p * Math.log1p(a * distance),
  power: (a: number, p: number, distance: number) => -a * distance ** p,
};

await describeVariants('kerpleBias', (encodings) => {
  test.each(cases.all)('gives the fixture of kind $kind', ({ kind, a, p, lq, lk, q_offset, bias }) => {
    const heads = numbers(a).length;
    const sizes = { heads, queryLength: lq, keyLength: lk, queryStart: q_offset };
    const got = encodings.kerpleBias({ kind, a: floats(a), p: floats(p), ...sizes });
    expectNear(got, numbers(bias), { absolute: 2e-6 });
  });

  test.each(['log', 'power'] as const)('is within 0.51 ulp of the formula of kind %s', (kind) => {
    const a = Float32Array.of(0.01, 0.7, 25, 3);
    const p = Float32Array.of(0.3, 1, 2, 1e-3);
    const [queryLength, keyLength, queryStart] = [3, 70, 1_000_000];
    const got = encodings.kerpleBias({ kind, a, p, heads: 4, queryLength, keyLength, queryStart });
    const expected = Array.from(got, (_, n) => {
      const head = Math.floor(n / (queryLength * keyLength));
      const distance = queryStart + (Math.floor(n / keyLength) % queryLength) - (n % keyLength);
      return formulas[kind](a[head] as number, p[head] as number, distance);
    });
    expectUlp(got, expected);
  });

  test('looks the same to both sides and depends on the distance only', () => {
    const call = { kind: 'log', a: Float32Array.of(0.5), p: Float32Array.of(1.5), heads: 1 } as const;
    const got = encodings.kerpleBias({ ...call, queryLength: 9, keyLength: 9 });
    for (let i = 0; i < 9; ++i) for (let j = 0; j < 9; ++j) expect(got[i * 9 + j]).toBe(got[j * 9 + i]);
    expect(encodings.kerpleBias({ ...call, queryLength: 1, keyLength: 9, queryStart: 4 })).toEqual(got.slice(36, 45));
  });

  test('is a bias of attention', () => {
    const sizes = { heads: 2, kvHeads: 1, queryLength: 4, keyLength: 6, headDim: 3, valueDim: 3 };
    const problem = {
      ...sizes,
      query: randomFloats(24, 1),
      key: randomFloats(18, 2),
      value: randomFloats(18, 3),
      scale: 0.5,
    };
    const [a, p] = [Float32Array.of(0.75, 0.5), Float32Array.of(1.25, 0.25)];
    const bias = (h: number, i: number, j: number) =>
      formulas.power(a[h] as number, p[h] as number, Math.abs(i + 2 - j));
    const table = encodings.kerpleBias({ kind: 'power', a, p, heads: 2, queryLength: 4, keyLength: 6 });
    const got = encodings.attention({ ...problem, format: 'bhsd', bias: table });
    expectAttention(got, attend({ ...problem, bias }).output);
  });

  test('takes its numbers from buffers and goes into another', () => {
    const [a, p, out] = [encodings.buffer(2), encodings.buffer(2), encodings.buffer(12)];
    a.set([1, 2]);
    p.set([0.5, 1]);
    const call = { kind: 'log', heads: 2, queryLength: 2, keyLength: 3 } as const;
    expect(encodings.kerpleBias({ ...call, a, p, out })).toBe(out);
    const values = out.view().slice();
    for (const held of [a, p, out]) held.dispose();
    expect(values).toEqual(encodings.kerpleBias({ ...call, a: Float32Array.of(1, 2), p: Float32Array.of(0.5, 1) }));
  });
});
