import { describe, expect, test } from 'vitest';
import {
  cellTicks,
  decadeMinorTicks,
  decadeTicks,
  linearTicks,
  placeLabels,
  spread,
} from '../../../web/app/plots/ticks.js';

describe('ticks', () => {
  test('a linear axis has round numbers within its ends', () => {
    expect(linearTicks(-1, 1, 5)).toEqual([-1, -0.5, 0, 0.5, 1]);
    expect(linearTicks(0, 63, 6)).toEqual([0, 20, 40, 60]);
    expect(linearTicks(0.13, 0.28, 3)).toEqual([0.15, 0.2, 0.25]);
  });

  test('a logarithmic axis has every power of ten, with 2 to 9 between them', () => {
    expect(decadeTicks(1, 1e7)).toEqual([1, 10, 100, 1000, 10000, 100000, 1000000, 10000000]);
    expect(decadeTicks(1e-9, 1)).toHaveLength(10);
    expect(decadeMinorTicks(1, 30)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 20, 30]);
  });

  test('cells are labelled at round numbers and at both ends', () => {
    expect(cellTicks(0, 80, 12)).toEqual([0, 20, 40, 60, 79]);
    expect(cellTicks(0, 12, 1)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(cellTicks(999990, 64, 15)).toEqual([999990, 1000020, 1000053]);
    expect(cellTicks(5, 1, 10)).toEqual([5]);
  });

  test('no two cell labels are closer than the spacing', () => {
    for (const [start, length, spacing] of [
      [0, 312, 30],
      [17, 200, 7],
      [1000000, 64, 9],
      [0, 61, 20],
    ] as const) {
      const ticks = cellTicks(start, length, spacing);
      ticks.slice(1).forEach((tick, k) => expect(tick - ticks[k]!).toBeGreaterThanOrEqual(spacing));
    }
  });
});

describe('labels on an axis', () => {
  const label = (middle: number, width: number, weight = 0) => ({ middle, width, weight });

  test('of two that collide the heavier stays, then the earlier', () => {
    expect(placeLabels([label(10, 20), label(25, 20)], 4, 0, 100).map((p) => p.middle)).toEqual([10]);
    expect(placeLabels([label(10, 20), label(25, 20, 1)], 4, 0, 100).map((p) => p.middle)).toEqual([25]);
  });

  test('a label at the edge moves inside, and one that cannot fit is left out', () => {
    expect(placeLabels([label(99, 20)], 4, 0, 100).map((p) => p.middle)).toEqual([90]);
    expect(placeLabels([label(50, 120)], 4, 0, 100)).toEqual([]);
  });

  test('they come back in the order in which they were given', () => {
    const placed = placeLabels([label(10, 5), label(50, 5, 9), label(90, 5)], 4, 0, 100);
    expect(placed.map((p) => p.middle)).toEqual([10, 50, 90]);
  });
});

describe('names at the ends of lines', () => {
  test('names with room stay where they are', () => {
    expect(spread([10, 60], 18, 0, 100)).toEqual([10, 60]);
  });

  test('names that touch move apart evenly and keep their order', () => {
    expect(spread([52, 48], 18, 0, 100)).toEqual([59, 41]);
    expect(spread([50, 50, 50], 10, 0, 100)).toEqual([40, 50, 60]);
  });

  test('no name leaves the limits', () => {
    expect(spread([98, 99], 18, 0, 100)).toEqual([82, 100]);
    expect(spread([-5, 0, 3], 10, 0, 100)).toEqual([0, 10, 20]);
  });
});
