import { html } from 'lit';
import { distance } from '../../texts/roles.js';
import type { Translation } from '../../texts/translation.js';
import type * as en from './en.js';

export const precision: Translation<typeof en.precision> = {
  name: '精度何时破坏不变性',
  title: html`表可以舍入，<wbr />位置和角度不能：<wbr />一舍入，<wbr />分数就不再只看距离。`,
  prose: html`<p>
    余弦表分四步得到：位置、频率、两者的乘积即角度，以及角度的余弦与正弦。哪一步少用几位，都会有损害，但损害的不是同一样东西。频率舍入，等于换成了另一个模型的精确频率：每个${distance('距离 n − m')}
    上的分数都错，却处处错得一样。位置或角度舍入，在 0
    附近还对，越远越差，于是同一个距离有许多个分数。第一张图看的是后一种损害，第二张图看的是前一种。
  </p>`,
  margin: { exact: '精确分数', now: '舍入后，此处', drift: '与平移 0 相差', error: '平移 0 处的误差' },
  left: '两者同移，距离不变',
  right: '距离增大，平移为 0',
  drift: '分数与平移 0 时之差随平移量的变化，两轴均为对数',
  driftTitle: '分数的变化',
  error: '平移 0 时分数的误差随距离的变化，两轴均为对数',
  errorTitle: '分数的误差',
  bound: '仅表与求和',
  all: '合在一起',
  stages: { position: '位置', invFreq: '频率', angle: '角度', table: '余弦表' },
  shift: { label: '平移（词元）', field: '平移量' },
  distance: { label: '距离（词元）', field: '距离' },
  recipe: '照此做法',
  recipes: {
    exact: '全用 float64',
    posenc: 'float64 角度，float32 表（本库）',
    huggingFace: '全用 float32（Hugging Face）',
    halfTable: 'float32 角度，bfloat16 表',
    halfThroughout: '全用 float16',
    halfPositions: 'bfloat16 位置',
    own: '自选',
  },
  readout: {
    shift: '平移',
    score: '分数',
    exact: (score) => `（精确值 ${score}）`,
    drift: '与平移 0 相差',
    error: '平移 0 处误差',
  },
  claim: '用这些类型，分数仍然只取决于距离。',
  fails: '同一个距离，远处的分数不同：位置或角度的位数不够了。',
  none: '无',
  overflows: 'float16 到 65 504 为止：再大就成了无穷大，分数也就没有了。',
  computing: '正在逐个平移量计算分数。',
  derivation: html`<p>
    余弦与正弦各差 u，一对旋转后的误差就不超过自身长度的 √2 u；u 是表中末位的一半，对
    float64、float32、float16、bfloat16 分别为 2⁻⁵³、2⁻²⁴、2⁻¹¹、2⁻⁸。一个分数含两次旋转，所以长度为 1
    的向量，分数误差至多 √2 u (2 + √2 u)；“变化”比较两个分数，再乘以二，加上两次 float64
    求和的舍入。位置、频率、角度都不在界内：频率舍入后仍是精确的频率，超出此界的变化只能来自位置或角度。
  </p>`,
  lookFor:
    '频率单独舍入时，第一张图的线贴着底边不动，第二张图里却数它损害最大。给位置选 bfloat16：位置一过 256，第一张图的曲线便越过界线；再往后，bfloat16 就分不清相邻的整数了。',
  stopsWhen:
    '余弦之前的某一步位数不够容纳位置时。float32 角度到一百万附近只能取 1/16 的倍数，所以在一百万个词元处最多已差 1/32；bfloat16 位置则使分数差到它整体的四分之一。',
  tableHeads: ['平移', '与平移 0 相差', '距离', '平移 0 处误差'],
};
