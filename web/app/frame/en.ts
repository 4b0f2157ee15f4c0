import { html } from 'lit';

export const page = {
  header: {
    home: 'posenc, top of the page',
    contents: 'Contents',
    language: 'Language',
    theme: { system: 'Follow the system’s theme', light: 'Light theme', dark: 'Dark theme' },
  },
  contents: {
    label: 'Contents',
    close: 'Close',
    groups: { add: 'Add a position', rotate: 'Rotate instead', real: 'In real models' },
    holds: 'holds',
    fails: 'does not hold',
    link: 'Link all figures',
    linkNote: 'model, base, width and words change together',
  },
  figure: {
    lookFor: 'Look for',
    stopsWhen: 'It stops being true when',
    viewAsTable: 'View as table',
    hideTable: 'Hide the table',
    copyLink: 'Copy link',
    export: 'Export',
    exports: {
      png: 'Picture, PNG 2×',
      svg: 'Picture, SVG',
      csv: 'Table, CSV',
      npy: 'Array, NPY',
      numpy: 'Script for NumPy',
      markdown: 'Table, Markdown',
    },
    reset: 'Reset',
    controls: 'Controls',
    closeControls: 'Close the controls',
    waiting: 'Waiting for the engine.',
    refused: 'Not computed: the engine is not running.',
    error: (message: string) => `The engine answered with an error: ${message}`,
  },
  link: {
    refused: (reasons: string) => `The link was not taken, and this figure stays as it was: ${reasons}`,
    choice: (name: string, values: string, got: string) => `${name} must be one of ${values}; got ${got}.`,
    impossible: (name: string, got: string) => `${name} cannot be ${got}.`,
    unknown: (name: string) => `there is no ${name} here.`,
    together: 'its values do not go together.',
    space: ' ',
    unreadable: 'The link in the address cannot be read, so no figure took anything from it.',
    noSuchFigure: (names: string) => `The link is also about what this page does not have: ${names}.`,
  },
  copy: {
    copied: 'Copied',
    byHand: 'The browser does not give access to the clipboard: copy this',
  },
  slider: {
    log: (label: string) => `${label}, log`,
    whole: (field: string, from: string, to: string, got: string) =>
      `${field} must be a whole number from ${from} to ${to}; got ${got}.`,
    even: (field: string, from: string, to: string, got: string) =>
      `${field} must be an even number from ${from} to ${to}; got ${got}.`,
    inSteps: (field: string, from: string, to: string, got: string, step: string) =>
      `${field} must be a number from ${from} to ${to} in steps of ${step}; got ${got}.`,
    nothing: 'nothing',
  },
  chips: {
    place: (place: number, count: number) => `place ${place} of ${count}; arrow keys move it`,
  },
  play: { play: 'Play', stop: 'Stop', step: 'Step' },
  proof: {
    states: { holds: 'Holds', fails: 'Fails', 'not-applicable': 'Not applicable', computing: 'Computing' },
    gauge: (residual: string, tolerance: string) => `residual ${residual}, tolerance ${tolerance}`,
    derivation: 'Where the tolerance comes from',
  },
  table: {
    label: (name: string) => `${name}, as a table`,
  },
  encodings: {
    title: 'Every encoding that posenc computes',
    lead: (count: number) =>
      `${count} encodings from the literature and from real models, each a function of the module that draws this page.`,
    formula: (title: string) => `Formula: ${title}`,
    noPaper: 'No paper: the obvious baseline.',
  },
  refused: html`This browser refuses WebAssembly SIMD, which every figure needs (Chrome 91, Firefox 89, Safari 16.4 or
  newer have it).`,
  unreachable: (reason: string) => `The engine could not be loaded, so no figure is computed: ${reason}`,
  footer: {
    held: (holding: number, settled: number) =>
      html`<b>${holding}</b> of <b>${settled}</b> claims hold on this machine.`,
    checking: 'The claims are being checked on this machine.',
    unchecked: 'No claim was checked on this machine.',
    engine: (version: string, variant: string) => `posenc ${version}, WebAssembly (${variant})`,
    engineWaiting: (version: string) => `posenc ${version}`,
    licence: 'MIT licence. The figures import the same module you can:',
    variants: { simd: 'SIMD', relaxed: 'relaxed SIMD' },
    sources: html`Sources: Vaswani et al. 2017 (<cite>Attention Is All You Need</cite>), Su et al. 2021
      (<cite>RoFormer</cite>).`,
  },
} as const;
