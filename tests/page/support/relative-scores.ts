// The score of one query and one key under each relative encoding, in plain float64, as the papers and public code have it.

import { RELATIVE_HEADS, type RelativeMethod, learned } from '../../../web/app/figures/relative/task.js';
import { dot } from './oracle.ts';

const DIM = 16;
const row = (table: ArrayLike<number>, at: number, width = DIM): number[] =>
  Array.from({ length: width }, (_, c) => table[at * width + c]!);
const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/** T5's bucket of key − query. */
function bucket(relative: number, causal: boolean): number {
  const side = causal ? 32 : 16;
  const offset = !causal && relative > 0 ? side : 0;
  const distance = causal ? Math.max(0, -relative) : Math.abs(relative);
  const exact = side / 2;
  if (distance < exact) return offset + distance;
  const far = exact + Math.floor((Math.log(distance / exact) / Math.log(128 / exact)) * (side - exact));
  return offset + Math.min(side - 1, far);
}

/** Query at i, key at j. */
export function relativeScore(
  method: RelativeMethod,
  query: ArrayLike<number>,
  key: ArrayLike<number>,
  i: number,
  j: number,
  { head, causal }: { head: number; causal: boolean },
): number {
  const product = dot(query, key);
  const scaled = product / Math.sqrt(DIM);
  const plus = (a: ArrayLike<number>, b: ArrayLike<number>): number[] => Array.from(a, (value, c) => value + b[c]!);
  switch (method) {
    case 'alibi':
      return scaled - 2 ** ((-8 * (head + 1)) / RELATIVE_HEADS) * Math.abs(i - j);
    case 't5':
      return product + learned.t5[bucket(j - i, causal) * RELATIVE_HEADS + head]!;
    case 'kerple':
      return scaled - learned.kerple.p[head]! * Math.log(1 + learned.kerple.a[head]! * Math.abs(i - j));
    case 'fire': {
      const { w1, b1, w2, b2, c, threshold } = learned.fire;
      const psi = (x: number): number => Math.log(1 + Math.abs(c * x));
      const input = psi(i - j) / (psi(Math.max(i, threshold)) + 1e-6);
      const hidden = Array.from(w1, (weight, k) => Math.max(0, weight * input + b1[k]!));
      return scaled + dot(hidden, row(w2, head, w1.length)) + b2[head]!;
    }
    case 'shaw':
      return dot(query, plus(key, row(learned.shaw, clamp(j - i, -8, 8) + 8))) / Math.sqrt(DIM);
    case 'deberta': {
      const at = clamp(i - j + 16, 0, 31);
      const terms = product + dot(query, row(learned.relativeKey, at)) + dot(key, row(learned.relativeQuery, at));
      return terms / Math.sqrt(3 * DIM);
    }
    case 'transformer_xl': {
      const width = learned.relative.length / DIM;
      const waves = Array.from({ length: width }, (_, c) => {
        const angle = (i - j) * 10_000 ** ((-2 * (c % (width / 2))) / width);
        return c < width / 2 ? Math.sin(angle) : Math.cos(angle);
      });
      const relativeKey = Array.from({ length: DIM }, (_, c) =>
        waves.reduce((sum, wave, w) => sum + wave * learned.relative[w * DIM + c]!, 0),
      );
      return (dot(plus(query, learned.u), key) + dot(plus(query, learned.v), relativeKey)) / Math.sqrt(DIM);
    }
  }
}
