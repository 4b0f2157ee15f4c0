import { badArgument, badState, describe, PosencError } from '../../common/errors.js';

/** The bytes of a file, in memory or not, read piece by piece. */
export class ByteSource {
  readonly size: number;
  readonly argument: string;
  readonly #source: Blob | ArrayBuffer;

  /** `argument` is what errors call it. */
  constructor(source: unknown, argument = 'source') {
    this.#source = requireSource(source, argument);
    this.size = this.#source instanceof Blob ? this.#source.size : this.#source.byteLength;
    this.argument = argument;
  }

  /** A copy of some bytes. Nothing is allocated for those that the file does not have. */
  async read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    this.requireRange(offset, length, 'its contents');
    let bytes: ArrayBuffer;
    try {
      const slice = this.#source.slice(offset, offset + length);
      bytes = slice instanceof Blob ? await slice.arrayBuffer() : slice;
    } catch (cause) {
      const expected = 'a file that can be read';
      const message = `${this.argument} must be ${expected}, got ${describe((cause as Error).message)}`;
      throw new PosencError('bad-argument', message, { argument: this.argument, expected, got: this.#source, cause });
    }
    if (bytes.byteLength !== length) throw this.wrong(`a file of ${this.size} bytes`, 'one that has changed');
    return new Uint8Array(bytes);
  }

  /** Refuses a range that the file does not have. */
  requireRange(offset: number, length: number, what: string): void {
    if (Number.isSafeInteger(offset) && length >= 0 && offset >= 0 && offset + length <= this.size) return;
    throw this.wrong(`long enough for ${what}, ${offset + length} bytes`, `${this.size} bytes`);
  }

  /** A file that breaks a rule of its format. */
  wrong(expected: string, got: unknown): PosencError {
    return badArgument(this.argument, expected, got);
  }
}

function requireSource(source: unknown, argument: string): Blob | ArrayBuffer {
  if (source instanceof Blob) return source;
  if (!(source instanceof ArrayBuffer)) throw badArgument(argument, 'a Blob or an ArrayBuffer', source);
  if (isDetached(source)) throw badState(argument, 'an ArrayBuffer that still has its memory', 'a detached one');
  return source;
}

function isDetached(buffer: ArrayBuffer): boolean {
  if (buffer.byteLength !== 0) return false;
  try {
    new Uint8Array(buffer);
    return false;
  } catch {
    return true;
  }
}
