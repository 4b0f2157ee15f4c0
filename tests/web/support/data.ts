import { readFileSync } from 'node:fs';

/** An array as the data files hold it: row-major, with infinities as strings. */
export interface Stored {
  shape: number[];
  data: (number | 'inf' | '-inf' | 'nan')[];
}

export function readCases<T>(path: string): T[] {
  return (JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as { cases: T[] }).cases;
}

/** The numbers of a stored array. */
export function numbers(stored: unknown): Float64Array {
  const special = { inf: Infinity, '-inf': -Infinity, nan: NaN };
  return Float64Array.from((stored as Stored).data, (value) => (typeof value === 'number' ? value : special[value]));
}

export function floats(stored: unknown): Float32Array {
  return Float32Array.from(numbers(stored));
}

export function bytes(stored: unknown): Uint8Array {
  return Uint8Array.from(numbers(stored));
}

export function shape(stored: unknown): number[] {
  return (stored as Stored).shape;
}
