// A canvas for pictures that are neither heat maps nor lines, such as dials and arrows. What is drawn comes from its user.

import { Pen } from './pen.js';
import { type Plot, registerPlot } from './plot.js';
import { onAppearanceChange, onDeviceWidth, oncePerFrame } from './screen.js';
import { themeOf } from './theme.js';

export interface SketchSpec {
  /** Accessible name of the picture. */
  readonly label: string;
  /** Draws everything in `width` device pixels; called again for every file that the picture is exported to. */
  readonly paint: (pen: Pen, width: number) => void;
}

export interface SketchOptions {
  /** CSS pixels at a width of `width` CSS pixels; it stands before anything is drawn. */
  readonly height: (width: number) => number;
  /** A pointer is at (x, y), CSS pixels: a mouse that hovers, a pressed one, or one finger. `pressed` tells them apart. */
  readonly onPoint?: (x: number, y: number, pressed: boolean) => void;
  /** A key was pressed while the picture has the focus; true if it meant something here. Escape leaves by itself. */
  readonly onKey?: (event: KeyboardEvent) => boolean;
  /** aria-keyshortcuts, with spaces between. */
  readonly keys?: string;
}

export class Sketch implements Plot {
  readonly element = document.createElement('div');
  readonly #options: SketchOptions;
  readonly #canvas = document.createElement('canvas');
  readonly #frame = oncePerFrame(() => this.#draw());
  readonly #stops: (() => void)[];
  #spec: SketchSpec | undefined;
  /** Width of the element, device pixels. */
  #width = 0;

  constructor(options: SketchOptions) {
    this.#options = options;
    const canvas = this.#canvas;
    canvas.setAttribute('role', 'img');
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
    const { onPoint, onKey, keys } = options;
    if (onKey) {
      canvas.tabIndex = 0;
      canvas.setAttribute('aria-keyshortcuts', [keys, 'Escape'].filter(Boolean).join(' '));
      canvas.addEventListener('keydown', (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key === 'Escape') canvas.blur();
        else if (onKey(event)) event.preventDefault();
      });
    }
    if (onPoint) {
      const point = (event: PointerEvent): void => {
        const pressed = event.buttons !== 0;
        if (pressed || event.pointerType === 'mouse') onPoint(event.offsetX, event.offsetY, pressed);
      };
      canvas.addEventListener('pointermove', point);
      canvas.addEventListener('pointerdown', point);
    }
  }

  /** Draws new numbers or a new arrangement in the next frame. */
  update(spec: SketchSpec): void {
    this.#spec = spec;
    this.#canvas.setAttribute('aria-label', spec.label);
    this.#frame.request();
  }

  paint(pen: Pen): void {
    this.#spec?.paint(pen, this.#width);
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    this.#frame.cancel();
  }

  /** Gives the canvas its final height before anything is drawn. */
  #reserve(): number {
    const height = Math.round(this.#options.height(this.#width / devicePixelRatio));
    this.#canvas.style.height = `${height}px`;
    return Math.round(height * devicePixelRatio);
  }

  #draw(): void {
    const context = this.#canvas.getContext('2d');
    const height = this.#reserve();
    if (!context || !this.#spec || this.#width === 0) return;
    this.#frame.cancel();
    if (this.#canvas.width !== this.#width || this.#canvas.height !== height) {
      this.#canvas.width = this.#width;
      this.#canvas.height = height;
    } else {
      context.clearRect(0, 0, this.#width, height);
    }
    this.paint(new Pen(context, devicePixelRatio, themeOf(this.element)));
  }
}
