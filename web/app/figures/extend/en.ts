import { html } from 'lit';

export const extend = {
  name: 'Longer than it was trained',
  title: html`A stretched model stays on known ground as long as no pair turns past its trained arc.`,
  prose: (name: string, trained: string) =>
    html`<p>
      <span class="nb">${name}</span> was first trained on ${trained} tokens. Its fast pairs went round many times and
      have met every angle; its slow ones have swept a part of one turn and nothing beyond. A longer text turns those
      further, to angles that no weight has ever seen. Every rule of stretching divides the frequencies, each pair by a
      number of its own. The hatched arcs are what is left that training did not cover.
    </p>`,
  margin: {
    attention: 'attention factor A',
    logits: 'scores × A²',
    softmax: 'softmax factor',
    pairs: 'pairs on new arcs',
    of: (some: string, all: string) => `${some} of ${all}`,
  },
  methods: {
    default: 'none',
    linear: 'PI (linear)',
    ntk: 'NTK-aware',
    dynamic: 'dynamic NTK',
    yarn: 'YaRN',
    longrope: 'LongRoPE',
    llama3: 'Llama 3',
  },
  lines: {
    default: 'none',
    linear: 'PI',
    ntk: 'NTK',
    dynamic: 'dynamic',
    yarn: 'YaRN',
    longrope: 'LongRoPE',
    llama3: 'Llama 3',
  },
  method: 'Rule',
  factor: { label: 'Factor', field: 'The factor' },
  length: { label: 'Tokens of the text', field: 'The number of tokens' },
  divisor: 'Divisor of the frequency of each pair by every rule, logarithmic',
  divisorTitle: 'frequency divided by',
  arcs: 'Share of a turn that each pair sweeps: trained, and new',
  arcsTitle: 'arc swept, turns',
  trained: 'trained',
  new: 'new',
  pairAxis: 'pair, fast to slow →',
  kernel: 'K against distance before and after stretching',
  kernelTitle: 'K(n − m)',
  before: 'before',
  after: 'after',
  distanceAxis: 'distance n − m, tokens →',
  readout: {
    pair: (pair: string, zone: string) => `pair ${pair} (${zone})`,
    wavelength: 'wavelength',
    divisor: 'divided by',
    trained: 'trained arc',
    reached: 'arc now',
    turns: 'turns',
  },
  zones: { kept: 'kept', blended: 'blended', scaled: 'scaled' },
  claim: (length: string) => `Up to ${length} tokens no pair turns past its trained arc.`,
  fails: (pairs: string, length: string) => `At ${length} tokens ${pairs} turn to angles that training never reached.`,
  pairs: (count: number) => (count === 1 ? '1 pair' : `${count} pairs`),
  noLists: 'LongRoPE divides by lists searched for one model. This model has none; Phi-3-mini-128k has.',
  computing: 'Dividing the frequencies.',
  derivation: html`<p>
    An arc is length × frequency / 2π, cut at one full turn. Frequencies are good to 10⁻¹⁴ of themselves, also where two
    are blended, and both arcs are at most 1, so their difference is off by at most 2 × 10⁻¹⁴ turns. The residual is the
    largest arc of any pair beyond what it swept in training.
  </p>`,
  lookFor:
    'Raise the number of tokens past factor × trained length: hatched arcs appear at the slow end. Llama-3.1 is offered with 131 072 tokens, twice what its factor covers. NTK keeps the fast pairs and the last one, but some between them leave their arc.',
  stopsWhen:
    '…the text is longer than the rule was made for, or the rule spreads the change unevenly. Staying on known arcs is necessary, not sufficient: neighbours also stand closer together, as the two curves of K show.',
  tableHeads: ['pair', 'wavelength', 'divided by', 'wavelength now', 'zone', 'trained arc', 'arc now', 'new arc'],
} as const;
