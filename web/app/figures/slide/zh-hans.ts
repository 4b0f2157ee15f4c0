import { html } from 'lit';
import { distance, key, query } from '../../texts/roles.js';
import type { Translation } from '../../texts/translation.js';
import type * as en from './en.js';

export const slide: Translation<typeof en.slide> = {
  name: '同时平移，分数不变',
  title: html`整句话后移<wbr />一百万个词元：<wbr />旋转的分数不动，<wbr />相加的分数会变。`,
  prose: (pairs, name, headDim, base) =>
    html`<p>
      两边用同样的词元、同样的 ${pairs}&nbsp;个频率（<span class="nb">${name}</span>：头宽 ${headDim}，底数
      <span class="nb">${base}</span>）。RoPE 把${query('查询 m')}和${key('键 n')}各自按位置旋转，分数里只剩下
      ${distance()}；相加则留下交叉项，它们知道句子站在哪里。
    </p>`,
  margin: { now: '旋转，现在', before: '平移 0 时', difference: '相差' },
  tokens: '小 猫 看见 小 狗 ， 然后 小 狗 看见 小 猫'.split(' '),
  rotated: '旋转（RoPE）',
  added: '相加（正弦）',
  largestChange: (change) => `最大变化 ${change}`,
  rotatedMap: '旋转后每个查询与每个键的分数，及其与平移 0 之差',
  addedMap: '相加后每个查询与每个键的分数，及其与平移 0 之差',
  scores: '分数，−1 到 +1',
  change: '与平移 0 之差',
  queryAxis: '↓ 查询 m',
  keyAxis: '键 n →',
  curve: '所有分数中最大的变化随平移量的变化，两轴均为对数',
  curveTitle: '所有分数中最大的变化',
  rotatedLine: '旋转',
  addedLine: '相加',
  tolerance: '容差 2⁻²⁰',
  shift: { label: '同时平移（词元）', keysOnly: '只平移键（词元）', field: '平移量' },
  break: '弄坏它',
  modes: {
    intact: '完好',
    keys: '只移动键',
    mixed: '键用另一种配对',
    fp16: 'fp16 位置',
    bf16: 'bf16 位置',
    base: '缓存的键用另一个底数',
  },
  notes: {
    intact: '两边同样平移、同样旋转、同样舍入。',
    keys: '只有一边有偏移，好比缓存重新计数。',
    mixed: '一种约定的权重遇上另一种约定的代码，只在一边。',
    fp16: '位置先舍入成 float16。',
    bf16: '位置先舍入成 bfloat16。',
    base: '键是在底数为八分之一时旋转的，动态缩放便会如此。',
  },
  readout: { rotated: '旋转', added: '相加', atZero: (value) => `（平移 0 时：${value}）` },
  claim: '旋转后的分数只取决于 n\u00a0−\u00a0m。',
  why: {
    intact: '有旋转后的分数变化超出了舍入误差。',
    keys: '只有键移动了，n − m 变了。',
    mixed: '键与查询各让不同的通道一起转，角度便不能相减。',
    fp16: 'float16 在这里分不清相邻的位置。',
    bf16: 'bfloat16 在这里分不清相邻的位置。',
    base: '键与查询的转速不同，角度相减得不到 n − m。',
  },
  overflows: 'float16 到 65 504 为止：更远的位置成了无穷大，分数也就没有了。',
  computing: '正在旋转与相加。',
  derivation: html`<p>
    用 float32 旋转一对 (a, b)，每个分量的误差不超过 2⁻²³ (|a| + |b|)，所以长度为 1 的向量旋转后误差不超过
    2⁻²²。一个分数含两个这样的向量，变化又是两个分数之差：4 · 2⁻²² = 2⁻²⁰。乘积用 float64 求和，不再带来可计的误差。
  </p>`,
  lookFor: '左边的“变化”图始终是纸的颜色。下方两条曲线相差约七个数量级。',
  stopsWhen: '数字位数不够时：bfloat16 存不下 256 以上的所有整数，相邻词元会挤到同一个位置，徽章随之变红。',
  tableHeads: ['查询 m', '键 n', '旋转，平移 0', '旋转，现在', '相加，平移 0', '相加，现在'],
};
