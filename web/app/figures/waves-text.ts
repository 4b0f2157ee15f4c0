import { html } from 'lit';
import { bilingual } from '../messages/bilingual.js';

export const wavesText = bilingual(
  {
    name: 'A table of waves',
    title: html`Each position is a row of waves, fast on the left and slow on the right.`,
    prose: (sentence: string, gloss: boolean, rows: string, dim: string, slowest: string) =>
      html`<p>
        Take the sentence <span lang="zh-Hans">${sentence}</span>${gloss ? ' (“I am awesome”)' : ''}, pad it to ${rows}
        rows, and give every row ${dim} numbers: sines and cosines whose frequencies fall from 1 radian per token to
        about 1/${slowest}. Row 0 is always 0, 1, 0, 1, … Further down every column has moved on, though at the far
        right only barely.
      </p>`,
    steps: 'The frequency of a pair, step by step',
    difference: 'largest difference',
    atPair: (pair: string) => `at i = ${pair}`,
    map: (rows: number, columns: number) => `Heat map of the positional encoding, ${rows} rows by ${columns} columns`,
    positionAxis: '↓ position',
    dimensionAxis: 'dimension →',
    wavelengthAxis: 'wavelength, tokens',
    enlarged: (last: number) => (last > 0 ? `rows 0–${last} enlarged` : 'row 0 enlarged'),
    lines: 'Chosen columns against position',
    linesTitle: 'value',
    linesAxis: 'position →',
    readout: {
      position: 'position',
      dimension: 'dimension',
      pair: (pair: string) => `pair ${pair}`,
      wavelength: 'wavelength',
    },
    width: { label: 'Width d', field: 'The width' },
    base: { label: 'Base b', field: 'The base' },
    rows: { label: 'Rows', field: 'The number of rows' },
    show: 'Show',
    reach: { label: 'Lines run over', rows: 'the rows', far: (positions: string) => `${positions} positions` },
    sentence: {
      label: 'Sentence, words parted by / or spaces',
      refuse: (most: number, got: number) => `The sentence must have 1 to ${most} words; got ${got}.`,
    },
    columns: {
      label: 'Columns in the line plot',
      refuse: (most: number, last: number, got: string) =>
        `The columns must be 1 to ${most} whole numbers from 0 to ${last}, parted by commas; got ${got}.`,
      nothing: 'nothing',
      past: (columns: readonly string[], dim: string) =>
        `Not drawn, because the width is ${dim}: ${columns.join(', ')}.`,
    },
    claim: (half: string) => `Every row has squared length d/2 = ${half}.`,
    claimFails: (half: string) => `Some row’s squared length is not d/2 = ${half}.`,
    claimDoesNotApply: 'Squared row length d/2 is a claim about PE alone.',
    computing: 'Filling the table.',
    derivation: html`<p>
      Each number is within 0.51 units in the last place of the exact sine or cosine, that is within 0.51 · 2⁻²³ of its
      own size. Its square is off by at most twice that share of itself, and the squares of a row add up to d/2. So a
      row’s squared length, summed in float64, is within 2 · 0.51 · 2⁻²³ · d/2 = 1.02 · d · 2⁻²⁴ of d/2.
    </p>`,
    lookFor:
      'Raise the base: the boundary between stripes and calm moves left. A larger base spreads neighbouring frequencies further apart, not closer. Let the lines run over 10 000 positions: columns that hardly move within the rows turn out to be waves as well.',
    stopsWhen:
      '…you add the words. In x + PE the waves survive, but a row’s length is no longer fixed, so the badge steps aside.',
    tableHead: 'position',
  },
  {
    name: '由正弦波组成的表',
    title: html`每个位置都是一行波：<wbr />左边快，<wbr />右边慢。`,
    prose: (sentence, _gloss, rows, dim, slowest) =>
      html`<p>
        把“${sentence.replaceAll(' / ', '／')}”补齐到 ${rows}&nbsp;行，每行放
        ${dim}&nbsp;个数：正弦与余弦，频率从每个词元（token）1&nbsp;弧度一路降到约
        1/${slowest}&nbsp;弧度。第&nbsp;0&nbsp;行永远是 0、1、0、1……；越往下走，每一列都在变，只是最右边变得极慢。
      </p>`,
    steps: '一对分量的频率，逐步改写',
    difference: '最大相差',
    atPair: (pair) => `i = ${pair}`,
    map: (rows, columns) => `位置编码热图，${rows} 行 ${columns} 列`,
    positionAxis: '↓ 位置',
    dimensionAxis: '维度 →',
    wavelengthAxis: '波长（词元）',
    enlarged: (last) => (last > 0 ? `第 0–${last} 行放大` : '第 0 行放大'),
    lines: '选定的列随位置的变化',
    linesTitle: '数值',
    linesAxis: '位置 →',
    readout: { position: '位置', dimension: '维度', pair: (pair) => `第 ${pair} 对`, wavelength: '波长' },
    width: { label: '宽度 d', field: '宽度' },
    base: { label: '底数 b', field: '底数' },
    rows: { label: '行数', field: '行数' },
    show: '显示',
    reach: { label: '曲线画到', rows: '与行数相同', far: (positions) => `${positions} 个位置` },
    sentence: {
      label: '句子，词之间用 / 或空格隔开',
      refuse: (most, got) => `句子须有 1 到 ${most} 个词，收到 ${got} 个。`,
    },
    columns: {
      label: '画成曲线的列',
      refuse: (most, last, got) => `须为 1 到 ${most} 个整数，每个在 0 到 ${last} 之间，用逗号隔开；收到的是 ${got}。`,
      nothing: '空白',
      past: (columns, dim) => `宽度只有 ${dim}，没有画出：${columns.join('、')}。`,
    },
    claim: (half) => `每一行的长度平方都是 d/2 = ${half}。`,
    claimFails: (half) => `有的行长度平方不是 d/2 = ${half}。`,
    claimDoesNotApply: '“行长平方为 d/2”只针对 PE 本身。',
    computing: '正在填表。',
    derivation: html`<p>
      每个数与精确的正弦或余弦相差不超过 0.51 个末位单位，即自身大小的 0.51 ·
      2⁻²³。平方之后，相对误差至多翻倍；一行的平方和是 d/2。因此用 float64 求和时，一行的长度平方与 d/2 相差不超过 2 ·
      0.51 · 2⁻²³ · d/2 = 1.02 · d · 2⁻²⁴。
    </p>`,
    lookFor:
      '把底数调大：条纹与平静的分界线会往左移。底数越大，相邻频率拉得越开，而不是越近。把曲线画到 10 000 个位置：在这些行里几乎不动的列，原来也是波。',
    stopsWhen: '加上词向量之后：x + PE 里波仍在，但行的长度不再固定，徽章因此显示“不适用”。',
    tableHead: '位置',
  },
);
