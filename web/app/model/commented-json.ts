/** A text that an object begins, and what follows the object. */
export interface LeadingObject {
  /** The object without its comments. */
  readonly json: string;
  readonly rest: string;
  /** Whether there were comments, in it or before it, which JSON does not have. */
  readonly hasComments: boolean;
}

/** The object that a text begins with, after white space and comments; undefined for any other text. Takes linear time. */
export function leadingObject(text: string): LeadingObject | undefined {
  const start = afterComments(text);
  if (text[start] !== '{') return undefined;
  const kept: string[] = [];
  let from = start;
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const next = nextMark(text, at);
    const mark = text[next];
    const end = mark === '"' ? endOfString(text, next) : endOfComment(text, next);
    at = end ?? next + 1;
    if (mark === '{') depth++;
    else if (mark === '}' && --depth === 0) break;
    else if (mark !== '"' && end !== undefined) {
      kept.push(text.slice(from, next));
      from = end;
    }
  }
  const hasComments = kept.length > 0 || /\S/.test(text.slice(0, start));
  const json = kept.join('') + text.slice(from, at);
  return { json: json.trimEnd(), rest: text.slice(at).trim(), hasComments };
}

/** Where a text begins that may have white space and comments before it. */
export function afterComments(text: string): number {
  let at = 0;
  for (;;) {
    at = search(text, /\S/g, at);
    const end = endOfComment(text, at);
    if (end === undefined) return at;
    at = end;
  }
}

/** Where the next string, comment or brace may begin. */
function nextMark(text: string, from: number): number {
  return search(text, /["/#{}]/g, from);
}

function endOfComment(text: string, at: number): number | undefined {
  if (text[at] === '#' || text.startsWith('//', at)) return search(text, /[\n\r\u2028\u2029]/g, at);
  if (!text.startsWith('/*', at)) return undefined;
  const end = text.indexOf('*/', at + 2);
  return end < 0 ? undefined : end + 2;
}

function endOfString(text: string, at: number): number {
  const mark = /["\\]/g;
  for (let end = at + 1; ; end += 2) {
    end = search(text, mark, end);
    if (text[end] !== '\\') return Math.min(text.length, end + 1);
  }
}

/** Where a pattern without repetition first matches; the end of the text where it does not. */
function search(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}
