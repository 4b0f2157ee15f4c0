import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig } from 'vite';
import { inlineWorker, oneFile } from './one-file.ts';
import page from './vite.config.ts';

/** The page as build/posenc.html. */
export default mergeConfig(
  page,
  defineConfig({
    publicDir: false,
    plugins: [inlineWorker(), oneFile(fileURLToPath(new URL('../../build/posenc.html', import.meta.url)))],
    worker: { format: 'iife', rolldownOptions: { output: { codeSplitting: false } } },
    build: {
      outDir: fileURLToPath(new URL('../../build/one-file', import.meta.url)),
      write: false,
      assetsInlineLimit: Number.MAX_SAFE_INTEGER,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  }),
);
