import { html } from 'lit';
import type { Translation } from '../../texts/translation.js';
import type * as en from './en.js';

export const ledger: Translation<typeof en.ledger> = {
  name: '结论清单',
  title: html`关于位置的流行说法，<wbr />大半不能照字面成立。`,
  prose: html`<p>
    每一条都是文章里反复出现的一句话，照字面理解，拆成几项检验：本机算出一个数，旁边是这句话所要求的界限。检验全部成立，这句话就成立；部分成立，便是有条件成立，条件就写在各项检验里；全不成立，则不成立。末尾的数字通往说明它的那幅图。
  </p>`,
  colon: '：',
  margin: {
    true: '成立',
    conditions: '有条件成立',
    false: '不成立',
    of: (count, all) => `${all} 条中的 ${count} 条`,
  },
  verdicts: { true: '成立', conditions: '有条件', false: '不成立' },
  show: '显示',
  shown: { all: '全部', true: '成立', conditions: '有条件', false: '不成立' },
  plot: '每个数与其界限相差多少个数量级；在线左边，检验成立',
  plotTitle: '数 ÷ 界限',
  seeFigure: (number) => `见图 ${number}`,
  claim: '照字面成立的说法不到一半。',
  fails: '照字面成立的说法达到一半。',
  computing: '正在逐条检验。',
  derivation: html`<p>
    残差是各项检验全部成立的说法所占的比例，上面那句话要求它小于一半。单项检验的界限，就是所在那幅图的容差，推导也在那里：float32
    表的舍入、旋转的舍入、频率的舍入。“衰减”指低于一半，“相似”指高于 0.9，这两条是约定。
  </p>`,
  lookFor:
    '最值得看的是“有条件”的几条：同一句话，q = k 时成立，随机向量就不成立；没有掩码时成立，有了就不成立；float64 里成立，bfloat16 里就不成立。',
  stopsWhen: '把话理解得比字面宽松时。这里一律照字面检验；加上“一般”“大致”，就是另一句话了。',
  tableHeads: ['说法', '检验', '数', '关系', '界限', '结论'],
  claims: {
    order: { text: '没有位置，注意力分不清“我爱你”和“你爱我”。', checks: ['没有掩码', '有因果掩码'] },
    oneHot: { text: '独热位置分得清远近。', checks: ['相隔一位与相隔九位的相似度'] },
    equalProducts: { text: 'PE(2) ⋅ PE(5) 等于 PE(10) ⋅ PE(13)。', checks: ['d = 512 时之差'] },
    linearShift: {
      text: 'PE(m\u00a0+\u00a0k) 是 PE(m) 的线性变换，只与 k 有关。',
      checks: ['k = 7，m 到一百万，最大之差'],
    },
    readsDistance: {
      text: '模型从两个位置的点积就能读出距离。',
      checks: ['点积是距离的函数', '这个函数只降不升', '隔着矩阵仍然一样'],
    },
    period: { text: '正弦与余弦每 2π 个词元重复一次。', checks: ['最快的波', '最慢的波'] },
    aliases: {
      text: '距离很远时，位置又变得相似。',
      checks: ['d = 8，到 200 000 个词元', 'd = 512，到 200 000 个词元'],
    },
    ropeKernel: { text: 'RoPE 消除了这种相似。', checks: ['它的曲线与正弦编码的曲线之差'] },
    largerBase: { text: '底数越大，相邻的波越相似。', checks: ['频率之比，底数 10⁶ 与 10²'] },
    lengths: { text: 'RoPE 不改变向量的长度。', checks: ['位置一百万处的变化'] },
    relativeScore: {
      text: '旋转后的分数只取决于 n\u00a0−\u00a0m。',
      checks: ['float64 角度，float32 表', 'bfloat16 位置'],
    },
    distinctPairs: { text: '宽 4 096 的模型有 2 048 对，转速各不相同。', checks: ['32 个头里不同的转速'] },
    decay: { text: 'RoPE 让远处的分数变小。', checks: ['q = k', '随机的 q 与 k，平均'] },
    alibi: {
      text: 'ALiBi 随距离线性下降，不会排除任何一个词。',
      checks: ['100 个词元的代价是 1 个的 100 倍', '300 个词元之前的权重，斜率 1/2，float32'],
    },
    extrapolation: { text: 'RoPE 读得懂比训练时更长的文本。', checks: ['两倍长度时的新角度', '除以 2 之后'] },
  },
};
