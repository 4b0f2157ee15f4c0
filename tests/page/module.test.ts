import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { compute, computeInPool, errorOfTruncated } from './support/module-check.js';
import { attentionInput } from './support/module-input.js';
import { dot, encodingRow, kernel, rotate } from './support/oracle.ts';
import { type Opened, open } from './support/page.ts';
import { type Site, startSite } from './support/site.ts';

// The module as it ships, without a bundler, under a content policy that allows its own files and WebAssembly alone.

type Numbers = Awaited<ReturnType<typeof compute>>;
type Failure = Awaited<ReturnType<typeof errorOfTruncated>>;
interface Found {
  readonly numbers: Numbers;
  readonly error: Failure;
}

let site: Site;
let opened: Opened;
beforeAll(async () => {
  site = await startSite();
  opened = await open(site, { folder: '/module/module.html' });
});
afterAll(async () => {
  await opened?.context.close();
  await site?.close();
});

const runIn = {
  // Given as text: the tests' own bundler would take the import for its own.
  page: (variant: string): Promise<Found> =>
    opened.page.evaluate(`import('./module-check.js').then(async ({ compute, errorOfTruncated }) => ({
      numbers: await compute('${variant}'),
      error: await errorOfTruncated('${variant}'),
    }))`),
  worker: (variant: string): Promise<Found> =>
    opened.page.evaluate(async (name) => {
      const worker = new Worker(new URL('./module-worker.js', document.baseURI), { type: 'module' });
      const found = await new Promise<Found>((resolve, reject) => {
        worker.onmessage = ({ data }) => (data.failure ? reject(new Error(data.failure)) : resolve(data));
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage(name);
      });
      worker.terminate();
      return found;
    }, variant),
};

const largest = (found: number[], expected: number[]): number => {
  expect(found).toHaveLength(expected.length);
  return Math.max(...found.map((value, i) => Math.abs(value - expected[i]!)));
};

describe.each(['simd', 'relaxed'] as const)('the binary %s', (variant) => {
  describe.each(['page', 'worker'] as const)('in a %s', (place) => {
    let found: Found;
    beforeAll(async () => {
      found = await runIn[place](variant);
    });

    test('is the one that was asked for', () => {
      expect(found.numbers.variant).toBe(variant);
    });

    test('computes sines and cosines', () => {
      const expected = [999_999, 1_000_000, 1_000_001].flatMap((position) => encodingRow(position, 8));
      // Half a unit in the last place, and what plain float64 angles of this size are off by.
      expect(largest(found.numbers.sinusoidal, expected)).toBeLessThanOrEqual(0.51 * 2 ** -24 + 1e-9);
    });

    const rotated = (query: Float32Array): number[] =>
      Array.from({ length: 10 }, (_, row) =>
        rotate(query.subarray(8 * row, 8 * row + 8), Math.floor(row / 2), {
          rotaryDim: 8,
          base: 10_000,
          pairing: 'half',
        }),
      ).flat();

    test('rotates', () => {
      const expected = rotated(attentionInput().query);
      expect(largest(found.numbers.rope, expected)).toBeLessThanOrEqual(2 ** -23 * 2);
    });

    test('takes the Float16Array of the engine', () => {
      const { halves, ropeOfHalves } = found.numbers;
      expect(largest(halves, [...attentionInput().query])).toBeLessThanOrEqual(2 ** -11 * 2);
      expect(largest(ropeOfHalves, rotated(Float32Array.from(halves)))).toBeLessThanOrEqual(2 ** -23 * 2);
    });

    test('attends', () => {
      const { query, key, value } = attentionInput();
      const row = (x: Float32Array, k: number): Float32Array => x.subarray(8 * k, 8 * k + 8);
      const expected = Array.from({ length: 10 }, (_, k) => {
        const i = Math.floor(k / 2);
        const weights = Array.from({ length: i + 1 }, (_, j) =>
          Math.exp(dot(row(query, k), row(key, j)) / Math.sqrt(8)),
        );
        const sum = weights.reduce((a, b) => a + b);
        return Array.from({ length: 8 }, (_, c) => weights.reduce((a, w, j) => a + (w / sum) * row(value, j)[c]!, 0));
      }).flat();
      expect(largest(found.numbers.attention, expected)).toBeLessThanOrEqual(1e-6);
    });

    test('finds how alike two positions are', () => {
      expect(largest(found.numbers.kernel, [1, kernel(1, 8), kernel(169_646, 8)])).toBeLessThanOrEqual(1e-9);
    });

    test('rejects half of a file with its typed error', () => {
      expect(found.error).toEqual({ name: 'PosencError', code: 'load-failed', argument: 'wasm' });
    });
  });
});

test.each(['simd', 'relaxed'] as const)(
  'workers of a pool compute with %s, and one that is abandoned is replaced',
  async (variant) => {
    const found: Awaited<ReturnType<typeof computeInPool>> = await opened.page.evaluate(
      `import('./module-check.js').then(({ computeInPool }) => computeInPool('${variant}'))`,
    );
    const expected = [99_998, 99_999].flatMap((position) => encodingRow(position, 8));
    expect(largest(found.table, expected)).toBeLessThanOrEqual(0.51 * 2 ** -24 + 1e-9);
    expect(found.after).toEqual(found.table);
    expect(found.abandoned).toBe('TimeoutError');
  },
);

test('the content policy is in force: text is not evaluated', async () => {
  const refused = await opened.page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.ran = true;';
    document.head.append(script);
    return !('ran' in window);
  });
  expect(refused).toBe(true);
});

test('nothing was refused meanwhile but that', () => {
  const others = opened.problems.filter((problem) => !/script-src|inline script/.test(problem));
  expect(others).toEqual([]);
  expect(opened.problems).not.toEqual([]);
});
