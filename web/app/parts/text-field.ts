import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { uniqueId } from './light-element.js';
import { RefusingField } from './refusing-field.js';

/** One line of text with a rule of the figure's. */
export class TextField extends RefusingField<string> {
  static override properties = { ...super.properties, objection: { attribute: false }, note: {} };
  /** The reason why a text is not accepted, or undefined. */
  declare objection: (text: string) => string | undefined;
  /** What there is to say about the accepted text. */
  declare note: string | undefined;

  readonly #id = uniqueId('text');

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
        aria-describedby="${this.#id}-refusal ${this.#id}-note"
        .value=${live(this.typed ?? this.value)}
        @input=${this.keep}
        @change=${this.#type}
      />
      <p class="refusal" id="${this.#id}-refusal" role="alert">${this.refusal ?? nothing}</p>
      <p class="note" id="${this.#id}-note">${this.refusal ? nothing : (this.note ?? nothing)}</p>
    `;
  }

  #type = (event: Event): void => {
    const text = (event.target as HTMLInputElement).value.trim();
    const objection = this.objection(text);
    if (objection === undefined) this.accept(text);
    else this.refuse(text, objection);
  };
}
