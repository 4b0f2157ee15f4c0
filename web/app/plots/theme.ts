// The page's tokens as a canvas needs them. Every colour a plot draws is a custom property of the style sheet.

import {
  type ColorMapName,
  type ColorScheme,
  type ColorTable,
  type Rgb,
  colorTable,
  parseColor,
  schemeOf,
} from './colormap.js';
import { onAppearanceChange } from './screen.js';

/** Numbers of the line colours, in the order in which lines of one plot take them. */
export type LineColor = 1 | 2 | 3 | 4 | 5 | 6;

export type Token =
  | 'paper'
  | 'sunken'
  | 'raised'
  | 'ink'
  | 'ink-2'
  | 'ink-3'
  | 'edge'
  | 'rule'
  | 'accent'
  | 'wash'
  | 'q'
  | 'k'
  | 'ok'
  | 'bad'
  | 'warn';

/** Tokens as they are where a plot stands. */
export class Theme {
  readonly #style: CSSStyleDeclaration;
  readonly #read = new Map<string, string>();

  constructor(element: Element) {
    this.#style = getComputedStyle(element);
  }

  color(token: Token | LineColor): string {
    return this.#property(typeof token === 'number' ? `--l${token}` : `--${token}`);
  }

  /** The colour with an opacity, for areas under and between curves. */
  tint(token: Token | LineColor, opacity: number): string {
    return `rgb(${parseColor(this.color(token)).join(' ')} / ${opacity})`;
  }

  get paper(): Rgb {
    return parseColor(this.color('paper'));
  }

  get scheme(): ColorScheme {
    return schemeOf(this.paper);
  }

  get fontFamily(): string {
    return this.#property('--sans') || this.#style.fontFamily;
  }

  #property(name: string): string {
    let value = this.#read.get(name);
    if (value === undefined) {
      value = this.#style.getPropertyValue(name).trim();
      this.#read.set(name, value);
    }
    return value;
  }
}

let themes = new WeakMap<Element, Theme>();
let listens = false;

/** The tokens where an element stands, read once until the page looks different. */
export function themeOf(element: Element): Theme {
  if (!listens) {
    listens = true;
    onAppearanceChange(() => (themes = new WeakMap()));
  }
  let theme = themes.get(element);
  if (!theme) themes.set(element, (theme = new Theme(element)));
  return theme;
}

const tables = new Map<string, ColorTable>();

/** The colour table of a map on a paper, built on first use. */
export function themedTable(map: ColorMapName, paper: Rgb): ColorTable {
  const key = `${map} ${paper.join(' ')}`;
  let table = tables.get(key);
  if (!table) tables.set(key, (table = colorTable(map, paper)));
  return table;
}
