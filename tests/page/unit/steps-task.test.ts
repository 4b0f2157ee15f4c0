import { type Encodings, load } from 'posenc';
import { beforeAll, describe, expect, test } from 'vitest';
import { embed } from '../../../web/app/figures/embedding.js';
import { randomMatrix } from '../../../web/app/figures/linear.js';
import {
  METHODS,
  type Method,
  STEPS_DIM as dim,
  type StepsMask,
  type StepsMistake,
  type StepsRequest,
  stepsTask,
} from '../../../web/app/figures/steps/task.js';
import { attend, encodingRow, rotate, rowsOf, times } from '../support/oracle.ts';

let encodings: Encodings;
beforeAll(async () => {
  encodings = await load();
});

const tokens = ['小', '猫', '看见', '小', '狗', '。'];
const start: StepsRequest = {
  tokens,
  heads: 2,
  kvHeads: 2,
  head: 0,
  mask: 'causal',
  projections: 'random',
  mistake: 'none',
};

/** Every step of one head in plain float64. */
function naive(request: StepsRequest, method: Method) {
  const { heads, kvHeads, head, projections, mask } = request;
  const headDim = dim / heads;
  const kvHead = Math.floor(head / (heads / kvHeads));
  const x = rowsOf(embed(tokens, dim), dim).map((row, p) =>
    method === 'sinusoids' ? row.map((value, c) => value + encodingRow(p, dim)[c]!) : row,
  );
  const project = (seed: number, count: number, at: number): number[][] => {
    const columns = count * headDim;
    const matrix =
      projections === 'random'
        ? rowsOf(randomMatrix(dim, columns, seed), columns)
        : Array.from({ length: dim }, (_, r) => Array.from({ length: columns }, (_, c) => Number(r === c)));
    return times(x, matrix).map((row) => row.slice(at * headDim, (at + 1) * headDim));
  };
  const [q, k, v] = [project(401, heads, head), project(402, kvHeads, kvHead), project(403, kvHeads, kvHead)];
  const turn = (row: number[], p: number): number[] =>
    method === 'rope' ? rotate(row, p, { rotaryDim: headDim, base: 10_000, pairing: 'half' }) : row;
  const [turnedQ, turnedK] = [q.map(turn), k.map(turn)];
  const sees = {
    none: () => true,
    causal: (m: number, n: number) => n <= m,
    window: (m: number, n: number) => Math.abs(n - m) < 2,
    both: (m: number, n: number) => n <= m && m - n < 2,
  }[mask];
  return { x, q, k, v, turnedQ, turnedK, ...attend({ query: turnedQ, key: turnedK, value: v, sees }) };
}

function expectSteps(request: StepsRequest, methods: readonly Method[] = METHODS): void {
  const result = stepsTask(encodings, request);
  for (const method of methods) {
    for (const [step, rows] of Object.entries(naive(request, method))) {
      rows.flat().forEach((value, i) => {
        const found = result.methods[method][step as 'x'][i]!;
        if (Number.isFinite(value)) expect(Math.abs(found - value)).toBeLessThan(2e-5);
        else expect(found).toBe(value);
      });
    }
  }
  expect(result.residual).toBeLessThanOrEqual(result.tolerance);
}

describe('every step is that of plain float64', () => {
  test.each<StepsMask>(['none', 'causal', 'window', 'both'])('with mask %s', (mask) => expectSteps({ ...start, mask }));

  test.each([
    [1, 1, 0],
    [2, 1, 1],
    [4, 4, 3],
    [4, 2, 2],
    [4, 1, 3],
  ])('with %i heads, %i of keys, in head %i', (heads, kvHeads, head) => {
    expectSteps({ ...start, heads, kvHeads, head });
    expectSteps({ ...start, heads, kvHeads, head, projections: 'identity' });
  });
});

describe('the steps against one call of attention', () => {
  test('without a mistake they are the very same floats', () => {
    for (const heads of [1, 2, 4]) {
      expect(stepsTask(encodings, { ...start, heads, kvHeads: 1 }).residual).toBe(0);
    }
  });

  test.each<StepsMistake>(['values', 'keys', 'early'])('%s shows', (mistake) => {
    const { residual, tolerance, methods } = stepsTask(encodings, { ...start, mistake });
    expect(residual).toBeGreaterThan(1000 * tolerance);
    // The other two methods turn nothing, so the mistake is not theirs.
    const { methods: intact } = stepsTask(encodings, start);
    for (const method of ['none', 'sinusoids'] as const) expect(methods[method]).toEqual(intact[method]);
  });

  test('with identity projections and one head, turning x leaves the scores alone', () => {
    const request: StepsRequest = { ...start, heads: 1, kvHeads: 1, projections: 'identity' };
    const { methods } = stepsTask(encodings, { ...request, mistake: 'early' });
    const { methods: intact } = stepsTask(encodings, request);
    expect(methods.rope.scores).toEqual(intact.rope.scores);
    expect(methods.rope.v).not.toEqual(intact.rope.v);
  });
});

test('the columns of the projections are those of the head', () => {
  const { matrices, methods, frequencies } = stepsTask(encodings, { ...start, heads: 4, kvHeads: 2, head: 3 });
  const x = rowsOf(embed(tokens, dim), dim);
  for (const name of ['q', 'k', 'v'] as const) {
    times(x, rowsOf(matrices[name], 4))
      .flat()
      .forEach((value, i) => expect(Math.abs(methods.none[name][i]! - value)).toBeLessThan(1e-6));
  }
  expect([...frequencies]).toEqual([1, expect.closeTo(0.01, 12)]);
});
