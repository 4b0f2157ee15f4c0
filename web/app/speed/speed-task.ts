import { type Encodings, ropeFrequencies, sinusoidalFrequencies } from 'posenc';
import type { Progress } from '../engine/task.js';
import { plainAttention, plainRope, plainSinusoidal } from './plain.js';

export const SINUSOIDAL = { length: 512, dim: 512 } as const;
export const ROTATION = { length: 512, heads: 32, headDim: 128 } as const;
export const ATTENTION = { length: 384, heads: 8, headDim: 64 } as const;

export const WORKLOADS = ['sinusoidal', 'rope', 'attention'] as const;
export type WorkloadName = (typeof WORKLOADS)[number];

/** What was measured of one workload: medians, in milliseconds, and how far the two results are apart. */
export interface Timing {
  readonly name: WorkloadName;
  readonly posenc: number;
  readonly plain: number;
  readonly difference: number;
}

interface Workload {
  readonly name: WorkloadName;
  readonly posenc: () => Float32Array;
  readonly plain: () => Float32Array;
}

const ROUNDS = 7;
/** A round repeats a short call until the clock, which browsers coarsen, can tell it. */
const LEAST_MILLISECONDS = 5;

/** Times each workload in turns, posenc and plain JavaScript in the same rounds. `run` tells one measurement from the next. */
export function* speedTask(encodings: Encodings, _request: { run: number }): Generator<Progress<Timing[]>, Timing[]> {
  const timings: Timing[] = [];
  const all = workloads(encodings);
  for (const [k, { name, posenc, plain }] of all.entries()) {
    const difference = largestDifference(posenc(), plain());
    const contenders = [posenc, plain].map((run) => ({ run, repeats: repeatsOf(run), times: [] as number[] }));
    for (let round = 0; round < ROUNDS; round++) {
      for (const { run, repeats, times } of contenders) times.push(time(run, repeats) / repeats);
      yield { share: (k + (round + 1) / ROUNDS) / all.length, partial: [...timings] };
    }
    const [ours, theirs] = contenders.map(({ times }) => median(times)) as [number, number];
    timings.push({ name, posenc: ours, plain: theirs, difference });
  }
  return timings;
}

function workloads(encodings: Encodings): Workload[] {
  const frequencies = sinusoidalFrequencies({ dim: SINUSOIDAL.dim });
  const table = new Float32Array(SINUSOIDAL.length * SINUSOIDAL.dim);

  const params = { headDim: ROTATION.headDim };
  const { invFreq } = ropeFrequencies(params);
  const x = numbers(ROTATION.length * ROTATION.heads * ROTATION.headDim, 1);
  const rotated = new Float32Array(x.length);

  const { length, heads, headDim } = ATTENTION;
  const [query, key, value] = [2, 3, 4].map((seed) => numbers(length * heads * headDim, seed)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const sizes = { heads, headDim, queryLength: length, keyLength: length, causal: true };
  const attended = new Float32Array(query.length);
  return [
    {
      name: 'sinusoidal',
      posenc: () => encodings.sinusoidal({ ...SINUSOIDAL, out: table }),
      plain: () => plainSinusoidal(frequencies, SINUSOIDAL.length),
    },
    {
      name: 'rope',
      posenc: () => encodings.rope({ x, params, ...ROTATION, out: rotated }),
      plain: () => plainRope(x, invFreq, ROTATION),
    },
    {
      name: 'attention',
      posenc: () => encodings.attention({ query, key, value, ...sizes, out: attended }),
      plain: () => plainAttention(query, key, value, ATTENTION),
    },
  ];
}

/** Numbers from −1 to 1 that are the same in every run: the fractional parts of multiples of the golden ratio. */
function numbers(length: number, seed: number): Float32Array {
  return Float32Array.from({ length }, (_, i) => 2 * (((i + 1) * seed * 0.6180339887498949) % 1) - 1);
}

function largestDifference(a: Float32Array, b: Float32Array): number {
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0);
}

function repeatsOf(run: () => unknown): number {
  let repeats = 1;
  while (time(run, repeats) < LEAST_MILLISECONDS) repeats *= 2;
  return repeats;
}

function time(run: () => unknown, repeats: number): number {
  const began = performance.now();
  for (let k = 0; k < repeats; k++) run();
  return performance.now() - began;
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1]!;
}
