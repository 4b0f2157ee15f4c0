import { type Encodings, load } from 'posenc';
import { beforeAll, describe, expect, test } from 'vitest';
import { type DecayRequest, decayTask } from '../../../web/app/figures/decay/task.js';
import { embed } from '../../../web/app/figures/embedding.js';
import { dot, frequencies, rotate } from '../support/oracle.ts';

let encodings: Encodings;
beforeAll(async () => {
  encodings = await load();
});

const request: DecayRequest = {
  dim: 128,
  base: 10_000,
  pairs: 5,
  edges: [0, 1, 10, 50, 100, 256, 1000, 10_000, 12_001],
  far: 1000,
  near: 10,
};
const distances = request.edges.slice(0, -1);

const kernel = (distance: number): number =>
  frequencies(128).reduce((sum, frequency) => sum + Math.cos(distance * frequency), 0) / 64;

/** Unit vectors from the page's own seeded generator: queries first, then keys. */
function vectors(count: number, dim: number): number[][] {
  const rows = embed(
    Array.from({ length: count }, (_, row) => String(row)),
    dim,
  );
  return Array.from({ length: count }, (_, row) => {
    const vector = [...rows.subarray(row * dim, (row + 1) * dim)];
    const length = Math.sqrt(dot(vector, vector));
    return vector.map((value) => value / length);
  });
}

describe('equal query and key', () => {
  test('K, and its extremes in every range', () => {
    const result = decayTask(encodings, request);
    distances.forEach((distance, i) => {
      expect(result.kernel[i]).toBeCloseTo(kernel(distance), 11);
      const all = Array.from({ length: request.edges[i + 1]! - distance }, (_, k) => kernel(distance + k));
      expect(result.least[i]).toBeCloseTo(Math.min(...all), 10);
      expect(result.greatest[i]).toBeCloseTo(Math.max(...all), 10);
    });
    const far = Array.from({ length: 12_001 - 1000 }, (_, k) => Math.abs(kernel(1000 + k)));
    expect(result.farKernel).toBeCloseTo(Math.max(...far), 10);
  });

  test('the published bound, and the first rise', () => {
    const { bound, firstRise, largestRise } = decayTask(encodings, request);
    [32.5, 17.954, 12.629, 10.227, 6.543].forEach((value, k) =>
      expect(bound[[0, 2, 3, 4, 5][k]!]).toBeCloseTo(value, k === 0 ? 9 : 3),
    );
    const rises = Array.from({ length: 1000 }, (_, n) => kernel(n + 1) - kernel(n));
    expect(firstRise).toBe(rises.findIndex((rise) => rise > 0));
    expect(largestRise).toBeCloseTo(Math.max(...rises), 11);
  });

  test('512 wide, K first rises from 43 to 44', () => {
    expect(decayTask(encodings, { ...request, dim: 512, pairs: 1 }).firstRise).toBe(43);
  });
});

describe('random queries and keys', () => {
  const all = vectors(10, 128);
  const score = (pair: number, distance: number): number =>
    dot(all[pair]!, rotate(all[pair + 5]!, distance, { rotaryDim: 128, base: 10_000, pairing: 'half' }));

  test('scores, their root mean squares and their bounds are those of plain float64', () => {
    const result = decayTask(encodings, request);
    const ranges = distances.length;
    let share = 0;
    distances.forEach((distance, i) => {
      const sums = Array.from({ length: 64 }, (_, j) =>
        frequencies(128)
          .slice(0, j + 1)
          .reduce<readonly [number, number]>(
            ([x, y], f) => [x + Math.cos(distance * f), y + Math.sin(distance * f)],
            [0, 0],
          ),
      ).reduce((sum, [x, y]) => sum + Math.hypot(x, y), 0);
      for (let pair = 0; pair < 5; pair++) {
        expect(Math.abs(result.fan[pair * ranges + i]! - score(pair, distance))).toBeLessThan(5e-6);
        const h = Array.from({ length: 65 }, (_, p) => {
          if (p === 64) return [0, 0] as const;
          const [a, b, c, d] = [all[pair]![p]!, all[pair]![p + 64]!, all[pair + 5]![p]!, all[pair + 5]![p + 64]!];
          return [a * c + b * d, b * c - a * d] as const;
        });
        const step = Math.max(...h.slice(1).map(([x, y], p) => Math.hypot(x - h[p]![0], y - h[p]![1])));
        share = Math.max(share, Math.abs(score(pair, distance)) / (step * sums));
      }
      share = Math.max(share, (Math.abs(kernel(distance)) * 64) / sums);
    });
    expect(result.shareOfBound).toBeCloseTo(share, 5);
    const rms = (chosen: number[]): number => {
      const scores = chosen.flatMap((distance) => [0, 1, 2, 3, 4].map((pair) => score(pair, distance)));
      return Math.sqrt(dot(scores, scores) / scores.length);
    };
    expect(result.nearRandom).toBeCloseTo(rms([0, 1]), 5);
    expect(result.farRandom).toBeCloseTo(rms([1000, 10_000]), 5);
  });
});
