import { html } from 'lit';
import { distance, key, query } from '../../texts/roles.js';

export const decay = {
  name: 'Does it fade with distance?',
  title: html`The ceiling falls with distance; only a query equal to its key falls with it.`,
  prose: html`<p>
    RoPE is said to weaken distant words. What Su et al. prove is a ceiling: no score at ${distance()} is above a sum
    that falls on the whole. Two things are left open. The ceiling stands above 1 almost everywhere, and no score of
    unit vectors is above 1 anyway. And under it, only ${query('a query')} that equals ${key('its key')} sinks, since
    its pairs start out in step; for random ones, the pairs are out of step from the start, and distance takes nothing
    away.
  </p>`,
  margin: { kernel: 'q = k', random: 'random, on average', bound: 'ceiling for q = k' },
  scores: 'Score against distance: equal query and key, and a fan of random ones',
  scoresTitle: 'score of unit vectors',
  equal: 'q = k',
  random: 'random q, k',
  bounds: 'The bound of Su et al. against distance, both axes logarithmic',
  boundsTitle: 'ceiling of the score',
  boundEqual: 'for q = k',
  boundRandom: 'least of the random',
  one: 'no score is above 1 anyway',
  distanceAxis: 'distance n − m, tokens →',
  model: 'Model',
  own: 'own choice',
  width: { label: 'Rotary width', field: 'The rotary width' },
  base: { label: 'Base', field: 'The base' },
  claimed: 'What is claimed',
  claims: { bound: 'the ceiling', equal: 'q = k fades', random: 'all fade', monotone: 'each step falls' },
  readout: {
    equal: 'q = k:',
    between: (least: string, greatest: string) => `(between ${least}, ${greatest})`,
    random: 'random: rms',
    bound: 'ceiling',
  },
  bound: 'No score is above its ceiling, at any distance drawn.',
  boundFails: 'A score is above its ceiling.',
  equalHolds: (far: string) => `For q = k, no score from ${far} tokens on is above half of that at 0.`,
  equalFails: (far: string) => `Even for q = k a score past ${far} tokens is above half of that at 0.`,
  randomHolds: 'Random scores far out are less than half of those nearby.',
  randomFails: 'Random scores far out are no smaller than nearby: they do not fade.',
  monotoneHolds: 'K falls at every one of the first thousand steps.',
  monotoneFails: (from: string, to: string) => `K already rises from distance ${from} to ${to}.`,
  computing: 'Scoring at every distance.',
  derivation: {
    bound: html`<p>
      The ceiling follows from summation by parts (Su et al. 2021, section 3.4.3) and is exact; the residual is the
      largest share that any score has of its own ceiling, so it has to stay below 1. Scores are rounded to float32,
      10⁻⁶ of that.
    </p>`,
    equal: html`<p>
      “Fades” is taken as: stays below half of the score at distance 0, which is 1. Every whole distance from 10 000 to
      100 000 is looked at.
    </p>`,
    random: html`<p>
      “Fades” is taken as: the root mean square from 10 000 tokens on is below half of that within the first 10. A turn
      keeps lengths, so for random directions the expected square of the score is the same at every distance.
    </p>`,
    monotone: html`<p>
      K is good to 2⁻⁵¹, so a rise of more than 2⁻⁵⁰ from one distance to the next is real. The residual is the largest
      rise within the first thousand steps.
    </p>`,
  },
  lookFor:
    'Choose “all fade” and “each step falls”: both claims are false, at every base and width. A larger base moves the fall of the blue curve to the right and makes it gentler there; the orange fan stays as wide as it was.',
  stopsWhen:
    '…what is said of the ceiling is said of attention. A trained model does not draw its queries and keys at random; it can learn directions that fade, that stay, or that grow with distance.',
  tableHeads: [
    'distance',
    'q = k',
    'least to the next',
    'greatest to the next',
    'ceiling',
    'random, rms',
    'random, first pair',
  ],
} as const;
