import { html } from 'lit';
import { distance, key, query } from '../../texts/roles.js';
import type { Translation } from '../../texts/translation.js';
import type * as en from './en.js';

export const terms: Translation<typeof en.terms> = {
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
    设 M 为一个分数中所有乘积大小之和的最大值，即 Σ (|x| + |p|) |W| · |W|ᵀ (|x| + |p|)，由这里的数值直接算出。分数一侧对
    x + p、查询与键各舍入一次，每次为自身的 2⁻²⁴：4 · 2⁻²⁴ · M；用 float32 累加 d 个乘积：d · 2⁻²⁴ · M。四项用 float64
    求和，各舍入一次：2⁻²⁴ · M。合计 (d + 5) · 2⁻²⁴ · M。
  </p>`,
  lookFor:
    '“位置 · 位置”沿对角线成条纹，直到中间放进随机矩阵。“位置 · 内容”沿列跟着键的词走，“内容 · 位置”沿行跟着查询的词走。',
  stopsWhen:
    '少了一项时。有些模型是故意的：给位置另设矩阵，或去掉交叉项。交叉项算不算噪声是看法；总和离不开它们，则是算术。',
  tableHeads: ['查询 m', '键 n', '内容 · 内容', '位置 · 内容', '内容 · 位置', '位置 · 位置', '总和', '分数', 'RoPE'],
};
