import { bilingual } from '../messages/bilingual.js';

// Title and first sentence are in index.html in every language. Markup in these strings is the page's own; it is set as
// HTML by the first script, before any library is there.
const number = (value: string): string => `<b>${value}</b>`;

export const heroText = bilingual(
  {
    documentTitle: 'posenc: how transformers know where a word is',
    waves: '64 waves: fast above, slow below',
    same: '1 = same',
    axis: 'position, tokens',
    handle: 'Position',
    caption: (position: string) =>
      `Drag it. The curve is how alike position ${number(position)} is to every other one: it slides, it never changes shape.`,
    checking: '3 apart: checking here and a million tokens on',
    badge: (here: string, there: string) => `3 apart: ${here} here, ${there} a million tokens on`,
    residual: (comparison: string) => `difference ${comparison}`,
    refused: '3 apart: not computed',
  },
  {
    documentTitle: 'posenc：Transformer 怎样知道词的位置',
    waves: '64 条波：上快下慢',
    same: '1 = 相同',
    axis: '位置（词元）',
    handle: '位置',
    caption: (position) => `拖动试试。曲线是位置 ${number(position)} 与其他每个位置的相似度：它只会平移，从不变形。`,
    checking: '相距 3：正在比较此处与一百万之后',
    badge: (here, there) => `相距 3：此处 ${here}，一百万之后 ${there}`,
    residual: (comparison) => `相差 ${comparison}`,
    refused: '相距 3：未计算',
  },
);
