import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** A folder with a script that uses the package, as its user has it. */
function userOf(script: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'posenc-bundle-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(fileURLToPath(new URL('../../../', import.meta.url)), join(folder, 'node_modules/posenc'), 'dir');
  writeFileSync(join(folder, 'index.html'), '<!doctype html><script type="module" src="./main.mjs"></script>');
  writeFileSync(join(folder, 'main.mjs'), script);
  return folder;
}

async function bundleOf(folder: string): Promise<Rolldown.RolldownOutput['output']> {
  const output = await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    build: { write: false, assetsInlineLimit: 0 },
  });
  return (output as Rolldown.RolldownOutput).output;
}

describe('a page that a bundler builds', () => {
  const folder = userOf(
    `import { load } from 'posenc';
     load().then((encodings) => console.log(encodings.sinusoidal({ length: 1, dim: 4 })));`,
  );
  let files: Rolldown.RolldownOutput['output'];

  beforeAll(async () => {
    files = await bundleOf(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('gets one file per variant, each once', () => {
    const binaries = files.filter(({ fileName }) => fileName.endsWith('.wasm')).map(({ fileName }) => fileName);
    expect(binaries).toHaveLength(2);
    for (const variant of ['simd', 'relaxed']) expect(binaries.join()).toContain(variant);
  });

  test('holds no code for Node', () => {
    for (const file of files) {
      if (file.type === 'chunk')
        expect(file.code).not.toMatch(/node:|fs\/promises|__vite-browser-external|pathToFileURL/);
    }
  });
});

describe('posenc/model', () => {
  const folder = userOf(
    `import { check, parseHfConfig } from 'posenc/model';
     const config = { model_type: 'llama', hidden_size: 4096, num_attention_heads: 32, rope_theta: 10000 };
     const model = parseHfConfig({ ...config, rope_scaling: { rope_type: 'linear', factor: 0.5 } });
     console.log(JSON.stringify([model.layers[0].params.headDim, check(model)[0].code]));`,
  );
  afterAll(() => rmSync(folder, { recursive: true }));

  test('runs in Node', () => {
    const answer = execFileSync(process.execPath, [join(folder, 'main.mjs')], { encoding: 'utf8' });
    expect(JSON.parse(answer)).toEqual([128, 'scaling_shortens']);
  });

  test('brings a page no WebAssembly and nothing of the engine', async () => {
    const files = await bundleOf(folder);
    const scripts = files.flatMap((file) => (file.type === 'chunk' ? [file.code] : []));
    expect(files.map(({ fileName }) => fileName).filter((name) => !/\.(html|js)$/.test(name))).toEqual([]);
    expect(scripts.join()).not.toMatch(/WebAssembly\.|\.wasm|new Worker|HeapFloats|sinusoidal2d|node:/);
    expect(brotliCompressSync(scripts.join()).length).toBeLessThan(50 * 1024);
  });
});
