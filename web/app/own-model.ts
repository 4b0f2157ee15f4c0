import { type RopeParams, ropeFrequencies } from 'posenc';
import type { ModelPreset } from './models.js';

// A rotary embedding of the reader's own, as the value of a figure's field and of a link:
// `own_headDim_128_base_500000_type_llama3_factor_8`, lists with `~` between their numbers.

const PREFIX = 'own';
/** A head wider than any model's takes figures too long. */
const MAX_HEAD_DIM = 1024;
const TYPES = ['default', 'linear', 'ntk', 'dynamic', 'yarn', 'longrope', 'llama3', 'mrope', 'proportional'] as const;
const PAIRINGS = ['half', 'interleaved'] as const;

const number = (text: string): number => (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(text) ? Number(text) : NaN);
const oneOf = (names: readonly string[]) => (text: string) => names.find((name) => name === text);
const boolean = (text: string): boolean | undefined => ({ true: true, false: false })[text];
const list = (text: string): number[] => text.split('~').map(number);

/** How the text of every parameter is read; whether the values are right, the frequencies say. */
const READERS = {
  headDim: number,
  rotaryDim: number,
  base: number,
  pairing: oneOf(PAIRINGS),
  type: oneOf(TYPES),
  factor: number,
  originalMaxPosition: number,
  maxPosition: number,
  betaFast: number,
  betaSlow: number,
  truncate: boolean,
  lowFreqFactor: number,
  highFreqFactor: number,
  shortFactor: list,
  longFactor: list,
  attentionFactor: number,
  mscale: number,
  mscaleAllDim: number,
  mropeSection: list,
  mropeInterleaved: boolean,
  shortMscale: number,
  longMscale: number,
} as const satisfies Partial<Record<keyof RopeParams, (text: string) => unknown>>;

/** Parameters as such a value. What only tells apart positions of several axes is left out: figures have one. */
export function writeOwnModel({ type, mropeSection: _, mropeInterleaved: __, ...params }: RopeParams): string {
  return writeLinkedModel({ ...params, type: type === 'mrope' ? 'default' : (type ?? 'default') });
}

/** All parameters as such a value. */
export function writeLinkedModel(all: RopeParams): string {
  const words = Object.keys(READERS).flatMap((name) => {
    const value = all[name as keyof RopeParams];
    if (value === undefined) return [];
    return [name, Array.isArray(value) ? value.map(String).join('~') : String(value)];
  });
  // A plus would have to be escaped.
  return [PREFIX, ...words].join('_').replaceAll('e+', 'e');
}

/** The parameters of such a value; undefined for any other text, and where they are not those of an embedding. */
export function readOwnModel(text: string): ModelPreset['params'] | undefined {
  const params = readLinkedModel(text);
  return params && { ...params, rotaryDim: params.rotaryDim ?? params.headDim, base: params.base ?? 10_000 };
}

/** The same, with what is left out left out. */
export function readLinkedModel(text: string): RopeParams | undefined {
  const [prefix, ...words] = text.split('_');
  if (prefix !== PREFIX || words.length % 2 !== 0) return undefined;
  const entries: [string, unknown][] = [];
  for (let at = 0; at < words.length; at += 2) {
    const name = words[at]!;
    if (!Object.hasOwn(READERS, name) || entries.some(([known]) => known === name)) return undefined;
    entries.push([name, READERS[name as keyof typeof READERS](words[at + 1]!)]);
  }
  const params = Object.fromEntries(entries) as unknown as RopeParams;
  if (!(params.headDim <= MAX_HEAD_DIM)) return undefined;
  try {
    ropeFrequencies(params);
  } catch {
    return undefined;
  }
  return params;
}
