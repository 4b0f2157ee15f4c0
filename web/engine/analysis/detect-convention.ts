import {
  requireBase,
  requireCount,
  requireEach,
  requireInteger,
  requireOptions,
  type Names,
} from '../../common/check.js';
import { fitRotation } from './convention/fit.js';
import { turnsOf, type Rotated, type Scheme } from './convention/turns.js';
import type { Engine } from '../runtime/engine.js';
import { badState } from '../../common/errors.js';
import { withHeap, type Tensor } from '../runtime/heap.js';

export interface DetectConventionOptions {
  /** `[length, heads, headDim]`: vectors at consecutive positions. */
  before: Tensor;
  /** The same vectors after the rotation. */
  after: Tensor;
  /** At least 2, since a frequency shows in the step from one position to the next. */
  length: number;
  heads: number;
  headDim: number;
  /** The base, where it is known; derived otherwise. */
  base?: number;
}

/** A rotation that may be the one between two tensors. */
export interface ConventionGuess {
  /** Which channels turn together; `mixed` where their two angles are not the same, so that it is no rotation. */
  pairing: 'half' | 'interleaved' | 'mixed';
  /** Of `mixed`: which channels turn together, and which ones have the same angle. */
  mixed?: Scheme;
  /** How many channels turn, the first ones. */
  rotaryDim: number;
  /** 1 for (a cos − b sin, a sin + b cos), −1 for the other way around. */
  sign: 1 | -1;
  /** The position of the first row. */
  offset: number;
  /** Base of the series of frequencies, base^(−2p / rotaryDim) / factor for pair p. */
  base: number;
  /** By what all frequencies are divided. */
  factor: number;
  /** By what the channels that turn are multiplied: the attention factor. */
  scale: number;
  /** Root mean square of what this rotation leaves unexplained, over that of `after`. */
  residual: number;
  /** The same where every pair turns by the frequency measured for it: far less than `residual` where the frequencies are
   * scaled pair by pair. */
  pairResidual: number;
  /** Radians per position as measured, one per pair. */
  invFreq: Float64Array;
  /** Whether `residual` is at most 1/64: what storing everything in bfloat16 leaves, and a wrong rotation does not. */
  fits: boolean;
}

export interface DetectConvention {
  /**
   * Which rotary convention turned `before` into `after`: pairing, sign, rotary width, position of the first row, base,
   * factor and scale. They are derived from the angles of the pairs, whose slopes over the rows are the frequencies and
   * whose values at row 0 give the offset; round numbers count where they explain the rows as well. Channels turned by
   * halves with the angles of neighbours, or the reverse, are found as `mixed`.
   *
   * Returns the best guess for each pairing, the best first; `mixed` only where neither of the others fits. If none `fits`,
   * the tensors are not related by a rotation of this kind. Where slow pairs turn by less than the rounding of the data,
   * several widths explain them; that of the changed channels is taken, rounded up to a quarter, half or the whole of the head.
   *
   * Errors: `bad-argument`, also where `after` is `before`; `wrong-length`, `out-of-memory`.
   * Accuracy: residuals down to 1e-7. Offsets within 256 turns of the slowest pair.
   */
  detectConvention(options: DetectConventionOptions): ConventionGuess[];
}

const OPTIONS: Names<DetectConventionOptions> = {
  before: true,
  after: true,
  length: true,
  heads: true,
  headDim: true,
  base: true,
};

const ROTATIONS: readonly Scheme[] = [
  { rotation: 'half', angles: 'half' },
  { rotation: 'interleaved', angles: 'interleaved' },
];

const MIXTURES: readonly Scheme[] = [
  { rotation: 'half', angles: 'interleaved' },
  { rotation: 'interleaved', angles: 'half' },
];

/** Rows by which the rotary width is chosen. */
const WIDTH_ROWS = 256;

/** The rounding of bfloat16: a channel that changes by less may not have turned. */
const NOISE = 2 ** -7;

/** The residual that storing everything in bfloat16 leaves, with room to spare. */
const FITS = 1 / 64;

export function detectConvention(engine: Engine): DetectConvention['detectConvention'] {
  return (given) => {
    const options = requireOptions(given, OPTIONS);
    const length = requireInteger(options.length, 'length', 2, 2 ** 31 - 1);
    const heads = requireCount(options.heads, 'heads');
    const headDim = requireInteger(options.headDim, 'headDim', 2, 2 ** 20);
    const base = options.base === undefined ? undefined : requireBase(options.base);
    const sizes = { length, heads, headDim };
    return withHeap(engine, (heap) => {
      const handles = [
        heap.floats(options.before, 'before', sizes),
        heap.floats(options.after, 'after', sizes),
      ] as const;
      const [before, after] = [handles[0].view(), handles[1].view()];
      requireTurned(before, after);
      return guesses({ before, after, length, heads, headDim }, base);
    });
  };
}

