import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

describe('a page that a bundler builds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'posenc-bundle-'));
  let files: Rolldown.RolldownOutput['output'];

  beforeAll(async () => {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(fileURLToPath(new URL('../../../', import.meta.url)), join(folder, 'node_modules/posenc'), 'dir');
    writeFileSync(join(folder, 'index.html'), '<!doctype html><script type="module" src="./main.js"></script>');
    writeFileSync(
      join(folder, 'main.js'),
      `import { load } from 'posenc';
       load().then((encodings) => console.log(encodings.sinusoidal({ length: 1, dim: 4 })));`,
    );
    const output = await build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      build: { write: false, assetsInlineLimit: 0 },
    });
    files = (output as Rolldown.RolldownOutput).output;
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
