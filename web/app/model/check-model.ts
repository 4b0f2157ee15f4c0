import { html, nothing, type TemplateResult } from 'lit';
import { LightElement } from '../parts/light-element.js';
import { checkText } from './check-text.js';

/** How far from the screen the rest of the section is fetched. */
const NEAR = '100% 0px';

/** “Check my model”: its heading, and the panel, whose code is fetched when the reader comes near. */
export class CheckModel extends LightElement {
  static override properties = { panel: { state: true }, failed: { state: true } };
  declare private panel: HTMLElement | undefined;
  declare private failed: boolean;

  #observer: IntersectionObserver | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void this.#load();
      },
      { rootMargin: NEAR },
    );
    this.#observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer?.disconnect();
  }

  protected override render(): TemplateResult {
    const text = checkText();
    return html`
      <p class="over"><b>✓</b> <span>${text.name}</span></p>
      <h2>${text.title}</h2>
      <p class="lead">${text.lead}</p>
      <div class="panel">
        ${
          this.failed
            ? html`<p class="refusal" role="alert">${text.unreachable}</p>
                <button type="button" class="act" @click=${this.#load}>${text.again}</button>`
            : (this.panel ?? nothing)
        }
      </div>
    `;
  }

  #load = async (): Promise<void> => {
    this.#observer?.disconnect();
    if (this.panel) return;
    try {
      const { ModelPanel } = await import('./model-panel.js');
      if (!customElements.get('model-panel')) customElements.define('model-panel', ModelPanel);
      this.panel ??= new ModelPanel();
      this.failed = false;
    } catch {
      this.failed = true;
    }
  };
}
