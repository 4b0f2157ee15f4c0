import { html, type TemplateResult } from 'lit';
import { bilingual } from '../messages/bilingual.js';
import type { OrderPositions } from './order-task.js';

const chinese = (words: string): TemplateResult => html`<span lang="zh-Hans">${words}</span>`;

export const orderText = bilingual(
  {
    name: 'Order is invisible to attention',
    title: html`Shuffle the words, and attention shuffles its answers. It does nothing else.`,
    prose: html`<p>
        ${chinese('我 爱 你')} (I love you) and ${chinese('你 爱 我')} (you love me) are the same words. Attention
        compares every word with every word and averages; nothing in that says who stood first. Drag the words: the
        matrix of weights is the old one with its rows and columns moved, and the mean of the outputs does not move at
        all.
      </p>
      <p>
        ${chinese('他 欠 我 100万')} or ${chinese('我 欠 他 100万')}: without positions a model cannot tell who owes
        whom.
      </p>`,
    margin: {
      scores: 'scores differ by',
      weights: 'weights',
      outputs: 'outputs',
      pooled: 'mean of the outputs',
    },
    firstOrder: 'First order',
    newOrder: 'New order',
    change: 'Change, put back',
    drag: 'New order: drag a word, or move it with the arrow keys',
    firstMap: 'Attention weights of the first order',
    newMap: 'Attention weights of the new order',
    changeMap: 'Weights of the new order minus those of the first, both in the new order',
    pooledMap: 'Mean of the outputs of the first order, of the new order, and their difference, channel by channel',
    pooledTitle: 'mean of the outputs',
    pooledRows: ['first', 'new', 'change'],
    weights: 'weights, 0 to 1',
    weightChange: 'change',
    queryAxis: '↓ query',
    keyAxis: 'key →',
    channelAxis: 'channel →',
    sentence: {
      label: 'Your own words, parted by / or spaces',
      refuse: (most: number, got: number) => `The sentence must have 2 to ${most} words; got ${got}.`,
    },
    example: 'Words',
    own: 'own',
    positions: 'Position encoding',
    encodings: {
      none: 'none',
      index: 'the index, added',
      sinusoidal: 'sinusoids, added',
      learned: 'a learned table, added',
      rope: 'RoPE',
      alibi: 'ALiBi',
    } satisfies Record<OrderPositions, string>,
    mask: { label: 'Mask', none: 'none', causal: 'causal' },
    readout: {
      query: 'query',
      key: 'key',
      weight: 'weight',
      before: 'in the first order',
      change: 'change',
      mean: (channel: string) => `mean of channel ${channel}`,
    },
    claim: 'The outputs are the old ones in the new order, and their mean is the same.',
    encodingFails: (name: string) => `With ${name} attention sees the order: the mean of the outputs changes.`,
    mirrored: 'ALiBi lowers a score by the distance alone, which is the same read backwards. Swap two neighbours.',
    maskFails: 'A causal mask shows every word only those before it, so the order counts.',
    bothFail: (name: string) => `The causal mask and ${name} both show the order.`,
    encodingNames: {
      none: '',
      index: 'the index added',
      sinusoidal: 'sinusoids added',
      learned: 'a learned table added',
      rope: 'RoPE',
      alibi: 'ALiBi',
    } satisfies Record<OrderPositions, string>,
    fails: 'The outputs differ by more than sums in another order explain.',
    sameOrder: 'Both orders are the same; drag a word.',
    sameWords: 'The new order reads like the first; only equal words have changed places.',
    computing: 'Attending in both orders.',
    derivation: html`<p>
      In real numbers both differences are exactly 0. Here every score and every exponential is the same float in both
      orders, for it depends on one query and one key only. The sums over n keys run in another order. A sum of n
      positive floats is within (n − 1) · 2⁻²⁴ of itself, the weighted sum within n · 2⁻²⁴ of the largest value |v|, and
      their quotient adds 2 · 2⁻²⁴. Two orders: 2 · (2n + 1) · 2⁻²⁴ · the larger of 1 and |v|.
    </p>`,
    lookFor:
      'The third map stays the colour of paper, and so does the third row below. Switch on a position encoding, or the causal mask, and both light up. Only ALiBi’s −m |i − j| reads the same backwards: it needs another order.',
    stopsWhen:
      '…anything ties a word to its place: an encoding added to the word, a rotation, a bias on the score, or a mask that hides what comes later. A decoder with a causal mask sees the order even without positions.',
    tableHeads: ['query', 'key', 'weight, first order', 'weight, new order', 'change'],
    tableMean: 'mean of the outputs',
    tableChannel: (channel: string) => `channel ${channel}`,
  },
  {
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
      个键求和的次序：n 个正浮点数之和的误差不超过自身的 (n − 1) · 2⁻²⁴，加权和不超过最大值 |v| 的 n · 2⁻²⁴，相除再加 2
      · 2⁻²⁴。两种顺序合计：2 · (2n + 1) · 2⁻²⁴，再乘以 1 与 |v| 中较大的一个。
    </p>`,
    lookFor:
      '第三张图始终是纸的颜色，下面的第三行也是。打开位置编码或因果掩码，两处都会亮起来。只有 ALiBi 的 −m |i − j| 倒着读也一样，要换成别的顺序才看得出。',
    stopsWhen:
      '有东西把词与它的位置绑在一起时：加在词上的编码、旋转、加在分数上的偏置，或挡住后文的掩码。带因果掩码的解码器，即使没有位置编码也看得见顺序。',
    tableHeads: ['查询', '键', '权重，原来的顺序', '权重，新的顺序', '变化'],
    tableMean: '输出的平均',
    tableChannel: (channel) => `通道 ${channel}`,
  },
);
