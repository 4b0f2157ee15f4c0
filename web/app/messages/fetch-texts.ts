import type { Language } from '../preferences.js';
import { fetchedTexts } from './bilingual.js';

/** Fetches the texts of a language that the page does not bring with it. Where that fails simplified Chinese stands in. */
export async function fetchTexts(language: Language): Promise<void> {
  if (language !== 'zh-Hant' || fetchedTexts.size > 0) return;
  try {
    const { texts } = await import('./traditional-texts.js');
    for (const [key, text] of texts) fetchedTexts.set(key, text);
  } catch {
    // The next choice of the language tries again.
  }
}
