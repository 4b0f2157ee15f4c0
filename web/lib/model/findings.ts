/**
 * Everything that `check` can find, by its code: how grave it is and what it means. The codes do not change.
 *
 * - `error`  the model gives wrong results as it stands, or two readers of the source disagree about it
 * - `warning`  probably not what was meant
 * - `info`  right, and worth knowing
 */
export const FINDINGS = {
  conflict: { severity: 'error', meaning: 'two keys state different values of one parameter' },
  unusable: {
    severity: 'error',
    meaning: 'a parameter is missing or out of range, so that no frequency can be computed',
  },
  mrope_section_sum: { severity: 'error', meaning: 'the sections of time, height and width do not cover the pairs' },
  pairing_differs: {
    severity: 'error',
    meaning: 'the weights are laid out for another pairing than they are served with',
  },
  past_learned_table: { severity: 'error', meaning: 'the length asked for is longer than the learned table' },
  launch_differs: { severity: 'warning', meaning: 'the model is served with another value than its source states' },
  past_context: { severity: 'warning', meaning: 'the length asked for is longer than the context' },
  scaling_for_size: { severity: 'warning', meaning: 'the published model of this size has another scaling' },
  scaling_without_type: { severity: 'warning', meaning: 'a scaling factor without a type is not read' },
  encoding_assumed: { severity: 'warning', meaning: 'nothing says how positions are encoded' },
  head_dim_assumed: { severity: 'warning', meaning: 'nothing says how wide a head is' },
  pairing_assumed: { severity: 'info', meaning: 'the architecture is unknown, and so is its pairing' },
  pairing_permuted: { severity: 'info', meaning: 'the pairing depends on where the weights come from' },
  head_dim_given: { severity: 'info', meaning: 'a head is not hidden size / heads wide' },
  layer_tables: { severity: 'info', meaning: 'the layers do not share one embedding' },
  learned_table: { severity: 'info', meaning: 'positions are rows of a learned table, and there is no formula' },
  legacy_key: { severity: 'info', meaning: 'a key has an older name' },
} as const satisfies Readonly<Record<string, { severity: Severity; meaning: string }>>;

export type Severity = 'info' | 'warning' | 'error';

export type FindingCode = keyof typeof FINDINGS;

/** Something about a model that its user should know. */
export interface Finding {
  code: FindingCode;
  severity: Severity;
  /** The key it is about, by its path in the source. */
  key: string;
  found: unknown;
  expected: unknown;
  /** One or two sentences, in English. */
  why: string;
}

/** A finding with the severity of its code. */
export function finding(code: FindingCode, about: Pick<Finding, 'key' | 'found' | 'expected' | 'why'>): Finding {
  return { code, severity: FINDINGS[code].severity, ...about };
}
