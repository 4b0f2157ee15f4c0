import { type Encodings, load } from 'posenc';
import { beforeAll, describe, expect, test } from 'vitest';
import { embed } from '../../../web/app/figures/embedding.js';
import { randomMatrix } from '../../../web/app/figures/linear.js';
import {
  ORDER_DIM as dim,
  type OrderMask,
  type OrderPositions,
  orderTask,
} from '../../../web/app/figures/order/task.js';
import { attend, encodingRow, rotate, rowsOf, times } from '../support/oracle.ts';

let encodings: Encodings;
beforeAll(async () => {
  encodings = await load();
});

const tokens = ['他', '欠', '我', '100万'];
const order = [2, 1, 3, 0];
const seeds = { query: 101, key: 102, value: 103, learned: 104 };

/** Attention of the tokens in an order, in plain float64. */
function naive(places: readonly number[], positions: OrderPositions, mask: OrderMask) {
  const words = rowsOf(embed(tokens, dim), dim);
  const matrix = (seed: number): number[][] => rowsOf(randomMatrix(dim, dim, seed), dim);
  const table = rowsOf(randomMatrix(8, dim, seeds.learned), dim);
  const x = places.map((token, p) => {
    const added = { sinusoidal: encodingRow(p, dim), learned: table[p]!, index: Array<number>(dim).fill(p) }[
      positions as string
    ];
    return words[token]!.map((value, c) => value + (added?.[c] ?? 0));
  });
  const turn = (row: number[], p: number): number[] =>
    positions === 'rope' ? rotate(row, p, { rotaryDim: dim, base: 10_000, pairing: 'half' }) : row;
  const { weights, output, scores } = attend({
    query: times(x, matrix(seeds.query)).map(turn),
    key: times(x, matrix(seeds.key)).map(turn),
    value: times(x, matrix(seeds.value)),
    sees: (m, n) => mask === 'none' || n <= m,
    bias: (m, n) => (positions === 'alibi' ? -0.5 * Math.abs(m - n) : 0),
  });
  const pooled = output[0]!.map((_, c) => output.reduce((sum, row) => sum + row[c]!, 0) / output.length);
  return { weights, scores, pooled };
}

const all: readonly OrderPositions[] = ['none', 'index', 'sinusoidal', 'learned', 'rope', 'alibi'];
const masks: readonly OrderMask[] = ['none', 'causal'];

describe.each(masks)('with mask %s', (mask) => {
  test.each(all)('both orders with positions %s are attention in float64', (positions) => {
    const result = orderTask(encodings, { tokens, order, positions, mask });
    for (const [side, places] of [
      [result.first, [0, 1, 2, 3]],
      [result.second, order],
    ] as const) {
      const expected = naive(places, positions, mask);
      expected.weights.flat().forEach((weight, i) => expect(Math.abs(side.weights[i]! - weight)).toBeLessThan(3e-6));
      expected.pooled.forEach((value, c) => expect(Math.abs(side.pooled[c]! - value)).toBeLessThan(2e-5));
      expected.scores
        .flat()
        .forEach((score, i) =>
          Number.isFinite(score)
            ? expect(Math.abs(side.scores[i]! - score)).toBeLessThan(2e-5 * Math.max(1, Math.abs(score)))
            : expect(side.scores[i]).toBe(score),
        );
    }
  });
});

describe('without positions and mask', () => {
  const shuffles = [
    [1, 0, 2, 3],
    [3, 2, 1, 0],
    [1, 2, 3, 0],
    [2, 0, 3, 1],
  ];
  test.each(shuffles)('order %i %i %i %i has the very same scores, and sums within their bound', (...places) => {
    const result = orderTask(encodings, { tokens, order: places, positions: 'none', mask: 'none' });
    expect(result.scoreChange).toBe(0);
    const bound = 2 * (2 * tokens.length + 1) * 2 ** -24 * Math.max(1, result.largestValue);
    for (const change of [result.weightChange, result.outputChange, result.pooledChange]) {
      expect(change).toBeLessThanOrEqual(bound);
    }
  });
});

test.each(all.filter((positions) => positions !== 'none' && positions !== 'alibi'))(
  '%s tells the orders apart',
  (positions) => {
    for (const words of [tokens, ['我', '爱', '你']]) {
      const reversed = words.map((_, place) => words.length - 1 - place);
      const result = orderTask(encodings, { tokens: words, order: reversed, positions, mask: 'none' });
      expect(result.pooledChange).toBeGreaterThan(1e-3);
      expect(result.weightChange).toBeGreaterThan(1e-3);
    }
  },
);

test('alibi tells orders apart, but not a sentence from its mirror image', () => {
  const run = (places: readonly number[]) =>
    orderTask(encodings, { tokens, order: places, positions: 'alibi', mask: 'none' });
  const mirrored = run([3, 2, 1, 0]);
  const bound = 2 * (2 * tokens.length + 1) * 2 ** -24 * Math.max(1, mirrored.largestValue);
  expect(mirrored.scoreChange).toBe(0);
  expect(mirrored.pooledChange).toBeLessThanOrEqual(bound);
  expect(run([1, 0, 2, 3]).pooledChange).toBeGreaterThan(1e-3);
});

test('a causal mask tells the orders apart', () => {
  const result = orderTask(encodings, { tokens, order, positions: 'none', mask: 'causal' });
  expect(result.pooledChange).toBeGreaterThan(1e-2);
  expect(result.scoreChange).toBe(Infinity);
});
