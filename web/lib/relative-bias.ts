import { requireCount } from './check.js';
import { requireQueryStart } from './positions.js';

/** The sizes of a bias that is added to the scores of attention, and where its queries are. Key j is at position j. */
export interface BiasSizes {
  heads: number;
  queryLength: number;
  keyLength: number;
  /**
   * Position of the first query; the others count on. keyLength − queryLength by default: the queries are the last
   * tokens, as with a KV cache.
   */
  queryStart?: number;
}

/** The names of these options. */
export const BIAS_SIZES = [
  'heads',
  'queryLength',
  'keyLength',
  'queryStart',
] as const satisfies readonly (keyof BiasSizes)[];

/** The sizes, checked, with the default filled in. */
export function requireBiasSizes(options: BiasSizes): Required<BiasSizes> {
  const heads = requireCount(options.heads, 'heads');
  const queryLength = requireCount(options.queryLength, 'queryLength');
  const keyLength = requireCount(options.keyLength, 'keyLength');
  const queryStart = requireQueryStart(options.queryStart, queryLength, keyLength);
  return { heads, queryLength, keyLength, queryStart };
}
