import { html } from 'lit';
import type { Translation } from '../../texts/translation.js';
import type * as en from './en.js';

export const aliases: Translation<typeof en.aliases> = {
  name: '周期与混叠',
  title: html`8&nbsp;维在&nbsp;169&nbsp;646&nbsp;个词元之后<wbr />几乎重合；<wbr />312&nbsp;维在一千万之内<wbr />始终差得很远。`,
  prose: (narrow, few, wide, many) =>
    html`<p>
      所有的波重新对齐时，两个位置看起来就一样。d = ${narrow} 时，就像等
      ${few}&nbsp;座钟${few === '1' ? '' : '同时'}敲响；d = ${wide} 时，要等
      ${many}&nbsp;座。这里逐一计算了一千万以内的每个整数距离，没有抽样。
    </p>`,
  margin: {
    wave: (wavelength) => `波长 ${wavelength}`,
    more: (count) => `另外 ${count} 条`,
    mean: '余弦的平均',
  },
  plot: '两种宽度的相似度随距离的变化，一到一千万，对数轴',
  similarityAxis: '相似度 K',
  distanceAxis: '距离 Δ（词元）',
  wavelengths: '各条波长',
  waves: (count) => `${count} 条波`,
  highest: (value, distance) => `最高 ${value}，Δ = ${distance}`,
  narrow: { label: '较窄的 d', field: '较窄的宽度' },
  wide: { label: '较宽的 d', field: '较宽的宽度' },
  readout: {
    best: (from, to) => `${from} 到 ${to} 之间最高`,
    width: (dim) => `d\u00a0=\u00a0${dim}：K =`,
    at: (distance) => `（Δ = ${distance}）`,
  },
  claim: (wide, narrow, from, level, ceiling) =>
    `从 ${from} 到 10⁷，d\u00a0=\u00a0${wide} 始终低于 ${ceiling}，而 d\u00a0=\u00a0${narrow} 超过 ${level}。`,
  wideFails: (wide, ceiling, distance) => `d\u00a0=\u00a0${wide} 达到了 ${ceiling}：在 ${distance} 处又回来了。`,
  narrowFails: (narrow, near, best) => `d\u00a0=\u00a0${narrow} 在 10⁷ 以内离 1 从未小于 ${near}，最高 ${best}。`,
  computing: '正在检查一千万以内的每个整数距离。',
  derivation: (wide, spread, times, pairs, error) =>
    html`<p>
      这里没有与舍入误差比较的容差：0.3 是一条远高于偶然水平的界线。距离很远时，K 近似于 d/2
      个互不相关的余弦的平均，起伏约为 1/√d；d = ${wide} 时是 ${spread}，0.3 是它的 ${times}&nbsp;倍。每个整数距离上的 K
      都用 float64 计算，误差不超过 (d/2 + 8) · 2⁻⁵³，d = ${wide} 时为 (${pairs} + 8) · 2⁻⁵³ =
      <span class="nb">${error}</span>，远小于两者之差。
    </p>`,
  records: (dim) => `历次新纪录，d\u00a0=\u00a0${dim}`,
  recordsFrom: (dim, from) => `从 ${from} 起的历次新纪录，d\u00a0=\u00a0${dim}`,
  lookFor: (narrow, closest, from, wide, highest) =>
    `橙色的带子（d\u00a0=\u00a0${narrow}）回到离 1 只差 ${closest} 处；从 ${from} 起，蓝色的（d\u00a0=\u00a0${wide}）最高只到 ${highest}。`,
  stopsWhen:
    '等得足够久。2π 是无理数，整数距离永远不会精确重复；但任何宽度都会无限接近地回来，只是等待时间随 d 爆炸式增长。',
  tableHeads: { from: '距离从', to: '到', least: 'K 最低', greatest: 'K 最高', at: '所在距离' },
};
