import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('../../', import.meta.url));
const shared = { root, resolve: { alias: { posenc: `${root}dist/node.js` } } };

export default defineConfig({
  test: {
    // One file at a time: the pages of two would compute side by side on few cores.
    fileParallelism: false,
    projects: [
      {
        ...shared,
        test: { name: 'unit', include: ['tests/page/unit/**/*.test.ts'], testTimeout: 60_000 },
      },
      {
        ...shared,
        test: {
          name: 'chromium',
          include: ['tests/page/*.test.ts', 'tests/page/figures/*.test.ts'],
          globalSetup: ['tests/page/support/chromium.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
