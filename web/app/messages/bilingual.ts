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

/**
 * The texts of a part of the page; the answer gives those on screen. They are written in English and simplified Chinese; the
 * build converts the latter to traditional Chinese. A key missing from either does not compile.
 */
export function bilingual<const T>(
  en: T,
  zhHans: Translation<T>,
  zhHant: Translation<T> = zhHans,
): () => Translation<T> {
  const texts: Readonly<Record<Language, Translation<T>>> = {
    en: en as Translation<T>,
    'zh-Hans': zhHans,
    'zh-Hant': zhHant,
  };
  return () => texts[language()];
}
