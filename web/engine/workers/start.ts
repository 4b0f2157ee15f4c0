import type { Thread } from './thread.js';

/** Starts a worker of a page. */
export function startThread(): Thread {
  const worker = new Worker(new URL('./entry.js', import.meta.url), { type: 'module' });
  return {
    post: (message, transfer) => worker.postMessage(message, { transfer }),
    listen: (onMessage) => worker.addEventListener('message', ({ data }) => onMessage(data)),
    onDeath: (report) => {
      worker.addEventListener('error', ({ message }) => report(message || 'its script did not load'));
      worker.addEventListener('messageerror', () => report('a message could not be read'));
    },
    stop: async () => worker.terminate(),
    keepAlive: () => {},
  };
}

/** How many threads run at once here. */
export function parallelism(): number {
  return navigator.hardwareConcurrency;
}
