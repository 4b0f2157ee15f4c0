import { HeapBuffer, type PosencBuffer } from './buffer.js';
import type { Rule } from '../../phrases/errors/en.js';
import {
  isArrayOf,
  outOfMemory,
  requireAttached,
  requireCount,
  requireLength,
  requireOptions,
  type Sizes,
  namesOf,
  type Names,
} from '../../common/check.js';
import type { Engine } from './engine.js';
import { badArgument, badState } from '../../common/errors.js';
import { halvesOf, widenInto, type Halves, type HalfTensor } from '../../common/half.js';
import type { HeapArray, Lease, NumberArray, Pool } from './pool.js';
import type { HeapBytes, HeapDoubles, HeapFloats, HeapIndices, HeapInts } from './glue.js';

/** Floats, row-major: an array that is copied in or out, or a buffer that is used where it lies. */
export type FloatTensor = Float32Array | PosencBuffer;

/** What every call takes where it reads a tensor: floats, or half-precision numbers, which it widens to floats. */
export type Tensor = FloatTensor | HalfTensor;

/** Where a call puts its result: an array or a buffer of the caller, which the call then returns. */
export interface Into<Out> {
  /** Written into and returned, instead of a new array. Of the length of the result. */
  out?: Out;
}

/** The result of a call while it is being computed. */
export interface Target<Handle, Out> {
  /** What the core writes into. */
  readonly handle: Handle;
  /** The result for the caller, once the core has written it. */
  take(): Out;
}

/** Runs one call that needs memory in WebAssembly, and frees the memory afterwards, whatever happened. */
export function withHeap<Result>(engine: Engine, body: (heap: Heap) => Result): Result {
  const heap = new Heap(engine);
  return engine.calls.run(() => {
    try {
      return body(heap);
    } finally {
      heap.free();
    }
  });
}

/** The floats of a tensor, as a copy. */
export function copyOfTensor(engine: Engine, tensor: unknown, argument: string): Float32Array {
  const length = requireTensorLength(tensor, argument);
  return withHeap(engine, (heap) =>
    heap
      .floats(tensor, argument, { [argument]: length })
      .view()
      .slice(),
  );
}

/** A buffer of zeros. */
export function newBuffer(engine: Engine, length: unknown): PosencBuffer {
  const count = requireCount(length, 'length');
  const floats = engine.pools.floats.allocate({ length: count });
  floats.view().fill(0);
  return new HeapBuffer(engine, floats);
}

