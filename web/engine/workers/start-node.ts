import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Thread } from './thread.js';

/** Starts a worker thread of Node. */
export function startThread(): Thread {
  const worker = new Worker(new URL('./entry-node.js', import.meta.url));
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    listen: (onMessage) => worker.on('message', onMessage),
    onDeath: (report) => {
      worker.on('error', (error) => report(error.message));
      worker.on('exit', (code) => report(`it ended with code ${code}`));
      worker.on('messageerror', () => report('a message could not be read'));
    },
    stop: async () => {
      await worker.terminate();
    },
    keepAlive: (wanted) => (wanted ? worker.ref() : worker.unref()),
  };
}

/** How many threads run at once here. */
export function parallelism(): number {
  return availableParallelism();
}
