import { type Language, language } from '../preferences.js';
import type * as en from './en.js';
import type { Translation } from './translation.js';

/** All texts of the page in one language: a part of the page by itself, of which a reader fetches one. */
export type Texts = Translation<typeof en>;

const sources: Readonly<Record<Language, () => Promise<Texts>>> = {
  en: () => import('./en.js'),
  'zh-Hans': () => import('./zh-hans.js'),
  'zh-Hant': () => import('./zh-hant.js'),
};

const fetched = new Map<Language, Texts>();

/** Fetches the texts of a language unless they are there. Answers whether they are now; if not, the next call tries again. */
export async function fetchTexts(language: Language): Promise<boolean> {
  if (fetched.has(language)) return true;
  try {
    fetched.set(language, await sources[language]());
    return true;
  } catch {
    return false;
  }
}

/** The texts in the language on screen, which `fetchTexts` has fetched. */
export function texts(): Texts {
  return fetched.get(language())!;
}
