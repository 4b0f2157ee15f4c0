/** A handle of the bindings, whose memory is freed with it. */
interface Handle {
  delete(): void;
}

/**
 * The calls that run, one inside the other where an option of one is a getter that makes another. Memory that a caller
 * disposes of meanwhile stays until they have ended, since they may have read where it is.
 */
export class Calls {
  #running = 0;
  readonly #disposed: Handle[] = [];

  run<Result>(call: () => Result): Result {
    this.#running += 1;
    try {
      return call();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) for (const handle of this.#disposed.splice(0)) handle.delete();
    }
  }

  /** Frees memory of a caller as soon as no call can use it. */
  free(handle: Handle): void {
    if (this.#running === 0) handle.delete();
    else this.#disposed.push(handle);
  }
}
