import { html, type TemplateResult } from 'lit';
import { SEPARATOR, tokensOf } from './sentence.js';

/** A sentence that the reader may replace. */
export interface SentenceField {
  readonly tokens: readonly string[];
  readonly least: number;
  readonly most: number;
  readonly text: { readonly label: string; readonly refuse: (most: number, got: number) => string };
  readonly onTokens: (tokens: readonly string[]) => void;
}

/** The field in which a figure's words are written. */
export function renderSentence({ tokens, least, most, text, onTokens }: SentenceField): TemplateResult {
  return html`<text-field
    class="wide"
    name="sentence"
    .label=${text.label}
    .value=${tokens.join(SEPARATOR)}
    .objection=${(typed: string) => {
      const count = tokensOf(typed).length;
      return count >= least && count <= most ? undefined : text.refuse(most, count);
    }}
    .onValue=${(value: string) => onTokens(tokensOf(value))}
  ></text-field>`;
}
