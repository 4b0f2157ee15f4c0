import type { Names } from '../../common/check.js';
import type { Engine } from '../runtime/engine.js';
import type { BiasTerm, RelativeAttention, RelativeTerm } from '../attention/score-term.js';
import type { Contents, ScoreAt } from '../analysis/score.js';

/**
 * An encoding of the library: what it is, for people, and the functions that compute it, each bound to an engine. Every
 * other file of this folder makes one, and `definitions.ts` lists them.
 */
export interface EncodingDefinition<Functions, ScoreOptions = never, Bias = never, Relative = never> {
  readonly title: { readonly en: string; readonly 'zh-Hans': string };
  /** In TeX. */
  readonly formula: string;
  /** What shapes it, by the names of the options. */
  readonly parameters: readonly string[];
  readonly source: string;
  /** The main one first. */
  readonly functions: {
    readonly [Name in keyof Functions]: (engine: Engine, attend: RelativeAttention) => Functions[Name];
  };
  /** Places one query and one key, for `verifyRelative`. */
  readonly score?: ScoreDefinition<ScoreOptions>;
  /** What `attention` takes as `bias`, if it does. */
  readonly bias?: BiasTerm<Bias>;
  /** What `attention` takes as `relative`, if it does: an object of one name. */
  readonly relative?: RelativeTerm<Relative[keyof Relative]>;
}

/** How an encoding scores a query and a key. */
interface ScoreDefinition<Options> {
  /** The names of the options. */
  readonly options: Names<Options>;
  /** `options` are an object of its own, whose names are checked. */
  at(engine: Engine, options: Options, contents: Contents, attend: RelativeAttention): ScoreAt;
}

/** What an encoding computes. */
export type FunctionsOf<Definition> =
  Definition extends EncodingDefinition<infer Functions, infer _Score, infer _Bias, infer _Relative>
    ? Functions
    : never;

/** What an encoding needs to place a query and a key. */
export type ScoreOptionsOf<Definition> =
  Definition extends EncodingDefinition<infer _Functions, infer ScoreOptions, infer _Bias, infer _Relative>
    ? ScoreOptions
    : never;

/** What `attention` takes of an encoding as `bias`. */
export type BiasOf<Definition> =
  Definition extends EncodingDefinition<infer _Functions, infer _Score, infer Bias, infer _Relative> ? Bias : never;

/** What `attention` takes of an encoding as `relative`. */
export type RelativeOf<Definition> =
  Definition extends EncodingDefinition<infer _Functions, infer _Score, infer _Bias, infer Relative> ? Relative : never;
