import { isArrayOf, requireOptions } from './check.js';
import { badArgument, badState } from './errors.js';

/** The engine's own `Float16Array`, where it has one. */
export interface Float16Values extends ArrayLike<number>, ArrayBufferView {
  readonly [Symbol.toStringTag]: 'Float16Array';
}

/**
 * Floats of half precision: an array of the engine, or the bits of IEEE 754 binary16 or of bfloat16. Each becomes the
 * float of the same value when it is copied in, subnormal numbers, infinities and NaN too.
 */
export type HalfTensor = Float16Values | { readonly f16: Uint16Array } | { readonly bf16: Uint16Array };

/** A half-precision tensor, taken apart. */
export interface Halves {
  readonly values: Float16Values | Uint16Array;
  /** From the bits of one to those of a float. */
  readonly widen: (bits: number) => number;
}

/** The halves of a tensor; nothing for anything else. */
export function halvesOf(tensor: unknown, argument: string): Halves | undefined {
  if (typeof tensor !== 'object' || tensor === null) return undefined;
  if (isFloat16(tensor)) return { values: tensor, widen: widenFloat16 };
  if ('f16' in tensor && 'bf16' in tensor) throw badState(argument, { kind: 'one-half' }, { kind: 'both' });
  if (!('f16' in tensor) && !('bf16' in tensor)) return undefined;
  const { f16, bf16 } = requireOptions(
    tensor as { f16?: unknown; bf16?: unknown },
    { f16: true, bf16: true },
    argument,
  );
  return 'f16' in tensor
    ? { values: requireBits(f16, `${argument}.f16`), widen: widenFloat16 }
    : { values: requireBits(bf16, `${argument}.bf16`), widen: (bits) => bits << 16 };
}

/** Writes the floats that the halves stand for. */
export function widenInto(to: Float32Array, { values, widen }: Halves): void {
  const words = new Uint32Array(to.buffer, to.byteOffset, to.length);
  const bits = isArrayOf(values, Uint16Array)
    ? values
    : new Uint16Array(values.buffer, values.byteOffset, values.length);
  for (let i = 0; i < words.length; ++i) words[i] = widen(bits[i] as number);
}

/** From binary16, with 5 bits of exponent and 10 of fraction, to binary32, with 8 and 23. */
function widenFloat16(bits: number): number {
  const sign = (bits & 0x8000) << 16;
  const magnitude = bits & 0x7fff;
  if (magnitude === 0) return sign;
  if (magnitude >= 0x7c00) return sign | 0x7f800000 | (magnitude << 13); // infinity or NaN
  const shift = Math.max(0, Math.clz32(magnitude) - 21); // of a subnormal number: its first digit becomes the hidden one
  return sign | ((magnitude << (13 + shift)) + ((112 - shift) << 23)); // the biases differ by 127 − 15
}

function isFloat16(value: object): value is Float16Values {
  return ArrayBuffer.isView(value) && (value as Partial<Float16Values>)[Symbol.toStringTag] === 'Float16Array';
}

function requireBits(value: unknown, argument: string): Uint16Array {
  if (!isArrayOf(value, Uint16Array)) throw badArgument(argument, { kind: 'type', types: ['Uint16Array'] }, value);
  return value;
}
