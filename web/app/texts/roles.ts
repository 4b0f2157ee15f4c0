import { html, type TemplateResult } from 'lit';

// Words in prose that light up what they name in the plots and formulas of their figure.

export const query = (words: string): TemplateResult => html`<em class="q" tabindex="0">${words}</em>`;
export const key = (words: string): TemplateResult => html`<em class="k" tabindex="0">${words}</em>`;
export const distance = (words = 'n − m'): TemplateResult => html`<em class="dist" tabindex="0">${words}</em>`;
