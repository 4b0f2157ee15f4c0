// The rules of stretching in plain float64, as their papers and public code have them.

import { frequencies } from './oracle.ts';

export interface Stretch {
  readonly dim: number;
  readonly base: number;
  /** Tokens of the first training. */
  readonly trained: number;
  readonly factor: number;
  /** Tokens of the text. */
  readonly length: number;
}

/** The divisor of each pair's frequency. */
export const divisors = {
  linear: ({ dim, factor }: Stretch): number[] => Array<number>(dim / 2).fill(factor),
  ntk: ({ dim, base, factor }: Stretch): number[] => byBase(dim, base, base * factor ** (dim / (dim - 2))),
  dynamic: ({ dim, base, trained, factor, length }: Stretch): number[] => {
    const stretch = (factor * Math.max(length, trained)) / trained - (factor - 1);
    return byBase(dim, base, base * stretch ** (dim / (dim - 2)));
  },
  yarn: ({ dim, base, trained, factor }: Stretch): number[] => {
    const pairWith = (turns: number): number =>
      (dim * Math.log(trained / (2 * Math.PI * turns))) / (2 * Math.log(base));
    const [low, high] = [Math.max(0, Math.floor(pairWith(32))), Math.min(dim - 1, Math.ceil(pairWith(1)))];
    return Array.from({ length: dim / 2 }, (_, p) => {
      const ramp = Math.min(1, Math.max(0, (p - low) / (high - low)));
      return 1 / (1 - ramp + ramp / factor);
    });
  },
  llama3: ({ dim, base, trained, factor }: Stretch): number[] =>
    frequencies(dim, base).map((frequency) => {
      const kept = Math.min(1, Math.max(0, ((trained * frequency) / (2 * Math.PI) - 1) / (4 - 1)));
      return 1 / ((1 - kept) / factor + kept);
    }),
};

function byBase(dim: number, base: number, larger: number): number[] {
  const before = frequencies(dim, base);
  return frequencies(dim, larger).map((frequency, p) => before[p]! / frequency);
}

/** The arc that a pair sweeps over a text, in turns, up to a full one. */
export function arc(frequency: number, length: number): number {
  return Math.min(1, (length * frequency) / (2 * Math.PI));
}
