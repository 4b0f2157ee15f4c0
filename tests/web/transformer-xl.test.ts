import { expect, test } from 'vitest';
import { expectAttention, expectNear } from './support/compare.ts';
import { floats, numbers, readCases, readFixture, shape, type Stored } from './support/data.ts';
import { randomFloats } from './support/oracle.ts';
import { describeVariants } from './support/variants.ts';

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
const cases = readFixture<ScoresCase>('transformer_xl');

interface ForeignCase {
  name: string;
  op: string;
  params: Record<string, unknown>;
  inputs: Record<string, Stored>;
  outputs: Record<string, Stored>;
  tolerance: { rtol: number; atol: number };
}
const original = readCases<ForeignCase>('../../conformance/transformer_xl.json');
const xlnet = readCases<ForeignCase>('../../conformance/hf_attention_bias.json').filter(({ name }) =>
  name.startsWith('xlnet/'),
);
const ofOp = (op: string) => [...original, ...xlnet].filter((entry) => entry.op === op);
const within = ({ tolerance }: ForeignCase) => ({ absolute: tolerance.atol, relative: tolerance.rtol });

test('holds every case of Transformer-XL and XLNet', () => {
  const ops = ['XLNetStyleSinusoid', 'TransformerXLRelAttn', 'XLNetRelAttnCore', 'RelShift'];
  expect(ops.map((op) => ofOp(op).length)).toEqual([1, 2, 3, 2]);
  expect(original.length + xlnet.length).toBe(8);
});

const callOf = (entry: ScoresCase) => {
  const [heads, queryLength, headDim] = shape(entry.q) as [number, number, number];
  return {
    ...{ query: floats(entry.q), key: floats(entry.k), u: floats(entry.u), v: floats(entry.v) },
    ...{ relative: floats(entry.w_r), dim: shape(entry.w_r)[0] as number, clampLength: entry.clamp_len },
    ...{ heads, queryLength, keyLength: shape(entry.k)[1] as number, headDim },
    ...{ memoryLength: entry.mem_len, causal: entry.causal, format: 'bhsd' as const },
  };
};

/** One sequence of a tensor `[tokens, batch, heads, width]`. */
function sequence(stored: Stored, b: number): Float32Array {
  const [tokens, batch, heads, width] = shape(stored) as [number, number, number, number];
  const size = heads * width;
  const values = floats(stored);
  return Float32Array.from({ length: tokens * size }, (_, n) => {
    return values[(Math.floor(n / size) * batch + b) * size + (n % size)] as number;
  });
}

