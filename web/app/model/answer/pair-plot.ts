// A bar per pair of channels: by what its frequency is divided, on a log axis, with the zones named under it.

import { READOUT_DIGITS, short } from '../../plots/format.js';
import { ROW_KEYS, moved } from '../../plots/keys.js';
import { LABEL_GAP, type Pen, type Rect, TEXT } from '../../plots/pen.js';
import { Stage } from '../../plots/stage.js';
import type { LineColor } from '../../plots/theme.js';
import { placeLabels } from '../../plots/ticks.js';
import type { LayerView } from './layer-view.js';
import { texts } from '../../texts/index.js';

/** Pairs that follow each other, under one name. */
export interface PairRange {
  readonly from: number;
  readonly to: number;
  readonly name: string;
  readonly kind: 'kept' | 'blended' | 'scaled';
}

export interface PairPlotSpec {
  /** Accessible name of the picture. */
  readonly label: string;
  /** One per pair; Infinity for a pair that does not turn. */
  readonly divisor: ArrayLike<number>;
  readonly ranges: readonly PairRange[];
  readonly yTitle: string;
  readonly xTitle: string;
}

const HEIGHT = { top: 28, plot: 132, bottom: 58 };
/** A pair that keeps its frequency has a bar as well, CSS pixels. */
const LEAST_BAR = 4;
const LEFT = 44;
const COLORS: Readonly<Record<PairRange['kind'], LineColor>> = { kept: 1, blended: 3, scaled: 2 };
/** More doublings than this are labelled at every second or fourth. */
const MOST_TICKS = 6;

export class PairPlot {
  readonly #stage: Stage;
  #spec: PairPlotSpec | undefined;
  #cursor = 0;

  /** `onPair`: the pair under the pointer or chosen by key. */
  constructor(onPair: (pair: number) => void) {
    const choose = (pair: number): void => onPair((this.#cursor = moved(0, pair, this.#spec?.divisor.length ?? 1)));
    this.#stage = new Stage({
      arrange: () => HEIGHT.top + HEIGHT.plot + HEIGHT.bottom,
      paint: (pen) => drawPairs(pen, this.#stage.width, this.#spec!, this.#cursor),
      onPoint: ({ x }) => {
        const width = this.#stage.width / devicePixelRatio - LEFT;
        choose(Math.floor(((x - LEFT) / width) * (this.#spec?.divisor.length ?? 1)));
      },
      keys: ROW_KEYS,
      onMove: ({ right, down }) => choose(this.#cursor + right - down),
    });
  }

  get element(): HTMLElement {
    return this.#stage.element;
  }

  /** Draws new numbers in the next frame, with a cursor on a pair. */
  update(spec: PairPlotSpec, cursor: number): void {
    this.#spec = spec;
    this.#cursor = cursor;
    this.#stage.update(spec.label);
  }
}

function drawPairs(pen: Pen, width: number, spec: PairPlotSpec, cursor: number): void {
  const { divisor, ranges } = spec;
  const count = divisor.length;
  const turning = Array.from(divisor).filter(Number.isFinite);
  const from = Math.floor(Math.min(0, ...turning.map(Math.log2)) + 1e-9);
  const high = Math.ceil(Math.max(1, ...turning.map(Math.log2)) - 1e-9);
  const [left, top, plot] = [pen.px(LEFT), pen.px(HEIGHT.top), pen.px(HEIGHT.plot)];
  const bottom = top + plot;
  const span = width - left;
  const x = (pair: number): number => Math.round(left + (pair / count) * span);
  const y = (value: number): number => Math.round(bottom - ((Math.log2(value) - from) / (high - from)) * plot);

  const step = Math.ceil((high - from) / MOST_TICKS);
  for (let exponent = from; exponent <= high; exponent += step) {
    const at = y(2 ** exponent);
    pen.horizontal(left, width, at, 'rule');
    pen.text(short(2 ** exponent), left - pen.px(8), at, { align: 'right' });
  }
  const gap = span / count > pen.px(5) ? pen.px(2) : span / count > pen.px(2.5) ? pen.hairline : 0;
  const hatched: Rect[] = [];
  for (const { from: first, to: last, kind } of ranges) {
    for (let pair = first; pair <= last; pair++) {
      if (!Number.isFinite(divisor[pair])) continue;
      const top = Math.min(y(divisor[pair]!), bottom - pen.px(LEAST_BAR));
      const bar: Rect = [x(pair), top, Math.max(1, x(pair + 1) - x(pair) - gap), bottom - top];
      pen.fill(...bar, COLORS[kind]);
      if (kind === 'blended') hatched.push(bar);
    }
  }
  pen.hatch(hatched, [left, top, span, plot], 'paper');
  if (cursor < count) pen.brackets(x(cursor), top, x(cursor + 1) - x(cursor) - gap, plot);

  const line = pen.hairline;
  const brackets = ranges.map((range) => {
    const [start, end] = [x(range.from), x(range.to + 1) - gap];
    const names = [range.name, range.from === range.to ? String(range.from) : `${range.from}–${range.to}`];
    const widths = names.map((name) => pen.measure(name, { size: TEXT.label, weight: 650 }));
    return { start, end, names, middle: (start + end) / 2, width: Math.max(...widths), weight: end - start };
  });
  const y0 = bottom + pen.px(6);
  for (const { start, end } of brackets) {
    pen.vertical(start, y0, y0 + pen.px(5), 'ink-3');
    pen.vertical(Math.max(start, end - line), y0, y0 + pen.px(5), 'ink-3');
    pen.horizontal(start, end, y0 + pen.px(5), 'ink-3');
  }
  for (const { label, middle } of placeLabels(brackets, pen.px(LABEL_GAP), left, width)) {
    pen.text(label.names[0]!, middle, y0 + pen.px(18), { size: TEXT.label, weight: 650, color: 'ink' });
    pen.text(label.names[1]!, middle, y0 + pen.px(36), { size: TEXT.title, color: 'ink-2' });
  }
  pen.text(spec.yTitle, 0, pen.px(10), { size: TEXT.title, color: 'ink-2', align: 'left' });
  pen.text(spec.xTitle, 0, y0 + pen.px(36), { size: TEXT.title, color: 'ink-2', align: 'left' });
}

/** A divisor in a line of text, with six digits at most. */
export function divisorText(divisor: number): string {
  return short(Number(divisor.toPrecision(READOUT_DIGITS)));
}

/** The pairs of a rotary embedding that are treated alike. */
export function pairRanges({ facts, frequencies: { divisor } }: LayerView): PairRange[] {
  const text = texts().panel;
  const scaled = (from: number, to: number): string => {
    if (!Number.isFinite(divisor[from]!)) return text.zones.still;
    return divisor[from] === divisor[to] ? text.dividedBy(divisorText(divisor[from]!)) : text.zones.scaled;
  };
  return facts.zones.map(({ zone, from, to }) => ({
    from,
    to,
    kind: zone,
    name: zone === 'scaled' ? scaled(from, to) : text.zones[zone],
  }));
}