/** The memory of one call. */
export class Heap {
  readonly #engine: Engine;
  readonly #leases: Lease<unknown>[] = [];
  readonly #owned: { delete(): void }[] = [];

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  free(): void {
    for (const handle of this.#owned) handle.delete();
    for (const lease of this.#leases) lease.release();
  }

  /** Deletes a handle with the call. */
  own<Handle extends { delete(): void }>(handle: Handle): Handle {
    this.#owned.push(handle);
    return handle;
  }

  /** A tensor for the core to read. */
  floats(tensor: unknown, argument: string, sizes: Sizes): HeapFloats {
    requireTensorOf(tensor, argument, sizes);
    if (HeapBuffer.is(tensor)) return tensor.floats(this.#engine, argument);
    return copyTensorIn(this.newFloats(sizes), tensor as Float32Array | HalfTensor, argument);
  }

  doubles(values: Float64Array, argument: string): HeapDoubles {
    return copyIn(this.newDoubles({ [argument]: values.length }), values, argument);
  }

  bytes(values: Uint8Array, argument: string): HeapBytes {
    const bytes = this.#lease(this.#engine.pools.bytes, { [argument]: values.length });
    return copyIn(bytes, values, argument);
  }

  indices(values: Uint32Array, argument: string): HeapIndices {
    const indices = this.#lease(this.#engine.pools.indices, { [argument]: values.length });
    return copyIn(indices, values, argument);
  }

  newFloats(sizes: Sizes): HeapFloats {
    return this.#lease(this.#engine.pools.floats, sizes);
  }

  newDoubles(sizes: Sizes): HeapDoubles {
    return this.#lease(this.#engine.pools.doubles, sizes);
  }

  /** Room for a float result. */
  floatTarget<Out extends FloatTensor>(out: Out | undefined, sizes: Sizes, argument = 'out'): Target<HeapFloats, Out> {
    requireOut(out, argument, sizes);
    if (HeapBuffer.is(out)) return { handle: out.floats(this.#engine, argument), take: () => out };
    return arrayTarget(this.newFloats(sizes), out as Float32Array | undefined, argument, sizes) as Target<
      HeapFloats,
      Out
    >;
  }

  /** Room for a result in doubles. */
  doubleTarget(out: Float64Array | undefined, sizes: Sizes, argument = 'out'): Target<HeapDoubles, Float64Array> {
    if (out !== undefined) {
      if (!isArrayOf(out, Float64Array)) throw badArgument(argument, { kind: 'type', types: ['Float64Array'] }, out);
      requireLength(out, argument, sizes);
    }
    return arrayTarget(this.newDoubles(sizes), out, argument, sizes);
  }

  /** Room for a result in whole numbers. */
  intTarget(out: Int32Array | undefined, sizes: Sizes, argument = 'out'): Target<HeapInts, Int32Array> {
    if (out !== undefined) {
      if (!isArrayOf(out, Int32Array)) throw badArgument(argument, { kind: 'type', types: ['Int32Array'] }, out);
      requireLength(out, argument, sizes);
    }
    return arrayTarget(this.#lease(this.#engine.pools.ints, sizes), out, argument, sizes);
  }

  /** A tensor, and room for one like it that the core makes of it: the same memory where the tensor is an array. */
  transformed<Out extends FloatTensor>(
    tensor: unknown,
    argument: string,
    out: Out | undefined,
    sizes: Sizes,
  ): Target<HeapFloats, Out> & { readonly from: HeapFloats } {
    requireTensorOf(tensor, argument, sizes);
    const { handle, take } = this.floatTarget(out, sizes);
    const from = HeapBuffer.is(tensor)
      ? tensor.floats(this.#engine, argument)
      : copyTensorIn(handle, tensor as Float32Array | HalfTensor, argument);
    return { handle, take, from };
  }

  #lease<Handle extends HeapArray<NumberArray>>(pool: Pool<Handle>, sizes: Sizes): Handle {
    const lease = pool.lease(sizes);
    this.#leases.push(lease);
    return lease.handle;
  }
}

/** What a tensor may be. */
const TENSOR: Rule = { kind: 'type', types: ['Float32Array', 'halves', 'PosencBuffer'] };

/** Refuses anything but a tensor. `rule` says what else an argument could have been. */
export function requireTensor(value: unknown, argument: string, rule = TENSOR): asserts value is Tensor {
  if (!isFloatTensor(value, argument) && halvesOf(value, argument) === undefined)
    throw badArgument(argument, rule, value);
}

/** Refuses a place for a float result that cannot take it. */
export function requireOut(out: unknown, argument: string, sizes: Sizes): void {
  if (out === undefined) return;
  if (!isFloatTensor(out, argument))
    throw badArgument(argument, { kind: 'type', types: ['Float32Array', 'PosencBuffer'] }, out);
  requireLength(out, argument, sizes);
}

/** Whether a value is floats; refuses a buffer that was disposed of, whose length cannot be read. */
function isFloatTensor(value: unknown, argument: string): value is FloatTensor {
  if (!HeapBuffer.is(value)) return isArrayOf(value, Float32Array);
  value.requireLive(argument);
  return true;
}

/** How many numbers a tensor has; refuses anything else as `requireTensor` does. */
export function requireTensorLength(tensor: unknown, argument: string, rule?: Rule): number {
  requireTensor(tensor, argument, rule);
  const values = valuesOf(tensor, argument);
  requireAttached(values, argument);
  return values.length;
}

/** Refuses anything but a tensor of these sizes. */
export function requireTensorOf(tensor: unknown, argument: string, sizes: Sizes): asserts tensor is Tensor {
  requireTensor(tensor, argument);
  requireLength(valuesOf(tensor, argument), argument, sizes);
}

function valuesOf(tensor: Tensor, argument: string): ArrayLike<number> | PosencBuffer {
  return isFloatTensor(tensor, argument) ? tensor : (halvesOf(tensor, argument) as Halves).values;
}

/** Refuses a buffer that is both an input and the result of a call that reads while it writes. */
export function requireApart(out: unknown, inputs: Readonly<Record<string, unknown>>, argument = 'out'): void {
  if (!HeapBuffer.is(out)) return;
  for (const name in inputs) {
    if (inputs[name] === out) throw badState(argument, { kind: 'other-buffer', name }, { kind: 'buffer-of', name });
  }
}

/** Whether two arrays share memory. */
function overlap(a: unknown, b: unknown): boolean {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b)) return a !== undefined && a === b;
  const startsBeforeEndOf = (one: ArrayBufferView, other: ArrayBufferView) =>
    one.byteOffset < other.byteOffset + other.byteLength;
  return a.buffer === b.buffer && startsBeforeEndOf(a, b) && startsBeforeEndOf(b, a);
}

/** Checks the places for a result of several parts: no name but those of the parts, and no memory twice. */
export function requireParts<Parts extends object>(given: Parts | undefined, parts: Names<Parts>): Partial<Parts> {
  if (given === undefined) return {};
  const out = requireOptions(given, parts, 'out');
  namesOf(out).forEach((part, i, names) => {
    const twin = names.slice(0, i).find((other) => overlap(out[other], out[part]));
    if (twin !== undefined) throw badArgument(`out.${part}`, { kind: 'apart', name: `out.${twin}` }, out[part]);
  });
  return out;
}

/** Copies an array into memory of the call. */
export function copyIn<Values extends NumberArray, Handle extends HeapArray<Values>>(
  handle: Handle,
  values: Values,
  argument: string,
): Handle {
  const view = handle.view();
  requireOutside(values, view, argument);
  view.set(values);
  return handle;
}

/** The same for the numbers of a tensor, which may be halves. */
function copyTensorIn(handle: HeapFloats, tensor: Float32Array | HalfTensor, argument: string): HeapFloats {
  if (isArrayOf(tensor, Float32Array)) return copyIn(handle, tensor, argument);
  const halves = halvesOf(tensor, argument) as Halves;
  const view = handle.view();
  requireOutside(halves.values, view, argument);
  widenInto(view, halves);
  return handle;
}

/** Refuses a view of WebAssembly memory, which the next allocation may take away. */
function requireOutside(values: ArrayBufferView & ArrayLike<number>, view: NumberArray, argument: string): void {
  if (values.buffer === view.buffer || values.length !== view.length) {
    throw badState(argument, { kind: 'own' }, { kind: 'view' });
  }
}

function arrayTarget<Values extends Float32Array | Float64Array | Int32Array, Handle extends HeapArray<Values>>(
  handle: Handle,
  out: Values | undefined,
  argument: string,
  sizes: Sizes,
): Target<Handle, Values> {
  if (out === undefined) return { handle, take: () => copyOut(handle.view(), sizes) };
  requireOutside(out, handle.view(), argument);
  const take = (): Values => {
    out.set(handle.view());
    return out;
  };
  return { handle, take };
}

function copyOut<Values extends Float32Array | Float64Array | Int32Array>(view: Values, sizes: Sizes): Values {
  try {
    return view.slice() as Values;
  } catch (cause) {
    throw outOfMemory(sizes, view.byteLength, cause);
  }
}
