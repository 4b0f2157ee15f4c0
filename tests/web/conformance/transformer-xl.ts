import { expect } from 'vitest';
import { expectNear } from '../support/compare.ts';
import { floats, numbers, shape, type Stored } from '../support/data.ts';
import { expectOutput, within, type Run, type Suites } from './case.ts';

/** One sequence of a tensor `[tokens, batch, heads, width]`. */
function sequence(stored: Stored, b: number): Float32Array {
  const [tokens, batch, heads, width] = shape(stored) as [number, number, number, number];
  const size = heads * width;
  const values = floats(stored);
  return Float32Array.from({ length: tokens * size }, (_, n) => {
    return values[(Math.floor(n / size) * batch + b) * size + (n % size)] as number;
  });
}

const sinusoid: Run<Readonly<Record<string, unknown>>> = (encodings, entry) => {
  const positions = numbers(entry.inputs.pos_seq);
  const [length, dim] = shape(entry.outputs.pos_emb) as [number, number];
  const table = encodings.sinusoidal({ length, dim, positions, order: 'concat' });
  expectOutput(table, entry, entry.outputs.pos_emb);
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
};

const attention: Run<{ causal?: boolean; attn_type?: 'bi' | 'uni' }> = (encodings, entry) => {
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
};

const relShift: Run<Readonly<Record<string, unknown>>> = (encodings, entry) => {
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
    const [j, i, h] = [n % keyLength, Math.floor(n / keyLength) % queryLength, Math.floor(n / keyLength / queryLength)];
    // Past the last row the shift wraps into the row of the next query, which models mask.
    if (queryLength - i + j - first >= rows) return;
    expect(Math.abs(score * Math.sqrt(rows) - (expected[at(h, i, j, keyLength)] as number))).toBeLessThan(1e-6);
  });
};

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

export const transformerXl: Suites = {
  transformer_xl: { XLNetStyleSinusoid: sinusoid, TransformerXLRelAttn: attention, RelShift: relShift },
  hf_attention_bias: { XLNetRelAttnCore: attention, RelShift: relShift },
};
