import { halvesOf, widenInto, type Halves } from '../../common/half.js';

/** Kinds of floats in files, and the bytes of one. */
export const FLOAT_BYTES = { f16: 2, bf16: 2, f32: 4, f64: 8 } as const;

export type FloatKind = keyof typeof FLOAT_BYTES;

/** The floats that some bytes stand for; those of 8 bytes are rounded. Reuses the memory of the bytes where it can. */
export function floatsOf(bytes: Uint8Array<ArrayBuffer>, kind: FloatKind, littleEndian: boolean): Float32Array {
  const width = FLOAT_BYTES[kind];
  const whole = bytes.byteOffset % width === 0 ? bytes : bytes.slice();
  if (littleEndian !== isLittleEndian) reverseEach(whole, width);
  const count = whole.byteLength / width;
  switch (kind) {
    case 'f32':
      return new Float32Array(whole.buffer, whole.byteOffset, count);
    case 'f64':
      return Float32Array.from(new Float64Array(whole.buffer, whole.byteOffset, count));
    default: {
      const floats = new Float32Array(count);
      const bits = new Uint16Array(whole.buffer, whole.byteOffset, count);
      widenInto(floats, halvesOf(kind === 'f16' ? { f16: bits } : { bf16: bits }, 'bits') as Halves);
      return floats;
    }
  }
}

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

function reverseEach(bytes: Uint8Array, width: number): void {
  for (let i = 0; i < bytes.length; i += width) bytes.subarray(i, i + width).reverse();
}
