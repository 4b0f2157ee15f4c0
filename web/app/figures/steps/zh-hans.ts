import { html } from 'lit';
import { key, query } from '../../texts/roles.js';
import type { Translation } from '../../texts/translation.js';
import type * as en from './en.js';

export const steps: Translation<typeof en.steps> = {
  name: 'RoPE 注意力分步走',
  title: html`RoPE 只多一步：<wbr />查询与键相遇之前先转一转。<wbr />其余都是普通的注意力。`,
  prose: (heads, kvHeads, width) =>
    html`<p>
      每个词元有一个向量 x。三个矩阵由它得到${query('查询')}、${key('键')}与值，这里是 ${heads}&nbsp;个头，每头
      ${width}&nbsp;个通道，键与值用 ${kvHeads}&nbsp;个头。RoPE
      按位置转动查询与键，值不动；之后照旧是分数、掩码、权重、输出。旁边是同样的步骤：一列没有位置，一列把正弦加到 x
      上，于是后面每个矩阵都变了。指向一个格子，图下一行便是它的算式。
    </p>`,
  tokens: '小 猫 看见 小 狗'.split(' '),
  methods: { rope: 'RoPE', none: '无位置', sinusoids: '正弦' },
  steps: {
    x: '1 嵌入 x',
    q: '2 查询 q',
    k: '3 键 k',
    v: '4 值 v',
    turnedQ: '5 转动后的查询',
    turnedK: '6 转动后的键',
    scores: '7 分数',
    weights: '8 权重',
    output: '9 输出',
  },
  map: (step) => `${step}：用 RoPE、无位置、加正弦`,
  queryAxis: '↓ 查询 m',
  keyRows: '↓ 键 n',
  tokenAxis: '↓ 词元',
  keyAxis: '键 n →',
  channelAxis: '通道 →',
  margin: { difference: '最大相差', steps: '九步', call: '一次调用' },
  heads: { label: '头数', kv: '键与值的头数', shown: '显示的头' },
  mask: '掩码',
  masks: { none: '无', causal: '因果', window: '窗口', both: '两者' },
  projections: '投影',
  projectionNames: { random: '随机', identity: '恒等' },
  mistake: '弄坏它',
  mistakes: { none: '完好', values: '值也转', keys: '键不转', early: '改转 x' },
  method: '写出算式',
  sentence: {
    label: '词，用 / 或空格隔开',
    refuse: (most, got) => `句子须有 2 到 ${most} 个词，收到的是 ${got} 个。`,
  },
  readout: {
    embedding: '词的代用向量',
    plusPosition: '词 + 位置',
    turnedEarly: '投影之前先转动',
    turnedToo: 'x × W，再转动',
    same: '与之前相同，没有转动',
    masked: '被掩码：−∞',
    unseen: '被掩码：0',
    more: (count) => `…（共 ${count} 个乘积）`,
  },
  claim: '每个头里，分步走与一次带 RoPE 的注意力调用结果相同。',
  whys: {
    none: '分步的结果超出了舍入误差。',
    values: '值也转了，被平均的东西于是随位置而变。',
    keys: '只转了查询，分数取决于 m，而不是 n − m。',
    early: '转过的嵌入还要经过矩阵：转动不再是算分数之前的最后一步。',
  },
  computing: '正在一步步计算。',
  derivation: html`<p>
    两种走法都是注意力调用，各自的误差不超过最大值 |v| 的 5 · 10⁻⁶ + 2⁻²² · S，S
    是最大的分数。转动后的向量误差不超过自身长度的 1.52 · √2 · 2⁻²³，分数因此至多移动 2 · 1.52 · √2 · 2⁻²³ · |q| |k| /
    √D，输出至多移动其两倍乘以 |v|。S、|q|、|k|、|v| 由这里的数值算出。
  </p>`,
  lookFor:
    '第 1 到 4 步，RoPE 与无位置完全相同；第 5、6 步才开始不同，而第一行不转，因为它在位置 0。加正弦时连值也变了：位置混进了要传下去的内容。',
  stopsWhen:
    '转动放在别处时：转了值，只转一边，或在矩阵之前转。投影为恒等且只有一个头时，最后这种错误不伤分数，只伤值。',
  tableHeads: ['步骤', '行', '列', 'RoPE', '无位置', '正弦'],
};
