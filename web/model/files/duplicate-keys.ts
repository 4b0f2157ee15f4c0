import type { ParsedModel } from '../parsed-model.js';

/** The most keys that are named. */
const MAX_NAMED = 16;

/** An object or list that is open at some place of a text. */
interface Open {
  /** Its path, and for a list the index of the value at hand. */
  path: string;
  index: number;
  /** The keys so far; a list has none. */
  keys: Set<string> | undefined;
  /** The path of the value at hand. */
  at: string;
}

/** The keys as a model has them, also under the name of the last release, which goes with the next one. */
export function asDuplicates(keys: string[]): Pick<ParsedModel, 'duplicateKeys' | 'doubledKeys'> {
  return keys.length === 0 ? {} : { duplicateKeys: keys, doubledKeys: keys };
}

/**
 * The paths of the keys that stand twice in one object, of which `JSON.parse` keeps the last without a word: `rope_theta`,
 * `rope_scaling.factor`. The first 16 of them.
 *
 * @param text JSON that `JSON.parse` accepts
 */
export function duplicateKeys(text: string): string[] {
  const duplicates = new Set<string>();
  const open: Open[] = [];
  let isKey = false;
  for (let i = 0; i < text.length && duplicates.size < MAX_NAMED; ++i) {
    const top = open.at(-1);
    switch (text[i]) {
      case '"': {
        const end = stringEnd(text, i);
        if (isKey && top?.keys !== undefined) {
          const key = JSON.parse(text.slice(i, end)) as string;
          top.at = top.path === '' ? key : `${top.path}.${key}`;
          if (top.keys.has(key)) duplicates.add(top.at);
          top.keys.add(key);
          isKey = false;
        }
        i = end - 1;
        break;
      }
      case '{':
      case '[': {
        const isObject = text[i] === '{';
        const path = top?.at ?? '';
        open.push({ path, index: 0, keys: isObject ? new Set() : undefined, at: isObject ? path : `${path}[0]` });
        isKey = isObject;
        break;
      }
      case '}':
      case ']':
        open.pop();
        break;
      case ',':
        isKey = top?.keys !== undefined;
        if (top !== undefined && !isKey) top.at = `${top.path}[${++top.index}]`;
    }
  }
  return [...duplicates];
}

/** Where the text of a string ends that begins at `start`. */
function stringEnd(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') ++backslashes;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}
