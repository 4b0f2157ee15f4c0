import { MAX_POSITION, requireInteger, requirePositions, type Sizes, withDefault } from '../../common/check.js';
import { badArgument } from '../../common/errors.js';

/** The positions that the rows of a table or the tokens of a sequence stand for. */
export interface PositionOptions {
  /** Position of the first row; the others count on. 0 by default. */
  start?: number;
  /** One whole number per row, from −2^31 to 2^31, instead of `start`. */
  positions?: ArrayLike<number>;
}

/** Positions, checked: those given one by one, or those counted from `start`. */
export interface Positions {
  start: number;
  values: Float64Array | undefined;
}

/** The position of the first key, 0 by default. */
export function requireKeyStart(keyStart: unknown, keyLength: number): number {
  return requireInteger(withDefault(keyStart, 0), 'keyStart', -MAX_POSITION, MAX_POSITION - (keyLength - 1));
}

/** The position of the first query. By default the last query stands at the last key. */
export function requireQueryStart(queryStart: unknown, queryLength: number, keyLength: number, keyStart = 0): number {
  const most = MAX_POSITION - (queryLength - 1);
  return requireInteger(withDefault(queryStart, keyStart + keyLength - queryLength), 'queryStart', -MAX_POSITION, most);
}

/** Where the queries and the keys of a call are. */
interface QueriesAndKeys {
  queryStart: number;
  queryLength: number;
  keyStart?: number;
  keyLength: number;
}

/** Checks that every query is one of the keys, whose position it takes: query i key queryStart − keyStart + i. */
export function requireQueriesAmongKeys({ queryStart, queryLength, keyStart = 0, keyLength }: QueriesAndKeys): void {
  if (queryLength > keyLength) {
    throw badArgument('queryLength', { kind: 'at-most-keys', value: keyLength }, queryLength);
  }
  const last = keyStart + keyLength - queryLength;
  if (queryStart < keyStart || queryStart > last) {
    throw badArgument('queryStart', { kind: 'among-keys', least: keyStart, most: last }, queryStart);
  }
}

/** Checks the positions of `length` rows. `sizes` are those of `positions`, when they are given one by one. */
export function requireRowPositions(
  { start, positions }: PositionOptions,
  length: number,
  sizes: Sizes = { length },
): Positions {
  if (positions === undefined) {
    const last = MAX_POSITION - (length - 1);
    return { start: requireInteger(withDefault(start, 0), 'start', -MAX_POSITION, last), values: undefined };
  }
  if (start !== undefined) throw badArgument('start', { kind: 'left-out', where: 'positions-given' }, start);
  return { start: 0, values: requirePositions(positions, 'positions', sizes) };
}
