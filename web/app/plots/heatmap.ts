// A heat map on a canvas of our own: every cell is a whole number of device pixels and none is ever resampled. It draws
// numbers and knows nothing of what they are. One or more panels side by side share rows, columns, cells and cursor.

import {
  type ColorMapName,
  type ColorScale,
  type ColorSummary,
  type ColorTable,
  colorize,
  shareOf,
} from './colormap.js';
import { short, signed } from './format.js';
import { type CellShape, type Span, cellSize, diagonalIn, scrollTo } from './heatmap-layout.js';
import { COMPACT, LABEL_GAP, Pen, type Rect, TEXT } from './pen.js';
import { type Plot, registerPlot } from './plot.js';
import { onAppearanceChange, onDeviceWidth, oncePerFrame } from './screen.js';
import { Taps } from './taps.js';
import { Theme, themeOf, themedTable } from './theme.js';
import { cellTicks, placeLabels } from './ticks.js';

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
  /** What is drawn through the cursor's cell: its column, or the diagonal on which column − row is the same. */
  readonly guide?: 'column' | 'diagonal';
  /** Least space left of the first panel for row labels, CSS pixels, so that it does not change with the labels. */
  readonly left?: number;
}

/** Where a panel's cells stand, CSS pixels from the element's left edge: for plots that share its columns as axis. */
export interface PanelArea {
  readonly left: number;
  readonly width: number;
}

export interface HeatMapEvents {
  /** The reader has moved the cursor, by pointer or key; `panel` is the one last pointed at, 0 before. */
  readonly onCursor?: (cell: Cell, panel: number) => void;
  /** The panels have a new place. */
  readonly onLayout?: (panels: readonly PanelArea[]) => void;
}

const PAGE_STEP = 10;
const LARGEST_ZOOM = 8;
const LENS_GAP = 3;
/** Names of rows take at most this share of the width, or the space a figure leaves; what is longer ends in an ellipsis. */
const MOST_FOR_NAMES = 0.2;
const OVERVIEW_HEIGHT = 14;

interface PointedCell extends Cell {
  readonly panel: number;
}

interface PanelPlace {
  readonly x: number;
  readonly bar: { readonly x: number; readonly y: number; readonly length: number } | undefined;
}

interface Layout {
  readonly ratio: number;
  readonly compact: boolean;
  readonly width: number;
  readonly height: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly rows: Span;
  readonly columns: Span;
  /** Upper edge of the first lens row, height of one, and of the map. */
  readonly lensTop: number;
  readonly lensRow: number;
  readonly top: number;
  readonly mapWidth: number;
  readonly mapHeight: number;
  readonly panels: readonly PanelPlace[];
  /** Room for the name of a row. */
  readonly nameWidth: number;
  /** Middles of the rows of text below the map. */
  readonly ticksY: number;
  readonly titlesY: number;
  readonly overviewY: number | undefined;
}

export class HeatMap implements Plot {
  readonly element = document.createElement('div');
  readonly #canvas = document.createElement('canvas');
  readonly #events: HeatMapEvents;
  readonly #frame = oncePerFrame(() => this.#draw());
  readonly #stopObserving: () => void;
  readonly #stopListening: () => void;
  #spec: HeatMapSpec | undefined;
  #cursor: Cell | undefined;
  /** The panel last pointed at. */
  #panel = 0;
  #width = 0;
  /** Where everything stands; undefined when that must be found again. */
  #layout: Layout | undefined;
  /** The panels' places that were last told. */
  #told = '';
  /** The cells of every panel; undefined when colours must be computed again. */
  #pictures: Picture[] | undefined;
  readonly #bitmaps: OffscreenCanvas[] = [];
  /** First visible cell, a cell to be scrolled to, and how many times cells are enlarged by pinching. */
  #first: Cell = { row: 0, column: 0 };
  #shown: Cell | undefined;
  #zoom = 1;
  #touches = new Map<number, { x: number; y: number }>();
  #pinch: { distance: number; zoom: number } | undefined;
  readonly #taps = new Taps();
  #dragsOverview = false;

