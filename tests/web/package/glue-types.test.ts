import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));

test('the glue is what glue.ts declares, by what Emscripten says of its bindings', () => {
  const folder = mkdtempSync(join(root, 'build/glue-types-'));
  const file = join(folder, 'same.ts');
  writeFileSync(
    file,
    `import type { MainModule as Built } from '../wasm/simd.mjs';
     import type { MainModule as Declared } from '../../web/engine/runtime/glue.js';
     export const fits = (built: Built): Declared => built;
     export const hasNoOther = (name: keyof Built): keyof Declared => name;`,
  );
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--ignoreConfig'];
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout, status } = spawnSync(process.execPath, [tsc, ...options, file], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(stdout).toBe('');
  expect(status).toBe(0);
});
