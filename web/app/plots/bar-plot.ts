// Bars of two parts over a whole-number axis: a solid one from zero, a hatched one on top of it. It draws numbers and
// knows nothing of what they are.

import { short } from './format.js';
import { ROW_KEYS, moved } from './keys.js';
import { COMPACT, LABEL_GAP, type Pen, type Rect, TEXT } from './pen.js';
import { Stage } from './stage.js';
import type { LineColor } from './theme.js';
import { cellTicks, linearTicks, placeLabels } from './ticks.js';

export interface BarPlotSpec {
  /** Accessible name of the picture. */
  readonly label: string;
  /** One bar per entry. */
  readonly solid: ArrayLike<number>;
  /** Upper ends of the hatched parts; none where it is no higher than the solid part. */
  readonly hatched: ArrayLike<number>;
  readonly colors: { readonly solid: LineColor; readonly hatched: LineColor };
  readonly names: { readonly solid: string; readonly hatched: string };
  readonly xTitle: string;
  readonly yTitle: string;
  /** Upper end of the y axis. */
  readonly maximum: number;
  /** Index of the bar at which the cursor stands. */
  readonly cursor?: number | undefined;
  /** CSS pixels of the plotted area. */
  readonly height: number;
  /** Where the plotted area stands, CSS pixels from the element's left edge: that of a plot with the same x axis. */
  readonly area: { readonly left: number; readonly width: number };
}

export interface BarPlotEvents {
  /** The reader has moved the cursor to a bar, by pointer or key. */
  readonly onCursor?: (index: number) => void;
}

const TOP = 28;
const BOTTOM = 46;

export class BarPlot {
  readonly #events: BarPlotEvents;
  readonly #stage = new Stage({
    arrange: () => TOP + this.#spec!.height + BOTTOM,
    paint: (pen) => drawBars(pen, this.#stage.width, this.#spec!, this.#cursor),
    onPoint: ({ x }) => {
      const { area, solid } = this.#spec!;
      this.#choose(Math.floor(((x - area.left) / area.width) * solid.length));
    },
    keys: ROW_KEYS,
    onMove: ({ right, down }) => this.#choose((this.#cursor ?? 0) + right - down),
  });
  #spec: BarPlotSpec | undefined;
  #cursor: number | undefined;

  constructor(events: BarPlotEvents = {}) {
    this.#events = events;
  }

  get element(): HTMLElement {
    return this.#stage.element;
  }

  /** Draws new numbers in the next frame. */
  update(spec: BarPlotSpec): void {
    this.#spec = spec;
    this.#cursor = spec.cursor;
    this.#stage.update(spec.label);
  }

  /** Takes the cursor to a bar, or to the nearest one that there is. */
  #choose(wanted: number): void {
    const index = moved(0, wanted, this.#spec?.solid.length ?? 0);
    if (index === this.#cursor || !this.#spec?.solid.length) return;
    this.#cursor = index;
    this.#stage.redraw();
    this.#events.onCursor?.(index);
  }
}

function drawBars(pen: Pen, whole: number, spec: BarPlotSpec, cursor: number | undefined): void {
  if (spec.area.width === 0) return;
  const [left, width] = [pen.px(spec.area.left), pen.px(spec.area.width)];
  const [top, height] = [pen.px(TOP), pen.px(spec.height)];
  const count = spec.solid.length;
  const bottom = top + height;
  const x = (index: number): number => Math.round(left + (index / count) * width);
  const y = (value: number): number => Math.round(bottom - (Math.min(value, spec.maximum) / spec.maximum) * height);

  for (const tick of linearTicks(0, spec.maximum, 2)) {
    pen.horizontal(left, left + width, y(tick), 'rule');
    pen.text(short(tick), left - pen.px(8), y(tick), { align: 'right' });
  }
  const gap = width / count > pen.px(6) ? pen.px(2) : 0;
  const hatched: Rect[] = [];
  for (let i = 0; i < count; i++) {
    const [from, span] = [x(i), x(i + 1) - x(i) - gap];
    const solid = y(spec.solid[i]!);
    pen.fill(from, solid, span, bottom - solid, spec.colors.solid);
    const above = y(spec.hatched[i]!);
    if (above >= solid) continue;
    hatched.push([from, above, span, solid - above]);
    pen.horizontal(from, from + span, above, spec.colors.hatched);
  }
  pen.hatch(hatched, [left, top, width, height], spec.colors.hatched);

  const spacing = (pen.measure(String(count)) + pen.px(44)) / (width / count);
  const labels = cellTicks(0, count, spacing).map((index) => ({
    text: String(index),
    middle: (x(index) + x(index + 1)) / 2,
    width: pen.measure(String(index)),
  }));
  for (const { label, middle } of placeLabels(labels, pen.px(LABEL_GAP), 0, whole)) {
    pen.vertical(Math.floor(label.middle), bottom + pen.px(3), bottom + pen.px(8), 'ink-3');
    pen.text(label.text, middle, bottom + pen.px(18));
  }
  const title = { size: TEXT.title, color: 'ink-2' } as const;
  const titleX = Math.min(left, pen.px(whole < COMPACT * pen.ratio ? 44 : 58));
  pen.text(spec.yTitle, titleX, pen.px(12), { ...title, align: 'left' });
  pen.text(spec.xTitle, left + width, bottom + pen.px(36), { ...title, align: 'right' });
  drawNames(pen, spec, left, bottom + pen.px(36));
  if (cursor !== undefined && cursor < count) pen.brackets(x(cursor), top, x(cursor + 1) - x(cursor) - gap, height);
}

/** What the two parts are, after a sample of each, under the left end of the axis. */
function drawNames(pen: Pen, { names, colors }: BarPlotSpec, left: number, y: number): void {
  const size = pen.px(10);
  let x = left;
  for (const part of ['solid', 'hatched'] as const) {
    const box: Rect = [x, y - size / 2, size, size];
    if (part === 'solid') pen.fill(...box, colors.solid);
    else {
      pen.hatch([box], box, colors.hatched);
      pen.frame(...box, 'edge');
    }
    x += size + pen.px(6);
    x += pen.text(names[part], x, y, { size: TEXT.title, align: 'left', color: 'ink-2' }) + pen.px(14);
  }
}
