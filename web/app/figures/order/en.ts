import { html, type TemplateResult } from 'lit';
import type { OrderPositions } from './task.js';

const chinese = (words: string): TemplateResult => html`<span lang="zh-Hans">${words}</span>`;

export const order = {
  name: 'Order is invisible to attention',
  title: html`Shuffle the words, and attention shuffles its answers. It does nothing else.`,
  prose: html`<p>
      ${chinese('我 爱 你')} (I love you) and ${chinese('你 爱 我')} (you love me) are the same words. Attention
      compares every word with every word and averages; nothing in that says who stood first. Drag the words: the matrix
      of weights is the old one with its rows and columns moved, and the mean of the outputs does not move at all.
    </p>
    <p>
      ${chinese('他 欠 我 100万')} or ${chinese('我 欠 他 100万')}: without positions a model cannot tell who owes whom.
    </p>`,
  margin: {
    scores: 'scores differ by',
    weights: 'weights',
    outputs: 'outputs',
    pooled: 'mean of the outputs',
  },
  firstOrder: 'First order',
  newOrder: 'New order',
  change: 'Change, put back',
  drag: 'New order: drag a word, or move it with the arrow keys',
  firstMap: 'Attention weights of the first order',
  newMap: 'Attention weights of the new order',
  changeMap: 'Weights of the new order minus those of the first, both in the new order',
  pooledMap: 'Mean of the outputs of the first order, of the new order, and their difference, channel by channel',
  pooledTitle: 'mean of the outputs',
  pooledRows: ['first', 'new', 'change'],
  weights: 'weights, 0 to 1',
  weightChange: 'change',
  queryAxis: '↓ query',
  keyAxis: 'key →',
  channelAxis: 'channel →',
  sentence: {
    label: 'Your own words, parted by / or spaces',
    refuse: (most: number, got: number) => `The sentence must have 2 to ${most} words; got ${got}.`,
  },
  example: 'Words',
  own: 'own',
  positions: 'Position encoding',
  encodings: {
    none: 'none',
    index: 'the index, added',
    sinusoidal: 'sinusoids, added',
    learned: 'a learned table, added',
    rope: 'RoPE',
    alibi: 'ALiBi',
  } satisfies Record<OrderPositions, string>,
  mask: { label: 'Mask', none: 'none', causal: 'causal' },
  readout: {
    query: 'query',
    key: 'key',
    weight: 'weight',
    before: 'in the first order',
    change: 'change',
    mean: (channel: string) => `mean of channel ${channel}`,
  },
  claim: 'The outputs are the old ones in the new order, and their mean is the same.',
  encodingFails: (name: string) => `With ${name} attention sees the order: the mean of the outputs changes.`,
  mirrored: 'ALiBi lowers a score by the distance alone, which is the same read backwards. Swap two neighbours.',
  maskFails: 'A causal mask shows every word only those before it, so the order counts.',
  bothFail: (name: string) => `The causal mask and ${name} both show the order.`,
  encodingNames: {
    none: '',
    index: 'the index added',
    sinusoidal: 'sinusoids added',
    learned: 'a learned table added',
    rope: 'RoPE',
    alibi: 'ALiBi',
  } satisfies Record<OrderPositions, string>,
  fails: 'The outputs differ by more than sums in another order explain.',
  sameOrder: 'Both orders are the same; drag a word.',
  sameWords: 'The new order reads like the first; only equal words have changed places.',
  computing: 'Attending in both orders.',
  derivation: html`<p>
    In real numbers both differences are exactly 0. Here every score and every exponential is the same float in both
    orders, for it depends on one query and one key only. The sums over n keys run in another order. A sum of n positive
    floats is within (n − 1) · 2⁻²⁴ of itself, the weighted sum within n · 2⁻²⁴ of the largest value |v|, and their
    quotient adds 2 · 2⁻²⁴. Two orders: 2 · (2n + 1) · 2⁻²⁴ · the larger of 1 and |v|.
  </p>`,
  lookFor:
    'The third map stays the colour of paper, and so does the third row below. Switch on a position encoding, or the causal mask, and both light up. Only ALiBi’s −m |i − j| reads the same backwards: it needs another order.',
  stopsWhen:
    '…anything ties a word to its place: an encoding added to the word, a rotation, a bias on the score, or a mask that hides what comes later. A decoder with a causal mask sees the order even without positions.',
  tableHeads: ['query', 'key', 'weight, first order', 'weight, new order', 'change'],
  tableMean: 'mean of the outputs',
  tableChannel: (channel: string) => `channel ${channel}`,
} as const;
