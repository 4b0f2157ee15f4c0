import type { Language as LibraryLanguage } from 'posenc';
import { fetchedTexts } from '../messages/bilingual.js';
import { language } from '../preferences.js';

/** What the library says in simplified Chinese beside the same in traditional Chinese, longer phrases first. */
type Phrases = readonly (readonly [simplified: string, traditional: string])[];

/** The language in which the library is asked for its sentences. */
export function libraryLanguage(): LibraryLanguage {
  return language() === 'en' ? 'en' : 'zh-Hans';
}

/** A sentence of the library in the language on screen. */
export function libraryText(text: string): string {
  return language() === 'zh-Hant' ? conversion()(text) : text;
}

let known: ((text: string) => string) | undefined;

/** The texts in traditional Chinese bring the phrases of the library with them. */
function conversion(): (text: string) => string {
  return (known ??= replacing(fetchedTexts.get('zh-Hant')!.get('library') as Phrases));
}

function replacing(phrases: Phrases): (text: string) => string {
  const traditional = new Map(phrases);
  const escaped = phrases.map(([simplified]) => simplified.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(escaped.join('|'), 'g');
  return (text) => text.replace(pattern, (phrase) => traditional.get(phrase)!);
}
