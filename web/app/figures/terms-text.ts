import { html } from 'lit';
import { bilingual } from '../messages/bilingual.js';
import { distance, key, query } from '../messages/roles.js';
import type { Term, TermsProjections } from './terms-task.js';

/** Which terms are added up, as the reader chooses. */
export type TermsIncluded = 'all' | 'outer' | 'content' | 'position';

export const termsText = bilingual(
  {
    name: 'Four terms',
    title: html`Add positions, and a score becomes four terms. Rotate, and it stays one.`,
    prose: html`<p>
      A token with its position added is x + p. Multiply ${query('query m')} with ${key('key n')} and the brackets open:
      content with content, the query’s position with the key’s content, the query’s content with the key’s position,
      position with position. Without matrices the last term depends on ${distance()} alone. With the matrices a model
      learns it does not. RoPE adds nothing: content and position meet in a single product, and what it knows of
      positions is ${distance()}.
    </p>`,
    terms: {
      contentContent: 'Content · content',
      positionContent: 'Position · content',
      contentPosition: 'Content · position',
      positionPosition: 'Position · position',
    } satisfies Record<Term, string>,
    sum: 'Sum',
    rotated: 'RoPE’s one term',
    map: (name: string) => `Of every query with every key: ${name}`,
    unit: 'products',
    tokens: 'the cat saw the dog and then the dog saw the cat'.split(' '),
    queryAxis: '↓ query m',
    keyAxis: 'key n →',
    margin: {
      sum: 'sum of the terms',
      score: 'score of x + p',
      difference: 'difference',
      spread: 'p · p at one n − m',
    },
    projections: 'Between them',
    projectionNames: { identity: 'no matrices', random: 'random matrices' } satisfies Record<TermsProjections, string>,
    included: 'Add up',
    includedNames: {
      all: 'all four',
      outer: 'without cross terms',
      content: 'content only',
      position: 'positions only',
    } satisfies Record<TermsIncluded, string>,
    sentence: {
      label: 'Words, parted by / or spaces',
      refuse: (most: number, got: number) => `The sentence must have 2 to ${most} words; got ${got}.`,
    },
    readout: { sum: 'sum', score: 'score', rotated: 'RoPE' },
    claim: 'The four terms add up to the score of the added tokens.',
    leftOut: (missing: string) => `Terms were left out: up to ${missing} of a score is missing.`,
    fails: 'The sum is off by more than rounding explains.',
    computing: 'Opening the brackets.',
    derivation: html`<p>
      Let M be the largest sum of the sizes of all products in a score, Σ (|x| + |p|) |W| · |W|ᵀ (|x| + |p|), here taken
      from the numbers themselves. The score rounds x + p, query and key, each by 2⁻²⁴ of its size: 4 · 2⁻²⁴ · M. It
      adds d products in float32: d · 2⁻²⁴ · M. The four terms are summed in float64 and rounded once: 2⁻²⁴ · M.
      Together (d + 5) · 2⁻²⁴ · M.
    </p>`,
    lookFor:
      'Position · position is striped along its diagonals, until random matrices stand between. Position · content follows the key’s word down its column, content · position the query’s word along its row.',
    stopsWhen:
      '…a term is left out. Some models do so on purpose: they give positions matrices of their own or drop the cross terms. Whether those are noise is an opinion; that the sum needs them is arithmetic.',
    tableHeads: [
      'query m',
      'key n',
      'content · content',
      'position · content',
      'content · position',
      'position · position',
      'sum',
      'score',
      'RoPE',
    ],
  },
  {
    name: '四项分解',
    title: html`加上位置，<wbr />一个分数变成四项；<wbr />旋转，<wbr />仍是一项。`,
    prose: html`<p>
      加上位置的词元是 x + p。${query('查询 m')}与${key('键 n')}
      相乘，括号展开成四项：内容乘内容，查询的位置乘键的内容，查询的内容乘键的位置，位置乘位置。中间没有矩阵时，最后一项只取决于
      ${distance()}；放进模型学到的矩阵，就不再如此。RoPE 什么也不加：内容与位置在同一个乘积里相遇，它对位置所知的只有
      ${distance()}。
    </p>`,
    terms: {
      contentContent: '内容 · 内容',
      positionContent: '位置 · 内容',
      contentPosition: '内容 · 位置',
      positionPosition: '位置 · 位置',
    },
    sum: '总和',
    rotated: 'RoPE 的一项',
    map: (name) => `每个查询与每个键：${name}`,
    unit: '乘积',
    tokens: '小 猫 看见 小 狗 ， 然后 小 狗 看见 小 猫'.split(' '),
    queryAxis: '↓ 查询 m',
    keyAxis: '键 n →',
    margin: { sum: '各项之和', score: 'x + p 的分数', difference: '相差', spread: '同一 n − m 的 p · p' },
    projections: '两者之间',
    projectionNames: { identity: '没有矩阵', random: '随机矩阵' },
    included: '相加',
    includedNames: { all: '全部四项', outer: '去掉交叉项', content: '只有内容', position: '只有位置' },
    sentence: {
      label: '词，用 / 或空格隔开',
      refuse: (most, got) => `句子须有 2 到 ${most} 个词，收到的是 ${got} 个。`,
    },
    readout: { sum: '总和', score: '分数', rotated: 'RoPE' },
    claim: '四项之和就是相加之后的分数。',
    leftOut: (missing) => `少了几项：分数最多差 ${missing}。`,
    fails: '总和之差超出了舍入误差。',
    computing: '正在展开括号。',
    derivation: html`<p>
      设 M 为一个分数中所有乘积大小之和的最大值，即 Σ (|x| + |p|) |W| · |W|ᵀ (|x| +
      |p|)，由这里的数值直接算出。分数一侧对 x + p、查询与键各舍入一次，每次为自身的 2⁻²⁴：4 · 2⁻²⁴ · M；用 float32 累加
      d 个乘积：d · 2⁻²⁴ · M。四项用 float64 求和，各舍入一次：2⁻²⁴ · M。合计 (d + 5) · 2⁻²⁴ · M。
    </p>`,
    lookFor:
      '“位置 · 位置”沿对角线成条纹，直到中间放进随机矩阵。“位置 · 内容”沿列跟着键的词走，“内容 · 位置”沿行跟着查询的词走。',
    stopsWhen:
      '少了一项时。有些模型是故意的：给位置另设矩阵，或去掉交叉项。交叉项算不算噪声是看法；总和离不开它们，则是算术。',
    tableHeads: ['查询 m', '键 n', '内容 · 内容', '位置 · 内容', '内容 · 位置', '位置 · 位置', '总和', '分数', 'RoPE'],
  },
);
