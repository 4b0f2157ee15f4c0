import type { PlainAttentionOptions } from './attention-options.js';
import type { AttentionSizes } from './attention-sizes.js';
import { requireIntegers } from '../../common/check.js';
import { requireKeyStart, requireQueryStart } from '../positions/positions.js';

/** Where queries and keys stand. */
export interface Places {
  /** Position of key 0. */
  keyStart: number;
  /** Position of query 0; without one, the last query is at the last key of its sequence. */
  queryStart: number | undefined;
  /** How many keys each sequence has, where that was said. */
  keyLengths: Uint32Array | undefined;
  /** Index among the keys of query 0: one for all sequences, or one for each. */
  firstQueries: readonly number[];
}

export function requirePlaces(
  options: PlainAttentionOptions,
  { batch, queryLength, keyLength }: AttentionSizes,
): Places {
  const keyStart = requireKeyStart(options.keyStart, keyLength);
  const keyLengths =
    options.keyLengths === undefined
      ? undefined
      : Uint32Array.from(requireIntegers(options.keyLengths, 'keyLengths', { batch }, 0, keyLength));
  if (options.queryStart === undefined && keyLengths !== undefined) {
    const firstQueries = Array.from(keyLengths, (keys) => keys - queryLength);
    return { keyStart, queryStart: undefined, keyLengths, firstQueries };
  }
  const queryStart = requireQueryStart(options.queryStart, queryLength, keyLength, keyStart);
  return { keyStart, queryStart, keyLengths, firstQueries: [queryStart - keyStart] };
}
