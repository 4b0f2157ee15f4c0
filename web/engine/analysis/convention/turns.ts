import { allocate } from '../../../common/check.js';

/** Vectors before and after a rotation, `[length, heads, headDim]`. */
export interface Rotated {
  before: Float32Array;
  after: Float32Array;
  length: number;
  heads: number;
  headDim: number;
}

/** How two neighbouring things are numbered: as two halves (i, i + n / 2), or as neighbours (2i, 2i + 1). */
export type Layout = 'half' | 'interleaved';

/** A way to turn: which channels are a pair, and which channels have the same angle. A sound rotation has one layout. */
export interface Scheme {
  rotation: Layout;
  angles: Layout;
}

/**
 * What the data say about the angle of every row and frequency: the squared difference between a channel after the
 * rotation and the same channel turned by the angle φ, summed over heads and the channels of the frequency, is
 * yy − 2 (c cos φ + s sin φ) + cc cos²φ + 2 cs cos φ sin φ + ss sin²φ.
 *
 * Each array is `[length, frequencies]`.
 */
export interface Turns {
  length: number;
  frequencies: number;
  cc: Float64Array;
  cs: Float64Array;
  ss: Float64Array;
  c: Float64Array;
  s: Float64Array;
  yy: Float64Array;
}

/** Sums up the first `rows` rows for a scheme of which the first `rotaryDim` channels turn. */
export function turnsOf(data: Rotated, { rotation, angles }: Scheme, rotaryDim: number, rows: number): Turns {
  const { before, after, heads, headDim } = data;
  const frequencies = rotaryDim / 2;
  const sums = () => allocate(Float64Array, { length: rows * frequencies });
  const turns: Turns = {
    length: rows,
    frequencies,
    cc: sums(),
    cs: sums(),
    ss: sums(),
    c: sums(),
    s: sums(),
    yy: sums(),
  };
  const { cc, cs, ss, c, s, yy } = turns;
  const isFirst = (channel: number) => (rotation === 'half' ? channel < frequencies : channel % 2 === 0);
  const step = rotation === 'half' ? frequencies : 1;
  const partner = Int32Array.from({ length: rotaryDim }, (_, one) => (isFirst(one) ? one + step : one - step));
  // The first channel of a pair becomes a cos φ − b sin φ, the second b cos φ + a sin φ.
  const sinSign = Int32Array.from({ length: rotaryDim }, (_, one) => (isFirst(one) ? -1 : 1));
  const frequency = Int32Array.from({ length: rotaryDim }, (_, one) =>
    angles === 'half' ? one % frequencies : one >> 1,
  );

  for (let row = 0; row < rows; ++row) {
    for (let head = 0; head < heads; ++head) {
      const start = (row * heads + head) * headDim;
      for (let channel = 0; channel < rotaryDim; ++channel) {
        const ofCos = before[start + channel]!;
        const ofSin = sinSign[channel]! * before[start + partner[channel]!]!;
        const y = after[start + channel]!;
        const at = row * frequencies + frequency[channel]!;
        cc[at]! += ofCos * ofCos;
        cs[at]! += ofCos * ofSin;
        ss[at]! += ofSin * ofSin;
        c[at]! += ofCos * y;
        s[at]! += ofSin * y;
        yy[at]! += y * y;
      }
    }
  }
  return turns;
}

/** The angle of a frequency along the rows, in radians: phase + slope × row. */
export interface Line {
  slope: number;
  phase: number;
}

/** A line as the data show it. */
export interface MeasuredLine extends Line {
  /** The row about which the data are balanced: there the angle does not depend on the slope. */
  middle: number;
  /** How well the rows agree: 1 where they all lie on the line, 0 where there is none. */
  agreement: number;
}

/**
 * The slope and the phase that the rows of a frequency have in common. The step between neighbouring rows gives a slope;
 * steps twice as long each time sharpen it, and a straight line through what is left takes in every row.
 */
