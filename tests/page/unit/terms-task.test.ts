import { type Encodings, load } from 'posenc';
import { beforeAll, describe, expect, test } from 'vitest';
import { embed } from '../../../web/app/figures/embedding.js';
import { randomMatrix } from '../../../web/app/figures/linear.js';
import { TERMS_DIM as dim, type TermsProjections, termsTask } from '../../../web/app/figures/terms/task.js';
import { dot, encodingRow, kernel, rotate, rowsOf, times } from '../support/oracle.ts';

let encodings: Encodings;
beforeAll(async () => {
  encodings = await load();
});

const tokens = ['小', '猫', '看见', '小', '狗', '，', '然后'];
const all = [true, true, true, true];
const both: readonly TermsProjections[] = ['identity', 'random'];

/** Every term in plain float64. */
function naive(projections: TermsProjections) {
  const project = (rows: number[][], seed: number): number[][] =>
    projections === 'identity' ? rows : times(rows, rowsOf(randomMatrix(dim, dim, seed), dim));
  const x = rowsOf(embed(tokens, dim), dim);
  const p = tokens.map((_, position) => encodingRow(position, dim));
  const [xq, pq, xk, pk] = [project(x, 301), project(p, 301), project(x, 302), project(p, 302)];
  const table = (left: number[][], right: number[][]): number[] => left.flatMap((a) => right.map((b) => dot(a, b)));
  const turn = (row: number[], at: number): number[] =>
    rotate(row, at, { rotaryDim: dim, base: 10_000, pairing: 'half' });
  return {
    contentContent: table(xq, xk),
    positionContent: table(pq, xk),
    contentPosition: table(xq, pk),
    positionPosition: table(pq, pk),
    rotated: table(xq.map(turn), xk.map(turn)),
  };
}

describe.each(both)('with projections: %s', (projections) => {
  test('terms, sum, score and the rotated score are those of plain float64', () => {
    const result = termsTask(encodings, { tokens, projections, included: all });
    const { rotated, ...terms } = naive(projections);
    for (const [name, expected] of Object.entries(terms)) {
      expected.forEach((value, i) =>
        expect(Math.abs(result.terms[name as keyof typeof terms][i]! - value)).toBeLessThan(1e-5),
      );
    }
    rotated.forEach((value, i) => expect(Math.abs(result.rotated[i]! - value)).toBeLessThan(5e-5));
    const total = Object.values(terms).reduce((sum, term) => sum.map((value, i) => value + term[i]!));
    total.forEach((value, i) => {
      expect(Math.abs(result.sum[i]! - value)).toBeLessThan(2e-5);
      expect(Math.abs(result.score[i]! - value)).toBeLessThan(5e-5);
    });
    expect(result.residual).toBeLessThanOrEqual(result.tolerance);
    expect(result.residual).toBe(Math.max(...result.sum.map((value, i) => Math.abs(value - result.score[i]!))));
  });

  test('without the cross terms they are what is missing', () => {
    const result = termsTask(encodings, { tokens, projections, included: [true, false, false, true] });
    const { positionContent, contentPosition } = naive(projections);
    const missing = Math.max(...positionContent.map((value, i) => Math.abs(value + contentPosition[i]!)));
    expect(Math.abs(result.residual - missing)).toBeLessThan(1e-4);
    expect(result.residual).toBeGreaterThan(result.tolerance);
  });
});

test('position · position depends on the distance alone, until matrices stand between', () => {
  const { terms, positionSpread } = termsTask(encodings, { tokens, projections: 'identity', included: all });
  expect(positionSpread).toBeLessThan(4e-6);
  for (let n = 0; n < tokens.length; n++) {
    expect(Math.abs(terms.positionPosition[n]! - (dim / 2) * kernel(n, dim))).toBeLessThan(4e-6);
  }
  expect(termsTask(encodings, { tokens, projections: 'random', included: all }).positionSpread).toBeGreaterThan(1);
});

test.each([2, 3, 12])('the bound holds for sentences of %i words', (count) => {
  for (const projections of both) {
    const words = Array.from({ length: count }, (_, i) => `w${i}`);
    const { residual, tolerance } = termsTask(encodings, { tokens: words, projections, included: all });
    expect(residual).toBeLessThanOrEqual(tolerance);
  }
});
