import { html } from 'lit';
import { distance } from '../../texts/roles.js';

export const relative = {
  name: 'Other relative encodings',
  title: html`All seven of these put the distance into the score, and nothing else of the position.`,
  prose: html`<p>
    RoPE turns vectors. Others leave them as they are and add to the score: a straight line (ALiBi), a learned number
    per bucket of distances (T5), a logarithm (KERPLE), a small network (FIRE), or the product of the query with a
    vector that stands for ${distance('the distance')} (Shaw, Transformer-XL, DeBERTa). Put one query and one key at
    every position, and each gives a matrix that is constant along its diagonals. On words, the diagonals meet the
    contents.
  </p>`,
  margin: { slope: 'score at the cursor', change: 'drift, this method', bound: 'explained by rounding' },
  method: 'Encoding',
  tokens: 'the cat saw the dog and then the dog saw the cat'.split(' '),
  left: 'The same query and key everywhere',
  right: 'Attention of the words',
  scores: 'scores, −6 to +6',
  weights: 'weights, 0 to 1',
  scoresMap: 'Scores of one query and one key at every pair of positions',
  weightsMap: 'Attention weights of the words',
  queryAxis: '↓ query m',
  keyAxis: 'key n →',
  curve: 'Score of one query and one key against distance, for every head',
  curveTitle: 'score',
  distanceAxis: 'distance n − m →',
  headName: (head: string) => `head ${head}`,
  head: { label: 'Head', field: 'The head' },
  start: { label: 'The first word is at', field: 'The first position' },
  sight: 'A word sees',
  sights: { both: 'both sides', causal: 'what came before' },
  readout: { score: 'score', weight: 'weight of the words', masked: 'masked' },
  badges: 'Distance alone?',
  badgeHeads: ['encoding', '', 'drift', 'bound'],
  claim: (name: string) => `${name}: the score depends on the distance alone.`,
  fireFails:
    'Past position 512 the bias of FIRE is divided by where the query stands, so the distance alone does not decide.',
  fails: (name: string) => `${name}: a score moved by more than rounding explains.`,
  computing: 'Scoring at every position.',
  derivation: html`<p>
    The score of one query and one key is taken at nine distances and at shifts up to the first word, and compared with
    the one at shift 0. The bound adds up what rounding can do to either: half a unit in the last place of a bias, or of
    every product of the query with a relative vector, of the actual numbers. The line shows the distance and shift that
    come nearest to their bound, or go furthest past it. Learned tables are drawn from a seed here; the rule does not
    depend on them.
  </p>`,
  lookFor:
    'The stripes of the left matrix run along the diagonals for every encoding. Move the first word past 512: the badge of FIRE turns red, those of the other six do not.',
  stopsWhen:
    '…an encoding normalises by the position, as FIRE does past its threshold. Nor does “distance alone” say what is done with it: ALiBi forgets, T5 stops telling distances past 128 apart, Shaw past 8.',
  tableHeads: ['query m', 'key n', 'n − m', 'score', 'weight of the words'],
} as const;
