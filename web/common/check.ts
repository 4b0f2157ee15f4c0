import type { AxisSizes, Rule } from '../phrases/errors/en.js';
import { badArgument, badState, refusal, type PosencError } from './errors.js';

/** All of WebAssembly's memory: what no single array can exceed. */
export const ADDRESSABLE_BYTES = 2 ** 32;

/** The greatest size of one axis. */
export const MAX_COUNT = 2 ** 31 - 1;

/** The greatest absolute position: angles are exact up to it. */
export const MAX_POSITION = 2 ** 31;

/** The greatest absolute distance: beyond it a number is no longer exact. */
export const MAX_DISTANCE = 2 ** 53;

/** The greatest frequency in radians per token that the core reduces exactly. */
export const MAX_FREQUENCY = 2 ** 32;

/** The greatest finite float. */
export const MAX_FLOAT = (2 - 2 ** -23) * 2 ** 127;

/** The least float above 0 that has all its digits. */
const MIN_FLOAT = 2 ** -126;

/** Named sizes of the axes of a tensor, outermost first. */
export type Sizes = AxisSizes;

/** How many elements a tensor has. A float product, so that sizes past 32 bits do not wrap. */
export function elementCount(sizes: Sizes): number {
  let count = 1;
  for (const name in sizes) count *= sizes[name] as number;
  return count;
}

/** Named values, not a list. */
export const OBJECT: Rule = { kind: 'type', types: ['object'] };

/** The names of some options, as an object, so that the type check finds one that is missing. */
export type Names<Options> = Readonly<Record<keyof Options, true>>;

/** The names in such an object. */
export function namesOf<Options extends object>(names: Options): (keyof Options & string)[] {
  return Object.keys(names) as (keyof Options & string)[];
}

/**
 * Refuses anything but an object whose names are all known, with a hint for a misspelt one. `prefix` stands before such a
 * name in the error: the path of an object inside the options.
 *
 * Returns those that are given as an object of its own. It reads each once, since an option may be a getter: whatever one
 * does, a call goes by what it read before it began.
 */
export function requireOptions<Options extends object>(
  options: Options,
  known: Readonly<Record<keyof Options, unknown>>,
  argument?: string,
  prefix?: string,
): Options;
export function requireOptions(
  options: unknown,
  known: Readonly<Record<string, unknown>>,
  argument?: string,
  prefix?: string,
): Readonly<Record<string, unknown>>;
export function requireOptions(
  options: unknown,
  known: Readonly<Record<string, unknown>>,
  argument = 'options',
  prefix = argument === 'options' ? '' : `${argument}.`,
): Readonly<Record<string, unknown>> {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw badArgument(argument, OBJECT, options);
  }
  for (const name in options) {
    if (Object.hasOwn(known, name)) continue;
    const choices = Object.keys(known);
    const rule = { kind: 'option', choices, meant: closest(name, choices) } as const;
    throw badArgument(prefix + name, rule, (options as Record<string, unknown>)[name]);
  }
  return pick(options, known);
}

/** The options of these names that are given. */
export function pick<Options extends object, Name extends keyof Options>(
  options: Options,
  names: Readonly<Record<Name, unknown>>,
): Pick<Options, Name> {
  const picked: Partial<Options> = {};
  for (const name in names) {
    const value = options[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked as Pick<Options, Name>;
}

/** The name that was probably meant: the one with the fewest letters added, dropped or changed, if they are few. */
function closest(name: string, known: readonly string[]): string | undefined {
  let meant: string | undefined;
  let fewest = 3;
  for (const candidate of known) {
    const edits = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (edits < fewest && 2 * edits <= candidate.length) [meant, fewest] = [candidate, edits];
  }
  return meant;
}

/** Levenshtein 1966: letters added, dropped or changed. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; ++i) {
    const next = [i];
    for (let j = 1; j <= b.length; ++j) {
      const substituted = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}

/** An option, or what it is where it is left out. `null` is a value, and a wrong one. */
export function withDefault<T>(value: T | undefined, fallback: T): T {
  return value === undefined ? fallback : value;
}

/** The options that were given: those that are not undefined. */
export function given<Options extends object>(options: Options): Given<Options> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Given<Options>;
}

type Given<Options> = { [Name in keyof Options]?: Exclude<Options[Name], undefined> };

/** A whole number within limits. */
export function requireInteger(value: unknown, argument: string, least: number, most: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
    throw badArgument(argument, { kind: 'whole', least, most }, value);
  }
  return value;
}

