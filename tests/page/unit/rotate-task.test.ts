import { type Encodings, load } from 'posenc';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type RotatePairing,
  type RotateRequest,
  channelsOf,
  placeInOther,
  rotateTask,
} from '../../../web/app/figures/rotate/task.js';
import { dot, rotate } from '../support/oracle.ts';

let encodings: Encodings;
beforeAll(async () => {
  encodings = await load();
});

const request = {
  headDim: 16,
  rotaryDim: 16,
  base: 10_000,
  pairing: 'half',
  direction: 'forward',
  reordered: 'both',
  m: 5,
  n: 3,
} as const satisfies RotateRequest;
/** A turned vector of length 1 is within 2⁻²², a score of two of them within 2⁻²¹. */
const bound = 2 ** -21;
const pairings: readonly RotatePairing[] = ['interleaved', 'half'];

/** R(position) column by column, from turned unit vectors in float64. */
function matrix(position: number, pairing: RotatePairing, rotaryDim: number): number[] {
  const columns = Array.from({ length: 16 }, (_, c) =>
    rotate(
      Array.from({ length: 16 }, (_, i) => Number(i === c)),
      position,
      { rotaryDim, base: 10_000, pairing },
    ),
  );
  return Array.from({ length: 256 }, (_, at) => columns[at % 16]![Math.floor(at / 16)]!);
}

describe.each(pairings)('rotation by %s', (pairing) => {
  test.each([
    [5, 3, 16],
    [131_071, 1_000_000, 16],
    [1234, 0, 6],
  ])('m = %i, n = %i, width %i: as plain float64 turns it', (m, n, rotaryDim) => {
    const result = rotateTask(encodings, { ...request, pairing, m, n, rotaryDim });
    const rotation = { rotaryDim, base: 10_000, pairing };
    const [query, key] = [rotate(result.query, m, rotation), rotate(result.key, n, rotation)];
    query.forEach((value, c) => expect(Math.abs(result.turnedQuery[c]! - value)).toBeLessThan(bound));
    key.forEach((value, c) => expect(Math.abs(result.turnedKey[c]! - value)).toBeLessThan(bound));
    expect(Math.abs(result.score - dot(query, key))).toBeLessThan(bound);
    for (const by of pairings) {
      matrix(m, by, rotaryDim).forEach((value, at) => expect(Math.abs(result[by][at]! - value)).toBeLessThan(bound));
    }
    expect(result.lengthChange).toBeLessThanOrEqual(2 ** -22);
    expect(Math.abs(result.otherScore - result.score)).toBeLessThanOrEqual(2 ** -20);
  });

  test('clockwise turns by the opposite angle', () => {
    const result = rotateTask(encodings, { ...request, pairing, direction: 'inverse' });
    const exact = rotate(result.query, -5, { rotaryDim: 16, base: 10_000, pairing });
    exact.forEach((value, c) => expect(Math.abs(result.turnedQuery[c]! - value)).toBeLessThan(bound));
  });

  test('the other pairing gives another score where only q, or nothing, is reordered', () => {
    for (const reordered of ['query', 'neither'] as const) {
      const { score, otherScore } = rotateTask(encodings, { ...request, pairing, reordered });
      expect(Math.abs(score - otherScore)).toBeGreaterThan(1e-3);
    }
  });

  test('places in the other order lead back, and pairs stay together', () => {
    const other = pairing === 'half' ? 'interleaved' : 'half';
    for (const rotaryDim of [2, 6, 16]) {
      for (let channel = 0; channel < 16; channel++) {
        const there = placeInOther(channel, rotaryDim, pairing);
        expect(placeInOther(there, rotaryDim, other)).toBe(channel);
      }
      for (let pair = 0; pair < rotaryDim / 2; pair++) {
        const there = channelsOf(pair, rotaryDim, pairing).map((c) => placeInOther(c, rotaryDim, pairing));
        expect(there).toEqual(channelsOf(pair, rotaryDim, other));
      }
    }
  });
});

test('the published example has the same score at every shift, and another one by the other pairing', () => {
  // Width 4, q = (1, 2, 3, 4), k = (4, 3, 2, 1): 10.483… for neighbours, 15.129… for halves.
  const [q, k] = [
    [1, 2, 3, 4],
    [4, 3, 2, 1],
  ];
  for (const [m, n] of [
    [0, 2],
    [5, 7],
    [100, 102],
  ] as const) {
    const turned = (pairing: RotatePairing) => {
      const params = { headDim: 4, pairing };
      const turn = (x: number[], position: number) =>
        encodings.rope({ x: Float32Array.from(x), params, length: 1, heads: 1, headDim: 4, positions: [position] });
      return dot(turn(q, m), turn(k, n));
    };
    expect(turned('interleaved')).toBeCloseTo(10.483012168789427, 4);
    expect(turned('half')).toBeCloseTo(15.129492636384501, 4);
  }
});
