// A heat map on a canvas of our own: every cell is a whole number of device pixels and none is ever resampled. It draws
// numbers and knows nothing of what they are. One or more panels side by side share rows, columns, cells and cursor.

import { CellPicture } from './cell-picture.js';
import { drawColumnTicks, drawLensFrame, drawRowLabels, drawTitles, drawTopAxis } from './heatmap-axes.js';
import { type Drawing, type PaintedPanel, drawBar, drawCells, drawCursor, drawOverview } from './heatmap-cells.js';
import { type Cell, type HeatMapLayout, type HeatMapSpec, arrange, scrollTo } from './heatmap-layout.js';
import { GRID_KEYS, type Move, moved } from './keys.js';
import { type Pen, TEXT } from './pen.js';
import type { Fingers, Place } from './pointers.js';
import { onceEach } from './screen.js';
import { Stage } from './stage.js';

export type { Cell, HeatMapSpec } from './heatmap-layout.js';

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

const LARGEST_ZOOM = 8;
/** How far above the strip of all columns a press still takes hold of it, CSS pixels. */
const OVERVIEW_REACH = 8;

export class HeatMap {
  readonly #events: HeatMapEvents;
  readonly #stage = new Stage({
    arrange: (pen) => this.#arrange(pen),
    paint: (pen) => this.#paint(pen),
    onPoint: (at) => this.#pointAt(at),
    onHold: (at) => this.#holdOverview(at),
    onPinch: (fingers) => this.#pinch(fingers),
    onDoubleTap: () => this.#setZoom(1),
    keys: GRID_KEYS,
    onMove: (move) => this.#move(move),
  });
  readonly #pictures: CellPicture[] = [];
  readonly #tellPlaces: (panels: readonly PanelArea[]) => void;
  #spec: HeatMapSpec | undefined;
  #cursor: Cell | undefined;
  /** The panel last pointed at. */
  #panel = 0;
  /** Where everything was last drawn. */
  #layout: HeatMapLayout | undefined;
  /** First visible cell, a cell to be scrolled to, and how many times cells are enlarged by pinching. */
  #first: Cell = { row: 0, column: 0 };
  #shown: Cell | undefined;
  #zoom = 1;

  constructor(events: HeatMapEvents = {}) {
    this.#events = events;
    this.#tellPlaces = onceEach(events.onLayout);
  }

  get element(): HTMLElement {
    return this.#stage.element;
  }

  /** Whether the map stands in a narrow column: bars are below it, and other plots should be too. */
  get compact(): boolean {
    return this.#stage.width > 0 && this.#stage.compact;
  }

  /** Draws new numbers or a new arrangement in the next frame, and scrolls a window of columns to the cursor. */
  update(spec: HeatMapSpec): void {
    this.#spec = spec;
    this.#setCursor(spec.cursor);
    this.#stage.update(spec.label);
  }

  #setCursor(cursor: Cell | undefined): void {
    this.#cursor = cursor;
    this.#shown = cursor;
  }

  #arrange(pen: Pen): number {
    const view = { cursor: this.#cursor, first: this.#first, shown: this.#shown, zoom: this.#zoom };
    const layout = arrange(this.#spec!, view, pen, this.#stage);
    this.#layout = layout;
    this.#first = { row: layout.rows.first, column: layout.columns.first };
    this.#shown = undefined;
    const css = (length: number): number => length / pen.ratio;
    this.#tellPlaces(layout.panels.map(({ x }) => ({ left: css(x), width: css(layout.mapWidth) })));
    return css(layout.height);
  }

  #paint(pen: Pen): void {
    const [spec, at, cursor] = [this.#spec!, this.#layout!, this.#cursor];
    const drawing: Drawing = { pen, spec, at, cursor };
    const painted = spec.panels.map((_, index) => this.#painted(drawing, index));
    spec.panels.forEach(({ title }, index) => {
      const { x } = at.panels[index]!;
      const panel = painted[index];
      if (spec.shape.cells === 'square') pen.frame(x, at.top, at.mapWidth, at.mapHeight, 'rule');
      if (panel) drawCells(drawing, panel);
      drawColumnTicks(drawing, x);
      if (title) {
        const style = { size: TEXT.title, align: 'left', color: 'ink-2' } as const;
        pen.text(title, Math.min(x, at.width - pen.measure(title, style)), pen.px(11), style);
      }
      drawBar(drawing, index, panel);
      if (panel) drawCursor(drawing, panel);
    });
    drawRowLabels(drawing);
    drawTitles(drawing);
    if (spec.topAxis) drawTopAxis(drawing, spec.topAxis);
    if (spec.lens) drawLensFrame(drawing, spec.lens);
    if (painted[0]) drawOverview(drawing, painted[0]);
  }

  /** A panel with the picture of its cells; undefined where it has no numbers. */
  #painted({ pen, spec, at }: Drawing, index: number): PaintedPanel | undefined {
    const { values, ...panel } = spec.panels[index]!;
    if (!values) return undefined;
    const { rows, columns } = spec;
    const picture = (this.#pictures[index] ??= new CellPicture());
    const summary = picture.show({ values, rows, columns, scale: panel.scale }, pen.theme);
    return { ...panel, values, bitmap: picture.bitmap, summary, x: at.panels[index]!.x };
  }

  // ---- pointers and keys ----------------------------------------------------------------------------------------------

  #pointAt(place: Place): void {
    const [spec, at] = [this.#spec, this.#layout];
    if (!spec || !at) return;
    const [x, y] = [place.x * devicePixelRatio, place.y * devicePixelRatio];
    const panel = at.panels.findIndex((one) => x >= one.x && x < one.x + at.mapWidth);
    if (panel < 0) return;
    const column = at.columns.first + Math.floor((x - at.panels[panel]!.x) / at.cellWidth);
    const row = at.rows.first + Math.floor((y - at.top) / at.cellHeight);
    const enlarged = Math.floor((y - at.lens.top) / at.lens.step);
    if (y >= at.top && y < at.top + at.mapHeight) this.#choose({ row, column }, panel);
    else if (enlarged >= 0 && enlarged < (spec.lens?.labels.length ?? 0))
      this.#choose({ row: enlarged, column }, panel);
  }

  #choose(cell: Cell, panel: number): void {
    if (panel === this.#panel && cell.row === this.#cursor?.row && cell.column === this.#cursor.column) return;
    this.#panel = panel;
    this.#setCursor(cell);
    this.#stage.redraw();
    this.#events.onCursor?.(cell, panel);
  }

  #move({ right, down }: Move): void {
    if (!this.#spec) return;
    const { row, column } = this.#cursor ?? { row: 0, column: 0 };
    const { rows, columns } = this.#spec;
    this.#choose({ row: moved(row, down, rows), column: moved(column, right, columns) }, this.#panel);
  }

  #holdOverview({ y }: Place): ((to: Place) => void) | undefined {
    const [spec, at] = [this.#spec, this.#layout];
    if (!spec || !at?.overview || y < at.overview.y / devicePixelRatio - OVERVIEW_REACH) return undefined;
    return (to) => {
      const share = (to.x * devicePixelRatio - at.panels[0]!.x) / at.mapWidth;
      const first = Math.round(share * spec.columns - at.columns.count / 2);
      this.#first = { ...this.#first, column: Math.max(0, Math.min(spec.columns - at.columns.count, first)) };
      this.#stage.redraw();
    };
  }

  /** Enlarges cells by as much as two fingers move apart. */
  #pinch(start: Fingers): (now: Fingers) => void {
    const apart = ([a, b]: Fingers): number => Math.hypot(a.x - b.x, a.y - b.y);
    const [zoom, before] = [this.#zoom, apart(start)];
    return (now) =>
      this.#setZoom(Math.min(LARGEST_ZOOM, Math.max(1, Math.round((zoom * apart(now)) / Math.max(1, before)))));
  }

  /** Enlarges the cells a whole number of times, around the cursor. */
  #setZoom(zoom: number): void {
    const [spec, at] = [this.#spec, this.#layout];
    if (zoom === this.#zoom || !spec || !at) return;
    const { row, column } = this.#cursor ?? { row: 0, column: 0 };
    const centred = (cell: number, fitting: number, length: number): number => {
      const count = Math.max(1, Math.floor(fitting / zoom));
      return scrollTo({ first: cell - (count >> 1), count }, length, cell).first;
    };
    this.#first = {
      row: centred(row, spec.rows, spec.rows),
      column: centred(column, at.fitting, spec.columns),
    };
    this.#zoom = zoom;
    this.#stage.redraw();
  }
}