/** The size of an axis: a whole number from 1 to 2^31 − 1. */
export function requireCount(value: unknown, argument: string): number {
  return requireInteger(value, argument, 1, MAX_COUNT);
}

/** A position: a whole number from −2^31 to 2^31. */
export function requirePosition(value: unknown, argument: string): number {
  return requireInteger(value, argument, -MAX_POSITION, MAX_POSITION);
}

/** A finite number. */
export function requireFinite(value: unknown, argument: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw badArgument(argument, { kind: 'number' }, value);
  return value;
}

/** A finite number above 0. */
export function requirePositive(value: unknown, argument: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) {
    throw badArgument(argument, { kind: 'positive' }, value);
  }
  return value;
}

/** Whether a number above 0 is in the range of floats: from 2^−126, below which they lose digits, to 3.4e38. */
export function isPositiveFloat(value: unknown): value is number {
  return typeof value === 'number' && value >= MIN_FLOAT && value <= MAX_FLOAT;
}

/** A number above 0 that the core takes as a float. */
export function requirePositiveFloat(value: unknown, argument: string): number {
  if (!isPositiveFloat(value)) throw badArgument(argument, { kind: 'positive-float' }, value);
  return value;
}

/** A number of either sign, or 0, that the core takes as a float. */
export function requireFloat(value: unknown, argument: string): number {
  if (typeof value !== 'number' || (value !== 0 && !isPositiveFloat(Math.abs(value)))) {
    throw badArgument(argument, { kind: 'float' }, value);
  }
  return value;
}

/** The base of a geometric series of frequencies. A base of 1 would give all pairs the same one. */
export function requireBase(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0 || value === 1) {
    throw badArgument('base', { kind: 'base' }, value);
  }
  return value;
}

export function requireBoolean(value: unknown, argument: string): boolean {
  if (typeof value !== 'boolean') throw badArgument(argument, { kind: 'boolean' }, value);
  return value;
}

/** One of a few names. Returns what the name stands for. */
export function requireChoice<T>(value: unknown, argument: string, choices: Readonly<Record<string, T>>): T {
  if (typeof value !== 'string' || !Object.hasOwn(choices, value)) {
    throw badArgument(argument, { kind: 'choice', choices: Object.keys(choices) }, value);
  }
  return choices[value] as T;
}

/** Refuses an array that lost its memory or does not fit the sizes. */
export function requireLength(array: { readonly length: number }, argument: string, sizes: Sizes): void {
  if (array.length === elementCount(sizes)) return;
  requireAttached(array, argument);
  throw refusal('wrong-length', { argument, rule: { kind: 'values', sizes }, got: array.length });
}

/** Whether a value is a typed array of this type. A proxy of one is none, since nobody reaches its numbers. */
export function isArrayOf<Values>(
  value: unknown,
  Type: { readonly prototype: Values } & (abstract new () => unknown),
): value is Values {
  return ArrayBuffer.isView(value) && value instanceof Type;
}

/** Refuses an array that lost its memory. */
export function requireAttached(array: { readonly length: number }, argument: string): void {
  if (isDetached(array)) throw badState(argument, { kind: 'attached', buffer: false }, { kind: 'detached' });
}

/** Whether the memory of a typed array was transferred away. */
function isDetached(array: { readonly length: number }): boolean {
  if (!ArrayBuffer.isView(array) || array.byteLength !== 0) return false;
  try {
    new Uint8Array(array.buffer);
    return false;
  } catch {
    return true;
  }
}

/** Whole numbers within limits, one per element, as a copy. */
export function requireIntegers(
  values: unknown,
  argument: string,
  sizes: Sizes,
  least: number,
  most: number,
): Float64Array {
  const isAllowed = (value: number) => Number.isInteger(value) && value >= least && value <= most;
  return requireNumbers(values, argument, sizes, { kind: 'wholes', least, most }, isAllowed);
}

