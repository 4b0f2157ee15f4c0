import type { TemplateResult } from 'lit';

/** Text on the page: plain, or with markup. Canvas and attributes take plain strings only. */
export type Content = string | TemplateResult;

/**
 * The same keys and arguments as an English text: a key that is missing does not compile. A plain string stays plain;
 * markup may become either.
 */
export type Translation<T> = T extends (...values: infer A) => infer R
  ? (...values: A) => R extends string ? string : Content
  : T extends string
    ? string
    : T extends TemplateResult
      ? Content
      : { readonly [K in keyof T]: Translation<T[K]> };
