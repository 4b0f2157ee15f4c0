// What stands on and beside the lines of a plot: a level, marks, the cursor, and names.

import {
  DASHES,
  type LineLayout,
  type LineMark,
  type LinePlotSpec,
  NAMES,
  isNamed,
  isPale,
  labelStyle,
  nearest,
} from './line-layout.js';
import { LABEL_GAP, type Pen, type Point, TEXT } from './pen.js';
import type { LineColor } from './theme.js';
import { placeLabels, spread } from './ticks.js';
import { type Values, numberAt } from './trace.js';

/** Least distance of names at the ends of lines, CSS pixels. */
const NAME_HEIGHT = 18;

export function drawAnnotations(at: LineLayout, pen: Pen, spec: LinePlotSpec, cursor: number | undefined): void {
  const level = spec.threshold && Math.round(at.y.place(spec.threshold.y)) + 0.5;
  if (level !== undefined) drawLevel(at, pen, level);
  const drawMarkTexts = drawMarks(at, pen, spec.marks ?? []);
  if (cursor !== undefined) drawCursor(at, pen, spec, cursor);
  // Words go over the cursor's line, which would cut them.
  if (level !== undefined) drawLevelName(at, pen, level, spec.threshold!.label);
  drawNames(at, pen, spec);
  drawMarkTexts();
}

function drawLevel({ left, width }: LineLayout, pen: Pen, y: number): void {
  const line = [
    [left, y],
    [left + width, y],
  ] as const;
  pen.polyline(line, 'ink-2', 1, [5, 4]);
}

function drawLevelName({ left }: LineLayout, pen: Pen, y: number, name: string): void {
  // Grid lines would strike its words through.
  pen.fill(left + pen.px(4), y - pen.px(16), pen.measure(name) + pen.px(4), pen.px(14), 'paper');
  pen.text(name, left + pen.px(6), y - pen.px(9), { align: 'left', color: 'ink-2', halo: true });
}

/** Draws the marks and answers with what draws their texts. */
function drawMarks(at: LineLayout, pen: Pen, marks: readonly LineMark[]): () => void {
  const placeOf = ({ x, y }: LineMark): Point => [at.x.place(x), at.y.place(y)];
  for (const mark of marks) {
    const [x, y] = placeOf(mark);
    if (mark.kind === 'tick') pen.vertical(Math.round(x), y - pen.px(8), y - pen.px(2), mark.color, pen.px(1.5));
  }
  const style = ({ strong }: LineMark) =>
    ({ size: TEXT.title, weight: strong ? 650 : 400, color: 'ink', halo: true }) as const;
  const rings = marks
    .filter((mark) => mark.kind === 'ring')
    .map((mark) => {
      const [middle, y] = placeOf(mark);
      const text = at.compact ? (mark.brief ?? mark.text) : mark.text;
      const width = text === undefined ? pen.px(10) : pen.measure(text, style(mark));
      return { mark, text, middle, y, width, weight: mark.strong ? 1 : 0 };
    });
  // Names at one height compete for the room along it; a ring loses its name's place, not its own.
  const rows = new Map<number, typeof rings>();
  for (const ring of rings) {
    const row = [...rows.keys()].find((y) => Math.abs(y - ring.y) < pen.px(16)) ?? ring.y;
    rows.set(row, [...(rows.get(row) ?? []), ring]);
  }
  const right = at.left + at.width + pen.px(2);
  const placed = [...rows.values()].flatMap((row) => placeLabels(row, pen.px(LABEL_GAP), 0, right));
  for (const { label } of placed) pen.dot(label.middle, label.y, label.mark.color, 'ring');
  return () => {
    for (const { label, middle } of placed) {
      pen.text(label.text ?? '', middle, label.y - pen.px(16), style(label.mark));
    }
  };
}

function drawCursor(at: LineLayout, pen: Pen, spec: LinePlotSpec, index: number): void {
  const value = spec.x[index];
  if (value === undefined || value < spec.xAxis.minimum || value > spec.xAxis.maximum) return;
  const x = Math.round(at.x.place(value)) + 0.5;
  const line = [
    [x, at.top - pen.px(2)],
    [x, at.top + at.height + pen.px(6)],
  ] as const;
  pen.cursorLine(line, 'ink', 1.5);
  for (const { values, color, dot = true } of spec.series) {
    const y = numberAt(values, index);
    if (dot && y !== undefined) pen.dot(x, at.y.place(y), color, 'filled');
  }
}

function drawNames(at: LineLayout, pen: Pen, spec: LinePlotSpec): void {
  const { left, top, width, height } = at;
  if (at.compact) {
    at.names.forEach((names, row) => {
      let x = left + width;
      for (const { name, color } of [...names].reverse()) {
        x -= sampleWidth(pen, name);
        drawSample(pen, name, color, x, pen.px(12 + row * NAMES.row));
        x -= pen.px(NAMES.gap);
      }
    });
  } else {
    const ends = at.names.flat();
    const wanted = ends.map((series) => at.y.place(series.labelY ?? lastOf(series.values)));
    spread(wanted, pen.px(NAME_HEIGHT), top + pen.px(7), top + height - pen.px(7)).forEach((y, k) => {
      drawName(pen, ends[k]!.name, ends[k]!.color, left + width + pen.px(12), y, 'left');
    });
  }
  for (const { name, color, values, place } of spec.series.filter(isNamed)) {
    if (typeof place !== 'object') continue;
    const value = numberAt(values, nearest(spec.x, place.x));
    if (value === undefined) continue;
    const y = at.y.place(value) + pen.px(place.side === 'above' ? -13 : 14);
    drawName(pen, name, color, at.x.place(place.x), y, 'center');
  }
}

/** A name at its curve: in the line's colour where that is dark enough for text. */
function drawName(pen: Pen, name: string, color: LineColor, x: number, y: number, align: 'left' | 'center'): void {
  if (isPale(color, pen.theme)) drawSample(pen, name, color, align === 'left' ? x : x - sampleWidth(pen, name) / 2, y);
  else pen.text(name, x, y, { ...labelStyle(color), align, halo: true });
}

function sampleWidth(pen: Pen, name: string): number {
  return pen.measure(name, labelStyle('ink')) + pen.px(NAMES.sample + 6);
}

/** A name in ink after a sample of its line. */
function drawSample(pen: Pen, name: string, color: LineColor, x: number, y: number): void {
  const line = [
    [x, Math.round(y)],
    [x + pen.px(NAMES.sample), Math.round(y)],
  ] as const;
  pen.polyline(line, color, 2.5, DASHES[color]);
  pen.text(name, x + pen.px(NAMES.sample + 6), y, { ...labelStyle('ink'), align: 'left', halo: true });
}

function lastOf(values: Values): number {
  for (let i = values.length - 1; i >= 0; i--) {
    const value = numberAt(values, i);
    if (value !== undefined) return value;
  }
  return 0;
}
