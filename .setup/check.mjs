// Checks that build and run nothing: the format of every file, the borders between the parts of the sources, and the types.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from './log.mjs';
import { capture, npmProgram, root, run, show } from './run.mjs';

const [node, prettier] = npmProgram('prettier/bin/prettier.cjs');
const [, tsc] = npmProgram('typescript/bin/tsc');
const [, oxlint] = npmProgram('oxlint/bin/oxlint');

export async function check() {
  const cure = 'Run `npm run format`.';
  await run('Checking the format of C++', 'clang-format-19', ['--dry-run', '-Werror', ...(await cppFiles())], { cure });
  await run('Checking the format of the rest', node, [prettier, '--check', '--cache', '.'], { cure });
  await run('Checking the borders', node, [oxlint, 'web']);
  for (const project of ['web', 'web/app', 'tests/web', 'tests/page']) {
    await run(`Checking the types of ${project}`, node, [tsc, '--noEmit', '-p', project === 'web' ? '.' : project]);
  }
}

export async function format() {
  const statuses = [
    await show('clang-format-19', ['-i', ...(await cppFiles())]),
    await show(node, [prettier, '--write', '--log-level=warn', '.']),
  ];
  if (statuses.some((status) => status !== 0)) throw new SetupError('Not every file could be formatted.');
}

async function cppFiles() {
  const { output } = await capture('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.cpp', '*.hpp']);
  return output.split('\n').filter((path) => path && existsSync(join(root, path)));
}
