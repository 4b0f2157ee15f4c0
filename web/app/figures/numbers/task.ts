import { type Encodings, PosencError } from 'posenc';
import { randomMatrix } from '../linear.js';

/** The ways to write a position down. */
export const SCHEMES = ['integer', 'unit', 'one-hot', 'learned', 'waves'] as const;
export type Scheme = (typeof SCHEMES)[number];

export interface NumbersRequest {
  /** Positions 0 … length − 1, at most LEARNED_ROWS. */
  readonly length: number;
  /** Width of the learned table and of the waves, even. */
  readonly dim: number;
  readonly base: number;
}

/** Results of one way after the other in the order of SCHEMES. */
export interface NumbersResult {
  /** Numbers per position, [schemes]. */
  readonly widths: readonly number[];
  /** The codes of all positions, each [length, width]. */
  readonly codes: readonly Float32Array[];
  /** Cosine similarity of every two codes, each [length, length]. */
  readonly similarities: readonly Float32Array[];
  readonly facts: readonly SchemeFacts[];
}

export interface SchemeFacts {
  /** The largest size of any number. */
  readonly largest: number;
  /** What becomes of the last position's code when the text is twice as long. */
  readonly longer:
    | { readonly kind: 'changes'; readonly by: number } // by 0: it stays
    | { readonly kind: 'widens'; readonly width: number } // it needs more numbers
    | { readonly kind: 'ends'; readonly rows: number }; // there is no code past the table
  /** The largest difference of two similarities at the same distance. */
  readonly spread: number;
  /** The least similarity of two neighbours, and the largest of two positions further apart. */
  readonly neighbours: number;
  readonly further: number;
}

/** Rows of the learned table: the longest text that it knows. */
export const LEARNED_ROWS = 64;
export const LEARNED_SEED = 201;

export function numbersTask(encodings: Encodings, { length, dim, base }: NumbersRequest): NumbersResult {
  const table = randomMatrix(LEARNED_ROWS, dim, LEARNED_SEED).map((value) => value * Math.sqrt(LEARNED_ROWS));
  const learned = (positions: number[]): Float32Array =>
    encodings.learned({ table, rows: LEARNED_ROWS, dim, positions });
  const encode: Record<Scheme, (count: number) => Float32Array> = {
    integer: (count) => encodings.indexEncoding({ length: count }),
    unit: (count) => encodings.indexEncoding({ length: count, mode: 'unit' }),
    'one-hot': (count) => encodings.oneHot({ positions: upTo(count), maxLength: count }),
    learned: (count) => learned(upTo(count)),
    waves: (count) => encodings.sinusoidal({ length: count, dim, base }),
  };
  const codes = SCHEMES.map((scheme) => encode[scheme](length));
  const widths = codes.map((code) => code.length / length);
  const similarities = codes.map((code, s) => encodings.similarity({ table: code, rows: length, dim: widths[s]! }));
  const longer = (scheme: Scheme, code: Float32Array, width: number): SchemeFacts['longer'] => {
    if (scheme === 'learned' && refuses(() => learned([LEARNED_ROWS]))) return { kind: 'ends', rows: LEARNED_ROWS };
    const twice = encode[scheme](2 * length);
    const wide = twice.length / (2 * length);
    if (wide !== width) return { kind: 'widens', width: wide };
    const last = (length - 1) * width;
    const changes = Array.from({ length: width }, (_, c) => Math.abs(twice[last + c]! - code[last + c]!));
    return { kind: 'changes', by: Math.max(...changes) };
  };
  const facts = SCHEMES.map((scheme, s) => ({
    largest: codes[s]!.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0),
    longer: longer(scheme, codes[s]!, widths[s]!),
    ...alongDiagonals(similarities[s]!, length),
  }));
  return { widths, codes, similarities, facts };
}

/** What a matrix of similarities says of distances. */
function alongDiagonals(matrix: Float32Array, length: number): Pick<SchemeFacts, 'spread' | 'neighbours' | 'further'> {
  let [spread, neighbours, further] = [0, Infinity, -Infinity];
  for (let distance = 0; distance < length; distance++) {
    let [least, most] = [Infinity, -Infinity];
    for (let m = 0; m + distance < length; m++) {
      const value = matrix[m * length + m + distance]!;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    spread = Math.max(spread, most - least);
    if (distance === 1) neighbours = least;
    if (distance > 1) further = Math.max(further, most);
  }
  return { spread, neighbours, further };
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, position) => position);
}

function refuses(call: () => unknown): boolean {
  try {
    call();
    return false;
  } catch (error) {
    if (error instanceof PosencError) return true;
    throw error;
  }
}
