import { badArgument, badState, PosencError, refusal } from '../../common/errors.js';
import type { FilePart, Rule, State } from '../../phrases/errors/en.js';

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
    this.requireRange(offset, length, 'contents');
    let bytes: ArrayBuffer;
    try {
      const slice = this.#source.slice(offset, offset + length);
      bytes = slice instanceof Blob ? await slice.arrayBuffer() : slice;
    } catch (cause) {
      const state = { kind: 'reason', reason: (cause as Error).message } as const;
      const fault = { argument: this.argument, rule: { kind: 'readable' }, got: this.#source, state } as const;
      throw refusal('bad-argument', fault, cause);
    }
    if (bytes.byteLength !== length) throw this.wrong({ kind: 'file-size', bytes: this.size }, { kind: 'changed' });
    return new Uint8Array(bytes);
  }

  /** Refuses a range that the file does not have. */
  requireRange(offset: number, length: number, part: FilePart): void {
    if (Number.isSafeInteger(offset) && length >= 0 && offset >= 0 && offset + length <= this.size) return;
    throw this.wrong({ kind: 'long-enough', part, bytes: offset + length }, { kind: 'bytes', count: this.size });
  }

  /** A file that breaks a rule of its format, and what it has instead. */
  wrong(rule: Rule, state: State): PosencError {
    return badState(this.argument, rule, state);
  }

  /** The same, for a value in it. */
  wrongValue(rule: Rule, got: unknown): PosencError {
    return badArgument(this.argument, rule, got);
  }
}

function requireSource(source: unknown, argument: string): Blob | ArrayBuffer {
  if (source instanceof Blob) return source;
  if (!(source instanceof ArrayBuffer))
    throw badArgument(argument, { kind: 'type', types: ['Blob', 'ArrayBuffer'] }, source);
  if (isDetached(source)) throw badState(argument, { kind: 'attached', buffer: true }, { kind: 'detached' });
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
