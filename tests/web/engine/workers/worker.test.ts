import { Worker } from 'node:worker_threads';
import { load } from 'posenc';
import { expect, test } from 'vitest';

const entry = new URL('../../../../dist/node.js', import.meta.url);

test('computes in a worker thread what it computes here', async () => {
  const script = `
    import { parentPort } from 'node:worker_threads';
    import { load } from ${JSON.stringify(entry.href)};
    const encodings = await load({ variant: 'simd' });
    parentPort.postMessage(encodings.sinusoidal({ length: 50, dim: 33, start: 7 }));
  `;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`));
  const found = await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  await worker.terminate();
  const encodings = await load({ variant: 'simd' });
  expect(found).toEqual(encodings.sinusoidal({ length: 50, dim: 33, start: 7 }));
});
