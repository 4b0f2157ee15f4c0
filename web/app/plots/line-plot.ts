// Lines on the page's terms: drawn with the same pen as the heat maps. It draws numbers and knows nothing of what they are.

import { ROW_KEYS, moved } from './keys.js';
import { drawAxes } from './line-axes.js';
import { type LineLayout, type LinePlotSpec, arrange, nearest } from './line-layout.js';
import { drawAnnotations } from './line-names.js';
import { drawLines } from './line-strokes.js';
import type { Fingers, Place } from './pointers.js';
import { onceEach } from './screen.js';
import { Stage } from './stage.js';
import { bothWays } from './trace.js';

export type { LineAxis, LineMark, LineSeries } from './line-layout.js';

/** A plotted area: CSS pixels from the element's left edge, its width, and to the right edge. */
export interface LineArea {
  readonly left: number;
  readonly width: number;
  readonly right: number;
}

export interface LinePlotEvents {
  /** The reader has moved the cursor to x[index], by pointer or key. */
  readonly onCursor?: (index: number) => void;
  /** Whether a mouse moves the cursor by hovering (the default) or by pressing, for a cursor that is a control's value. */
  readonly mouse?: 'hover' | 'press';
  /** The plotted area has a new place. */
  readonly onLayout?: (area: LineArea) => void;
}

/** A part of an axis, in shares of it. */
interface View {
  readonly from: number;
  readonly to: number;
}

const WHOLE: View = { from: 0, to: 1 };
/** The narrowest part of the x axis that pinching shows. */
const LEAST_VIEW = 1 / 32;

export class LinePlot {
  readonly #events: LinePlotEvents;
  readonly #stage: Stage;
  readonly #tellArea: (area: LineArea) => void;
  /** As it was given, and the part of it that is in view. */
  #full: LinePlotSpec | undefined;
  #spec: LinePlotSpec | undefined;
  /** What pinching shows of the x axis. */
  #view = WHOLE;
  #cursor: number | undefined;
  /** Where what is in view was last drawn. */
  #layout: LineLayout | undefined;

  constructor(events: LinePlotEvents = {}) {
    this.#events = events;
    this.#tellArea = onceEach(events.onLayout);
    this.#stage = new Stage({
      arrange: (pen) => {
        const layout = (this.#layout = arrange(this.#spec!, pen, this.#stage));
        const [left, width] = [layout.left / pen.ratio, layout.width / pen.ratio];
        this.#tellArea({ left, width, right: layout.whole.width / pen.ratio - left - width });
        return layout.whole.cssHeight;
      },
      paint: (pen) => {
        const [layout, spec] = [this.#layout!, this.#spec!];
        drawAxes(layout, pen, spec);
        drawLines(layout, pen, spec);
        drawAnnotations(layout, pen, spec, this.#cursor);
      },
      mouse: events.mouse,
      onPoint: (at) => this.#pointAt(at),
      onPinch: (fingers) => this.#pinch(fingers),
      onDoubleTap: () => this.#show(WHOLE),
      keys: ROW_KEYS,
      onMove: ({ right, down }) => this.#choose(moved(this.#cursor ?? 0, right - down, this.#spec?.x.length ?? 0)),
    });
  }

  get element(): HTMLElement {
    return this.#stage.element;
  }

  /** Draws new numbers or a new arrangement in the next frame. */
  update(spec: LinePlotSpec): void {
    this.#full = spec;
    this.#spec = inView(spec, this.#view);
    this.#cursor = spec.cursor;
    this.#stage.update(spec.label);
  }

  #choose(index: number): void {
    if (index === this.#cursor) return;
    this.#cursor = index;
    this.#stage.redraw();
    this.#events.onCursor?.(index);
  }

  #pointAt({ x }: Place): void {
    const [spec, at] = [this.#spec, this.#layout];
    if (!spec || !at || spec.x.length === 0) return;
    const { minimum, maximum } = spec.xAxis;
    const value = at.x.valueAt(x * devicePixelRatio);
    this.#choose(nearest(spec.x, Math.min(maximum, Math.max(minimum, value))));
  }

  /** What is under two fingers stays under them. */
  #pinch(start: Fingers): (now: Fingers) => void {
    const { left, width } = this.#layout ?? { left: 0, width: this.#stage.width };
    const ends = (fingers: Fingers): View => {
      const [a, b] = fingers.map(({ x }) => (x * devicePixelRatio - left) / width) as [number, number];
      return { from: Math.min(a, b), to: Math.max(a, b) };
    };
    const [view, from] = [this.#view, ends(start)];
    const span = view.to - view.from;
    return (now) => {
      const to = ends(now);
      const zoomed = (span * (from.to - from.from)) / Math.max(1e-3, to.to - to.from);
      const shown = Math.min(1, Math.max(LEAST_VIEW, zoomed));
      const middle = view.from + (span * (from.from + from.to)) / 2;
      const first = Math.min(1 - shown, Math.max(0, middle - (shown * (to.from + to.to)) / 2));
      this.#show({ from: first, to: first + shown });
    };
  }

  #show(view: View): void {
    this.#view = view;
    if (this.#full) this.#spec = inView(this.#full, view);
    this.#stage.redraw();
  }
}

/** A plot with the part of its x axis that is in view, and what stands there. */
function inView(spec: LinePlotSpec, view: View): LinePlotSpec {
  if (view === WHOLE) return spec;
  const { xAxis } = spec;
  const { forth, back } = bothWays(xAxis.scale);
  const [low, high] = [forth(xAxis.minimum), forth(xAxis.maximum)];
  const [minimum, maximum] = [view.from, view.to].map((share) => back(low + share * (high - low))) as [number, number];
  const shows = (x: number): boolean => x >= minimum && x <= maximum;
  const ticks = xAxis.ticks?.filter(({ at }) => shows(at));
  const rows = spec.rugs?.rows.map((row) => ({ ...row, at: Array.from(row.at).filter(shows) }));
  return {
    ...spec,
    xAxis: { ...xAxis, minimum, maximum, ...(ticks ? { ticks } : {}) },
    series: spec.series.map((series) =>
      typeof series.place === 'object'
        ? { ...series, place: { ...series.place, x: Math.min(maximum, Math.max(minimum, series.place.x)) } }
        : series,
    ),
    ...(spec.marks ? { marks: spec.marks.filter(({ x }) => shows(x)) } : {}),
    ...(rows ? { rugs: { ...spec.rugs!, rows } } : {}),
  };
}
