/// <reference lib="esnext.disposable" preserve="true" />
import { isArrayOf, requireArrayLike, requireAttached, requireInteger } from '../../common/check.js';
import type { Engine } from './engine.js';
import { badArgument, badState, disposed, refusal } from '../../common/errors.js';
import type { HeapFloats } from './glue.js';

/**
 * Floats that live inside WebAssembly memory, from `encodings.buffer(length)`. Every tensor argument and every `out` of
 * the same `Encodings` takes one, and then nothing is copied. The memory is held until `dispose()`.
 */
export interface PosencBuffer {
  /** How many floats. Throws `disposed` after `dispose()`, as every other member does. */
  readonly length: number;

  /** The floats themselves, good until the next call of the same `Encodings`, which may move the memory. */
  view(): Float32Array;

  /** Copies numbers in, from `offset` on (default 0). Throws `wrong-length` where they do not fit. */
  set(values: ArrayLike<number>, offset?: number): void;

  /** Frees the memory. A second time does nothing; any other use afterwards throws `disposed`. */
  dispose(): void;

  /** The same as `dispose`, where the engine knows `using`. */
  [Symbol.dispose]: () => void;
}

/** The buffer as the library sees it. */
export class HeapBuffer implements PosencBuffer {
  declare [Symbol.dispose]: () => void;
  readonly #engine: Engine;
  readonly #length: number;
  #floats: HeapFloats | undefined;

  /** Whether a value is a buffer. A proxy of one is none. */
  static is(value: unknown): value is HeapBuffer {
    return typeof value === 'object' && value !== null && #floats in value;
  }

  /** Takes over `floats`. */
  constructor(engine: Engine, floats: HeapFloats) {
    this.#engine = engine;
    this.#floats = floats;
    this.#length = floats.length();
    if (Symbol.dispose !== undefined) this[Symbol.dispose] = this.dispose;
  }

  get length(): number {
    this.requireLive('buffer');
    return this.#length;
  }

  view(): Float32Array {
    return this.requireLive('buffer').view();
  }

  set(values: ArrayLike<number>, offset = 0): void {
    const array = requireArrayLike(values, 'values');
    requireAttached(array, 'values');
    requireInteger(offset, 'offset', 0, this.length);
    const { length } = array;
    if (offset + length > this.length) {
      const rule = { kind: 'room', most: this.length - offset } as const;
      throw refusal('wrong-length', { argument: 'values', rule, got: length });
    }
    // An element may be a getter that makes the memory grow: the view comes last.
    const numbers = isArrayOf(array, Float32Array) ? array : numbersOf(array, length);
    this.view().set(numbers, offset);
  }

  dispose(): void {
    if (this.#floats !== undefined) this.#engine.calls.free(this.#floats);
    this.#floats = undefined;
  }

  /** The floats as an argument of a call of `engine`. */
  floats(engine: Engine, argument: string): HeapFloats {
    if (engine !== this.#engine) {
      throw badState(argument, { kind: 'same-encodings' }, { kind: 'other-buffer' });
    }
    return this.requireLive(argument);
  }

  /** Refuses a buffer that was disposed of. */
  requireLive(argument: string): HeapFloats {
    if (!HeapBuffer.is(this) || this.#floats === undefined) throw disposed(argument, 'buffer'); // nor by a proxy
    return this.#floats;
  }
}

/** The elements of an array that can be anything, each read once. */
function numbersOf(array: ArrayLike<unknown>, length: number): number[] {
  return Array.from({ length }, (_, i) => {
    const value = array[i];
    if (typeof value !== 'number') throw badArgument('values', { kind: 'type', types: ['array of numbers'] }, value);
    return value;
  });
}
