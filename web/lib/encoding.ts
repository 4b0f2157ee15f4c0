import type { Engine } from './engine.js';

/**
 * An encoding of the library: what it is, for people, and the functions that compute it, each bound to an engine. Every
 * file of `encodings/` defines one.
 */
export interface Encoding<Functions> {
  readonly title: { readonly en: string; readonly 'zh-Hans': string };
  /** In TeX. */
  readonly formula: string;
  /** What shapes it, by the names of the options. */
  readonly parameters: readonly string[];
  readonly source: string;
  /** The main one first. */
  readonly functions: { readonly [Name in keyof Functions]: (engine: Engine) => Functions[Name] };
}

/** What an encoding computes. */
export type FunctionsOf<Definition> = Definition extends Encoding<infer Functions> ? Functions : never;
