import { html, type TemplateResult } from 'lit';
import { engine } from '../engine/client.js';
import { claims, tally } from '../parts/claims.js';
import { LightElement } from '../parts/light-element.js';
import { texts } from '../texts/index.js';
import './page-footer.css';

/** Version and engine, how many claims hold here, licence, sources. */
export class PageFooter extends LightElement {
  constructor() {
    super();
    this.follow(claims, 'change');
    this.follow(engine, 'state');
  }

  protected override render(): TemplateResult {
    const text = texts().page.footer;
    const { computing, judged, holding } = tally();
    const tallied = computing > 0 ? text.checking : judged > 0 ? text.held(holding, judged) : text.unchecked;
    const variant = engine.state.kind === 'ready' ? engine.state.variant : undefined;
    const isVariant = variant === 'simd' || variant === 'relaxed';
    return html`
      <footer class="grid">
        <div class="main">
          <p id="tally" role="status">${tallied}</p>
          <p>${isVariant ? text.engine(POSENC_VERSION, text.variants[variant]) : text.engineWaiting(POSENC_VERSION)}</p>
          <p>${text.licence} <code>import { load } from 'posenc';</code></p>
          <p>${text.sources}</p>
        </div>
      </footer>
    `;
  }
}
