import { html, type TemplateResult } from 'lit';

export const first = (words: string): TemplateResult => html`<em class="q">${words}</em>`;
export const second = (words: string): TemplateResult => html`<em class="k">${words}</em>`;
export const apart = html`<em class="dist">n − m</em>`;