function requireTurned(before: Float32Array, after: Float32Array): void {
  for (const [name, values] of Object.entries({ before, after })) {
    requireEach(values, name, { kind: 'finites' }, Number.isFinite);
    if (values.every((value) => value === 0)) throw badState(name, { kind: 'some-not-zero' }, { kind: 'zeros' });
  }
  if (before.every((value, i) => value === after[i])) {
    throw badState('after', { kind: 'left-by-rotation' }, { kind: 'unturned' });
  }
}

function guesses(data: Rotated, base: number | undefined): ConventionGuess[] {
  const sound = ROTATIONS.map((scheme) => guess(data, scheme, base)).sort(byResidual);
  if (sound[0]!.fits) return sound;
  const [mixed] = MIXTURES.map((scheme) => guess(data, scheme, base)).sort(byResidual) as [ConventionGuess];
  return [...sound, mixed].sort(byResidual);
}

/** Guesses whose pairs are right come first, whatever their frequencies. */
function byResidual(a: ConventionGuess, b: ConventionGuess): number {
  return Number(a.pairResidual > FITS) - Number(b.pairResidual > FITS) || a.residual - b.residual;
}

/** The best rotation of a scheme. */
function guess(data: Rotated, scheme: Scheme, base: number | undefined): ConventionGuess {
  const rotaryDim = bestWidth(data, scheme, base);
  const { squares, freeSquares, gain, slopes, ...fit } = fitRotation(
    turnsOf(data, scheme, rotaryDim, data.length),
    base,
  );
  const untouched = untouchedSquares(data, rotaryDim, data.length);
  const all = sumOfSquares(data.after);
  const residual = Math.sqrt((squares + untouched) / all);
  return {
    pairing: scheme.rotation === scheme.angles ? scheme.rotation : 'mixed',
    ...(scheme.rotation === scheme.angles ? {} : { mixed: scheme }),
    rotaryDim,
    ...fit,
    scale: gain,
    residual,
    pairResidual: Math.sqrt((freeSquares + untouched) / all),
    invFreq: slopes,
    fits: residual <= FITS,
  };
}

/** The first width that explains the rows as well as any: by the pairs it makes, and then by their frequencies. */
function bestWidth(data: Rotated, scheme: Scheme, base: number | undefined): number {
  const rows = Math.min(data.length, WIDTH_ROWS);
  const floor = 1e-15 * sumOfSquares(data.after.subarray(0, rows * data.heads * data.headDim));
  const widths = candidateWidths(data, rows).map((width) => {
    const { squares, freeSquares } = fitRotation(turnsOf(data, scheme, width, rows), base);
    const untouched = untouchedSquares(data, width, rows);
    return { width, squares: squares + untouched, freeSquares: freeSquares + untouched };
  });
  const freeLeast = Math.min(...widths.map(({ freeSquares }) => freeSquares));
  const paired = widths.filter(({ freeSquares }) => freeSquares <= 4 * freeLeast + floor);
  const least = Math.min(...paired.map(({ squares }) => squares));
  return paired.find(({ squares }) => squares <= 1.1 * least + floor)!.width;
}

/** Widths that the channels which changed suggest, the most likely first. */
function candidateWidths(data: Rotated, rows: number): number[] {
  const { headDim } = data;
  const changes = relativeChanges(data, rows);
  const even = (width: number) => Math.min(2 * Math.ceil(width / 2), headDim - (headDim % 2));
  const usual = [headDim / 4, headDim / 2, headDim].map(even);
  const widths = [0, NOISE].flatMap((noise) => {
    const changed = (channel: number) => changes[channel]! > noise;
    const width = even(
      headDim -
        Array.from(changes)
          .reverse()
          .findIndex((change) => change > noise),
    );
    // Slow pairs that did not turn visibly leave a gap between two halves.
    let start = 0;
    while (start < headDim && changed(start)) ++start;
    while (start < headDim && !changed(start)) ++start;
    const byGap = start < headDim ? [even(2 * start)] : [];
    return [...usual.filter((one) => one >= width).slice(0, 1), width, ...byGap];
  });
  return [...new Set([...widths, even(headDim)])].filter((width) => width >= 2);
}

/** How much each channel changed, over how large it was. */
function relativeChanges({ before, after, heads, headDim }: Rotated, rows: number): Float64Array {
  const [changes, squares] = [new Float64Array(headDim), new Float64Array(headDim)];
  for (let i = 0; i < rows * heads * headDim; ++i) {
    const channel = i % headDim;
    changes[channel]! += (after[i]! - before[i]!) ** 2;
    squares[channel]! += before[i]! ** 2;
  }
  return changes.map((change, channel) => (change === 0 ? 0 : Math.sqrt(change / squares[channel]!)));
}

/** Squared change of the channels that should pass through. */
function untouchedSquares({ before, after, heads, headDim }: Rotated, rotaryDim: number, rows: number): number {
  let squares = 0;
  for (let vector = 0; vector < rows * heads; ++vector) {
    for (let channel = rotaryDim; channel < headDim; ++channel) {
      const i = vector * headDim + channel;
      squares += (after[i]! - before[i]!) ** 2;
    }
  }
  return squares;
}

function sumOfSquares(values: Float32Array): number {
  let squares = 0;
  for (const value of values) squares += value * value;
  return squares;
}
