/** Numbers with their shape, row-major. */
export interface NumberArray {
  readonly values: ArrayLike<number>;
  readonly shape: readonly number[];
}

const MAGIC = [0x93, ...new TextEncoder().encode('NUMPY'), 1, 0];
/** Version 1.0 wants the header to end on a multiple of this, bytes. */
const ALIGNMENT = 64;

/**
 * The array as a file of NumPy's NPY format, version 1.0: float64, little endian, C order.
 *
 * Source: numpy.lib.format, NEP 1.
 */
export function npy({ values, shape }: NumberArray): Uint8Array<ArrayBuffer> {
  const count = shape.reduce((product, size) => product * size, 1);
  if (count !== values.length) throw new RangeError(`the shape holds ${count} numbers; got ${values.length}`);
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`;
  const dictionary = `{'descr': '<f8', 'fortran_order': False, 'shape': ${tuple}, }`;
  const before = MAGIC.length + 2;
  const length = Math.ceil((before + dictionary.length + 1) / ALIGNMENT) * ALIGNMENT - before;
  const file = new Uint8Array(before + length + 8 * count);
  const view = new DataView(file.buffer);
  file.set(MAGIC);
  view.setUint16(MAGIC.length, length, true);
  file.set(new TextEncoder().encode(`${dictionary.padEnd(length - 1)}\n`), before);
  for (let i = 0; i < count; i++) view.setFloat64(before + length + 8 * i, values[i]!, true);
  return file;
}
