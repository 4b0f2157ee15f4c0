import { group } from '../plots/format.js';
import { CellPicture } from '../plots/cell-picture.js';
import { Pen } from '../plots/pen.js';
import { type Theme, themeOf } from '../plots/theme.js';
import { HERO_ROWS, type HeroData } from './hero-data.js';
import type { Texts } from '../texts/index.js';

/** Where the handle stands at first, tokens. */
export const HERO_START = 236;
/** The handle keeps this far from the right end, tokens. */
const MARGIN = 20;
const PHONE = 760;

/** How many positions fit, and how large they are in device pixels. */
export interface HeroLayout {
  readonly count: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly phone: boolean;
  readonly width: number;
}

export function heroLayout(cssWidth: number): HeroLayout {
  const phone = cssWidth < PHONE;
  const width = Math.round(cssWidth * devicePixelRatio);
  const cellWidth = Math.max(1, Math.round((phone ? 1 : 2) * devicePixelRatio));
  const cellHeight = Math.max(1, Math.round((phone ? 2 : 3) * devicePixelRatio));
  return { count: Math.ceil(width / cellWidth), cellWidth, cellHeight, phone, width };
}

/** The nearest place the handle may stand at. */
export function heroPosition(position: number, { count }: HeroLayout): number {
  return Math.max(0, Math.min(position, count - MARGIN));
}

/** Draws the strip of waves and, on the same axis, the similarity of `position` to every other position. */
export function drawHero(
  canvas: HTMLCanvasElement,
  layout: HeroLayout,
  data: HeroData,
  position: number,
  text: Texts['hero'],
): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const { count, cellWidth, cellHeight, phone, width } = layout;
  const px = (length: number): number => Math.round(length * devicePixelRatio);
  const stripHeight = HERO_ROWS * cellHeight;
  const curveTop = stripHeight + px(24);
  const curveHeight = px(phone ? 62 : 80);
  const base = curveTop + curveHeight;
  canvas.width = width;
  canvas.height = base + px(22);
  canvas.style.height = `${canvas.height / devicePixelRatio}px`;
  const theme = themeOf(canvas);
  const pen = new Pen(context, devicePixelRatio, theme);

  context.drawImage(wavesBitmap(data.waves, count, theme), 0, 0, count * cellWidth, stripHeight);

  const x = (m: number): number => (m + 0.5) * cellWidth;
  const y = (similarity: number): number => base - curveHeight * similarity;
  const curve = Array.from({ length: count }, (_, m) => [x(m), y(data.kernel[Math.abs(m - position)] ?? 0)] as const);
  context.beginPath();
  context.moveTo(0, base);
  for (const [cx, cy] of curve) context.lineTo(cx, cy);
  context.lineTo(width, base);
  context.fillStyle = theme.color('wash');
  context.fill();
  pen.horizontal(0, width, base, 'rule');
  pen.polyline(curve, 'accent', 2);

  const middle = x(position);
  pen.cursorLine(
    [
      [middle, 0],
      [middle, base],
    ],
    'ink',
    1.5,
  );
  drawHandle(pen, middle, stripHeight);

  const inset = px(phone ? 18 : 32);
  const label = { align: 'left', size: 12, color: 'ink-2' } as const;
  pen.text(text.waves, inset, stripHeight - px(14), label);
  const axisLabel = pen.text(text.axis, inset, base + px(12), { ...label, size: 11.5 });
  const sameFits = middle + px(14) + pen.measure(text.same, label) < width - px(8);
  pen.text(text.same, middle + px(sameFits ? 14 : -14), y(1) + px(2), {
    ...label,
    halo: true,
    align: sameFits ? 'left' : 'right',
  });
  for (let m = 100; x(m) < width - px(20); m += 100) {
    const half = pen.measure(group(m)) / 2;
    if (x(m) - half < inset + axisLabel + px(12)) continue;
    pen.vertical(x(m), base, base + px(4), 'ink-3');
    pen.text(group(m), x(m), base + px(12));
  }
}

let picture: CellPicture | undefined;

function wavesBitmap(values: Float32Array, columns: number, theme: Theme): HTMLCanvasElement {
  picture ??= new CellPicture();
  picture.show({ values, rows: HERO_ROWS, columns, scale: { map: 'diverging', limit: 1 } }, theme);
  return picture.bitmap;
}

/** A ring that can be dragged, with an arrow on either side. */
function drawHandle(pen: Pen, x: number, y: number): void {
  const { context } = pen;
  context.beginPath();
  context.arc(x, y, pen.px(7), 0, 2 * Math.PI);
  context.fillStyle = pen.theme.color('paper');
  context.fill();
  context.strokeStyle = pen.theme.color('ink');
  context.lineWidth = pen.px(2);
  context.stroke();
  for (const side of [-1, 1]) {
    const arrow = [
      [x + side * pen.px(12), y - pen.px(4)],
      [x + side * pen.px(16), y],
      [x + side * pen.px(12), y + pen.px(4)],
    ] as const;
    pen.polyline(arrow, 'paper', 5);
    pen.polyline(arrow, 'ink', 2);
  }
}
