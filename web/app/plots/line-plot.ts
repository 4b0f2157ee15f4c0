// Lines on the page's terms: drawn with the same pen as the heat maps. It draws numbers and knows nothing of what they are.

import { powerOfTen, short } from './format.js';
import { COMPACT, LABEL_GAP, Pen, type Point, TEXT, type TextStyle } from './pen.js';
import { type Plot, registerPlot } from './plot.js';
import { onAppearanceChange, onDeviceWidth, oncePerFrame } from './screen.js';
import { Taps } from './taps.js';
import { type LineColor, Theme, themeOf } from './theme.js';
import { decadeMinorTicks, decadeTicks, linearTicks, placeLabels, spread } from './ticks.js';
import {
  type Scale,
  type Values,
  addBand,
  addPoints,
  isDense,
  pixelsOf,
  pointsThatShow,
  runsTogether,
  scaleOf,
} from './trace.js';

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

export interface LinePlotEvents {
  /** The reader has moved the cursor to x[index], by pointer or key. */
  readonly onCursor?: (index: number) => void;
  /** Whether a mouse moves the cursor by hovering (the default) or by pressing, for a cursor that is a control's value. */
  readonly mouse?: 'hover' | 'press';
  /** The plotted area has a new place: CSS pixels from the element's left edge, its width, and to the right edge. */
  readonly onLayout?: (area: { left: number; width: number; right: number }) => void;
}

const PAGE_STEP = 10;
/** The narrowest part of the x axis that pinching shows. */
const LEAST_VIEW = 1 / 32;
const RUG_ROW = 15;
/** Height of the row of names above a narrow area. */
const NAMES_ROW = 20;
const NAME_GAP = 16;
/** Dashes in the order of the line colours: the first two lines are solid. */
const DASHES: Record<LineColor, number[]> = { 1: [], 2: [], 3: [6, 3], 4: [2, 3], 5: [8, 3, 2, 3], 6: [12, 4] };
/** Line colours too pale for text on light paper: their labels are ink after a sample of the line. */
const PALE: readonly LineColor[] = [3, 5];
const SAMPLE = 16;
/** How strongly the area is filled as which a line is seen whose turns run together. */
const RUN_TOGETHER = 0.25;

/** The plotted area, whole device pixels, and its scales. */
interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly x: Scale;
  readonly y: Scale;
}

