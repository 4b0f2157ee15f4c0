import type { Encodings, Format } from 'posenc';
import { expectNear } from '../support/compare.ts';
import { floats, numbers, shape, type Stored } from '../support/data.ts';

/** One case of tests/conformance: what another project gives for some inputs. */
export interface ConformanceCase<Params = Readonly<Record<string, unknown>>> {
  name: string;
  /** The operator, which says what the parameters, inputs and outputs mean. */
  op: string;
  params: Params;
  inputs: Readonly<Record<string, Stored>>;
  outputs: Readonly<Record<string, Stored>>;
  tolerance: { rtol: number; atol: number };
  expect?: 'reject';
  reason?: string;
}

/** Computes a case with the functions of the library and compares. */
export type Run<Params = never> = (encodings: Encodings, entry: ConformanceCase<Params>) => void;

/** How cases are run: by the file of tests/conformance, then by the operator. */
export type Suites = Readonly<Record<string, Readonly<Record<string, Run>>>>;

/** The bounds of a case, as `expectNear` takes them. */
export function within({ tolerance }: ConformanceCase<unknown>): { absolute: number; relative: number } {
  return { absolute: tolerance.atol, relative: tolerance.rtol };
}

/** The type of the numbers of an array. */
export function typeOf(stored: unknown): 'f64' | 'f32' | 'f16' | 'i64' | 'i32' | 'bool' {
  return (stored as { dtype: ReturnType<typeof typeOf> }).dtype;
}

/** Compares with an output of a case, whose decimals stand for the nearest number of its type. */
export function expectOutput(actual: ArrayLike<number>, entry: ConformanceCase<unknown>, expected: unknown): void {
  expectNear(actual, typeOf(expected) === 'f32' ? floats(expected) : numbers(expected), within(entry));
}

/** `[batch, heads, length, width]` with the heads of a token side by side: `[batch, length, heads, width]`. */
export function headsLast(
  values: Float32Array,
  { heads, length, width }: Readonly<Record<'heads' | 'length' | 'width', number>>,
): Float32Array {
  return values.map((_, i) => {
    const [channel, head, token] = [i % width, Math.floor(i / width) % heads, Math.floor(i / (width * heads))];
    const [sequence, place] = [Math.floor(token / length), token % length];
    return values[((sequence * heads + head) * length + place) * width + channel] as number;
  });
}

/** How a case names the axes of a tensor. */
export type Layout = 'BHSD' | 'BSHD' | 'SHD';

/** A tensor of queries or keys as a call takes it. */
export function tensor(stored: unknown, layout: Layout) {
  const axes = layout === 'SHD' ? [1, ...shape(stored)] : shape(stored);
  const [batch, second, third, headDim] = axes as [number, number, number, number];
  const format: Format = layout === 'BHSD' ? 'bhsd' : 'bshd';
  const [length, heads] = format === 'bhsd' ? [third, second] : [second, third];
  return { x: floats(stored), format, batch, length, heads, headDim };
}
