import type { TemplateResult } from 'lit';
import { type Language, language } from '../preferences.js';

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

/** The texts of every language that fetch-texts.ts has fetched, by their keys. */
export const fetchedTexts = new Map<Language, ReadonlyMap<string, unknown>>();

/**
 * The texts of a part of the page; the answer gives those on screen. They are written in English and simplified Chinese: a
 * key missing from either does not compile. The build converts the latter to traditional Chinese, and leaves a key here in
 * the place of all three where they are fetched; see text-modules.ts.
 */
export function bilingual<const T>(en: T, zhHans: Translation<T>): () => Translation<T>;
export function bilingual(...texts: readonly unknown[]): () => unknown {
  if (texts.length === 1) return () => fetchedTexts.get(language())!.get(texts[0] as string);
  const [en, zhHans, zhHant = zhHans] = texts;
  return () => ({ en, 'zh-Hans': zhHans, 'zh-Hant': zhHant })[language()];
}
