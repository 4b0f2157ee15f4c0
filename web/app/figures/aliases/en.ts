import { html } from 'lit';

export const aliases = {
  name: 'When does it come back?',
  title: html`Eight dimensions nearly repeat after 169&nbsp;646&nbsp;tokens; 312 stay far apart for ten million.`,
  prose: (narrow: string, few: string, wide: string, many: string) =>
    html`<p>
      Two positions look alike when all their waves line up again. At d = ${narrow} that is like waiting for
      ${few === '1' ? '1 clock to strike' : `${few} clocks to strike together`}; at d = ${wide} it is like waiting for
      ${many}. Every whole distance up to ten million is evaluated here; none is sampled.
    </p>`,
  margin: {
    wave: (wavelength: string) => `wave of ${wavelength}`,
    more: (count: string) => `and ${count} more`,
    mean: 'mean of the cosines',
  },
  plot: 'Similarity against distance, one to ten million, logarithmic, for two widths',
  similarityAxis: 'similarity K',
  distanceAxis: 'distance Δ, tokens',
  wavelengths: 'wavelengths',
  waves: (count: string) => (count === '1' ? '1 wave' : `${count} waves`),
  highest: (value: string, distance: string) => `highest ${value}, at ${distance}`,
  narrow: { label: 'Narrow width d', field: 'The narrow width' },
  wide: { label: 'Wide width d', field: 'The wide width' },
  readout: {
    best: (from: string, to: string) => `highest from ${from} to ${to}`,
    width: (dim: string) => `d\u00a0=\u00a0${dim}: K =`,
    at: (distance: string) => ` at ${distance}`,
  },
  claim: (wide: string, narrow: string, from: string, level: string, ceiling: string) =>
    `From ${from} to 10⁷, d\u00a0=\u00a0${wide} stays below ${ceiling}; d\u00a0=\u00a0${narrow} exceeds ${level}.`,
  wideFails: (wide: string, ceiling: string, distance: string) =>
    `d\u00a0=\u00a0${wide} reaches ${ceiling} or more: it comes back at ${distance}.`,
  narrowFails: (narrow: string, near: string, best: string) =>
    `d\u00a0=\u00a0${narrow} never comes within ${near} of 1 up to 10⁷; its best is ${best}.`,
  computing: 'Checking every whole distance to ten million.',
  derivation: (wide: string, spread: string, times: string, pairs: string, error: string) =>
    html`<p>
      Nothing is rounded against a tolerance here: 0.3 is a line drawn well above what chance gives. Far out, K behaves
      like a mean of d/2 unrelated cosines, with a spread of about 1/√d; for d = ${wide} that is ${spread}, and 0.3 is
      ${times} times that. K is evaluated in float64 at every whole distance with an error of at most (d/2 + 8) · 2⁻⁵³,
      which for d = ${wide} is (${pairs} + 8) · 2⁻⁵³ = <span class="nb">${error}</span>, far below the gap.
    </p>`,
  records: (dim: string) => `Record returns, d\u00a0=\u00a0${dim}`,
  recordsFrom: (dim: string, from: string) => `Record returns from ${from} on, d\u00a0=\u00a0${dim}`,
  lookFor: (narrow: string, closest: string, from: string, wide: string, highest: string) =>
    `The orange band, d\u00a0=\u00a0${narrow}, comes back to within ${closest} of 1; from ${from} on the blue one, d\u00a0=\u00a0${wide}, gets no higher than ${highest}.`,
  stopsWhen:
    '…you wait long enough. No whole distance ever repeats exactly, because 2π is irrational; yet any width returns as closely as you like, after a wait that explodes with d.',
  tableHeads: { from: 'distances from', to: 'to', least: 'least K', greatest: 'greatest K', at: 'at' },
} as const;
