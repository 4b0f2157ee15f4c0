// What a plot of lines shows, and where its parts stand.

import { powerOfTen, short } from './format.js';
import { LABEL_GAP, type Pen, TEXT, type TextStyle } from './pen.js';
import type { LineColor, Theme } from './theme.js';
import { decadeTicks, linearTicks } from './ticks.js';
import { type Scale, type Values, scaleOf } from './trace.js';

export interface LineAxis {
  /** Stands at the end of the axis, with the unit: "distance Δ, tokens". */
  readonly title: string;
  readonly minimum: number;
  readonly maximum: number;
  /** Linear when not given. */
  readonly scale?: 'linear' | 'log';
  /** Chosen ticks; round numbers when not given. */
  readonly ticks?: readonly { readonly at: number; readonly label: string }[];
}

/** Where a line's name stands: right of its end, or beside the curve at an x. */
export type LabelPlace = 'end' | { readonly x: number; readonly side: 'above' | 'below' };

export interface LineSeries {
  /** Not drawn when not given: for the only line of a plot, which the y axis names. */
  readonly name?: string;
  readonly color: LineColor;
  /** One number per x; null (or NaN) where there is none, or none yet. */
  readonly values: Values;
  /** Lower edge of a band whose upper edge is `values`, and how strongly the area between them is filled. */
  readonly band?: { readonly minimum: Values; readonly opacity: number };
  /** Fills the area down to zero with the wash colour. */
  readonly wash?: boolean;
  /** CSS pixels; 2 when not given. */
  readonly width?: number;
  /** Whether the cursor marks its point with a dot, as it does when not given: not for one of many that show a spread. */
  readonly dot?: boolean;
  /** Right of the line's end when not given. */
  readonly place?: LabelPlace;
  /** The y at which an end label wants to stand; the last value when not given. */
  readonly labelY?: number;
}

export interface LineMark {
  readonly x: number;
  readonly y: number;
  readonly color: LineColor;
  /** A ring with its text above, or a short tick above the curve. */
  readonly kind: 'ring' | 'tick';
  readonly text?: string;
  /** Stands for the text where the plot is narrow. */
  readonly brief?: string;
  /** The text that stays when others collide with it, in bold. */
  readonly strong?: boolean;
}

export interface LinePlotSpec {
  /** Accessible name of the picture. */
  readonly label: string;
  /** Ascending. */
  readonly x: ArrayLike<number>;
  readonly xAxis: LineAxis;
  readonly yAxis: LineAxis;
  /** CSS pixels of the plotted area. */
  readonly height: number;
  readonly series: readonly LineSeries[];
  /** Index of the x at which the cursor stands. */
  readonly cursor?: number | undefined;
  readonly marks?: readonly LineMark[];
  /** A dashed level, such as a tolerance. */
  readonly threshold?: { readonly y: number; readonly label: string };
  /** Rows of small ticks under the x axis, such as the wavelengths. */
  readonly rugs?: {
    readonly title: string;
    readonly rows: readonly { readonly name: string; readonly color: LineColor; readonly at: ArrayLike<number> }[];
  };
  /** Least space left of the plotted area, CSS pixels. */
  readonly left?: number;
  /** The plotted area of another plot with the same x axis. */
  readonly area?: { readonly left: number; readonly width: number };
}

/** Where everything stands: whole device pixels and the scales of the plotted area, and the height of the picture, CSS. */
export interface LineLayout {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly x: Scale;
  readonly y: Scale;
  readonly compact: boolean;
  /** Of the picture. */
  readonly whole: { readonly width: number; readonly cssHeight: number };
  /** Lines named at their end; in a narrow plot above it, in rows from the right. */
  readonly names: readonly (readonly NamedSeries[])[];
}

export type NamedSeries = LineSeries & { readonly name: string };

export const RUG_ROW = 15;
/** Of the names above a narrow area: height of a row, width of a sample of the line, and space between two names. */
export const NAMES = { row: 20, sample: 16, gap: 16 };
/** Dashes in the order of the line colours: the first two lines are solid. */
export const DASHES: Record<LineColor, number[]> = { 1: [], 2: [], 3: [6, 3], 4: [2, 3], 5: [8, 3, 2, 3], 6: [12, 4] };
/** Line colours too pale for text on light paper: their labels are ink after a sample of the line. */
const PALE: readonly LineColor[] = [3, 5];

