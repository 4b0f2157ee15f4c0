import type { ByteSource } from './byte-source.js';
import { floatsOf } from './float-bytes.js';
import { GGML_FLOATS, ggmlBytes } from './ggml-types.js';
import { GgufCursor } from './gguf-cursor.js';

/** A value of the metadata that is kept: lists of texts, and lists longer than any list about positions, are not. */
export type GgufValue = number | boolean | string | number[];

/** A tensor that a file has. */
export interface GgufTensor {
  /** The innermost axis first, as ggml has it. */
  shape: number[];
  type: number;
  /** Where its bytes begin in the file, and how many they are. */
  offset: number;
  bytes: number | undefined;
}

/** What a header says. */
export interface GgufHeader {
  values: Map<string, GgufValue>;
  /** Those that were asked for. */
  tensors: Map<string, GgufTensor>;
  littleEndian: boolean;
}

const MAGIC = 0x46554747; // GGUF, as a little-endian number
const STRING = 8;
const ARRAY = 9;
const MAX_AXES = 4;

/** The most keys, the longest list that is kept, and how many lists may be inside each other. */
const MAX_KEYS = 2 ** 16;
const MAX_LIST = 2 ** 16;
const MAX_DEPTH = 4;

const DEFAULT_ALIGNMENT = 32;

/** The types of single values: how many bytes they take, and how they are read. */
const SCALARS: Readonly<Record<number, { bytes: number; read: (cursor: GgufCursor) => number | boolean }>> = {
  0: { bytes: 1, read: (cursor) => cursor.u8() },
  1: { bytes: 1, read: (cursor) => cursor.i8() },
  2: { bytes: 2, read: (cursor) => cursor.u16() },
  3: { bytes: 2, read: (cursor) => cursor.i16() },
  4: { bytes: 4, read: (cursor) => cursor.u32() },
  5: { bytes: 4, read: (cursor) => cursor.i32() },
  6: { bytes: 4, read: (cursor) => cursor.f32() },
  7: { bytes: 1, read: (cursor) => cursor.u8() !== 0 },
  10: { bytes: 8, read: (cursor) => cursor.u64() },
  11: { bytes: 8, read: (cursor) => cursor.i64() },
  12: { bytes: 8, read: (cursor) => cursor.f64() },
};

/**
 * Reads the header of a GGUF file, of version 2 or 3 and of either byte order, and checks that every tensor lies inside the
 * file.
 *
 * Errors: `bad-argument`, for a file that breaks the format.
 * Source: ggml-org/ggml, docs/gguf.md.
 */
export async function readGgufHeader(file: ByteSource, keepsTensor: (name: string) => boolean): Promise<GgufHeader> {
  const cursor = new GgufCursor(file);
  await readVersion(cursor);
  const tensorCount = await cursor.count('tensors', 8 + 4 + 4 + 8);
  const keyCount = await cursor.count('keys', 8 + 4 + 1);
  if (keyCount > MAX_KEYS) throw file.wrong({ kind: 'gguf-keys', most: MAX_KEYS }, { kind: 'keys', count: keyCount });
  const values = new Map<string, GgufValue>();
  for (let i = 0; i < keyCount; ++i) await readKey(cursor, values);
  const tensors = new Map<string, GgufTensor>();
  const alignment = alignmentOf(file, values);
  let dataEnd = 0;
  for (let i = 0; i < tensorCount; ++i) {
    const name = await cursor.string();
    const tensor = await readTensor(cursor, name);
    if (tensor.offset % alignment !== 0) {
      throw file.wrongValue({ kind: 'tensor-start', name, multiple: alignment }, tensor.offset);
    }
    dataEnd = Math.max(dataEnd, tensor.offset + (tensor.bytes ?? 0));
    if (keepsTensor(name)) tensors.set(name, tensor);
  }
  const dataStart = Math.ceil(cursor.position / alignment) * alignment;
  if (tensorCount > 0) file.requireRange(dataStart, dataEnd, 'tensors');
  for (const tensor of tensors.values()) tensor.offset += dataStart;
  return { values, tensors, littleEndian: cursor.littleEndian };
}

