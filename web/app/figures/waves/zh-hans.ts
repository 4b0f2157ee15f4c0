import { html } from 'lit';
import type { Translation } from '../../texts/translation.js';
import type * as en from './en.js';

export const waves: Translation<typeof en.waves> = {
  name: '由正弦波组成的表',
  title: html`每个位置都是一行波：<wbr />左边快，<wbr />右边慢。`,
  prose: (sentence, _gloss, rows, dim, slowest) =>
    html`<p>
      把“${sentence.replaceAll(' / ', '／')}”补齐到 ${rows}&nbsp;行，每行放
      ${dim}&nbsp;个数：正弦与余弦，频率从每个词元（token）1&nbsp;弧度一路降到约
      1/${slowest}&nbsp;弧度。第&nbsp;0&nbsp;行永远是 0、1、0、1……；越往下走，每一列都在变，只是最右边变得极慢。
    </p>`,
  steps: '一对分量的频率，逐步改写',
  difference: '最大相差',
  atPair: (pair) => `i = ${pair}`,
  map: (rows, columns) => `位置编码热图，${rows} 行 ${columns} 列`,
  positionAxis: '↓ 位置',
  dimensionAxis: '维度 →',
  wavelengthAxis: '波长（词元）',
  enlarged: (last) => (last > 0 ? `第 0–${last} 行放大` : '第 0 行放大'),
  lines: '选定的列随位置的变化',
  linesTitle: '数值',
  linesAxis: '位置 →',
  readout: { position: '位置', dimension: '维度', pair: (pair) => `第 ${pair} 对`, wavelength: '波长' },
  width: { label: '宽度 d', field: '宽度' },
  base: { label: '底数 b', field: '底数' },
  rows: { label: '行数', field: '行数' },
  show: '显示',
  reach: { label: '曲线画到', rows: '与行数相同', far: (positions) => `${positions} 个位置` },
  sentence: {
    label: '句子，词之间用 / 或空格隔开',
    refuse: (most, got) => `句子须有 1 到 ${most} 个词，收到 ${got} 个。`,
  },
  columns: {
    label: '画成曲线的列',
    refuse: (most, last, got) => `须为 1 到 ${most} 个整数，每个在 0 到 ${last} 之间，用逗号隔开；收到的是 ${got}。`,
    nothing: '空白',
    past: (columns, dim) => `宽度只有 ${dim}，没有画出：${columns.join('、')}。`,
  },
  claim: (half) => `每一行的长度平方都是 d/2 = ${half}。`,
  claimFails: (half) => `有的行长度平方不是 d/2 = ${half}。`,
  claimDoesNotApply: '“行长平方为 d/2”只针对 PE 本身。',
  computing: '正在填表。',
  derivation: html`<p>
    每个数与精确的正弦或余弦相差不超过 0.51 个末位单位，即自身大小的 0.51 ·
    2⁻²³。平方之后，相对误差至多翻倍；一行的平方和是 d/2。因此用 float64 求和时，一行的长度平方与 d/2 相差不超过 2 ·
    0.51 · 2⁻²³ · d/2 = 1.02 · d · 2⁻²⁴。
  </p>`,
  lookFor:
    '把底数调大：条纹与平静的分界线会往左移。底数越大，相邻频率拉得越开，而不是越近。把曲线画到 10 000 个位置：在这些行里几乎不动的列，原来也是波。',
  stopsWhen: '加上词向量之后：x + PE 里波仍在，但行的长度不再固定，徽章因此显示“不适用”。',
  tableHead: '位置',
};
