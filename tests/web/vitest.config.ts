import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { traditionalChinese } from '../../.setup/traditional.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

export default defineConfig({
  root,
  plugins: [traditionalChinese()],
  resolve: { alias: { posenc: `${root}dist/node.js` } },
  test: {
    include: ['tests/web/**/*.test.ts'],
    setupFiles: ['tests/web/support/setup.ts'],
    // One file at a time: some of them allocate much of what WebAssembly can address.
    fileParallelism: false,
    testTimeout: 60_000,
    server: { deps: { external: [/\/dist\//] } },
  },
});
