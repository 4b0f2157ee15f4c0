// Numbers in fewer bits, in plain arithmetic, and the rotary score of two equal unit vectors made with them.

import type { Dtype } from 'posenc';
import { frequencies } from './oracle.ts';

/** Digits after the leading one, and the least exponent with all of them. */
const FORMATS = { f16: { digits: 10, least: -14, most: 65_504 }, bf16: { digits: 7, least: -126, most: 3.39e38 } };

/** The nearest number of a type, ties to even. */
export function round(value: number, dtype: Dtype): number {
  if (dtype === 'f64' || value === 0) return value;
  if (dtype === 'f32') return Math.fround(value);
  const { digits, least, most } = FORMATS[dtype];
  const step = 2 ** (Math.max(Math.floor(Math.log2(Math.abs(value))), least) - digits);
  const count = value / step;
  const below = Math.floor(count);
  const up = count - below > 0.5 || (count - below === 0.5 && below % 2 !== 0);
  const rounded = (up ? below + 1 : below) * step;
  return Math.abs(rounded) > most ? Math.sign(value) * Infinity : rounded;
}

export interface Types {
  readonly position: Dtype;
  readonly invFreq: Dtype;
  readonly angle: Dtype;
  readonly table: Dtype;
}

/** The score of two vectors of ones over √dim, at two positions, with every stage of the table in its type. */
export function roundedScore(m: number, n: number, dim: number, base: number, types: Types): number {
  const turn = (position: number, frequency: number): readonly [number, number] => {
    const angle = round(round(position, types.position) * round(frequency, types.invFreq), types.angle);
    return [round(Math.cos(angle), types.table), round(Math.sin(angle), types.table)];
  };
  let sum = 0;
  for (const frequency of frequencies(dim, base)) {
    const [cosM, sinM] = turn(m, frequency);
    const [cosN, sinN] = turn(n, frequency);
    sum += (cosM - sinM) * (cosN - sinN) + (sinM + cosM) * (sinN + cosN);
  }
  return sum / dim;
}
