import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import type { Language } from './preferences.ts';
import { type Node, libraryPhrases, toTraditional, visitNodes } from './traditional.ts';

interface Call extends Node {
  readonly callee: Node & { readonly name?: string };
  readonly arguments: readonly Node[];
}

/** The calls of `bilingual` in a module. */
export function bilingualCalls(source: string): Call[] {
  const calls: Call[] = [];
  if (!/= bilingual[(<]/.test(source)) return calls;
  visitNodes(source, (node) => {
    if (node.type === 'CallExpression' && (node as Call).callee.name === 'bilingual') calls.push(node as Call);
  });
  return calls;
}

const app = fileURLToPath(new URL('.', import.meta.url));
const TEXTS = 'virtual:texts/';
const SUFFIX = '?texts=';
/** The key of the library's sentences among the texts in traditional Chinese. */
const LIBRARY = 'library';

/** Where texts are: in the modules that name them, or in a part of the page for each language, fetched when wanted. */
export type TextPlace = 'in place' | 'fetched';

/**
 * The page's texts, which are written as `bilingual(en, zhHans)`, in three languages: traditional Chinese is converted from
 * simplified. In place, the call gets them as its third argument. Fetched, it is left with a key, and `virtual:texts/en`
 * has the texts of one language with their keys; those in traditional Chinese have the phrases of the library as well. In
 * HTML a converted copy comes after every span in simplified Chinese.
 */
export function pageTexts(place: TextPlace): Plugin {
  return {
    name: 'posenc-page-texts',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith(TEXTS) ? `\0${id}` : undefined),
    load(id) {
      return id.startsWith(`\0${TEXTS}`) ? textsOf(id.slice(TEXTS.length + 1) as Language) : undefined;
    },
    transformIndexHtml: {
      order: 'pre',
      handler: (html) =>
        html.replace(/<span lang="zh-Hans"\s*>([\s\S]*?)<\/span\s*>/g, (simplified, text: string) => {
          return `${simplified}<span lang="zh-Hant">${toTraditional(text)}</span>`;
        }),
    },
    transform(code, id) {
      const [path, suffix] = id.split('?');
      if (!path!.endsWith('.ts') || !path!.startsWith(app)) return undefined;
      if (suffix !== undefined && `?${suffix}`.startsWith(SUFFIX)) {
        return textModule(code, path!, `?${suffix}`.slice(SUFFIX.length) as Language);
      }
      // From the last call to the first, so that the places of the others stay right.
      return bilingualCalls(code).reduceRight((text, call, k, { length }) => {
        const [en, zhHans] = [call.arguments[0]!, call.arguments[1]!];
        return place === 'in place'
          ? `${text.slice(0, zhHans.end)}, ${textIn(code, call, 'zh-Hant')}${text.slice(zhHans.end)}`
          : `${text.slice(0, en.start)}${keyOf(path!, k, length)}${text.slice(zhHans.end)}`;
      }, code);
    },
  };
}

/** Lets the browser fetch the texts of the page's language along with its code, not after it. */
export function preloadTexts(): Plugin {
  return {
    name: 'posenc-preload-texts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const files = Object.values(bundle).flatMap((file) => {
          const module = file.type === 'chunk' ? (file.facadeModuleId ?? '') : '';
          return module.startsWith(`\0${TEXTS}`) ? [[module.slice(TEXTS.length + 1), `./${file.fileName}`]] : [];
        });
        if (files.length === 0) return html;
        const link = `{ rel: 'modulepreload', href: ${JSON.stringify(Object.fromEntries(files))}[document.documentElement.lang] }`;
        const script = `document.head.append(Object.assign(document.createElement('link'), ${link}))`;
        return html.replace('</head>', () => `  <script>${script}</script>\n  </head>`);
      },
    },
  };
}

/** A module with the texts of all modules in one language. */
function textsOf(language: Language): string {
  const files = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const modules = files
    .map((file) => app + file)
    .filter((path) => bilingualCalls(readFileSync(path, 'utf8')).length > 0);
  const library = language === 'zh-Hant' ? [`[${JSON.stringify(LIBRARY)}, ${JSON.stringify(libraryPhrases())}]`] : [];
  return [
    ...modules.map((path, k) => `import { texts as t${k} } from ${JSON.stringify(path + SUFFIX + language)};`),
    `export const texts = [${[...modules.map((_, k) => `...t${k}`), ...library].join(', ')}];`,
  ].join('\n');
}

/**
 * A module that exports its texts in one language with their keys. What stands around them is there for what they call.
 * One that calls nothing is the texts of another, and is converted as a whole.
 */
function textModule(code: string, path: string, language: Language): string {
  const calls = bilingualCalls(code);
  if (calls.length === 0) return language === 'zh-Hant' ? toTraditional(code) : code;
  const pairs = calls.map((call, k) => `[${keyOf(path, k, calls.length)}, ${textIn(code, call, language)}]`);
  let rest = calls.reduceRight((text, { start, end }) => `${text.slice(0, start)}undefined${text.slice(end)}`, code);
  for (const [, zhHans] of calls.map((call) => call.arguments)) {
    if (zhHans!.type !== 'Identifier') continue;
    const imported = new RegExp(`(import \\{ ${code.slice(zhHans!.start, zhHans!.end)} \\} from '[^']*)'`);
    rest = rest.replace(imported, `$1${SUFFIX}${language}'`);
  }
  return `${rest}\nexport const texts = [${pairs.join(', ')}];`;
}

/** The source of a call's texts in one language: an object, or the name of one that is converted in its own module. */
function textIn(code: string, { arguments: [en, zhHans] }: Call, language: Language): string {
  const { start, end, type } = (language === 'en' ? en : zhHans)!;
  const text = code.slice(start, end);
  return language === 'zh-Hant' && type !== 'Identifier' ? toTraditional(text) : text;
}

/** The key of a module's k-th texts: its path, and k where it has several. */
function keyOf(path: string, k: number, count: number): string {
  return JSON.stringify(path.slice(app.length, -'.ts'.length) + (count > 1 ? ` ${k}` : ''));
}
