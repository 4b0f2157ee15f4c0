import type { Language as LibraryLanguage } from 'posenc';
import { phrases } from 'virtual:traditional';
import { language } from '../preferences.js';

const traditional = new Map(phrases);
const pattern = new RegExp(
  phrases.map(([simplified]) => simplified.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'),
  'g',
);

/** The language in which the library is asked for its sentences. */
export function libraryLanguage(): LibraryLanguage {
  return language() === 'en' ? 'en' : 'zh-Hans';
}

/** A sentence of the library in the language on screen. */
export function libraryText(text: string): string {
  return language() === 'zh-Hant' ? text.replace(pattern, (phrase) => traditional.get(phrase)!) : text;
}
