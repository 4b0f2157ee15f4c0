/** Between the words of a sentence, where it is written out. */
export const SEPARATOR = ' / ';

/** Characters that a word may have. */
export const LONGEST_TOKEN = 200;

/** The words of a text: what stands between slashes, or between spaces where there is no slash. */
export function tokensOf(text: string): string[] {
  return text
    .split(/[/／]/.test(text) ? /[/／]/ : /\s+/)
    .map((token) => token.trim())
    .filter((token) => token !== '');
}

/** The language of a word, for the browser's choice of face and voice. */
export function languageOf(token: string): 'zh-Hans' | 'en' {
  return /\p{Script=Han}/u.test(token) ? 'zh-Hans' : 'en';
}
