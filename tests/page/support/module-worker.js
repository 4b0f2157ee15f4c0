import { compute, errorOfTruncated } from './module-check.js';

self.onmessage = async ({ data }) => {
  try {
    self.postMessage({ numbers: await compute(data), error: await errorOfTruncated(data) });
  } catch (error) {
    self.postMessage({ failure: String(error) });
  }
};
