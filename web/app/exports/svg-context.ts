import type { DrawingContext } from '../plots/drawing-context.js';

interface State {
  fillStyle: string;
  strokeStyle: string;
  globalAlpha: number;
  lineWidth: number;
  lineCap: CanvasLineCap;
  lineJoin: CanvasLineJoin;
  font: string;
  textAlign: CanvasTextAlign;
  textBaseline: CanvasTextBaseline;
  dash: readonly number[];
  /** a b c d e f of the transform. */
  matrix: DOMMatrix;
  /** The region that everything is cut to. */
  clip: string | undefined;
}

const ANCHORS: Partial<Record<CanvasTextAlign, string>> = { center: 'middle', right: 'end', end: 'end' };
const BASELINES: Partial<Record<CanvasTextBaseline, string>> = {
  middle: 'central',
  top: 'hanging',
  hanging: 'hanging',
};

/**
 * A drawing context whose strokes become elements of SVG: lines and text stay lines and text, pictures of cells become
 * images of those very cells. A path is painted with the transform of the moment it is painted.
 */
export class SvgContext implements DrawingContext {
  /** What was drawn, as elements. */
  readonly elements: string[] = [];
  imageSmoothingEnabled = false;
  readonly #prefix: string;
  readonly #measuring = document.createElement('canvas').getContext('2d')!;
  readonly #stack: State[] = [];
  #path = '';
  #clips = 0;
  #state: State = {
    fillStyle: '#000',
    strokeStyle: '#000',
    globalAlpha: 1,
    lineWidth: 1,
    lineCap: 'butt',
    lineJoin: 'miter',
    font: '10px sans-serif',
    textAlign: 'start',
    textBaseline: 'alphabetic',
    dash: [],
    matrix: new DOMMatrix(),
    clip: undefined,
  };

  /** `prefix` keeps the ids of several drawings in one file apart. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  get fillStyle(): string {
    return this.#state.fillStyle;
  }
  set fillStyle(style: string | CanvasGradient | CanvasPattern) {
    this.#state.fillStyle = String(style);
  }
  get strokeStyle(): string {
    return this.#state.strokeStyle;
  }
  set strokeStyle(style: string | CanvasGradient | CanvasPattern) {
    this.#state.strokeStyle = String(style);
  }
  get globalAlpha(): number {
    return this.#state.globalAlpha;
  }
  set globalAlpha(alpha: number) {
    this.#state.globalAlpha = alpha;
  }
  get lineWidth(): number {
    return this.#state.lineWidth;
  }
  set lineWidth(width: number) {
    this.#state.lineWidth = width;
  }
  get lineCap(): CanvasLineCap {
    return this.#state.lineCap;
  }
  set lineCap(cap: CanvasLineCap) {
    this.#state.lineCap = cap;
  }
  get lineJoin(): CanvasLineJoin {
    return this.#state.lineJoin;
  }
  set lineJoin(join: CanvasLineJoin) {
    this.#state.lineJoin = join;
  }
  get font(): string {
    return this.#state.font;
  }
  set font(font: string) {
    this.#state.font = font;
  }
  get textAlign(): CanvasTextAlign {
    return this.#state.textAlign;
  }
  set textAlign(align: CanvasTextAlign) {
    this.#state.textAlign = align;
  }
  get textBaseline(): CanvasTextBaseline {
    return this.#state.textBaseline;
  }
  set textBaseline(baseline: CanvasTextBaseline) {
    this.#state.textBaseline = baseline;
  }

  setLineDash(dash: readonly number[]): void {
    this.#state.dash = [...dash];
  }

  setTransform(a?: number | DOMMatrix2DInit, b = 0, c = 0, d = 1, e = 0, f = 0): void {
    this.#state.matrix = typeof a === 'number' ? new DOMMatrix([a, b, c, d, e, f]) : DOMMatrix.fromMatrix(a);
  }

  translate(x: number, y: number): void {
    this.#state.matrix = this.#state.matrix.translate(x, y);
  }

  rotate(angle: number): void {
    this.#state.matrix = this.#state.matrix.rotate((angle * 180) / Math.PI);
  }

  save(): void {
    this.#stack.push({ ...this.#state });
  }

  restore(): void {
    this.#state = this.#stack.pop() ?? this.#state;
  }

  beginPath(): void {
    this.#path = '';
  }

  moveTo(x: number, y: number): void {
    this.#path += `M${numbers(x, y)}`;
  }

  lineTo(x: number, y: number): void {
    this.#path += `${this.#path === '' ? 'M' : 'L'}${numbers(x, y)}`;
  }

  quadraticCurveTo(controlX: number, controlY: number, x: number, y: number): void {
    this.#path += `Q${numbers(controlX, controlY, x, y)}`;
  }

  closePath(): void {
    this.#path += 'Z';
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.#path += `M${numbers(x, y)}h${numbers(width)}v${numbers(height)}h${numbers(-width)}Z`;
  }

  arc(x: number, y: number, radius: number, from: number, to: number, counterclockwise = false): void {
    const at = (angle: number): string => numbers(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
    const full = 2 * Math.PI;
    const turned = counterclockwise ? from - to : to - from;
    const sweep = turned >= full ? full : ((turned % full) + full) % full;
    const direction = counterclockwise ? -1 : 1;
    this.#path += `${this.#path === '' ? 'M' : 'L'}${at(from)}`;
    // SVG's arcs end elsewhere than they begin, so a whole turn takes two.
    const pieces = sweep > Math.PI ? 2 : 1;
    for (let piece = 1; piece <= pieces; piece++) {
      const end = from + (direction * sweep * piece) / pieces;
      this.#path += `A${numbers(radius, radius)} 0 0 ${counterclockwise ? 0 : 1} ${at(end)}`;
    }
  }

  fill(): void {
    this.#add('path', { d: this.#path, ...this.#fill });
  }

  stroke(): void {
    this.#add('path', { d: this.#path, fill: 'none', ...this.#stroke });
  }

  clip(): void {
    const { clip } = this.#state;
    const id = `${this.#prefix}-clip-${++this.#clips}`;
    const within = clip === undefined ? '' : ` clip-path="url(#${clip})"`;
    const path = `<path${attributes({ d: this.#path, ...this.#transform })}/>`;
    this.elements.push(`<clipPath id="${id}"${within}>${path}</clipPath>`);
    this.#state.clip = id;
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.#add('rect', { ...box(x, y, width, height), ...this.#fill });
  }

  fillText(text: string, x: number, y: number): void {
    this.#text(text, x, y, this.#fill);
  }

  strokeText(text: string, x: number, y: number): void {
    this.#text(text, x, y, { fill: 'none', ...this.#stroke });
  }

  measureText(text: string): TextMetrics {
    const { font, textAlign, textBaseline } = this.#state;
    Object.assign(this.#measuring, { font, textAlign, textBaseline });
    return this.#measuring.measureText(text);
  }

  drawImage(image: HTMLCanvasElement | OffscreenCanvas, ...area: readonly number[]): void {
    const whole = [0, 0, image.width, image.height];
    const [sx, sy, sw, sh, x, y, width, height] = (area.length === 4 ? [...whole, ...area] : area) as EightNumbers;
    const canvas = Object.assign(document.createElement('canvas'), { width: sw, height: sh });
    canvas.getContext('2d')!.drawImage(image, sx, sy, sw, sh, 0, 0, sw, sh);
    this.#add('image', {
      ...box(x, y, width, height),
      preserveAspectRatio: 'none',
      style: 'image-rendering: pixelated',
      href: canvas.toDataURL('image/png'),
    });
  }

  #text(text: string, x: number, y: number, paint: Attributes): void {
    const { font, textAlign, textBaseline } = this.#state;
    this.#add('text', { x, y, style: `font: ${font}`, ...anchored(textAlign, textBaseline), ...paint }, text);
  }

  get #fill(): Attributes {
    return paint('fill', this.#state.fillStyle, this.#state.globalAlpha);
  }

  get #stroke(): Attributes {
    const { strokeStyle, globalAlpha, lineWidth, lineCap, lineJoin, dash } = this.#state;
    return {
      ...paint('stroke', strokeStyle, globalAlpha),
      'stroke-width': lineWidth,
      ...(lineCap === 'butt' ? {} : { 'stroke-linecap': lineCap }),
      ...(lineJoin === 'miter' ? {} : { 'stroke-linejoin': lineJoin }),
      ...(dash.length === 0 ? {} : { 'stroke-dasharray': dash.map((length) => numbers(length)).join(' ') }),
    };
  }

  get #transform(): Attributes {
    const { a, b, c, d, e, f, isIdentity } = this.#state.matrix;
    return isIdentity ? {} : { transform: `matrix(${[a, b, c, d, e, f].join(' ')})` };
  }

  #add(name: string, own: Attributes, content = ''): void {
    const element = `<${name}${attributes({ ...own, ...this.#transform })}>${escapeXml(content)}</${name}>`;
    const { clip } = this.#state;
    this.elements.push(clip === undefined ? element : `<g clip-path="url(#${clip})">${element}</g>`);
  }
}

type Attributes = Readonly<Record<string, string | number>>;
type EightNumbers = [number, number, number, number, number, number, number, number];

export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

function attributes(values: Attributes): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? numbers(value) : escapeXml(value)}"`)
    .join('');
}

/** Coordinates to a hundredth of a pixel. */
function numbers(...values: readonly number[]): string {
  return values.map((value) => String(Math.round(value * 100) / 100)).join(' ');
}

function box(x: number, y: number, width: number, height: number): Attributes {
  return { x, y, width, height };
}

function anchored(align: CanvasTextAlign, baseline: CanvasTextBaseline): Attributes {
  const [anchor, dominant] = [ANCHORS[align], BASELINES[baseline]];
  return {
    ...(anchor === undefined ? {} : { 'text-anchor': anchor }),
    ...(dominant === undefined ? {} : { 'dominant-baseline': dominant }),
  };
}

/** A colour and its opacity apart: many programs do not read `rgb(r g b / a)`. */
function paint(kind: 'fill' | 'stroke', style: string, alpha: number): Attributes {
  const [, red, green, blue, opacity = '1'] =
    /^rgba?\(\s*([\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)(?:\s*[/,]\s*([\d.]+))?/.exec(style) ?? [];
  const color =
    red === undefined ? style : `rgb(${[red, green, blue].map((part) => Math.round(Number(part))).join(',')})`;
  const total = Number(opacity) * alpha;
  return { [kind]: color, ...(total === 1 ? {} : { [`${kind}-opacity`]: total }) };
}
