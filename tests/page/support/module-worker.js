import { compute, errorOfTruncated } from './module-check.js';

self.onmessage = async ({ data }) => {
  self.postMessage({ numbers: await compute(data), error: await errorOfTruncated(data) });
};
