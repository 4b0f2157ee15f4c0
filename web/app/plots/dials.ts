// Dials side by side: hands on a circle, clockwise from the top. It draws numbers and knows nothing of what they are.

import { COMPACT, type Pen, TEXT } from './pen.js';
import { Sketch } from './sketch.js';
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
  readonly #sketch = new Sketch({
    height: (width) => {
      const { rows, stepY } = this.#gridIn(width);
      return rows * stepY - ROW_GAP + 4;
    },
    keys: 'ArrowLeft ArrowRight ArrowUp ArrowDown Home End',
    onPoint: (x, y) => this.#choose(this.#dialAt(x, y)),
    onKey: ({ key }) => this.#keyPressed(key),
  });
  #spec: DialsSpec | undefined;
  #cursor: number | undefined;

  constructor(events: DialsEvents = {}) {
    this.#events = events;
  }

  get element(): HTMLElement {
    return this.#sketch.element;
  }

  /** Draws new hands, and the cursor on a dial, in the next frame. */
  update(spec: DialsSpec, cursor: number | undefined): void {
    this.#spec = spec;
    this.#cursor = cursor;
    this.#sketch.update({
      label: spec.label,
      paint: (pen, width) => {
        const { radius, columns, stepX, stepY } = this.#gridIn(width / pen.ratio);
        spec.dials.forEach((dial, i) => {
          const x = pen.px((i % columns) * stepX + radius + 2);
          const y = pen.px(Math.floor(i / columns) * stepY + NAME + radius + 2);
          drawDial(pen, dial, x, y, pen.px(radius), i === this.#cursor);
        });
      },
    });
  }

  dispose(): void {
    this.#sketch.dispose();
  }

  /** Where the dials stand, CSS pixels. */
  #gridIn(width: number): Grid {
    const { radius, gap } = width < COMPACT ? SIZES.compact : SIZES.wide;
    const stepX = 2 * radius + gap;
    const columns = Math.max(1, Math.floor((width + gap) / stepX));
    const rows = Math.ceil((this.#spec?.dials.length ?? 1) / columns);
    return { radius, columns, stepX, stepY: 2 * radius + NAME + CAPTION + ROW_GAP, rows };
  }

  #dialAt(x: number, y: number): number | undefined {
    const { columns, stepX, stepY } = this.#gridIn(this.element.clientWidth);
    const [column, row] = [Math.floor(x / stepX), Math.floor(y / stepY)];
    const dial = row * columns + column;
    return column < columns && dial < (this.#spec?.dials.length ?? 0) ? dial : undefined;
  }

  #choose(dial: number | undefined): void {
    if (dial === undefined || dial === this.#cursor || !this.#spec) return;
    this.update(this.#spec, dial);
    this.#events.onCursor?.(dial);
  }

  #keyPressed(key: string): boolean {
    const { columns } = this.#gridIn(this.element.clientWidth);
    const last = (this.#spec?.dials.length ?? 1) - 1;
    const at = this.#cursor ?? 0;
    const moves: Record<string, number> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at - columns,
      ArrowDown: at + columns,
      Home: 0,
      End: last,
    };
    const move = moves[key];
    if (move === undefined) return false;
    this.#choose(Math.min(last, Math.max(0, move)));
    return true;
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
