import { html } from 'lit';
import { distance, key, query } from '../../texts/roles.js';

export const rotate = {
  name: 'Rotate instead of add',
  title: html`Turning a pair changes where it points, never how long it is.`,
  prose: html`<p>
    RoPE adds nothing. It takes the channels of ${query('query m')} and ${key('key n')} two by two, reads each two as an
    arrow in the plane, and turns the arrow by position × θ. Lengths stay; between the two arrows of a pair the angle
    grows by ${distance()} times θ. Which two channels make a pair is a convention: neighbours (RoFormer, Meta’s Llama),
    or one of each half (GPT-NeoX, Hugging Face). Both are the same rotation of the same numbers in another order.
  </p>`,
  margin: { angle: 'turn of q', angleOfKey: 'turn of k', between: 'between them' },
  before: 'Before',
  after: 'After',
  pair: (pair: string) => `pair ${pair}`,
  turns: (turns: string) => `${turns} turns`,
  beforePlane: 'Query and key of the pair as arrows in the plane, before the turn',
  afterPlane: 'Query and key of the pair as arrows in the plane, after the turn',
  pairings: { interleaved: 'Neighbours (interleaved)', half: 'Halves (half)' },
  matrix: {
    interleaved: 'Rotation matrix of position m where neighbours are paired',
    half: 'Rotation matrix of position m where halves are paired',
  },
  matrixTitle: 'R(m)',
  rowAxis: '↓ channel after',
  columnAxis: 'channel before →',
  controls: {
    m: { label: 'Query position m', field: 'The position of the query' },
    n: { label: 'Key position n', field: 'The position of the key' },
    pair: { label: 'Pair', field: 'The pair' },
    width: { label: 'Rotary width, of 16', field: 'The rotary width' },
    pairing: 'Pairing of q and k',
    pairingOptions: { interleaved: 'neighbours', half: 'halves' },
    direction: 'Direction',
    directions: { forward: 'counter-clockwise', inverse: 'clockwise' },
    reordered: 'Reordered for the other pairing',
    reorderings: { both: 'q and k', query: 'q alone', neither: 'neither' },
  },
  readout: {
    channels: (a: string, b: string) => `channels ${a} and ${b}`,
    inOther: (a: string, b: string) => `(${a} and ${b} in the other order)`,
    score: 'score',
    otherPairing: ', by the other',
  },
  claim: 'No pair changes its length, and both pairings give one score.',
  lengthFails: 'A pair changed its length by more than rounding explains.',
  scoreFails: 'The pairings give two scores by more than rounding explains.',
  queryFails: 'Only q was reordered, so its pairs no longer meet those of k.',
  neitherFails: 'Nothing was reordered: the other pairing turns other channels together, and the score is another.',
  computing: 'Turning every pair.',
  derivation: html`<p>
    The rotation of a pair (a, b) in float32 is off by at most 2⁻²³ (|a| + |b|) in each part, so a pair keeps its length
    to within 2⁻²² of it, and no pair of a vector of length 1 is longer than 1. A score of two such vectors is off by at
    most 2 · 2⁻²², and both pairings together by 2⁻²⁰. The products are summed in float64, which adds nothing that
    counts. The residual shown is the difference of the two scores; the change of length is compared with 2⁻²².
  </p>`,
  lookFor:
    'Move along either matrix: the box in the other one moves to the same number. Neighbours make a staircase of 2 × 2 blocks, halves three diagonals. Slow pairs (high numbers) hardly turn at all.',
  stopsWhen:
    '…weights of one pairing meet code of the other. Reorder q alone, or neither, and the score is another one: most wrong ports of a model are this.',
  tableHeads: [
    'pair',
    'channels',
    'θ',
    'q',
    'R(m) q',
    '|q|',
    '|R(m) q|',
    'k',
    'R(n) k',
    '|k|',
    '|R(n) k|',
    'part of the score',
  ],
} as const;
