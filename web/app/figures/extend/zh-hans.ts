import { html } from 'lit';
import type { Translation } from '../../texts/translation.js';
import type * as en from './en.js';

export const extend: Translation<typeof en.extend> = {
  name: '上下文扩展',
  title: html`只要没有一对<wbr />转过训练时的弧，<wbr />拉长的模型<wbr />就还在熟悉的范围里。`,
  prose: (name, trained) =>
    html`<p>
      <span class="nb">${name}</span> 最初只训练到 ${trained}
      个词元。转得快的对早已转过许多圈，什么角度都见过；转得慢的对只扫过一圈中的一段，再往后一概没见过。文本变长，慢的对便转到权重从未遇到的角度。各种扩展方法都是把频率除以一个数，每一对各有各的除数；画斜线的弧，是训练没有覆盖、现在却要用到的部分。
    </p>`,
  margin: {
    attention: '注意力因子 A',
    logits: '分数 × A²',
    softmax: 'softmax 因子',
    pairs: '转到新弧的对',
    of: (some, all) => `${some} / ${all}`,
  },
  methods: {
    default: '不扩展',
    linear: 'PI（线性插值）',
    ntk: 'NTK-aware',
    dynamic: '动态 NTK',
    yarn: 'YaRN',
    longrope: 'LongRoPE',
    llama3: 'Llama 3',
  },
  lines: {
    default: '不扩展',
    linear: 'PI',
    ntk: 'NTK',
    dynamic: '动态 NTK',
    yarn: 'YaRN',
    longrope: 'LongRoPE',
    llama3: 'Llama 3',
  },
  method: '方法',
  factor: { label: '因子', field: '因子' },
  length: { label: '文本长度（词元）', field: '文本长度' },
  divisor: '各种方法给每一对的频率除数，对数轴',
  divisorTitle: '频率除以',
  arcs: '每一对扫过的弧占一圈的多少：训练过的与新的',
  arcsTitle: '扫过的弧（圈）',
  trained: '训练过',
  new: '新的',
  pairAxis: '对，由快到慢 →',
  kernel: '扩展前后的 K 随距离的变化',
  kernelTitle: 'K(n − m)',
  before: '扩展前',
  after: '扩展后',
  distanceAxis: '距离 n − m（词元）→',
  readout: {
    pair: (pair, zone) => `第 ${pair} 对（${zone}）`,
    wavelength: '波长',
    divisor: '除以',
    trained: '训练过的弧',
    reached: '现在的弧',
    turns: '圈',
  },
  zones: { kept: '不变', blended: '过渡', scaled: '全缩' },
  claim: (length) => `到 ${length} 个词元为止，没有一对转过训练时的弧。`,
  fails: (pairs, length) => `到 ${length} 个词元时，有 ${pairs}转到了训练从未到过的角度。`,
  pairs: (count) => `${count} 对`,
  noLists: 'LongRoPE 的除数是为某个模型逐对搜索出来的，这个模型没有；Phi-3-mini-128k 有。',
  computing: '正在缩放频率。',
  derivation: html`<p>
    弧等于长度 × 频率 / 2π，满一圈为止。频率的相对误差不超过 10⁻¹⁴，过渡区也一样；两段弧都不超过 1，所以差的误差至多 2 ×
    10⁻¹⁴ 圈。残差是所有对中，超出训练所扫之弧最多的那一段。
  </p>`,
  lookFor:
    '把词元数加到“因子 × 训练长度”以上：慢的一端出现斜线。Llama-3.1 标称 131 072 个词元，是它的因子所能覆盖的两倍。NTK 保住了快的对和最末一对，中间却有几对越出原来的弧。',
  stopsWhen:
    '文本比方法预定的还长，或方法分配得不匀时。没有越出训练过的弧只是必要条件，并不充分：相邻的词元也靠得更近了，两条 K 曲线看得出来。',
  tableHeads: ['对', '波长', '除以', '现在的波长', '区段', '训练过的弧', '现在的弧', '新的弧'],
};
