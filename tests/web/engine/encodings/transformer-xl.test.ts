import { expect, test } from 'vitest';
import { expectAttention } from '../../support/compare.ts';
import { floats, numbers, shape, type Stored } from '../../support/data.ts';
import { openFixture } from '../../support/fixture.ts';
import { randomFloats } from '../../support/oracle.ts';
import { describeVariants } from '../../support/variants.ts';

interface ScoresCase {
  mem_len: number;
  causal: boolean;
  clamp_len: number;
  q: Stored;
  k: Stored;
  w_r: Stored;
  u: Stored;
  v: Stored;
  scores: Stored;
  allow: Stored;
}
const cases = openFixture<ScoresCase>('transformer_xl');

const callOf = (entry: ScoresCase) => {
  const [heads, queryLength, headDim] = shape(entry.q) as [number, number, number];
  return {
    ...{ query: floats(entry.q), key: floats(entry.k), u: floats(entry.u), v: floats(entry.v) },
    ...{ relative: floats(entry.w_r), dim: shape(entry.w_r)[0] as number, clampLength: entry.clamp_len },
    ...{ heads, queryLength, keyLength: shape(entry.k)[1] as number, headDim },
    ...{ memoryLength: entry.mem_len, causal: entry.causal, format: 'bhsd' as const },
  };
};

await describeVariants('transformerXlScores', (encodings) => {
  test.each(cases.all)('gives the fixture of memory $mem_len, clamp $clamp_len', (entry) => {
    const allowed = numbers(entry.allow);
    const expected = numbers(entry.scores).map((s, n) => (allowed[n % allowed.length] === 0 ? -Infinity : s));
    expectAttention(encodings.transformerXlScores(callOf(entry)), expected);
  });

  test.each(cases.all)('finds width and memory of the fixture of memory $mem_len by itself', (entry) => {
    const { dim, memoryLength, ...call } = callOf(entry);
    expect(encodings.transformerXlScores(call)).toEqual(
      encodings.transformerXlScores({ ...call, dim, memoryLength, base: 10_000 }),
    );
  });

  test('depends on the distance only where queries and keys are the same everywhere', () => {
    const [query, key, u, v] = [1, 2, 3, 4].map((seed) => randomFloats(6, seed)) as [
      Float32Array,
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    const tokens = (vector: Float32Array, count: number) =>
      Float32Array.from({ length: count * 6 }, (_, n) => vector[n % 6] as number);
    const scores = encodings.transformerXlScores({
      ...{ query: tokens(query, 5), key: tokens(key, 9), u, v, relative: randomFloats(8 * 6, 5) },
      ...{ heads: 1, queryLength: 5, keyLength: 9, headDim: 6 },
    });
    for (let i = 1; i < 5; ++i) {
      for (let j = 1; j < 9; ++j) expect(scores[i * 9 + j]).toBe(scores[(i - 1) * 9 + j - 1]);
    }
  });

  test('takes tensors from buffers and goes into another', () => {
    const call = callOf(cases.all[1] as ScoresCase);
    const [held, out] = [encodings.buffer(call.relative.length), encodings.buffer(56)];
    held.set(call.relative);
    expect(encodings.transformerXlScores({ ...call, relative: held, out })).toBe(out);
    const values = out.view().slice();
    held.dispose();
    out.dispose();
    expect(values).toEqual(encodings.transformerXlScores(call));
  });
});
