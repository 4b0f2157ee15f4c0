import { html, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { languageOf } from '../figures/sentence.js';
import { LightElement, uniqueId } from './light-element.js';
import { texts } from '../texts/index.js';
import './token-chips.css';

/** Words in an order that the reader changes: by dragging, or with the arrow keys on a word. */
export class TokenChips extends LightElement {
  static override properties = {
    label: {},
    tokens: { attribute: false },
    order: { attribute: false },
    onOrder: { attribute: false },
  };
  declare label: string;
  declare tokens: readonly string[];
  /** Place r holds tokens[order[r]]. */
  declare order: readonly number[];
  declare onOrder: (order: readonly number[]) => void;

  readonly #id = uniqueId('chips');
  /** The word that is held, by its number among the tokens. */
  #held: number | undefined;
  /** The word that moved by key: it keeps the focus in its new place. */
  #moved: number | undefined;

  protected override render(): TemplateResult {
    const words = texts().page.chips;
    return html`
      <span class="label" id=${this.#id}>${this.label}</span>
      <ul aria-labelledby=${this.#id}>
        ${repeat(
          this.order,
          (token) => token,
          (token, place) =>
            html`<li>
              <button
                type="button"
                class="framed chip"
                lang=${languageOf(this.tokens[token]!)}
                data-token=${token}
                aria-description=${words.place(place + 1, this.order.length)}
                aria-keyshortcuts="ArrowLeft ArrowRight Home End"
                @keydown=${(event: KeyboardEvent) => this.#key(event, token, place)}
                @pointerdown=${(event: PointerEvent) => this.#hold(event, token)}
                @pointermove=${this.#drag}
                @pointerup=${this.#release}
                @pointercancel=${this.#release}
              >
                ${this.tokens[token]}
              </button>
            </li>`,
        )}
      </ul>
    `;
  }

  protected override updated(): void {
    if (this.#moved === undefined) return;
    this.querySelector<HTMLElement>(`[data-token="${this.#moved}"]`)?.focus();
    this.#moved = undefined;
  }

  #key(event: KeyboardEvent, token: number, place: number): void {
    const last = this.order.length - 1;
    const target = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: last }[event.key];
    if (target === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.#moved = token;
    this.#move(token, Math.min(last, Math.max(0, target)));
  }

  #hold(event: PointerEvent, token: number): void {
    this.#held = token;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  }

  #drag = (event: PointerEvent): void => {
    const held = this.#held;
    if (held === undefined) return;
    // The words that stand before the pointer, line by line.
    const before = this.order.filter((token) => {
      if (token === held) return false;
      const box = this.querySelector(`[data-token="${token}"]`)!.getBoundingClientRect();
      return box.bottom < event.clientY || (box.top <= event.clientY && (box.left + box.right) / 2 < event.clientX);
    });
    this.#move(held, before.length);
  };

  #release = (): void => {
    this.#held = undefined;
  };

  #move(token: number, place: number): void {
    if (this.order[place] === token) return;
    const rest = this.order.filter((other) => other !== token);
    this.onOrder([...rest.slice(0, place), token, ...rest.slice(place)]);
  }
}