/** Coordinates: numbers from −2^31 to 2^31, one per element, as a copy. */
export function requireCoordinates(values: unknown, argument: string, sizes: Sizes): Float64Array {
  const rule = { kind: 'numbers', least: -MAX_POSITION, most: MAX_POSITION } as const;
  return requireNumbers(values, argument, sizes, rule, (value) => Math.abs(value) <= MAX_POSITION);
}

/** Numbers that keep a rule, one per element, as a copy. */
function requireNumbers(
  values: unknown,
  argument: string,
  sizes: Sizes,
  rule: Rule,
  isAllowed: (value: number) => boolean,
): Float64Array {
  const array = requireArrayLike(values, argument);
  requireLength(array, argument, sizes);
  const copy = allocate(Float64Array, { [argument]: array.length });
  for (let i = 0; i < copy.length; ++i) {
    const value = array[i];
    if (typeof value !== 'number' || !isAllowed(value)) {
      throw badArgument(argument, rule, value, i);
    }
    copy[i] = value;
  }
  return copy;
}

/** Positions: whole numbers from −2^31 to 2^31. */
export function requirePositions(values: unknown, argument: string, sizes: Sizes): Float64Array {
  return requireIntegers(values, argument, sizes, -MAX_POSITION, MAX_POSITION);
}

/** How many numbers an array has: at least one. */
export function requireSome(values: unknown, argument: string): number {
  const array = requireArrayLike(values, argument);
  if (array.length > 0) return array.length;
  requireAttached(array, argument);
  throw badArgument(argument, { kind: 'some', what: 'number' }, values);
}

/** Anything that has numbered elements. */
export function requireArrayLike(values: unknown, argument: string): ArrayLike<unknown> {
  if (typeof values !== 'object' || values === null || isTypedProxy(values) || !hasLength(values)) {
    throw badArgument(argument, { kind: 'type', types: ['array of numbers'] }, values);
  }
  return values;
}

/** Whether an object is a proxy of a typed array, which does not even tell its length. */
function isTypedProxy(values: object): boolean {
  const TypedArray = Object.getPrototypeOf(Float32Array) as new () => unknown;
  return values instanceof TypedArray && !ArrayBuffer.isView(values);
}

function hasLength(values: object): values is ArrayLike<unknown> {
  const { length } = values as { length?: unknown };
  return Number.isInteger(length) && (length as number) >= 0;
}

/** Refuses an array with a number that breaks a rule. */
export function requireEach(
  values: ArrayLike<number>,
  argument: string,
  rule: Rule,
  isAllowed: (value: number) => boolean,
): void {
  const wrong = Array.prototype.findIndex.call(values, (value: number) => !isAllowed(value));
  if (wrong === -1) return;
  throw badArgument(argument, rule, values[wrong], wrong);
}

/** Frequencies in radians per token: finite, at most 2^32. */
export function requireFrequencies(values: unknown): Float64Array {
  if (!isArrayOf(values, Float64Array)) throw badArgument('invFreq', { kind: 'type', types: ['Float64Array'] }, values);
  requireAttached(values, 'invFreq');
  if (values.length === 0) throw badArgument('invFreq', { kind: 'some', what: 'frequency' }, values);
  requireEach(values, 'invFreq', { kind: 'frequencies' }, (radians) => Math.abs(radians) <= MAX_FREQUENCY);
  return values;
}

/** Room for numbers in JavaScript's own memory. */
export function allocate<Values>(
  Type: { new (length: number): Values; readonly BYTES_PER_ELEMENT: number },
  sizes: Sizes,
): Values {
  const length = elementCount(sizes);
  const bytes = length * Type.BYTES_PER_ELEMENT;
  if (bytes > ADDRESSABLE_BYTES) throw outOfMemory(sizes, bytes);
  try {
    return new Type(length);
  } catch (cause) {
    throw outOfMemory(sizes, bytes, cause);
  }
}

/** Sizes that memory cannot hold. The argument at fault is the greatest of them. */
export function outOfMemory(sizes: Sizes, bytes: number, cause?: unknown): PosencError {
  const [argument] = Object.entries(sizes).reduce((greatest, size) => (size[1] > greatest[1] ? size : greatest));
  const rule = { kind: 'memory', sizes, bytes } as const;
  return refusal('out-of-memory', { argument, rule, got: sizes[argument] }, cause);
}
