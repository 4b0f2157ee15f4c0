/**
 * Cosine and sine of position × frequency, where the product is taken without rounding: Dekker's two-product gives it as
 * high + low, and the engine's own cosine reduces `high` with all the digits of π that a double can need.
 */
export function exactCosSin(position: number, frequency: number): [cos: number, sin: number] {
  const high = position * frequency;
  const [p1, p2] = split(position);
  const [f1, f2] = split(frequency);
  const low = p1 * f1 - high + p1 * f2 + p2 * f1 + p2 * f2;
  const [cosHigh, sinHigh, cosLow, sinLow] = [Math.cos(high), Math.sin(high), Math.cos(low), Math.sin(low)];
  return [cosHigh * cosLow - sinHigh * sinLow, sinHigh * cosLow + cosHigh * sinLow];
}

/** A double as a sum of two with at most 26 bits each (Veltkamp). */
function split(value: number): [number, number] {
  const scaled = value * (2 ** 27 + 1);
  const high = scaled - (scaled - value);
  return [high, value - high];
}

/** mean over pairs of cos(distance × frequency). */
export function kernel(distance: number, invFreq: Float64Array): number {
  return invFreq.reduce((sum, frequency) => sum + exactCosSin(distance, frequency)[0], 0) / invFreq.length;
}

/** Seeded numbers from −1 to 1 that a float holds exactly (mulberry32). */
export function randomFloats(length: number, seed: number): Float32Array {
  let state = seed >>> 0;
  return Float32Array.from({ length }, () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 31 - 1;
  });
}

/** A rotation as the formula says it, in double precision: x `[heads, length, headDim]`. */
export function rotate(
  x: ArrayLike<number>,
  positions: ArrayLike<number>,
  invFreq: Float64Array,
  { heads, headDim, pairing, factor = 1 }: { heads: number; headDim: number; pairing: string; factor?: number },
): Float64Array {
  const out = Float64Array.from(x);
  const { length } = positions;
  const pairs = invFreq.length;
  for (let head = 0; head < heads; ++head) {
    for (let token = 0; token < length; ++token) {
      const row = (head * length + token) * headDim;
      for (let pair = 0; pair < pairs; ++pair) {
        const [i, j] = pairing === 'half' ? [pair, pair + pairs] : [2 * pair, 2 * pair + 1];
        const [cos, sin] = exactCosSin(positions[token] as number, invFreq[pair] as number);
        const [a, b] = [x[row + i] as number, x[row + j] as number];
        out[row + i] = factor * (a * cos - b * sin);
        out[row + j] = factor * (a * sin + b * cos);
      }
    }
  }
  return out;
}

export interface AttentionProblem {
  /** `[heads, queryLength, headDim]`, one sequence. */
  query: ArrayLike<number>;
  /** `[kvHeads, keyLength, headDim]`. */
  key: ArrayLike<number>;
  /** `[kvHeads, keyLength, valueDim]`. */
  value: ArrayLike<number>;
  heads: number;
  kvHeads: number;
  queryLength: number;
  keyLength: number;
  headDim: number;
  valueDim: number;
  scale: number;
  softcap?: number;
  /** Added to the score of a query and key of a head. */
  bias?: (head: number, query: number, key: number) => number;
  allowed?: (head: number, query: number, key: number) => boolean;
  sinks?: ArrayLike<number>;
}

/** Attention as the formula says it, in double precision, with the whole matrix of scores. */
export function attend(problem: AttentionProblem): {
  output: Float64Array;
  weights: Float64Array;
  scores: Float64Array;
} {
  const { query, key, value, heads, kvHeads, queryLength, keyLength, headDim, valueDim, scale } = problem;
  const { softcap, bias = () => 0, allowed = () => true, sinks } = problem;
  const scores = new Float64Array(heads * queryLength * keyLength);
  const weights = new Float64Array(scores.length);
  const output = new Float64Array(heads * queryLength * valueDim);
  for (let head = 0; head < heads; ++head) {
    const kvHead = Math.floor(head / (heads / kvHeads));
    for (let i = 0; i < queryLength; ++i) {
      const row = (head * queryLength + i) * keyLength;
      let greatest = sinks === undefined ? -Infinity : (sinks[head] as number);
      for (let j = 0; j < keyLength; ++j) {
        let dot = 0;
        for (let c = 0; c < headDim; ++c) {
          const q = query[(head * queryLength + i) * headDim + c] as number;
          dot += q * (key[(kvHead * keyLength + j) * headDim + c] as number);
        }
        const scaled = dot * scale;
        const capped = softcap === undefined ? scaled : softcap * Math.tanh(scaled / softcap);
        const score = allowed(head, i, j) ? capped + bias(head, i, j) : -Infinity;
        scores[row + j] = score;
        greatest = Math.max(greatest, score);
      }
      let sum = sinks === undefined ? 0 : Math.exp((sinks[head] as number) - greatest);
      for (let j = 0; j < keyLength; ++j) {
        const score = scores[row + j] as number;
        sum += score === -Infinity ? 0 : Math.exp(score - greatest);
      }
      for (let j = 0; j < keyLength; ++j) {
        const score = scores[row + j] as number;
        const weight = score === -Infinity ? 0 : Math.exp(score - greatest) / sum;
        weights[row + j] = weight;
        for (let c = 0; c < valueDim; ++c) {
          const at = (head * queryLength + i) * valueDim + c;
          output[at] = (output[at] as number) + weight * (value[(kvHead * keyLength + j) * valueDim + c] as number);
        }
      }
    }
  }
  return { output, weights, scores };
}
