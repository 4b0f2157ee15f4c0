// The workloads in plain JavaScript, as fast as we can write them: typed arrays, float64 angles, exact seeds that are
// rotated onward, blocks that stay in the cache, sums in several accumulators.

const SEED_ROWS = 64;

/** Cosines and sines of row × frequency for row after row: exact every SEED_ROWS rows, turned onward in between. */
class Turning {
  constructor(frequencies) {
    this.frequencies = frequencies;
    this.stepCos = frequencies.map(Math.cos);
    this.stepSin = frequencies.map(Math.sin);
    this.cos = new Float64Array(frequencies.length);
    this.sin = new Float64Array(frequencies.length);
  }

  moveTo(row) {
    const { frequencies, stepCos, stepSin, cos, sin } = this;
    if (row % SEED_ROWS === 0) {
      for (let pair = 0; pair < cos.length; ++pair) {
        cos[pair] = Math.cos(row * frequencies[pair]);
        sin[pair] = Math.sin(row * frequencies[pair]);
      }
      return;
    }
    for (let pair = 0; pair < cos.length; ++pair) {
      const c = cos[pair];
      const s = sin[pair];
      cos[pair] = c * stepCos[pair] - s * stepSin[pair];
      sin[pair] = s * stepCos[pair] + c * stepSin[pair];
    }
  }
}

/** Sine and cosine side by side: [length, 2 pairs]. */
export function sinusoidal(out, length, frequencies) {
  const turning = new Turning(frequencies);
  const { cos, sin } = turning;
  for (let row = 0, at = 0; row < length; ++row) {
    turning.moveTo(row);
    for (let pair = 0; pair < cos.length; ++pair, at += 2) {
      out[at] = sin[pair];
      out[at + 1] = cos[pair];
    }
  }
  return out;
}

export function ropeTable(out, length, frequencies) {
  const turning = new Turning(frequencies);
  for (let row = 0; row < length; ++row) {
    turning.moveTo(row);
    out.cos.set(turning.cos, row * frequencies.length);
    out.sin.set(turning.sin, row * frequencies.length);
  }
  return out.cos;
}

/** Rotates [length, heads, headDim], or [heads, length, headDim], by the rows of a table from `start` on. */
export function rope(x, out, { cos, sin }, { length, heads, headDim, pairing, format = 'bshd' }, start) {
  const pairs = headDim / 2;
  const [first, second, step] = pairing === 'half' ? [0, pairs, 1] : [0, 1, 2];
  const [tokenStep, headStep] = format === 'bshd' ? [heads * headDim, headDim] : [headDim, length * headDim];
  for (let token = 0; token < length; ++token) {
    const row = (start + token) * pairs;
    for (let head = 0; head < heads; ++head) {
      const at = token * tokenStep + head * headStep;
      for (let pair = 0; pair < pairs; ++pair) {
        const i = at + first + pair * step;
        const j = at + second + pair * step;
        const a = x[i];
        const b = x[j];
        const c = cos[row + pair];
        const s = sin[row + pair];
        out[i] = a * c - b * s;
        out[j] = a * s + b * c;
      }
    }
  }
  return out;
}

/** Causal attention over [length, heads, headDim]: keys and values of a head side by side, four of them at a time. */
export function attention(query, key, value, out, { heads, kvHeads, queryLength, keyLength, headDim }) {
  const scale = 1 / Math.sqrt(headDim);
  const start = keyLength - queryLength;
  const group = heads / kvHeads;
  const scores = new Float64Array(keyLength);
  const sums = new Float64Array(headDim);
  const keys = new Float32Array(keyLength * headDim);
  const values = new Float32Array(keyLength * headDim);
  for (let head = 0; head < heads; ++head) {
    if (head % group === 0) {
      for (let j = 0; j < keyLength; ++j) {
        const from = (j * kvHeads + head / group) * headDim;
        keys.set(key.subarray(from, from + headDim), j * headDim);
        values.set(value.subarray(from, from + headDim), j * headDim);
      }
    }
    for (let i = 0; i < queryLength; ++i) {
      const q = (i * heads + head) * headDim;
      const visible = start + i + 1;
      let greatest = -Infinity;
      let j = 0;
      for (; j + 4 <= visible; j += 4) {
        const k = j * headDim;
        let a = 0;
        let b = 0;
        let c = 0;
        let d = 0;
        for (let n = 0; n < headDim; ++n) {
          const x = query[q + n];
          a += x * keys[k + n];
          b += x * keys[k + headDim + n];
          c += x * keys[k + 2 * headDim + n];
          d += x * keys[k + 3 * headDim + n];
        }
        scores[j] = a * scale;
        scores[j + 1] = b * scale;
        scores[j + 2] = c * scale;
        scores[j + 3] = d * scale;
        greatest = Math.max(greatest, scores[j], scores[j + 1], scores[j + 2], scores[j + 3]);
      }
      for (; j < visible; ++j) {
        let a = 0;
        for (let n = 0; n < headDim; ++n) a += query[q + n] * keys[j * headDim + n];
        scores[j] = a * scale;
        greatest = Math.max(greatest, scores[j]);
      }
      let total = 0;
      for (let k = 0; k < visible; ++k) total += scores[k] = Math.exp(scores[k] - greatest);
      sums.fill(0);
      let k = 0;
      for (; k + 4 <= visible; k += 4) {
        const v = k * headDim;
        const a = scores[k];
        const b = scores[k + 1];
        const c = scores[k + 2];
        const d = scores[k + 3];
        for (let n = 0; n < headDim; ++n) {
          sums[n] +=
            a * values[v + n] +
            b * values[v + headDim + n] +
            c * values[v + 2 * headDim + n] +
            d * values[v + 3 * headDim + n];
        }
      }
      for (; k < visible; ++k) {
        for (let n = 0; n < headDim; ++n) sums[n] += scores[k] * values[k * headDim + n];
      }
      for (let n = 0; n < headDim; ++n) out[q + n] = sums[n] / total;
    }
  }
  return out;
}

/** Cosine similarity of all pairs of rows. */
export function similarity(table, out, rows, dim) {
  const norms = new Float64Array(rows);
  for (let i = 0; i < rows; ++i) {
    for (let j = 0; j <= i; ++j) {
      let a = 0;
      let b = 0;
      let c = 0;
      let d = 0;
      for (let n = 0; n < dim; n += 4) {
        a += table[i * dim + n] * table[j * dim + n];
        b += table[i * dim + n + 1] * table[j * dim + n + 1];
        c += table[i * dim + n + 2] * table[j * dim + n + 2];
        d += table[i * dim + n + 3] * table[j * dim + n + 3];
      }
      const dot = a + b + c + d;
      if (i === j) norms[i] = Math.sqrt(dot);
      out[i * rows + j] = out[j * rows + i] = dot;
    }
  }
  for (let i = 0; i < rows; ++i) for (let j = 0; j < rows; ++j) out[i * rows + j] /= norms[i] * norms[j];
  return out;
}

/** The greatest mean of cos(distance × frequency) within each range of whole distances. */
export function envelope(frequencies, edges) {
  const turning = new Turning(frequencies);
  const { cos } = turning;
  const most = new Float64Array(edges.length - 1);
  for (let range = 0; range < most.length; ++range) {
    most[range] = -Infinity;
    for (let distance = edges[range]; distance < edges[range + 1]; ++distance) {
      turning.moveTo(distance);
      let sum = 0;
      for (let pair = 0; pair < cos.length; ++pair) sum += cos[pair];
      most[range] = Math.max(most[range], sum / cos.length);
    }
  }
  return most;
}
