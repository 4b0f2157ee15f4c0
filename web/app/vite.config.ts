import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { traditionalChinese } from '../../.setup/traditional.ts';
import { contentPolicy, formulas, inlineScripts, oldestEngines, preloadTexts } from './vite-plugins.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const { version } = JSON.parse(readFileSync(path('../../package.json'), 'utf8')) as { version: string };

export default defineConfig({
  root: path('.'),
  base: './',
  define: { POSENC_VERSION: JSON.stringify(version) },
  plugins: [traditionalChinese(), formulas(), inlineScripts(), preloadTexts(), contentPolicy()],
  // From its sources, since dist/ is one file: what the page does not call stays out.
  resolve: {
    alias: [
      { find: 'posenc', replacement: path('../index.ts') },
      { find: './runtime/binaries.js', replacement: path('./engine/binaries.ts') },
    ],
  },
  worker: { format: 'es', plugins: () => [traditionalChinese()] },
  build: {
    outDir: path('../../build/page'),
    emptyOutDir: true,
    target: oldestEngines,
    // The content policy allows no inline data, so every asset is a file.
    assetsInlineLimit: 0,
    // One style sheet for all: nothing stands unstyled while a part of the page is fetched.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
  },
  server: { host: '127.0.0.1', port: 5173 },
  preview: { host: '127.0.0.1', port: 4173 },
});
