import { parentPort } from 'node:worker_threads';
import { serve } from './serve.js';

const port = parentPort!;
serve({
  post: (message, transfer) => port.postMessage(message, transfer),
  listen: (onMessage) => port.on('message', onMessage),
});
