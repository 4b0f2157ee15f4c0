// Building: WebAssembly in two variants, the npm package in dist/, the page in build/page/ and in
// build/posenc.html. Up-to-date parts are skipped.
import { chmodSync, cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkEncodings } from './encodings.mjs';
import { npmProgram, root, run } from './run.mjs';
import { once } from './stamp.mjs';

const cmakeInputs = ['CMakeLists.txt', 'CMakePresets.json', 'package.json', 'cpp', '.cache/emscripten.cmake'];

const variants = ['simd', 'relaxed'];

/** What makes traditional Chinese of simplified, for the package and for the page. */
const plugins = ['.setup/library.config.ts', '.setup/traditional.ts'];

/** The sources of the package. */
const parts = ['common', 'rotary', 'phrases', 'model', 'engine', 'index.ts'].map((name) => `web/${name}`);

/**
 * The package for pages and for Node: package.json names both. What differs is in files beside each other, NAME.ts and
 * NAME-node.ts. Each is one file of JavaScript, the glue in it, since to load many takes longer than all else until the
 * first result; only what starts workers, and what a worker starts with, stay apart.
 */
const bundles = [
  { entry: 'index', file: 'index.js' },
  { entry: 'model/index', file: 'model.js' },
  { entry: 'engine/workers/entry', file: 'workers/entry.js' },
  { entry: 'index', file: 'node.js', node: true },
  { entry: 'engine/workers/entry-node', file: 'workers/entry-node.js', node: true },
  { entry: 'model/cli', file: 'cli.js', node: true },
];
const twins = ['./runtime/read-wasm.js', './start.js'];

function library({ entry, file, node = false }) {
  return {
    root,
    configFile: join(root, '.setup/library.config.ts'),
    plugins: [
      {
        name: 'the-other-files',
        enforce: 'pre',
        resolveId(source, importer) {
          // A worker runs the package itself.
          if (importer?.endsWith('/workers/serve.ts') && source.startsWith('../')) {
            return { id: node ? '../node.js' : '../index.js', external: true };
          }
          if (node && twins.includes(source)) return this.resolve(source.replace('.js', '-node.js'), importer);
        },
      },
    ],
    build: {
      ssr: true, // for a page, Vite would bundle the WebAssembly
      outDir: 'dist',
      emptyOutDir: false,
      target: 'es2022',
      sourcemap: true,
      rolldownOptions: {
        input: join(root, `web/${entry}.ts`),
        output: {
          entryFileNames: file,
          chunkFileNames: 'workers/[name].js',
          // Functions keep their names, and a map has the lines, for traces of errors. Node prints the whole line that
          // threw, which has to be short then.
          minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: !node } },
          comments: false,
          sourcemapExcludeSources: true,
        },
      },
    },
  };
}

export async function buildLibrary() {
  for (const variant of variants) {
    const outputs = ['mjs', 'wasm', 'd.mts'].map((ending) => `build/wasm/${variant}.${ending}`);
    await once(`wasm-${variant}`, { inputs: cmakeInputs, outputs }, () => cmake(`wasm-${variant}`));
  }
  checkEncodings();
  const inputs = [...parts, ...plugins, 'tsconfig.json', 'package-lock.json'];
  await once(
    'lib',
    {
      inputs,
      outputs: ['dist/index.js', 'dist/node.js', 'dist/cli.js', 'dist/model.js', 'dist/index.d.ts', 'dist/wasm'],
    },
    async () => {
      rmSync(join(root, 'dist'), { recursive: true, force: true });
      await run('Checking the types of the library', ...program('typescript/bin/tsc'));
      const { build } = await import('vite'); // which npm may just have installed
      for (const bundle of bundles) await build(library(bundle));
      mkdirSync(join(root, 'dist/wasm'));
      for (const variant of variants) {
        cpSync(join(root, `build/wasm/${variant}.wasm`), join(root, `dist/wasm/${variant}.wasm`));
      }
      chmodSync(join(root, 'dist/cli.js'), 0o755);
    },
  );
}

export async function buildPage() {
  const inputs = ['dist', 'web/app', ...plugins, 'package-lock.json'];
  const oneFile = 'web/app/vite.one-file.config.ts';
  await once('page', { inputs, outputs: ['build/page/index.html'] }, () =>
    run('Building the page', ...program('vite/bin/vite.js', 'build', '--config', 'web/app/vite.config.ts')),
  );
  await once('one-file', { inputs, outputs: ['build/posenc.html'] }, () =>
    run('Building the page in one file', ...program('vite/bin/vite.js', 'build', '--config', oneFile)),
  );
}

/** Configures and builds a preset of CMakePresets.json, or targets of it. */
export async function cmake(preset, ...targets) {
  await run(`Configuring ${preset}`, 'cmake', ['--preset', preset]);
  const of = targets.length > 0 ? ['--target', ...targets] : [];
  await run(`Compiling ${[preset, ...targets].join(', ')}`, 'cmake', ['--build', '--preset', preset, ...of]);
}

function program(path, ...args) {
  const [node, script] = npmProgram(path);
  return [node, [script, ...args]];
}
