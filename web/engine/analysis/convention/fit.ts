import { MAX_POSITION } from '../../../common/check.js';
import { bestGain, leftOver, lineOf, squaresAt, wrap, type Line, type MeasuredLine, type Turns } from './turns.js';

/** The base where the data show none. */
const DEFAULT_BASE = 10000;

/** Rows that a choice between two numbers looks at; more would not change it. */
const CHOICE_ROWS = 512;

/**
 * A measured frequency follows the series when it is off by less than this many radians over all rows, and by less than
 * this many times what the scatter of the rows explains.
 */
const FOLLOWS = { radians: 0.5, deviations: 10 };

/** The scatter in radians that the rounding of floats gives, about 2^-23. */
const LEAST_SCATTER = 1e-7;

/** How many times the slowest pair may have turned at the offset. */
const MOST_TURNS = 256;

/** The mean of 1 − cos of what is left of the angles: frequencies agree at an offset, or hardly. */
const AGREED = 1e-5;
const DOUBTFUL = 1e-2;

/** A series of frequencies and a place on it: frequency p turns row t by (t + offset) base^(−p / frequencies) / factor. */
interface Series {
  base: number;
  factor: number;
  offset: number;
}

/** The rotation that explains some rows best. */
export interface Fit extends Series {
  sign: 1 | -1;
  gain: number;
  /** Squared difference that it leaves. */
  squares: number;
  /** Squared difference that the best angles of each frequency on its own leave. */
  freeSquares: number;
  /** Radians per row of each frequency as measured, times `sign`. */
  slopes: Float64Array;
}

/** Derives a rotation from the angles of the rows. `base` is that of the series where it is known. */
export function fitRotation(turns: Turns, base: number | undefined): Fit {
  const measured = Array.from({ length: turns.frequencies }, (_, frequency) => lineOf(turns, frequency));
  const sign = measured.reduce((sum, { slope }) => sum + slope, 0) < 0 ? -1 : 1;
  const positive = measured.map(({ slope, phase, ...rest }) => ({ slope: sign * slope, phase: sign * phase, ...rest }));
  const free = leftOver(turns, measured);
  const freeSquares = squaresAt(free, bestGain(free));

  const attempt = (factor: number): Fit => {
    const series = settle(turns, positive, sign, factor, base);
    const left = leftOver(turns, linesOf(series, turns.frequencies, sign));
    const isPlain = squaresAt(left, 1) <= closeTo(squaresAt(left, bestGain(left)), left.turned);
    const gain = isPlain ? 1 : bestGain(left);
    const slopes = Float64Array.from(positive, ({ slope }) => slope);
    return { ...series, sign, gain, squares: squaresAt(left, gain), freeSquares, slopes };
  };
  const undivided = attempt(1);
  const fastest = positive[0]!.slope;
  if (undivided.squares <= 4 * closeTo(freeSquares, free.turned) || !(fastest > 0)) return undivided;
  const divided = attempt(1 / fastest);
  return divided.squares < undivided.squares / 4 ? divided : undivided;
}

/**
 * The series that the lines lie on, and where. Its numbers are the simplest that explain the rows as well as any, since
 * bases, factors and positions are round.
 */
function settle(
  turns: Turns,
  lines: readonly MeasuredLine[],
  sign: number,
  factor: number,
  base: number | undefined,
): Series {
  const { length, frequencies } = turns;
  const start = { base: base ?? medianBase(lines, factor), factor };
  const tolerance = toleranceOf(lines, length);
  const refined = refine(lines, tolerance, start, base === undefined);
  const follow = following(lines, tolerance, refined);
  let series: Series = { ...refined, offset: offsetOf(follow, refined) };

  const stride = Math.ceil(length / CHOICE_ROWS);
  const left = (one: Series) => {
    const followed = linesOf(one, frequencies, sign).map((line, p) => (follow[p] === undefined ? undefined : line));
    return leftOver(turns, followed, stride);
  };
  const squaresOf = (one: Series) => {
    const sums = left(one);
    return squaresAt(sums, bestGain(sums));
  };
  const enough = closeTo(squaresOf(series), left(series).turned);
  const choose = (candidates: Series[]) => candidates.find((one) => squaresOf(one) <= enough) ?? series;
  if (base === undefined) {
    const rounded = roundings(series.base).map((value) => {
      const one = { ...series, base: value };
      return { ...one, offset: offsetOf(follow, one) };
    });
    const whole = rounded.map((one) => ({ ...one, offset: Math.round(one.offset) }));
    series = choose([...whole, baseByOffset(follow, tolerance, series), ...rounded]);
  }
  if (series.factor !== 1) series = choose(roundings(series.factor).map((value) => ({ ...series, factor: value })));
  return choose([{ ...series, offset: Math.round(series.offset) + 0 }]);
}

