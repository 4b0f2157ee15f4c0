import { html } from 'lit';
import { bilingual } from '../messages/bilingual.js';
import { distance, key, query } from '../messages/roles.js';

export const decayText = bilingual(
  {
    name: 'Does it fade with distance?',
    title: html`The ceiling falls with distance; only a query equal to its key falls with it.`,
    prose: html`<p>
      RoPE is said to weaken distant words. What Su et al. prove is a ceiling: no score at ${distance()} is above a sum
      that falls on the whole. Two things are left open. The ceiling stands above 1 almost everywhere, and no score of
      unit vectors is above 1 anyway. And under it, only ${query('a query')} that equals ${key('its key')} sinks, since
      its pairs start out in step; for random ones, the pairs are out of step from the start, and distance takes nothing
      away.
    </p>`,
    margin: { kernel: 'q = k', random: 'random, on average', bound: 'ceiling for q = k' },
    scores: 'Score against distance: equal query and key, and a fan of random ones',
    scoresTitle: 'score of unit vectors',
    equal: 'q = k',
    random: 'random q, k',
    bounds: 'The bound of Su et al. against distance, both axes logarithmic',
    boundsTitle: 'ceiling of the score',
    boundEqual: 'for q = k',
    boundRandom: 'least of the random',
    one: 'no score is above 1 anyway',
    distanceAxis: 'distance n − m, tokens →',
    model: 'Model',
    own: 'own choice',
    width: { label: 'Rotary width', field: 'The rotary width' },
    base: { label: 'Base', field: 'The base' },
    claimed: 'What is claimed',
    claims: { bound: 'the ceiling', equal: 'q = k fades', random: 'all fade', monotone: 'each step falls' },
    readout: {
      equal: 'q = k:',
      between: (least: string, greatest: string) => `(between ${least}, ${greatest})`,
      random: 'random: rms',
      bound: 'ceiling',
    },
    bound: 'No score is above its ceiling, at any distance drawn.',
    boundFails: 'A score is above its ceiling.',
    equalHolds: (far: string) => `For q = k, no score from ${far} tokens on is above half of that at 0.`,
    equalFails: (far: string) => `Even for q = k a score past ${far} tokens is above half of that at 0.`,
    randomHolds: 'Random scores far out are less than half of those nearby.',
    randomFails: 'Random scores far out are no smaller than nearby: they do not fade.',
    monotoneHolds: 'K falls at every one of the first thousand steps.',
    monotoneFails: (from: string, to: string) => `K already rises from distance ${from} to ${to}.`,
    computing: 'Scoring at every distance.',
    derivation: {
      bound: html`<p>
        The ceiling follows from summation by parts (Su et al. 2021, section 3.4.3) and is exact; the residual is the
        largest share that any score has of its own ceiling, so it has to stay below 1. Scores are rounded to float32,
        10⁻⁶ of that.
      </p>`,
      equal: html`<p>
        “Fades” is taken as: stays below half of the score at distance 0, which is 1. Every whole distance from 10 000
        to 100 000 is looked at.
      </p>`,
      random: html`<p>
        “Fades” is taken as: the root mean square from 10 000 tokens on is below half of that within the first 10. A
        turn keeps lengths, so for random directions the expected square of the score is the same at every distance.
      </p>`,
      monotone: html`<p>
        K is good to 2⁻⁵¹, so a rise of more than 2⁻⁵⁰ from one distance to the next is real. The residual is the
        largest rise within the first thousand steps.
      </p>`,
    },
    lookFor:
      'Choose “all fade” and “each step falls”: both claims are false, at every base and width. A larger base moves the fall of the blue curve to the right and makes it gentler there; the orange fan stays as wide as it was.',
    stopsWhen:
      '…what is said of the ceiling is said of attention. A trained model does not draw its queries and keys at random; it can learn directions that fade, that stay, or that grow with distance.',
    tableHeads: [
      'distance',
      'q = k',
      'least to the next',
      'greatest to the next',
      'ceiling',
      'random, rms',
      'random, first pair',
    ],
  },
  {
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
        上限由分部求和得到（Su 等 2021，第 3.4.3 节），是精确的；残差是所有分数中占自己上限最多的那一份，须小于
        1。分数用 float32 计算，舍入只有它的 10⁻⁶。
      </p>`,
      equal: html`<p>“衰减”在这里指：低于距离 0 处分数（即 1）的一半。从 10 000 到 100 000 的每个整数距离都算过。</p>`,
      random: html`<p>
        “衰减”在这里指：10 000 个词元以外的均方根，不到前 10
        个词元内的一半。旋转不改变长度，所以方向随机时，分数平方的期望在每个距离上都一样。
      </p>`,
      monotone: html`<p>
        K 的误差不超过 2⁻⁵¹，因此相邻距离间超过 2⁻⁵⁰ 的上升是真的。残差是前一千步里最大的一次上升。
      </p>`,
    },
    lookFor:
      '选“都会衰减”和“步步下降”：无论底数与宽度，两种说法都不成立。底数越大，蓝线下降得越晚、越缓；橙色的一把线，宽窄始终不变。',
    stopsWhen:
      '把关于上限的话当成关于注意力的话时。训练好的模型并不随机取查询和键；它可以学到随距离减弱的方向，也可以学到不变的，甚至增强的。',
    tableHeads: ['距离', 'q = k', '到下一个之前最小', '到下一个之前最大', '上限', '随机，均方根', '随机，第一组'],
  },
);
