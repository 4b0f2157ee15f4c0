import { html } from 'lit';
import { distance, key, query } from '../../texts/roles.js';
import type { Term, TermsIncluded, TermsProjections } from './task.js';

export const terms = {
  name: 'Four terms',
  title: html`Add positions, and a score becomes four terms. Rotate, and it stays one.`,
  prose: html`<p>
    A token with its position added is x + p. Multiply ${query('query m')} with ${key('key n')} and the brackets open:
    content with content, the query’s position with the key’s content, the query’s content with the key’s position,
    position with position. Without matrices the last term depends on ${distance()} alone. With the matrices a model
    learns it does not. RoPE adds nothing: content and position meet in a single product, and what it knows of positions
    is ${distance()}.
  </p>`,
  terms: {
    contentContent: 'Content · content',
    positionContent: 'Position · content',
    contentPosition: 'Content · position',
    positionPosition: 'Position · position',
  } satisfies Record<Term, string>,
  sum: 'Sum',
  rotated: 'RoPE’s one term',
  map: (name: string) => `Of every query with every key: ${name}`,
  unit: 'products',
  tokens: 'the cat saw the dog and then the dog saw the cat'.split(' '),
  queryAxis: '↓ query m',
  keyAxis: 'key n →',
  margin: {
    sum: 'sum of the terms',
    score: 'score of x + p',
    difference: 'difference',
    spread: 'p · p at one n − m',
  },
  projections: 'Between them',
  projectionNames: { identity: 'no matrices', random: 'random matrices' } satisfies Record<TermsProjections, string>,
  included: 'Add up',
  includedNames: {
    all: 'all four',
    outer: 'without cross terms',
    content: 'content only',
    position: 'positions only',
  } satisfies Record<TermsIncluded, string>,
  sentence: {
    label: 'Words, parted by / or spaces',
    refuse: (most: number, got: number) => `The sentence must have 2 to ${most} words; got ${got}.`,
  },
  readout: { sum: 'sum', score: 'score', rotated: 'RoPE' },
  claim: 'The four terms add up to the score of the added tokens.',
  leftOut: (missing: string) => `Terms were left out: up to ${missing} of a score is missing.`,
  fails: 'The sum is off by more than rounding explains.',
  computing: 'Opening the brackets.',
  derivation: html`<p>
    Let M be the largest sum of the sizes of all products in a score, Σ (|x| + |p|) |W| · |W|ᵀ (|x| + |p|), here taken
    from the numbers themselves. The score rounds x + p, query and key, each by 2⁻²⁴ of its size: 4 · 2⁻²⁴ · M. It adds
    d products in float32: d · 2⁻²⁴ · M. The four terms are summed in float64 and rounded once: 2⁻²⁴ · M. Together (d +
    5) · 2⁻²⁴ · M.
  </p>`,
  lookFor:
    'Position · position is striped along its diagonals, until random matrices stand between. Position · content follows the key’s word down its column, content · position the query’s word along its row.',
  stopsWhen:
    '…a term is left out. Some models do so on purpose: they give positions matrices of their own or drop the cross terms. Whether those are noise is an opinion; that the sum needs them is arithmetic.',
  tableHeads: [
    'query m',
    'key n',
    'content · content',
    'position · content',
    'content · position',
    'position · position',
    'sum',
    'score',
    'RoPE',
  ],
} as const;
