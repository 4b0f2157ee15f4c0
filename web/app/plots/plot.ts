import type { Pen } from './pen.js';

/** A picture of numbers that can be drawn a second time, for a file. */
export interface Plot {
  readonly element: HTMLElement;
  /** Draws the plot as it is on screen with another pen, in the device pixels of the screen. */
  paint(pen: Pen): void;
}

const plots = new WeakMap<Element, Plot>();

/** Makes a plot known by its element, so that whatever shows it can be exported. */
export function registerPlot(plot: Plot): void {
  plots.set(plot.element, plot);
  plot.element.toggleAttribute('data-plot', true);
}

/** The plots on screen inside an element, in the order of the document. */
export function plotsIn(root: Element): Plot[] {
  return [...root.querySelectorAll('[data-plot]')].flatMap((element) => plots.get(element) ?? []);
}
