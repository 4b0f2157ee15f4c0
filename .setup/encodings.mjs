// What is made from the list of encodings in CMakeLists.txt: the module that collects their files, and README's table.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SetupError } from './log.mjs';
import { root } from './run.mjs';

/** The names in POSENC_ENCODINGS. */
function names() {
  const list = /set\(POSENC_ENCODINGS\s+([^)]*)\)/.exec(readFileSync(join(root, 'CMakeLists.txt'), 'utf8'));
  return list[1].trim().split(/\s+/);
}

/** Writes web/lib/encodings/all.ts. */
export function collectEncodings() {
  const encodings = names().map((name) => ({
    name,
    file: name.replaceAll('_', '-'),
    constant: `${name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase())}Encoding`,
  }));
  for (const { name, file } of encodings) {
    const path = `web/lib/encodings/${file}.ts`;
    if (!existsSync(join(root, path))) throw new SetupError(`POSENC_ENCODINGS names ${name}, but ${path} is missing.`);
  }
  const lines = [
    '// Made by the build from POSENC_ENCODINGS in CMakeLists.txt.',
    "import type { BiasOf, FunctionsOf, RelativeOf } from '../encoding.js';",
    ...encodings.map(({ constant, file }) => `import { ${constant} } from './${file}.js';`),
    '',
    ...encodings.map(({ file }) => `export type * from './${file}.js';`),
    '',
    '/** The encodings by name. */',
    'export const encodings = {',
    ...encodings.map(({ name, constant }) => `  ${name}: ${constant},`),
    '};',
    '',
    '/** What the encodings compute. */',
    'export interface EncodingFunctions',
    `  extends ${encodings.map(({ constant }) => `FunctionsOf<typeof ${constant}>`).join(',\n    ')} {}`,
    '',
    '/** The biases that `attention` computes where it uses them. */',
    `export type EncodingBias = ${encodings.map(({ constant }) => `BiasOf<typeof ${constant}>`).join('\n  | ')};`,
    '',
    '/** The relative terms that `attention` computes. */',
    `export type EncodingRelative = ${encodings.map(({ constant }) => `RelativeOf<typeof ${constant}>`).join('\n  | ')};`,
  ];
  writeIfNew(join(root, 'web/lib/encodings/all.ts'), `${lines.join('\n')}\n`);
}

/** Writes the table of encodings in README.md, from the registry of the built package. */
export async function listEncodings() {
  const { registry } = await import(pathToFileURL(join(root, 'dist/node.js')).href);
  const linked = (source) => source.replace(/arXiv:(\d+\.\d+)/g, '[$&](https://arxiv.org/abs/$1)');
  const code = (name) => `\`${name}\``;
  const rows = Object.values(registry).map(({ title, functions, source }) => [
    title.en,
    functions.map(code).join(', '),
    linked(source),
  ]);
  const table = [['encoding', 'functions', 'source'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const text = [line(table[0]), line(widths.map((width) => '-'.repeat(width))), ...table.slice(1).map(line)].join('\n');

  const path = join(root, 'README.md');
  const readme = readFileSync(path, 'utf8');
  const place = /(<!-- encodings -->\n\n)[^]*?(\n\n<!-- end -->)/;
  if (!place.test(readme)) throw new SetupError('README.md has lost the marks around its table of encodings.');
  writeIfNew(
    path,
    readme.replace(place, (_, before, after) => before + text + after),
  );
}

function writeIfNew(path, text) {
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}
