import { Calls } from './calls.js';
import { Pool } from './pool.js';
import { refusal } from '../../common/errors.js';
import type { HeapBytes, HeapDoubles, HeapFloats, HeapIndices, HeapInts, MainModule, Status } from './glue.js';

/** The instructions that a WebAssembly build uses: SIMD, or SIMD with the relaxed (fused) multiply-add. */
export type Variant = 'relaxed' | 'simd';

/** One instance of the WebAssembly module. */
export interface Engine {
  readonly wasm: MainModule;
  readonly variant: Variant;
  /** Arrays without numbers, for the inputs that a call does not use. */
  readonly none: { readonly doubles: HeapDoubles; readonly floats: HeapFloats; readonly indices: HeapIndices };
  /** The calls that run, and the memory that they keep. */
  readonly calls: Calls;
  /** The heap arrays that calls use. */
  readonly pools: {
    readonly floats: Pool<HeapFloats>;
    readonly doubles: Pool<HeapDoubles>;
    readonly bytes: Pool<HeapBytes>;
    readonly indices: Pool<HeapIndices>;
    readonly ints: Pool<HeapInts>;
  };
}

export function createEngine(wasm: MainModule, variant: Variant): Engine {
  const none = {
    doubles: new wasm.HeapDoubles(0),
    floats: new wasm.HeapFloats(0),
    indices: new wasm.HeapIndices(0),
  };
  const pools = {
    floats: new Pool(wasm.HeapFloats, Float32Array.BYTES_PER_ELEMENT),
    doubles: new Pool(wasm.HeapDoubles, Float64Array.BYTES_PER_ELEMENT),
    bytes: new Pool(wasm.HeapBytes, Uint8Array.BYTES_PER_ELEMENT),
    indices: new Pool(wasm.HeapIndices, Uint32Array.BYTES_PER_ELEMENT),
    ints: new Pool(wasm.HeapInts, Int32Array.BYTES_PER_ELEMENT),
  };
  return { wasm, variant, none, calls: new Calls(), pools };
}

/** Turns what the core reports into an error. The library checks arguments first, so this is the second line. */
export function throwUnlessOk({ wasm }: Engine, status: Status, call: string): void {
  const { Ok, WrongLength, BadShape, OddDimension, OutOfRange } = wasm.Status;
  if (status === Ok) return;
  if (status === WrongLength) throw refusal('wrong-length', { rule: { kind: 'core', call, fault: 'length' } });
  const fault =
    status === BadShape ? 'shape' : status === OddDimension ? 'odd' : status === OutOfRange ? 'range' : 'finite';
  throw refusal('bad-argument', { rule: { kind: 'core', call, fault } });
}
