import { MAX_COUNT, OBJECT } from '../common/check.js';
import type { Rule } from '../phrases/errors/en.js';
import { badArgument } from '../common/errors.js';

/** A value and the path of its key. */
export interface Stated<Value> {
  key: string;
  value: Value;
}

/** The longest list that is read: far more than any head has pairs. */
const MAX_LIST = 2 ** 16;

/**
 * One object of a configuration, whose values are read by name with the type they must have. Only own properties count, a
 * value of null is the same as none, and errors name the key by its path.
 */
export class Block {
  readonly path: string;
  readonly #fields: Readonly<Record<string, unknown>>;

  /** `path` is that of the object, empty for the outermost. */
  constructor(fields: unknown, path: string) {
    if (!isObject(fields)) throw badArgument(path === '' ? 'json' : path, OBJECT, fields);
    this.#fields = fields;
    this.path = path;
  }

  keyPath(key: string): string {
    return this.path === '' ? key : `${this.path}.${key}`;
  }

  value(key: string): unknown {
    return Object.hasOwn(this.#fields, key) ? (this.#fields[key] ?? undefined) : undefined;
  }

  has(key: string): boolean {
    return this.value(key) !== undefined;
  }

  keys(): string[] {
    return Object.keys(this.#fields);
  }

  number(key: string): Stated<number> | undefined {
    return this.#read(key, { kind: 'number' }, (value) => typeof value === 'number' && Number.isFinite(value));
  }

  count(key: string): Stated<number> | undefined {
    const rule = { kind: 'whole', least: 1, most: MAX_COUNT } as const;
    return this.#read(key, rule, (value) => Number.isInteger(value) && isBetween(value, 1, MAX_COUNT));
  }

  /** A share of a whole. */
  fraction(key: string): Stated<number> | undefined {
    return this.#read(key, { kind: 'between', least: 0, most: 1 }, (value) => isBetween(value, 0, 1));
  }

  boolean(key: string): Stated<boolean> | undefined {
    return this.#read(key, { kind: 'boolean' }, (value) => typeof value === 'boolean');
  }

  string(key: string): Stated<string> | undefined {
    return this.#read(key, { kind: 'type', types: ['string'] }, (value) => typeof value === 'string');
  }

  /** A copy of a list of numbers. */
  numbers(key: string): Stated<number[]> | undefined {
    const values = this.list(key);
    if (values === undefined) return undefined;
    const rule = { kind: 'list', most: MAX_LIST, finite: true } as const;
    if (!values.value.every(Number.isFinite)) throw badArgument(values.key, rule, this.value(key));
    return { key: values.key, value: values.value as number[] };
  }

  /** A copy of a list of anything. */
  list(key: string): Stated<unknown[]> | undefined {
    const fits = (value: unknown) => Array.isArray(value) && value.length <= MAX_LIST;
    const stated = this.#read<unknown[]>(key, { kind: 'list', most: MAX_LIST, finite: false }, fits);
    return stated === undefined ? undefined : { key: stated.key, value: Array.from(stated.value) };
  }

  block(key: string): Block | undefined {
    const value = this.value(key);
    return value === undefined ? undefined : new Block(value, this.keyPath(key));
  }

  #read<Value>(key: string, rule: Rule, fits: (value: unknown) => boolean): Stated<Value> | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    if (!fits(value)) throw badArgument(this.keyPath(key), rule, value);
    return { key: this.keyPath(key), value: value as Value };
  }
}

function isBetween(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}

/** Whether a value is an object with named fields. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}
