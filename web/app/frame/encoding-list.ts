import { encodings } from 'virtual:formulas';
import { html, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { language } from '../preferences.js';
import { LightElement } from '../parts/light-element.js';
import { texts } from '../texts/index.js';
import './encoding-list.css';

/** Every encoding of the registry: its name, formula, functions and source. */
export class EncodingList extends LightElement {
  protected override render(): TemplateResult {
    const text = texts().page.encodings;
    return html`
      <h2>${text.title}</h2>
      <p class="lead">${text.lead(Object.keys(encodings).length)}</p>
      <ul>
        ${Object.values(encodings).map(({ title, functions, source, mathml }) => {
          const name = title[language()];
          return html`<li>
            <div>
              <h3>${name}</h3>
              <p>${functions.map((call) => html`<code>${call}</code> `)}</p>
            </div>
            <div class="formula" lang="en" tabindex="0" role="group" aria-label=${text.formula(name)}>
              ${unsafeHTML(mathml)}
            </div>
            ${renderSource(source)}
          </li>`;
        })}
      </ul>
    `;
  }
}

/** A source with its first paper as a link; sections are for the manual. */
function renderSource(source: string): TemplateResult {
  const paper = /^(.*?)arXiv:(\d+\.\d+)(.*)$/.exec(source.replace(/, section [\d.]+/, ''));
  if (!paper) return html`<p class="source">${texts().page.encodings.noPaper}</p>`;
  const [, before, id, after] = paper;
  return html`<p class="source">
    <cite>${before}<a href="https://arxiv.org/abs/${id}">arXiv:${id}</a>${after}</cite>
  </p>`;
}
