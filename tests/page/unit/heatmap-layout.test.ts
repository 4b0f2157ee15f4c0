import { describe, expect, test } from 'vitest';
import { LEAST_FILL, cellSize, diagonalIn, scrollTo } from '../../../web/app/plots/heatmap-layout.js';

describe('cells of a heat map', () => {
  const fill = { cells: 'fill', height: 280 } as const;

  test('are whole device pixels', () => {
    expect(cellSize(956, 80, 312, fill, 1)).toEqual({ width: 3, height: 3, columns: 312 });
    expect(cellSize(684, 80, 312, fill, 2)).toEqual({ width: 2, height: 7, columns: 312 });
  });

  test('show a window of columns where the map would leave too much of its frame empty', () => {
    expect(cellSize(956, 80, 512, fill, 1)).toEqual({ width: 2, height: 3, columns: 478 });
    expect(cellSize(346, 80, 512, fill, 1)).toMatchObject({ width: 1, columns: 346 });
  });

  test('fill at least 70 % of any frame, or are as large as their limit', () => {
    for (let frame = 120; frame < 1400; frame += 7) {
      for (const columns of [8, 64, 100, 312, 333, 512, 1024]) {
        const size = cellSize(frame, 10, columns, fill, 1);
        expect(size.width * size.columns).toBeLessThanOrEqual(frame);
        expect(size.width * size.columns).toBeGreaterThanOrEqual(LEAST_FILL * frame);
      }
    }
    expect(cellSize(1000, 12, 12, { cells: 'square', maximum: 20 }, 2)).toEqual({ width: 40, height: 40, columns: 12 });
  });

  test('a window moves no further than it must to show a cell', () => {
    expect(scrollTo({ first: 10, count: 20 }, 100, 15)).toEqual({ first: 10, count: 20 });
    expect(scrollTo({ first: 10, count: 20 }, 100, 40)).toEqual({ first: 21, count: 20 });
    expect(scrollTo({ first: 10, count: 20 }, 100, 3)).toEqual({ first: 3, count: 20 });
    expect(scrollTo({ first: 0, count: 200 }, 100, 99)).toEqual({ first: 0, count: 100 });
  });

  test('a diagonal is cut to the cells that are shown', () => {
    const all = { first: 0, count: 12 };
    expect(diagonalIn(all, all, -4)).toEqual([4, 11]);
    expect(diagonalIn(all, all, 3)).toEqual([0, 8]);
    expect(diagonalIn(all, { first: 6, count: 3 }, 0)).toEqual([6, 8]);
    expect(diagonalIn(all, all, 12)).toBeUndefined();
  });
});