/**
 * The base that the fast frequencies agree on: the median of what each one says, weighted by how much that is worth.
 */
function medianBase(lines: readonly Line[], factor: number): number {
  const votes = lines
    .map(({ slope }, p) => ({ decay: -Math.log(slope * factor) / p, weight: slope * p }))
    .filter(({ decay, weight }) => weight > 0 && decay > 0 && decay < Infinity)
    .sort((a, b) => a.decay - b.decay);
  const half = votes.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let passed = 0;
  const median = votes.find(({ weight }) => (passed += weight) >= half);
  const base = median === undefined ? DEFAULT_BASE : Math.exp(median.decay * lines.length);
  return base < Infinity ? base : DEFAULT_BASE;
}

/** By how many radians per row a frequency may be off and still follow a series. */
function toleranceOf(lines: readonly MeasuredLine[], length: number): number {
  const squares = lines.reduce((sum, { agreement }) => sum + 2 * (1 - agreement), 0) / lines.length;
  const scatter = Math.max(LEAST_SCATTER, Math.sqrt((squares * length) / Math.max(1, length - 2)));
  // Of a slope fitted to as many points with this scatter.
  const deviation = (scatter * Math.sqrt(12)) / length ** 1.5;
  return Math.min(FOLLOWS.radians / length, FOLLOWS.deviations * deviation);
}

/** Least squares over the frequencies that follow the series; `free` where the base is not known. */
function refine(
  lines: readonly Pick<Line, 'slope'>[],
  tolerance: number,
  start: { base: number; factor: number },
  free: boolean,
): { base: number; factor: number } {
  let { base, factor } = start;
  for (let round = 0; round < 8; ++round) {
    // Normal equations for the logarithms of base and factor. Where one of them is fixed, its row is empty.
    let [bb, bf, ff, b, f] = [0, 0, 0, 0, 0];
    lines.forEach(({ slope }, p) => {
      const expected = slopeOf({ base, factor }, p, lines.length);
      const difference = slope - expected;
      if (Math.abs(difference) > tolerance) return;
      const byBase = free ? (-p / lines.length) * expected : 0;
      const byFactor = start.factor === 1 ? 0 : -expected;
      bb += byBase * byBase;
      bf += byBase * byFactor;
      ff += byFactor * byFactor;
      b += byBase * difference;
      f += byFactor * difference;
    });
    const determinant = bb * ff - bf * bf;
    const both = determinant > 1e-12 * bb * ff && determinant > 0;
    const baseStep = both ? (ff * b - bf * f) / determinant : bb > 0 ? b / bb : 0;
    const factorStep = both ? (bb * f - bf * b) / determinant : bb === 0 && ff > 0 ? f / ff : 0;
    const next = { base: base * Math.exp(baseStep), factor: factor * Math.exp(factorStep) };
    if (!(next.base > 1 && next.base < Infinity && next.factor > 0 && next.factor < Infinity)) break;
    ({ base, factor } = next);
  }
  return { base, factor };
}

function slopeOf({ base, factor }: { base: number; factor: number }, p: number, frequencies: number): number {
  return base ** (-p / frequencies) / factor;
}

