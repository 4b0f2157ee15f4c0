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
