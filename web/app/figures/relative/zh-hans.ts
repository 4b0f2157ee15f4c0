import { html } from 'lit';
import { distance } from '../../texts/roles.js';
import type { Translation } from '../../texts/translation.js';
import type * as en from './en.js';

export const relative: Translation<typeof en.relative> = {
  name: '其他相对位置编码',
  title: html`这七种编码放进分数里的，<wbr />只有距离，<wbr />没有位置的其他信息。`,
  prose: html`<p>
    RoPE
    旋转向量；别的编码不动向量，而是在分数上加东西：一条直线（ALiBi）、每一桶距离一个学到的数（T5）、一个对数（KERPLE）、一个小网络（FIRE），或查询与代表${distance('距离')}
    的向量之积（Shaw、Transformer-XL、DeBERTa）。把同一个查询、同一个键放在每个位置上，每一种都得到沿对角线不变的矩阵；换成真正的词，对角线便与内容相遇。
  </p>`,
  margin: { slope: '此处的分数', change: '这种编码的漂移', bound: '舍入所能解释' },
  method: '编码',
  tokens: '小 猫 看见 小 狗 ， 然后 小 狗 看见 小 猫'.split(' '),
  left: '处处是同一个查询与键',
  right: '这些词的注意力',
  scores: '分数，−6 到 +6',
  weights: '权重，0 到 1',
  scoresMap: '同一个查询与键在每一对位置上的分数',
  weightsMap: '这些词的注意力权重',
  queryAxis: '↓ 查询 m',
  keyAxis: '键 n →',
  curve: '同一个查询与键的分数随距离的变化，每个头一条',
  curveTitle: '分数',
  distanceAxis: '距离 n − m →',
  headName: (head) => `头 ${head}`,
  head: { label: '头', field: '头的编号' },
  start: { label: '第一个词的位置', field: '第一个位置' },
  sight: '每个词看得到',
  sights: { both: '两边', causal: '自己之前' },
  readout: { score: '分数', weight: '这些词的权重', masked: '已遮住' },
  badges: '只看距离吗',
  badgeHeads: ['编码', '', '漂移', '界'],
  claim: (name) => `${name}：分数只取决于距离。`,
  fireFails: '位置过了 512，FIRE 的偏置还要除以查询所在之处，便不再只由距离决定。',
  fails: (name) => `${name}：有分数的变化超出了舍入误差。`,
  computing: '正在计算每个位置的分数。',
  derivation: html`<p>
    在九个距离上，取同一个查询与键从平移 0 到第一个词所在位置的分数，与平移 0
    时相比。界是按实际的数，把两边的舍入加起来：偏置末位的一半，或查询与相对向量的每个乘积末位的一半。这里显示最接近界、或超出最多的那个距离与平移。学到的表在这里用种子抽取；结论与它们无关。
  </p>`,
  lookFor: '无论哪一种编码，左边矩阵的条纹都沿对角线。把第一个词移到 512 以后：FIRE 的徽章变红，其余六种不变。',
  stopsWhen:
    '编码按位置归一时，FIRE 过了阈值便是如此。而“只看距离”也没有说怎样用它：ALiBi 越远越弱，T5 过了 128、Shaw 过了 8，就分不清远近。',
  tableHeads: ['查询 m', '键 n', 'n − m', '分数', '这些词的权重'],
};