function linesOf(series: Series, frequencies: number, sign: number): Line[] {
  return Array.from({ length: frequencies }, (_, p) => {
    const slope = sign * slopeOf(series, p, frequencies);
    return { slope, phase: slope * series.offset };
  });
}

/** The lines that follow a series, and where none does, all of them. */
function following(
  lines: readonly MeasuredLine[],
  tolerance: number,
  series: { base: number; factor: number },
): readonly (MeasuredLine | undefined)[] {
  const follow = lines.map((line, p) => {
    const difference = line.slope - slopeOf(series, p, lines.length);
    return Math.abs(difference) <= tolerance ? line : undefined;
  });
  return follow.some((line) => line !== undefined) ? follow : lines;
}

/**
 * The position of row 0. The slowest frequency gives it within a turn, and each faster one sharpens it; the number of turns
 * is that for which the frequencies agree best at a whole position, or anywhere if they agree at none.
 */
function offsetOf(lines: readonly (MeasuredLine | undefined)[], series: { base: number; factor: number }): number {
  const known = lines
    .map((line, p) => {
      if (line === undefined) return undefined;
      const slope = slopeOf(series, p, lines.length);
      return { slope, phase: line.phase + (line.slope - slope) * line.middle, weight: line.agreement };
    })
    // A pair that does not turn once in all positions says nothing.
    .filter((line) => line !== undefined && line.weight > 0 && line.slope * MAX_POSITION > Math.PI)
    .reverse() as { slope: number; phase: number; weight: number }[];
  const [slowest] = known;
  if (slowest === undefined) return 0;
  const total = known.reduce((sum, { weight }) => sum + weight, 0);
  const disagreement = (offset: number) =>
    1 - known.reduce((sum, { slope, phase, weight }) => sum + weight * Math.cos(phase - slope * offset), 0) / total;

  // Rows that lie on no line have no offset to look for.
  const mostTurns = total > known.length / 2 ? MOST_TURNS : 0;
  let best = { offset: 0, whole: Infinity, any: Infinity };
  for (let turn = 0; turn <= mostTurns && best.whole > AGREED; ++turn) {
    for (const more of turn === 0 ? [0] : [turn, -turn]) {
      const start = (wrap(slowest.phase) + 2 * Math.PI * more) / slowest.slope;
      const offset = known.reduce(
        (sharper, { slope, phase }) => sharper + wrap(phase - slope * sharper) / slope,
        start,
      );
      if (Math.abs(offset) > MAX_POSITION) continue;
      const [whole, any] = [disagreement(Math.round(offset)), disagreement(offset)];
      const isBetter = Math.min(whole, best.whole) < DOUBTFUL ? whole < best.whole : any < best.any;
      if (isBetter) best = { offset, whole, any };
    }
  }
  let [step, weights] = [0, 0];
  for (const { slope, phase, weight } of known) {
    step += weight * slope * wrap(phase - slope * best.offset);
    weights += weight * slope * slope;
  }
  return best.offset + step / weights;
}

/**
 * The base to which the angles at the middle of the rows lead, which say more than the slopes where the offset is large: they
 * have come all the way from position 0.
 */
function baseByOffset(lines: readonly (MeasuredLine | undefined)[], tolerance: number, series: Series): Series {
  const offset = Math.round(series.offset);
  const known = lines.map((line, p) => {
    const slope = slopeOf(series, p, lines.length);
    if (line === undefined) return { slope: Infinity };
    const way = offset + line.middle;
    return { slope: slope + wrap(line.phase + line.slope * line.middle - slope * way) / way };
  });
  return { ...refine(known, tolerance, series, true), offset };
}

/** As few squares as makes no difference: by rounding of the data, or of the sums. */
function closeTo(squares: number, all: number): number {
  return 1.1 * squares + 1e-15 * all;
}

/** A number with one significant digit, with two, and so on. */
function roundings(value: number): number[] {
  return [1, 2, 3, 4, 5, 6].map((digits) => Number(value.toPrecision(digits))).filter((one) => one > 0 && one !== 1);
}
