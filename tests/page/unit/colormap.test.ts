import { describe, expect, test } from 'vitest';
import {
  type ColorMapName,
  type Rgb,
  TABLE_SIZE,
  colorTable,
  colorize,
  parseColor,
  shareOf,
  toOklab,
} from '../../../web/app/plots/colormap.js';

const papers: Record<string, Rgb> = { light: [0xfd, 0xfd, 0xfc], dark: [0x13, 0x15, 0x18] };
const colorAt = (map: ColorMapName, paper: Rgb, entry: number): number[] => [
  ...colorTable(map, paper).bytes.subarray(entry * 4, entry * 4 + 4),
];
const colorOf = (value: number, scale: Parameters<typeof colorize>[1], paper: Rgb): number[] => {
  const pixels = new Uint32Array(1);
  colorize([value], scale, colorTable(scale.map, paper), pixels);
  return [...new Uint8Array(pixels.buffer)];
};

describe.each(Object.entries(papers))('colour maps on %s paper', (theme, paper) => {
  test('zero is exactly the colour of the paper', () => {
    expect(colorOf(0, { map: 'diverging', limit: 1 }, paper)).toEqual([...paper, 255]);
    expect(colorOf(-0, { map: 'diverging', limit: 0.2 }, paper)).toEqual([...paper, 255]);
    expect(colorOf(0, { map: 'sequential', limit: 3 }, paper)).toEqual([...paper, 255]);
  });

  test('zero follows a paper that a host page has changed', () => {
    const other: Rgb = theme === 'light' ? [250, 244, 230] : [0, 0, 0];
    expect(colorOf(0, { map: 'diverging', limit: 1 }, other)).toEqual([...other, 255]);
  });

  test('what rounds to zero at this limit vanishes too, and what does not shows', () => {
    expect(colorOf(2.7e-8, { map: 'diverging', limit: 0.2 }, paper)).toEqual([...paper, 255]);
    expect(colorOf(0.01, { map: 'diverging', limit: 0.2 }, paper)).not.toEqual([...paper, 255]);
  });

  test('the ends are the published end colours, blue below and orange above', () => {
    const [low, high] = theme === 'light' ? ['#194cb1', '#a32605'] : ['#6dc9fe', '#fca94b'];
    expect(colorAt('diverging', paper, 0)).toEqual([...parseColor(low!), 255]);
    expect(colorAt('diverging', paper, TABLE_SIZE - 1)).toEqual([...parseColor(high!), 255]);
    expect(colorOf(-7, { map: 'diverging', limit: 1 }, paper)).toEqual([...parseColor(low!), 255]);
  });

  test('a full turn has the colour of no turn, and so have all of them', () => {
    const zero = colorOf(0, { map: 'cyclic' }, paper);
    expect(colorAt('cyclic', paper, TABLE_SIZE - 1)).toEqual(colorAt('cyclic', paper, 0));
    expect(colorOf(2 * Math.PI, { map: 'cyclic' }, paper)).toEqual(zero);
    expect(colorOf(Math.PI / 2 - 6 * Math.PI, { map: 'cyclic' }, paper)).toEqual(
      colorOf(Math.PI / 2, { map: 'cyclic' }, paper),
    );
  });

  test.each(['diverging', 'sequential'] as const)('lightness of the %s map is monotone on each arm', (map) => {
    const { bytes } = colorTable(map, paper);
    const lightness = Array.from(
      { length: TABLE_SIZE },
      (_, i) => toOklab([bytes[4 * i]!, bytes[4 * i + 1]!, bytes[4 * i + 2]!])[0],
    );
    const zero = map === 'diverging' ? (TABLE_SIZE - 1) / 2 : 0;
    const away = theme === 'light' ? -1 : 1;
    const slack = 0.004; // one unit of an 8-bit channel
    for (let i = zero; i + 1 < TABLE_SIZE; i++) {
      expect(away * (lightness[i + 1]! - lightness[i]!)).toBeGreaterThan(-slack);
    }
    for (let i = zero; i > 0; i--) expect(away * (lightness[i - 1]! - lightness[i]!)).toBeGreaterThan(-slack);
  });

  test('what is not a finite number is transparent', () => {
    for (const value of [Number.NaN, -Infinity, Infinity]) {
      expect(colorOf(value, { map: 'diverging', limit: 1 }, paper)).toEqual([0, 0, 0, 0]);
    }
  });
});

test('what a colour cannot tell is told beside it: masked cells, and values beyond the limits', () => {
  const summary = (values: number[], scale: Parameters<typeof colorize>[1]) =>
    colorize(values, scale, colorTable(scale.map, papers['light']!), new Uint32Array(values.length));
  const signed = { map: 'diverging', limit: 0.2 } as const;
  expect(summary([-0.2, 0, 0.2], signed)).toEqual({ masked: false, below: false, above: false });
  expect(summary([-0.2 - 1e-9, 0.2 + 1e-9], signed)).toEqual({ masked: false, below: false, above: false });
  expect(summary([0.21], signed)).toEqual({ masked: false, below: false, above: true });
  expect(summary([-0.21, Number.NaN], signed)).toEqual({ masked: true, below: true, above: false });
  expect(summary([-0.01], { map: 'sequential', limit: 1 })).toEqual({ masked: false, below: true, above: false });
  expect(summary([1e6, -1e6], { map: 'cyclic' })).toEqual({ masked: false, below: false, above: false });
});

test('a value stands along a bar where its colour is', () => {
  expect(shareOf({ map: 'diverging', limit: 2 }, 0)).toBe(0.5);
  expect(shareOf({ map: 'diverging', limit: 2 }, -3)).toBe(0);
  expect(shareOf({ map: 'sequential', limit: 4 }, 1)).toBe(0.25);
  expect(shareOf({ map: 'cyclic' }, -Math.PI / 2)).toBe(0.75);
});

test('colours are read as style sheets and computed styles write them', () => {
  expect(parseColor('#fdfdfc')).toEqual([253, 253, 252]);
  expect(parseColor('rgb(19, 21, 24)')).toEqual([19, 21, 24]);
});
