import { html } from 'lit';
import type { Translation } from '../../texts/translation.js';
import type * as en from './en.js';

export const hands: Translation<typeof en.hands> = {
  name: '时钟指针',
  title: html`往后 k 个词，<wbr />每根指针都转过 k · ω，<wbr />不论从哪里起步。`,
  prose: (pairs, seconds, hours) =>
    html`<p>
      一对正弦与余弦就是一根指针的尖端：正弦向右，余弦向上。表中一行就是 ${pairs}&nbsp;个这样的钟，第一个 ${seconds}
      个词转一圈，最后一个 ${hours} 个词转一圈。从位置 p 到 p + k 不必知道 p：每根指针按自己的速度转过 k
      倍即可。虚线是转过之后的 PE(p)，实线是 PE(p + k)，两者重合。可见有一个只取决于 k 的矩阵，把任何位置带到 k
      个词之后；RoPE 转动查询与键，用的正是它。
    </p>`,
  dials: (p) => `每一对在位置 ${p} 的指针、往后 k 的指针，以及转过 k 倍速度之后的指针`,
  pair: (pair) => `第 ${pair} 对`,
  turn: (words) => `一圈 ${words}`,
  legend: { now: 'PE(p)', next: 'PE(p + k)', turned: '转过的 PE(p)' },
  curve: '每个位置上转过的指针与真正的指针的最大差，对数轴',
  curveTitle: '位置 p 上所有指针的最大差',
  curveAxis: '',
  tolerance: '容差',
  position: { label: '位置 p', field: '位置' },
  step: { label: '步长 k', field: '步长' },
  width: { label: '宽度 d', field: '宽度' },
  base: { label: '底数 b', field: '底数' },
  break: '弄坏它',
  modes: { intact: '完好', backwards: '反着转', base: '十倍底数' },
  margin: { speed: '速度 ω', angle: 'k · ω', turned: '转过之后', next: 'PE(p + k)', difference: '相差' },
  readout: { pair: (pair) => html`第 ${pair} 对`, turned: '转过之后', difference: '相差' },
  claim: (positions, k) => `从 0 到 ${positions} 的每个位置上，转过的指针就是 k = ${k} 之后的指针。`,
  backwardsFails: '指针转了 −k · ω：正弦符号写反的矩阵不是向前，而是向后。',
  baseFails: '指针按另一个底数的速度转动，只有第一根走得准。',
  fails: '有指针的误差超出了舍入误差。',
  computing: '正在转动指针。',
  derivation: html`<p>
    一行中的每个数与精确的正弦或余弦相差不超过 0.51 · 2⁻²⁴。转动一对数会保留它们的误差，单个分量不超过 √2 · 0.51 ·
    2⁻²⁴，自身再加 1.52 · 2⁻²³ (|a cos| + |b sin|)，而指针长度为 1，括号不超过 1。用来比较的那一行再加 0.51 ·
    2⁻²⁴，合计不到 4.28 · 2⁻²⁴。
  </p>`,
  lookFor: '移动 p：所有指针都在走，虚线始终落在实线上。下面的曲线与 p 在哪里无关。k 取负数，一切倒转。',
  stopsWhen:
    '速度或方向与表不符时：分量按 (sin, cos) 排列，矩阵是 [[cos, sin], [−sin, cos]]；符号写反，就走到 p − k。而且这条规律只对表中的一对成立，经过学习到的层之后就不再成立。',
  tableHeads: ['对', 'ω', 'sin p', 'cos p', 'sin，转过', 'cos，转过', 'sin p + k', 'cos p + k'],
};
