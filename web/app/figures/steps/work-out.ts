// What a cell of a step is made of, written out with its numbers.

import type { Content } from '../../texts/translation.js';
import { fixed, group } from '../../plots/format.js';
import type { Cell } from '../../plots/heatmap.js';
import { texts } from '../../texts/index.js';
import { type Method, STEPS_DIM, type Step, type StepsRequest, type StepsResult, headDimOf } from './task.js';

/** Words of a sentence. */
export const MOST_TOKENS = 8;
/** Products of a long sum that are written out. */
const WRITTEN = 3;

/** The arithmetic of one cell with its numbers put in, up to the equals sign. */
export function workOut(
  step: Step,
  method: Method,
  { row, column }: Cell,
  request: StepsRequest,
  { methods, matrices, frequencies }: StepsResult,
): Content {
  const words = texts().steps.readout;
  const values = methods[method];
  const headDim = headDimOf(request);
  const count = request.tokens.length;
  switch (step) {
    case 'x': {
      if (method === 'sinusoids') {
        const word = methods.none.x[row * STEPS_DIM + column]!;
        return `${words.plusPosition}: ${sum([word, values.x[row * STEPS_DIM + column]! - word])}`;
      }
      return method === 'rope' && request.mistake === 'early' ? words.turnedEarly : words.embedding;
    }
    case 'q':
    case 'k':
    case 'v': {
      if (step === 'v' && method === 'rope' && request.mistake === 'values') return words.turnedToo;
      const x = Array.from({ length: STEPS_DIM }, (_, c) => values.x[row * STEPS_DIM + c]!);
      return products(
        x,
        x.map((_, c) => matrices[step][c * headDim + column]!),
        words.more,
      );
    }
    case 'turnedQ':
    case 'turnedK': {
      const source = step === 'turnedQ' ? 'q' : 'k';
      const isTurned =
        method === 'rope' && request.mistake !== 'early' && !(step === 'turnedK' && request.mistake === 'keys');
      if (!isTurned) return words.same;
      const pair = column % (headDim / 2);
      const at = (channel: number): number => values[source][row * headDim + channel]!;
      return rotation(at(pair), at(pair + headDim / 2), column < headDim / 2, row, frequencies[pair]!);
    }
    case 'scores': {
      if (values.scores[row * count + column] === -Infinity) return words.masked;
      const query = values.turnedQ.subarray(row * headDim, (row + 1) * headDim);
      const key = values.turnedK.subarray(column * headDim, (column + 1) * headDim);
      return `(${products(query, key, words.more)}) / √${group(headDim)}`;
    }
    case 'weights': {
      const scores = values.scores.subarray(row * count, (row + 1) * count);
      if (scores[column] === -Infinity) return words.unseen;
      const seen = [...scores].filter((score) => score > -Infinity);
      return `e^${fixed(scores[column]!, 3)} / (${seen.map((score) => `e^${fixed(score, 3)}`).join(' + ')})`;
    }
    case 'output': {
      const weights = values.weights.subarray(row * count, (row + 1) * count);
      return products(
        weights,
        weights.map((_, n) => values.v[n * headDim + column]!),
        words.more,
        MOST_TOKENS,
      );
    }
  }
}

/** a₀ × b₀ + a₁ × b₁ + …, at most `most` products written out; those with a factor of 0 are left out. */
function products(a: ArrayLike<number>, b: ArrayLike<number>, more: (count: string) => string, most = WRITTEN): string {
  const factors = Array.from(a, (value, i) => [value, b[i]!] as const).filter(([x, y]) => x !== 0 && y !== 0);
  const written = factors.slice(0, most).map(([x, y]) => `${fixed(x, 3)} × ${bracketed(y)}`);
  return written.join(' + ') + (factors.length > most ? ` + ${more(group(factors.length))}` : '');
}

/** One channel of a turned pair (a, b). */
function rotation(a: number, b: number, isFirst: boolean, position: number, frequency: number): string {
  const angle = `(${group(position)} × ${fixed(frequency, 4)})`;
  return isFirst
    ? `${fixed(a, 3)} × cos${angle} − ${bracketed(b)} × sin${angle}`
    : `${fixed(a, 3)} × sin${angle} + ${bracketed(b)} × cos${angle}`;
}

function sum(numbers: readonly number[]): string {
  return numbers.map((value, i) => (i === 0 ? fixed(value, 3) : bracketed(value))).join(' + ');
}

/** A factor after a sign: in brackets where it is negative. */
function bracketed(value: number): string {
  return value < 0 ? `(${fixed(value, 3)})` : fixed(value, 3);
}
