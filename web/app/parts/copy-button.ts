import { html, nothing, type TemplateResult } from 'lit';
import { LightElement } from './light-element.js';
import { texts } from '../texts/index.js';
import './actions.css';

/** How long the button says that it has copied, milliseconds. */
const SAYS_SO = 2000;

/** A text button that puts a text on the clipboard. Where the browser refuses, the text stands beside it, selected. */
export class CopyButton extends LightElement {
  static override properties = {
    label: {},
    text: { attribute: false },
    copied: { state: true },
    refused: { state: true },
  };
  declare label: string;
  /** Asked for at the press. */
  declare text: () => string;
  declare private copied: boolean;
  /** The text that could not be put on the clipboard. */
  declare private refused: string | undefined;

  #timer: ReturnType<typeof setTimeout> | undefined;

  protected override render(): TemplateResult {
    const words = texts().page.copy;
    return html`
      <button type="button" @click=${this.#copy}>
        <span aria-live="polite">${this.copied ? words.copied : this.label}</span>
      </button>
      ${
        this.refused === undefined
          ? nothing
          : html`<input class="line" type="text" readonly aria-label=${words.byHand} .value=${this.refused} />`
      }
    `;
  }

  #copy = async (): Promise<void> => {
    const text = this.text();
    try {
      await navigator.clipboard.writeText(text);
      this.refused = undefined;
      this.copied = true;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => (this.copied = false), SAYS_SO);
    } catch {
      this.refused = text;
      await this.updateComplete;
      this.querySelector('input')?.select();
    }
  };
}
