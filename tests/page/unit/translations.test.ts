import { readFileSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';
import { describe, expect, test } from 'vitest';
import { toTraditional } from '../../../.setup/traditional.ts';

const app = fileURLToPath(new URL('../../../web/app/', import.meta.url));

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** The texts of an object literal in a source, by their paths: `readout.position`. */
function textsIn(source: string, literal: Node, path = ''): Map<string, string> {
  const texts = new Map<string, string>();
  for (const property of literal['properties'] as Node[]) {
    const key = property['key'] as Node & { name?: string; value?: string };
    const name = `${path}${key.name ?? key.value}`;
    let value = property['value'] as Node;
    while (value.type.startsWith('TS')) value = value['expression'] as Node;
    if (value.type === 'ObjectExpression') {
      for (const [inner, text] of textsIn(source, value, `${name}.`)) texts.set(inner, text);
    } else texts.set(name, source.slice(value.start, value.end));
  }
  return texts;
}

/** The texts that a module exports, by their paths. */
function textsOf(path: string): Map<string, string> {
  const source = readFileSync(app + path, 'utf8');
  const texts = new Map<string, string>();
  for (const statement of parseAst(source, { lang: 'ts' }).body as unknown as Node[]) {
    const declarations = (statement['declaration'] as Node | undefined)?.['declarations'] as Node[] | undefined;
    const { id, init } = (declarations?.[0] ?? {}) as { id?: { name: string }; init?: Node };
    let value = init;
    while (value?.type.startsWith('TS')) value = value['expression'] as Node;
    if (value?.type !== 'ObjectExpression') continue;
    for (const [name, text] of textsIn(source, value, `${id!.name}.`)) texts.set(name, text);
  }
  return texts;
}

const folders = (readdirSync(app, { recursive: true }) as string[])
  .filter((path) => path.endsWith('zh-hans.ts') && !path.startsWith('texts'))
  .map((path) => dirname(path));

/** Names that stand by themselves in Chinese. */
const NAMES =
  /^(RoPE|ALiBi|posenc|WebAssembly|SIMD|relaxed|Kerple|KERPLE|FIRE|DeBERTa|Shaw|Transformer|XL|XLNet|NTK|aware|YaRN|LongRoPE|Llama|PE|PI|Markdown|JSON)$/;

/** The words of a source's literals, without what is put into them. */
function wordsOf(text: string): string[] {
  const literals = [...text.matchAll(/(['"`])((?:\\.|(?!\1)[\s\S])*)\1/g)].map(([, , literal]) => literal!);
  return literals.flatMap((literal) => literal.replace(/\$\{[^}]*\}|<[^>]*>|&\w+;/g, ' ').match(/[A-Za-z]{2,}/g) ?? []);
}

describe.each(folders)('%s', (folder) => {
  const [english, chinese] = [textsOf(`${folder}/en.ts`), textsOf(`${folder}/zh-hans.ts`)];

  test('has the same keys in English and Chinese', () => {
    expect(english.size).toBeGreaterThan(0);
    expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
  });

  test('is Chinese in Chinese', () => {
    const untranslated = [...chinese].filter(
      ([, text]) => !/\p{Script=Han}/u.test(text) && wordsOf(text).some((word) => !NAMES.test(word)),
    );
    expect(untranslated).toEqual([]);
  });
});

describe('traditional Chinese', () => {
  test.each([
    ['第 0 行放大', '第 0 橫列放大'],
    ['位置编码热图，80 行 312 列', '位置編碼熱圖，80 橫列 312 直行'],
    ['引擎没有运行；进行到一半', '引擎沒有執行；進行到一半'],
    ['浏览器、数组、链接、剪贴板', '瀏覽器、陣列、連結、剪貼簿'],
    ['“变化”图：舍入误差', '「變化」圖：捨入誤差'],
    ['时钟指针', '時鐘指針'],
    ['余弦的周期，分数里只剩下键与查询', '餘弦的週期，分數裡只剩下鍵與查詢'],
    ['html`<b>${rows}</b> q, k = 0.5`', 'html`<b>${rows}</b> q, k = 0.5`'],
  ])('of %s is %s', (simplified, wanted) => {
    expect(toTraditional(simplified)).toBe(wanted);
  });
});
