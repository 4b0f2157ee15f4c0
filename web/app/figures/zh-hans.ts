import type { Translation } from '../texts/translation.js';
import type * as en from './en.js';

export const modelChoice: Translation<typeof en.modelChoice> = {
  model: '模型',
  own: '你的模型',
  headWidth: (dim) => `头宽 ${dim}`,
  partWidth: (part, dim) => `头宽 ${dim}，旋转 ${part}`,
  base: (base) => `底数 ${base}`,
  pairings: { half: '折半', interleaved: '相邻' },
};
