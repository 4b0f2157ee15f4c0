// The cells of a heat map, its colour bars, its cursor, and the strip of all columns under a window of them.

import { barPicture } from './cell-picture.js';
import { type ColorScale, type ColorSummary, shareOf } from './colormap.js';
import { short, signed } from './format.js';
import {
  type Cell,
  type HeatMapLayout,
  type HeatMapPanel,
  type HeatMapSpec,
  type Span,
  diagonalIn,
} from './heatmap-layout.js';
import type { Pen, Rect } from './pen.js';

/** Everything that is drawn, and where. */
export interface Drawing {
  readonly pen: Pen;
  readonly spec: HeatMapSpec;
  readonly at: HeatMapLayout;
  readonly cursor: Cell | undefined;
}

/** A panel with its cells as a bitmap, and the left edge of its place. */
export interface PaintedPanel extends HeatMapPanel {
  readonly values: ArrayLike<number>;
  readonly bitmap: HTMLCanvasElement;
  readonly summary: ColorSummary;
  readonly x: number;
}

/** The place of a cell in a window of them, from 0; undefined outside. */
export function placeIn(span: Span, cell: number): number | undefined {
  return cell >= span.first && cell < span.first + span.count ? cell - span.first : undefined;
}

/** Upper edge of an enlarged row. */
export function lensY({ lens }: HeatMapLayout, row: number): number {
  return lens.top + row * lens.step;
}

export function drawCells({ pen, spec, at }: Drawing, { values, bitmap, summary, x }: PaintedPanel): void {
  const { rows, columns, mapWidth, mapHeight, top } = at;
  const draw = (first: number, count: number, y: number, height: number): void =>
    pen.context.drawImage(bitmap, columns.first, first, columns.count, count, x, y, mapWidth, height);
  draw(rows.first, rows.count, top, mapHeight);
  if (summary.masked) pen.hatch(maskedCells(values, spec.columns, at, x), [x, top, mapWidth, mapHeight]);
  for (let row = 0; row < (spec.lens?.labels.length ?? 0); row++) draw(row, 1, lensY(at, row), at.lens.height);
}

/** The cells that hold no finite number, those side by side as one. */
function maskedCells(values: ArrayLike<number>, width: number, at: HeatMapLayout, x: number): Rect[] {
  const { rows, columns, cellWidth, cellHeight, top } = at;
  const masked: Rect[] = [];
  const end = columns.first + columns.count;
  for (let row = rows.first; row < rows.first + rows.count; row++) {
    for (let column = columns.first; column < end; column++) {
      if (Number.isFinite(values[row * width + column])) continue;
      const start = column;
      while (column < end && !Number.isFinite(values[row * width + column])) column++;
      const y = top + (row - rows.first) * cellHeight;
      masked.push([x + (start - columns.first) * cellWidth, y, (column - start) * cellWidth, cellHeight]);
    }
  }
  return masked;
}

/** All columns in one strip below the map, with a box around those that are shown. */
export function drawOverview({ pen, spec, at }: Drawing, { bitmap, x }: PaintedPanel): void {
  if (!at.overview) return;
  const { y, height } = at.overview;
  pen.context.drawImage(bitmap, 0, 0, spec.columns, spec.rows, x, y, at.mapWidth, height);
  const share = at.mapWidth / spec.columns;
  const [from, to] = [at.columns.first, at.columns.first + at.columns.count].map((c) => Math.round(c * share));
  pen.cursorBox(x + from!, y, to! - from!, height);
}

export function drawCursor({ pen, spec, at, cursor }: Drawing, { bitmap, x }: PaintedPanel): void {
  if (!cursor) return;
  const [row, column] = [placeIn(at.rows, cursor.row), placeIn(at.columns, cursor.column)];
  if (row === undefined || column === undefined) return;
  const { rows, columns, cellWidth, cellHeight } = at;
  const left = x + column * cellWidth;
  if (spec.guide === 'column') pen.brackets(left, at.top, cellWidth, at.mapHeight);
  const offset = cursor.column - cursor.row;
  const diagonal = spec.guide === 'diagonal' && diagonalIn(rows, columns, offset);
  if (diagonal) {
    pen.cursorLine(
      diagonal.map((along) => [
        x + (along + offset - columns.first + 0.5) * cellWidth,
        at.top + (along - rows.first + 0.5) * cellHeight,
      ]),
    );
  }
  const isEnlarged = cursor.row < (spec.lens?.labels.length ?? 0);
  const box: Rect = [
    left,
    isEnlarged ? lensY(at, cursor.row) : at.top + row * cellHeight,
    cellWidth,
    isEnlarged ? at.lens.height : cellHeight,
  ];
  pen.fill(...box, 'paper');
  pen.context.drawImage(bitmap, cursor.column, cursor.row, 1, 1, ...box);
  pen.cursorBox(...box);
}

/** The colours of a panel's scale; with its numbers, marks at the ends that some lie beyond, and at the cursor's. */
export function drawBar({ pen, spec, at, cursor }: Drawing, index: number, painted: PaintedPanel | undefined): void {
  const { bar } = at.panels[index]!;
  if (!bar) return;
  const { scale } = spec.panels[index]!;
  const { x, y, length } = bar;
  const vertical = !at.compact;
  const thickness = pen.px(vertical ? 9 : 8);
  const box: Rect = vertical ? [x, y, thickness, length] : [x, y, length, thickness];
  pen.context.drawImage(barPicture(scale, length, vertical, pen.theme), ...box);
  pen.frame(...box, 'rule');

  // Distance along the bar of a share of its range: upwards, or to the right.
  const along = (share: number): number => (vertical ? y + length * (1 - share) : x + length * share);
  for (const [share, text] of barLabels(scale)) {
    const place = Math.min(Math.floor(along(share)), (vertical ? y : x) + length - 1);
    if (vertical) {
      pen.horizontal(x + thickness + pen.hairline, x + thickness + pen.px(4), place, 'ink-3');
      pen.text(text, x + thickness + pen.px(7), place, { align: 'left' });
    } else {
      pen.vertical(place, y + thickness + pen.hairline, y + thickness + pen.px(4), 'ink-3');
      pen.text(text, place, y + thickness + pen.px(13));
    }
  }
  if (!painted) return;
  const end = (share: 0 | 1): void => {
    const outwards = vertical === share > 0.5 ? -1 : 1;
    const tip = along(share) + outwards * (pen.px(6) + 1);
    if (vertical) pen.triangle(x + thickness / 2, tip, share === 1 ? 'up' : 'down', 'edge');
    else pen.triangle(tip, y + thickness / 2, share === 1 ? 'right' : 'left', 'edge');
  };
  if (painted.summary.above) end(1);
  if (painted.summary.below) end(0);
  const value = cursor && painted.values[cursor.row * spec.columns + cursor.column];
  if (value === undefined || !Number.isFinite(value)) return;
  const place = along(shareOf(scale, value));
  if (vertical) pen.triangle(x - pen.px(2), place, 'right', 'ink');
  else pen.triangle(place, y - pen.px(2), 'down', 'ink');
}

function barLabels(scale: ColorScale): readonly (readonly [share: number, text: string])[] {
  switch (scale.map) {
    case 'diverging':
      return [
        [0, signed(-scale.limit)],
        [0.5, '0'],
        [1, signed(scale.limit)],
      ];
    case 'sequential':
      return [
        [0, '0'],
        [1, short(scale.limit)],
      ];
    case 'cyclic':
      return [
        [0, '0'],
        [0.5, 'π'],
        [1, '2π'],
      ];
  }
}
