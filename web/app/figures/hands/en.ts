import { html } from 'lit';
import type { Content } from '../../texts/translation.js';
import type { HandsMode } from './task.js';

export const hands = {
  name: 'Clock hands',
  title: html`k words on, every hand has turned by k · ω, wherever it started.`,
  prose: (pairs: string, seconds: string, hours: string) =>
    html`<p>
      Sine and cosine of one pair are the tip of a clock hand: sine to the right, cosine up. A row of the table is
      ${pairs} such clocks, the first with a turn of ${seconds} words, the last with one of ${hours}. To go from
      position p to p + k nobody has to know p. Turn each hand by k times its own speed: the dashed hand is PE(p)
      turned, the full one is PE(p + k), and they lie on each other. So a matrix that depends on k alone leads from any
      position to the one k further, which is what RoPE turns queries and keys with.
    </p>`,
  dials: (p: string) => `Clock hands of every pair at position ${p}, k further, and turned by k times their speed`,
  pair: (pair: string) => `pair ${pair}`,
  turn: (words: string) => `turn ${words}`,
  legend: { now: 'PE(p)', next: 'PE(p + k)', turned: 'PE(p), turned' },
  curve: 'Largest difference between the turned and the real hands at every position, on a logarithmic axis',
  curveTitle: 'largest difference of any hand at position p',
  curveAxis: '',
  tolerance: 'tolerance',
  position: { label: 'Position p', field: 'The position' },
  step: { label: 'Step k', field: 'The step' },
  width: { label: 'Width d', field: 'The width' },
  base: { label: 'Base b', field: 'The base' },
  break: 'Break it',
  modes: { intact: 'intact', backwards: 'turned backwards', base: 'ten times the base' } satisfies Record<
    HandsMode,
    string
  >,
  margin: { speed: 'speed ω', angle: 'k · ω', turned: 'turned', next: 'PE(p + k)', difference: 'difference' },
  readout: { pair: (pair: Content) => html`pair ${pair}`, turned: 'turned', difference: 'difference' },
  claim: (positions: string, k: string) =>
    `At every position from 0 to ${positions} the turned hands are those of k = ${k} further on.`,
  backwardsFails: 'The hands were turned by −k · ω: the matrix with its sines swapped leads back, not on.',
  baseFails: 'The hands were turned at the speeds of another base, so only the first keeps time.',
  fails: 'A turned hand is off by more than rounding explains.',
  computing: 'Turning the hands.',
  derivation: html`<p>
    Each number of a row is within 0.51 · 2⁻²⁴ of the exact sine or cosine. Turning two of them keeps their error, at
    most √2 · 0.51 · 2⁻²⁴ in one number, and adds 1.52 · 2⁻²³ (|a cos| + |b sin|) of its own, where the bracket is at
    most 1 for a hand of length 1. The row it is compared with adds 0.51 · 2⁻²⁴: together less than 4.28 · 2⁻²⁴.
  </p>`,
  lookFor:
    'Move p: all hands run, and the dashed ones stay on the full ones. The curve below does not care where p is. A negative k turns everything back.',
  stopsWhen:
    '…speeds or direction do not fit the table. In component order (sin, cos) the matrix is [[cos, sin], [−sin, cos]]; with the signs the other way round it leads to p − k. And the rule holds for a pair as it stands in the table, not after a learned layer.',
  tableHeads: ['pair', 'ω', 'sin p', 'cos p', 'sin, turned', 'cos, turned', 'sin p + k', 'cos p + k'],
} as const;
