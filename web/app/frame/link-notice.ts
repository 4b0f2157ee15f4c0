import { html, nothing, type TemplateResult } from 'lit';
import { pageState } from '../state/page-state.js';
import { LightElement } from '../parts/light-element.js';
import { repeated } from '../parts/refusing-field.js';
import { texts } from '../texts/index.js';
import './notice.css';

/** One line under the header where the address is a link of which the page can take nothing, or not all figures. */
export class LinkNotice extends LightElement {
  constructor() {
    super();
    this.follow(pageState, 'following');
  }

  protected override render(): TemplateResult | typeof nothing {
    const { astray } = pageState;
    if (!astray) return nothing;
    const words = texts().page.link;
    const text = astray.length === 0 ? words.unreadable : words.noSuchFigure(repeated(astray.join(', ')));
    return html`<div class="grid"><p class="main notice" role="alert">${text}</p></div>`;
  }
}
