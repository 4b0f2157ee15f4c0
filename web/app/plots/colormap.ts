// The three colour maps: control points evenly spaced and joined linearly in OKLab (Ottosson 2020), 513 entries each.
// In the signed map 0, and in the sequential map 0, is exactly the colour of the paper, so that nothing shows nothing.

export type ColorMapName = 'diverging' | 'sequential' | 'cyclic';
export type ColorScheme = 'light' | 'dark';
export type Rgb = readonly [red: number, green: number, blue: number];

/** Entries of a table: an odd number, so that a diverging map has a middle. */
export const TABLE_SIZE = 513;
const LAST = TABLE_SIZE - 1;

const CONTROL_POINTS: Record<ColorScheme, Record<ColorMapName, string>> = {
  light: {
    diverging: '#194cb1 #3472cc #5b97df #8abbed #c1ddf7 #fdfdfc #f4d3c0 #e7a889 #d67d59 #bf532f #a32605',
    sequential: '#fdfdfc #d4e7c2 #9ad2a5 #62b89f #239c9c #087d8d #055f78 #024167 #0c2352',
    cyclic: '#f5f5f5 #b6dbff #83b3f1 #5b8dcc #3b67a0 #26456c #2e2e2e #65361c #96522d #c0754d #e79d77 #ffcaad #f5f5f5',
  },
  dark: {
    diverging: '#6dc9fe #4ba0da #4079a9 #345477 #263345 #131518 #442a22 #75432b #a56032 #d38239 #fca94b',
    sequential: '#131518 #152b4b #00486d #02687c #0a898a #16ad8c #69ca81 #b5e082 #f6f593',
    cyclic: '#222222 #193960 #2e5a92 #4e7fbd #77a7e3 #a9cefd #e8e8e8 #f5bb9e #d88f69 #b2673f #86441f #57290f #222222',
  },
};

/** What a value means as a colour. The limit is fixed by the figure, never by the data. */
export type ColorScale =
  | { readonly map: 'diverging'; readonly limit: number } // −limit … 0 … limit
  | { readonly map: 'sequential'; readonly limit: number } // 0 … limit
  | { readonly map: 'cyclic' }; // angles in radians, any turn

/** One map in one theme: `bytes` is red, green, blue, alpha per entry; `pixels` are the same bytes, four at a time. */
export interface ColorTable {
  readonly bytes: Uint8ClampedArray;
  readonly pixels: Uint32Array;
}

/**
 * Builds the table of a map.
 *
 * @param paper  the page's colour: the entry of 0 of a diverging or sequential map, and the control point beside it
 */
export function colorTable(map: ColorMapName, paper: Rgb): ColorTable {
  const points = CONTROL_POINTS[schemeOf(paper)][map].split(' ').map((hex) => toOklab(parseHex(hex)));
  const zero = zeroEntry(map);
  if (zero !== undefined) points[Math.round((zero / LAST) * (points.length - 1))] = toOklab(paper);
  const bytes = new Uint8ClampedArray(TABLE_SIZE * 4);
  for (let entry = 0; entry < TABLE_SIZE; entry++) {
    const along = (entry / LAST) * (points.length - 1);
    const k = Math.min(points.length - 2, Math.floor(along));
    const rgb = entry === zero ? paper : toRgb(mix(points[k]!, points[k + 1]!, along - k));
    bytes.set([...rgb, 255], entry * 4);
  }
  return { bytes, pixels: new Uint32Array(bytes.buffer) };
}

/** Where a value stands between the scale's ends, in [0, 1]; values beyond the limits stand at the end. */
export function shareOf(scale: ColorScale, value: number): number {
  const { zero, perUnit } = entriesOf(scale);
  const share = (zero + value * perUnit) / LAST;
  return scale.map === 'cyclic' ? share - Math.floor(share) : Math.min(1, Math.max(0, share));
}

/** What a reader should be told of values besides their colours. */
export interface ColorSummary {
  /** Some value is not finite; its pixel is transparent. */
  readonly masked: boolean;
  /** Some value lies beyond the lower or the upper limit by half an entry or more, so that its colour is not its own. */
  readonly below: boolean;
  readonly above: boolean;
}

/** Colours values into `pixels` of the same length. */
export function colorize(
  values: ArrayLike<number>,
  scale: ColorScale,
  table: ColorTable,
  pixels: Uint32Array,
): ColorSummary {
  const entries = table.pixels;
  const { zero, perUnit } = entriesOf(scale);
  let [masked, below, above] = [false, false, false];
  // Nearly all values are within the limits: their entry is rounded without more ado. Angles are turned first.
  const inside = scale.map === 'cyclic' ? 0 : TABLE_SIZE;
  for (let i = 0; i < pixels.length; i++) {
    let entry = zero + values[i]! * perUnit;
    const next = entry + 0.5;
    if (next > 0 && next < inside) {
      pixels[i] = entries[next | 0]!;
      continue;
    }
    if (!Number.isFinite(entry)) {
      masked = true;
      pixels[i] = 0;
      continue;
    }
    if (scale.map === 'cyclic') {
      entry -= LAST * Math.floor(entry / LAST);
    } else if (entry <= -0.5) {
      below = true;
      entry = 0;
    } else if (entry >= LAST + 0.5) {
      above = true;
      entry = LAST;
    }
    pixels[i] = entries[Math.floor(entry + 0.5)]!;
  }
  return { masked, below, above };
}

/** The entry of 0, and how many entries one unit is. */
function entriesOf(scale: ColorScale): { zero: number; perUnit: number } {
  switch (scale.map) {
    case 'diverging':
      return { zero: LAST / 2, perUnit: LAST / 2 / scale.limit };
    case 'sequential':
      return { zero: 0, perUnit: LAST / scale.limit };
    case 'cyclic':
      return { zero: 0, perUnit: LAST / (2 * Math.PI) };
  }
}

/** A theme is dark when its paper is darker than its ink could be. */
export function schemeOf(paper: Rgb): ColorScheme {
  return toOklab(paper)[0] < 0.5 ? 'dark' : 'light';
}

/** #rrggbb or rgb(r g b) / rgb(r, g, b), as style sheets and computed styles write colours. */
export function parseColor(text: string): Rgb {
  if (text.startsWith('#')) return parseHex(text);
  const [red = 0, green = 0, blue = 0] = (text.match(/[\d.]+/g) ?? []).map(Number);
  return [red, green, blue];
}

function parseHex(hex: string): Rgb {
  const byte = (start: number): number => Number.parseInt(hex.slice(start, start + 2), 16);
  return [byte(1), byte(3), byte(5)];
}

function zeroEntry(map: ColorMapName): number | undefined {
  return { diverging: LAST / 2, sequential: 0, cyclic: undefined }[map];
}

type Oklab = readonly [lightness: number, a: number, b: number];

/** sRGB bytes to OKLab. */
export function toOklab(rgb: Rgb): Oklab {
  const [r, g, b] = [toLinear(rgb[0]), toLinear(rgb[1]), toLinear(rgb[2])];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function toRgb([L, a, b]: Oklab): Rgb {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    toByte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    toByte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    toByte(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function mix(from: Oklab, to: Oklab, share: number): Oklab {
  const join = (i: 0 | 1 | 2): number => from[i] + (to[i] - from[i]) * share;
  return [join(0), join(1), join(2)];
}

/** An sRGB byte to linear light in [0, 1], and back (not rounded). */
function toLinear(byte: number): number {
  const c = byte / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
}

function toByte(linear: number): number {
  return 255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055);
}
