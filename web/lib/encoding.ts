import type { Engine } from './engine.js';
import type { Contents, ScoreAt } from './score.js';

/**
 * An encoding of the library: what it is, for people, and the functions that compute it, each bound to an engine. Every
 * file of `encodings/` defines one.
 */
export interface Encoding<Functions, ScoreOptions = never> {
  readonly title: { readonly en: string; readonly 'zh-Hans': string };
  /** In TeX. */
  readonly formula: string;
  /** What shapes it, by the names of the options. */
  readonly parameters: readonly string[];
  readonly source: string;
  /** The main one first. */
  readonly functions: { readonly [Name in keyof Functions]: (engine: Engine) => Functions[Name] };
  /** Places one query and one key, for `verifyRelative`. */
  readonly score?: (engine: Engine, options: ScoreOptions, contents: Contents) => ScoreAt;
}

/** What an encoding computes. */
export type FunctionsOf<Definition> = Definition extends Encoding<infer Functions> ? Functions : never;

/** What an encoding needs to place a query and a key. */
export type ScoreOptionsOf<Definition> =
  Definition extends Encoding<infer _, infer ScoreOptions> ? ScoreOptions : never;
