// Dials side by side: hands on a circle, clockwise from the top. It draws numbers and knows nothing of what they are.

import { GRID_KEYS, moved } from './keys.js';
import { type Pen, TEXT } from './pen.js';
import { Stage } from './stage.js';
import type { LineColor, Token } from './theme.js';

export interface Hand {
  /** Its tip, where the circle has radius 1: to the right, and up. */
  readonly right: number;
  readonly up: number;
  readonly color: Token | LineColor;
  /** A plain hand; one with a filled tip; or a dashed one with an open tip, drawn over the others. */
  readonly kind: 'hand' | 'tip' | 'ghost';
}

export interface Dial {
  /** Above and below the dial. */
  readonly name: string;
  readonly caption: string;
  /** In the order of drawing. */
  readonly hands: readonly Hand[];
}

export interface DialsSpec {
  /** Accessible name of the picture. */
  readonly label: string;
  readonly dials: readonly Dial[];
  /** The chosen dial. */
  readonly cursor?: number | undefined;
}

export interface DialsEvents {
  /** The reader has chosen a dial, by pointer or key. */
  readonly onCursor?: (dial: number) => void;
}

/** Radius of a dial and the space between two, CSS pixels, in a wide and in a narrow plot. */
const SIZES = { wide: { radius: 50, gap: 34 }, compact: { radius: 32, gap: 14 } };
const NAME = 22;
const CAPTION = 18;
const ROW_GAP = 10;

interface Grid {
  readonly radius: number;
  readonly columns: number;
  readonly stepX: number;
  readonly stepY: number;
  readonly rows: number;
}

export class Dials {
  readonly #events: DialsEvents;
  readonly #stage = new Stage({
    arrange: () => {
      const { rows, stepY } = this.#grid;
      return rows * stepY - ROW_GAP + 4;
    },
    paint: (pen) => {
      const { radius, columns, stepX, stepY } = this.#grid;
      this.#spec!.dials.forEach((dial, i) => {
        const x = pen.px((i % columns) * stepX + radius + 2);
        const y = pen.px(Math.floor(i / columns) * stepY + NAME + radius + 2);
        drawDial(pen, dial, x, y, pen.px(radius), i === this.#cursor);
      });
    },
    onPoint: ({ x, y }) => {
      const { columns, stepX, stepY } = this.#grid;
      const [column, row] = [Math.floor(x / stepX), Math.floor(y / stepY)];
      if (column < columns) this.#choose(row * columns + column);
    },
    keys: GRID_KEYS,
    onMove: ({ right, down }) => {
      const by = right + this.#grid.columns * down;
      this.#choose(moved(this.#cursor ?? 0, by, this.#spec?.dials.length ?? 0));
    },
  });
  #spec: DialsSpec | undefined;
  #cursor: number | undefined;

  constructor(events: DialsEvents = {}) {
    this.#events = events;
  }

  get element(): HTMLElement {
    return this.#stage.element;
  }

  /** Draws new hands in the next frame. */
  update(spec: DialsSpec): void {
    this.#spec = spec;
    this.#cursor = spec.cursor;
    this.#stage.update(spec.label);
  }

  /** Where the dials stand, CSS pixels. */
  get #grid(): Grid {
    const width = this.#stage.width / devicePixelRatio;
    const { radius, gap } = this.#stage.compact ? SIZES.compact : SIZES.wide;
    const stepX = 2 * radius + gap;
    const columns = Math.max(1, Math.floor((width + gap) / stepX));
    const rows = Math.ceil((this.#spec?.dials.length ?? 1) / columns);
    return { radius, columns, stepX, stepY: 2 * radius + NAME + CAPTION + ROW_GAP, rows };
  }

  #choose(dial: number): void {
    if (dial === this.#cursor || dial >= (this.#spec?.dials.length ?? 0)) return;
    this.#cursor = dial;
    this.#stage.redraw();
    this.#events.onCursor?.(dial);
  }
}

function drawDial(pen: Pen, dial: Dial, x: number, y: number, radius: number, chosen: boolean): void {
  pen.circle(x, y, radius, chosen ? 'ink' : 'edge', chosen ? 1.75 : 1);
  for (let quarter = 0; quarter < 4; quarter++) {
    const [dx, dy] = [Math.sin((quarter * Math.PI) / 2), -Math.cos((quarter * Math.PI) / 2)];
    const [from, to] = [radius - pen.px(4), radius];
    pen.polyline(
      [
        [x + from * dx, y + from * dy],
        [x + to * dx, y + to * dy],
      ],
      'edge',
      1,
    );
  }
  const reach = radius - pen.px(7);
  for (const hand of dial.hands) {
    const [tipX, tipY] = [x + hand.right * reach, y - hand.up * reach];
    const points = [
      [x, y],
      [tipX, tipY],
    ] as const;
    if (hand.kind === 'ghost') pen.polyline(points, hand.color, 2, [3, 3]);
    else pen.polyline(points, hand.color, hand.kind === 'tip' ? 2.5 : 1.5);
  }
  for (const { kind, right, up, color } of dial.hands) {
    if (kind === 'tip') pen.dot(x + right * reach, y - up * reach, color, 'filled');
    if (kind === 'ghost') pen.circle(x + right * reach, y - up * reach, pen.px(6.5), color, 1.75);
  }
  const style = { size: TEXT.title, color: chosen ? 'ink' : 'ink-2', weight: chosen ? 650 : 400 } as const;
  pen.text(dial.name, x, y - radius - pen.px(NAME / 2), style);
  pen.text(dial.caption, x, y + radius + pen.px(CAPTION / 2 + 2));
}
