import type { Translation } from '../texts/translation.js';
import { number } from './words.js';
import type * as en from './en.js';

export const hero: Translation<typeof en.hero> = {
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
};
