// Dials side by side: hands on a circle, clockwise from the top. It draws numbers and knows nothing of what they are.

import { COMPACT, Pen, TEXT } from './pen.js';
import { type Plot, registerPlot } from './plot.js';
import { onAppearanceChange, onDeviceWidth, oncePerFrame } from './screen.js';
import { type LineColor, Theme, type Token } from './theme.js';

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

export class Dials implements Plot {
  readonly element = document.createElement('div');
  readonly #canvas = document.createElement('canvas');
  readonly #events: DialsEvents;
  readonly #frame = oncePerFrame(() => this.#draw());
  readonly #stops: (() => void)[];
  #spec: DialsSpec | undefined;
  #cursor: number | undefined;
  /** Of the element, device pixels. */
  #width = 0;

  constructor(events: DialsEvents = {}) {
    this.#events = events;
    const canvas = this.#canvas;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-keyshortcuts', 'ArrowLeft ArrowRight Home End Escape');
    canvas.tabIndex = 0;
    canvas.style.cssText = 'display: block; width: 100%; touch-action: pan-y';
    const probe = document.createElement('div');
    this.element.append(probe, canvas);
    registerPlot(this);
    this.#stops = [
      onDeviceWidth(probe, (width) => {
        this.#width = width;
        this.#draw();
      }),
      onAppearanceChange(() => this.#frame.request()),
    ];
    canvas.addEventListener('pointermove', (event) => {
      if (event.pointerType === 'mouse') this.#choose(this.#dialAt(event));
    });
    canvas.addEventListener('pointerup', (event) => this.#choose(this.#dialAt(event)));
    canvas.addEventListener('keydown', (event) => this.#keyPressed(event));
  }

  /** Draws new hands in the next frame. */
  update(spec: DialsSpec): void {
    this.#spec = spec;
    this.#canvas.setAttribute('aria-label', spec.label);
    this.#reserve();
    this.#frame.request();
  }

  /** Puts the cursor on a dial, or takes it away; calls nothing back. */
  set cursor(dial: number | undefined) {
    this.#cursor = dial;
    this.#frame.request();
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    this.#frame.cancel();
  }

  /** Where the dials stand, CSS pixels. */
  get #grid(): Grid {
    const width = this.#width / devicePixelRatio;
    const { radius, gap } = width < COMPACT ? SIZES.compact : SIZES.wide;
    const stepX = 2 * radius + gap;
    const columns = Math.max(1, Math.floor((width + gap) / stepX));
    const rows = Math.ceil((this.#spec?.dials.length ?? 0) / columns);
    return { radius, columns, stepX, stepY: 2 * radius + NAME + CAPTION + ROW_GAP, rows };
  }

  /** Gives the element its final height before anything is drawn. */
  #reserve(): void {
    if (this.#width === 0) return;
    const { rows, stepY } = this.#grid;
    this.#canvas.style.height = `${rows * stepY - ROW_GAP + 4}px`;
  }

  #draw(): void {
    const context = this.#canvas.getContext('2d');
    if (!this.#spec || !context || this.#width === 0) return;
    this.#frame.cancel();
    this.#reserve();
    const pen = new Pen(context, devicePixelRatio, new Theme(this.element));
    const { stepY, rows } = this.#grid;
    this.#canvas.width = this.#width;
    this.#canvas.height = pen.px(rows * stepY - ROW_GAP + 4);
    this.paint(pen);
  }

  paint(pen: Pen): void {
    const { radius, columns, stepX, stepY } = this.#grid;
    this.#spec?.dials.forEach((dial, i) => {
      const x = pen.px((i % columns) * stepX + radius + 2);
      const y = pen.px(Math.floor(i / columns) * stepY + NAME + radius + 2);
      this.#drawDial(pen, dial, x, y, pen.px(radius), i === this.#cursor);
    });
  }

  #drawDial(pen: Pen, dial: Dial, x: number, y: number, radius: number, chosen: boolean): void {
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

  #dialAt(event: PointerEvent): number | undefined {
    const { columns, stepX, stepY } = this.#grid;
    const [column, row] = [Math.floor(event.offsetX / stepX), Math.floor(event.offsetY / stepY)];
    const dial = row * columns + column;
    return column < columns && dial < (this.#spec?.dials.length ?? 0) ? dial : undefined;
  }

  #choose(dial: number | undefined): void {
    if (dial === undefined || dial === this.#cursor) return;
    this.cursor = dial;
    this.#events.onCursor?.(dial);
  }

  #keyPressed(event: KeyboardEvent): void {
    if (!this.#spec || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') return this.#canvas.blur();
    const { columns } = this.#grid;
    const last = this.#spec.dials.length - 1;
    const at = this.#cursor ?? 0;
    const move = (
      {
        ArrowLeft: at - 1,
        ArrowRight: at + 1,
        ArrowUp: at - columns,
        ArrowDown: at + columns,
        Home: 0,
        End: last,
      } as Record<string, number>
    )[event.key];
    if (move === undefined) return;
    event.preventDefault();
    this.#choose(Math.min(last, Math.max(0, move)));
  }
}
