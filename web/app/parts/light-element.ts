import { LitElement } from 'lit';
import { onPreferencesChange } from '../preferences.js';

/** A part without a shadow root: the page's one style sheet reaches it. Renders again when language or theme change. */
export abstract class LightElement extends LitElement {
  #stop: (() => void) | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stop = onPreferencesChange(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop?.();
  }
}

let count = 0;

/** An id no other element of the page has, to tie a label to its control. */
export function uniqueId(prefix: string): string {
  return `${prefix}-${++count}`;
}
