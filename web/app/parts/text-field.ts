import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { LightElement, uniqueId } from './light-element.js';

/** One line of text. Text that `refuse` objects to stays in the field with the reason under it and is not passed on. */
export class TextField extends LightElement {
  static override properties = {
    label: {},
    value: {},
    refuse: { attribute: false },
    onValue: { attribute: false },
    refusal: { state: true },
    typed: { state: true },
  };
  declare label: string;
  declare value: string;
  /** The reason why a text is not accepted, or undefined. */
  declare refuse: (text: string) => string | undefined;
  declare onValue: (value: string) => void;
  declare private refusal: string | undefined;
  declare private typed: string | undefined;

  readonly #id = uniqueId('text');

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('value') && changed.get('value') !== this.value) this.clear();
  }

  /** Forgets a text that was refused. */
  clear(): void {
    this.refusal = undefined;
    this.typed = undefined;
  }

  protected override render(): TemplateResult {
    return html`
      <label for=${this.#id}>${this.label}</label>
      <input
        class="line"
        id=${this.#id}
        type="text"
        autocomplete="off"
        spellcheck="false"
        aria-invalid=${this.refusal ? 'true' : 'false'}
        aria-describedby="${this.#id}-refusal"
        .value=${live(this.typed ?? this.value)}
        @change=${this.#type}
      />
      <p class="refusal" id="${this.#id}-refusal" role="alert">${this.refusal ?? nothing}</p>
    `;
  }

  #type = (event: Event): void => {
    const text = (event.target as HTMLInputElement).value.trim();
    this.refusal = this.refuse(text);
    this.typed = this.refusal ? text : undefined;
    if (!this.refusal && text !== this.value) this.onValue(text);
  };
}
