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

/** Texts in traditional Chinese by their keys, once fetch-texts.ts has fetched them. */
export const fetchedTexts = new Map<string, unknown>();

/**
 * The texts of a part of the page; the answer gives those on screen. They are written in English and simplified Chinese; the
 * build converts the latter to traditional Chinese, and puts in these texts or their key. A key missing from either of the
 * written languages does not compile.
 */
export function bilingual<const T>(
  en: T,
  zhHans: Translation<T>,
  zhHant: Translation<T> | string = zhHans,
): () => Translation<T> {
  return () => {
    switch (language()) {
      case 'en':
        return en as Translation<T>;
      case 'zh-Hans':
        return zhHans;
      case 'zh-Hant':
        return typeof zhHant === 'string'
          ? ((fetchedTexts.get(zhHant) as Translation<T> | undefined) ?? zhHans)
          : zhHant;
    }
  };
}
