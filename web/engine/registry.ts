import type { Encodings } from './encodings.js';
import { definitions } from './encodings/definitions.js';

/** What an encoding is, for people. */
export interface EncodingEntry {
  readonly title: { readonly en: string; readonly 'zh-Hans': string };
  /** In TeX. */
  readonly formula: string;
  /** What shapes it, by the names of the options. */
  readonly parameters: readonly string[];
  readonly source: string;
  /** The functions that compute it, the main one first. */
  readonly functions: readonly (keyof Encodings)[];
}

/** The name of an encoding of this version. */
export type EncodingName = keyof typeof definitions;

/** The encodings of this version by name. */
export const registry = Object.fromEntries(
  Object.entries(definitions).map(([name, { title, formula, parameters, source, functions }]) => [
    name,
    { title, formula, parameters, source, functions: Object.keys(functions) },
  ]),
) as unknown as Readonly<Record<EncodingName, EncodingEntry>>;

/** The names of the encodings of this version, in the order of the registry. */
export function encodingNames(): EncodingName[] {
  return Object.keys(registry) as EncodingName[];
}
