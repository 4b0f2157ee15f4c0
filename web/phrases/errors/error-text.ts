import type { Books, Language } from '../language.js';
import { sentence as english, type ErrorFacts } from './en.js';
import { sentence as simplified } from './zh-hans.js';
import { sentence as traditional } from './zh-hant.js';

const SENTENCES: Books<(error: ErrorFacts) => string> = {
  en: english,
  'zh-Hans': simplified,
  'zh-Hant': traditional,
};

/**
 * What is wrong, as a sentence without a full stop: in English, the message of the error. What no rule of this package
 * is about, as the reason of an engine, stays as it is.
 *
 * Needs no engine.
 *
 * @param error a `PosencError`, or its fields where they travelled; what has no `rule` keeps its message
 */
export function errorText(error: ErrorFacts, language: Language): string {
  return SENTENCES[language](error);
}
