// Drawing in whole device pixels: hairlines fall on pixels, text on the page's sizes. All coordinates are device
// pixels; `px` turns a length of the design (CSS pixels) into them.

import type { DrawingContext } from './drawing-context.js';
import { onAppearanceChange } from './screen.js';
import type { LineColor, Theme, Token } from './theme.js';

/** Sizes of text in a plot, CSS pixels. */
export const TEXT = { tick: 11.5, title: 12, label: 13 } as const;
/** Least distance between two labels on an axis, CSS pixels. */
export const LABEL_GAP = 10;

/** Below this width, CSS pixels, bars and names of lines stand below or above a plot instead of right of it. */
export const COMPACT = 480;

export interface TextStyle {
  readonly size?: number;
  readonly weight?: number;
  readonly align?: 'left' | 'center' | 'right';
  readonly color?: Token | LineColor;
  /** Paper around the letters, so that they read on lines and colours. */
  readonly halo?: boolean;
}

export type Point = readonly [x: number, y: number];
export type Rect = readonly [x: number, y: number, width: number, height: number];

/** Widths of texts by font and text: measuring takes longer than drawing. A font that arrives changes them. */
const widths = new Map<string, number>();
const MOST_WIDTHS = 10_000;
onAppearanceChange(() => widths.clear());

export class Pen {
  readonly context: DrawingContext;
  readonly ratio: number;
  readonly theme: Theme;
  /** The context's, as it was last set: setting one takes longer than drawing a number with it. */
  #font = '';

  /** `scale` enlarges everything, for files of more pixels than the screen has. */
  constructor(context: DrawingContext, ratio: number, theme: Theme, scale = 1) {
    this.context = context;
    this.ratio = ratio;
    this.theme = theme;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.setLineDash([]);
    context.lineJoin = 'round';
    context.imageSmoothingEnabled = false;
  }

  /** A length of the design in whole device pixels. */
  px(length: number): number {
    return Math.round(length * this.ratio);
  }

  /** One hairline, in device pixels. */
  get hairline(): number {
    return Math.max(1, Math.round(this.ratio));
  }

  /** A horizontal hairline whose upper edge is at y. */
  horizontal(x0: number, x1: number, y: number, color: Token | LineColor, thickness = this.hairline): void {
    this.fill(x0, y, x1 - x0, thickness, color);
  }

  /** A vertical hairline whose left edge is at x. */
  vertical(x: number, y0: number, y1: number, color: Token | LineColor, thickness = this.hairline): void {
    this.fill(x, y0, thickness, y1 - y0, color);
  }

  /** A rectangle on whole device pixels. */
  fill(x: number, y: number, width: number, height: number, color: Token | LineColor): void {
    this.context.fillStyle = this.theme.color(color);
    this.context.fillRect(Math.round(x), Math.round(y), Math.round(width), Math.round(height));
  }

  /** The outline of a rectangle, drawn just outside it. */
  frame(x: number, y: number, width: number, height: number, color: Token, thickness = this.hairline): void {
    this.horizontal(x - thickness, x + width + thickness, y - thickness, color, thickness);
    this.horizontal(x - thickness, x + width + thickness, y + height, color, thickness);
    this.vertical(x - thickness, y, y + height, color, thickness);
    this.vertical(x + width, y, y + height, color, thickness);
  }

  /** A cursor's box around a rectangle: ink with a paper halo on both sides, so that it shows on any colour. */
  cursorBox(x: number, y: number, width: number, height: number): void {
    const ink = Math.max(1, this.px(1.5));
    const halo = Math.max(1, this.px(1.25));
    this.frame(x - halo - ink, y - halo - ink, width + 2 * (halo + ink), height + 2 * (halo + ink), 'paper', halo);
    this.frame(x - halo, y - halo, width + 2 * halo, height + 2 * halo, 'ink', ink);
    this.frame(x, y, width, height, 'paper', halo);
  }

  /** Hairlines on both sides of a column, with paper beside them: the column itself stays visible. */
  brackets(x: number, y: number, width: number, height: number): void {
    const line = this.hairline;
    for (const [left, color] of [
      [-2, 'ink'],
      [-3, 'paper'],
      [-1, 'paper'],
    ] as const) {
      this.vertical(x + left * line, y, y + height, color);
      this.vertical(x + width - (left + 1) * line, y, y + height, color);
    }
  }

  /** 45° lines over rectangles, which go on from one to the next inside `frame`. */
  hatch(rects: readonly Rect[], frame: Rect, color: Token | LineColor = 'edge'): void {
    if (rects.length === 0) return;
    const { context } = this;
    const [x, y, width, height] = frame;
    context.save();
    context.beginPath();
    for (const rect of rects) context.rect(...rect);
    context.clip();
    context.beginPath();
    for (let offset = -height; offset < width; offset += this.px(5)) {
      context.moveTo(x + offset, y + height);
      context.lineTo(x + offset + height, y);
    }
    context.strokeStyle = this.theme.color(color);
    context.lineWidth = this.hairline;
    context.stroke();
    context.restore();
  }

