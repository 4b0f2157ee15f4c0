import { expect, test } from 'vitest';
import { expectAttention } from '../../support/compare.ts';
import { floats, numbers, shape, type Stored } from '../../support/data.ts';
import { openFixture } from '../../support/fixture.ts';
import { attend, randomFloats } from '../../support/oracle.ts';
import { describeVariants } from '../../support/variants.ts';

interface ShawCase {
  clip: number;
  q_offset: number;
  causal: boolean;
  q: Stored;
  k: Stored;
  v: Stored;
  table_k: Stored;
  table_v: Stored;
  scores: Stored;
  out: Stored;
}
const cases = openFixture<ShawCase>('shaw');

const callOf = ({ clip, q_offset, causal, q, k, v, table_k, table_v }: ShawCase) => {
  const [heads, queryLength, headDim] = shape(q) as [number, number, number];
  const keyLength = shape(k)[1] as number;
  return {
    ...{ query: floats(q), key: floats(k), value: floats(v), keyTable: floats(table_k), valueTable: floats(table_v) },
    ...{ heads, queryLength, keyLength, headDim, clip, queryStart: q_offset, causal },
    format: 'bhsd' as const,
  };
};

await describeVariants('shawAttention', (encodings) => {
  test.each(cases.all)('gives the fixture of clip $clip and offset $q_offset', (entry) => {
    const call = callOf(entry);
    expectAttention(encodings.shawAttention(call), numbers(entry.out));
    const scores = encodings.shawAttention({ ...call, returns: 'scores' });
    const expected = numbers(entry.scores).map((score, n) => {
      const [i, j] = [Math.floor(n / call.keyLength) % call.queryLength, n % call.keyLength];
      return entry.causal && j > i + entry.q_offset ? -Infinity : score;
    });
    expectAttention(scores, expected);
  });

  test.each(cases.all)('needs no queryStart where the queries are the last keys, as in clip $clip', (entry) => {
    const { queryStart, ...call } = callOf(entry);
    expect(queryStart).toBe(call.keyLength - call.queryLength);
    expect(encodings.shawAttention(call)).toEqual(encodings.shawAttention({ ...call, queryStart }));
  });

  const sizes = { heads: 4, kvHeads: 2, queryLength: 6, keyLength: 9, headDim: 5, valueDim: 3 };
  const clip = 4;
  const problem = {
    ...sizes,
    query: randomFloats(4 * 6 * 5, 1),
    key: randomFloats(2 * 9 * 5, 2),
    value: randomFloats(2 * 9 * 3, 3),
  };
  const keyTable = randomFloats(9 * 5, 4);
  const valueTable = randomFloats(9 * 3, 5);
  const row = (i: number, j: number) => Math.max(-clip, Math.min(clip, j - i - 3)) + clip;
  const plain = attend({
    ...problem,
    scale: 1 / Math.sqrt(5),
    bias: (h, i, j) => {
      let dot = 0;
      for (let c = 0; c < 5; ++c) {
        dot += (problem.query[(h * 6 + i) * 5 + c] as number) * (keyTable[row(i, j) * 5 + c] as number);
      }
      return dot / Math.sqrt(5);
    },
    allowed: (_, i, j) => j <= i + 3,
  });
  const call = { ...problem, keyTable, clip, causal: true, format: 'bhsd' } as const;

  test('is attention with a bias of the query where values have no table, with grouped heads', () => {
    expectAttention(encodings.shawAttention(call), plain.output);
    expectAttention(encodings.shawAttention({ ...call, returns: 'weights' }), plain.weights);
    expectAttention(encodings.shawAttention({ ...call, returns: 'scores' }), plain.scores);
  });

  test('adds the rows of the table of values by their weights', () => {
    const expected = plain.output.slice();
    plain.weights.forEach((weight, n) => {
      const [j, i, h] = [n % 9, Math.floor(n / 9) % 6, Math.floor(n / 54)];
      for (let c = 0; c < 3; ++c) {
        const at = (h * 6 + i) * 3 + c;
        expected[at] = (expected[at] as number) + weight * (valueTable[row(i, j) * 3 + c] as number);
      }
    });
    expectAttention(encodings.shawAttention({ ...call, valueTable }), expected);
  });

  test('gives zeros where there is no key to attend to', () => {
    const early = encodings.shawAttention({ ...call, valueTable, queryStart: -6 });
    expect(early).toEqual(new Float32Array(early.length));
    const scores = encodings.shawAttention({ ...call, queryStart: -6, returns: 'scores' });
    expect(new Set(scores)).toEqual(new Set([-Infinity]));
  });

  test('takes sequences in a batch, with the heads of a token side by side', () => {
    const turn = (values: Float32Array, heads: number, length: number, width: number) =>
      Float32Array.from(values, (_, n) => {
        const [c, h, t] = [n % width, Math.floor(n / width) % heads, Math.floor(n / (width * heads))];
        return values[(h * length + t) * width + c] as number;
      });
    const twice = (values: Float32Array) => Float32Array.from([...values, ...values]);
    const batched = encodings.shawAttention({
      ...call,
      format: 'bshd',
      batch: 2,
      query: twice(turn(problem.query, 4, 6, 5)),
      key: twice(turn(problem.key, 2, 9, 5)),
      value: twice(turn(problem.value, 2, 9, 3)),
    });
    expect(batched).toEqual(twice(turn(encodings.shawAttention(call), 4, 6, 3)));
  });

  test('takes tables from buffers and goes into another', () => {
    const [held, out] = [encodings.buffer(45), encodings.buffer(72)];
    held.set(keyTable);
    expect(encodings.shawAttention({ ...call, keyTable: held, out })).toBe(out);
    const values = out.view().slice();
    held.dispose();
    out.dispose();
    expect(values).toEqual(encodings.shawAttention(call));
  });
});
