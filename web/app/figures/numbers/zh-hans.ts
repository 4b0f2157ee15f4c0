import { html } from 'lit';
import type { Translation } from '../../texts/translation.js';
import type * as en from './en.js';

export const numbers: Translation<typeof en.numbers> = {
  name: '从编号到波',
  title: html`位置有五种写法：<wbr />只有波让近邻彼此相像，<wbr />而且处处一样。`,
  prose: (rows) =>
    html`<p>
        编号用一个数说尽一切，但它越来越大，而网络只会乘与加，看到的只是大小。除以长度后不再变大，可同一个词放进更长的文本，编码就变了。独热（one-hot）行与文本一样宽，任意两行都同样不像。${rows}&nbsp;行的学习表能说出训练过的一切，却说不出第
        ${rows}&nbsp;行。
      </p>
      <p>
        波不需要表，也不需要长度。每种编码下面是任意两个位置的余弦相似度：沿对角线成条纹，说明同样的距离处处看来一样。
      </p>`,
  schemes: { integer: '编号', unit: '编号 / (L − 1)', 'one-hot': '独热', learned: '学习表', waves: '波' },
  short: { integer: '编号', unit: '0 … 1', 'one-hot': '独热', learned: '学习表', waves: '波' },
  codeMap: (name) => `所有位置的编码：${name}`,
  similarityMap: (name) => `任意两个位置的余弦相似度：${name}`,
  code: '编码',
  similarity: '相似度',
  positionAxis: '↓ 位置',
  channelAxis: '通道 →',
  firstAxis: '↓ m',
  secondAxis: 'n →',
  length: { label: '位置数 L', field: '位置数' },
  width: { label: '宽度 d', field: '宽度' },
  base: { label: '底数 b', field: '底数' },
  scheme: '检验',
  margin: { spread: '同样的距离，相差', neighbours: '近邻，至少', further: '更远，至多' },
  readout: { similarity: '相似度' },
  claim: '相似度只取决于距离，且近邻最相像。',
  oneDirection: '一个数只有一个方向：相似度全是 1，只有位置 0 没有方向。',
  allAlike: '任意两个位置的相似度都是 0，没有远近之分。',
  noPattern: '同样的距离，每一行看来都不同；训练也许会改变这一点，但这里没有什么要求它如此。',
  comesBack: (further) => `有些更远的位置相似度达到 ${further}，比近邻还像。`,
  fails: '同样距离的相似度之差超出了舍入误差。',
  computing: '正在用五种写法写下位置。',
  derivation: html`<p>
    一行波的长度是 √(d/2)，d 个数各自与精确值相差不超过 0.51 · 2⁻²⁴，所以整行的误差不超过自身长度的 0.51 · √2 ·
    2⁻²⁴，两行余弦的误差不超过其两倍。求和用 float64，最后舍入一次，再加 2⁻²⁵，合计不到 2 ·
    2⁻²⁴。同一距离的两个余弦相差不到 4 · 2⁻²⁴ = 2⁻²²。
  </p>`,
  facts: {
    heads: ['', '最大', '文本加倍', '离散'],
    stays: '不变',
    changes: (by) => `偏移 ${by}`,
    widens: (width) => `宽 ${width}`,
    ends: (rows) => `到 ${rows} 为止`,
  },
  lookFor:
    '只有最后一个矩阵成条纹，并从对角线向外变淡。表中是每种编码的最大数值、文本加倍后最后一个位置的编码会怎样，以及同一距离上相似度的离散程度。',
  stopsWhen:
    '波太少时：宽度为 2 只有一条波，每隔 2π ≈ 6.28 回来一次，相隔 6 的位置便比近邻更像。而且训练好的层算的并不是相似度，它在中间放了矩阵。',
  tableHeads: ['m', 'n', 'n − m'],
};
