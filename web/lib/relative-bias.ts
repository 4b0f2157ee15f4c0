import { requireCount } from './check.js';
import { requireKeyStart, requireQueryStart } from './positions.js';

/** The sizes of a bias that is added to the scores of attention, and where its queries and keys are. */
export interface BiasSizes {
  heads: number;
  queryLength: number;
  keyLength: number;
  /**
   * Position of the first query; the others count on. keyStart + keyLength − queryLength by default: the queries are the
   * last tokens, as with a KV cache.
   */
  queryStart?: number;
  /** Position of the first key; the others count on. 0 by default. */
  keyStart?: number;
}

/** The names of these options. */
export const BIAS_SIZES = [
  'heads',
  'queryLength',
  'keyLength',
  'queryStart',
  'keyStart',
] as const satisfies readonly (keyof BiasSizes)[];

/** The sizes, checked, with the default filled in. */
export function requireBiasSizes(options: BiasSizes): Required<BiasSizes> {
  const heads = requireCount(options.heads, 'heads');
  const queryLength = requireCount(options.queryLength, 'queryLength');
  const keyLength = requireCount(options.keyLength, 'keyLength');
  const keyStart = requireKeyStart(options.keyStart, keyLength);
  const queryStart = requireQueryStart(options.queryStart, queryLength, keyLength, keyStart);
  return { heads, queryLength, keyLength, queryStart, keyStart };
}
