import {
  MAX_POSITION,
  requireCount,
  requireInteger,
  requireIntegers,
  requireOptions,
  requireSome,
  withDefault,
} from '../../common/check.js';
import { badArgument } from '../../common/errors.js';

export interface TokenPositionsOptions {
  /** `[batch, length]`: the tokens of each sequence, whole numbers from 0 on. */
  ids: ArrayLike<number>;
  /** 1 by default. */
  batch?: number;
  /** The token of padding, and the position that padding gets: 1 in fairseq, M2M-100, RoBERTa. */
  paddingIndex: number;
  /** Tokens before these, as a cache holds them. 0 by default. */
  pastLength?: number;
}

/**
 * Positions of tokens as fairseq counts them: the first token of a sequence that is no padding is at paddingIndex + 1 +
 * pastLength, the next one at the position after it, whatever padding stands between, and padding is at paddingIndex.
 *
 * Returns `[batch, length]`. `sinusoidal` takes them as `positions`, with the same `paddingIndex` for rows of zeros;
 * `learned` takes them for tables that keep their first rows, as that of RoBERTa does.
 *
 * Needs no engine.
 *
 * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
 * Source: fairseq `make_positions`; transformers `create_position_ids_from_input_ids`.
 */
export function tokenPositions(given: TokenPositionsOptions): Float64Array {
  const options = requireOptions(given, { ids: true, batch: true, paddingIndex: true, pastLength: true });
  const batch = requireCount(withDefault(options.batch, 1), 'batch');
  const count = requireSome(options.ids, 'ids');
  if (count % batch !== 0) throw badArgument('ids', { kind: 'rows-of-ids', batch }, count);
  const length = count / batch;
  const ids = requireIntegers(options.ids, 'ids', { batch, length }, 0, Number.MAX_SAFE_INTEGER);
  const padding = requireInteger(options.paddingIndex, 'paddingIndex', 0, MAX_POSITION - length);
  const most = MAX_POSITION - length - padding;
  const first = padding + 1 + requireInteger(withDefault(options.pastLength, 0), 'pastLength', 0, most);
  for (let sequence = 0; sequence < count; sequence += length) {
    let next = first;
    for (let i = sequence; i < sequence + length; ++i) ids[i] = ids[i] === padding ? padding : next++;
  }
  return ids;
}
