import { html } from 'lit';
import type { Content } from '../texts/translation.js';

/** What stands before the section's code has arrived. */
export const check = {
  name: 'Check my model',
  title: html`Paste a config and read what it really does.`,
  lead: html`Which pairs of a head keep their frequency, which turn slower, what the settings leave open or contradict,
  and how the same is written for another program. Nothing is sent anywhere.`,
  unreachable: 'This part of the page could not be loaded.',
  again: 'Load it again',
} as const;

export const panel = {
  input: 'config.json, a flag line, or a file',
  compared: 'The config.json or the flags of the same model, to compare',
  placeholder:
    'Paste a config.json,\nor flags such as --rope-scale 8,\nor a config.json and, after it, the flags that it is served with.',
  open: 'Open a file',
  example: (name: string) => `Load an example: ${name}`,
  clear: 'Clear',
  remove: 'Remove the file',
  privacy: 'Read in this page. Nothing is sent anywhere.',
  reading: 'Reading the file.',
  readingText: 'Reading the text.',
  tooLong: 'A text of more than four million characters is no configuration, and is not read.',
  refused: (why: Content) => html`This cannot be read: ${why}`,
  unknownFile: 'A config.json, a text with flags, a .gguf, or a table in .safetensors or .npy is expected.',
  unreadable: 'The browser could not read this file.',
  unloaded: 'The part of the page that shows tables could not be loaded; open the file again.',
  waiting: html`What the model does to positions stands here once a configuration is pasted. Files to drop: a
    <code>.gguf</code>, or the <code>.safetensors</code> or <code>.npy</code> of a learned table.`,
  flagsAlone: (headDim: string, base: string) =>
    html`Flags say nothing of the model: this is what they do to heads of ${headDim} on base ${base}. Paste its
      <code>config.json</code> before them to see what it becomes.`,
  comments: 'Comments were left out: JSON has none.',
  otherJson: 'This is JSON, but no configuration: that is an object, with its keys in braces.',
  badLink: 'The link’s model cannot be read, so none is shown.',
  served: {
    with: (program: string) => `As it is served (${program}):`,
    alone: (verdict: string) => `The model by itself: ${verdict}`,
    same: 'What it is served with does not change this.',
  },
  ofLayers: (name: string) => html`For layers of type <code>${name}</code>:`,
  layer: 'Layers',
  verdict: {
    plain: (pairs: string, base: string) => `${pairs}\u00a0pairs per head on base ${base}, without scaling.`,
    turning: (some: string, all: string, length: string) =>
      `${some} of ${all} complete a turn within ${length} tokens.`,
    scaling: (pairs: string, name: string) => `${pairs}\u00a0pairs per head, ${name}:`,
    at: (length: string) => `at ${length} tokens`,
    kept: (count: string) => `the fast\u00a0${count} stay`,
    blended: (count: string) => `${count}\u00a0are blended`,
    scaled: (count: string, times: string) => `the slow\u00a0${count} turn ${times}\u00a0times slower`,
    all: (times: string) => `all turn ${times}\u00a0times slower`,
    greaterBase: (times: string) => `the fastest pair stays, the slowest turns ${times}\u00a0times slower`,
    still: (some: string, all: string) => `${some} of ${all} pairs of a head turn; the others stand still.`,
    toward: (from: string, to: string) => `${from} to ${to}`,
    comma: ', ',
    stop: '.',
    unusable: 'No frequency can be computed from this.',
    learned: (last: string) => `A learned table, no formula: positions past ${last} do not exist.`,
    alibi: (heads: string) => `Linear biases for ${heads} heads (ALiBi): no rotation, no table.`,
    encodings: {
      rope: 'Rotary, but no layer is described.',
      mrope: 'Rotary, but no layer is described.',
      rope_2d: 'Two-dimensional rotary embedding.',
      learned: 'A learned table, no formula.',
      sinusoidal: 'Sinusoidal table: a formula, added to the tokens.',
      alibi: 'Linear biases (ALiBi).',
      t5: 'Learned biases per bucket of distances (T5).',
      shaw: 'Learned vectors per distance (Shaw).',
      deberta: 'Learned vectors per distance, kept apart from the contents (DeBERTa).',
      transformer_xl: 'Sines of the distance in the scores (Transformer-XL).',
      none: 'Nothing tells this model the order of its tokens.',
    },
  },
  types: {
    default: 'no scaling',
    linear: 'linear scaling',
    ntk: 'NTK scaling',
    dynamic: 'dynamic NTK scaling',
    yarn: 'YaRN scaling',
    longrope: 'LongRoPE scaling',
    llama3: 'Llama\u00a03 scaling',
    mrope: 'multimodal positions',
    proportional: 'proportional rotation',
  },
  plot: 'By what the frequency of each pair is divided',
  divisor: 'frequency divided by',
  pair: 'pair',
  zones: { kept: 'kept', blended: 'blended', scaled: 'scaled', still: 'do not turn' },
  dividedBy: (times: string) => `divided by ${times}`,
  readout: (pair: string, divisor: string, before: string, after: string) =>
    html`pair ${pair} · divided by <b>${divisor}</b> · wavelength ${before} → <b>${after}</b> tokens`,
  facts: {
    headDim: 'head width',
    pairs: 'rotary pairs',
    pairing: 'pairing',
    before: 'wavelengths before',
    after: 'wavelengths after',
    turning: (length: string) => `full turn within ${length}`,
    turningUnknown: 'full turn within training',
    attention: 'attention factor',
    softmax: 'softmax factor',
    trained: 'trained length',
    context: 'context asked for',
  },
  pairings: { half: (pair: string) => `half ${pair}`, interleaved: (pair: string) => `interleaved ${pair}` },
  load: (figures: string) => `Load into figures ${figures}`,
  loaded: 'Loaded:',
  figure: (number: string) => `figure ${number}`,
  factorRounded: (figure: string, factor: string) =>
    `Figure ${figure} takes whole factors up to 64 and shows ${factor}.`,
  comma: ', ',
  need: { before: 'I need', unit: 'tokens', label: 'Tokens that are needed' },
  needRefused: (got: string) => `The number of tokens must be a whole number from 1 to 2 147 483 647; got ${got}.`,
  nothing: 'nothing',
  plan: {
    name: 'Ways to reach that length',
    heads: [
      'option',
      'base',
      'divisors',
      'attention factor',
      'pairs at new angles',
      'change below 100 tokens',
      'for llama.cpp',
    ],
    rules: {
      none: 'as it is',
      'smaller-factor': 'a smaller factor',
      'greater-factor': 'a greater factor',
      linear: 'linear',
      ntk: 'NTK',
      dynamic: 'dynamic NTK',
      yarn: 'YaRN',
    },
    recommended: 'recommended',
    unknown: 'The tokens of training are not stated, so there is nothing to measure from.',
  },
  findings: 'Findings',
  severities: { error: 'Error', warning: 'Note', info: 'Info', fine: 'Fine' },
  noFindings: 'Every key is known, and none contradicts another.',
  elsewhere: 'The same setting elsewhere',
  copy: 'Copy',
  copyLink: 'Copy link',
  exportReport: 'Export report',
  inexpressible: (what: string) => html`This program has no words for <code>${what}</code>.`,
} as const;

