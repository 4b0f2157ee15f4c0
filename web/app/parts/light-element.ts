import { LitElement } from 'lit';
import { onPreferencesChange } from '../preferences.js';

/** A part without a shadow root: the page's one style sheet reaches it. Renders again when language or theme change. */
export abstract class LightElement extends LitElement {
  #stop: (() => void) | undefined;

  /** Renders again whenever a source says that something has changed, for as long as the part is on the page. */
  protected follow(source: EventTarget, type: string): void {
    const update = (): void => this.requestUpdate();
    this.addController({
      hostConnected: () => source.addEventListener(type, update),
      hostDisconnected: () => source.removeEventListener(type, update),
    });
  }

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
