import { badArgument, badState } from '../../common/errors.js';
import type { NpyField } from '../../phrases/errors/en.js';
import { FLOAT_BYTES, floatsOf, type FloatKind } from './float-bytes.js';

/** The first bytes of a file: \x93NUMPY. */
const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];

const KINDS: Readonly<Record<string, FloatKind>> = { f2: 'f16', f4: 'f32', f8: 'f64' };

/** The most axes that NumPy allows. */
const MAX_AXES = 64;

/**
 * Reads an array of floats from a `.npy` file of NumPy: f2, f4 or f8, of either byte order, in the order of C or of Fortran.
 *
 * `data` is row-major, whatever the order in the file, and rounded to float32 where the file has f8. `shape` is empty for a
 * single number.
 *
 * Needs no engine.
 *
 * Errors: `bad-argument`, for bytes that are no such file, an array of anything else, and more or fewer numbers than the
 * shape has.
 * Source: NumPy, numpy/lib/_format_impl.py, versions 1 to 3.
 */
export function parseNpy(bytes: ArrayBuffer): { data: Float32Array; shape: number[] } {
  if (!(bytes instanceof ArrayBuffer)) throw badArgument('bytes', { kind: 'type', types: ['ArrayBuffer'] }, bytes);
  const { text, dataStart } = headerOf(bytes);
  const { kind, littleEndian, isFortran, shape } = fieldsOf(text);
  const count = shape.reduce((product, size) => product * size, 1);
  const dataBytes = bytes.byteLength - dataStart;
  const rule = { kind: 'npy-size', count, bytes: FLOAT_BYTES[kind], shape } as const;
  if (dataBytes !== count * FLOAT_BYTES[kind]) throw badState('bytes', rule, { kind: 'bytes', count: dataBytes });
  const data = floatsOf(new Uint8Array(bytes.slice(dataStart)), kind, littleEndian);
  return { data: isFortran && shape.length > 1 ? rowMajor(data, shape) : data, shape };
}

function headerOf(bytes: ArrayBuffer): { text: string; dataStart: number } {
  const isNpy = bytes.byteLength >= 10 && new Uint8Array(bytes, 0, 6).every((byte, i) => byte === MAGIC[i]);
  if (!isNpy) throw badState('bytes', { kind: 'npy' }, { kind: 'bytes', count: bytes.byteLength });
  const view = new DataView(bytes);
  const version = view.getUint8(6);
  if (version < 1 || version > 3)
    throw badState('bytes', { kind: 'npy-version' }, { kind: 'version', number: version });
  const start = version === 1 ? 10 : 12;
  if (bytes.byteLength < start)
    throw badState('bytes', { kind: 'least-bytes', least: start }, { kind: 'bytes', count: bytes.byteLength });
  const length = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (start + length > bytes.byteLength) {
    throw badState('bytes', { kind: 'long-enough-header', bytes: length }, { kind: 'bytes', count: bytes.byteLength });
  }
  return { text: new TextDecoder().decode(new Uint8Array(bytes, start, length)), dataStart: start + length };
}

interface Fields {
  kind: FloatKind;
  littleEndian: boolean;
  isFortran: boolean;
  shape: number[];
}

/** The header is a dictionary as Python prints it, with these three keys. */
function fieldsOf(header: string): Fields {
  const field = (key: NpyField, value: string): string => {
    const found = new RegExp(`['"]${key}['"] *: *${value}`).exec(header)?.[1];
    if (found === undefined) throw badArgument('bytes', { kind: 'npy-field', key }, header);
    return found;
  };
  const descr = field('descr', `['"]([^'"]*)['"]`);
  const [, order, type = ''] = /^([<>])(f[248])$/.exec(descr) ?? [];
  const kind = KINDS[type];
  if (kind === undefined) throw badArgument('bytes', { kind: 'npy-numbers' }, descr);
  const isFortran = field('fortran_order', '(True|False)') === 'True';
  const sizes = field('shape', '\\(([0-9, ]*)\\)').trim();
  const shape = sizes === '' ? [] : sizes.replace(/,$/, '').split(',').map(Number);
  if (shape.length > MAX_AXES || !shape.every(Number.isSafeInteger)) {
    throw badArgument('bytes', { kind: 'npy-shape', most: MAX_AXES }, sizes);
  }
  return { kind, littleEndian: order === '<', isFortran, shape };
}

/** From the order of Fortran, in which the first axis is the innermost. */
function rowMajor(data: Float32Array, shape: readonly number[]): Float32Array {
  const strides = shape.map((_, axis) => shape.slice(0, axis).reduce((product, size) => product * size, 1));
  const index = shape.map(() => 0);
  let from = 0;
  return data.map(() => {
    const value = data[from] as number;
    for (let axis = shape.length - 1; axis >= 0; --axis) {
      const [size, stride] = [shape[axis] as number, strides[axis] as number];
      from += stride;
      index[axis] = (index[axis] as number) + 1;
      if (index[axis] !== size) break;
      from -= size * stride;
      index[axis] = 0;
    }
    return value;
  });
}
