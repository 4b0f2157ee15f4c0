// The paths of lines and of the areas between them.

import type { DrawingContext } from './drawing-context.js';
import type { Rect } from './pen.js';

/** A number, or null or NaN where there is none. */
export type Values = ArrayLike<number | null>;

/** One direction of a plotted area: what stands where, in device pixels. */
export interface Scale {
  /** Place of a number. */
  place(value: number): number;
  /** The number at a place. */
  valueAt(place: number): number;
}

/** A scale from `minimum` at the place `start` to `maximum` at `end`. */
export function scaleOf(
  { minimum, maximum, scale = 'linear' }: { minimum: number; maximum: number; scale?: 'linear' | 'log' },
  start: number,
  end: number,
): Scale {
  const { forth, back } = bothWays(scale);
  const low = forth(minimum);
  const perUnit = (end - start) / (forth(maximum) - low);
  return {
    place: (value) => start + (forth(value) - low) * perUnit,
    valueAt: (place) => back(low + (place - start) / perUnit),
  };
}

/** From a number to what an axis has evenly spaced, and back. */
export function bothWays(scale: 'linear' | 'log' | undefined): Record<'forth' | 'back', (x: number) => number> {
  return scale === 'log' ? { forth: Math.log, back: Math.exp } : { forth: (x) => x, back: (x) => x };
}

/** The number at an index; undefined where there is none. */
export function numberAt(values: Values, index: number): number | undefined {
  const value = values[index];
  return value === null || value === undefined || !Number.isFinite(value) ? undefined : value;
}

/** Adds the line through all points to the path, parted where there is no number. Places are device pixels. */
export function addPoints(path: DrawingContext, x: Float64Array, y: Float64Array): void {
  let parted = true;
  for (let i = 0; i < x.length; i++) {
    if (Number.isNaN(y[i])) parted = true;
    else if (parted) path.moveTo(x[i]!, y[i]!);
    else path.lineTo(x[i]!, y[i]!);
    if (!Number.isNaN(y[i])) parted = false;
  }
}

/** Adds the areas between two lines to the path, or between a line and a level, parted where there is no number. */
export function addBand(
  path: DrawingContext,
  x: Float64Array,
  upper: Float64Array,
  lower: Float64Array | number,
): void {
  const isThere = (i: number): boolean =>
    !Number.isNaN(upper[i]!) && !(typeof lower === 'object' && Number.isNaN(lower[i]!));
  for (let first = 0; first < x.length; first++) {
    if (!isThere(first)) continue;
    let end = first;
    while (end < x.length && isThere(end)) end++;
    path.moveTo(x[first]!, upper[first]!);
    for (let i = first + 1; i < end; i++) path.lineTo(x[i]!, upper[i]!);
    for (let i = end - 1; i >= first; i--) path.lineTo(x[i]!, typeof lower === 'number' ? lower : lower[i]!);
    path.closePath();
    first = end;
  }
}

/** More points than this in a pixel column, and only those that show are drawn. */
const MOST_PER_COLUMN = 4;

/**
 * The points of a line that show: of those in one pixel column the first, the last, the lowest and the highest. A line
 * through these covers the same pixels as one through all of them. Points ascend in x; NaN in y stays where it parts.
 */
export function pointsThatShow(x: Float64Array, y: Float64Array): { x: Float64Array; y: Float64Array } {
  const kept = new Uint32Array(x.length);
  let count = 0;
  for (let first = 0; first < x.length;) {
    const edge = Math.floor(x[first]!) + 1;
    let [low, high, end] = [first, first, first + 1];
    // A comparison with NaN is false.
    if (y[first]! <= Infinity) {
      for (; end < x.length && x[end]! < edge && y[end]! <= Infinity; end++) {
        if (y[end]! < y[low]!) low = end;
        else if (y[end]! > y[high]!) high = end;
      }
    }
    kept[count++] = first;
    for (const next of [Math.min(low, high), Math.max(low, high), end - 1]) {
      if (next > kept[count - 1]!) kept[count++] = next;
    }
    first = end;
  }
  const shown = kept.subarray(0, count);
  return { x: Float64Array.from(shown, (i) => x[i]!), y: Float64Array.from(shown, (i) => y[i]!) };
}

/** Whether a line has many more points than pixel columns. */
export function isDense(points: number, columns: number): boolean {
  return points > MOST_PER_COLUMN * columns;
}

/** Rises and falls of more than this in a pixel column, and the turns of a line run together. */
const MOST_RISE = 10;

/** Whether a line, which is in every one of its pixel columns, goes up and down so often that it is seen as an area. */
export function runsTogether({ x, y }: { readonly x: Float64Array; readonly y: Float64Array }): boolean {
  let rise = 0;
  for (let i = 1; i < x.length; i++) {
    if (!(x[i]! - x[i - 1]! <= 1)) return false;
    rise += Math.abs(y[i]! - y[i - 1]!);
  }
  return rise > MOST_RISE * (x.at(-1)! - x[0]!);
}

/** The whole pixels that such a line touches: a rectangle for each column, or for several that are alike. */
export function pixelsOf({ x, y }: { readonly x: Float64Array; readonly y: Float64Array }): Rect[] {
  const rects: [x: number, y: number, width: number, height: number][] = [];
  for (let i = 0; i < x.length;) {
    const column = Math.floor(x[i]!);
    let [top, bottom] = [y[i]!, y[i]!];
    // From half way to the column before, to half way to the one after.
    if (i > 0) [top, bottom] = [Math.min(top, (top + y[i - 1]!) / 2), Math.max(bottom, (bottom + y[i - 1]!) / 2)];
    for (; i < x.length && Math.floor(x[i]!) === column; i++) {
      const next = i + 1 < x.length ? (y[i]! + y[i + 1]!) / 2 : y[i]!;
      [top, bottom] = [Math.min(top, y[i]!, next), Math.max(bottom, y[i]!, next)];
    }
    const [from, to] = [Math.floor(top), Math.ceil(bottom)];
    const before = rects.at(-1);
    if (before && before[0] + before[2] === column && before[1] === from && before[3] === to - from) before[2]++;
    else rects.push([column, from, 1, to - from]);
  }
  return rects;
}