export function lineOf(turns: Turns, frequency: number): MeasuredLine {
  const { length } = turns;
  const [re, im] = phasorsOf(turns, frequency);
  let slope = 0;
  for (let lag = 1; lag < length; lag *= 2) {
    let [x, y] = [0, 0];
    for (let row = lag; row < length; ++row) {
      x += re[row]! * re[row - lag]! + im[row]! * im[row - lag]!;
      y += im[row]! * re[row - lag]! - re[row]! * im[row - lag]!;
    }
    slope += wrap(Math.atan2(y, x) - lag * slope) / lag;
  }
  const { phase } = alignedPhase(re, im, slope);
  let [weights, rows, angles, rowsSquared, product] = [0, 0, 0, 0, 0];
  for (let row = 0; row < length; ++row) {
    const weight = Math.hypot(re[row]!, im[row]!);
    const left = wrap(Math.atan2(im[row]!, re[row]!) - phase - slope * row);
    weights += weight;
    rows += weight * row;
    angles += weight * left;
    rowsSquared += weight * row * row;
    product += weight * row * left;
  }
  if (weights === 0) return { slope: 0, phase: 0, middle: 0, agreement: 0 };
  const middle = rows / weights;
  const variance = rowsSquared - rows * middle;
  if (variance > 0) slope += (product - angles * middle) / variance;
  return { slope, middle, ...alignedPhase(re, im, slope) };
}

function alignedPhase(re: Float64Array, im: Float64Array, slope: number): { phase: number; agreement: number } {
  let [x, y, weights] = [0, 0, 0];
  for (let row = 0; row < re.length; ++row) {
    const [cos, sin] = [Math.cos(slope * row), Math.sin(slope * row)];
    x += re[row]! * cos + im[row]! * sin;
    y += im[row]! * cos - re[row]! * sin;
    weights += Math.hypot(re[row]!, im[row]!);
  }
  return { phase: Math.atan2(y, x), agreement: weights === 0 ? 0 : Math.hypot(x, y) / weights };
}

/** Each row of a frequency as a complex number: its angle by least squares, with the weight that it has. */
function phasorsOf(
  { length, frequencies, cc, cs, ss, c, s }: Turns,
  frequency: number,
): [re: Float64Array, im: Float64Array] {
  const [re, im] = [new Float64Array(length), new Float64Array(length)];
  for (let row = 0; row < length; ++row) {
    const at = row * frequencies + frequency;
    const trace = cc[at]! + ss[at]!;
    if (trace === 0) continue;
    re[row] = (2 * (ss[at]! * c[at]! - cs[at]! * s[at]!)) / trace;
    im[row] = (2 * (cc[at]! * s[at]! - cs[at]! * c[at]!)) / trace;
  }
  return [re, im];
}

/** The same angle between −π and π. */
export function wrap(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}

/** What is left of the rows when they are turned by lines. */
export interface LeftOver {
  /** The squared difference with a gain of 1. */
  plain: number;
  /** Products of the turned rows with the rows after the rotation. */
  cross: number;
  /** Squares of the turned rows. */
  turned: number;
}

/**
 * Sums up what is left when frequency f turns row t by lines[f], over every row or one in `stride`, and over the frequencies
 * that have a line.
 */
export function leftOver(turns: Turns, lines: readonly (Line | undefined)[], stride = 1): LeftOver {
  const { length, frequencies, cc, cs, ss, c, s, yy } = turns;
  const left = { plain: 0, cross: 0, turned: 0 };
  for (let frequency = 0; frequency < frequencies; ++frequency) {
    const line = lines[frequency];
    if (line === undefined) continue;
    const { slope, phase } = line;
    for (let row = 0; row < length; row += stride) {
      const at = row * frequencies + frequency;
      const [cos, sin] = [Math.cos(phase + slope * row), Math.sin(phase + slope * row)];
      const cross = c[at]! * cos + s[at]! * sin;
      const turned = cc[at]! * cos * cos + 2 * cs[at]! * cos * sin + ss[at]! * sin * sin;
      // Row by row: the difference of the two sums would lose what is left.
      left.plain += yy[at]! - 2 * cross + turned;
      left.cross += cross;
      left.turned += turned;
    }
  }
  return left;
}

/** The gain that leaves least. */
export function bestGain({ cross, turned }: LeftOver): number {
  return turned === 0 ? 1 : cross / turned;
}

/** The squared difference with a gain. */
export function squaresAt({ plain, cross, turned }: LeftOver, gain: number): number {
  return Math.max(0, plain + 2 * (1 - gain) * cross + (gain * gain - 1) * turned);
}
