// The list of encodings: that core and library have the same one, and README's tables of it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SetupError } from './log.mjs';
import { root } from './run.mjs';

/** Refuses a library that has other encodings than the core. */
export function checkEncodings() {
  const [core, library] = [
    listed('CMakeLists.txt', /set\(POSENC_ENCODINGS\s([^)]*)\)/, /[\w/]+/g).map((path) => basename(path)),
    listed('web/engine/encodings/definitions.ts', /definitions = {\s([^}]*)}/, /\w+(?=:)/g),
  ];
  if (core.join() === library.join()) return;
  const rest = (names, others) => names.filter((name) => !others.includes(name)).join(', ') || 'nothing';
  throw new SetupError(
    'POSENC_ENCODINGS in CMakeLists.txt and web/engine/encodings/definitions.ts list different encodings, or in another order: ' +
      `only the first has ${rest(core, library)}, only the second ${rest(library, core)}.`,
  );
}

function listed(path, list, name) {
  const [, names] = list.exec(readFileSync(join(root, path), 'utf8')) ?? [];
  if (names === undefined) throw new SetupError(`${path} has lost its list of encodings.`);
  return names.match(name);
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
