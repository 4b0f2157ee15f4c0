import { html } from 'lit';

export const speed = {
  title: 'How fast is it here?',
  lead: 'posenc beside plain JavaScript in this browser, on one thread. The two take turns, seven rounds each; the medians are shown.',
  measure: 'Measure',
  again: 'Measure again',
  measuring: 'Measuring',
  columns: { workload: 'Workload', ratio: 'Times as fast', posenc: 'posenc', plain: 'Plain JavaScript' },
  workloads: {
    sinusoidal: (size: string) => `Sinusoidal table, ${size}`,
    rope: (size: string) => `RoPE of ${size}`,
    attention: (size: string) => `Causal attention, ${size}`,
  },
  shape: (length: string, heads: string, headDim: string) => `${length} tokens, ${heads} heads of ${headDim}`,
  claim: 'Both compute the same numbers.',
  fails: 'The two results are further apart than rounding explains.',
  waiting: 'Not measured yet.',
  derivation: html`<p>
    Float32 results near 1 are rounded to 2⁻²⁴ once per table entry and once per product; attention adds up to 384 of
    them, with weights that sum to 1. Plain JavaScript sums in float64. 10⁻⁵ leaves room for both.
  </p>`,
} as const;
