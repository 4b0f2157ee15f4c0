import { describe, expect, test } from 'vitest';
import {
  addBand,
  addPoints,
  isDense,
  pixelsOf,
  pointsThatShow,
  runsTogether,
  scaleOf,
} from '../../../web/app/plots/trace.ts';

/** What is added to a path, in words. */
function recorded(add: (path: CanvasRenderingContext2D) => void): string {
  const words: string[] = [];
  const path = {
    moveTo: (x: number, y: number) => words.push(`M${x} ${y}`),
    lineTo: (x: number, y: number) => words.push(`L${x} ${y}`),
    closePath: () => words.push('Z'),
  };
  add(path as unknown as CanvasRenderingContext2D);
  return words.join(' ');
}

const places = (...values: number[]): Float64Array => Float64Array.from(values);

describe('a scale', () => {
  test('is linear or logarithmic, and has the number at every place', () => {
    const linear = scaleOf({ minimum: -1, maximum: 3 }, 100, 20);
    expect([linear.place(-1), linear.place(1), linear.place(3)]).toEqual([100, 60, 20]);
    const log = scaleOf({ minimum: 1, maximum: 1e6, scale: 'log' }, 10, 70);
    expect(log.place(1000)).toBeCloseTo(40, 12);
    for (const value of [1, 7, 1e5]) expect(log.valueAt(log.place(value))).toBeCloseTo(value, 6);
  });
});

describe('a path', () => {
  test('goes through all points, and is parted where there is no number', () => {
    const line = recorded((path) => addPoints(path, places(0, 1, 2, 3, 4), places(5, 6, NaN, 7, 8)));
    expect(line).toBe('M0 5 L1 6 M3 7 L4 8');
  });

  test('around a band goes out on one line and back on the other', () => {
    const band = recorded((path) => addBand(path, places(0, 1, 2, 3), places(5, 6, NaN, 7), places(1, 2, 3, 4)));
    expect(band).toBe('M0 5 L1 6 L1 2 L0 1 Z M3 7 L3 4 Z');
    expect(recorded((path) => addBand(path, places(0, 1), places(5, 6), 9))).toBe('M0 5 L1 6 L1 9 L0 9 Z');
  });
});

describe('a line of more points than pixel columns', () => {
  const columns = 60;
  const wave = (period: number, count = 5000) => {
    const x = Float64Array.from({ length: count }, (_, i) => 7 + (i * columns) / count);
    return { x, y: x.map((at) => 50 + 40 * Math.sin((2 * Math.PI * at) / period)) };
  };

  test.each([0.5, 3, 17, 200])('of period %d keeps the first, last, lowest and highest point of each', (period) => {
    const { x, y } = wave(period);
    const shown = pointsThatShow(x, y);
    expect(shown.x.length).toBeLessThanOrEqual(4 * columns);
    expect([...shown.x]).toEqual([...shown.x].sort((a, b) => a - b));
    for (let column = 7; column < 7 + columns; column++) {
      const of = (line: { x: Float64Array; y: Float64Array }) =>
        [...line.y].filter((_, i) => Math.floor(line.x[i]!) === column);
      const [all, kept] = [of({ x, y }), of(shown)];
      expect([kept[0], kept.at(-1)]).toEqual([all[0], all.at(-1)]);
      expect(Math.min(...kept)).toBe(Math.min(...all));
      expect(Math.max(...kept)).toBe(Math.max(...all));
    }
  });

  test('stays parted', () => {
    const { x, y } = pointsThatShow(places(0.1, 0.2, 0.3, 0.4, 0.5, 0.6), places(1, 2, 3, NaN, 5, 4));
    expect([...x]).toEqual([0.1, 0.3, 0.4, 0.5, 0.6]);
    expect([...y]).toEqual([1, 3, NaN, 5, 4]);
  });

  test('is dense with more than four points in a column', () => {
    expect([isDense(400, 100), isDense(401, 100)]).toEqual([false, true]);
  });

  test('runs together where it is too fast for its columns, unless it leaves any out', () => {
    expect(runsTogether(pointsThatShow(...lineOf(wave(3))))).toBe(true);
    expect(runsTogether(pointsThatShow(...lineOf(wave(60))))).toBe(false);
    const { x, y } = wave(3);
    expect(runsTogether({ x: x.map((at) => at * 1000), y })).toBe(false);
    expect(runsTogether({ x, y: y.map((at, i) => (i === 9 ? NaN : at)) })).toBe(false);
  });

  test('touches the pixels of all its points, and none that it does not reach', () => {
    const line = wave(0.7);
    const rects = pixelsOf(pointsThatShow(...lineOf(line)));
    expect(rects.reduce((sum, [, , width]) => sum + width, 0)).toBe(columns);
    for (let i = 0; i < line.x.length; i++) {
      const rect = rects.find(([left, , width]) => line.x[i]! >= left && line.x[i]! < left + width)!;
      expect(line.y[i]!).toBeGreaterThanOrEqual(rect[1]);
      expect(line.y[i]!).toBeLessThanOrEqual(rect[1] + rect[3]);
    }
    for (const [, top, , height] of rects) {
      expect(top).toBeGreaterThanOrEqual(Math.floor(Math.min(...line.y)));
      expect(top + height).toBeLessThanOrEqual(Math.ceil(Math.max(...line.y)));
    }
  });

  function lineOf({ x, y }: { x: Float64Array; y: Float64Array }): [Float64Array, Float64Array] {
    return [x, y];
  }
});
