/** Starts the worker from a file of its own. The page in one file has another module in this one's place. */
export function startWorker(): Worker {
  return new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'posenc' });
}
