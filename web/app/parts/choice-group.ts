import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { LightElement, uniqueId } from './light-element.js';
import './choice-group.css';

export interface Option<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
  /** Of the label, where it is not the page's language. */
  readonly lang?: string;
  /** What a select shows under itself while this is chosen. */
  readonly note?: string;
}

/** More options than this do not fit side by side and become a select. */
const MOST_SEGMENTS = 5;

/** One of a few: joined segments, or a select where there are more than five. */
export class ChoiceGroup extends LightElement {
  static override properties = {
    label: {},
    value: {},
    options: { attribute: false },
    onValue: { attribute: false },
  };
  declare label: string;
  declare value: string;
  declare options: readonly Option[];
  declare onValue: (value: string) => void;

  readonly #id = uniqueId('choice');

  protected override render(): TemplateResult {
    return this.options.length > MOST_SEGMENTS ? this.#renderSelect() : this.#renderSegments();
  }

  #renderSegments(): TemplateResult {
    return html`
      <span class="label" id=${this.#id}>${this.label}</span>
      <div class="segments" role="radiogroup" aria-labelledby=${this.#id} @keydown=${this.#key}>
        ${this.options.map(
          ({ value, label, lang }) =>
            html`<button
              type="button"
              role="radio"
              lang=${lang ?? nothing}
              data-value=${value}
              aria-checked=${value === this.value ? 'true' : 'false'}
              tabindex=${value === this.value ? '0' : '-1'}
              @click=${() => this.#choose(value)}
            >
              ${label}
            </button>`,
        )}
      </div>
    `;
  }

  #renderSelect(): TemplateResult {
    const note = this.options.find(({ value }) => value === this.value)?.note;
    return html`
      <label for=${this.#id}>${this.label}</label>
      <span class="choose"
        ><select
          class="framed"
          id=${this.#id}
          aria-describedby=${note === undefined ? nothing : `${this.#id}-note`}
          .value=${live(this.value)}
          @change=${(event: Event) => this.#choose((event.target as HTMLSelectElement).value)}
        >
          ${this.options.map(
            ({ value, label }) => html`<option value=${value} ?selected=${value === this.value}>${label}</option>`,
          )}
        </select></span
      >
      ${note === undefined ? nothing : html`<p class="note" id="${this.#id}-note">${note}</p>`}
    `;
  }

  #key = (event: KeyboardEvent): void => {
    const move = ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 } as Record<string, number>)[event.key];
    if (move === undefined) return;
    event.preventDefault();
    const at = this.options.findIndex(({ value }) => value === this.value);
    const next = this.options[(at + move + this.options.length) % this.options.length];
    if (!next) return;
    this.#choose(next.value);
    this.querySelector<HTMLElement>(`[data-value="${next.value}"]`)?.focus();
  };

  #choose(value: string): void {
    if (value !== this.value) this.onValue(value);
  }
}