await describeVariants('transformerXlScores', (encodings) => {
  test.each(cases)('gives the fixture of memory $mem_len, clamp $clamp_len', (entry) => {
    const allowed = numbers(entry.allow);
    const expected = numbers(entry.scores).map((s, n) => (allowed[n % allowed.length] === 0 ? -Infinity : s));
    expectAttention(encodings.transformerXlScores(callOf(entry)), expected);
  });

  test.each(cases)('finds width and memory of the fixture of memory $mem_len by itself', (entry) => {
    const { dim, memoryLength, ...call } = callOf(entry);
    expect(encodings.transformerXlScores(call)).toEqual(
      encodings.transformerXlScores({ ...call, dim, memoryLength, base: 10_000 }),
    );
  });

  test.each(ofOp('XLNetStyleSinusoid'))('has sinusoids of distances as $name', (entry) => {
    const positions = numbers(entry.inputs.pos_seq);
    const [length, dim] = shape(entry.outputs.pos_emb) as [number, number];
    const table = encodings.sinusoidal({ length, dim, positions, order: 'concat' });
    expectNear(table, numbers(entry.outputs.pos_emb), within(entry));
    // A query and a projection that pick column c of the sinusoid of the first distance.
    for (let c = 0; c < dim; ++c) {
      const relative = Float32Array.from({ length: dim }, (_, m) => Number(m === c));
      const zero = Float32Array.of(0);
      const pick = encodings.transformerXlScores({
        ...{ query: zero, u: zero, v: Float32Array.of(1), relative },
        key: new Float32Array(length),
        ...{ heads: 1, headDim: 1, queryLength: 1, keyLength: length },
      });
      const column = positions.map((_, row) => table[row * dim + c] as number);
      const atDistance = (distance: number) => column[positions.indexOf(distance)];
      pick.forEach((value, j) => {
        const expected = atDistance(length - 1 - j);
        if (expected !== undefined) expect(Math.abs(value - expected)).toBeLessThan(2e-6);
      });
    }
  });

  test.each([...ofOp('TransformerXLRelAttn'), ...ofOp('XLNetRelAttnCore')])('agrees with $name', (entry) => {
    const isXlnet = entry.op === 'XLNetRelAttnCore';
    const { inputs, outputs } = entry;
    const take = (name: string) => inputs[isXlnet ? `${name}_head` : name] as Stored;
    const [queryLength, batch, heads, headDim] = shape(take('q')) as [number, number, number, number];
    const keyLength = shape(take('k'))[0] as number;
    const sizes = { heads, queryLength, keyLength, headDim };
    const weights = numbers(outputs.attn_prob);
    const vectors = numbers(outputs.attn_vec);
    for (let b = 0; b < batch; ++b) {
      // Theirs begin at distance keyLength in XLNet, keyLength − 1 in Transformer-XL; rows of masked keys may be absent.
      const given = isXlnet ? sequence(inputs.k_head_r as Stored, b) : floats(inputs.r);
      const relativeKeys = new Float32Array((queryLength + keyLength) * heads * headDim);
      relativeKeys.set(given, isXlnet ? 0 : heads * headDim);
      const query = sequence(take('q'), b);
      const causal = entry.params.causal === true || entry.params.attn_type === 'uni';
      const scores = encodings.transformerXlScores({
        ...sizes,
        query,
        key: sequence(take('k'), b),
        u: floats(inputs.r_w_bias),
        v: floats(inputs.r_r_bias),
        relativeKeys,
        causal,
      });
      if (inputs.attn_mask !== undefined) {
        // [query, key, batch, 1]: the mask of the case is the causal one.
        numbers(inputs.attn_mask).forEach((masked, n) => {
          if (n % batch === b) {
            const row = Math.floor(n / batch / keyLength) * keyLength + (Math.floor(n / batch) % keyLength);
            expect(scores[row] === -Infinity).toBe(masked === 1);
          }
        });
      }
      const bias = scores.map((score, n) => score + segmentTerm(inputs, query, sizes, batch, b, n));
      const attended = {
        ...sizes,
        query: new Float32Array(query.length),
        key: new Float32Array(keyLength * heads * headDim),
        value: sequence(take('v'), b),
        bias,
      };
      const gotWeights = encodings.attention({ ...attended, returns: 'weights' });
      const expected = Float64Array.from(gotWeights, (_, n) => {
        const [j, i, h] = [
          n % keyLength,
          Math.floor(n / keyLength) % queryLength,
          Math.floor(n / keyLength / queryLength),
        ];
        return weights[((i * keyLength + j) * batch + b) * heads + h] as number;
      });
      expectNear(gotWeights, expected, within(entry));
      const size = heads * headDim;
      const expectedVectors = Float64Array.from({ length: queryLength * size }, (_, n) => {
        return vectors[(Math.floor(n / size) * batch + b) * size + (n % size)] as number;
      });
      expectNear(encodings.attention(attended), expectedVectors, within(entry));
    }
  });

  test.each(ofOp('RelShift'))('puts rows and columns where the shift of $name does', (entry) => {
    const isXlnet = entry.name.startsWith('xlnet/');
    const x = numbers(entry.inputs.x);
    const expected = numbers(entry.outputs.out);
    // [1, heads, query, row] of XLNet, [query, row, 1, heads] of Transformer-XL.
    const [axisH, axisI, axisR] = isXlnet ? [1, 2, 3] : [3, 0, 1];
    const heads = shape(entry.inputs.x)[axisH] as number;
    const queryLength = shape(entry.inputs.x)[axisI] as number;
    const rows = shape(entry.inputs.x)[axisR] as number;
    const keyLength = shape(entry.outputs.out)[axisR] as number;
    const at = (h: number, i: number, r: number, width: number) =>
      isXlnet ? (h * queryLength + i) * width + r : (i * width + r) * heads + h;
    // A query holds its row of x, and relative key r is the unit vector r.
    const first = isXlnet ? 0 : 1;
    const relativeKeys = new Float32Array((queryLength + keyLength) * heads * rows);
    for (let r = 0; r < rows && r + first < queryLength + keyLength; ++r) {
      for (let h = 0; h < heads; ++h) relativeKeys[((r + first) * heads + h) * rows + r] = 1;
    }
    const none = new Float32Array(heads * rows);
    const scores = encodings.transformerXlScores({
      query: Float32Array.from({ length: heads * queryLength * rows }, (_, n) => {
        const [r, i, h] = [n % rows, Math.floor(n / rows) % queryLength, Math.floor(n / rows / queryLength)];
        return x[at(h, i, r, rows)] as number;
      }),
      key: new Float32Array(heads * keyLength * rows),
      format: 'bhsd',
      ...{ heads, queryLength, keyLength, headDim: rows, u: none, v: none, relativeKeys },
    });
    scores.forEach((score, n) => {
      const [j, i, h] = [
        n % keyLength,
        Math.floor(n / keyLength) % queryLength,
        Math.floor(n / keyLength / queryLength),
      ];
      // Past the last row the shift wraps into the row of the next query, which models mask.
      if (queryLength - i + j - first >= rows) return;
      expect(Math.abs(score * Math.sqrt(rows) - (expected[at(h, i, j, keyLength)] as number))).toBeLessThan(1e-6);
    });
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
    const call = callOf(cases[1] as ScoresCase);
    const [held, out] = [encodings.buffer(call.relative.length), encodings.buffer(56)];
    held.set(call.relative);
    expect(encodings.transformerXlScores({ ...call, relative: held, out })).toBe(out);
    const values = out.view().slice();
    held.dispose();
    out.dispose();
    expect(values).toEqual(encodings.transformerXlScores(call));
  });
});

/** The segment term of XLNet for score n of one sequence, [heads, query, key]; 0 without segments. */
function segmentTerm(
  inputs: Record<string, Stored>,
  query: Float32Array,
  sizes: { heads: number; queryLength: number; keyLength: number; headDim: number },
  batch: number,
  b: number,
  n: number,
): number {
  if (inputs.seg_mat === undefined) return 0;
  const { heads, queryLength, keyLength, headDim } = sizes;
  const [j, i, h] = [n % keyLength, Math.floor(n / keyLength) % queryLength, Math.floor(n / keyLength / queryLength)];
  const [oneHot, embedding, added] = [inputs.seg_mat, inputs.seg_embed, inputs.r_s_bias].map(numbers) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  let term = 0;
  for (const segment of [0, 1]) {
    if (oneHot[((i * keyLength + j) * batch + b) * 2 + segment] !== 1) continue;
    for (let c = 0; c < headDim; ++c) {
      const q = (query[(i * heads + h) * headDim + c] as number) + (added[h * headDim + c] as number);
      term += (q * (embedding[(segment * heads + h) * headDim + c] as number)) / Math.sqrt(headDim);
    }
  }
  return term;
}
