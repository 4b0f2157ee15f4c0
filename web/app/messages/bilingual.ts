import type { TemplateResult } from 'lit';
import { language } from '../preferences.js';

/** Text on the page: plain, or with markup. Canvas and attributes take plain strings only. */
export type Content = string | TemplateResult;

/** The same keys and arguments as an English text. A plain string stays plain; markup may become either. */
export type Translation<T> = T extends (...values: infer A) => infer R
  ? (...values: A) => R extends string ? string : Content
  : T extends string
    ? string
    : T extends TemplateResult
      ? Content
      : { readonly [K in keyof T]: Translation<T[K]> };

/** Both languages of a text; the answer gives the one on screen. A key missing from either does not compile. */
export function bilingual<const T>(en: T, zhHans: Translation<T>): () => Translation<T> {
  return () => (language() === 'zh-Hans' ? zhHans : (en as Translation<T>));
}
