import { badArgument } from '../../common/errors.js';

/** What a backslash keeps its special meaning before, inside double quotes. */
const ESCAPED_IN_QUOTES = '$`"\\';

/**
 * Splits a command into words as a POSIX shell does: quotes of both kinds, backslashes, lines that go on after one, and
 * comments, which begin where no word is open. Nothing is expanded.
 *
 * Errors: `bad-argument`, for a quote that is not closed.
 */
export function shellWords(line: string): string[] {
  const words: string[] = [];
  const text = line.replaceAll('\r\n', '\n');
  // The word that is open; undefined between words.
  let word: string | undefined;
  for (let at = 0; at < text.length; ++at) {
    const letter = text[at] as string;
    if (letter === '\\' && text[at + 1] === '\n') at += 1;
    else if (letter === '\\') word = (word ?? '') + (text[(at += 1)] ?? '');
    else if (letter === '"' || letter === "'") {
      const [inside, end] = quoted(text, at);
      word = (word ?? '') + inside;
      at = end;
    } else if (letter === '#' && word === undefined) {
      while (at + 1 < text.length && text[at + 1] !== '\n') at += 1;
    } else if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + letter;
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** What a quote that opens at a place holds, and where it closes. */
function quoted(text: string, start: number): [inside: string, end: number] {
  const quote = text[start];
  let inside = '';
  for (let at = start + 1; at < text.length; ++at) {
    const letter = text[at] as string;
    if (letter === quote) return [inside, at];
    if (letter === '\\' && quote === '"') {
      const next = text[at + 1] ?? '';
      if (next !== '' && (next === '\n' || ESCAPED_IN_QUOTES.includes(next))) {
        inside += next === '\n' ? '' : next;
        at += 1;
        continue;
      }
    }
    inside += letter;
  }
  throw badArgument('line', { kind: 'closed-quotes' }, text.slice(start));
}
