import { number } from './words.js';

export const hero = {
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
} as const;
