import type { RopeLayout } from '../../rotary/frequencies.js';
import { dotProduct, requireWidth, type Contents, type Placed, type ScoreAt } from './score.js';

/** A channel of a turned pair (a, b) is off by 1.52 × 2^-23 (|a cos| + |b sin|): at most that of the length of the pair. */
const TURN_ROUNDING = 1.53 * 2 ** -23;

/** The other channel of the pair that each channel is in; itself where it passes through. */
export type Partners = Int32Array;

/** The pairs of a head, of whose turned channels each of `blocks` parts is paired in itself. */
export function partnersOf({ headDim, rotaryDim, pairing }: RopeLayout, blocks = 1): Partners {
  const width = rotaryDim / blocks;
  return Int32Array.from({ length: headDim }, (_, c) => {
    if (c >= rotaryDim) return c;
    if (pairing === 'interleaved') return c % 2 === 0 ? c + 1 : c - 1;
    return c % width < width / 2 ? c + width / 2 : c - width / 2;
  });
}

/** A turned vector. `whole` has pairs of the same length, where those of `values` are not turned as one. */
export function turned(values: Float32Array, partners: Partners, whole = values): Placed {
  const errors = Float64Array.from(partners, (partner, c) =>
    partner === c ? 0 : TURN_ROUNDING * Math.hypot(whole[c] as number, whole[partner] as number),
  );
  return { values, errors };
}

/** One vector as the functions take it that turn tensors. */
interface OneVector {
  x: Float32Array;
  length: 1;
  heads: 1;
  headDim: number;
}

/** The score of a query and a key that `turn` turns by their positions. `blocks` is that of `partnersOf`. */
export function rotaryScore(
  contents: Contents,
  layout: RopeLayout,
  turn: (vector: OneVector, position: number, role: keyof Contents) => Float32Array,
  blocks = 1,
): ScoreAt {
  const { headDim } = layout;
  requireWidth(contents, { headDim });
  const partners = partnersOf(layout, blocks);
  const place = (role: keyof Contents, position: number): Placed =>
    turned(turn({ x: contents[role], length: 1, heads: 1, headDim }, position, role), partners);
  return (queryPosition, keyPosition) => dotProduct(place('query', queryPosition), place('key', keyPosition));
}
