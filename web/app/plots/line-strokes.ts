// The lines of a plot, with their bands and washes.

import { DASHES, type LineLayout, type LinePlotSpec } from './line-layout.js';
import type { Pen } from './pen.js';
import type { LineColor } from './theme.js';
import { type Values, addBand, addPoints, isDense, pixelsOf, pointsThatShow, runsTogether } from './trace.js';

/** How strongly the area is filled as which a line is seen whose turns run together. */
const RUN_TOGETHER = 0.25;

export function drawLines(at: LineLayout, pen: Pen, { x, series }: LinePlotSpec): void {
  const { context, theme } = pen;
  const { left, top, width, height } = at;
  const across = new Float64Array(x.length);
  for (let i = 0; i < across.length; i++) across[i] = at.x.place(x[i]!);
  const down = (values: Values): Float64Array => {
    const places = new Float64Array(across.length);
    for (let i = 0; i < places.length; i++) {
      const place = at.y.place(values[i] ?? NaN);
      places[i] = Number.isFinite(place) ? place : NaN;
    }
    return places;
  };
  const line = (y: Float64Array, color: LineColor, thickness: number): void => {
    const shown = isDense(across.length, width) ? pointsThatShow(across, y) : { x: across, y };
    if (isDense(across.length, width) && runsTogether(shown)) {
      context.fillStyle = theme.tint(color, RUN_TOGETHER);
      for (const rect of pixelsOf(shown)) context.fillRect(...rect);
    } else pen.stroke((path) => addPoints(path, shown.x, shown.y), color, thickness, DASHES[color]);
  };
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  for (const { values, band, wash, color, width: thickness = 2 } of series) {
    const upper = down(values);
    const lower = band && down(band.minimum);
    if (wash) pen.shape((path) => addBand(path, across, upper, at.y.place(0)), theme.color('wash'));
    if (lower) pen.shape((path) => addBand(path, across, upper, lower), theme.tint(color, band.opacity));
    line(upper, color, thickness);
    if (lower) line(lower, color, thickness * 0.7);
  }
  context.restore();
}
