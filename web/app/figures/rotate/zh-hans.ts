import { html } from 'lit';
import { distance, key, query } from '../../texts/roles.js';
import type { Translation } from '../../texts/translation.js';
import type * as en from './en.js';

export const rotate: Translation<typeof en.rotate> = {
  name: '旋转代替相加',
  title: html`按位置旋转，<wbr />改的是一对数的方向，<wbr />长度一概不动。`,
  prose: html`<p>
    RoPE 什么也不加。它把${query('查询 m')}与${key('键 n')}的通道两两成对，每对看作平面上的一支箭头，再转过“位置 ×
    θ”的角度。长度不变；同一对的两支箭头之间，夹角增加 ${distance()} 乘
    θ。哪两个通道成对只是约定：相邻的两个（RoFormer、Meta 的 Llama），或前后两半各取一个（GPT-NeoX、Hugging
    Face）。两者是同一批数的同一种旋转，次序不同而已。
  </p>`,
  margin: { angle: 'q 的转角', angleOfKey: 'k 的转角', between: '两者之间' },
  before: '旋转前',
  after: '旋转后',
  pair: (pair) => `第 ${pair} 对`,
  turns: (turns) => `${turns} 圈`,
  beforePlane: '旋转前，这一对通道里的查询与键在平面上的箭头',
  afterPlane: '旋转后，这一对通道里的查询与键在平面上的箭头',
  pairings: { interleaved: '相邻成对（interleaved）', half: '折半成对（half）' },
  matrix: { interleaved: '相邻成对时位置 m 的旋转矩阵', half: '折半成对时位置 m 的旋转矩阵' },
  matrixTitle: 'R(m)',
  rowAxis: '↓ 旋转后的通道',
  columnAxis: '旋转前的通道 →',
  controls: {
    m: { label: '查询位置 m', field: '查询位置' },
    n: { label: '键位置 n', field: '键位置' },
    pair: { label: '第几对', field: '对的编号' },
    width: { label: '旋转宽度（共 16）', field: '旋转宽度' },
    pairing: 'q、k 的配对方式',
    pairingOptions: { interleaved: '相邻', half: '折半' },
    direction: '方向',
    directions: { forward: '逆时针', inverse: '顺时针' },
    reordered: '换到另一种配对前重排',
    reorderings: { both: 'q 与 k', query: '只排 q', neither: '都不排' },
  },
  readout: {
    channels: (a, b) => `通道 ${a} 与 ${b}`,
    inOther: (a, b) => `（另一种次序为 ${a} 与 ${b}）`,
    score: '分数',
    otherPairing: '，另一种',
  },
  claim: '没有一对改变长度，两种配对给出同一个分数。',
  lengthFails: '有一对的长度变化超出了舍入误差。',
  scoreFails: '两种配对的分数之差超出了舍入误差。',
  queryFails: '只有 q 重排了，它的各对便与 k 的对不上。',
  neitherFails: '什么也没有重排：另一种配对让别的通道一起转，分数也就不同。',
  computing: '正在旋转每一对。',
  derivation: html`<p>
    用 float32 旋转一对 (a, b)，每个分量的误差不超过 2⁻²³ (|a| + |b|)，所以一对的长度变化不超过自身的 2⁻²²；长度为 1
    的向量里，没有一对比 1 长。两个这样的向量的分数误差不超过 2 · 2⁻²²，两种配对合起来是 2⁻²⁰。乘积用 float64
    求和，不再带来可计的误差。这里显示的残差是两个分数之差；长度的变化则与 2⁻²² 相比。
  </p>`,
  lookFor:
    '沿任一矩阵移动：另一个矩阵里的方框会停在同一个数上。相邻成对时是一级级 2 × 2 的台阶，折半成对时是三条对角线。编号大的慢对几乎不转。',
  stopsWhen: '一种配对的权重遇上另一种配对的代码时。只重排 q，或都不重排，分数就变了：移植模型时出的错大多是这一种。',
  tableHeads: ['对', '通道', 'θ', 'q', 'R(m) q', '|q|', '|R(m) q|', 'k', 'R(n) k', '|k|', '|R(n) k|', '在分数中的一份'],
};
