import { syncBuiltinESMExports } from 'node:module';
import workerThreads, { Worker } from 'node:worker_threads';
import { PosencError } from 'posenc';
import { afterAll, beforeAll, expect } from 'vitest';

/** The threads that the pools of a test file start, so that a test can end one. */
export function watchThreads(): Worker[] {
  const threads: Worker[] = [];
  class WatchedWorker extends Worker {
    constructor(...options: ConstructorParameters<typeof Worker>) {
      super(...options);
      threads.push(this);
    }
  }
  beforeAll(() => useWorker(WatchedWorker));
  afterAll(() => useWorker(Worker));
  return threads;
}

/** What pools start as worker threads from now on. */
export function useWorker(type: typeof Worker): void {
  workerThreads.Worker = type;
  syncBuiltinESMExports();
}

/** What a call rejects with. */
export function rejection(promise: Promise<unknown>): Promise<PosencError> {
  return promise.then(
    () => expect.fail('the call succeeded'),
    (reason: PosencError) => reason,
  );
}
