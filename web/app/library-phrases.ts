import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAst, type Plugin } from 'vite';
import { toTraditional } from '../../.setup/traditional.ts';

const module = 'virtual:library-phrases';

/** Serves the phrases of the library in traditional Chinese, which it does not have itself. */
export function libraryPhrases(): Plugin {
  return {
    name: 'posenc-library-phrases',
    resolveId: (id) => (id === module ? `\0${module}` : undefined),
    load: (id) => (id === `\0${module}` ? `export const phrases = ${JSON.stringify(phrases())};` : undefined),
  };
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly value?: unknown;
}
/** Calls back for every node of a module in TypeScript, an outer one before those in it. */
function visitNodes(source: string, visit: (node: Node) => void): void {
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) return value.forEach(walk);
    visit(value as Node);
    Object.values(value).forEach(walk);
  };
  walk(parseAst(source, { lang: 'ts' }));
}

const libraryFolder = fileURLToPath(new URL('../model', import.meta.url));

/**
 * What the library says in simplified Chinese, piece by piece between the values that it puts in, and the same in
 * traditional Chinese where that differs: longer pieces first, so that a search finds them before their parts.
 */
function phrases(): [simplified: string, traditional: string][] {
  const pieces = new Set<string>();
  for (const file of readdirSync(libraryFolder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    visitNodes(readFileSync(`${libraryFolder}/${file}`, 'utf8'), ({ type, value }) => {
      const text = type === 'TemplateElement' ? (value as { cooked: string }).cooked : value;
      if (
        (type === 'TemplateElement' || type === 'Literal') &&
        typeof text === 'string' &&
        /\p{Script=Han}/u.test(text)
      )
        pieces.add(text);
    });
  }
  return [...pieces]
    .map((piece): [string, string] => [piece, toTraditional(piece)])
    .filter(([simplified, traditional]) => simplified !== traditional)
    .sort(([a], [b]) => b.length - a.length);
}
