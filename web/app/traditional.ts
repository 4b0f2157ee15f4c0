import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CustomConverter, Converter } from 'opencc-js/cn2t';
import { type Plugin, parseAst } from 'vite';

/**
 * What the general conversion gets wrong or says as nobody in Taiwan does, as it leaves it and as it should be. Found by
 * reading all converted texts of the page.
 */
const reviewed: readonly (readonly [string, string])[] = [
  ['“', '「'],
  ['”', '」'],
  ['‘', '『'],
  ['’', '』'],
  ['數里', '數裡'],
  ['通道里', '通道裡'],
  ['文本里', '文本裡'],
  ['控制元件', '控制項'],
  ['引數', '參數'],
  ['掩碼', '遮罩'],
  ['指標', '指針'],
  ['舍入', '捨入'],
  ['畫素', '像素'],
  ['這臺', '這台'],
  ['MIT 許可', 'MIT 授權'],
  ['一行波', '一列波'],
  ['擴充套件', '擴展'],
];

/** A row is 行 and a column 列 on the mainland, and the other way round in Taiwan; 橫列 and 直行 cannot be mistaken. */
const rowOrColumn = /(?<![執運平進並可流銀]|這一)行(?![為程])|(?<![序系排陣下羅數並佇])列(?![出表為舉波])/g;

const phraseModule = 'virtual:traditional';

const general = Converter({ from: 'cn', to: 'twp' });
const own = CustomConverter(reviewed.map(([from, to]) => [from, to]));

/** Simplified Chinese as it is written in Taiwan. Everything but Han characters and quotation marks stays as it is. */
export function toTraditional(text: string): string {
  return own(general(text)).replace(rowOrColumn, (word) => (word === '行' ? '橫列' : '直行'));
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly value?: unknown;
}
interface Call extends Node {
  readonly callee: Node & { readonly name?: string };
  readonly arguments: readonly Node[];
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

/** The calls of `bilingual` in a module. */
export function bilingualCalls(source: string): Call[] {
  const calls: Call[] = [];
  visitNodes(source, (node) => {
    if (node.type === 'CallExpression' && (node as Call).callee.name === 'bilingual') calls.push(node as Call);
  });
  return calls;
}

const libraryFolder = fileURLToPath(new URL('../lib/model', import.meta.url));

/**
 * What the library says in simplified Chinese, piece by piece between the values that it puts in, and the same in
 * traditional Chinese where that differs: longer pieces first, so that a search finds them before their parts.
 */
export function libraryPhrases(): [simplified: string, traditional: string][] {
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

const app = fileURLToPath(new URL('.', import.meta.url));
const textsModule = 'virtual:traditional-texts';
const SUFFIX = '?traditional';

/** The modules of the page whose texts the build converts. */
function textModules(): string[] {
  const files = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  return files.map((file) => app + file).filter((path) => callsToConvert(readFileSync(path, 'utf8')).length > 0);
}

/** The calls of `bilingual` that are not given the traditional texts by hand. */
function callsToConvert(source: string): Call[] {
  if (!/= bilingual[(<]/.test(source)) return [];
  return bilingualCalls(source).filter(({ arguments: given }) => given.length === 2);
}

/** Where the converted texts go: into the modules themselves, or into a part of the page that is fetched when wanted. */
export type TraditionalTexts = 'in place' | 'fetched';

/**
 * Traditional Chinese from simplified, when the page is built: `bilingual(en, {…})` gets the converted texts as its third
 * argument, or the key under which `virtual:traditional-texts` has them; `?traditional` after a module's name stands for
 * the converted module; `virtual:traditional` has the phrases of the library; and in HTML a converted copy comes after
 * every span in simplified Chinese.
 */
export function traditionalChinese(texts: TraditionalTexts): Plugin {
  return {
    name: 'posenc-traditional-chinese',
    enforce: 'pre',
    resolveId: (id) => ([phraseModule, textsModule].includes(id) ? `\0${id}` : undefined),
    load(id) {
      if (id === `\0${phraseModule}`) return `export const phrases = ${JSON.stringify(libraryPhrases())};`;
      if (id !== `\0${textsModule}`) return undefined;
      const modules = textModules();
      return [
        ...modules.map((path, k) => `import { traditional as t${k} } from ${JSON.stringify(path + SUFFIX)};`),
        `export const texts = [${modules.map((_, k) => `...t${k}`).join(', ')}];`,
      ].join('\n');
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
      const calls = callsToConvert(code);
      if (suffix !== undefined && `?${suffix}` === SUFFIX) {
        if (calls.length === 0) return toTraditional(code);
        const pairs = calls.map((call, k) => `[${key(path!, k)}, ${convertedTexts(code, call)}]`);
        // What stands around the texts is there for what they call; the other languages are not.
        const rest = calls.reduceRight(
          (text, { start, end }) => `${text.slice(0, start)}undefined${text.slice(end)}`,
          code,
        );
        return `${rest}\nexport const traditional = [${pairs.join(', ')}];`;
      }
      // From the last call to the first, so that the places of the others stay right.
      return calls.reduceRight((text, call, k) => {
        const { end } = call.arguments[1]!;
        const third = texts === 'in place' ? convertedTexts(code, call) : key(path!, k);
        return `${text.slice(0, end)}, ${third}${text.slice(end)}`;
      }, code);
    },
  };
}

/** The key of a module's k-th texts. */
function key(path: string, k: number): string {
  return JSON.stringify(`${path.slice(app.length)} ${k}`);
}

function convertedTexts(code: string, { arguments: [, simplified] }: Call): string {
  if (simplified?.type !== 'ObjectExpression') throw new Error('texts in Chinese were expected in place');
  return toTraditional(code.slice(simplified.start, simplified.end));
}
