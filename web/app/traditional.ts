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
  ['掩碼', '遮罩'],
  ['舍入', '捨入'],
  ['畫素', '像素'],
  ['這臺', '這台'],
  ['MIT 許可', 'MIT 授權'],
  ['一行波', '一列波'],
];

/** A row is 行 and a column 列 on the mainland, and the other way round in Taiwan; 橫列 and 直行 cannot be mistaken. */
const rowOrColumn = /(?<![執運平進並可流銀]|這一)行(?![為程])|(?<![序系排陣下羅數並佇])列(?![出表為舉波])/g;

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
}
interface Call extends Node {
  readonly callee: Node & { readonly name?: string };
  readonly arguments: readonly Node[];
}

/** The calls of `bilingual` in a module. */
export function bilingualCalls(source: string): Call[] {
  const calls: Call[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) return value.forEach(visit);
    const node = value as Node;
    if (node.type === 'CallExpression' && (node as Call).callee.name === 'bilingual') calls.push(node as Call);
    Object.values(value).forEach(visit);
  };
  visit(parseAst(source, { lang: 'ts' }));
  return calls;
}

/**
 * Traditional Chinese from simplified, when the page is built: `bilingual(en, {…})` gets the converted texts as its third
 * argument, and `?traditional` after a module's name stands for the converted module.
 */
export function traditionalChinese(): Plugin {
  return {
    name: 'posenc-traditional-chinese',
    enforce: 'pre',
    transform(code, id) {
      if (id.endsWith('?traditional')) return toTraditional(code);
      if (!id.endsWith('.ts') || !code.includes('bilingual(')) return undefined;
      // From the last call to the first, so that the places of the others stay right.
      return bilingualCalls(code).reduceRight((text, call) => {
        const [, simplified] = call.arguments;
        if (call.arguments.length !== 2 || simplified?.type !== 'ObjectExpression') return text;
        const { start, end } = simplified;
        return `${text.slice(0, end)}, ${toTraditional(text.slice(start, end))}${text.slice(end)}`;
      }, code);
    },
  };
}
