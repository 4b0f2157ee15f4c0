import {
  MAX_DISTANCE,
  requireCount,
  requireFinite,
  requireFrequencies,
  requireInteger,
  requireIntegers,
  requireOptions,
  requireSome,
  withDefault,
  type Names,
} from '../../common/check.js';
import { throwUnlessOk, type Engine } from '../runtime/engine.js';
import { badArgument } from '../../common/errors.js';
import { requireParts, withHeap, type Heap, type Into } from '../runtime/heap.js';
import type { HeapDoubles, Status } from '../runtime/glue.js';

export interface DistanceOptions {
  /** Radians per token, one per pair: from `ropeFrequencies` or `sinusoidalFrequencies`. At most 2^32. */
  invFreq: Float64Array;
  /** Whole numbers from −2^53 to 2^53. */
  distances: ArrayLike<number>;
}

export interface KernelEnvelopeOptions {
  /** As for `distanceKernel`. */
  invFreq: Float64Array;
  /** Bounds of the ranges: whole numbers, strictly rising, from 0 to 2^53 − 1; range i is edges[i] … edges[i + 1] − 1. */
  edges: ArrayLike<number>;
}

/** One number per range. */
export interface KernelEnvelope {
  minimum: Float64Array;
  maximum: Float64Array;
  /** The first distance of the range where the kernel is greatest. */
  argmax: Float64Array;
}

export interface FindAliasesOptions {
  /** As for `distanceKernel`. */
  invFreq: Float64Array;
  /** The first distance: a whole number from 0. */
  from: number;
  /** The last distance: a whole number to 2^53 − 1. */
  to: number;
  /** The least similarity that counts. */
  above: number;
  /** How many aliases at most; 16 by default. */
  limit?: number;
}

/** A distance that looks almost like none. */
export interface Alias {
  distance: number;
  similarity: number;
}

export interface DistanceAnalysis {
  /**
   * K(distance), the mean over pairs of cos(distance × frequency): the cosine similarity of two sinusoidal encodings that
   * far apart, and the score of two equal rotated vectors of ones divided by their width.
   *
   * Returns one number per distance.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: 2^-51; the phase is reduced exactly at every distance.
   * Source: Su et al. 2021, arXiv:2104.09864, section 3.4.3, for q = k = 1.
   */
  distanceKernel(options: DistanceOptions & Into<Float64Array>): Float64Array;

  /**
   * The least and the greatest K over ranges of distances. Every whole distance is evaluated, none is sampled, so that a
   * curve over millions of distances can be drawn in a few hundred columns without losing a peak.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: (pairs + 8) × 2^-53.
   */
  kernelEnvelope(options: KernelEnvelopeOptions & Into<KernelEnvelope>): KernelEnvelope;

  /**
   * The whole distances where K has a local maximum of more than `above`, strongest first, then nearest: K(n − 1) ≤ K(n)
   * and K(n) > K(n + 1). Every whole distance is evaluated; 10^7 of them take about a second.
   *
   * Errors: `bad-argument`, `out-of-memory`.
   * Accuracy: as `distanceKernel`.
   */
  findAliases(options: FindAliasesOptions): Alias[];

  /**
   * B(distance), the mean over j of |S_j|, where S_j sums exp(i × distance × frequency) over the first j pairs: an upper
   * bound on what can be left of a rotary score, up to a factor of the vectors. It trends down but is not monotone.
   *
   * Returns one number per distance.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Source: Su et al. 2021, arXiv:2104.09864, section 3.4.3.
   */
  decayBound(options: DistanceOptions & Into<Float64Array>): Float64Array;
}

const DISTANCE_OPTIONS: Names<DistanceOptions & Into<unknown>> = { invFreq: true, distances: true, out: true };

const ENVELOPE_OPTIONS: Names<KernelEnvelopeOptions & Into<unknown>> = { invFreq: true, edges: true, out: true };

const ALIAS_OPTIONS: Names<FindAliasesOptions> = { invFreq: true, from: true, to: true, above: true, limit: true };

const DEFAULT_ALIAS_LIMIT = 16;

