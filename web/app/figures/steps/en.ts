import { html } from 'lit';
import { key, query } from '../../texts/roles.js';
import type { Method, Step, StepsMask, StepsMistake, StepsProjections } from './task.js';

export const steps = {
  name: 'RoPE attention, step by step',
  title: html`RoPE is one more step: queries and keys turn before they meet. All the rest is plain attention.`,
  prose: (heads: string, kvHeads: string, width: string) =>
    html`<p>
      Every token has a vector x. Three matrices make ${query('queries')}, ${key('keys')} and values of it, here in
      ${heads} heads of ${width} channels with ${kvHeads} for keys and values. RoPE turns queries and keys by their
      positions; values stay. Then scores, mask, weights and output, as always. Beside it the same steps without
      positions, and with sinusoids added to x, which change every matrix after it. Point at a cell: the line below the
      figure works it out.
    </p>`,
  tokens: 'the cat saw the dog'.split(' '),
  methods: { rope: 'RoPE', none: 'no positions', sinusoids: 'sinusoids' } satisfies Record<Method, string>,
  steps: {
    x: '1 Embeddings x',
    q: '2 Queries q',
    k: '3 Keys k',
    v: '4 Values v',
    turnedQ: '5 Queries, turned',
    turnedK: '6 Keys, turned',
    scores: '7 Scores',
    weights: '8 Weights',
    output: '9 Output',
  } satisfies Record<Step, string>,
  map: (step: string) => `${step}: with RoPE, without positions, with sinusoids added`,
  queryAxis: '↓ query m',
  keyRows: '↓ key n',
  tokenAxis: '↓ token',
  keyAxis: 'key n →',
  channelAxis: 'channel →',
  margin: { difference: 'largest difference', steps: 'nine steps', call: 'one call' },
  heads: { label: 'Heads', kv: 'Heads of keys and values', shown: 'Head shown' },
  mask: 'Mask',
  masks: {
    none: 'none',
    causal: 'causal',
    window: 'window',
    both: 'both',
  } satisfies Record<StepsMask, string>,
  projections: 'Projections',
  projectionNames: { random: 'random', identity: 'identity' } satisfies Record<StepsProjections, string>,
  mistake: 'Break it',
  mistakes: {
    none: 'intact',
    values: 'values turn too',
    keys: 'keys stay',
    early: 'turn x instead',
  } satisfies Record<StepsMistake, string>,
  method: 'Work out',
  sentence: {
    label: 'Words, parted by / or spaces',
    refuse: (most: number, got: number) => `The sentence must have 2 to ${most} words; got ${got}.`,
  },
  readout: {
    embedding: 'the stand-in vector of the word',
    plusPosition: 'word + position',
    turnedEarly: 'turned before the projections',
    turnedToo: 'x × W, then turned',
    same: 'as before, not turned',
    masked: 'masked: −∞',
    unseen: 'masked: 0',
    more: (count: string) => `… (${count} products)`,
  },
  claim: 'In every head the steps give what one call of attention with RoPE gives.',
  whys: {
    none: 'The steps are off by more than rounding explains.',
    values: 'Values were turned too, so what is averaged depends on where it stands.',
    keys: 'Only queries were turned, so a score depends on m, not on n − m.',
    early: 'Turned embeddings go through the matrices: the turn is no longer the last thing before the score.',
  } satisfies Record<StepsMistake, string>,
  computing: 'Taking the steps.',
  derivation: html`<p>
    Both ways are calls of attention, each within 5 · 10⁻⁶ + 2⁻²² · S of the largest value |v|, S being the largest
    score. A rotated vector is within 1.52 · √2 · 2⁻²³ of its length, which moves a score by at most 2 · 1.52 · √2 ·
    2⁻²³ · |q| |k| / √D and the output by twice that times |v|. S, |q|, |k| and |v| are taken from the numbers here.
  </p>`,
  lookFor:
    'Steps 1 to 4 are the same with RoPE and without positions; the first difference is in 5 and 6, and the first row does not turn, for it stands at position 0. With sinusoids even the values differ: position has got into what is passed on.',
  stopsWhen:
    '…the turn is anywhere else: on the values, on one side alone, or before the matrices. With identity projections and one head even that last mistake does no harm to the scores, only to the values.',
  tableHeads: ['step', 'row', 'column', 'RoPE', 'no positions', 'sinusoids'],
} as const;
