import { badArgument } from '../../common/errors.js';

/**
 * Splits a command into words as a POSIX shell does: quotes of both kinds, backslashes, lines that go on after one, and
 * comments. Nothing is expanded.
 *
 * Errors: `bad-argument`, for a quote that is not closed.
 */
export function shellWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [part] of line.matchAll(PART)) {
    if (/^\s/.test(part)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (!part.startsWith('#') && !/^\\\r?\n$/.test(part)) {
      word = (word ?? '') + unquoted(part);
    }
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** Spaces, a line that goes on, a quoted part, a character after a backslash, a comment, or plain characters. */
const PART = /\s+|\\\r?\n|'[^']*'?|"(?:[^"\\]|\\[^])*"?|\\[^]?|(?<!\S)#[^\n]*|[^\s\\'"]+/g;

function unquoted(part: string): string {
  const quote = part[0];
  if (quote === '\\') return part.slice(1);
  if (quote !== "'" && quote !== '"') return part;
  if (part.length === 1 || !part.endsWith(quote) || (quote === '"' && /(?<!\\)(?:\\\\)*\\"$/.test(part))) {
    throw badArgument('line', { kind: 'closed-quotes' }, part);
  }
  const inside = part.slice(1, -1);
  return quote === "'" ? inside : inside.replace(/\\(?:\r?\n|([$`"\\]))/g, '$1');
}
