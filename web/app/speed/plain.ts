// The same numbers in plain JavaScript, as one writes it by hand: typed arrays, float64 angles, loops in the order of memory.

export interface HeadShape {
  readonly length: number;
  readonly heads: number;
  readonly headDim: number;
}

/** [length, dim], sine and cosine side by side. */
export function plainSinusoidal(frequencies: Float64Array, length: number): Float32Array {
  const pairs = frequencies.length;
  const out = new Float32Array(length * pairs * 2);
  for (let m = 0, at = 0; m < length; m++) {
    for (let i = 0; i < pairs; i++, at += 2) {
      const angle = m * frequencies[i]!;
      out[at] = Math.sin(angle);
      out[at + 1] = Math.cos(angle);
    }
  }
  return out;
}

/** Rotates [length, heads, headDim] in halves by the angles position × frequency. */
export function plainRope(x: Float32Array, frequencies: Float64Array, shape: HeadShape): Float32Array {
  const { length, heads, headDim } = shape;
  const pairs = headDim / 2;
  const out = new Float32Array(x.length);
  for (let m = 0; m < length; m++) {
    for (let i = 0; i < pairs; i++) {
      const cos = Math.cos(m * frequencies[i]!);
      const sin = Math.sin(m * frequencies[i]!);
      for (let head = 0; head < heads; head++) {
        const at = (m * heads + head) * headDim + i;
        const a = x[at]!;
        const b = x[at + pairs]!;
        out[at] = a * cos - b * sin;
        out[at + pairs] = a * sin + b * cos;
      }
    }
  }
  return out;
}

/** Causal attention over [length, heads, headDim]. */
export function plainAttention(q: Float32Array, k: Float32Array, v: Float32Array, shape: HeadShape): Float32Array {
  const { length, heads, headDim } = shape;
  const out = new Float32Array(q.length);
  const weights = new Float64Array(length);
  for (let head = 0; head < heads; head++) {
    for (let m = 0; m < length; m++) {
      const query = (m * heads + head) * headDim;
      let greatest = -Infinity;
      for (let n = 0; n <= m; n++) {
        const key = (n * heads + head) * headDim;
        let dot = 0;
        for (let c = 0; c < headDim; c++) dot += q[query + c]! * k[key + c]!;
        weights[n] = dot / Math.sqrt(headDim);
        greatest = Math.max(greatest, weights[n]!);
      }
      let sum = 0;
      for (let n = 0; n <= m; n++) sum += weights[n] = Math.exp(weights[n]! - greatest);
      for (let n = 0; n <= m; n++) {
        const value = (n * heads + head) * headDim;
        const weight = weights[n]! / sum;
        for (let c = 0; c < headDim; c++) out[query + c]! += weight * v[value + c]!;
      }
    }
  }
  return out;
}
