// What is made from the list of encodings in CMakeLists.txt: the module that collects their files, and README's tables.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SetupError } from './log.mjs';
import { root } from './run.mjs';

/** The names in POSENC_ENCODINGS. */
function names() {
  const list = /set\(POSENC_ENCODINGS\s+([^)]*)\)/.exec(readFileSync(join(root, 'CMakeLists.txt'), 'utf8'));
  return list[1]
    .trim()
    .split(/\s+/)
    .map((path) => basename(path));
}

/** Writes web/engine/encodings/all.ts. */
export function collectEncodings() {
  const encodings = names().map((name) => ({
    name,
    file: name.replaceAll('_', '-'),
    constant: `${name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase())}Encoding`,
  }));
  for (const { name, file } of encodings) {
    const path = `web/engine/encodings/${file}.ts`;
    if (!existsSync(join(root, path))) throw new SetupError(`POSENC_ENCODINGS names ${name}, but ${path} is missing.`);
  }
  const lines = [
    '// Made by the build from POSENC_ENCODINGS in CMakeLists.txt.',
    "import type { BiasOf, FunctionsOf, RelativeOf } from './encoding.js';",
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
  writeIfNew(join(root, 'web/engine/encodings/all.ts'), `${lines.join('\n')}\n`);
}

/** Writes the tables of encodings and of findings in README.md, from the lists of the built package. */
export async function listInReadme() {
  const { FINDINGS, registry } = await import(pathToFileURL(join(root, 'dist/node.js')).href);
  const linked = (source) => source.replace(/arXiv:(\d+\.\d+)/g, '[$&](https://arxiv.org/abs/$1)');
  const code = (name) => `\`${name}\``;
  const encodings = Object.values(registry).map(({ title, functions, source }) => [
    title.en,
    functions.map(code).join(', '),
    linked(source),
  ]);
  const findings = Object.entries(FINDINGS).map(([name, { severity, meaning }]) => [code(name), severity, meaning.en]);
  const path = join(root, 'README.md');
  let readme = readFileSync(path, 'utf8');
  const put = (name, rows) => {
    const place = new RegExp(`(<!-- ${name} -->\n\n)[^]*?(\n\n<!-- end -->)`);
    if (!place.test(readme)) throw new SetupError(`README.md has lost the marks around its table of ${name}.`);
    readme = readme.replace(place, (_, before, after) => before + tableOf(rows) + after);
  };
  put('encodings', [['encoding', 'functions', 'source'], ...encodings]);
  put('findings', [['code', 'severity', 'what it means'], ...findings]);
  writeIfNew(path, readme);
}

/** A table as Prettier lays it out, the first row its head. */
function tableOf([head, ...rows]) {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

function writeIfNew(path, text) {
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}
