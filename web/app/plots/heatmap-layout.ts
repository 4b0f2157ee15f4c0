// What a heat map shows, and where its parts stand. All lengths are whole device pixels unless they are called CSS.

import type { ColorScale } from './colormap.js';
import { short } from './format.js';
import type { Pen } from './pen.js';

export interface Cell {
  readonly row: number;
  readonly column: number;
}

export interface HeatMapPanel {
  /** Shown above the panel. */
  readonly title?: string;
  /** Row-major [rows, columns]; null leaves the panel blank at its final size. Numbers that are not finite are hatched. */
  readonly values: ArrayLike<number> | null;
  readonly scale: ColorScale;
  /** Whether a colour bar stands beside it (below it where the plot is narrow). */
  readonly bar?: boolean;
}

export interface CellAxis {
  /** Stands at the end of the axis, with its arrow: "↓ position", "key n →". */
  readonly title: string;
  /** Number of the first cell; 0 when not given. */
  readonly start?: number;
  /** Names of the cells instead of numbers, such as the tokens. Columns show the cursor's, or `all` that fit. */
  readonly labels?: readonly string[];
  readonly columnNames?: 'cursor' | 'all';
  /** Colour of the title and of the cursor's label, where the axis is that of queries or keys. */
  readonly color?: 'q' | 'k';
}

export interface HeatMapSpec {
  /** Accessible name of the picture. */
  readonly label: string;
  readonly rows: number;
  readonly columns: number;
  readonly panels: readonly HeatMapPanel[];
  readonly shape: CellShape;
  readonly rowAxis: CellAxis;
  readonly columnAxis: CellAxis;
  /** A second axis above the columns; `column` may be fractional, and is the middle of a cell when whole. */
  readonly topAxis?: { readonly title: string; readonly ticks: readonly { column: number; label: string }[] };
  /** The first rows once more, enlarged and named, above the map. */
  readonly lens?: { readonly labels: readonly string[]; readonly caption: string };
  readonly cursor?: Cell | undefined;
  /** What is drawn through the cursor's cell: its column, or the diagonal on which column − row is the same. */
  readonly guide?: 'column' | 'diagonal';
  /** Least space left of the first panel for row labels, CSS pixels, so that it does not change with the labels. */
  readonly left?: number;
}

/** A map that would fill less than this share of its frame with whole-pixel cells shows a window of its columns. */
export const LEAST_FILL = 0.7;

/** How large cells are: square and at most `maximum` CSS pixels, or filling the width at a height of the whole map. */
export type CellShape =
  { readonly cells: 'square'; readonly maximum?: number } | { readonly cells: 'fill'; readonly height: number };

/** The visible cells along one axis. */
export interface Span {
  readonly first: number;
  readonly count: number;
}

export interface CellSize {
  readonly width: number;
  readonly height: number;
  /** Columns that fit; fewer than there are when the map shows a window. */
  readonly columns: number;
}

/**
 * Cell size of a map with `columns` in a frame `frame` pixels wide. Cells are whole pixels: where that would leave more
 * than 30 % of the frame empty, they are one pixel wider and only as many columns as fit are shown.
 */
export function cellSize(frame: number, rows: number, columns: number, shape: CellShape, ratio: number): CellSize {
  let width = Math.floor(frame / columns);
  const limit = shape.cells === 'square' ? Math.max(1, Math.floor((shape.maximum ?? Infinity) * ratio)) : Infinity;
  if (width > limit) width = limit;
  else if (width < 1 || (width * columns < LEAST_FILL * frame && width < limit)) width += 1;
  const height = shape.cells === 'square' ? width : Math.max(1, Math.floor((shape.height * ratio) / rows));
  return { width, height, columns: Math.min(columns, Math.floor(frame / width)) };
}

/** Moves a window of `count` of `length` cells as little as needed to contain `cell`. */
export function scrollTo(span: Span, length: number, cell: number): Span {
  const count = Math.min(span.count, length);
  let first = Math.min(Math.max(span.first, cell - count + 1), cell);
  first = Math.min(Math.max(first, 0), length - count);
  return { first, count };
}

/** The part of a diagonal column − row = `offset` that lies in a window, as its first and last cell. */
export function diagonalIn(rows: Span, columns: Span, offset: number): [first: number, last: number] | undefined {
  const first = Math.max(rows.first, columns.first - offset);
  const last = Math.min(rows.first + rows.count, columns.first + columns.count - offset) - 1;
  return first <= last ? [first, last] : undefined;
}

/** What of a map is in view: its first cell, a cell to be scrolled to, and how many times cells are enlarged. */
export interface HeatMapView {
  readonly cursor: Cell | undefined;
  readonly first: Cell;
  readonly shown: Cell | undefined;
  readonly zoom: number;
}