/** The numbers of a tensor of floats, read from the file; nothing for a tensor of another type. */
export async function readGgufFloats(
  file: ByteSource,
  { littleEndian }: GgufHeader,
  tensor: GgufTensor,
): Promise<Float32Array | undefined> {
  const kind = GGML_FLOATS[tensor.type as keyof typeof GGML_FLOATS];
  if (kind === undefined || tensor.bytes === undefined) return undefined;
  return floatsOf(await file.read(tensor.offset, tensor.bytes), kind, littleEndian);
}

async function readVersion(cursor: GgufCursor): Promise<void> {
  const { file } = cursor;
  const isGguf = file.size >= 8 && (await cursor.need(8), cursor.u32() === MAGIC);
  if (!isGguf) throw file.wrong({ kind: 'gguf' }, { kind: 'other-start', count: file.size });
  const version = cursor.u32();
  // The byte order is nowhere stated; a version with its digits at the far end gives it away.
  cursor.littleEndian = version % 2 ** 16 !== 0;
  const number = cursor.littleEndian ? version : version / 2 ** 24;
  if (number !== 2 && number !== 3) throw file.wrong({ kind: 'gguf-version' }, { kind: 'version', number });
}

async function readKey(cursor: GgufCursor, values: Map<string, GgufValue>): Promise<void> {
  const key = await cursor.string();
  if (values.has(key)) throw cursor.file.wrong({ kind: 'different-keys' }, { kind: 'twice', name: key });
  await cursor.need(4);
  const value = await readValue(cursor, cursor.u32());
  if (value !== undefined) values.set(key, value);
}

async function readValue(cursor: GgufCursor, type: number): Promise<GgufValue | undefined> {
  if (type === STRING) return cursor.string('skip');
  if (type === ARRAY) return readList(cursor);
  const { bytes, read } = scalar(cursor, type);
  await cursor.need(bytes);
  return read(cursor);
}

function scalar(cursor: GgufCursor, type: number): { bytes: number; read: (cursor: GgufCursor) => number | boolean } {
  const known = SCALARS[type];
  if (known === undefined) throw cursor.file.wrong({ kind: 'value-types', most: 12 }, { kind: 'type', number: type });
  return known;
}

/** A short list of numbers; any other is skipped. */
async function readList(cursor: GgufCursor, depth = 1): Promise<number[] | undefined> {
  if (depth > MAX_DEPTH) throw cursor.file.wrong({ kind: 'list-depth', most: MAX_DEPTH }, { kind: 'more' });
  await cursor.need(4);
  const type = cursor.u32();
  if (type === STRING || type === ARRAY) {
    const count = await cursor.count('values', type === STRING ? 8 : 12);
    for (let i = 0; i < count; ++i) {
      if (type === ARRAY) {
        await readList(cursor, depth + 1);
        continue;
      }
      if (!cursor.has(8)) await cursor.need(8);
      cursor.skip(cursor.u64());
    }
    return undefined;
  }
  const { bytes, read } = scalar(cursor, type);
  const count = await cursor.count('values', bytes);
  if (count > MAX_LIST || depth > 1) {
    cursor.skip(count * bytes);
    return undefined;
  }
  await cursor.need(count * bytes);
  return Array.from({ length: count }, () => Number(read(cursor)));
}

function alignmentOf(file: ByteSource, values: ReadonlyMap<string, GgufValue>): number {
  const alignment = values.get('general.alignment') ?? DEFAULT_ALIGNMENT;
  if (
    typeof alignment === 'number' &&
    alignment >= 1 &&
    alignment <= 2 ** 30 &&
    Number.isInteger(Math.log2(alignment))
  ) {
    return alignment;
  }
  throw file.wrongValue({ kind: 'alignment' }, alignment);
}

async function readTensor(cursor: GgufCursor, name: string): Promise<GgufTensor> {
  await cursor.need(4);
  const axes = cursor.u32();
  if (axes > MAX_AXES) throw cursor.file.wrongValue({ kind: 'tensor-axes', name, most: MAX_AXES }, axes);
  await cursor.need(8 * axes + 4 + 8);
  const shape = Array.from({ length: axes }, () => cursor.u64());
  const type = cursor.u32();
  const bytes = ggmlBytes(type, shape);
  if (Number.isNaN(bytes)) throw cursor.file.wrongValue({ kind: 'whole-blocks', name }, shape[0]);
  return { shape, type, offset: cursor.u64(), bytes };
}
