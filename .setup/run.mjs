// Starting other programs.
import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { progress, SetupError } from './log.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const cache = join(root, '.cache');

/** The first of these programs that PATH has, as a path; undefined when it has none. */
export function onPath(...names) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Runs a program without showing it. Resolves to its exit status and everything that it printed. */
export function capture(program, args, { onLine, ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let output = '';
    const take = (text) => {
      output += text;
      const line = text
        .trimEnd()
        .split(/[\r\n]/)
        .at(-1);
      if (line) onLine?.(line);
    };
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);
    child.on('error', (error) => resolve({ status: 127, output: error.message }));
    child.on('close', (status) => resolve({ status: status ?? 1, output }));
  });
}

/**
 * Runs a program under a title with progress; its output is shown only when it fails. `cure` says what the reader can
 * do about a failure, and makes the end of the output enough.
 */
export async function run(title, program, args, { cure, ...options } = {}) {
  const work = progress(title);
  const { status, output } = await capture(program, args, { onLine: work.detail, ...options });
  work.end(status === 0 ? 'done' : 'failed');
  if (status !== 0) {
    const command = [program, ...args].join(' ');
    const lines = output.trimEnd().split('\n');
    const end = lines.slice(cure ? -6 : -60).map((line) => `  ${line}`);
    throw new SetupError(
      `${title} failed.${cure ? ` ${cure}` : ''}\nThe command was\n` +
        `  ${command.length > 240 ? `${command.slice(0, 240)} …` : command}\nand it ended with\n${end.join('\n')}`,
    );
  }
  return output;
}

/** The cure for a failed download. */
export const reconnect = 'It needs the network: check the connection or proxy and run this command again.';

/** Runs a program whose output is for the reader. Resolves to its exit status. */
export function show(program, args, options) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], ...options });
    child.on('error', () => resolve(127));
    child.on('close', (status) => resolve(status ?? 1));
  });
}

/** Runs the program of an npm package with this Node. */
export function npmProgram(path) {
  return [process.execPath, join(root, 'node_modules', path)];
}
