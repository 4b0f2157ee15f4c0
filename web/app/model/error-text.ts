import { html } from 'lit';
import type { PosencErrorDetails } from 'posenc';
import { repeated } from '../parts/refusing-field.js';
import { texts } from '../texts/index.js';
import type { Content } from '../texts/translation.js';
import type { Words } from './en.js';

/** An error of the library, here or in the worker. */
export interface LibraryError extends Pick<PosencErrorDetails, 'argument' | 'expected' | 'got'> {
  readonly message: string;
}

/** What the library expects, as it says it, and the phrase that says it in Chinese. */
const EXPECTED: readonly (readonly [RegExp, string])[] = [
  [/^a finite number$/, 'number'],
  [/^a number$/, 'number'],
  [/^a (?:finite )?number above 0$/, 'positive'],
  [/^a number from (\S+) to (\S+)$/, 'range'],
  [/^a whole number from (\S+) to (\S+)$/, 'whole'],
  [/^true or false$/, 'boolean'],
  [/^a string$/, 'string'],
  [/^an object(?: in JSON)?$/, 'object'],
  [/^a list of at most (\d+) (?:finite numbers|values)$/, 'list'],
  [/^one of (.+)$/, 'choice'],
  [/^JSON.*$/, 'json'],
  [/^the configuration of a model, .*$/, 'config'],
  [/^at most (\d+) characters$/, 'length'],
  [/^given for (\S+)$/, 'given'],
  [/^a multiple of (\S+ = \d+) where (\S+) is not given$/, 'multiple'],
  [/^flags about positions of (.+)$/, 'flags'],
  [/^followed by a value$/, 'value'],
  [/^a line whose quotes are closed$/, 'quotes'],
  [/^a GGUF file, which begins with GGUF$/, 'gguf'],
  [/^a GGUF file of version 2 or 3$/, 'ggufVersion'],
  [/^a GGUF file with (\S+)$/, 'ggufKey'],
  [/^a \.npy file, which begins with (.+)$/, 'npy'],
  [/^a \.npy file of version 1, 2 or 3$/, 'npyVersion'],
  [/^numbers of type f2, f4 or f8 with a byte order of < or >$/, 'npyNumbers'],
  [/^an array with two axes and at most (\d+) numbers$/, 'twoAxes'],
  [/^(\d+) numbers of (\d+) bytes, as its shape (\(.*\)) says$/, 'npySize'],
  [/^a \.safetensors file, whose header is (?:JSON|an object)$/, 'safetensors'],
  [/^a \.safetensors file with a header of at most (\d+) bytes$/, 'safetensorsHeader'],
  [/^long enough for .*?(\d+) bytes(?: of data)?$/, 'longEnough'],
  [/^long enough for .*$/, 'complete'],
  [/^(\d+) bytes for (.+)$/, 'bytesFor'],
  [/^(.+) to begin at byte (\d+) of the data$/, 'gapless'],
  [/^finite numbers$/, 'finite'],
  [/^a file that can be read$/, 'readable'],
];

/** Arguments that are what was pasted or opened, not a key in it. */
const SUBJECTS: Readonly<Record<string, string>> = { json: 'text', line: 'line', source: 'file', bytes: 'file' };

/** How the library says what it got, where that is a sentence of its own and no value of the reader's. */
const GOT: readonly (readonly [RegExp, string])[] = [
  [/^(\d+) bytes$/, 'bytes'],
  [/^(\d+) bytes that do not$/, 'begins'],
  [/^version (\d+)$/, 'version'],
  [/^one of shape (.+)$/, 'shape'],
  [/^an object with (\d+) other keys$/, 'otherKeys'],
];

/**
 * An error of the library in the language on screen. Where the page has no words for what was expected, a sentence that
 * says what to do, and the library's own as a quotation.
 */
export function errorText(error: LibraryError): Content {
  const words = texts().errors;
  if (!words) return error.message;
  const { argument, expected, got } = error;
  const wanted = expected === undefined ? undefined : translated(EXPECTED, expected, words);
  if (argument === undefined || wanted === undefined) {
    return html`${words['quoted']!()}<q lang="en">${error.message}</q>`;
  }
  const subject = subjectOf(argument, words);
  return got === undefined
    ? words['lacks']!(subject, wanted)
    : words['sentence']!(subject, wanted, gotText(got, words));
}

function subjectOf(argument: string, words: Words): string {
  if (argument === 'table') return words['table']!();
  return Object.hasOwn(SUBJECTS, argument)
    ? words[SUBJECTS[argument]!]!()
    : words['key']!(repeated(argument)).trimStart();
}

function translated(phrases: typeof EXPECTED, text: string, words: Words): string | undefined {
  for (const [pattern, name] of phrases) {
    const match = pattern.exec(text);
    if (match) return words[name]!(...match.slice(1));
  }
  return undefined;
}

function gotText(got: unknown, words: Words): string {
  if (Array.isArray(got)) return words['array']!(String(got.length));
  if (typeof got === 'object' && got !== null) return words['anObject']!();
  if (typeof got !== 'string') return words['literal']!(String(got));
  if (got.trim() === '') return words['nothing']!();
  return translated(GOT, got, words) ?? words['literal']!(JSON.stringify(repeated(got)));
}
