import { html } from 'lit';
import type { Translation } from '../../texts/translation.js';
import type * as en from './en.js';

export const order: Translation<typeof en.order> = {
  name: '注意力看不见顺序',
  title: html`打乱词序，<wbr />注意力的结果只是跟着打乱，<wbr />别的什么都没变。`,
  prose: html`<p>
      “我爱你”与“你爱我”用的是同样的词。注意力（attention）让每个词与每个词相比，再取平均；谁先谁后，算式里没有。拖动下面的词：权重矩阵只是把原来的行与列换了位置，输出的平均值一动不动。
    </p>
    <p>“他欠我 100万”还是“我欠他 100万”？没有位置，模型分不清谁欠谁。</p>`,
  margin: { scores: '分数相差', weights: '权重', outputs: '输出', pooled: '输出的平均' },
  firstOrder: '原来的顺序',
  newOrder: '新的顺序',
  change: '对齐后的变化',
  drag: '新的顺序：拖动词，或用方向键移动',
  firstMap: '原来顺序下的注意力权重',
  newMap: '新的顺序下的注意力权重',
  changeMap: '新的顺序与原来顺序的权重之差，两者都排成新的顺序',
  pooledMap: '逐通道列出：原来顺序与新的顺序的输出平均值，以及两者之差',
  pooledTitle: '输出的平均',
  pooledRows: ['原来', '新的', '变化'],
  weights: '权重，0 到 1',
  weightChange: '变化',
  queryAxis: '↓ 查询',
  keyAxis: '键 →',
  channelAxis: '通道 →',
  sentence: {
    label: '自己的词，用 / 或空格隔开',
    refuse: (most, got) => `句子须有 2 到 ${most} 个词，收到的是 ${got} 个。`,
  },
  example: '词',
  own: '自选',
  positions: '位置编码',
  encodings: {
    none: '无',
    index: '编号，相加',
    sinusoidal: '正弦，相加',
    learned: '学习表，相加',
    rope: 'RoPE',
    alibi: 'ALiBi',
  },
  mask: { label: '掩码', none: '无', causal: '因果' },
  readout: {
    query: '查询',
    key: '键',
    weight: '权重',
    before: '原来的顺序',
    change: '变化',
    mean: (channel) => `通道 ${channel} 的平均`,
  },
  claim: '输出还是原来那些，只换了顺序；平均值不变。',
  encodingFails: (name) => `${name}之后，注意力看得见顺序：输出的平均值变了。`,
  mirrored: 'ALiBi 只按距离压低分数，而距离倒着读也一样。换一换相邻的两个词。',
  maskFails: '因果掩码只让每个词看见前面的词，顺序于是有了作用。',
  bothFail: (name) => `因果掩码与${name}都透露了顺序。`,
  encodingNames: {
    none: '',
    index: '加上编号',
    sinusoidal: '加上正弦',
    learned: '加上学习表',
    rope: '用 RoPE 旋转',
    alibi: '加上 ALiBi 偏置',
  },
  fails: '输出之差超出了求和次序所能解释的范围。',
  sameOrder: '两个顺序相同；请拖动一个词。',
  sameWords: '新的顺序读起来与原来一样：只有相同的词互换了位置。',
  computing: '正在按两种顺序计算注意力。',
  derivation: html`<p>
    在实数里，这些差都恰好是
    0。这里每个分数、每个指数在两种顺序下都是同一个浮点数，因为它只取决于一个查询和一个键。不同的只是对 n
    个键求和的次序：n 个正浮点数之和的误差不超过自身的 (n − 1) · 2⁻²⁴，加权和不超过最大值 |v| 的 n · 2⁻²⁴，相除再加 2 ·
    2⁻²⁴。两种顺序合计：2 · (2n + 1) · 2⁻²⁴，再乘以 1 与 |v| 中较大的一个。
  </p>`,
  lookFor:
    '第三张图始终是纸的颜色，下面的第三行也是。打开位置编码或因果掩码，两处都会亮起来。只有 ALiBi 的 −m |i − j| 倒着读也一样，要换成别的顺序才看得出。',
  stopsWhen:
    '有东西把词与它的位置绑在一起时：加在词上的编码、旋转、加在分数上的偏置，或挡住后文的掩码。带因果掩码的解码器，即使没有位置编码也看得见顺序。',
  tableHeads: ['查询', '键', '权重，原来的顺序', '权重，新的顺序', '变化'],
  tableMean: '输出的平均',
  tableChannel: (channel) => `通道 ${channel}`,
};
