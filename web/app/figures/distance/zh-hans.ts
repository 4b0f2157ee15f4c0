import { html } from 'lit';
import type { Translation } from '../../texts/translation.js';
import { apart, first, second } from './words.js';
import type * as en from './en.js';

export const distance: Translation<typeof en.distance> = {
  name: '点积里藏着距离',
  title: html`两个位置的点积<wbr />只知道它们相隔多远，<wbr />别的一概不知。`,
  prose: html`<p>
    把${first('位置 m')}与${second('位置 n')}的两行逐个相乘再相加，每条波只留下一个余弦，角度是频率乘以
    ${apart}；两者各自在哪里，都已消掉。所以整个点积矩阵沿对角线成条纹，窗口从 1&nbsp;000&nbsp;000 开始，与从 0
    开始一模一样。剩下的只是一条曲线 K：两侧对称，不含方向；有降有升，也不对应唯一的距离。
  </p>`,
  margin: { difference: '相差' },
  map: '窗口内任意两个位置的点积，以及与起点为 0 时的差',
  products: 'PE(m) ⋅ PE(n)',
  productsThrough: 'PE(m) ⋅ W ⋅ PE(n)',
  change: '与起点为 0 时之差',
  firstAxis: '↓ 位置 m',
  secondAxis: '位置 n →',
  row: '位置 m 所在的一行：点积随距离的变化',
  rowTitle: (m) => `第 m = ${m} 行：d/2 ⋅ K(n − m)`,
  rowTitleThrough: (m) => `第 m = ${m} 行`,
  distanceAxis: '距离 n − m →',
  curve: '所有点积中最大的变化，随窗口起点而变，两轴均为对数',
  curveTitle: '所有点积中最大的变化',
  tolerance: '容差',
  start: { label: '窗口起点', field: '窗口起点' },
  width: { label: '宽度 d', field: '宽度' },
  between: { label: '两行之间', nothing: '什么也没有', matrix: '随机矩阵 W' },
  readout: { change: '与起点为 0 时相差' },
  claim: (start) => `起点为 ${start} 的窗口，点积与起点为 0 时相同，都是 d/2 ⋅ K(n − m)。`,
  matrixFails: '两行之间隔着一个矩阵，点积便知道它们在哪里。',
  fails: '有点积的偏差超出了舍入所能解释的范围。',
  computing: '正在把各行两两相乘。',
  derivation: html`<p>
    行中每个数与精确的正弦或余弦相差不超过自身大小的 0.51 ·
    2⁻²³，两数之积的相对误差至多是它的两倍。两行各项乘积的大小加起来不超过 d/2，因此用 float64
    求和的点积与精确值相差不超过 0.51 · 2⁻²³ · d。变化是两个点积之差：1.02 · d · 2⁻²³。
  </p>`,
  lookFor:
    '无论起点在哪里，变化图始终是纸的颜色。沿一行移动：下方的曲线对每一行都相同，只是平移。d = 512 时，它在距离 43 到 44 之间第一次回升。',
  stopsWhen:
    '两行之间隔着别的东西时。模型会先用学到的矩阵乘两边；中间放一个随机矩阵，(2, 5) 与 (10, 13) 的数就不再相同，徽章随之变红。',
  tableHeads: ['位置 m', '位置 n', 'n − m', '起点为 0', '当前窗口', '变化'],
};
