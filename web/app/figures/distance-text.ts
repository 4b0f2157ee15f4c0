import { html, type TemplateResult } from 'lit';
import { bilingual } from '../messages/bilingual.js';

const first = (words: string): TemplateResult => html`<em class="q">${words}</em>`;
const second = (words: string): TemplateResult => html`<em class="k">${words}</em>`;
const distance = html`<em class="dist">n − m</em>`;

export const distanceText = bilingual(
  {
    name: 'Distance hides in the dot product',
    title: html`The dot product of two positions knows how far apart they are, and nothing else.`,
    prose: html`<p>
      Multiply the rows of ${first('position m')} and ${second('position n')} number by number and add up. Each wave
      leaves the cosine of its frequency times ${distance}; where the two stand cancels. So the matrix of all products
      is striped along its diagonals, and the window at 1&nbsp;000&nbsp;000 shows the picture of the window at 0. What
      is left is one curve K. It has no direction, for it is the same on both sides, and it names no single distance,
      for it falls and rises.
    </p>`,
    margin: { difference: 'difference' },
    map: 'Dot products of the rows of every two positions in a window, and their change since the window at 0',
    products: 'PE(m) ⋅ PE(n)',
    productsThrough: 'PE(m) ⋅ W ⋅ PE(n)',
    change: 'change since the window at 0',
    firstAxis: '↓ position m',
    secondAxis: 'position n →',
    row: 'The row of position m: dot product against distance',
    rowTitle: (m: string) => `row m = ${m}: d/2 ⋅ K(n − m)`,
    rowTitleThrough: (m: string) => `row m = ${m}`,
    distanceAxis: 'distance n − m →',
    curve: 'Largest change of any dot product against the start of the window, both axes logarithmic',
    curveTitle: 'largest change of any product',
    tolerance: 'tolerance',
    start: { label: 'The window starts at', field: 'The start of the window' },
    width: { label: 'Width d', field: 'The width' },
    between: { label: 'Between the two rows', nothing: 'nothing', matrix: 'a random matrix W' },
    readout: { change: 'change since the window at 0:' },
    claim: (start: string) => `The window at ${start} has the dot products of the window at 0: d/2 ⋅ K(n − m).`,
    matrixFails: 'A matrix stands between the two rows, so the product knows where they are.',
    fails: 'A dot product is off by more than rounding explains.',
    computing: 'Multiplying every two rows.',
    derivation: html`<p>
      Each number of a row is within 0.51 · 2⁻²³ of its own size of the exact sine or cosine, so a product of two is
      within twice that share of itself. The sizes of the products of two rows add up to at most d/2, so a dot product,
      summed in float64, is within 0.51 · 2⁻²³ · d of the exact one. A change is the difference of two: 1.02 · d · 2⁻²³.
    </p>`,
    lookFor:
      'The change map stays the colour of paper at every start. Move along a row: the curve below it is the same for every row, only moved. At d = 512 it rises for the first time from distance 43 to 44.',
    stopsWhen:
      '…anything stands between the two rows. A model multiplies both by learned matrices first; with a random one in between, (2, 5) and (10, 13) give unlike numbers and the badge turns red.',
    tableHeads: ['position m', 'position n', 'n − m', 'window at 0', 'window now', 'change'],
  },
  {
    name: '点积里藏着距离',
    title: html`两个位置的点积<wbr />只知道它们相隔多远，<wbr />别的一概不知。`,
    prose: html`<p>
      把${first('位置 m')}与${second('位置 n')}的两行逐个相乘再相加，每条波只留下一个余弦，角度是频率乘以
      ${distance}；两者各自在哪里，都已消掉。所以整个点积矩阵沿对角线成条纹，窗口从 1&nbsp;000&nbsp;000 开始，与从 0
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
  },
);
