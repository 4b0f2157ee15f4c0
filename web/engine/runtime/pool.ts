import { elementCount, outOfMemory, type Sizes } from '../../common/check.js';

/** Numbers on the WebAssembly heap behind a handle, as the bindings register them. */
export interface HeapArray<Values> {
  length(): number;
  view(): Values;
  delete(): void;
}

export type NumberArray = Float32Array | Float64Array | Uint8Array | Uint32Array | Int32Array;

/** A heap array while a call uses it. */
export interface Lease<Handle> {
  readonly handle: Handle;
  readonly length: number;
  /** Gives the array back. */
  release(): void;
}

/** The allocator takes memory by a signed number of bytes, and adds a little of its own. */
const MAX_BYTES = 2 ** 31 - 2 ** 16;

/** Larger arrays are not kept: making a handle costs little beside filling them. */
const MAX_SPARE_BYTES = 2 ** 16;
const MAX_SPARES = 16;

/**
 * Heap arrays of one type. A few small ones are kept for the next call, since making and finalising a handle costs more
 * than rotating a token.
 */
export class Pool<Handle extends HeapArray<NumberArray>> {
  readonly #Type: { new (length: number): Handle };
  readonly #elementBytes: number;
  readonly #spares: Lease<Handle>[] = [];

  constructor(Type: { new (length: number): Handle }, elementBytes: number) {
    this.#Type = Type;
    this.#elementBytes = elementBytes;
  }

  /** An array of this size, with any numbers in it. */
  lease(sizes: Sizes): Lease<Handle> {
    const length = elementCount(sizes);
    const spare = this.#spares.findIndex((candidate) => candidate.length === length);
    if (spare !== -1) return this.#spares.splice(spare, 1)[0] as Lease<Handle>;
    const lease = { handle: this.allocate(sizes), length, release: () => this.#keepOrFree(lease) };
    return lease;
  }

  /** An array for good: it is the caller's to delete. */
  allocate(sizes: Sizes): Handle {
    const length = elementCount(sizes);
    const bytes = length * this.#elementBytes;
    if (bytes <= MAX_BYTES) {
      const handle = new this.#Type(length);
      if (handle.length() === length) return handle;
      handle.delete();
    }
    throw outOfMemory(sizes, bytes);
  }

  #keepOrFree(lease: Lease<Handle>): void {
    if (lease.length * this.#elementBytes > MAX_SPARE_BYTES) lease.handle.delete();
    else if (this.#spares.push(lease) > MAX_SPARES) this.#spares.shift()?.handle.delete();
  }
}
