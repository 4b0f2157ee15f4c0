import { type Encodings, ropeFrequencies } from 'posenc';
import { embed } from '../embedding.js';

export interface DecayRequest {
  /** Rotary width, even. */
  readonly dim: number;
  readonly base: number;
  /** Random queries and keys. */
  readonly pairs: number;
  /** Range i holds the distances edges[i] … edges[i + 1] − 1; the first is 0. */
  readonly edges: readonly number[];
  /** Where far begins, and near ends: two of the edges. */
  readonly far: number;
  readonly near: number;
}

export interface DecayResult {
  /** K at the first distance of every range, and its least and greatest value in the range: every distance is looked at. */
  readonly kernel: Float64Array;
  readonly least: Float64Array;
  readonly greatest: Float64Array;
  /** Scores of random unit vectors, [pairs, ranges], at the first distance of every range. */
  readonly fan: Float64Array;
  /** The bound on the score at the first distance of every range: for q = k, and the least of the random pairs. */
  readonly bound: Float64Array;
  readonly leastBound: Float64Array;
  /** The largest share that a score, of q = k or random, has of its own bound. */
  readonly shareOfBound: number;
  /** The largest |K| from `far` on. */
  readonly farKernel: number;
  /** Root mean squares of the random scores at distances from `far` on, and below `near`. */
  readonly farRandom: number;
  readonly nearRandom: number;
  /** The largest rise of K from one distance to the next in the first thousand, and where it first rises. */
  readonly largestRise: number;
  readonly firstRise: number | undefined;
}

/** Distances of which every step is looked at. */
const STEPS = 1000;

export function decayTask(encodings: Encodings, request: DecayRequest): DecayResult {
  const { dim, base, pairs, edges, far, near } = request;
  const { invFreq } = ropeFrequencies({ headDim: dim, base });
  const distances = edges.slice(0, -1);
  const ranges = distances.length;
  const kernel = encodings.distanceKernel({ invFreq, distances });
  const { minimum, maximum } = encodings.kernelEnvelope({ invFreq, edges });
  const mean = encodings.decayBound({ invFreq, distances });

  // One query at 0 and one key at every distance, for every pair of vectors as a head of its own.
  const vectors = unitRows(
    embed(
      Array.from({ length: 2 * pairs }, (_, row) => String(row)),
      dim,
    ),
    dim,
  );
  const [query, key] = [vectors.subarray(0, pairs * dim), vectors.subarray(pairs * dim)];
  const keys = new Float32Array(ranges * pairs * dim);
  for (let range = 0; range < ranges; range++) keys.set(key, range * pairs * dim);
  const fan = Float64Array.from(
    encodings.attention({
      query,
      key: keys,
      heads: pairs,
      queryLength: 1,
      keyLength: ranges,
      headDim: dim,
      rope: { headDim: dim, base },
      positions: distances,
      queryStart: 0,
      scale: 1,
      returns: 'scaled',
    }),
  );

  // |score| ≤ max |h(p + 1) − h(p)| · Σ |S(j)|, and `mean` is that sum divided by the number of pairs of channels.
  const steps = Array.from({ length: pairs }, (_, i) => largestStep(query, key, i, dim) * (dim / 2));
  const bounds = steps.map((step) => mean.map((value) => step * value));
  const shares = Array.from(fan, (score, at) => Math.abs(score) / bounds[Math.floor(at / ranges)]![at % ranges]!);
  const rms = (from: number, to: number): number => {
    const chosen = Array.from(fan).filter((_, at) => distances[at % ranges]! >= from && distances[at % ranges]! < to);
    return Math.sqrt(chosen.reduce((sum, score) => sum + score * score, 0) / chosen.length);
  };
  const every = encodings.distanceKernel({ invFreq, distances: Array.from({ length: STEPS + 1 }, (_, n) => n) });
  const rises = Array.from({ length: STEPS }, (_, n) => every[n + 1]! - every[n]!);
  const first = rises.findIndex((rise) => rise > RISE_TOLERANCE);
  const beyond = edges.indexOf(far);
  return {
    kernel,
    least: minimum,
    greatest: maximum,
    fan,
    bound: mean,
    leastBound: mean.map((_, range) => Math.min(...bounds.map((bound) => bound[range]!))),
    shareOfBound: Math.max(...shares, ...kernel.map((value, range) => Math.abs(value) / mean[range]!)),
    farKernel: Math.max(...maximum.subarray(beyond), ...minimum.subarray(beyond).map(Math.abs)),
    farRandom: rms(far, Infinity),
    nearRandom: rms(0, near),
    largestRise: Math.max(0, ...rises),
    firstRise: first < 0 ? undefined : first,
  };
}

/** Two values of K, each to within 2⁻⁵¹. */
export const RISE_TOLERANCE = 2 ** -50;

/** max over p of |h(p + 1) − h(p)|, where h(p) = q(p) · conj k(p) over the pairs of halves, and 0 past the last. */
function largestStep(query: Float32Array, key: Float32Array, row: number, dim: number): number {
  const half = dim / 2;
  const product = (p: number): readonly [number, number] => {
    if (p === half) return [0, 0];
    const [a, b] = [row * dim + p, row * dim + p + half];
    return [query[a]! * key[a]! + query[b]! * key[b]!, query[b]! * key[a]! - query[a]! * key[b]!];
  };
  let largest = 0;
  for (let p = 0; p < half; p++) {
    const [[x, y], [u, v]] = [product(p), product(p + 1)];
    largest = Math.max(largest, Math.hypot(u - x, v - y));
  }
  return largest;
}

function unitRows(rows: Float32Array, dim: number): Float32Array {
  for (let start = 0; start < rows.length; start += dim) {
    const row = rows.subarray(start, start + dim);
    const length = Math.hypot(...row);
    row.forEach((value, c) => (row[c] = value / length));
  }
  return rows;
}
