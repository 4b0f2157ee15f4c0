import { html } from 'lit';
import { distance } from '../../texts/roles.js';

export const precision = {
  name: 'When arithmetic breaks it',
  title: html`Round the table and the score stays relative; round the position or the angle and it does not.`,
  prose: html`<p>
    A table of cosines is made in four stages: position, frequency, their product the angle, and its cosine and sine.
    Hold any of them in fewer bits and something is damaged, but not the same thing. A rounded frequency is the exact
    frequency of another model: scores are wrong at every ${distance('distance n − m')}, and still the same wherever the
    pair stands. A rounded position or angle is right near 0 and gets worse further out, so one distance has many
    scores. The first plot shows the second kind of damage, the second plot the first.
  </p>`,
  margin: { exact: 'exact score', now: 'rounded, here', drift: 'since shift 0', error: 'at shift 0, off by' },
  left: 'Both slide, the distance stays',
  right: 'The distance grows, at shift 0',
  drift: 'Change of the score since shift 0 against the shift, both axes logarithmic',
  driftTitle: 'change of the score',
  error: 'Error of the score at shift 0 against the distance, both axes logarithmic',
  errorTitle: 'error of the score',
  bound: 'table and sum alone',
  all: 'together',
  stages: { position: 'position', invFreq: 'frequency', angle: 'angle', table: 'table' },
  shift: { label: 'Shift, in tokens', field: 'The shift' },
  distance: { label: 'Distance, in tokens', field: 'The distance' },
  recipe: 'As in',
  recipes: {
    exact: 'float64 throughout',
    posenc: 'float64 angle, float32 table (this library)',
    huggingFace: 'float32 throughout (Hugging Face)',
    halfTable: 'float32 angle, bfloat16 table',
    halfThroughout: 'float16 throughout',
    halfPositions: 'bfloat16 positions',
    own: 'own choice',
  },
  readout: {
    shift: 'shift',
    score: 'score',
    exact: (score: string) => ` (exact ${score})`,
    drift: 'change since shift 0',
    error: 'error at shift 0',
  },
  claim: 'With these types the score still depends on the distance alone.',
  fails: 'The same distance scores differently further out: a position or an angle ran out of digits.',
  none: 'none',
  overflows: 'float16 ends at 65 504: what goes past it is infinite, and no score is left.',
  computing: 'Scoring at every shift.',
  derivation: html`<p>
    A cosine and a sine that are off by u each turn a pair to within √2 u of its length, where u is half a unit in the
    last place of the table: 2⁻⁵³, 2⁻²⁴, 2⁻¹¹ or 2⁻⁸ for float64, float32, float16 and bfloat16. A score has two such
    turns, so with vectors of length 1 it is off by at most √2 u (2 + √2 u), and a drift compares two scores: twice
    that, and the rounding of the two sums in float64. Positions, frequencies and angles are not in the bound: a drift
    beyond it can only come from a position or an angle, for a rounded frequency is an exact frequency.
  </p>`,
  lookFor:
    'The frequency alone never leaves the bottom of the first plot, though it does most damage in the second. Choose bfloat16 for the position: the first curve leaps past the bound once a position passes 256, the last whole number that bfloat16 can tell from the next.',
  stopsWhen:
    '…a stage before the cosine has too few digits for the position. float32 angles near a million are multiples of 1/16, so they are already off by up to 1/32 at a million tokens; bfloat16 positions by a quarter of the whole score.',
  tableHeads: ['shift', 'change since shift 0', 'distance', 'error at shift 0'],
} as const;
