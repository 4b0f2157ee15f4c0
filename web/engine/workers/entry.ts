import { serve } from './serve.js';

serve({
  post: (message, transfer) => self.postMessage(message, { transfer }),
  listen: (onMessage) => self.addEventListener('message', ({ data }) => onMessage(data)),
});
