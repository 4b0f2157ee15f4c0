// The canvas of a plot: as wide as its place, drawn at most once a frame, with the pointers and keys that every plot has.

import { type Move, moveOf } from './keys.js';
import { COMPACT, Pen } from './pen.js';
import { type PointerUses, listenToPointers } from './pointers.js';
import { onAppearanceChange, onDeviceWidth, oncePerFrame } from './screen.js';
import { themeOf } from './theme.js';

export interface StageOptions extends PointerUses {
  /** CSS pixels that the picture keeps before there is anything to draw, where it is always as high. */
  readonly height?: number;
  /** Finds the place of everything before it is drawn. Answers with the height of the picture, CSS pixels. */
  readonly arrange: (pen: Pen) => number;
  /** Draws everything where it was found; once more for every file that the picture is exported to. */
  readonly paint: (pen: Pen) => void;
  /** The keys that move a cursor: those of keys.ts. Escape leaves the plot by itself. */
  readonly keys?: readonly string[];
  readonly onMove?: (move: Move) => void;
}

const stages = new WeakMap<Element, Stage>();

export class Stage {
  readonly element = document.createElement('div');
  readonly #options: StageOptions;
  readonly #canvas = document.createElement('canvas');
  readonly #context = this.#canvas.getContext('2d')!;
  readonly #frame = oncePerFrame(() => this.#draw());
  #isReady = false;
  #isDrawn = false;
  #width = 0;

  constructor(options: StageOptions) {
    this.#options = options;
    const canvas = this.#canvas;
    canvas.setAttribute('role', 'img');
    canvas.style.cssText = 'display: block; width: 100%; touch-action: pan-y';
    if (options.height !== undefined) canvas.style.height = `${options.height}px`;
    // The width is taken from an empty box, so that a new height of the canvas does not call the observer again.
    const probe = document.createElement('div');
    this.element.append(probe, canvas);
    this.element.toggleAttribute('data-plot', true);
    stages.set(this.element, this);
    onDeviceWidth(probe, (width) => {
      this.#width = width;
      this.#draw();
    });
    onAppearanceChange(() => this.#frame.request());
    listenToPointers(canvas, options);
    const { keys, onMove } = options;
    if (keys && onMove) this.#listenToKeys(keys, onMove);
  }

  /** Width of the picture, device pixels; 0 before it is known. */
  get width(): number {
    return this.#width;
  }

  /** Whether it stands in a narrow column: names and bars are then above or below a plot. */
  get compact(): boolean {
    return this.#width < COMPACT * devicePixelRatio;
  }

  /** Draws new numbers or a new arrangement in the next frame; `label` is the accessible name of the picture. */
  update(label: string): void {
    this.#isReady = true;
    this.#canvas.setAttribute('aria-label', label);
    this.redraw();
  }

  redraw(): void {
    this.#frame.request();
  }

  /** Draws the picture as it is on screen with another pen, in the device pixels of the screen. */
  paint(pen: Pen): void {
    if (this.#isDrawn) this.#options.paint(pen);
  }

  #draw(): void {
    if (!this.#isReady || this.#width === 0) return;
    this.#frame.cancel();
    const pen = new Pen(this.#context, devicePixelRatio, themeOf(this.element));
    const canvas = this.#canvas;
    const cssHeight = this.#options.arrange(pen);
    const height = Math.round(cssHeight * devicePixelRatio);
    canvas.style.height = `${cssHeight}px`;
    if (canvas.width !== this.#width || canvas.height !== height) {
      canvas.width = this.#width;
      canvas.height = height;
    } else {
      this.#context.clearRect(0, 0, canvas.width, canvas.height);
    }
    this.#isDrawn = true;
    // A canvas of a new size has forgotten what the first pen told it.
    this.paint(new Pen(this.#context, devicePixelRatio, themeOf(this.element)));
  }

  #listenToKeys(keys: readonly string[], onMove: (move: Move) => void): void {
    const canvas = this.#canvas;
    canvas.tabIndex = 0;
    canvas.setAttribute('aria-keyshortcuts', [...keys, 'Escape'].join(' '));
    canvas.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') return canvas.blur();
      const move = keys.includes(event.key) ? moveOf(event) : undefined;
      if (!move) return;
      event.preventDefault();
      onMove(move);
    });
  }
}

/** The plots on screen inside an element, in the order of the document. */
export function stagesIn(root: Element): Stage[] {
  return [...root.querySelectorAll('[data-plot]')].flatMap((element) => stages.get(element) ?? []);
}
