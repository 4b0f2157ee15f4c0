import { html } from 'lit';
import { bilingual } from '../messages/bilingual.js';

export const aliasesText = bilingual(
  {
    name: 'When does it come back?',
    title: html`Eight dimensions nearly repeat after 169&nbsp;646&nbsp;tokens; 312 stay far apart for ten million.`,
    prose: (narrow: string, few: string, wide: string, many: string) =>
      html`<p>
        Two positions look alike when all their waves line up again. At d = ${narrow} that is like waiting for
        ${few === '1' ? '1 clock to strike' : `${few} clocks to strike together`}; at d = ${wide} it is like waiting for
        ${many}. Every whole distance up to ten million is evaluated here; none is sampled.
      </p>`,
    margin: {
      wave: (wavelength: string) => `wave of ${wavelength}`,
      more: (count: string) => `and ${count} more`,
      mean: 'mean of the cosines',
    },
    plot: 'Similarity against distance, one to ten million, logarithmic, for two widths',
    similarityAxis: 'similarity K',
    distanceAxis: 'distance Δ, tokens',
    wavelengths: 'wavelengths',
    waves: (count: string) => (count === '1' ? '1 wave' : `${count} waves`),
    highest: (value: string, distance: string) => `highest ${value}, at ${distance}`,
    narrow: { label: 'Narrow width d', field: 'The narrow width' },
    wide: { label: 'Wide width d', field: 'The wide width' },
    readout: {
      best: (from: string, to: string) => `highest from ${from} to ${to}`,
      width: (dim: string) => `d\u00a0=\u00a0${dim}: K =`,
      at: (distance: string) => ` at ${distance}`,
    },
    claim: (wide: string, narrow: string, from: string, level: string, ceiling: string) =>
      `From ${from} to 10⁷, d\u00a0=\u00a0${wide} stays below ${ceiling}; d\u00a0=\u00a0${narrow} exceeds ${level}.`,
    wideFails: (wide: string, ceiling: string, distance: string) =>
      `d\u00a0=\u00a0${wide} reaches ${ceiling} or more: it comes back at ${distance}.`,
    narrowFails: (narrow: string, near: string, best: string) =>
      `d\u00a0=\u00a0${narrow} never comes within ${near} of 1 up to 10⁷; its best is ${best}.`,
    computing: 'Checking every whole distance to ten million.',
    derivation: (wide: string, spread: string, times: string, pairs: string, error: string) =>
      html`<p>
        Nothing is rounded against a tolerance here: 0.3 is a line drawn well above what chance gives. Far out, K
        behaves like a mean of d/2 unrelated cosines, with a spread of about 1/√d; for d = ${wide} that is ${spread},
        and 0.3 is ${times} times that. K is evaluated in float64 at every whole distance with an error of at most (d/2
        + 8) · 2⁻⁵³, which for d = ${wide} is (${pairs} + 8) · 2⁻⁵³ = <span class="nb">${error}</span>, far below the
        gap.
      </p>`,
    records: (dim: string) => `Record returns, d\u00a0=\u00a0${dim}`,
    recordsFrom: (dim: string, from: string) => `Record returns from ${from} on, d\u00a0=\u00a0${dim}`,
    lookFor: (narrow: string, closest: string, from: string, wide: string, highest: string) =>
      `The orange band, d\u00a0=\u00a0${narrow}, comes back to within ${closest} of 1; from ${from} on the blue one, d\u00a0=\u00a0${wide}, gets no higher than ${highest}.`,
    stopsWhen:
      '…you wait long enough. No whole distance ever repeats exactly, because 2π is irrational; yet any width returns as closely as you like, after a wait that explodes with d.',
    tableHeads: { from: 'distances from', to: 'to', least: 'least K', greatest: 'greatest K', at: 'at' },
  },
  {
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
        个互不相关的余弦的平均，起伏约为 1/√d；d = ${wide} 时是 ${spread}，0.3 是它的 ${times}&nbsp;倍。每个整数距离上的
        K 都用 float64 计算，误差不超过 (d/2 + 8) · 2⁻⁵³，d = ${wide} 时为 (${pairs} + 8) · 2⁻⁵³ =
        <span class="nb">${error}</span>，远小于两者之差。
      </p>`,
    records: (dim) => `历次新纪录，d\u00a0=\u00a0${dim}`,
    recordsFrom: (dim, from) => `从 ${from} 起的历次新纪录，d\u00a0=\u00a0${dim}`,
    lookFor: (narrow, closest, from, wide, highest) =>
      `橙色的带子（d\u00a0=\u00a0${narrow}）回到离 1 只差 ${closest} 处；从 ${from} 起，蓝色的（d\u00a0=\u00a0${wide}）最高只到 ${highest}。`,
    stopsWhen:
      '等得足够久。2π 是无理数，整数距离永远不会精确重复；但任何宽度都会无限接近地回来，只是等待时间随 d 爆炸式增长。',
    tableHeads: { from: '距离从', to: '到', least: 'K 最低', greatest: 'K 最高', at: '所在距离' },
  },
);
