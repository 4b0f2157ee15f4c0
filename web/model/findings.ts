import { meaningBooks } from '../phrases/findings/books.js';
import type { FindingBook, FindingCode } from '../phrases/findings/en.js';
import type { Text } from '../phrases/language.js';

export type { FindingCode } from '../phrases/findings/en.js';

/**
 * How grave what `check` finds is:
 *
 * - `error`  the model gives wrong results as it stands, or two readers of the source disagree about it
 * - `warning`  probably not what was meant
 * - `info`  right, and worth knowing
 */
export type Severity = 'info' | 'warning' | 'error';

const SEVERITIES: Readonly<Record<FindingCode, Severity>> = {
  conflict: 'error',
  unusable: 'error',
  mrope_section_sum: 'error',
  pairing_differs: 'error',
  past_learned_table: 'error',
  freq_base_missing: 'error',
  launch_differs: 'warning',
  past_context: 'warning',
  factor_too_large: 'warning',
  scale_and_base: 'warning',
  scaling_for_size: 'warning',
  scaling_without_type: 'warning',
  encoding_assumed: 'warning',
  head_dim_assumed: 'warning',
  original_assumed: 'warning',
  duplicate_key: 'warning',
  ramp_rounded: 'warning',
  scaling_shortens: 'warning',
  flags_alone: 'info',
  pairing_assumed: 'info',
  freq_base_assumed: 'info',
  pairing_permuted: 'info',
  head_dim_given: 'info',
  layer_tables: 'info',
  unrotated_layers: 'info',
  learned_table: 'info',
  softmax_factor: 'info',
  attention_factor_given: 'info',
  short_prompts_changed: 'info',
  depends_on_length: 'info',
  legacy_key: 'info',
  not_read: 'info',
};

/** How grave a finding is and what its code means. */
export interface FindingEntry {
  severity: Severity;
  meaning: Text;
}

/**
 * Everything that `check` can find, by its code: how grave it is and what it means. The codes do not change.
 * `doubled_key` is the old name of `duplicate_key`, and goes with the next release.
 */
export const FINDINGS = /* @__PURE__ */ listOf(Object.keys(SEVERITIES) as FindingCode[]);

function listOf(codes: readonly FindingCode[]): Readonly<Record<FindingCode | 'doubled_key', FindingEntry>> {
  const meaningOf = (code: FindingCode): Text => ({
    en: meaningBooks.en[code],
    'zh-Hans': meaningBooks['zh-Hans'][code],
    'zh-Hant': meaningBooks['zh-Hant'][code],
  });
  const entries = codes.map((code) => [code, { severity: SEVERITIES[code], meaning: meaningOf(code) }] as const);
  const list = Object.fromEntries(entries) as Record<FindingCode, FindingEntry>;
  return { ...list, doubled_key: list.duplicate_key };
}

/** The numbers and names of the sentence about a finding, by its code. */
export type FindingFacts = {
  [Code in FindingCode]: Parameters<FindingBook[Code]> extends [infer Facts] ? Facts : object;
};

/** What was found, before it is put into words. */
export type Observation = {
  [Code in FindingCode]: {
    code: Code;
    severity: Severity;
    /** The key it is about, by its path in the source. */
    key: string;
    found: unknown;
    expected: unknown;
    /** The numbers and names in `why`. */
    facts: FindingFacts[Code];
  };
}[FindingCode];

/** Something about a model that its user should know; `why` is one sentence or a few, in the language asked for. */
export type Finding = Observation & { why: string };

/** A finding with the severity of its code. */
export function finding<Code extends FindingCode>(
  code: Code,
  about: Pick<Observation, 'key' | 'found' | 'expected'>,
  facts: FindingFacts[Code],
): Observation {
  return { code, severity: SEVERITIES[code], ...about, facts } as Observation;
}
