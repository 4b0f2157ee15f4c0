import { html, nothing, type TemplateResult } from 'lit';
import { engine } from '../engine/client.js';
import { LightElement } from '../parts/light-element.js';
import { texts } from '../texts/index.js';
import './notice.css';

/** One line under the header when the engine cannot run. */
export class EngineNotice extends LightElement {
  constructor() {
    super();
    this.follow(engine, 'state');
  }

  protected override render(): TemplateResult | typeof nothing {
    const { state } = engine;
    if (state.kind !== 'unavailable') return nothing;
    const text =
      state.error.code === 'unsupported' ? texts().page.refused : texts().page.unreachable(state.error.message);
    return html`<div class="grid"><p class="main notice" role="alert">${text}</p></div>`;
  }
}