export interface HeatMapLayout {
  readonly width: number;
  readonly height: number;
  readonly compact: boolean;
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly rows: Span;
  readonly columns: Span;
  /** Columns that are in view where nothing is enlarged. */
  readonly fitting: number;
  /** Upper edge of the first enlarged row and height of one, with its gap and without; upper edge of the map. */
  readonly lens: { readonly top: number; readonly step: number; readonly height: number };
  readonly top: number;
  readonly mapWidth: number;
  readonly mapHeight: number;
  readonly panels: readonly {
    readonly x: number;
    readonly bar: { readonly x: number; readonly y: number; readonly length: number } | undefined;
  }[];
  /** Room for the name of a row. */
  readonly nameWidth: number;
  /** Middles of the rows of text below the map. */
  readonly ticksY: number;
  readonly titlesY: number;
  readonly overview: { readonly y: number; readonly height: number } | undefined;
}

const LENS_GAP = 3;
/** Names of rows take at most this share of the width, or the space a figure leaves; what is longer ends in an ellipsis. */
const MOST_FOR_NAMES = 0.2;
const OVERVIEW_HEIGHT = 14;

/** Finds the place of everything in a picture of a width. */
export function arrange(
  spec: HeatMapSpec,
  view: HeatMapView,
  pen: Pen,
  { width, compact }: { readonly width: number; readonly compact: boolean },
): HeatMapLayout {
  const px = (length: number): number => pen.px(length);
  const { rowAxis, columnAxis, panels, lens } = spec;
  const names = [...(rowAxis.labels ?? []), ...(lens?.labels ?? [])];
  const longest = Math.max(0, ...names.map((name) => pen.measure(name, nameStyle(spec, compact))));
  const nameWidth = Math.min(
    Math.ceil(longest),
    Math.max(Math.floor(MOST_FOR_NAMES * width), px(spec.left ?? 0)) - px(14),
  );
  const lastRow = short((rowAxis.start ?? 0) + spec.rows - 1);
  const numberWidth = rowAxis.labels ? 0 : pen.measure(lastRow, { weight: 650 });
  const left = Math.max(px(spec.left ?? (compact ? 44 : 58)), Math.max(nameWidth, Math.ceil(numberWidth)) + px(14));
  const barSpace = (panel: HeatMapPanel): number => (panel.bar && !compact ? px(58) : 0);
  const gap = px(compact ? 12 : 26);
  const bars = panels.reduce((sum, panel) => sum + barSpace(panel), 0);
  const right = compact || !panels.at(-1)?.bar ? px(4) : 0;
  const frame = Math.floor((width - left - right - (panels.length - 1) * gap - bars) / panels.length);

  const fitted = cellSize(frame, spec.rows, spec.columns, spec.shape, pen.ratio);
  const shown = (count: number): number => Math.max(1, Math.floor(count / view.zoom));
  const cell = view.shown ?? view.first;
  const rows = scrollTo({ first: view.first.row, count: shown(spec.rows) }, spec.rows, cell.row);
  const columns = scrollTo({ first: view.first.column, count: shown(fitted.columns) }, spec.columns, cell.column);
  const [cellWidth, cellHeight] = [fitted.width * view.zoom, fitted.height * view.zoom];
  const mapWidth = cellWidth * columns.count;
  const wholeHeight = fitted.height * spec.rows;

  const enlarged = px(compact ? 15 : 20);
  const lensTop = px(spec.topAxis ? 44 : panels.some((panel) => panel.title) ? 26 : 8);
  const step = enlarged + px(LENS_GAP);
  const top = lensTop + (lens ? lens.labels.length * step + px(20) : 0);
  const bottom = top + wholeHeight;
  const titlesY = bottom + px(columnAxis.labels && !view.cursor ? 14 : 31);
  const end = titlesY + px(11);
  const isWindow = columns.count < spec.columns;
  const below = isWindow ? end + px(4) + px(OVERVIEW_HEIGHT + 6) : end;

  let x = left;
  const places = panels.map((panel) => {
    const place = { x, bar: panel.bar ? placeBar(pen, compact, x, top, mapWidth, wholeHeight, below) : undefined };
    x += mapWidth + barSpace(panel) + gap;
    return place;
  });
  return {
    width,
    height: below + (compact && panels.some((panel) => panel.bar) ? px(42) : 0),
    compact,
    cellWidth,
    cellHeight,
    rows,
    columns,
    fitting: fitted.columns,
    lens: { top: lensTop, step, height: enlarged },
    top,
    mapWidth,
    mapHeight: cellHeight * rows.count,
    panels: places,
    nameWidth,
    ticksY: bottom + px(14),
    titlesY,
    overview: isWindow ? { y: end + px(4), height: px(OVERVIEW_HEIGHT) } : undefined,
  };
}

/** A colour bar stands right of its panel, or under its right end where the map is narrow. */
function placeBar(pen: Pen, compact: boolean, x: number, top: number, width: number, height: number, below: number) {
  if (!compact) return { x: x + width + pen.px(18), y: top, length: height };
  const length = Math.max(pen.px(24), Math.min(pen.px(120), width - pen.px(36)));
  return { x: x + width - length - pen.px(14), y: below + pen.px(10), length };
}

/** Names of rows: the words themselves, in the size of the text around them. */
export function nameStyle({ lens }: HeatMapSpec, compact: boolean) {
  return lens
    ? ({ size: compact ? 14 : 15, weight: 500, color: 'ink' } as const)
    : ({ size: compact ? 10.5 : 12.5, color: 'ink-2' } as const);
}
