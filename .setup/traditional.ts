import { readFileSync } from 'node:fs';
import { CustomConverter, Converter } from 'opencc-js/cn2t';
import type { Plugin } from 'vite';

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

const SIMPLIFIED = '/zh-hans.';
const TRADITIONAL = '/zh-hant.';

/**
 * Makes every `zh-hant.ts` that a module imports from the `zh-hans.ts` in the same folder: its source, converted as a
 * whole. What that imports from another `zh-hans.ts` is converted too. The type checker reads `zh-hant.d.ts`.
 */
export function traditionalChinese(): Plugin {
  return {
    name: 'posenc-traditional-chinese',
    enforce: 'pre',
    async resolveId(source, importer) {
      const within = importer?.includes(TRADITIONAL) && source.includes(SIMPLIFIED);
      if (!within && !source.includes(TRADITIONAL)) return undefined;
      const simplified = await this.resolve(source.replace(TRADITIONAL, SIMPLIFIED), importer, { skipSelf: true });
      return simplified?.id.replace(SIMPLIFIED, TRADITIONAL);
    },
    load(id) {
      if (!id.includes(TRADITIONAL)) return undefined;
      const path = id.replace(TRADITIONAL, SIMPLIFIED);
      this.addWatchFile(path);
      return toTraditional(readFileSync(path, 'utf8'));
    },
    transformIndexHtml: {
      order: 'pre',
      // A converted copy comes after every span in simplified Chinese.
      handler: (html) =>
        html.replace(/<span lang="zh-Hans"\s*>([\s\S]*?)<\/span\s*>/g, (simplified, text: string) => {
          return `${simplified}<span lang="zh-Hant">${toTraditional(text)}</span>`;
        }),
    },
  };
}
