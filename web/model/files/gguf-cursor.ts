import type { ByteSource } from './byte-source.js';
import type { FileItem } from '../../phrases/errors/en.js';

/** The first slice that is read; while reading goes on, each is twice as long as the last. */
const LEAST_SLICE = 2 ** 16;
const MOST_SLICE = 2 ** 20;

/** The most bytes of a header that are read: several times the vocabulary of any model. */
const MAX_READ = 56 * 2 ** 20;

/** The longest key or name of a tensor, and the longest text that is kept. */
const MAX_STRING = 2 ** 16;

/**
 * Reads a header from its beginning to its end, slice by slice. What is skipped is not read where it reaches past the
 * slice. Before each value, `need` makes sure that its bytes are there.
 */
export class GgufCursor {
  readonly file: ByteSource;
  littleEndian = true;
  #view = new DataView(new ArrayBuffer(0));
  #viewStart = 0;
  #position = 0;
  #slice = LEAST_SLICE / 2;
  #bytesRead = 0;

  constructor(file: ByteSource) {
    this.file = file;
  }

  get position(): number {
    return this.#position;
  }

  /** Bytes from here to the end of the file. */
  get left(): number {
    return this.file.size - this.#position;
  }

  has(bytes: number): boolean {
    return this.#position + bytes <= this.#viewStart + this.#view.byteLength;
  }

  /** Reads on, so that the next bytes are there. */
  async need(bytes: number): Promise<void> {
    if (this.has(bytes)) return;
    this.file.requireRange(this.#position, bytes, 'header');
    const goesOn = this.#position <= this.#viewStart + this.#view.byteLength;
    this.#slice = goesOn ? Math.min(2 * this.#slice, MOST_SLICE) : LEAST_SLICE;
    const length = Math.min(Math.max(bytes, this.#slice), this.left);
    this.#bytesRead += length;
    if (this.#bytesRead > MAX_READ)
      throw this.file.wrong({ kind: 'header-size', most: MAX_READ, safetensors: false }, { kind: 'more' });
    this.#view = new DataView((await this.file.read(this.#position, length)).buffer);
    this.#viewStart = this.#position;
  }

  skip(bytes: number): void {
    this.file.requireRange(this.#position, bytes, 'header');
    this.#position += bytes;
  }

  u8 = (): number => this.#view.getUint8(this.#advance(1));
  i8 = (): number => this.#view.getInt8(this.#advance(1));
  u16 = (): number => this.#view.getUint16(this.#advance(2), this.littleEndian);
  i16 = (): number => this.#view.getInt16(this.#advance(2), this.littleEndian);
  u32 = (): number => this.#view.getUint32(this.#advance(4), this.littleEndian);
  i32 = (): number => this.#view.getInt32(this.#advance(4), this.littleEndian);
  f32 = (): number => this.#view.getFloat32(this.#advance(4), this.littleEndian);
  f64 = (): number => this.#view.getFloat64(this.#advance(8), this.littleEndian);
  u64 = (): number => Number(this.#view.getBigUint64(this.#advance(8), this.littleEndian));
  i64 = (): number => Number(this.#view.getBigInt64(this.#advance(8), this.littleEndian));

  /** How many of something follow, each of at least some bytes. */
  async count(what: FileItem, least: number): Promise<number> {
    await this.need(8);
    const count = this.u64();
    if (count * least > this.left)
      throw this.file.wrong({ kind: 'long-enough-for', count, what }, { kind: 'bytes', count: this.file.size });
    return count;
  }

  /** A text; one that is too long to be a name is refused or, where that is allowed, skipped. */
  async string(): Promise<string>;
  async string(tooLong: 'skip'): Promise<string | undefined>;
  async string(tooLong?: 'skip'): Promise<string | undefined> {
    const length = await this.count('characters', 1);
    if (length > MAX_STRING) {
      if (tooLong === undefined)
        throw this.file.wrong({ kind: 'name-length', most: MAX_STRING }, { kind: 'bytes', count: length });
      this.skip(length);
      return undefined;
    }
    await this.need(length);
    const start = this.#view.byteOffset + this.#advance(length);
    return new TextDecoder().decode(new Uint8Array(this.#view.buffer, start, length));
  }

  #advance(bytes: number): number {
    const offset = this.#position - this.#viewStart;
    this.#position += bytes;
    return offset;
  }
}
