import { html } from 'lit';

export const waves = {
  name: 'A table of waves',
  title: html`Each position is a row of waves, fast on the left and slow on the right.`,
  prose: (sentence: string, gloss: boolean, rows: string, dim: string, slowest: string) =>
    html`<p>
      Take the sentence <span lang="zh-Hans">${sentence}</span>${gloss ? ' (“I am awesome”)' : ''}, pad it to ${rows}
      rows, and give every row ${dim} numbers: sines and cosines whose frequencies fall from 1 radian per token to about
      1/${slowest}. Row 0 is always 0, 1, 0, 1, … Further down every column has moved on, though at the far right only
      barely.
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
    past: (columns: readonly string[], dim: string) => `Not drawn, because the width is ${dim}: ${columns.join(', ')}.`,
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
} as const;
