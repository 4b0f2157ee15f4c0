import { html } from 'lit';
import { bilingual } from '../messages/bilingual.js';

export const tableText = bilingual(
  {
    tensor: 'Table',
    unnamed: 'No name in this file speaks of positions, so every table of it is listed.',
    none: 'This file has no table: no tensor of floats with two axes.',
    reading: 'Reading the table.',
    verdict: {
      striped: (rows: string, dim: string) =>
        `${rows} rows of ${dim}: how similar two of them are follows from their distance, as in a table with a formula.`,
      learned: (rows: string, dim: string, share: string) =>
        `${rows} rows of ${dim}: their distance explains ${share} % of how similar two of them are.`,
      constant: (rows: string, dim: string) => `${rows} rows of ${dim}: every two of them are equally similar.`,
    },
    claim: 'The similarity of two rows depends on their distance alone.',
    fails: (share: string) => `Distance explains ${share} % of how similar two rows are, not all of it.`,
    constant: 'Similarities that do not vary have nothing to explain.',
    computing: 'Comparing every two rows',
    derivation: html`The residual is one minus the Toeplitz score: the variance of the cosine similarities along the
    diagonals of the matrix, divided by their variance in all of it. Rows with themselves and reserved rows are left
    out. A table with a formula comes to rounding errors, about 10<sup>−13</sup>; the limit of 0.01 stands for “99 % is
    explained”.`,
    map: 'Cosine similarity of every two rows of the table',
    similarity: 'cosine similarity',
    rowAxis: '↓ row m',
    columnAxis: 'row n →',
    norms: 'Length of every row of the table',
    norm: 'length of the row',
    row: 'row',
    readout: { similarity: 'similarity', lengths: 'lengths' },
    facts: {
      shape: 'rows × width',
      score: 'Toeplitz score',
      norms: 'lengths of the rows',
      middle: 'median length',
      reserved: 'reserved rows',
      first: 'row of position 0',
    },
    noReserved: 'none',
    more: (count: string) => `and ${count} more`,
    between: (least: string, most: string) => `${least} … ${most}`,
    reservedNote: html`Rows of zeros, or shorter than a hundredth of the median length: no position was learned into
    them.`,
    offsetNote: (rows: string, positions: string) =>
      `${rows} = ${positions} + 2. Models of the RoBERTa, BART and OPT families keep the first two rows for padding, so that position p is at row p + 2.`,
    windowed: (rows: string, size: string, limit: string, first: string, last: string) =>
      `${rows} × ${rows} similarities need ${size} MB; the limit is ${limit}. Rows ${first} to ${last} are shown.`,
    firstRow: { label: 'First row', field: 'The first row' },
    comma: ', ',
  },
  {
    tensor: '位置表',
    unnamed: '文件里没有名字提到位置，因此列出其中所有的表。',
    none: '文件里没有表：没有一个张量是两个轴的浮点数。',
    reading: '正在读取这个表。',
    verdict: {
      striped: (rows, dim) => `${rows} 行，每行 ${dim} 个数：两行有多相似，只看它们的距离，如同由公式算出的表。`,
      learned: (rows, dim, share) => `${rows} 行，每行 ${dim} 个数：两行有多相似，距离能解释 ${share}%。`,
      constant: (rows, dim) => `${rows} 行，每行 ${dim} 个数：任意两行同样相似。`,
    },
    claim: '两行的相似度只取决于它们的距离。',
    fails: (share) => `两行有多相似，距离只解释了 ${share}%。`,
    constant: '相似度没有变化，也就没有什么要解释。',
    computing: '正在比较任意两行',
    derivation: html`残差是 1 减去 Toeplitz
    分数：余弦相似度沿矩阵各条对角线的方差，除以它在整个矩阵中的方差。每行与自身、保留行都不计入。由公式算出的表只剩舍入误差，约为
    10<sup>−13</sup>；界限 0.01 的意思是“解释了 99%”。`,
    map: '表中任意两行的余弦相似度',
    similarity: '余弦相似度',
    rowAxis: '↓ 行 m',
    columnAxis: '行 n →',
    norms: '表中每一行的长度',
    norm: '行的长度',
    row: '行',
    readout: { similarity: '相似度', lengths: '长度' },
    facts: {
      shape: '行数 × 宽度',
      score: 'Toeplitz 分数',
      norms: '各行的长度',
      middle: '长度的中位数',
      reserved: '保留行',
      first: '位置 0 所在的行',
    },
    noReserved: '无',
    more: (count) => `另有 ${count} 行`,
    between: (least, most) => `${least} … ${most}`,
    reservedNote: '全为零的行，或长度不到中位数百分之一的行：没有任何位置学到里面。',
    offsetNote: (rows, positions) =>
      `${rows} = ${positions} + 2。RoBERTa、BART 与 OPT 一类的模型把最前面两行留给填充，位置 p 在第 p + 2 行。`,
    windowed: (rows, size, limit, first, last) =>
      `${rows} × ${rows} 个相似度需要 ${size} MB，上限 ${limit} MB；现显示第 ${first} 至 ${last} 行。`,
    firstRow: { label: '第一行', field: '第一行' },
    comma: '、',
  },
);
