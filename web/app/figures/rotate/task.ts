import type { Encodings, RopeParams } from 'posenc';
import { embed } from '../embedding.js';

/** How channels are paired: neighbours, or i with i + rotaryDim / 2. */
export type RotatePairing = 'interleaved' | 'half';

/** Counter-clockwise by +position × θ, as RoPE is published, or clockwise by −position × θ. */
export type RotateDirection = 'forward' | 'inverse';

/** Which vectors are put into the channel order of the other pairing before that pairing turns them. */
export type Reordered = 'both' | 'query' | 'neither';

export interface RotateRequest {
  readonly headDim: number;
  /** Even: the channels past it stay as they are. */
  readonly rotaryDim: number;
  readonly base: number;
  readonly pairing: RotatePairing;
  readonly direction: RotateDirection;
  readonly reordered: Reordered;
  /** Positions of the query and of the key. */
  readonly m: number;
  readonly n: number;
}

export interface RotateResult {
  /** |q| = |k| = 1, [headDim]: before and after. */
  readonly query: Float32Array;
  readonly key: Float32Array;
  readonly turnedQuery: Float32Array;
  readonly turnedKey: Float32Array;
  /** R(m) by both pairings, [headDim, headDim]: column c is what becomes of channel c. */
  readonly interleaved: Float32Array;
  readonly half: Float32Array;
  /** The largest change of the length of any pair of q or k. */
  readonly lengthChange: number;
  /** R(m)q · R(n)k by the pairing, and by the other one on reordered vectors. */
  readonly score: number;
  readonly otherScore: number;
}

export function rotateTask(encodings: Encodings, request: RotateRequest): RotateResult {
  const { headDim, rotaryDim, pairing, reordered, m, n } = request;
  const other: RotatePairing = pairing === 'half' ? 'interleaved' : 'half';
  const [query, key] = ['q', 'k'].map((_, row) => unitVector(embed(['q', 'k'], headDim), row, headDim)) as [
    Float32Array,
    Float32Array,
  ];
  const turn = (x: Float32Array, position: number, by: RotatePairing): Float32Array =>
    turnRows(encodings, request, x, position, by);
  const [turnedQuery, turnedKey] = [turn(query, m, pairing), turn(key, n, pairing)];
  const otherQuery = reordered === 'neither' ? query : reorder(query, rotaryDim, other);
  const otherKey = reordered === 'both' ? reorder(key, rotaryDim, other) : key;
  const change = (before: Float32Array, after: Float32Array): number =>
    Math.max(
      ...Array.from({ length: rotaryDim / 2 }, (_, pair) =>
        Math.abs(pairLength(after, pair, request) - pairLength(before, pair, request)),
      ),
    );
  const identity = Float32Array.from({ length: headDim * headDim }, (_, at) => Number(at % (headDim + 1) === 0));
  return {
    query,
    key,
    turnedQuery,
    turnedKey,
    interleaved: transposed(turn(identity, m, 'interleaved'), headDim),
    half: transposed(turn(identity, m, 'half'), headDim),
    lengthChange: Math.max(change(query, turnedQuery), change(key, turnedKey)),
    score: product(turnedQuery, turnedKey),
    otherScore: product(turn(otherQuery, m, other), turn(otherKey, n, other)),
  };
}

/** The two channels that turn together as a pair. */
export function channelsOf(pair: number, rotaryDim: number, pairing: RotatePairing): readonly [number, number] {
  return pairing === 'half' ? [pair, pair + rotaryDim / 2] : [2 * pair, 2 * pair + 1];
}

/** Where a channel of one pairing stands in the order of the other. Channels past the rotary width stay. */
export function placeInOther(channel: number, rotaryDim: number, pairing: RotatePairing): number {
  const pairs = rotaryDim / 2;
  if (channel >= rotaryDim) return channel;
  return pairing === 'half'
    ? 2 * (channel % pairs) + Math.floor(channel / pairs)
    : (channel >> 1) + (channel % 2) * pairs;
}

/** Rows of headDim numbers turned by the engine, all at one position. */
function turnRows(
  encodings: Encodings,
  { headDim, rotaryDim, base, direction }: RotateRequest,
  x: Float32Array,
  position: number,
  pairing: RotatePairing,
): Float32Array {
  const params: RopeParams = { headDim, rotaryDim, base, pairing };
  const length = x.length / headDim;
  const positions = new Array<number>(length).fill(position);
  return encodings.rope({ x, params, length, heads: 1, headDim, positions, inverse: direction === 'inverse' });
}

/** The same vector in the channel order that a pairing expects, given in that of the other one. */
function reorder(x: Float32Array, rotaryDim: number, to: RotatePairing): Float32Array {
  const from: RotatePairing = to === 'half' ? 'interleaved' : 'half';
  const out = x.slice();
  for (let channel = 0; channel < rotaryDim; channel++) out[placeInOther(channel, rotaryDim, from)] = x[channel]!;
  return out;
}

function pairLength(x: Float32Array, pair: number, { rotaryDim, pairing }: RotateRequest): number {
  const [a, b] = channelsOf(pair, rotaryDim, pairing);
  return Math.hypot(x[a]!, x[b]!);
}

function unitVector(rows: Float32Array, row: number, dim: number): Float32Array {
  const vector = rows.slice(row * dim, (row + 1) * dim);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function transposed(matrix: Float32Array, size: number): Float32Array {
  return matrix.map((_, at) => matrix[(at % size) * size + Math.floor(at / size)]!);
}

function product(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, c) => sum + value * b[c]!, 0);
}
