import type { FileHandle } from 'node:fs/promises';

/** A part of a file, read when its bytes are asked for. `openAsBlob` of Node 20 counts bytes in 32 bits. */
export class FileBlob extends Blob {
  readonly #file: FileHandle;
  readonly #start: number;
  readonly #end: number;

  /** Bytes from `start` to `end` of an open file. */
  constructor(file: FileHandle, start: number, end: number) {
    super();
    this.#file = file;
    this.#start = start;
    this.#end = end;
  }

  override get size(): number {
    return this.#end - this.#start;
  }

  override slice(start = 0, end = this.size): FileBlob {
    const at = (offset: number) => this.#start + Math.min(Math.max(offset, 0), this.size);
    return new FileBlob(this.#file, at(start), Math.max(at(start), at(end)));
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    const bytes = new Uint8Array(this.size);
    const { bytesRead } = await this.#file.read(bytes, 0, this.size, this.#start);
    return bytes.buffer.slice(0, bytesRead);
  }
}
