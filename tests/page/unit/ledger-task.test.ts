import { type Encodings, load } from 'posenc';
import { beforeAll, describe, expect, test } from 'vitest';
import { CLAIMS, type LedgerResult, holds, ledgerTask, verdictOf } from '../../../web/app/figures/ledger/task.js';
import { frequencies, kernel } from '../support/oracle.ts';

let result: LedgerResult;
const shares: number[] = [];
beforeAll(async () => {
  const encodings: Encodings = await load();
  const slices = ledgerTask(encodings, {});
  for (;;) {
    const { done, value } = slices.next();
    if (done) {
      result = value;
      return;
    }
    shares.push(value.share);
  }
});

test('claims are checked one after the other', () => {
  expect(shares).toHaveLength(CLAIMS.length);
  expect(shares.at(-1)).toBe(1);
  expect(Object.keys(result)).toEqual([...CLAIMS]);
});

test('a verdict follows from the checks alone', () => {
  const [yes, no] = [
    { value: 1, limit: 2, relation: '<' },
    { value: 1, limit: 1, relation: '>' },
  ] as const;
  expect([holds(yes), holds(no), holds({ value: 1, limit: 1, relation: '≤' })]).toEqual([true, false, true]);
  expect(holds({ value: NaN, limit: 1, relation: '≤' })).toBe(false);
  expect([verdictOf([yes, yes]), verdictOf([yes, no]), verdictOf([no, no])]).toEqual(['true', 'conditions', 'false']);
});

test('verdicts are those of the literature review', () => {
  const of = (verdict: string): string[] => CLAIMS.filter((claim) => verdictOf(result[claim]) === verdict);
  expect(of('true')).toEqual(['equalProducts', 'linearShift', 'lengths']);
  expect(of('false')).toEqual(['oneHot', 'ropeKernel', 'largerBase', 'distinctPairs']);
  expect(of('conditions')).toEqual([
    'order',
    'readsDistance',
    'period',
    'aliases',
    'relativeScore',
    'decay',
    'alibi',
    'extrapolation',
  ]);
});

describe('numbers', () => {
  const values = (claim: keyof LedgerResult): number[] => result[claim].map(({ value }) => value);

  test('of the kernel: the rise from 43 to 44, likeness far out, one curve for both encodings', () => {
    const rises = Array.from({ length: 63 }, (_, n) => kernel(n + 1, 512) - kernel(n, 512));
    expect(values('readsDistance')[1]).toBeCloseTo(Math.max(...rises), 11);
    const far = (dim: number): number => {
      let most = -1;
      for (let distance = 10_000; distance <= 200_000; distance++) most = Math.max(most, kernel(distance, dim));
      return most;
    };
    expect(values('aliases')[0]).toBeCloseTo(far(8), 9);
    expect(values('aliases')[0]).toBeCloseTo(0.9999986301, 9); // at 169 646
    expect(values('aliases')[1]).toBeCloseTo(0.128, 3);
    expect(values('ropeKernel')[0]).toBeLessThan(1e-12);
  });

  test('of frequencies: ratios of neighbours, the slowest wave, different speeds', () => {
    expect(values('largerBase')[0]).toBeCloseTo(0.9152, 4);
    expect(result.largerBase[0]!.limit).toBeCloseTo(0.9709, 4);
    expect(values('period')[0]).toBe(0);
    expect(values('period')[1]! / (1 / frequencies(512).at(-1)! - 1)).toBeCloseTo(1, 12);
    expect(values('distinctPairs')).toEqual([64]);
    expect(result.distinctPairs[0]!.limit).toBe(2047);
  });

  test('of attention: a mask breaks the permutation; a steep head gives a far word exactly nothing', () => {
    expect(values('order')[1]).toBeGreaterThan(0.01);
    expect(values('alibi')).toEqual([0, 0]);
    expect(values('oneHot')).toEqual([0]);
    expect(result.oneHot[0]!.limit).toBe(0);
  });

  test('of longer texts: the arc past training, and none when divided', () => {
    const arcs = frequencies(128).map((frequency) => {
      const [trained, reached] = [4096, 8192].map((length) => Math.min(1, (length * frequency) / (2 * Math.PI)));
      return reached! - trained!;
    });
    expect(values('extrapolation')[0]).toBeCloseTo(Math.max(...arcs), 12);
    expect(values('extrapolation')[1]).toBeLessThan(2e-14);
  });
});