  constructor(events: HeatMapEvents = {}) {
    this.#events = events;
    const canvas = this.#canvas;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-keyshortcuts', 'ArrowLeft ArrowRight ArrowUp ArrowDown Home End Escape');
    canvas.tabIndex = 0;
    canvas.style.cssText = 'display: block; width: 100%; touch-action: pan-y';
    // The width is taken from an empty box, so that a new height of the canvas does not call the observer again.
    const probe = document.createElement('div');
    this.element.append(probe, canvas);
    registerPlot(this);
    this.#stopObserving = onDeviceWidth(probe, (width) => {
      this.#width = width;
      this.#layout = undefined;
      this.#draw();
    });
    this.#stopListening = onAppearanceChange(() => {
      this.#pictures = undefined;
      this.#rearrange();
    });
    canvas.addEventListener('pointermove', (event) => this.#pointerMoved(event));
    canvas.addEventListener('pointerdown', (event) => this.#pointerDown(event));
    canvas.addEventListener('pointerup', (event) => this.#pointerUp(event));
    canvas.addEventListener('pointercancel', (event) => this.#forget(event));
    canvas.addEventListener('keydown', (event) => this.#keyPressed(event));
  }

  /** Draws new numbers or a new arrangement in the next frame. */
  update(spec: HeatMapSpec): void {
    this.#spec = spec;
    this.#pictures = undefined;
    this.#canvas.setAttribute('aria-label', spec.label);
    if (this.#cursor) {
      this.#cursor = {
        row: Math.min(this.#cursor.row, spec.rows - 1),
        column: Math.min(this.#cursor.column, spec.columns - 1),
      };
    }
    this.#rearrange();
  }

  /** Whether the map stands in a narrow column: bars are below it, and other plots should be too. */
  get compact(): boolean {
    return this.#width > 0 && this.#width < COMPACT * devicePixelRatio;
  }

  get cursor(): Cell | undefined {
    return this.#cursor;
  }

  /** Puts the cursor on a cell (or takes it away) and scrolls a window of columns to it; calls nothing back. */
  set cursor(cell: Cell | undefined) {
    this.#cursor = cell;
    this.#shown = cell;
    this.#rearrange();
  }

  dispose(): void {
    this.#stopObserving();
    this.#stopListening();
    this.#frame.cancel();
  }

  // ---- layout ---------------------------------------------------------------------------------------------------------

  /** Finds every place again before the next frame is drawn. */
  #rearrange(): void {
    this.#layout = undefined;
    this.#frame.request();
  }

  #arranged(spec: HeatMapSpec, context: CanvasRenderingContext2D): Layout {
    if (this.#layout) return this.#layout;
    const layout = this.#arrange(spec, new Pen(context, devicePixelRatio, themeOf(this.element)));
    this.#layout = layout;
    this.#first = { row: layout.rows.first, column: layout.columns.first };
    this.#shown = undefined;
    this.#canvas.style.height = `${layout.height / layout.ratio}px`;
    const places = JSON.stringify(layout.panels);
    if (places !== this.#told) {
      this.#told = places;
      const css = (length: number): number => length / layout.ratio;
      this.#events.onLayout?.(layout.panels.map(({ x }) => ({ left: css(x), width: css(layout.mapWidth) })));
    }
    return layout;
  }

  #arrange(spec: HeatMapSpec, pen: Pen): Layout {
    const { ratio } = pen;
    const px = (length: number): number => pen.px(length);
    const compact = this.#width < COMPACT * ratio;
    const names = [...(spec.rowAxis.labels ?? []), ...(spec.lens?.labels ?? [])];
    const longest = Math.max(0, ...names.map((name) => pen.measure(name, nameStyle(spec, compact))));
    const nameWidth = Math.min(
      Math.ceil(longest),
      Math.max(Math.floor(MOST_FOR_NAMES * this.#width), px(spec.left ?? 0)) - px(14),
    );
    const lastRow = short((spec.rowAxis.start ?? 0) + spec.rows - 1);
    const numberWidth = spec.rowAxis.labels ? 0 : pen.measure(lastRow, { weight: 650 });
    const left = Math.max(px(spec.left ?? (compact ? 44 : 58)), Math.max(nameWidth, Math.ceil(numberWidth)) + px(14));
    const barSpace = (panel: HeatMapPanel): number => (panel.bar && !compact ? px(58) : 0);
    const gaps = (spec.panels.length - 1) * px(compact ? 12 : 26);
    const bars = spec.panels.reduce((sum, panel) => sum + barSpace(panel), 0);
    const right = compact || !spec.panels.at(-1)?.bar ? px(4) : 0;
    const frame = Math.floor((this.#width - left - right - gaps - bars) / spec.panels.length);

    const fitted = cellSize(frame, spec.rows, spec.columns, spec.shape, ratio);
    const zoom = this.#zoom;
    const shown = (count: number): number => Math.max(1, Math.floor(count / zoom));
    const cell = this.#shown ?? this.#first;
    const rows = scrollTo({ first: this.#first.row, count: shown(spec.rows) }, spec.rows, cell.row);
    const columns = scrollTo({ first: this.#first.column, count: shown(fitted.columns) }, spec.columns, cell.column);
    const [cellWidth, cellHeight] = [fitted.width * zoom, fitted.height * zoom];
    const mapWidth = cellWidth * columns.count;
    const mapHeight = cellHeight * rows.count;
    const windowed = columns.count < spec.columns;

    const lensRow = px(compact ? 15 : 20);
    const lensTop = px(spec.topAxis ? 44 : spec.panels.some((panel) => panel.title) ? 26 : 8);
    const top = lensTop + (spec.lens ? spec.lens.labels.length * (lensRow + px(LENS_GAP)) + px(20) : 0);
    const bottom = top + fitted.height * spec.rows;
    const hasTicks = !spec.columnAxis.labels || this.#cursor !== undefined;
    const ticksY = bottom + px(14);
    const titlesY = bottom + px(hasTicks ? 31 : 14);
    let height = titlesY + px(11);
    const overviewY = windowed ? height + px(4) : undefined;
    if (overviewY !== undefined) height = overviewY + px(OVERVIEW_HEIGHT + 6);

    let x = left;
    const barsBelow = compact && spec.panels.some((panel) => panel.bar);
    const panels = spec.panels.map((panel, index) => {
      const place = {
        x,
        bar: this.#placeBar(panel, pen, compact, x, top, mapWidth, fitted.height * spec.rows, height),
      };
      x += mapWidth + barSpace(panel) + (index < spec.panels.length - 1 ? px(compact ? 12 : 26) : 0);
      return place;
    });
    if (barsBelow) height += px(42);
    return {
      ratio,
      compact,
      width: this.#width,
      height,
      cellWidth,
      cellHeight,
      rows,
      columns,
      lensTop,
      lensRow,
      top,
      mapWidth,
      mapHeight,
      panels,
      nameWidth,
      ticksY,
      titlesY,
      overviewY,
    };
  }

  #placeBar(
    panel: HeatMapPanel,
    pen: Pen,
    compact: boolean,
    x: number,
    top: number,
    width: number,
    height: number,
    below: number,
  ): PanelPlace['bar'] {
    if (!panel.bar) return undefined;
    if (!compact) return { x: x + width + pen.px(18), y: top, length: height };
    const length = Math.max(pen.px(24), Math.min(pen.px(120), width - pen.px(36)));
    return { x: x + width - length - pen.px(14), y: below + pen.px(10), length };
  }

  // ---- drawing --------------------------------------------------------------------------------------------------------

  #draw(): void {
    const { context, spec, layout } = this.#ready() ?? {};
    if (!context || !spec || !layout) return;
    this.#frame.cancel();
    const canvas = this.#canvas;
    if (canvas.width !== layout.width || canvas.height !== layout.height) {
      canvas.width = layout.width;
      canvas.height = layout.height;
    } else {
      context.clearRect(0, 0, canvas.width, canvas.height);
    }
    this.#paint(new Pen(context, layout.ratio, themeOf(this.element)), spec, layout);
  }

  paint(pen: Pen): void {
    const { spec, layout } = this.#ready() ?? {};
    if (spec && layout) this.#paint(pen, spec, layout);
  }

  #paint(pen: Pen, spec: HeatMapSpec, layout: Layout): void {
    const pictures = (this.#pictures ??= spec.panels.map((panel, index) =>
      paintCells(panel, spec, pen.theme, this.#bitmap(index, spec)),
    ));
    spec.panels.forEach((panel, index) => {
      const { x } = layout.panels[index]!;
      if (spec.shape.cells === 'square') pen.frame(x, layout.top, layout.mapWidth, layout.mapHeight, 'rule');
      if (panel.values) this.#drawCells(pen, spec, layout, panel, pictures[index]!, x);
      this.#drawColumnTicks(pen, spec, layout, x);
      if (panel.title) {
        const style = { size: TEXT.title, align: 'left', color: 'ink-2' } as const;
        const start = Math.min(x, layout.width - pen.measure(panel.title, style));
        pen.text(panel.title, start, pen.px(11), style);
      }
      this.#drawBar(pen, layout, panel, index, pictures[index]!);
      if (panel.values && this.#cursor) this.#drawCursor(pen, spec, layout, pictures[index]!, x, this.#cursor);
    });
    this.#drawRowLabels(pen, spec, layout);
    this.#drawTitles(pen, spec, layout);
    if (spec.topAxis) this.#drawTopAxis(pen, spec.topAxis, layout);
    if (spec.lens) this.#drawLensFrame(pen, spec.lens, layout);
    if (layout.overviewY !== undefined && spec.panels[0]?.values) {
      this.#drawOverview(pen, spec, layout, pictures[0]!, layout.overviewY);
    }
  }

  /** What a panel's cells are painted on, the same for numbers that change. */
  #bitmap(panel: number, { rows, columns }: HeatMapSpec): OffscreenCanvas {
    const bitmap = this.#bitmaps[panel];
    if (bitmap?.width === columns && bitmap.height === rows) return bitmap;
    return (this.#bitmaps[panel] = new OffscreenCanvas(columns, rows));
  }

  #ready(): { context: CanvasRenderingContext2D; spec: HeatMapSpec; layout: Layout } | undefined {
    const context = this.#canvas.getContext('2d');
    const spec = this.#spec;
    if (!context || !spec || this.#width === 0) return undefined;
    return { context, spec, layout: this.#arranged(spec, context) };
  }

  #drawCells(pen: Pen, spec: HeatMapSpec, at: Layout, panel: HeatMapPanel, picture: Picture, x: number): void {
    const { rows, columns, mapWidth, mapHeight, top } = at;
    const draw = (first: number, count: number, y: number, height: number): void =>
      pen.context.drawImage(picture.bitmap, columns.first, first, columns.count, count, x, y, mapWidth, height);
    draw(rows.first, rows.count, top, mapHeight);
    if (picture.masked) this.#hatch(pen, spec, at, panel, x);
    for (let row = 0; row < (spec.lens?.labels.length ?? 0); row++) draw(row, 1, this.#lensY(pen, at, row), at.lensRow);
  }

  /** 45° lines over the cells that hold no finite number. */
  #hatch(pen: Pen, spec: HeatMapSpec, at: Layout, panel: HeatMapPanel, x: number): void {
    const values = panel.values!;
    const { rows, columns, cellWidth, cellHeight, top } = at;
    const masked: Rect[] = [];
    for (let row = rows.first; row < rows.first + rows.count; row++) {
      for (let column = columns.first; column < columns.first + columns.count; column++) {
        if (Number.isFinite(values[row * spec.columns + column])) continue;
        const start = column;
        while (column < columns.first + columns.count && !Number.isFinite(values[row * spec.columns + column]))
          column++;
        const y = top + (row - rows.first) * cellHeight;
        masked.push([x + (start - columns.first) * cellWidth, y, (column - start) * cellWidth, cellHeight]);
      }
    }
    pen.hatch(masked, [x, top, at.mapWidth, at.mapHeight]);
  }

  #drawColumnTicks(pen: Pen, spec: HeatMapSpec, at: Layout, x: number): void {
    const { start = 0, labels, color } = spec.columnAxis;
    const { columns, cellWidth } = at;
    const middle = (column: number): number => x + (column - columns.first + 0.5) * cellWidth;
    const bottom = at.top + at.mapHeight;
    const cursor = this.#cursor && inSpan(columns, this.#cursor.column) ? this.#cursor.column : undefined;
    const labelOf = (column: number, weight: number) => {
      const text = labels?.[column] ?? short(start + column);
      return { text, middle: middle(column), width: pen.measure(text), weight, column };
    };
    const named = spec.columnAxis.columnNames === 'all' ? columns : { first: 0, count: 0 };
    const wanted = labels
      ? Array.from({ length: named.count }, (_, k) => labelOf(named.first + k, 0)).filter((l) => l.column !== cursor)
      : this.#columnTicks(pen, at, start).map((number, k) => labelOf(number - start, k === 0 ? 1 : 0));
    if (cursor !== undefined && (labels || color)) wanted.push(labelOf(cursor, 2));
    // Labels of neighbouring panels keep to their own side of the gap.
    const overhang = at.panels.length > 1 && at.compact ? pen.px(1) : pen.px(30);
    const limits = [x - overhang, Math.min(at.width, x + at.mapWidth + overhang)] as const;
    for (const { label, middle: place } of placeLabels(wanted, pen.px(LABEL_GAP), ...limits)) {
      const chosen = label.column === cursor && color !== undefined;
      if (!labels) pen.vertical(Math.floor(middle(label.column)), bottom + 1, bottom + pen.px(5), 'ink-3');
      pen.text(label.text, place, at.ticksY, chosen ? { color, weight: 650 } : {});
    }
  }

  /** Numbers on the columns: as close as the widest of them allows. */
  #columnTicks(pen: Pen, at: Layout, start: number): number[] {
    const { columns, cellWidth } = at;
    const last = short(start + columns.first + columns.count - 1);
    const spacing = (pen.measure(last) + pen.px(44)) / cellWidth;
    return cellTicks(start + columns.first, columns.count, spacing);
  }

  #drawRowLabels(pen: Pen, spec: HeatMapSpec, at: Layout): void {
    const { start = 0, labels, color } = spec.rowAxis;
    const { rows, cellHeight } = at;
    const x = at.panels[0]!.x;
    const cursor = this.#cursor && inSpan(rows, this.#cursor.row) ? this.#cursor.row : undefined;
    const middle = (row: number): number => at.top + (row - rows.first + 0.5) * cellHeight;
    const style = nameStyle(spec, at.compact);
    const height = pen.px(labels ? style.size + 1 : 15);
    const labelOf = (row: number, weight: number) => ({ row, middle: middle(row), width: height, weight });
    const wanted = labels
      ? Array.from({ length: rows.count }, (_, k) => labelOf(rows.first + k, 0))
      : cellTicks(start + rows.first, rows.count, (height + pen.px(18)) / cellHeight).map((n) => labelOf(n - start, 0));
    if (cursor !== undefined && color) wanted.unshift(labelOf(cursor, 2));
    const limits = [at.top - height, at.top + at.mapHeight + height] as const;
    const done = new Set<number>();
    for (const { label, middle: y } of placeLabels(wanted, labels ? 0 : pen.px(4), ...limits)) {
      if (done.has(label.row)) continue;
      done.add(label.row);
      const chosen = label.row === cursor && color !== undefined;
      if (!labels) pen.horizontal(x - pen.px(5), x - 1, Math.floor(y), 'ink-3');
      const base = labels ? style : { size: TEXT.tick };
      const name = labels?.[label.row];
      const text = name === undefined ? short(start + label.row) : pen.shorten(name, at.nameWidth, base);
      pen.text(text, x - pen.px(8), y, { ...base, align: 'right', ...(chosen ? { color, weight: 650 } : {}) });
    }
  }

  #drawTitles(pen: Pen, spec: HeatMapSpec, at: Layout): void {
    const x = at.panels[0]!.x;
    const style = (axis: CellAxis) => ({ size: TEXT.title, color: axis.color ?? 'ink-2' }) as const;
    const gap = pen.px(LABEL_GAP);
    const rowWidth = pen.measure(spec.rowAxis.title, { size: TEXT.title });
    const columnWidth = pen.measure(spec.columnAxis.title, { size: TEXT.title });
    // Under a narrow panel the titles reach out of it: first to the left, then to the right.
    const left = Math.max(0, Math.min(x, x + at.mapWidth - columnWidth - gap - rowWidth));
    const right = Math.min(at.width, Math.max(x + at.mapWidth, left + rowWidth + gap + columnWidth));
    pen.text(spec.rowAxis.title, left, at.titlesY, { ...style(spec.rowAxis), align: 'left' });
    pen.text(spec.columnAxis.title, right, at.titlesY, { ...style(spec.columnAxis), align: 'right' });
  }

  #drawTopAxis(pen: Pen, axis: NonNullable<HeatMapSpec['topAxis']>, at: Layout): void {
    const x = at.panels[0]!.x;
    const y = at.lensTop - pen.px(8);
    pen.text(axis.title, x, pen.px(9), { size: TEXT.title, align: 'left', color: 'ink-2' });
    pen.horizontal(x, x + at.mapWidth, y, 'rule');
    const labels = axis.ticks
      .filter(({ column }) => column >= at.columns.first && column <= at.columns.first + at.columns.count - 1)
      .map(({ column, label }, index) => ({
        text: label,
        middle: x + (column - at.columns.first + 0.5) * at.cellWidth,
        width: pen.measure(label),
        weight: index === 0 || index === axis.ticks.length - 1 ? 1 : 0, // both ends of the range are always named
      }));
    for (const { label, middle } of placeLabels(labels, pen.px(LABEL_GAP), x - pen.px(12), x + at.mapWidth)) {
      pen.vertical(Math.floor(label.middle), y - pen.px(4), y, 'ink-3');
      pen.text(label.text, middle, y - pen.px(11));
    }
  }

  /** The enlarged rows stand on the map they come from. */
  #drawLensFrame(pen: Pen, lens: NonNullable<HeatMapSpec['lens']>, at: Layout): void {
    const style = { ...nameStyle(undefined, at.compact), align: 'right' } as const;
    const x = at.panels[0]!.x;
    lens.labels.forEach((label, row) => {
      const name = pen.shorten(label, at.nameWidth, style);
      pen.text(name, x - pen.px(9), this.#lensY(pen, at, row) + at.lensRow / 2, style);
    });
    const bottom = this.#lensY(pen, at, lens.labels.length) - pen.px(LENS_GAP);
    for (const side of [x - pen.hairline, x + at.mapWidth]) {
      pen.vertical(side, bottom + pen.px(3), at.top - pen.px(2), 'edge');
    }
    pen.text(lens.caption, x + at.mapWidth / 2, (bottom + at.top) / 2 + pen.px(1));
  }

  #lensY(pen: Pen, at: Layout, row: number): number {
    return at.lensTop + row * (at.lensRow + pen.px(LENS_GAP));
  }

  /** All columns in one strip below the map, with a box around those that are shown. */
  #drawOverview(pen: Pen, spec: HeatMapSpec, at: Layout, { bitmap }: Picture, y: number): void {
    const { x } = at.panels[0]!;
    const height = pen.px(OVERVIEW_HEIGHT);
    pen.context.drawImage(bitmap, 0, 0, spec.columns, spec.rows, x, y, at.mapWidth, height);
    const share = at.mapWidth / spec.columns;
    const [from, to] = [at.columns.first, at.columns.first + at.columns.count].map((c) => Math.round(c * share));
    pen.cursorBox(x + from!, y, to! - from!, height);
  }

  #drawCursor(pen: Pen, spec: HeatMapSpec, at: Layout, { bitmap }: Picture, x: number, cursor: Cell): void {
    const { rows, columns, cellWidth, cellHeight } = at;
    if (!inSpan(rows, cursor.row) || !inSpan(columns, cursor.column)) return;
    const left = x + (cursor.column - columns.first) * cellWidth;
    const top = at.top + (cursor.row - rows.first) * cellHeight;
    if (spec.guide === 'column') pen.brackets(left, at.top, cellWidth, at.mapHeight);
    const diagonal = spec.guide === 'diagonal' && diagonalIn(rows, columns, cursor.column - cursor.row);
    if (diagonal) {
      const offset = cursor.column - cursor.row;
      pen.cursorLine(
        diagonal.map((row) => [
          x + (row + offset - columns.first + 0.5) * cellWidth,
          at.top + (row - rows.first + 0.5) * cellHeight,
        ]),
      );
    }
    const enlarged = cursor.row < (spec.lens?.labels.length ?? 0);
    const boxTop = enlarged ? this.#lensY(pen, at, cursor.row) : top;
    const boxHeight = enlarged ? at.lensRow : cellHeight;
    pen.fill(left, boxTop, cellWidth, boxHeight, 'paper');
    pen.context.drawImage(bitmap, cursor.column, cursor.row, 1, 1, left, boxTop, cellWidth, boxHeight);
    pen.cursorBox(left, boxTop, cellWidth, boxHeight);
  }

  #drawBar(pen: Pen, at: Layout, panel: HeatMapPanel, index: number, { below, above }: Picture): void {
    const { bar } = at.panels[index]!;
    if (!bar) return;
    const { scale } = panel;
    const vertical = !at.compact;
    const thickness = pen.px(vertical ? 9 : 8);
    const { x, y, length } = bar;
    const strip = barStrip(scale, length, vertical, pen.theme);
    pen.context.drawImage(strip, x, y, vertical ? thickness : length, vertical ? length : thickness);
    pen.frame(x, y, vertical ? thickness : length, vertical ? length : thickness, 'rule');

    // Distance along the bar of a share of its range: upwards, or to the right.
    const along = (share: number): number => (vertical ? y + length * (1 - share) : x + length * share);
    for (const { share, text } of barLabels(scale)) {
      const place = Math.min(Math.floor(along(share)), (vertical ? y : x) + length - 1);
      if (vertical) {
        pen.horizontal(x + thickness + pen.hairline, x + thickness + pen.px(4), place, 'ink-3');
        pen.text(text, x + thickness + pen.px(7), place, { align: 'left' });
      } else {
        pen.vertical(place, y + thickness + pen.hairline, y + thickness + pen.px(4), 'ink-3');
        pen.text(text, place, y + thickness + pen.px(13));
      }
    }
    if (!panel.values) return;
    const end = (share: number): void => {
      const tip = along(share) + pen.px(6) * (vertical === share > 0.5 ? -1 : 1) + (vertical === share > 0.5 ? -1 : 1);
      if (vertical) pen.triangle(x + thickness / 2, tip, share > 0.5 ? 'up' : 'down', 'edge');
      else pen.triangle(tip, y + thickness / 2, share > 0.5 ? 'right' : 'left', 'edge');
    };
    if (above) end(1);
    if (below) end(0);
    const value = this.#cursor && panel.values[this.#cursor.row * this.#spec!.columns + this.#cursor.column];
    if (value === undefined || !Number.isFinite(value)) return;
    const place = along(shareOf(scale, value));
    if (vertical) pen.triangle(x - pen.px(2), place, 'right', 'ink');
    else pen.triangle(place, y - pen.px(2), 'down', 'ink');
  }

  // ---- pointer and keys -----------------------------------------------------------------------------------------------

  /** The cell under a pointer, the lens included, and its panel. */
  #cellAt(event: PointerEvent): PointedCell | undefined {
    const { spec, layout: at } = this.#ready() ?? {};
    if (!spec || !at) return undefined;
    const [x, y] = [event.offsetX * at.ratio, event.offsetY * at.ratio];
    const panel = at.panels.findIndex((place) => x >= place.x && x < place.x + at.mapWidth);
    if (panel < 0) return undefined;
    const column = at.columns.first + Math.floor((x - at.panels[panel]!.x) / at.cellWidth);
    if (y >= at.top && y < at.top + at.mapHeight) {
      return { row: at.rows.first + Math.floor((y - at.top) / at.cellHeight), column, panel };
    }
    const step = at.lensRow + Math.round(LENS_GAP * at.ratio);
    const row = Math.floor((y - at.lensTop) / step);
    return row >= 0 && row < (spec.lens?.labels.length ?? 0) ? { row, column, panel } : undefined;
  }

  #choose(pointed: PointedCell | undefined): void {
    if (!pointed) return;
    const { panel, row, column } = pointed;
    if (panel === this.#panel && row === this.#cursor?.row && column === this.#cursor.column) return;
    this.#panel = panel;
    this.cursor = { row, column };
    this.#events.onCursor?.({ row, column }, panel);
  }

  #pointerMoved(event: PointerEvent): void {
    if (this.#touches.has(event.pointerId)) {
      this.#touches.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
      this.#taps.moved(event);
      if (this.#pinch) return this.#pinched();
    }
    if (this.#dragsOverview) return this.#scrollOverview(event);
    if (event.pointerType === 'mouse' || event.buttons !== 0) this.#choose(this.#cellAt(event));
  }

  #pointerDown(event: PointerEvent): void {
    if (this.#isOnOverview(event)) {
      this.#dragsOverview = true;
      this.#canvas.setPointerCapture(event.pointerId);
      return this.#scrollOverview(event);
    }
    if (event.pointerType !== 'touch') return;
    this.#touches.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    this.#taps.down(event, this.#touches.size);
    if (this.#touches.size === 2) this.#pinch = { distance: this.#fingerDistance(), zoom: this.#zoom };
  }

  #pointerUp(event: PointerEvent): void {
    const tap = this.#taps.up(event);
    this.#forget(event);
    if (tap === 'double') this.#setZoom(1);
    if (tap) this.#choose(this.#cellAt(event));
  }

  #forget(event: PointerEvent): void {
    this.#touches.delete(event.pointerId);
    this.#dragsOverview = false;
    if (this.#touches.size < 2) this.#pinch = undefined;
  }

  #fingerDistance(): number {
    const [a, b] = [...this.#touches.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 1;
  }

  #pinched(): void {
    const { distance, zoom } = this.#pinch!;
    this.#setZoom(Math.min(LARGEST_ZOOM, Math.max(1, Math.round((zoom * this.#fingerDistance()) / distance))));
  }

  /** Enlarges the cells a whole number of times, around the cursor. */
  #setZoom(zoom: number): void {
    if (zoom === this.#zoom || !this.#spec) return;
    this.#zoom = zoom;
    this.#layout = undefined;
    const { layout: at } = this.#ready() ?? {};
    if (!at) return;
    const { row, column } = this.#cursor ?? { row: 0, column: 0 };
    this.#first = {
      row: scrollTo({ first: row - (at.rows.count >> 1), count: at.rows.count }, this.#spec.rows, row).first,
      column: scrollTo({ first: column - (at.columns.count >> 1), count: at.columns.count }, this.#spec.columns, column)
        .first,
    };
    this.#rearrange();
  }

  #isOnOverview(event: PointerEvent): boolean {
    const { layout: at } = this.#ready() ?? {};
    if (at?.overviewY === undefined) return false;
    const y = event.offsetY * at.ratio;
    return y >= at.overviewY - 8 * at.ratio && y <= at.height;
  }

  #scrollOverview(event: PointerEvent): void {
    const { spec, layout: at } = this.#ready() ?? {};
    if (!spec || !at) return;
    const share = (event.offsetX * at.ratio - at.panels[0]!.x) / at.mapWidth;
    const first = Math.round(share * spec.columns - at.columns.count / 2);
    this.#first = { ...this.#first, column: Math.max(0, Math.min(spec.columns - at.columns.count, first)) };
    this.#rearrange();
  }

  #keyPressed(event: KeyboardEvent): void {
    const spec = this.#spec;
    if (!spec || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') return this.#canvas.blur();
    const { row, column } = this.#cursor ?? { row: 0, column: 0 };
    const step = event.shiftKey ? PAGE_STEP : 1;
    const moves: Record<string, Cell> = {
      ArrowLeft: { row, column: column - step },
      ArrowRight: { row, column: column + step },
      ArrowUp: { row: row - step, column },
      ArrowDown: { row: row + step, column },
      PageUp: { row: row - PAGE_STEP, column },
      PageDown: { row: row + PAGE_STEP, column },
      Home: { row, column: 0 },
      End: { row, column: spec.columns - 1 },
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    this.#choose({
      row: Math.max(0, Math.min(spec.rows - 1, move.row)),
      column: Math.max(0, Math.min(spec.columns - 1, move.column)),
      panel: this.#panel,
    });
  }
}

