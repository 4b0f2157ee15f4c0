import { html } from 'lit';
import { bilingual } from '../messages/bilingual.js';

export const speedText = bilingual(
  {
    title: 'How fast is it here?',
    lead: 'posenc beside plain JavaScript in this browser, on one thread. The two take turns, seven rounds each; the medians are shown.',
    measure: 'Measure',
    again: 'Measure again',
    measuring: 'Measuring',
    columns: { workload: 'Workload', ratio: 'Times as fast', posenc: 'posenc', plain: 'Plain JavaScript' },
    workloads: {
      sinusoidal: (size: string) => `Sinusoidal table, ${size}`,
      rope: (size: string) => `RoPE of ${size}`,
      attention: (size: string) => `Causal attention, ${size}`,
    },
    shape: (length: string, heads: string, headDim: string) => `${length} tokens, ${heads} heads of ${headDim}`,
    claim: 'Both compute the same numbers.',
    fails: 'The two results are further apart than rounding explains.',
    waiting: 'Not measured yet.',
    derivation: html`<p>
      Float32 results near 1 are rounded to 2⁻²⁴ once per table entry and once per product; attention adds up to 384 of
      them, with weights that sum to 1. Plain JavaScript sums in float64. 10⁻⁵ leaves room for both.
    </p>`,
  },
  {
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
  },
);
