import { html } from 'lit';

export const ledger = {
  name: 'Claims ledger',
  title: html`Most popular claims about positions are not true as they are said.`,
  prose: html`<p>
    Each line is a sentence that articles repeat, taken at its word. It is split into checks, each a number computed on
    this machine beside the limit that the sentence needs. All checks hold: true. Some hold: true with conditions, and
    the checks say which. None holds: false. The number at the end leads to the figure that shows it.
  </p>`,
  colon: ': ',
  margin: {
    true: 'true',
    conditions: 'with conditions',
    false: 'false',
    of: (count: number, all: string) => `${count} of ${all}`,
  },
  verdicts: { true: 'true', conditions: 'with conditions', false: 'false' },
  show: 'Show',
  shown: { all: 'all', true: 'true', conditions: 'with conditions', false: 'false' },
  plot: 'How far every number is from its limit, in powers of ten; left of the line the check holds',
  plotTitle: 'number ÷ limit',
  seeFigure: (number: string) => `see figure ${number}`,
  claim: 'Less than half of these claims are true as they are said.',
  fails: 'At least half of these claims are true as they are said.',
  computing: 'Checking one claim after the other.',
  derivation: html`<p>
    The residual is the share of claims of which every check holds; the sentence above needs it below one half. The
    limits of single checks are the tolerances of the figures they come from, where they are derived: rounding of a
    float32 table, of a rotation, of a frequency. “Fades” is below one half and “alike” above 0.9, by decision.
  </p>`,
  lookFor:
    'Lines with conditions are the instructive ones: the same sentence holds for q = k and not for random vectors, without a mask and not with one, in float64 and not in bfloat16.',
  stopsWhen:
    '…a claim is read more kindly than it is written. The checks take the words as they stand; whoever says “usually” or “roughly” says something else.',
  tableHeads: ['claim', 'check', 'number', 'relation', 'limit', 'verdict'],
  claims: {
    order: {
      text: 'Without positions, attention cannot tell “dog bites man” from “man bites dog”.',
      checks: ['without a mask', 'with a causal mask'],
    },
    oneHot: {
      text: 'One-hot positions tell near from far.',
      checks: ['likeness one apart against nine apart'],
    },
    equalProducts: { text: 'PE(2) ⋅ PE(5) equals PE(10) ⋅ PE(13).', checks: ['difference at d = 512'] },
    linearShift: {
      text: 'PE(m\u00a0+\u00a0k) is a linear map of PE(m) that depends on k\u00a0alone.',
      checks: ['largest difference, k = 7, m up to a million'],
    },
    readsDistance: {
      text: 'The model reads the distance from the dot product of two positions.',
      checks: ['the product is a function of distance', 'the function only falls', 'it is the same through a matrix'],
    },
    period: {
      text: 'Sine and cosine repeat every 2π tokens.',
      checks: ['the fastest wave', 'the slowest wave'],
    },
    aliases: {
      text: 'Far apart, positions look alike again.',
      checks: ['d = 8, up to 200 000 tokens', 'd = 512, up to 200 000 tokens'],
    },
    ropeKernel: {
      text: 'RoPE does away with this likeness.',
      checks: ['difference of its curve from that of the sinusoids'],
    },
    largerBase: {
      text: 'A larger base makes neighbouring waves more alike.',
      checks: ['ratio of frequencies, base 10⁶ against 10²'],
    },
    lengths: { text: 'RoPE leaves the length of vectors as it is.', checks: ['change at position a million'] },
    relativeScore: {
      text: 'The score of rotated vectors depends on n\u00a0−\u00a0m alone.',
      checks: ['float64 angles, float32 table', 'bfloat16 positions'],
    },
    distinctPairs: {
      text: 'A model 4 096 wide turns 2 048 pairs, each at its own speed.',
      checks: ['different speeds in 32 heads'],
    },
    decay: { text: 'RoPE makes distant scores small.', checks: ['q = k', 'random q and k, on average'] },
    alibi: {
      text: 'ALiBi falls linearly with distance and never excludes a word.',
      checks: ['100 tokens cost 100 times one', 'weight 300 tokens back, slope 1/2, in float32'],
    },
    extrapolation: {
      text: 'RoPE reads texts longer than those of its training.',
      checks: ['new angles at twice the length', 'the same, divided by 2'],
    },
  },
} as const;