/** Names of rows: the words themselves, in the size of the text around them. */
function nameStyle(spec: HeatMapSpec | undefined, compact: boolean) {
  const words = !spec || spec.lens;
  return words
    ? ({ size: compact ? 14 : 15, weight: 500, color: 'ink' } as const)
    : ({ size: compact ? 10.5 : 12.5, color: 'ink-2' } as const);
}

function inSpan(span: Span, cell: number): boolean {
  return cell >= span.first && cell < span.first + span.count;
}

/** A panel's cells, one pixel each, and what their colours do not tell. */
interface Picture extends ColorSummary {
  readonly bitmap: OffscreenCanvas;
}

function paintCells(
  { values, scale }: HeatMapPanel,
  { rows, columns }: HeatMapSpec,
  theme: Theme,
  bitmap: OffscreenCanvas,
): Picture {
  const context = bitmap.getContext('2d');
  if (!context || !values) return { bitmap, masked: false, below: false, above: false };
  const image = context.createImageData(columns, rows);
  const pixels = new Uint32Array(image.data.buffer);
  const summary = colorize(values, scale, themedTable(scale.map, theme.paper), pixels);
  context.putImageData(image, 0, 0);
  return { bitmap, ...summary };
}

const strips = new WeakMap<ColorTable, Map<string, OffscreenCanvas>>();

