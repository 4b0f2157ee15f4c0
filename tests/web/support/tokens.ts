import { randomFloats } from './oracle.ts';

/** Sizes of a small cache. */
export const sizes = { heads: 4, kvHeads: 2, headDim: 6, valueDim: 3 };

/** Tokens `[batch, length, heads, width]` of random numbers, and a part of them in either format. */
export function tensor(batch: number, length: number, heads: number, width: number, seed: number) {
  const values = randomFloats(batch * length * heads * width, seed);
  const part = (first: number, count: number, format: 'bshd' | 'bhsd' = 'bshd'): Float32Array => {
    const out = new Float32Array(batch * count * heads * width);
    for (let b = 0; b < batch; ++b) {
      for (let t = 0; t < count; ++t) {
        for (let h = 0; h < heads; ++h) {
          const row = format === 'bshd' ? (b * count + t) * heads + h : (b * heads + h) * count + t;
          const from = ((b * length + first + t) * heads + h) * width;
          out.set(values.subarray(from, from + width), row * width);
        }
      }
    }
    return out;
  };
  /** One sequence as the oracle takes it: `[heads, length, width]`. */
  const sequence = (b: number): Float32Array => {
    const size = heads * length * width;
    return part(0, length, 'bhsd').subarray(b * size, (b + 1) * size);
  };
  return { values, part, sequence };
}

/** Query, key and value of `length` tokens. */
export function tokens(length: number, batch = 1, seed = 1) {
  const { heads, kvHeads, headDim, valueDim } = sizes;
  return {
    query: tensor(batch, length, heads, headDim, seed),
    key: tensor(batch, length, kvHeads, headDim, seed + 1),
    value: tensor(batch, length, kvHeads, valueDim, seed + 2),
  };
}
