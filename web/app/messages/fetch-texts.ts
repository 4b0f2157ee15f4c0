import type { Language } from '../preferences.js';
import { fetchedTexts } from './bilingual.js';

const sources: Readonly<Record<Language, () => Promise<typeof import('virtual:texts/en')>>> = {
  en: () => import('virtual:texts/en'),
  'zh-Hans': () => import('virtual:texts/zh-Hans'),
  'zh-Hant': () => import('virtual:texts/zh-Hant'),
};

/** Fetches the texts of a language unless they are there. Answers whether they are now; if not, the next call tries again. */
export async function fetchTexts(language: Language): Promise<boolean> {
  if (fetchedTexts.has(language)) return true;
  try {
    const { texts } = await sources[language]();
    fetchedTexts.set(language, new Map(texts));
    return true;
  } catch {
    return false;
  }
}