/** The colours of a bar, one pixel per step of its length. */
function barStrip({ map }: ColorScale, length: number, vertical: boolean, theme: Theme): OffscreenCanvas {
  const table = themedTable(map, theme.paper);
  let known = strips.get(table);
  if (!known) strips.set(table, (known = new Map()));
  const key = `${length} ${vertical}`;
  let strip = known.get(key);
  if (!strip) known.set(key, (strip = paintStrip(map, table, length, vertical)));
  return strip;
}

function paintStrip(map: ColorMapName, table: ColorTable, length: number, vertical: boolean): OffscreenCanvas {
  const strip = new OffscreenCanvas(vertical ? 1 : length, vertical ? length : 1);
  const context = strip.getContext('2d');
  if (!context) return strip;
  const image = context.createImageData(strip.width, strip.height);
  const range = map === 'cyclic' ? 2 * Math.PI * (1 - 1e-9) : 1;
  const low = map === 'diverging' ? -range : 0;
  const values = Array.from({ length }, (_, k) => {
    const share = (vertical ? length - 1 - k : k) / (length - 1);
    return low + (range - low) * share;
  });
  colorize(values, { map, limit: 1 }, table, new Uint32Array(image.data.buffer));
  context.putImageData(image, 0, 0);
  return strip;
}

function barLabels(scale: ColorScale): { share: number; text: string }[] {
  switch (scale.map) {
    case 'diverging':
      return [
        { share: 0, text: signed(-scale.limit) },
        { share: 0.5, text: '0' },
        { share: 1, text: signed(scale.limit) },
      ];
    case 'sequential':
      return [
        { share: 0, text: '0' },
        { share: 1, text: short(scale.limit) },
      ];
    case 'cyclic':
      return [
        { share: 0, text: '0' },
        { share: 0.5, text: 'π' },
        { share: 1, text: '2π' },
      ];
  }
}
