// Where the parts of a heat map stand. All lengths are whole device pixels unless they are called CSS.

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
