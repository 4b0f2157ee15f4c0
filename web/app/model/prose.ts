import { type ErrorFacts, errorText } from 'posenc';
import { group, noBreak } from '../plots/format.js';
import { language } from '../preferences.js';

/** What is typed as it stands and years, which are kept; long whole numbers and whole parts. */
const LONG_NUMBERS =
  /((?<!\S)--?[a-z][\w-]*[ =]\S+|(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{4}|\d{4} ?年)|(?<![\w.-])\d{4,}(?!\w)/g;

/** A sentence of the library as the page writes it: with numbers in groups of three. */
export function prose(sentence: string): string {
  return sentence.replace(LONG_NUMBERS, (part, kept?: string) => kept ?? noBreak(group(Number(part))));
}

/** An error of the library in the language on screen. */
export function refusalText(error: ErrorFacts): string {
  return errorText(error, language());
}
