import { EventEmitter } from 'node:events';
import { cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import workerThreads, { type Worker } from 'node:worker_threads';
import { load, loadPool, sinusoidalFrequencies, type Encodings } from 'posenc';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectNear } from '../../support/compare.ts';
import { rejection, useWorker, watchThreads } from '../../support/threads.ts';

const threads = watchThreads();
let here: Encodings;
beforeAll(async () => {
  here = await load({ variant: 'simd' });
});

const longSearch = { invFreq: sinusoidalFrequencies({ dim: 512 }), from: 1, to: 1e8, above: 0.99 };

/** Enough to go to a worker. */
const table = { length: 4000, dim: 64 };

describe('workers that do not start', () => {
  /** A pool of its own package, and how to take its worker file away and bring it back. */
  async function poolOfCopy(workers: number) {
    const folder = mkdtempSync(join(os.tmpdir(), 'posenc-'));
    cpSync(join(import.meta.dirname, '../../../../dist'), folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const copy: typeof import('posenc') = await import(pathToFileURL(join(folder, 'node.js')).href);
    const [entry, away] = [join(folder, 'workers/entry-node.js'), join(folder, 'away.js')];
    const copied = await copy.loadPool({ workers, variant: 'simd' });
    return {
      copied,
      takeAway: () => renameSync(entry, away),
      bringBack: () => renameSync(away, entry),
      async [Symbol.asyncDispose]() {
        await copied.dispose();
        rmSync(folder, { recursive: true });
      },
    };
  }

  test('fail every call after one that was aborted, until their file is back', async () => {
    await using pools = await poolOfCopy(1);
    const { copied, takeAway, bringBack } = pools;
    takeAway();
    const controller = new AbortController();
    const aborted = rejection(copied.findAliases({ ...longSearch, signal: controller.signal }));
    controller.abort();
    expect((await aborted).name).toBe('AbortError');
    for (const attempt of [1, 2, 3]) {
      expect((await rejection(copied.sinusoidal(table))).code, `call ${attempt}`).toBe('worker-failed');
    }
    expect(copied.workers).toBe(0);
    bringBack();
    expectNear(await copied.sinusoidal(table), here.sinusoidal(table), {});
    expect(copied.workers).toBe(1);
  });

  test('fail the calls that wait and that come, where workers and their successors die', async () => {
    await using pools = await poolOfCopy(2);
    const { copied, takeAway, bringBack } = pools;
    takeAway();
    const running = [1, 2, 3].map(() => rejection(copied.findAliases(longSearch)));
    for (const thread of threads.slice(-2)) void thread.terminate();
    for (const call of running) expect((await call).code).toBe('worker-failed');
    expect((await rejection(copied.sinusoidal(table))).code).toBe('worker-failed');
    expect(copied.workers).toBe(0);
    bringBack();
    const both = await Promise.all([copied.sinusoidal(table), copied.sinusoidal(table)]);
    for (const found of both) expectNear(found, here.sinusoidal(table), {});
  });

  test('are tried again where they are killed before they are ready', async () => {
    const alone = await loadPool({ workers: 1, variant: 'simd' });
    const started = threads.length;
    const first = rejection(alone.findAliases(longSearch));
    void threads.at(-1)?.terminate();
    expect((await first).code).toBe('worker-failed');
    expect(threads.length).toBe(started + 1);
    const waiting = alone.sinusoidal(table);
    await threads.at(-1)?.terminate(); // the successor
    expectNear(await waiting, here.sinusoidal(table), {});
    expect(threads.length).toBe(started + 2);
    await alone.dispose();
  });
});

test('a pool without options is within what it takes, on a machine with any number of threads', async () => {
  /** A thread that says it is ready, and does nothing else. */
  class IdleWorker extends EventEmitter {
    postMessage() {
      queueMicrotask(() => this.emit('message', { kind: 'ready' }));
    }
    ref() {}
    unref() {}
    terminate() {
      return Promise.resolve(0);
    }
  }
  const { availableParallelism } = os;
  const { Worker: watched } = workerThreads;
  useWorker(IdleWorker as unknown as typeof Worker);
  os.availableParallelism = () => 1000;
  syncBuiltinESMExports();
  const pool = await loadPool().finally(() => {
    os.availableParallelism = availableParallelism;
    useWorker(watched);
  });
  expect(pool.workers).toBe(256);
  await pool.dispose();
});