  /** A polyline; `width` in CSS pixels. */
  polyline(points: readonly Point[], color: Token | LineColor, width: number, dash: readonly number[] = []): void {
    const trace = (path: DrawingContext): void => points.forEach(([x, y]) => path.lineTo(x, y));
    this.stroke(trace, color, width, dash);
  }

  /** The lines that `trace` adds to the path; `width` and dashes in CSS pixels. */
  stroke(
    trace: (path: DrawingContext) => void,
    color: Token | LineColor,
    width: number,
    dash: readonly number[] = [],
  ): void {
    const { context } = this;
    context.beginPath();
    trace(context);
    context.strokeStyle = this.theme.color(color);
    context.lineWidth = width * this.ratio;
    context.setLineDash(dash.map((length) => length * this.ratio));
    context.stroke();
    context.setLineDash([]);
  }

  /** The inside of what `trace` adds to the path, in a colour of the style sheet or one that the theme has tinted. */
  shape(trace: (path: DrawingContext) => void, fill: string): void {
    const { context } = this;
    context.beginPath();
    trace(context);
    context.fillStyle = fill;
    context.fill();
  }

  /** A line with a paper halo: the cursor, or the diagonal of equal distance. */
  cursorLine(points: readonly Point[], color: Token = 'ink', width = 1.25): void {
    this.polyline(points, 'paper', width + 2.5);
    this.polyline(points, color, width);
  }

  /** A point on a curve: filled with a ring of paper, or a ring filled with paper. */
  dot(x: number, y: number, color: Token | LineColor, kind: 'filled' | 'ring'): void {
    const { context, ratio } = this;
    context.beginPath();
    context.arc(x, y, (kind === 'ring' ? 4.5 : 5) * ratio, 0, 2 * Math.PI);
    context.fillStyle = this.theme.color(kind === 'ring' ? 'paper' : color);
    context.fill();
    context.strokeStyle = this.theme.color(kind === 'ring' ? color : 'paper');
    context.lineWidth = 2 * ratio;
    context.stroke();
  }

  /** A circle around (x, y); `width` in CSS pixels. */
  circle(x: number, y: number, radius: number, color: Token | LineColor, width: number): void {
    this.arc(x, y, radius, 0, 2 * Math.PI, color, width);
  }

  /** Part of a circle, from one angle to another the short or long way that their order says, clockwise on the canvas. */
  arc(x: number, y: number, radius: number, from: number, to: number, color: Token | LineColor, width: number): void {
    const { context } = this;
    context.beginPath();
    context.arc(x, y, radius, from, to, to < from);
    context.strokeStyle = this.theme.color(color);
    context.lineWidth = width * this.ratio;
    context.stroke();
  }

  /** A filled triangle with its tip at (x, y), pointing left, right, up or down. */
  triangle(x: number, y: number, direction: 'left' | 'right' | 'up' | 'down', color: Token): void {
    const { context } = this;
    const [long, half] = [this.px(6), this.px(4)];
    const corner = {
      left: [
        [long, -half],
        [long, half],
      ],
      right: [
        [-long, -half],
        [-long, half],
      ],
      up: [
        [-half, long],
        [half, long],
      ],
      down: [
        [-half, -long],
        [half, -long],
      ],
    }[direction];
    context.beginPath();
    context.moveTo(x, y);
    for (const [dx = 0, dy = 0] of corner) context.lineTo(x + dx, y + dy);
    context.fillStyle = this.theme.color(color);
    context.fill();
  }

  /** Text whose middle line is at y. Returns its width. */
  text(text: string, x: number, y: number, style: TextStyle = {}): number {
    const { context } = this;
    this.#useFont(style);
    context.textAlign = style.align ?? 'center';
    context.textBaseline = 'middle';
    if (style.halo) {
      context.lineWidth = 4 * this.ratio;
      context.strokeStyle = this.theme.color('paper');
      context.strokeText(text, x, y);
    }
    context.fillStyle = this.theme.color(style.color ?? 'ink-3');
    context.fillText(text, x, y);
    return this.measure(text, style);
  }

  /** Width of a text in device pixels. */
  measure(text: string, style: TextStyle = {}): number {
    const key = `${this.#fontOf(style)} ${text}`;
    let width = widths.get(key);
    if (width === undefined) {
      this.#useFont(style);
      width = this.context.measureText(text).width;
      if (widths.size >= MOST_WIDTHS) widths.clear();
      widths.set(key, width);
    }
    return width;
  }

  /** A text as long as `width` device pixels allow: the whole of it, or its beginning and an ellipsis. */
  shorten(text: string, width: number, style: TextStyle = {}): string {
    if (this.measure(text, style) <= width) return text;
    const letters = [...text];
    const cut = (): string => `${letters.join('').trimEnd()}…`;
    while (letters.length > 0 && this.measure(cut(), style) > width) letters.pop();
    return cut();
  }

  #fontOf({ weight = 400, size = TEXT.tick }: TextStyle): string {
    return `${weight} ${size * this.ratio}px ${this.theme.fontFamily}`;
  }

  #useFont(style: TextStyle): void {
    const font = this.#fontOf(style);
    if (font !== this.#font) this.context.font = this.#font = font;
  }
}
