import InlineWorker from './worker.ts?worker&inline';

/** Starts the worker from the page itself, which no browser does from a file beside a page on disk. */
export function startWorker(): Worker {
  return new InlineWorker({ name: 'posenc' });
}
