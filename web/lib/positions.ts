import { MAX_POSITION, requireInteger, requirePositions, type Sizes, withDefault } from './check.js';
import { badArgument } from './errors.js';

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

/** The place of the first query among the keys. By default the last query stands at the last key. */
export function requireQueryStart(queryStart: unknown, queryLength: number, keyLength: number): number {
  const most = MAX_POSITION - (queryLength - 1);
  return requireInteger(withDefault(queryStart, keyLength - queryLength), 'queryStart', -MAX_POSITION, most);
}

/** Checks that every query is one of the keys, whose position it takes: query i the one at queryStart + i. */
export function requireQueriesAmongKeys(queryStart: number, queryLength: number, keyLength: number): void {
  if (queryLength > keyLength) {
    throw badArgument('queryLength', `at most keyLength = ${keyLength} where positions are given`, queryLength);
  }
  const last = keyLength - queryLength;
  if (queryStart < 0 || queryStart > last) {
    throw badArgument('queryStart', `from 0 to ${last}, since each query takes the position of a key`, queryStart);
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
  if (start !== undefined) throw badArgument('start', 'left out where positions are given', start);
  return { start: 0, values: requirePositions(positions, 'positions', sizes) };
}
