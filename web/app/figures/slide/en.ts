import { html } from 'lit';
import { distance, key, query } from '../../texts/roles.js';

export const slide = {
  name: 'Slide both, nothing moves',
  title: html`Move the whole sentence a million tokens on: rotated scores stay, added ones do not.`,
  prose: (pairs: string, name: string, headDim: string, base: string) =>
    html`<p>
      Both sides use the same tokens and the same ${pairs} frequencies (<span class="nb">${name}</span>: heads of
      ${headDim}, base <span class="nb">${base}</span>). RoPE turns ${query('query m')} and ${key('key n')} by their
      positions, so only ${distance()} is left in the score. Adding leaves cross terms that know where the sentence
      stands.
    </p>`,
  margin: { now: 'rotated, now', before: 'at shift 0', difference: 'difference' },
  tokens: 'the cat saw the dog and then the dog saw the cat'.split(' '),
  rotated: 'Rotated (RoPE)',
  added: 'Added (sinusoidal)',
  largestChange: (change: string) => `largest change ${change}`,
  rotatedMap: 'Rotated scores of every query with every key, and their change since shift 0',
  addedMap: 'Scores with added sinusoids of every query with every key, and their change since shift 0',
  scores: 'scores, −1 to +1',
  change: 'change since shift 0',
  queryAxis: '↓ query m',
  keyAxis: 'key n →',
  curve: 'Largest change of any score against the shift, both axes logarithmic',
  curveTitle: 'largest change of any score',
  rotatedLine: 'rotated',
  addedLine: 'added',
  tolerance: 'tolerance 2⁻²⁰',
  shift: { label: 'Shift both by, in tokens', keysOnly: 'Shift the keys by, in tokens', field: 'The shift' },
  break: 'Break it',
  modes: {
    intact: 'Intact',
    keys: 'Shift keys only',
    mixed: 'Pair keys the other way',
    fp16: 'fp16 positions',
    bf16: 'bf16 positions',
    base: 'Keys of another base',
  },
  notes: {
    intact: 'Both sides shift, turn and round alike.',
    keys: 'An offset on one side, as after a cache that counts anew.',
    mixed: 'Weights of one convention in code of the other, on one side.',
    fp16: 'Every position is rounded to float16 first.',
    bf16: 'Every position is rounded to bfloat16 first.',
    base: 'Keys were turned when the base was an eighth, as with dynamic scaling.',
  },
  readout: {
    rotated: 'rotated',
    added: 'added',
    atZero: (value: string) => `(at shift 0: ${value})`,
  },
  claim: 'Rotated scores depend on n\u00a0−\u00a0m alone.',
  why: {
    intact: 'A rotated score changed by more than rounding explains.',
    keys: 'Only the keys moved, so n − m changed.',
    mixed: 'Keys turn other channels together than queries do, so the angles no longer subtract.',
    fp16: 'float16 cannot tell neighbouring positions apart here.',
    bf16: 'bfloat16 cannot tell neighbouring positions apart here.',
    base: 'Keys turned at other speeds than queries, so the angles do not subtract to n − m.',
  },
  overflows: 'float16 ends at 65 504: a position past it is infinite, and no score is left.',
  computing: 'Rotating and adding.',
  derivation: html`<p>
    The rotation of a pair (a, b) in float32 is off by at most 2⁻²³ (|a| + |b|) in each part, so a rotated vector of
    length 1 is off by at most 2⁻²². A score has two such vectors, and a change is the difference of two scores: 4 ·
    2⁻²² = 2⁻²⁰. The products are summed in float64, which adds nothing that counts.
  </p>`,
  lookFor:
    'The left change map stays the colour of paper at every shift. The two curves below it are about seven powers of ten apart.',
  stopsWhen:
    '…arithmetic runs out of digits. Whole numbers above 256 do not all fit bfloat16, so neighbours share a position and the badge turns red.',
  tableHeads: ['query m', 'key n', 'rotated, shift 0', 'rotated, now', 'added, shift 0', 'added, now'],
} as const;
