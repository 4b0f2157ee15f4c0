import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CustomConverter, Converter } from 'opencc-js/cn2t';
import { parseAst } from 'vite';

/**
 * What the general conversion gets wrong or says as nobody in Taiwan does, as it leaves it and as it should be. Found by
 * reading all converted texts of the page.
 */
const reviewed: readonly (readonly [string, string])[] = [
  ['“', '「'],
  ['”', '」'],
  ['‘', '『'],
  ['’', '』'],
  ['采用', '採用'],
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
  ['一列', '一欄'],
  ['函式', '函數'],
  ['遠端', '遠距'],
  ['噪聲', '雜訊'],
  ['貼上配置', '貼上設定'],
];

/** A row is 行 and a column 列 on the mainland, and the other way round in Taiwan; 橫列 and 直行 cannot be mistaken. */
const rowOrColumn = /(?<![執運平進並可流銀]|這一)行(?![為程便])|(?<![序系排陣下羅數並佇])列(?![出表為舉波])/g;

const general = Converter({ from: 'cn', to: 'twp' });
const own = CustomConverter(reviewed.map(([from, to]) => [from, to]));

/** Simplified Chinese as it is written in Taiwan. Everything but Han characters and quotation marks stays as it is. */
export function toTraditional(text: string): string {
  return own(general(text)).replace(rowOrColumn, (word) => (word === '行' ? '橫列' : '直行'));
}

export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly value?: unknown;
}
/** Calls back for every node of a module in TypeScript, an outer one before those in it. */
export function visitNodes(source: string, visit: (node: Node) => void): void {
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
