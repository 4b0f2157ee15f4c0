import { PosencError } from './errors.js';
import type { HeapDoubles, HeapFloats, HeapIndices, MainModule, Status } from './wasm/simd.mjs';

/** The instructions that a WebAssembly build uses: SIMD, or SIMD with the relaxed (fused) multiply-add. */
export type Variant = 'relaxed' | 'simd';

/** One instance of the WebAssembly module. */
export interface Engine {
  readonly wasm: MainModule;
  readonly variant: Variant;
  /** Arrays without numbers, for the inputs that a call does not use. */
  readonly none: { readonly doubles: HeapDoubles; readonly floats: HeapFloats; readonly indices: HeapIndices };
}

/** Turns what the core reports into an error. The library checks arguments first, so this is the second line. */
export function throwUnlessOk({ wasm }: Engine, status: Status, call: string): void {
  const { Ok, WrongLength, BadShape, OddDimension, OutOfRange } = wasm.Status;
  if (status === Ok) return;
  if (status === WrongLength) throw new PosencError('wrong-length', `${call}: an array does not fit the sizes`);
  const rule =
    status === BadShape
      ? 'a size is zero, does not divide another one, or is too large'
      : status === OddDimension
        ? 'a rotary width is odd'
        : status === OutOfRange
          ? 'a position, distance or row is out of range'
          : 'a frequency, scale or factor is not finite';
  throw new PosencError('bad-argument', `${call}: ${rule}`);
}
