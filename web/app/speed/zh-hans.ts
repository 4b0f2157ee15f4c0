import { html } from 'lit';
import type { Translation } from '../texts/translation.js';
import type * as en from './en.js';

export const speed: Translation<typeof en.speed> = {
  title: '在这台机器上有多快？',
  lead: '在本浏览器里，用一个线程，posenc 与手写 JavaScript 轮流计算，各七轮，取中位数。',
  measure: '测量',
  again: '再测一次',
  measuring: '测量中',
  columns: { workload: '任务', ratio: '速度之比', posenc: 'posenc', plain: '手写 JavaScript' },
  workloads: {
    sinusoidal: (size) => `正弦表，${size}`,
    rope: (size) => `RoPE，${size}`,
    attention: (size) => `因果注意力，${size}`,
  },
  shape: (length, heads, headDim) => `${length} 个词元，${heads} 个 ${headDim} 维的头`,
  claim: '两者算出的数相同。',
  fails: '两个结果相差超出了舍入所能解释的范围。',
  waiting: '尚未测量。',
  derivation: html`<p>
    接近 1 的 float32 结果，表中每一项舍入一次、每个乘积舍入一次，每次至多 2⁻²⁴；注意力把至多 384
    个这样的数相加，权重之和为 1。手写 JavaScript 用 float64 求和。10⁻⁵ 为两者留有余量。
  </p>`,
};
