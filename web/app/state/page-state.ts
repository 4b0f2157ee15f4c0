import { type WrittenState, isLink, readLink, writeLink } from './link.js';

/** A figure as links and the other figures see it. */
export interface StatefulFigure {
  /** Its name in links, and the id of its section. */
  readonly task: string;
  /** Its values that are not those it opens with, as a link holds them. */
  written(): WrittenState;
  /** Takes a state from a link. One value that a control would refuse leaves the whole figure as it is, which says so. */
  restore(state: WrittenState): void;
  /** The value of a field as a link holds it; undefined where it has no such field. */
  writtenValue(field: string): string | undefined;
  /** Takes the written value of one field, if it has that field and its control would. */
  take(field: string, value: string): void;
}

/** Fields that mean the same in every figure that has them. */
const SHARED: readonly string[] = ['model', 'base', 'dim', 'tokens'];
/** Browsers refuse to change the address too often; a pause in dragging is soon enough. */
const ADDRESS_DELAY = 300;

/**
 * The state of all figures: in the address, so that a link to the page opens it as it is, and between figures, where the
 * reader has asked for shared values. Announces a `linking` event when that is switched, and a `following` event when what
 * is astray in the address has changed.
 */
class PageState extends EventTarget {
  readonly #figures = new Map<string, StatefulFigure>();
  /** Changed figures, the last one first. */
  #order: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #linked = false;
  #astray: readonly string[] | undefined;

  /** Whether a change of a shared field in one figure is made in all that have it. */
  get linked(): boolean {
    return this.#linked;
  }

  set linked(linked: boolean) {
    this.#linked = linked;
    this.dispatchEvent(new Event('linking'));
  }

  /** A figure has come onto the page: it takes its part of the address. */
  add(figure: StatefulFigure): void {
    this.#figures.set(figure.task, figure);
    const written = readLink(location.hash)?.get(figure.task);
    if (!written) return;
    figure.restore(written);
    this.#order.push(figure.task);
  }

  remove(figure: StatefulFigure): void {
    this.#figures.delete(figure.task);
  }

  /** The reader has changed some fields of a figure. */
  changed(figure: StatefulFigure, fields: readonly string[]): void {
    this.#order = [figure.task, ...this.#order.filter((task) => task !== figure.task)];
    if (this.#linked) this.#share(figure, fields);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#writeAddress(), ADDRESS_DELAY);
  }

  /** Puts written values into some figures, as if the reader had set their controls one by one. */
  load(values: Iterable<readonly [task: string, state: WrittenState]>): void {
    for (const [task, state] of values) {
      const figure = this.#figures.get(task);
      if (!figure) continue;
      for (const [field, value] of state) figure.take(field, value);
      this.changed(figure, []);
    }
  }

  /** The address of the page with one figure as it is now. */
  linkTo(figure: Pick<StatefulFigure, 'task' | 'written'>): string {
    return `${location.href.split('#')[0]}#${writeLink([[figure.task, figure.written()]])}`;
  }

  /** The figure that the address is about, if it is a link to a state. */
  get target(): string | undefined {
    return [...(readLink(location.hash)?.keys() ?? [])].find((task) => this.#figures.has(task));
  }

  /** What a link in the address names that the page does not have; empty where it cannot be read at all. */
  get astray(): readonly string[] | undefined {
    return this.#astray;
  }

  /** Follows addresses that are put in once all figures are there. `scrollTo` brings a figure into view. */
  follow(scrollTo: (task: string) => void): void {
    this.#findAstray();
    addEventListener('hashchange', () => {
      for (const [task, written] of readLink(location.hash) ?? []) this.#figures.get(task)?.restore(written);
      this.#findAstray();
      if (this.target) scrollTo(this.target);
    });
  }

  #findAstray(): void {
    const { hash } = location;
    const unknown = [...(readLink(hash)?.keys() ?? [])].filter((task) => !this.#figures.has(task));
    this.#astray = unknown.length > 0 || (isLink(hash) && !readLink(hash)) ? unknown : undefined;
    this.dispatchEvent(new Event('following'));
  }

  #share(from: StatefulFigure, fields: readonly string[]): void {
    for (const field of fields.filter((name) => SHARED.includes(name))) {
      const value = from.writtenValue(field);
      for (const figure of this.#figures.values()) {
        if (figure === from || value === undefined || figure.writtenValue(field) === undefined) continue;
        figure.take(field, value);
        if (!this.#order.includes(figure.task)) this.#order.push(figure.task);
      }
    }
  }

  #writeAddress(): void {
    const changed = this.#order.flatMap((task) => {
      const written = this.#figures.get(task)?.written();
      return written && written.size > 0 ? [[task, written] as const] : [];
    });
    const address = changed.length > 0 ? `#${writeLink(changed)}` : location.pathname + location.search;
    history.replaceState(history.state, '', address);
    this.#findAstray();
  }
}

export const pageState = new PageState();