export class LinePlot implements Plot {
  readonly element = document.createElement('div');
  readonly #stage = document.createElement('div');
  readonly #canvas = document.createElement('canvas');
  readonly #events: LinePlotEvents;
  readonly #frame = oncePerFrame(() => this.#draw());
  readonly #stops: (() => void)[];
  /** As it was given, and the part of it that is in view. */
  #full: LinePlotSpec | undefined;
  #spec: LinePlotSpec | undefined;
  /** What pinching shows of the x axis, in shares of it. */
  #view: View = WHOLE;
  #touch: { readonly fingers: Map<number, number>; pinch?: { readonly view: View; readonly from: View } } = {
    fingers: new Map(),
  };
  readonly #taps = new Taps();
  #cursor: number | undefined;
  /** Width of the element, device pixels. */
  #width = 0;
  /** Where what is in view was last drawn, and the place of the area that was last told. */
  #area: Area | undefined;
  #told = '';

  constructor(events: LinePlotEvents = {}) {
    this.#events = events;
    const stage = this.#stage;
    stage.setAttribute('role', 'img');
    stage.setAttribute('aria-keyshortcuts', 'ArrowLeft ArrowRight Home End Escape');
    stage.tabIndex = 0;
    stage.style.touchAction = 'pan-y';
    const probe = document.createElement('div');
    this.#canvas.style.cssText = 'display: block; width: 100%; height: 100%';
    stage.append(this.#canvas);
    this.element.append(probe, stage);
    registerPlot(this);
    this.#stops = [
      onDeviceWidth(probe, (width) => {
        this.#width = width;
        this.#draw();
      }),
      onAppearanceChange(() => this.#frame.request()),
    ];
    const hovers = (event: PointerEvent): boolean => event.pointerType === 'mouse' && events.mouse !== 'press';
    stage.addEventListener('pointerdown', (event) => this.#fingerDown(event));
    stage.addEventListener('pointercancel', (event) => this.#fingerUp(event));
    stage.addEventListener('pointermove', (event) => {
      if (this.#fingerMoved(event)) return;
      if (event.buttons !== 0 || hovers(event)) this.#point(event);
    });
    stage.addEventListener('pointerup', (event) => {
      if (this.#fingerUp(event)) return;
      if (!hovers(event)) this.#point(event);
    });
    stage.addEventListener('keydown', (event) => this.#keyPressed(event));
  }

  /** Draws new numbers or a new arrangement in the next frame. */
  update(spec: LinePlotSpec): void {
    this.#full = spec;
    this.#spec = inView(spec, this.#view);
    this.#stage.setAttribute('aria-label', spec.label);
    if (this.#cursor !== undefined) this.#cursor = Math.min(this.#cursor, spec.x.length - 1);
    this.#reserve();
    this.#frame.request();
  }

  get cursor(): number | undefined {
    return this.#cursor;
  }

  /** Puts the cursor on x[index], or takes it away; calls nothing back. */
  set cursor(index: number | undefined) {
    this.#cursor = index;
    this.#frame.request();
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    this.#frame.cancel();
  }

  // ---- layout ---------------------------------------------------------------------------------------------------------

  get #compact(): boolean {
    return this.#width < COMPACT * devicePixelRatio;
  }

  /** Gives the element its final height before anything is drawn. */
  #reserve(): void {
    if (this.#spec) this.#stage.style.height = `${this.#height(this.#spec)}px`;
  }

  #height(spec: LinePlotSpec): number {
    const { top, bottom } = this.#vertical(spec);
    return top + spec.height + bottom;
  }

  #vertical(spec: LinePlotSpec): { top: number; bottom: number } {
    const named = spec.marks?.some((mark) => mark.text !== undefined) ?? false;
    const rugs = spec.rugs ? spec.rugs.rows.length * RUG_ROW + 9 : 0;
    const rowsOfNames = this.#rowsOfNames(spec).length - 1;
    return {
      top: (named ? 50 : 28) + rowsOfNames * NAMES_ROW,
      bottom: (spec.xAxis.title || spec.rugs ? 46 : 28) + rugs,
    };
  }

  /**
   * In a narrow plot the names of lines stand above it in rows from the right: the first one beside the title of the y
   * axis, with as many as there is room for.
   */
  #rowsOfNames(spec: LinePlotSpec): NamedSeries[][] {
    const rows: NamedSeries[][] = [[]];
    if (!this.#compact || this.#width === 0) return rows;
    const pen = new Pen(scratch(), devicePixelRatio, themeOf(this.element));
    const title = pen.px(spec.left ?? 44) + pen.measure(spec.yAxis.title, { size: TEXT.title }) + pen.px(LABEL_GAP);
    let room = this.#width - title;
    for (const series of spec.series.filter(isNamedAtEnd)) {
      const width = pen.measure(series.name, labelStyle('ink')) + pen.px(SAMPLE + 6 + NAME_GAP);
      if (width > room) {
        rows.push([]);
        room = this.#width;
      }
      rows.at(-1)!.push(series);
      room -= width;
    }
    return rows;
  }

  #arrange(spec: LinePlotSpec, pen: Pen): Area {
    const { top, bottom } = this.#vertical(spec);
    const height = Math.round(this.#height(spec) * pen.ratio);
    const sides = spec.area
      ? { left: pen.px(spec.area.left), width: Math.max(1, pen.px(spec.area.width)) }
      : this.#sides(spec, pen);
    const area = { ...sides, top: pen.px(top), height: height - pen.px(top) - pen.px(bottom) };
    return {
      ...area,
      x: scaleOf(spec.xAxis, area.left, area.left + area.width),
      y: scaleOf(spec.yAxis, area.top + area.height, area.top),
    };
  }

  /** Room for the numbers on the left and for names on the right. */
  #sides(spec: LinePlotSpec, pen: Pen): { left: number; width: number } {
    const css = (text: string, style: TextStyle): number => pen.measure(text, style) / pen.ratio;
    const ticks = ticksOf(spec.yAxis, 5).map(({ label }) => css(label, {}) + 14);
    const left = pen.px(Math.ceil(Math.max(spec.left ?? (this.#compact ? 44 : 58), ...ticks)));
    const names = this.#compact ? [] : spec.series.filter(isNamedAtEnd);
    const rugs = this.#compact ? [] : (spec.rugs?.rows ?? []);
    const right = Math.max(
      16,
      ...names.map(({ name, color }) => css(name, labelStyle(color)) + (isPale(color, pen.theme) ? 42 : 20)),
      ...rugs.map(({ name }) => css(name, { size: TEXT.title }) + 20),
    );
    return { left, width: Math.max(1, this.#width - left - pen.px(Math.ceil(right))) };
  }

  // ---- drawing --------------------------------------------------------------------------------------------------------

  #draw(): void {
    const spec = this.#spec;
    const context = this.#canvas.getContext('2d');
    if (!spec || !context || this.#width === 0) return;
    this.#frame.cancel();
    this.#reserve();
    const ratio = devicePixelRatio;
    const height = Math.round(this.#height(spec) * ratio);
    if (this.#canvas.width !== this.#width || this.#canvas.height !== height) {
      this.#canvas.width = this.#width;
      this.#canvas.height = height;
    } else {
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, this.#width, height);
    }
    const pen = new Pen(context, ratio, themeOf(this.element));
    this.#area = this.#arrange(spec, pen);
    this.#paint(this.#area, pen, spec);
    const { left, width } = this.#area;
    const area = { left: left / ratio, width: width / ratio, right: (this.#width - left - width) / ratio };
    if (JSON.stringify(area) === this.#told) return;
    this.#told = JSON.stringify(area);
    this.#events.onLayout?.(area);
  }

  paint(pen: Pen): void {
    if (this.#spec && this.#area) this.#paint(this.#area, pen, this.#spec);
  }

  #paint(area: Area, pen: Pen, spec: LinePlotSpec): void {
    this.#drawAxes(area, pen, spec);
    drawLines(area, pen, spec);
    this.#drawAnnotations(area, pen, spec);
  }

  #drawAxes(area: Area, pen: Pen, spec: LinePlotSpec): void {
    const { left, top, width, height } = area;
    const [right, bottom] = [left + width, top + height];
    const px = (length: number): number => pen.px(length);

    for (const { at, label } of ticksOf(spec.yAxis, 5)) {
      const y = Math.round(area.y.place(at));
      pen.horizontal(left, right, y, 'rule');
      if (at === 0 && spec.yAxis.minimum < 0) pen.horizontal(left, right, y + pen.hairline, 'rule');
      pen.text(label, left - px(8), y, { align: 'right' });
    }
    pen.text(spec.yAxis.title, Math.min(left, px(spec.left ?? 58)), px(12), {
      size: TEXT.title,
      align: 'left',
      color: 'ink-2',
    });

    const axisY = bottom + px(6);
    const place = (at: number): number => Math.round(area.x.place(at));
    const baseline = spec.xAxis.scale === 'log';
    if (baseline) {
      pen.horizontal(left, right, axisY, 'edge');
      for (const at of decadeMinorTicks(spec.xAxis.minimum, spec.xAxis.maximum)) {
        pen.vertical(Math.min(place(at), right - 1), axisY, axisY + px(3), 'edge');
      }
    }
    const ticks = ticksOf(spec.xAxis, Math.max(2, Math.floor(width / px(this.#compact ? 40 : 90))));
    const labels = ticks.map(({ at, label }) => ({ at, label, middle: place(at), width: pen.measure(label) }));
    for (const { label, middle } of placeLabels(labels, px(LABEL_GAP), 0, this.#width)) {
      pen.vertical(Math.min(place(label.at), right - 1), axisY, axisY + px(5), 'ink-3');
      pen.text(label.label, middle, axisY + px(15));
    }
    const titleY = axisY + px(33);
    pen.text(spec.xAxis.title, right, titleY, { size: TEXT.title, align: 'right', color: 'ink-2' });
    if (spec.rugs) this.#drawRugs(area, pen, spec.rugs, titleY);
  }

  #drawRugs(area: Area, pen: Pen, rugs: NonNullable<LinePlotSpec['rugs']>, titleY: number): void {
    const { left, width } = area;
    pen.text(rugs.title, left, titleY, { size: TEXT.title, align: 'left', color: 'ink-2' });
    rugs.rows.forEach(({ name, color, at }, row) => {
      const y = titleY + pen.px(12 + row * RUG_ROW);
      pen.horizontal(left, left + width, y + pen.px(9), 'rule');
      const thickness = at.length < 20 ? pen.px(2.5) : 1;
      for (let i = 0; i < at.length; i++) {
        const x = area.x.place(at[i]!) - thickness / 2;
        if (x <= left + width) pen.vertical(Math.round(x), y, y + pen.px(9), color, thickness);
      }
      if (!this.#compact) {
        const style = { size: TEXT.title, align: 'left', color: isPale(color, pen.theme) ? 'ink-2' : color } as const;
        pen.text(name, left + width + pen.px(12), y + pen.px(5), style);
      }
    });
  }

  #drawAnnotations(area: Area, pen: Pen, spec: LinePlotSpec): void {
    if (spec.threshold) pen.polyline(this.#thresholdLine(area, spec.threshold.y), 'ink-2', 1, [5, 4]);
    const drawMarkTexts = this.#drawMarks(area, pen, spec.marks ?? []);
    if (this.#cursor !== undefined) this.#drawCursor(area, pen, spec, this.#cursor);
    // Words go over the cursor's line, which would cut them.
    if (spec.threshold) this.#drawThresholdLabel(area, pen, spec.threshold);
    this.#drawNames(area, pen, spec);
    drawMarkTexts();
  }

  #thresholdLine(area: Area, level: number): readonly [Point, Point] {
    const { left, width } = area;
    const y = Math.round(area.y.place(level)) + 0.5;
    return [
      [left, y],
      [left + width, y],
    ];
  }

  #drawThresholdLabel(area: Area, pen: Pen, { y, label }: NonNullable<LinePlotSpec['threshold']>): void {
    const [[x, level]] = this.#thresholdLine(area, y);
    // Grid lines would strike its words through.
    pen.fill(x + pen.px(4), level - pen.px(16), pen.measure(label) + pen.px(4), pen.px(14), 'paper');
    pen.text(label, x + pen.px(6), level - pen.px(9), { align: 'left', color: 'ink-2', halo: true });
  }

  #drawNames(area: Area, pen: Pen, spec: LinePlotSpec): void {
    const { left, top, width, height } = area;
    const ends = spec.series.filter(isNamedAtEnd);
    if (this.#compact) {
      this.#rowsOfNames(spec).forEach((names, row) => {
        let x = left + width;
        for (const { name, color } of [...names].reverse()) {
          x -= this.#drawSample(pen, name, color, x, pen.px(12 + row * NAMES_ROW), 'right') + pen.px(NAME_GAP);
        }
      });
    } else {
      const wanted = ends.map((series) => area.y.place(series.labelY ?? lastOf(series.values)));
      spread(wanted, pen.px(18), top + pen.px(7), top + height - pen.px(7)).forEach((y, k) => {
        const { name, color } = ends[k]!;
        this.#drawName(pen, name, color, left + width + pen.px(12), y, 'left');
      });
    }
    for (const { name, color, values, place } of spec.series.filter(isNamed)) {
      if (place === undefined || place === 'end') continue;
      const index = nearest(spec.x, place.x);
      const value = values[index];
      if (value === null || value === undefined || !Number.isFinite(value)) continue;
      const y = area.y.place(value) + pen.px(place.side === 'above' ? -13 : 14);
      this.#drawName(pen, name, color, area.x.place(place.x), y, 'center');
    }
  }

  /** A name at its curve: in the line's colour where that is dark enough for text. */
  #drawName(pen: Pen, name: string, color: LineColor, x: number, y: number, align: 'left' | 'center'): void {
    if (!isPale(color, pen.theme)) {
      pen.text(name, x, y, { ...labelStyle(color), align, halo: true });
      return;
    }
    const total = pen.measure(name, labelStyle('ink')) + pen.px(SAMPLE + 6);
    this.#drawSample(pen, name, color, align === 'left' ? x : x - total / 2, y, 'left');
  }

  /** Ink after a sample of the line. Returns its width. */
  #drawSample(pen: Pen, name: string, color: LineColor, x: number, y: number, align: 'left' | 'right'): number {
    const style = labelStyle('ink');
    const total = pen.measure(name, style) + pen.px(SAMPLE + 6);
    const start = align === 'left' ? x : x - total;
    pen.polyline(
      [
        [start, Math.round(y)],
        [start + pen.px(SAMPLE), Math.round(y)],
      ],
      color,
      2.5,
      DASHES[color],
    );
    pen.text(name, start + pen.px(SAMPLE + 6), y, { ...style, align: 'left', halo: true });
    return total;
  }

  /** Draws the marks and answers with what draws their texts. */
  #drawMarks(area: Area, pen: Pen, marks: readonly LineMark[]): () => void {
    const at = ({ x, y }: LineMark): Point => [area.x.place(x), area.y.place(y)];
    for (const mark of marks) {
      const [x, y] = at(mark);
      if (mark.kind === 'tick') pen.vertical(Math.round(x), y - pen.px(8), y - pen.px(2), mark.color, pen.px(1.5));
    }
    const style = (mark: LineMark) =>
      ({ size: TEXT.title, weight: mark.strong ? 650 : 400, color: 'ink', halo: true }) as const;
    const named = marks
      .filter((mark) => mark.kind === 'ring')
      .map((mark) => {
        const [middle, y] = at(mark);
        const text = this.#compact ? (mark.brief ?? mark.text) : mark.text;
        const width = text === undefined ? pen.px(10) : pen.measure(text, style(mark));
        return { mark, text, middle, y, width, weight: mark.strong ? 1 : 0 };
      });
    // Names at one height compete for the room along it; a ring loses its name's place, not its own.
    const rows = new Map<number, typeof named>();
    for (const one of named) {
      const row = [...rows.keys()].find((y) => Math.abs(y - one.y) < pen.px(16)) ?? one.y;
      rows.set(row, [...(rows.get(row) ?? []), one]);
    }
    const texts: (() => void)[] = [];
    const right = area.left + area.width + pen.px(2);
    for (const row of rows.values()) {
      for (const { label, middle } of placeLabels(row, pen.px(LABEL_GAP), 0, right)) {
        const { mark, text = '', y } = label;
        pen.dot(label.middle, y, mark.color, 'ring');
        texts.push(() => pen.text(text, middle, y - pen.px(16), style(mark)));
      }
    }
    return () => texts.forEach((draw) => draw());
  }

  #drawCursor(area: Area, pen: Pen, spec: LinePlotSpec, index: number): void {
    const at = spec.x[index];
    if (at === undefined || at < spec.xAxis.minimum || at > spec.xAxis.maximum) return;
    const { top, height } = area;
    const x = Math.round(area.x.place(at)) + 0.5;
    pen.cursorLine(
      [
        [x, top - pen.px(2)],
        [x, top + height + pen.px(6)],
      ],
      'ink',
      1.5,
    );
    for (const { values, color, dot = true } of spec.series) {
      const value = values[index];
      if (!dot || value === null || value === undefined || !Number.isFinite(value)) continue;
      pen.dot(x, area.y.place(value), color, 'filled');
    }
  }

  // ---- pointer and keys -----------------------------------------------------------------------------------------------

  #choose(index: number): void {
    if (index === this.#cursor) return;
    this.cursor = index;
    this.#events.onCursor?.(index);
  }

  #point(event: PointerEvent): void {
    const { x } = this.#spec ?? {};
    if (!x || !this.#area || x.length === 0) return;
    const offset = (event.clientX - this.#stage.getBoundingClientRect().left) * devicePixelRatio;
    const { minimum, maximum } = this.#spec!.xAxis;
    const value = Math.min(maximum, Math.max(minimum, this.#area.x.valueAt(offset)));
    this.#choose(nearest(x, value));
  }

  #fingerDown(event: PointerEvent): void {
    if (event.pointerType !== 'touch') return;
    const { fingers } = this.#touch;
    fingers.set(event.pointerId, this.#shareAt(event));
    this.#taps.down(event, fingers.size);
    const ends = [...fingers.values()];
    if (ends.length === 2) this.#touch.pinch = { view: this.#view, from: ordered(ends) };
  }

  /** Whether the finger is one of two. */
  #fingerMoved(event: PointerEvent): boolean {
    const { fingers, pinch } = this.#touch;
    if (!fingers.has(event.pointerId)) return false;
    this.#taps.moved(event);
    fingers.set(event.pointerId, this.#shareAt(event));
    if (!pinch) return false;
    // What was under the fingers stays under them.
    const [from, to] = [pinch.from, ordered([...fingers.values()])];
    const width = pinch.view.to - pinch.view.from;
    const zoomed = Math.min(1, Math.max(LEAST_VIEW, (width * (from.to - from.from)) / Math.max(1e-3, to.to - to.from)));
    const middle = pinch.view.from + (width * (from.from + from.to)) / 2;
    const start = Math.min(1 - zoomed, Math.max(0, middle - (zoomed * (to.from + to.to)) / 2));
    this.#show({ from: start, to: start + zoomed });
    return true;
  }

  /** Whether the finger was one of two, or ended a double tap. */
  #fingerUp(event: PointerEvent): boolean {
    const { fingers, pinch } = this.#touch;
    const wasTwo = pinch !== undefined;
    fingers.delete(event.pointerId);
    if (fingers.size === 0) delete this.#touch.pinch;
    if (this.#taps.up(event) !== 'double') return wasTwo;
    this.#show(WHOLE);
    return true;
  }

  #show(view: View): void {
    this.#view = view;
    if (this.#full) this.#spec = inView(this.#full, view);
    this.#frame.request();
  }

  /** Where a pointer is along the plotted area, 0 … 1 inside it. */
  #shareAt(event: PointerEvent): number {
    const { left, width } = this.#area ?? { left: 0, width: this.#width };
    const offset = (event.clientX - this.#stage.getBoundingClientRect().left) * devicePixelRatio;
    return (offset - left) / width;
  }

  #keyPressed(event: KeyboardEvent): void {
    const length = this.#spec?.x.length ?? 0;
    if (length === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') return this.#stage.blur();
    const index = this.#cursor ?? 0;
    const step = event.shiftKey ? PAGE_STEP : 1;
    const moves: Record<string, number> = {
      ArrowLeft: index - step,
      ArrowRight: index + step,
      PageDown: index - PAGE_STEP,
      PageUp: index + PAGE_STEP,
      Home: 0,
      End: length - 1,
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    this.#choose(Math.max(0, Math.min(length - 1, move)));
  }
}

/** The lines of a plot, with their bands and washes. */
function drawLines(area: Area, pen: Pen, { x, series }: LinePlotSpec): void {
  const { context, theme } = pen;
  const { left, top, width, height } = area;
  const across = new Float64Array(x.length);
  for (let i = 0; i < across.length; i++) across[i] = area.x.place(x[i]!);
  const down = (values: Values): Float64Array => {
    const places = new Float64Array(across.length);
    for (let i = 0; i < places.length; i++) {
      const place = area.y.place(values[i] ?? NaN);
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
    if (wash) pen.shape((path) => addBand(path, across, upper, area.y.place(0)), theme.color('wash'));
    if (lower) pen.shape((path) => addBand(path, across, upper, lower), theme.tint(color, band.opacity));
    line(upper, color, thickness);
    if (lower) line(lower, color, thickness * 0.7);
  }
  context.restore();
}

/** A part of an axis, in shares of it. */
interface View {
  readonly from: number;
  readonly to: number;
}

const WHOLE: View = { from: 0, to: 1 };

function ordered(ends: readonly number[]): View {
  return { from: Math.min(...ends), to: Math.max(...ends) };
}

/** A plot with the part of its x axis that is in view, and what stands there. */
function inView(spec: LinePlotSpec, view: View): LinePlotSpec {
  if (view === WHOLE) return spec;
  const { xAxis } = spec;
  const [forth, back] = xAxis.scale === 'log' ? [Math.log, Math.exp] : [(x: number) => x, (x: number) => x];
  const [low, high] = [forth(xAxis.minimum), forth(xAxis.maximum)];
  const [minimum, maximum] = [view.from, view.to].map((share) => back(low + share * (high - low))) as [number, number];
  const shows = (x: number): boolean => x >= minimum && x <= maximum;
  return {
    ...spec,
    xAxis: {
      ...xAxis,
      minimum,
      maximum,
      ...(xAxis.ticks ? { ticks: xAxis.ticks.filter(({ at }) => shows(at)) } : {}),
    },
    series: spec.series.map((series) =>
      typeof series.place === 'object'
        ? { ...series, place: { ...series.place, x: Math.min(maximum, Math.max(minimum, series.place.x)) } }
        : series,
    ),
    ...(spec.marks ? { marks: spec.marks.filter(({ x }) => shows(x)) } : {}),
    ...(spec.rugs
      ? {
          rugs: { ...spec.rugs, rows: spec.rugs.rows.map((row) => ({ ...row, at: Array.from(row.at).filter(shows) })) },
        }
      : {}),
  };
}

function ticksOf(axis: LineAxis, count: number): readonly { at: number; label: string }[] {
  if (axis.ticks) return axis.ticks;
  if (axis.scale !== 'log') {
    return linearTicks(axis.minimum, axis.maximum, count).map((at) => ({ at, label: short(at) }));
  }
  return decadeTicks(axis.minimum, axis.maximum).map((at) => ({ at, label: powerOfTen(Math.round(Math.log10(at))) }));
}

/** Index of the number of an ascending list nearest to `value`. */
function nearest(list: ArrayLike<number>, value: number): number {
  let [low, high] = [0, list.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (list[middle]! <= value) low = middle;
    else high = middle;
  }
  return Math.abs(list[low]! - value) <= Math.abs(list[high]! - value) ? low : high;
}

function lastOf(values: Values): number {
  for (let i = values.length - 1; i >= 0; i--) {
    const value = values[i];
    if (value !== null && value !== undefined && Number.isFinite(value)) return value;
  }
  return 0;
}

type NamedSeries = LineSeries & { readonly name: string };

function isNamed(series: LineSeries): series is NamedSeries {
  return series.name !== undefined;
}

function isNamedAtEnd(series: LineSeries): series is NamedSeries {
  return isNamed(series) && (series.place === undefined || series.place === 'end');
}

function labelStyle(color: LineColor | 'ink'): TextStyle {
  return { size: TEXT.label, weight: 650, color };
}

function isPale(color: LineColor, theme: Theme): boolean {
  return theme.scheme === 'light' && PALE.includes(color);
}

let measuring: CanvasRenderingContext2D | undefined;

/** A context to measure text in before a plot has its own. */
function scratch(): CanvasRenderingContext2D {
  measuring ??= document.createElement('canvas').getContext('2d')!;
  return measuring;
}