export function distanceKernel(engine: Engine): DistanceAnalysis['distanceKernel'] {
  const { distanceKernel } = engine.wasm;
  return (options) => perDistance(engine, options, distanceKernel, 'distanceKernel');
}

export function decayBound(engine: Engine): DistanceAnalysis['decayBound'] {
  const { decayBound } = engine.wasm;
  return (options) => perDistance(engine, options, decayBound, 'decayBound');
}

function perDistance(
  engine: Engine,
  given: DistanceOptions & Into<Float64Array>,
  compute: (out: HeapDoubles, invFreq: HeapDoubles, distances: HeapDoubles) => Status,
  name: string,
): Float64Array {
  const options = requireOptions(given, DISTANCE_OPTIONS);
  const invFreq = requireFrequencies(options.invFreq);
  const count = requireSome(options.distances, 'distances');
  const distances = requireIntegers(options.distances, 'distances', { count }, -MAX_DISTANCE, MAX_DISTANCE);
  return withHeap(engine, (heap) => {
    const target = heap.doubleTarget(options.out, { distances: count });
    const status = compute(target.handle, heap.doubles(invFreq, 'invFreq'), heap.doubles(distances, 'distances'));
    throwUnlessOk(engine, status, name);
    return target.take();
  });
}

export function kernelEnvelope(engine: Engine): DistanceAnalysis['kernelEnvelope'] {
  return (given) => {
    const options = requireOptions(given, ENVELOPE_OPTIONS);
    const invFreq = requireFrequencies(options.invFreq);
    const count = requireSome(options.edges, 'edges');
    if (count < 2) throw badArgument('edges', { kind: 'bounds' }, options.edges);
    const edges = requireIntegers(options.edges, 'edges', { count }, 0, MAX_DISTANCE - 1);
    const falling = edges.findIndex((edge, i) => i > 0 && edge <= (edges[i - 1] as number));
    if (falling !== -1) throw badArgument('edges', { kind: 'rising' }, edges[falling]);
    const out = requireParts(options.out, { minimum: true, maximum: true, argmax: true });
    return withHeap(engine, (heap) => {
      const ranges = count - 1;
      const minimum = heap.doubleTarget(out.minimum, { ranges }, 'out.minimum');
      const maximum = heap.doubleTarget(out.maximum, { ranges }, 'out.maximum');
      const argmax = heap.doubleTarget(out.argmax, { ranges }, 'out.argmax');
      const status = engine.wasm.kernelEnvelope(
        minimum.handle,
        maximum.handle,
        argmax.handle,
        heap.doubles(invFreq, 'invFreq'),
        heap.doubles(edges, 'edges'),
        scratch(engine, heap, invFreq),
      );
      throwUnlessOk(engine, status, 'kernelEnvelope');
      return { minimum: minimum.take(), maximum: maximum.take(), argmax: argmax.take() };
    });
  };
}

export function findAliases(engine: Engine): DistanceAnalysis['findAliases'] {
  return (given) => {
    const options = requireOptions(given, ALIAS_OPTIONS);
    const invFreq = requireFrequencies(options.invFreq);
    const to = requireInteger(options.to, 'to', 0, MAX_DISTANCE - 1);
    const from = requireInteger(options.from, 'from', 0, to);
    const above = requireFinite(options.above, 'above');
    const limit = requireCount(withDefault(options.limit, DEFAULT_ALIAS_LIMIT), 'limit');
    return withHeap(engine, (heap) => {
      const distance = heap.newDoubles({ limit });
      const similarity = heap.newDoubles({ limit });
      const found = heap.indices(Uint32Array.of(0), 'found');
      const status = engine.wasm.findAliases(
        distance,
        similarity,
        found,
        heap.doubles(invFreq, 'invFreq'),
        from,
        to,
        above,
        scratch(engine, heap, invFreq),
      );
      throwUnlessOk(engine, status, 'findAliases');
      const similarities = similarity.view();
      return Array.from(distance.view().subarray(0, found.view()[0]), (value, i) => ({
        distance: value,
        similarity: similarities[i] as number,
      }));
    });
  };
}

function scratch({ wasm }: Engine, heap: Heap, invFreq: Float64Array): HeapDoubles {
  return heap.newDoubles({ scratch: wasm.kernelScratch(invFreq.length) });
}