export const report = {
  title: 'Positions in this model',
  layers: 'Layers',
  factHeads: ['fact', 'value'],
  parameters: 'Parameters',
  parameterHeads: ['parameter', 'value'],
  wavelengths: 'Wavelengths',
  pairHeads: ['pair', 'frequency divided by', 'wavelength before, tokens', 'wavelength, tokens'],
  settings: 'The same setting elsewhere',
  inexpressible: (what: string) => `This program has no words for ${what}.`,
  findings: 'Findings',
  source: 'Computed by posenc in the browser. Nothing was sent anywhere.',
} as const;

export const table = {
  tensor: 'Table',
  unnamed: 'No name in this file speaks of positions, so every table of it is listed.',
  none: 'This file has no table: no tensor of floats with two axes.',
  reading: 'Reading the table.',
  verdict: {
    striped: (rows: string, dim: string) =>
      `${rows} rows of ${dim}: how similar two of them are follows from their distance, as in a table with a formula.`,
    learned: (rows: string, dim: string, share: string) =>
      `${rows} rows of ${dim}: their distance explains ${share} % of how similar two of them are.`,
    constant: (rows: string, dim: string) => `${rows} rows of ${dim}: every two of them are equally similar.`,
  },
  claim: 'The similarity of two rows depends on their distance alone.',
  fails: (share: string) => `Distance explains ${share} % of how similar two rows are, not all of it.`,
  constant: 'Similarities that do not vary have nothing to explain.',
  computing: 'Comparing every two rows',
  derivation: html`The residual is one minus the Toeplitz score: the variance of the cosine similarities along the
  diagonals of the matrix, divided by their variance in all of it. Rows with themselves and reserved rows are left out.
  A table with a formula comes to rounding errors, about 10<sup>−13</sup>; the limit of 0.01 stands for “99 % is
  explained”.`,
  map: 'Cosine similarity of every two rows of the table',
  similarity: 'cosine similarity',
  rowAxis: '↓ row m',
  columnAxis: 'row n →',
  norms: 'Length of every row of the table',
  norm: 'length of the row',
  row: 'row',
  readout: { similarity: 'similarity', lengths: 'lengths' },
  facts: {
    shape: 'rows × width',
    score: 'Toeplitz score',
    norms: 'lengths of the rows',
    middle: 'median length',
    reserved: 'reserved rows',
    first: 'row of position 0',
  },
  noReserved: 'none',
  more: (count: string) => `and ${count} more`,
  between: (least: string, most: string) => `${least} … ${most}`,
  reservedNote: html`Rows of zeros, or shorter than a hundredth of the median length: no position was learned into them.`,
  offsetNote: (rows: string, positions: string) =>
    `${rows} = ${positions} + 2. Models of the RoBERTa, BART and OPT families keep the first two rows for padding, so that position p is at row p + 2.`,
  windowed: (rows: string, size: string, limit: string, first: string, last: string) =>
    `${rows} × ${rows} similarities need ${size} MB; the limit is ${limit}. Rows ${first} to ${last} are shown.`,
  firstRow: { label: 'First row', field: 'The first row' },
  comma: ', ',
} as const;

/** Phrases of the library's errors, where the language is not its own. */
export type Words = Readonly<Record<string, (...values: string[]) => string>>;

export const errors: Words | null = null;
