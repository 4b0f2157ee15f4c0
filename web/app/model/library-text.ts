import type { Language as LibraryLanguage } from 'posenc';
import { group, noBreak } from '../plots/format.js';
import { language } from '../preferences.js';

/** What the library says in simplified Chinese beside the same in traditional Chinese, longer phrases first. */
type Phrases = readonly (readonly [simplified: string, traditional: string])[];

/** The language in which the library is asked for its sentences. */
export function libraryLanguage(): LibraryLanguage {
  return language() === 'en' ? 'en' : 'zh-Hans';
}

/** A sentence of the library in the language on screen. */
export function libraryText(text: string): string {
  return language() === 'zh-Hant' ? conversion(text) : text;
}

let conversion: (text: string) => string;

/** Fetches the phrases of the library in traditional Chinese. */
export async function fetchPhrases(): Promise<void> {
  conversion = replacing((await import('virtual:library-phrases')).phrases);
}

function replacing(phrases: Phrases): (text: string) => string {
  const traditional = new Map(phrases);
  const escaped = phrases.map(([simplified]) => simplified.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(escaped.join('|'), 'g');
  return (text) => text.replace(pattern, (phrase) => traditional.get(phrase)!);
}

/** What is typed as it stands and years, which are kept; long whole numbers and whole parts. */
const LONG_NUMBERS =
  /((?<!\S)--?[a-z][\w-]*[ =]\S+|(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{4}|\d{4} ?年)|(?<![\w.-])\d{4,}(?!\w)/g;

/** The same as the page writes it: with numbers in groups of three. */
export function libraryProse(text: string): string {
  return libraryText(text).replace(LONG_NUMBERS, (part, kept?: string) => kept ?? noBreak(group(Number(part))));
}
