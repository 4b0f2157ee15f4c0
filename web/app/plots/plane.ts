// Arrows in the plane: vectors of two numbers with the angles between them. It draws numbers and knows nothing of what
// they are.

import { type Pen, type Point, TEXT } from './pen.js';
import { Stage } from './stage.js';
import type { Token } from './theme.js';

export interface PlaneVector {
  readonly x: number;
  readonly y: number;
  /** Stands at the tip. */
  readonly name: string;
  readonly color: Token;
  /** A thin dashed line, for where the vector was. */
  readonly ghost?: boolean;
}

export interface PlaneSpec {
  /** Accessible name of the picture. */
  readonly label: string;
  /** Half of the width of the plane, in the unit of the vectors. */
  readonly limit: number;
  readonly vectors: readonly PlaneVector[];
  /** The arc from the first angle to the second, radians, at this share of the limit. */
  readonly arcs?: readonly {
    readonly from: number;
    readonly to: number;
    readonly radius: number;
    readonly color: Token;
  }[];
}

/** CSS pixels; a plane is square. */
const LARGEST = 264;
const HEAD = 9;

export class Plane {
  readonly #stage = new Stage({
    height: LARGEST,
    arrange: () => LARGEST,
    paint: (pen) => drawPlane(pen, this.#stage.width, this.#spec!),
  });
  #spec: PlaneSpec | undefined;

  get element(): HTMLElement {
    return this.#stage.element;
  }

  /** Draws new vectors in the next frame. */
  update(spec: PlaneSpec): void {
    this.#spec = spec;
    this.#stage.update(spec.label);
  }
}

function drawPlane(pen: Pen, width: number, spec: PlaneSpec): void {
  const [x, y] = [Math.floor(width / 2), Math.floor(pen.px(LARGEST) / 2)];
  const radius = Math.max(0, Math.min(x, y) - pen.px(20)); // a narrow window may leave no room
  const scale = radius / spec.limit;
  pen.horizontal(x - radius, x + radius, y, 'rule');
  pen.vertical(x, y - radius, y + radius, 'rule');
  // The lengths, which a turn keeps.
  for (const { x: a, y: b } of spec.vectors) pen.circle(x, y, Math.hypot(a, b) * scale, 'rule', 1);
  for (const arc of spec.arcs ?? []) pen.arc(x, y, arc.radius * radius, -arc.from, -arc.to, arc.color, 1.5);
  const tips = spec.vectors.map((vector): Point => [x + vector.x * scale, y - vector.y * scale]);
  spec.vectors.forEach((vector, i) => drawArrow(pen, vector, [x, y], tips[i]!));
  drawNames(pen, spec.vectors, [x, y], tips);
}

function drawArrow(pen: Pen, { color, ghost }: PlaneVector, from: Point, tip: Point): void {
  const angle = Math.atan2(tip[1] - from[1], tip[0] - from[0]);
  const width = ghost ? 1.25 : 2.5;
  pen.polyline([from, tip], color, width, ghost ? [4, 4] : []);
  const side = (turn: number): Point => [
    tip[0] - pen.px(HEAD) * Math.cos(angle + turn),
    tip[1] - pen.px(HEAD) * Math.sin(angle + turn),
  ];
  pen.polyline([side(0.42), tip, side(-0.42)], color, width);
}

/** Names stand beyond the tips; one that would lie on another goes round by its own height. */
function drawNames(pen: Pen, vectors: readonly PlaneVector[], from: Point, tips: readonly Point[]): void {
  const placed: Point[] = [];
  const free = (at: Point): boolean => placed.every(([x, y]) => Math.hypot(at[0] - x, at[1] - y) >= pen.px(16));
  vectors.forEach(({ name, color, ghost }, i) => {
    if (ghost) return;
    const [dx, dy] = [tips[i]![0] - from[0], tips[i]![1] - from[1]];
    const [angle, reach] = [Math.atan2(dy, dx), Math.hypot(dx, dy) + pen.px(11)];
    const step = pen.px(17) / Math.max(reach, pen.px(17));
    const at = (turn: number): Point => [
      from[0] + reach * Math.cos(angle + turn),
      from[1] + reach * Math.sin(angle + turn),
    ];
    const place = [0, 1, -1, 2, -2].map((k) => at(k * step)).find(free) ?? at(0);
    placed.push(place);
    pen.text(name, place[0], place[1], { size: TEXT.label, weight: 650, color, halo: true });
  });
}
