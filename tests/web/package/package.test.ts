import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  mkdirSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import * as posenc from 'posenc';
import { minifySync } from 'vite';
import { describe, expect, test } from 'vitest';
import { binaryOf, variants } from '../support/variants.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const readme = existsSync(join(root, 'README.md')) ? readFileSync(join(root, 'README.md'), 'utf8') : '';

describe('the glue', () => {
  // As it stands in the bundles of dist.
  const glue = minifySync('simd.mjs', readFileSync(join(root, 'build/wasm/simd.mjs'), 'utf8'), {
    module: true,
  }).code;

  test('evaluates no text, so that a content policy needs no unsafe-eval', () => {
    expect(glue).not.toMatch(/new Function\b|\beval\(|[^\w.]Function\(/);
  });

  test('holds no code for Node', () => {
    expect(glue).not.toMatch(/\brequire\(|["']node:|\bimport\b(?!\.meta)/);
  });

  test('is the same for both variants', () => {
    const [simd, relaxed] = ['simd', 'relaxed'].map((variant) =>
      readFileSync(join(root, `build/wasm/${variant}.mjs`), 'utf8'),
    );
    expect(relaxed).toBe(simd);
  });

  test.each(variants)('and the binary %s are at most 40 KB with brotli', (variant) => {
    const bytes = brotliCompressSync(glue).length + brotliCompressSync(binaryOf(variant)).length;
    expect(bytes).toBeLessThanOrEqual(40 * 1024);
  });
});

describe('the files of dist', () => {
  const files = readdirSync(join(root, 'dist'), { encoding: 'utf8', recursive: true }).filter((name) =>
    name.endsWith('.js'),
  );

  test('name Node in the files of their own only', () => {
    const named = files.filter((name) => /["']node:|process\./.test(readFileSync(join(root, 'dist', name), 'utf8')));
    expect(named.sort()).toEqual(['cli.js', 'node.js', 'workers/entry-node.js', 'workers/start-node.js']);
  });

  test('have no default export', () => {
    for (const name of files) expect(readFileSync(join(root, 'dist', name), 'utf8')).not.toMatch(/export default/);
  });
});

describe('the registry', () => {
  test('has the encodings of the build, with functions that exist', async () => {
    const list = /set\(POSENC_ENCODINGS\s+([^)]*)\)/.exec(readFileSync(join(root, 'CMakeLists.txt'), 'utf8'))?.[1];
    expect(posenc.encodingNames()).toEqual(
      list
        ?.trim()
        .split(/\s+/)
        .map((path) => basename(path)),
    );
    const encodings = await posenc.load({ variant: 'simd' });
    for (const { functions } of Object.values(posenc.registry)) {
      for (const name of functions) expect(encodings[name]).toBeTypeOf('function');
    }
  });
});

describe('README', () => {
  const examples = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code as string);
  const whole = examples.filter((code) => code.includes('await load('));

  test.skipIf(readme === '')('has two examples that need nothing else', () => {
    expect(whole).toHaveLength(2);
  });

  test.each(whole.map((code, i) => [i + 1, code]))('has an example that runs as printed: %i', (_, code) => {
    const folder = mkdtempSync(join(tmpdir(), 'posenc-readme-'));
    try {
      mkdirSync(join(folder, 'node_modules'));
      symlinkSync(root, join(folder, 'node_modules/posenc'), 'dir');
      writeFileSync(join(folder, 'example.mjs'), code as string);
      execFileSync(process.execPath, [join(folder, 'example.mjs')], { cwd: folder });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('lists every finding with its severity and meaning', () => {
    const rows = Object.entries(posenc.FINDINGS).map(([code, { severity, meaning }]) => [code, severity, meaning.en]);
    const listed = [...readme.matchAll(/^\| `(\w+)` +\| (error|warning|info) +\| (.*?) +\|$/gm)];
    expect(listed.map(([, ...cells]) => cells)).toEqual(rows);
  });

  test.skipIf(!/arXiv/.test(readme))('lists every encoding of the registry with its functions and source', () => {
    for (const entry of Object.values(posenc.registry)) {
      const row = readme.split('\n').find((line) => line.startsWith(`| ${entry.title.en} `));
      for (const name of entry.functions) expect(row, entry.title.en).toContain(`\`${name}\``);
      const paper = /arXiv:(\d+\.\d+)/.exec(entry.source)?.[1];
      if (paper !== undefined) expect(row).toContain(paper);
    }
  });
});