/** Finds the place of everything in a picture of a width, device pixels. */
export function arrange(
  spec: LinePlotSpec,
  pen: Pen,
  { width, compact }: { readonly width: number; readonly compact: boolean },
): LineLayout {
  const names = compact ? rowsOfNames(spec, pen, width) : [spec.series.filter(isNamedAtEnd)];
  const isMarked = spec.marks?.some((mark) => mark.text !== undefined) ?? false;
  const rugs = spec.rugs ? spec.rugs.rows.length * RUG_ROW + 9 : 0;
  const top = (isMarked ? 50 : 28) + (names.length - 1) * NAMES.row;
  const bottom = (spec.xAxis.title || spec.rugs ? 46 : 28) + rugs;
  const cssHeight = top + spec.height + bottom;
  const sides = spec.area
    ? { left: pen.px(spec.area.left), width: Math.max(1, pen.px(spec.area.width)) }
    : sidesOf(spec, pen, width, compact);
  const area = {
    ...sides,
    top: pen.px(top),
    height: Math.round(cssHeight * pen.ratio) - pen.px(top) - pen.px(bottom),
  };
  return {
    ...area,
    x: scaleOf(spec.xAxis, area.left, area.left + area.width),
    y: scaleOf(spec.yAxis, area.top + area.height, area.top),
    compact,
    whole: { width, cssHeight },
    names,
  };
}

/** The first row of names stands beside the title of the y axis, with as many as there is room for. */
function rowsOfNames(spec: LinePlotSpec, pen: Pen, width: number): NamedSeries[][] {
  const rows: NamedSeries[][] = [[]];
  const title = pen.px(spec.left ?? 44) + pen.measure(spec.yAxis.title, { size: TEXT.title }) + pen.px(LABEL_GAP);
  let room = width - title;
  for (const series of spec.series.filter(isNamedAtEnd)) {
    const taken = pen.measure(series.name, labelStyle('ink')) + pen.px(NAMES.sample + 6 + NAMES.gap);
    if (taken > room) {
      rows.push([]);
      room = width;
    }
    rows.at(-1)!.push(series);
    room -= taken;
  }
  return rows;
}

/** Room for the numbers on the left and for names on the right. */
function sidesOf(spec: LinePlotSpec, pen: Pen, width: number, compact: boolean): { left: number; width: number } {
  const css = (text: string, style: TextStyle): number => pen.measure(text, style) / pen.ratio;
  const ticks = ticksOf(spec.yAxis, 5).map(({ label }) => css(label, {}) + 14);
  const left = pen.px(Math.ceil(Math.max(spec.left ?? (compact ? 44 : 58), ...ticks)));
  const names = compact ? [] : spec.series.filter(isNamedAtEnd);
  const rugs = compact ? [] : (spec.rugs?.rows ?? []);
  const right = Math.max(
    16,
    ...names.map(({ name, color }) => css(name, labelStyle(color)) + (isPale(color, pen.theme) ? 42 : 20)),
    ...rugs.map(({ name }) => css(name, { size: TEXT.title }) + 20),
  );
  return { left, width: Math.max(1, width - left - pen.px(Math.ceil(right))) };
}

/** The ticks of an axis: those that were chosen, or round numbers. */
export function ticksOf(axis: LineAxis, count: number): readonly { at: number; label: string }[] {
  if (axis.ticks) return axis.ticks;
  if (axis.scale !== 'log') {
    return linearTicks(axis.minimum, axis.maximum, count).map((at) => ({ at, label: short(at) }));
  }
  return decadeTicks(axis.minimum, axis.maximum).map((at) => ({ at, label: powerOfTen(Math.round(Math.log10(at))) }));
}

export function isNamed(series: LineSeries): series is NamedSeries {
  return series.name !== undefined;
}

function isNamedAtEnd(series: LineSeries): series is NamedSeries {
  return isNamed(series) && (series.place === undefined || series.place === 'end');
}

export function labelStyle(color: LineColor | 'ink'): TextStyle {
  return { size: TEXT.label, weight: 650, color };
}

export function isPale(color: LineColor, theme: Theme): boolean {
  return theme.scheme === 'light' && PALE.includes(color);
}

/** Index of the number of an ascending list nearest to `value`. */
export function nearest(list: ArrayLike<number>, value: number): number {
  let [low, high] = [0, list.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (list[middle]! <= value) low = middle;
    else high = middle;
  }
  return Math.abs(list[low]! - value) <= Math.abs(list[high]! - value) ? low : high;
}
