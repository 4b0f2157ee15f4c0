import { html } from 'lit';
import { apart, first, second } from './words.js';

export const distance = {
  name: 'Distance hides in the dot product',
  title: html`The dot product of two positions knows how far apart they are, and nothing else.`,
  prose: html`<p>
    Multiply the rows of ${first('position m')} and ${second('position n')} number by number and add up. Each wave
    leaves the cosine of its frequency times ${apart}; where the two stand cancels. So the matrix of all products is
    striped along its diagonals, and the window at 1&nbsp;000&nbsp;000 shows the picture of the window at 0. What is
    left is one curve K. It has no direction, for it is the same on both sides, and it names no single distance, for it
    falls and rises.
  </p>`,
  margin: { difference: 'difference' },
  map: 'Dot products of the rows of every two positions in a window, and their change since the window at 0',
  products: 'PE(m) ⋅ PE(n)',
  productsThrough: 'PE(m) ⋅ W ⋅ PE(n)',
  change: 'change since the window at 0',
  firstAxis: '↓ position m',
  secondAxis: 'position n →',
  row: 'The row of position m: dot product against distance',
  rowTitle: (m: string) => `row m = ${m}: d/2 ⋅ K(n − m)`,
  rowTitleThrough: (m: string) => `row m = ${m}`,
  distanceAxis: 'distance n − m →',
  curve: 'Largest change of any dot product against the start of the window, both axes logarithmic',
  curveTitle: 'largest change of any product',
  tolerance: 'tolerance',
  start: { label: 'The window starts at', field: 'The start of the window' },
  width: { label: 'Width d', field: 'The width' },
  between: { label: 'Between the two rows', nothing: 'nothing', matrix: 'a random matrix W' },
  readout: { change: 'change since the window at 0:' },
  claim: (start: string) => `The window at ${start} has the dot products of the window at 0: d/2 ⋅ K(n − m).`,
  matrixFails: 'A matrix stands between the two rows, so the product knows where they are.',
  fails: 'A dot product is off by more than rounding explains.',
  computing: 'Multiplying every two rows.',
  derivation: html`<p>
    Each number of a row is within 0.51 · 2⁻²³ of its own size of the exact sine or cosine, so a product of two is
    within twice that share of itself. The sizes of the products of two rows add up to at most d/2, so a dot product,
    summed in float64, is within 0.51 · 2⁻²³ · d of the exact one. A change is the difference of two: 1.02 · d · 2⁻²³.
  </p>`,
  lookFor:
    'The change map stays the colour of paper at every start. Move along a row: the curve below it is the same for every row, only moved. At d = 512 it rises for the first time from distance 43 to 44.',
  stopsWhen:
    '…anything stands between the two rows. A model multiplies both by learned matrices first; with a random one in between, (2, 5) and (10, 13) give unlike numbers and the badge turns red.',
  tableHeads: ['position m', 'position n', 'n − m', 'window at 0', 'window now', 'change'],
} as const;
