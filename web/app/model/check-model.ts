import { html, nothing, type TemplateResult } from 'lit';
import { LightElement } from '../parts/light-element.js';
import type { WrittenState } from '../state/link.js';
import { type StatefulFigure, pageState } from '../state/page-state.js';
import { texts } from '../texts/index.js';
import type { ModelPanel } from './model-panel.js';
import './check-model.css';

/** How far from the screen the rest of the section is fetched. */
const NEAR = '100% 0px';

/** “Check my model”: its heading, and the panel, whose code is fetched when the reader comes near. */
export class CheckModel extends LightElement implements StatefulFigure {
  static override properties = { panel: { state: true }, failed: { state: true } };
  declare private panel: ModelPanel | undefined;
  declare private failed: boolean;

  readonly task = 'check';
  /** The model of the link that the page was opened with, until the panel takes it. */
  #linked: string | undefined;
  #observer: IntersectionObserver | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    pageState.add(this);
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
    pageState.remove(this);
    this.#observer?.disconnect();
  }

  written(): WrittenState {
    const model = this.panel ? this.panel.link : this.#linked;
    return new Map(model === undefined ? [] : [['model', model]]);
  }

  restore(state: WrittenState): void {
    this.#linked = state.get('model');
    if (this.panel && this.#linked !== undefined) this.panel.open(this.#linked);
  }

  /** The model is not shared with the figures: they take it when the reader asks for it. */
  writtenValue(): undefined {
    return undefined;
  }

  take(): void {
    // See writtenValue.
  }

  protected override render(): TemplateResult {
    const text = texts().check;
    return html`
      <p class="over"><b aria-hidden="true">{ }</b> <span>${text.name}</span></p>
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
      const { ModelPanel, panelElements } = await import('./model-panel.js');
      for (const [tag, element] of Object.entries(panelElements)) {
        if (!customElements.get(tag)) customElements.define(tag, element);
      }
      const panel = new ModelPanel();
      if (this.#linked !== undefined) panel.open(this.#linked);
      this.panel = panel;
      this.failed = false;
    } catch {
      this.failed = true;
    }
  };
}
