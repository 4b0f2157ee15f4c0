import { html } from 'lit';
import type { Scheme } from './task.js';

export const numbers = {
  name: 'From a number to a wave',
  title: html`Five ways to write a position down. Only the waves make neighbours alike, and equally so everywhere.`,
  prose: (rows: string) =>
    html`<p>
        The plain index says everything in one number, but it grows without end, and a network that multiplies and adds
        sees only its size. Divided by the length it stays small, yet the same word gets another code in a longer text.
        A one-hot row is as wide as the text is long, and any two rows are equally unlike. A learned table of ${rows}
        rows can say anything it was trained for, and nothing about row ${rows}.
      </p>
      <p>
        Waves need no table and no length. Under each code stands the cosine similarity of every two positions: stripes
        along the diagonals mean that the same distance looks the same everywhere.
      </p>`,
  schemes: {
    integer: 'Index',
    unit: 'Index / (L − 1)',
    'one-hot': 'One-hot',
    learned: 'Learned table',
    waves: 'Waves',
  } satisfies Record<Scheme, string>,
  short: {
    integer: 'index',
    unit: '0 … 1',
    'one-hot': 'one-hot',
    learned: 'learned',
    waves: 'waves',
  } satisfies Record<Scheme, string>,
  codeMap: (name: string) => `Codes of all positions: ${name}`,
  similarityMap: (name: string) => `Cosine similarity of every two positions: ${name}`,
  code: 'code',
  similarity: 'similarity',
  positionAxis: '↓ position',
  channelAxis: 'channel →',
  firstAxis: '↓ m',
  secondAxis: 'n →',
  length: { label: 'Positions L', field: 'The number of positions' },
  width: { label: 'Width d', field: 'The width' },
  base: { label: 'Base b', field: 'The base' },
  scheme: 'Judge',
  margin: {
    spread: 'same distance, differs by',
    neighbours: 'neighbours, at least',
    further: 'further apart, at most',
  },
  readout: { similarity: 'similarity' },
  claim: 'Similarity depends on the distance alone, and neighbours are the most alike.',
  oneDirection: 'One number has one direction: all similarities are 1, except with position 0, which has none.',
  allAlike: 'Every two positions have similarity 0, so none is near.',
  noPattern: 'The same distance looks different from row to row; training may change that, nothing here demands it.',
  comesBack: (further: string) => `Some positions further apart are as alike as ${further}, more than neighbours are.`,
  fails: 'Similarities at the same distance differ by more than rounding explains.',
  computing: 'Writing the positions down in five ways.',
  derivation: html`<p>
    A row of waves has length √(d/2), and each of its d numbers is within 0.51 · 2⁻²⁴ of the exact one, so the row is
    off by at most 0.51 · √2 · 2⁻²⁴ of its length, and the cosine of two rows by twice that. It is summed in float64 and
    rounded once, which adds 2⁻²⁵: less than 2 · 2⁻²⁴. Two cosines at one distance differ by less than 4 · 2⁻²⁴ = 2⁻²².
  </p>`,
  facts: {
    heads: ['', 'largest', 'twice as long', 'spread'],
    stays: 'stays',
    changes: (by: string) => `off by ${by}`,
    widens: (width: string) => `${width} wide`,
    ends: (rows: string) => `ends at ${rows}`,
  },
  lookFor:
    'Only the last matrix is striped and fades from its diagonal. The table gives the largest number of each code, what becomes of the last position’s code in a text twice as long, and how much similarity varies at one distance.',
  stopsWhen:
    '…the waves are too few. With width 2 there is one wave; it comes back after 2π ≈ 6.28, so positions 6 apart look more alike than neighbours. And similarity is not what a trained layer computes: it puts matrices in between.',
  tableHeads: ['m', 'n', 'n − m'],
} as const;
