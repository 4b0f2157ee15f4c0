// Building: WebAssembly in two variants, the npm package in dist/, the page in build/page/. Up-to-date parts are skipped.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectEncodings, listEncodings } from './encodings.mjs';
import { npmProgram, root, run } from './run.mjs';
import { once } from './stamp.mjs';

const cmakeInputs = ['CMakeLists.txt', 'CMakePresets.json', 'package.json', 'cpp', '.cache/emscripten.cmake'];

const variants = ['simd', 'relaxed'];

/**
 * One file of JavaScript, since to load many takes longer than all else until the first result. What package.json chooses
 * from, and what a worker starts with, stay apart. As for a server: Vite would bundle the WebAssembly for a page.
 */
const apart = [
  'read-wasm',
  'read-wasm-node',
  'workers/start',
  'workers/start-node',
  'workers/entry',
  'workers/entry-node',
];
const library = {
  root,
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  build: {
    ssr: true,
    outDir: 'dist',
    emptyOutDir: false,
    minify: false,
    target: 'es2022',
    rolldownOptions: {
      input: Object.fromEntries(['index', ...apart].map((name) => [name, join(root, `web/lib/${name}.ts`)])),
      external: ['#read-wasm', '#start-thread', './wasm/simd.mjs', '../index.js'],
      output: { entryFileNames: '[name].js', chunkFileNames: 'workers/[name].js', minifyInternalExports: false },
    },
  },
};

export async function buildLibrary() {
  for (const variant of variants) {
    const outputs = ['mjs', 'wasm', 'd.mts'].map((ending) => `web/lib/wasm/${variant}.${ending}`);
    await once(`wasm-${variant}`, { inputs: cmakeInputs, outputs }, () => cmake(`wasm-${variant}`));
  }
  collectEncodings();
  const inputs = ['web/lib', 'tsconfig.json', 'package-lock.json'];
  await once('lib', { inputs, outputs: ['dist/index.js', 'dist/index.d.ts', 'dist/wasm'] }, async () => {
    rmSync(join(root, 'dist'), { recursive: true, force: true });
    await run('Checking the types of the library', ...program('typescript/bin/tsc'));
    const { build, minifySync } = await import('vite'); // which npm may just have installed
    await build(library);
    mkdirSync(join(root, 'dist/wasm'));
    const parts = [...variants.map((variant) => `${variant}.wasm`), 'simd.d.mts']; // the glue of both is the same
    for (const part of parts) cpSync(join(root, 'web/lib/wasm', part), join(root, 'dist/wasm', part));
    const glue = readFileSync(join(root, 'web/lib/wasm/simd.mjs'), 'utf8');
    writeFileSync(join(root, 'dist/wasm/simd.mjs'), minifySync('simd.mjs', glue, { module: true }).code);
    await listEncodings();
  });
}

export async function buildPage() {
  const inputs = ['dist', 'web/app', 'package-lock.json'];
  await once('page', { inputs, outputs: ['build/page/index.html'] }, () =>
    run('Building the page', ...program('vite/bin/vite.js', 'build', '--config', 'web/app/vite.config.ts')),
  );
}

/** Configures and builds a preset of CMakePresets.json. */
export async function cmake(preset) {
  await run(`Configuring ${preset}`, 'cmake', ['--preset', preset]);
  await run(`Compiling ${preset}`, 'cmake', ['--build', '--preset', preset]);
}

function program(path, ...args) {
  const [node, script] = npmProgram(path);
  return [node, [script, ...args]];
}
