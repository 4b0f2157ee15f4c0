import { html } from 'lit';
import { distance, key, query } from '../../texts/roles.js';
import type { Translation } from '../../texts/translation.js';
import type * as en from './en.js';

export const decay: Translation<typeof en.decay> = {
  name: '远程衰减是真的吗',
  title: html`上限随距离下降，<wbr />跟着下降的<wbr />只有与键相同的查询。`,
  prose: html`<p>
    常说 RoPE 会让远处的词变弱。Su 等人证明的是一个上限：距离为 ${distance()}
    的分数，不会超过一个大体递减的和。还有两点没有说。其一，这个上限一路上大多高于 1，而单位向量的分数本来就不会超过
    1。其二，上限之下，真正往下走的只有与${key('键')}
    相同的${query('查询')}：它的各对起步一致，所以越走越散；随机的查询与键从一开始就不一致，距离再远也减不掉什么。
  </p>`,
  margin: { kernel: 'q = k', random: '随机，平均', bound: 'q = k 的上限' },
  scores: '分数随距离的变化：相同的查询与键，以及一把随机的',
  scoresTitle: '单位向量的分数',
  equal: 'q = k',
  random: '随机 q、k',
  bounds: 'Su 等人的上限随距离的变化，两轴均为对数',
  boundsTitle: '分数的上限',
  boundEqual: 'q = k',
  boundRandom: '随机者中最低',
  one: '分数本来就不超过 1',
  distanceAxis: '距离 n − m（词元）→',
  model: '模型',
  own: '自选',
  width: { label: '旋转宽度', field: '旋转宽度' },
  base: { label: '底数', field: '底数' },
  claimed: '要检验的说法',
  claims: { bound: '有上限', equal: 'q = k 会衰减', random: '都会衰减', monotone: '步步下降' },
  readout: {
    equal: 'q = k：',
    between: (least, greatest) => `（在 ${least} 与 ${greatest} 之间）`,
    random: '随机：均方根',
    bound: '上限',
  },
  bound: '画出的每个距离上，没有分数超过自己的上限。',
  boundFails: '有分数超过了自己的上限。',
  equalHolds: (far) => `q = k 时，${far} 个词元以外的分数都不到距离 0 处的一半。`,
  equalFails: (far) => `即使 q = k，${far} 个词元以外仍有分数超过距离 0 处的一半。`,
  randomHolds: '随机的分数在远处不到近处的一半。',
  randomFails: '随机的分数在远处并不比近处小：它们不衰减。',
  monotoneHolds: '前一千步里，K 每一步都在下降。',
  monotoneFails: (from, to) => `从距离 ${from} 到 ${to}，K 就已经回升。`,
  computing: '正在计算各个距离上的分数。',
  derivation: {
    bound: html`<p>
      上限由分部求和得到（Su 等 2021，第 3.4.3 节），是精确的；残差是所有分数中占自己上限最多的那一份，须小于 1。分数用
      float32 计算，舍入只有它的 10⁻⁶。
    </p>`,
    equal: html`<p>“衰减”在这里指：低于距离 0 处分数（即 1）的一半。从 10 000 到 100 000 的每个整数距离都算过。</p>`,
    random: html`<p>
      “衰减”在这里指：10 000 个词元以外的均方根，不到前 10
      个词元内的一半。旋转不改变长度，所以方向随机时，分数平方的期望在每个距离上都一样。
    </p>`,
    monotone: html`<p>K 的误差不超过 2⁻⁵¹，因此相邻距离间超过 2⁻⁵⁰ 的上升是真的。残差是前一千步里最大的一次上升。</p>`,
  },
  lookFor:
    '选“都会衰减”和“步步下降”：无论底数与宽度，两种说法都不成立。底数越大，蓝线下降得越晚、越缓；橙色的一把线，宽窄始终不变。',
  stopsWhen:
    '把关于上限的话当成关于注意力的话时。训练好的模型并不随机取查询和键；它可以学到随距离减弱的方向，也可以学到不变的，甚至增强的。',
  tableHeads: ['距离', 'q = k', '到下一个之前最小', '到下一个之前最大', '上限', '随机，均方根', '随机，第一组'],
};
