import { isObject } from '../block.js';
import { ByteSource } from './byte-source.js';
import { duplicateKeys } from './duplicate-keys.js';
import { floatsOf, type FloatKind } from './float-bytes.js';

/** A tensor that a file has. */
export interface TensorEntry {
  name: string;
  /** As the file names it: `F32`, `BF16`, `I64`. */
  dtype: string;
  shape: number[];
}

/** The tensors of a file. Their numbers stay in the file until they are read. */
export interface TensorIndex {
  /** In the order of the file. */
  readonly tensors: readonly TensorEntry[];
  /** What was written about the file as a whole. */
  readonly metadata: ReadonlyMap<string, string>;
  /**
   * The numbers of a tensor of type F16, BF16, F32 or F64, row-major; those of F64 are rounded. Only its own bytes are
   * read from the file, each time anew.
   *
   * Errors: `bad-argument`, for a name that the file does not have, a tensor of another type, a file that cannot be read.
   */
  read(name: string): Promise<Float32Array>;
}

/** The longest header that the format allows, in bytes. */
const MAX_HEADER = 100_000_000;

const FLOATS: Readonly<Record<string, FloatKind>> = { F16: 'f16', BF16: 'bf16', F32: 'f32', F64: 'f64' };

/** Bits of a number by its type. */
const TYPE_BITS: Readonly<Record<string, number>> = {
  ...{ BOOL: 8, U8: 8, I8: 8, F8_E5M2: 8, F8_E4M3: 8, F8_E8M0: 8, F8_E4M3FNUZ: 8, F8_E5M2FNUZ: 8, F4: 4 },
  ...{ F6_E2M3: 6, F6_E3M2: 6, I16: 16, U16: 16, F16: 16, BF16: 16, I32: 32, U32: 32, F32: 32 },
  ...{ C64: 64, F64: 64, I64: 64, U64: 64 },
};

interface Extent {
  entry: TensorEntry;
  begin: number;
  bytes: number;
}

/**
 * Reads which tensors a `.safetensors` file has, from its header alone: a file of any size may be a `Blob`. The numbers of a
 * tensor are read when `read` asks for them.
 *
 * Needs no engine.
 *
 * Errors: `bad-argument`, for a file that breaks the format: a header that is no JSON, longer than the file or with a key
 * twice, tensors whose bytes do not fit their shape, overlap, or are not there.
 * Source: huggingface/safetensors, README.md, section Format, and safetensors/src/tensor.rs.
 */
export async function parseSafetensors(source: Blob | ArrayBuffer): Promise<TensorIndex> {
  const file = new ByteSource(source);
  const { header, dataStart } = await readHeader(file);
  const metadata = new Map<string, string>();
  const extents = new Map<string, Extent>();
  for (const [name, value] of Object.entries(header)) {
    if (name === '__metadata__') readMetadata(file, value, metadata);
    else extents.set(name, readExtent(file, name, value));
  }
  const inOrder = [...extents.values()].sort((a, b) => a.begin - b.begin || a.bytes - b.bytes);
  requireGapless(file, inOrder, file.size - dataStart);
  return {
    tensors: inOrder.map(({ entry }) => entry),
    metadata,
    async read(name) {
      const extent = extents.get(name);
      if (extent === undefined) throw file.wrongValue({ kind: 'tensor' }, name);
      const { dtype } = extent.entry;
      const kind = Object.hasOwn(FLOATS, dtype) ? FLOATS[dtype] : undefined;
      if (kind === undefined) throw file.wrongValue({ kind: 'tensor-type', name, choices: Object.keys(FLOATS) }, dtype);
      return floatsOf(await file.read(dataStart + extent.begin, extent.bytes), kind, true);
    },
  };
}

async function readHeader(file: ByteSource): Promise<{ header: Readonly<Record<string, unknown>>; dataStart: number }> {
  file.requireRange(0, 8, 'length');
  const length = new DataView((await file.read(0, 8)).buffer).getBigUint64(0, true);
  if (length > MAX_HEADER) throw file.wrongValue({ kind: 'header-size', most: MAX_HEADER, safetensors: true }, length);
  const dataStart = 8 + Number(length);
  const text = new TextDecoder().decode(await file.read(8, dataStart - 8));
  let header: unknown;
  try {
    header = JSON.parse(text);
  } catch {
    throw file.wrongValue({ kind: 'safetensors', header: 'JSON' }, text.slice(0, 40));
  }
  if (!isObject(header)) throw file.wrongValue({ kind: 'safetensors', header: 'object' }, header);
  const [duplicate] = duplicateKeys(text);
  if (duplicate !== undefined) throw file.wrong({ kind: 'different-keys' }, { kind: 'twice', name: duplicate });
  return { header, dataStart };
}

function readMetadata(file: ByteSource, value: unknown, metadata: Map<string, string>): void {
  if (!isObject(value)) throw file.wrongValue({ kind: 'metadata', strings: false }, value);
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== 'string') throw file.wrongValue({ kind: 'metadata', strings: true }, text);
    metadata.set(key, text);
  }
}

function readExtent(file: ByteSource, name: string, value: unknown): Extent {
  const fields = isObject(value) ? value : {};
  const { dtype, shape, data_offsets: offsets } = fields;
  if (typeof dtype !== 'string' || !areSizes(shape) || !areSizes(offsets) || offsets.length !== 2) {
    throw file.wrongValue({ kind: 'tensor-fields', name }, value);
  }
  const [begin, end] = offsets as [number, number];
  const bits = Object.hasOwn(TYPE_BITS, dtype) ? TYPE_BITS[dtype] : undefined;
  if (bits === undefined) throw file.wrongValue({ kind: 'format-type', name }, dtype);
  const bytes = (shape.reduce((product, size) => product * size, 1) * bits) / 8;
  if (end - begin !== bytes)
    throw file.wrong({ kind: 'tensor-bytes', name, bytes }, { kind: 'bytes', count: end - begin });
  return { entry: { name, dtype, shape: [...shape] }, begin, bytes };
}

function areSizes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0);
}

/** The bytes of the tensors follow each other without gaps or overlaps, to the end of the file. */
function requireGapless(file: ByteSource, inOrder: readonly Extent[], dataBytes: number): void {
  let end = 0;
  for (const { entry, begin, bytes } of inOrder) {
    if (begin !== end) throw file.wrongValue({ kind: 'gapless', name: entry.name, byte: end }, begin);
    end = begin + bytes;
  }
  if (end !== dataBytes) throw file.wrongValue({ kind: 'exact-length', bytes: end }, dataBytes);
}
