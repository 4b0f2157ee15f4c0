import type { Format } from './format.js';
import type { Sizes } from '../../common/check.js';
import type { HeapFloats } from '../runtime/glue.js';

/** Sizes of what a cache has room for. */
export interface Room {
  batch: number;
  capacity: number;
  kvHeads: number;
  headDim: number;
  valueDim: number;
}

/** Some tokens of a call. */
export interface Tokens {
  length: number;
  heads: number;
  format: Format;
}

/** The keys or the values of a cache: `[batch, capacity, kvHeads, width]`. */
export class CacheTensor {
  readonly handle: HeapFloats;
  readonly #room: Room;
  /** How many floats a token of one sequence has. */
  readonly #row: number;

  constructor(handle: HeapFloats, room: Room) {
    this.handle = handle;
    this.#room = room;
    this.#row = handle.length() / (room.batch * room.capacity);
  }

  /** Copies tokens in, from token `first` on. */
  write(tensor: Float32Array, tokens: Tokens, first: number): void {
    const cache = this.handle.view();
    this.#forEachRun(tokens, first, (inCache, inTensor, count) =>
      cache.set(tensor.subarray(inTensor, inTensor + count), inCache),
    );
  }

  /** Copies the first tokens out. */
  read(tensor: Float32Array, tokens: Tokens): void {
    const cache = this.handle.view();
    this.#forEachRun(tokens, 0, (inCache, inTensor, count) =>
      tensor.set(cache.subarray(inCache, inCache + count), inTensor),
    );
  }

  /** Moves the tokens of each sequence from `first` to `end` to the front. */
  moveToFront(first: number, end: number): void {
    const cache = this.handle.view();
    for (let b = 0; b < this.#room.batch; ++b) {
      const start = b * this.#room.capacity;
      cache.copyWithin(start * this.#row, (start + first) * this.#row, (start + end) * this.#row);
    }
  }

  /** Calls back for all floats of some tokens that lie one after the other, in the cache and in a tensor. */
  #forEachRun(
    { length, format }: Tokens,
    first: number,
    copy: (inCache: number, inTensor: number, count: number) => void,
  ): void {
    const { batch, capacity, kvHeads } = this.#room;
    const row = this.#row;
    for (let b = 0; b < batch; ++b) {
      const inCache = (b * capacity + first) * row;
      const inTensor = b * length * row;
      if (format === 'bshd' || length === 1) {
        copy(inCache, inTensor, length * row);
        continue;
      }
      const width = row / kvHeads;
      for (let head = 0; head < kvHeads; ++head) {
        for (let token = 0; token < length; ++token) {
          copy(inCache + token * row + head * width, inTensor + (head * length + token) * width, width);
        }
      }
    }
  }
}

/** The axes of a tensor of a cache. */
export function cacheAxes({ batch, capacity, kvHeads }: Room, width: Sizes): Sizes {
  return { batch, capacity, kvHeads, ...width };
}

/** The axes of a tensor of tokens. */
export function tokenAxes({ batch }: Room, { length, heads, format }: Tokens, width: Sizes): Sizes {
  return format === 'bshd' ? { batch, length, heads, ...width } : { batch, heads, length, ...width };
}
