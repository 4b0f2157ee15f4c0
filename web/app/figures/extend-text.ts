import { html } from 'lit';
import { bilingual } from '../messages/bilingual.js';

export const extendText = bilingual(
  {
    name: 'Longer than it was trained',
    title: html`A stretched model stays on known ground as long as no pair turns past its trained arc.`,
    prose: (name: string, trained: string) =>
      html`<p>
        <span class="nb">${name}</span> was first trained on ${trained} tokens. Its fast pairs went round many times and
        have met every angle; its slow ones have swept a part of one turn and nothing beyond. A longer text turns those
        further, to angles that no weight has ever seen. Every rule of stretching divides the frequencies, each pair by
        a number of its own. The hatched arcs are what is left that training did not cover.
      </p>`,
    margin: {
      attention: 'attention factor A',
      logits: 'scores × A²',
      softmax: 'softmax factor',
      pairs: 'pairs on new arcs',
      of: (some: string, all: string) => `${some} of ${all}`,
    },
    methods: {
      default: 'none',
      linear: 'PI (linear)',
      ntk: 'NTK-aware',
      dynamic: 'dynamic NTK',
      yarn: 'YaRN',
      longrope: 'LongRoPE',
      llama3: 'Llama 3',
    },
    lines: {
      default: 'none',
      linear: 'PI',
      ntk: 'NTK',
      dynamic: 'dynamic',
      yarn: 'YaRN',
      longrope: 'LongRoPE',
      llama3: 'Llama 3',
    },
    method: 'Rule',
    factor: { label: 'Factor', field: 'The factor' },
    length: { label: 'Tokens of the text', field: 'The number of tokens' },
    divisor: 'Divisor of the frequency of each pair by every rule, logarithmic',
    divisorTitle: 'frequency divided by',
    arcs: 'Share of a turn that each pair sweeps: trained, and new',
    arcsTitle: 'arc swept, turns',
    trained: 'trained',
    new: 'new',
    pairAxis: 'pair, fast to slow →',
    kernel: 'K against distance before and after stretching',
    kernelTitle: 'K(n − m)',
    before: 'before',
    after: 'after',
    distanceAxis: 'distance n − m, tokens →',
    readout: {
      pair: (pair: string, zone: string) => `pair ${pair} (${zone})`,
      wavelength: 'wavelength',
      divisor: 'divided by',
      trained: 'trained arc',
      reached: 'arc now',
      turns: 'turns',
    },
    zones: { kept: 'kept', blended: 'blended', scaled: 'scaled' },
    claim: (length: string) => `Up to ${length} tokens no pair turns past its trained arc.`,
    fails: (pairs: string, length: string) =>
      `At ${length} tokens ${pairs} turn to angles that training never reached.`,
    pairs: (count: number) => (count === 1 ? '1 pair' : `${count} pairs`),
    noLists: 'LongRoPE divides by lists searched for one model. This model has none; Phi-3-mini-128k has.',
    computing: 'Dividing the frequencies.',
    derivation: html`<p>
      An arc is length × frequency / 2π, cut at one full turn. Frequencies are good to 10⁻¹⁴ of themselves, also where
      two are blended, and both arcs are at most 1, so their difference is off by at most 2 × 10⁻¹⁴ turns. The residual
      is the largest arc of any pair beyond what it swept in training.
    </p>`,
    lookFor:
      'Raise the number of tokens past factor × trained length: hatched arcs appear at the slow end. Llama-3.1 is offered with 131 072 tokens, twice what its factor covers. NTK keeps the fast pairs and the last one, but some between them leave their arc.',
    stopsWhen:
      '…the text is longer than the rule was made for, or the rule spreads the change unevenly. Staying on known arcs is necessary, not sufficient: neighbours also stand closer together, as the two curves of K show.',
    tableHeads: ['pair', 'wavelength', 'divided by', 'wavelength now', 'zone', 'trained arc', 'arc now', 'new arc'],
  },
  {
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
      弧等于长度 × 频率 / 2π，满一圈为止。频率的相对误差不超过 10⁻¹⁴，过渡区也一样；两段弧都不超过 1，所以差的误差至多 2
      × 10⁻¹⁴ 圈。残差是所有对中，超出训练所扫之弧最多的那一段。
    </p>`,
    lookFor:
      '把词元数加到“因子 × 训练长度”以上：慢的一端出现斜线。Llama-3.1 标称 131 072 个词元，是它的因子所能覆盖的两倍。NTK 保住了快的对和最末一对，中间却有几对越出原来的弧。',
    stopsWhen:
      '文本比方法预定的还长，或方法分配得不匀时。没有越出训练过的弧只是必要条件，并不充分：相邻的词元也靠得更近了，两条 K 曲线看得出来。',
    tableHeads: ['对', '波长', '除以', '现在的波长', '区段', '训练过的弧', '现在的弧', '新的弧'],
  },
);
