/** Bytes that are written one after the other. */
export class Bytes {
  readonly littleEndian: boolean;
  #bytes: number[] = [];

  constructor(littleEndian = true) {
    this.littleEndian = littleEndian;
  }

  get length(): number {
    return this.#bytes.length;
  }

  raw(values: Iterable<number>): this {
    for (const value of values) this.#bytes.push(value);
    return this;
  }

  number(bytes: number, write: (view: DataView) => void): this {
    const view = new DataView(new ArrayBuffer(bytes));
    write(view);
    return this.raw(new Uint8Array(view.buffer));
  }

  u8 = (value: number): this => this.raw([value]);
  u16 = (value: number): this => this.number(2, (view) => view.setUint16(0, value, this.littleEndian));
  u32 = (value: number): this => this.number(4, (view) => view.setUint32(0, value, this.littleEndian));
  u64 = (value: number | bigint): this =>
    this.number(8, (view) => view.setBigUint64(0, BigInt(value), this.littleEndian));
  f32 = (value: number): this => this.number(4, (view) => view.setFloat32(0, value, this.littleEndian));
  f64 = (value: number): this => this.number(8, (view) => view.setFloat64(0, value, this.littleEndian));

  text(value: string): this {
    const encoded = new TextEncoder().encode(value);
    return this.u64(encoded.length).raw(encoded);
  }

  align(to: number): this {
    while (this.length % to !== 0) this.u8(0);
    return this;
  }

  done(): ArrayBuffer {
    return Uint8Array.from(this.#bytes).buffer;
  }
}

/** A value of the metadata and its type, by the names of docs/gguf.md. */
export type GgufEntry =
  | { u32: number }
  | { u64: number }
  | { f32: number }
  | { f64: number }
  | { bool: boolean }
  | { string: string }
  | { strings: readonly string[] }
  | { u32s: readonly number[] }
  | { f32s: readonly number[] };

export interface GgufTensorBytes {
  shape: readonly number[];
  /** The number of its type in ggml. */
  type: number;
  data: ArrayBuffer;
}

export interface GgufParts {
  version?: number;
  littleEndian?: boolean;
  keys?: Readonly<Record<string, GgufEntry>>;
  tensors?: Readonly<Record<string, GgufTensorBytes>>;
}

/** A GGUF file, byte by byte as docs/gguf.md of ggml-org/ggml has it. */
export function ggufFile({ version = 3, littleEndian = true, keys = {}, tensors = {} }: GgufParts): ArrayBuffer {
  const file = new Bytes(littleEndian).raw(new TextEncoder().encode('GGUF')).u32(version);
  file.u64(Object.keys(tensors).length).u64(Object.keys(keys).length);
  for (const [key, entry] of Object.entries(keys)) writeEntry(file.text(key), entry);
  let offset = 0;
  for (const [name, { shape, type, data }] of Object.entries(tensors)) {
    file.text(name).u32(shape.length);
    for (const size of shape) file.u64(size);
    file.u32(type).u64(offset);
    offset += Math.ceil(data.byteLength / 32) * 32;
  }
  for (const { data } of Object.values(tensors)) file.align(32).raw(new Uint8Array(data));
  return file.done();
}

function writeEntry(file: Bytes, entry: GgufEntry): void {
  if ('u32' in entry) file.u32(4).u32(entry.u32);
  else if ('u64' in entry) file.u32(10).u64(entry.u64);
  else if ('f32' in entry) file.u32(6).f32(entry.f32);
  else if ('f64' in entry) file.u32(12).f64(entry.f64);
  else if ('bool' in entry) file.u32(7).u8(entry.bool ? 1 : 0);
  else if ('string' in entry) file.u32(8).text(entry.string);
  else if ('strings' in entry) entry.strings.reduce((to, text) => to.text(text), list(file, 8, entry.strings));
  else if ('u32s' in entry) entry.u32s.reduce((to, value) => to.u32(value), list(file, 4, entry.u32s));
  else entry.f32s.reduce((to, value) => to.f32(value), list(file, 6, entry.f32s));
}

function list(file: Bytes, type: number, values: readonly unknown[]): Bytes {
  return file.u32(9).u32(type).u64(values.length);
}

/** Floats as the bytes of F32. */
export function f32Bytes(values: ArrayLike<number>, littleEndian = true): ArrayBuffer {
  return Array.from(values)
    .reduce((to, value) => to.f32(value), new Bytes(littleEndian))
    .done();
}
