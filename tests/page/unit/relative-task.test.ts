import { type Encodings, load } from 'posenc';
import { beforeAll, describe, expect, test } from 'vitest';
import { embed } from '../../../web/app/figures/embedding.js';
import {
  REACH,
  RELATIVE_HEADS,
  RELATIVE_METHODS,
  type RelativeRequest,
  relativeTask,
  sample,
} from '../../../web/app/figures/relative/task.js';
import { relativeScore } from '../support/relative-scores.ts';

let encodings: Encodings;
beforeAll(async () => {
  encodings = await load();
});

const tokens = ['the', 'cat', 'saw', 'the', 'dog'];
const request: RelativeRequest = { method: 'alibi', tokens, head: 2, start: 100, causal: false };
/** Sums of sixteen products of numbers of a few units in float32. */
const bound = 5e-5;

describe.each(RELATIVE_METHODS)('%s', (method) => {
  test.each([
    [100, false],
    [2000, true],
  ])('from position %i, causal %s: scores, curves and weights are those of plain float64', (start, causal) => {
    const result = relativeTask(encodings, { ...request, method, start, causal });
    const count = tokens.length;
    const words = tokens.map((_, n) => [...embed(tokens, 16).subarray(16 * n, 16 * n + 16)]);
    for (let m = 0; m < count; m++) {
      const logits = tokens.map((_, n) =>
        causal && n > m
          ? -Infinity
          : relativeScore(method, words[m]!, words[n]!, start + m, start + n, { head: 2, causal }),
      );
      const exps = logits.map((logit) => Math.exp(logit - Math.max(...logits)));
      const sum = exps.reduce((total, value) => total + value, 0);
      for (let n = 0; n < count; n++) {
        const at = m * count + n;
        const { query, key } = sample;
        if (causal && n > m) expect(result.scores[at]).toBe(-Infinity);
        else {
          const exact = relativeScore(method, query, key, start + m, start + n, { head: 2, causal });
          expect(Math.abs(result.scores[at]! - exact)).toBeLessThan(bound);
        }
        expect(Math.abs(result.weights[at]! - exps[n]! / sum)).toBeLessThan(bound);
      }
    }
    const points = 2 * REACH + 1;
    for (let head = 0; head < RELATIVE_HEADS; head++) {
      for (const distance of [-REACH, -17, -1, 0, ...(causal ? [] : [1, 9, REACH])]) {
        const exact = relativeScore(method, sample.query, sample.key, start + REACH, start + REACH + distance, {
          head,
          causal,
        });
        expect(Math.abs(result.curve[head * points + distance + REACH]! - exact)).toBeLessThan(bound);
      }
    }
  });
});

test('every encoding sees the distance alone, and FIRE no longer past its threshold', () => {
  for (const start of [0, 1, 100, 500]) {
    for (const { drift, bound } of Object.values(relativeTask(encodings, { ...request, start }).drifts)) {
      expect(drift).toBeLessThanOrEqual(bound);
    }
  }
  const { fire, ...others } = relativeTask(encodings, { ...request, start: 5000 }).drifts;
  expect(fire.drift).toBeGreaterThan(1000 * fire.bound);
  for (const { drift, bound } of Object.values(others)) expect(drift).toBeLessThanOrEqual(bound);
});
