// Skipping what is done: a step is up to date while its inputs hash to what they did and its outputs are there.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const stamps = join(root, 'build', 'stamps');

/** Does `work` unless the step `name` is up to date. Paths are relative to the project; a folder means all in it. */
export async function once(name, { inputs, outputs }, work) {
  const stamp = join(stamps, name);
  const hash = hashOf(inputs);
  const done = existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
  if (done && outputs.every((path) => existsSync(join(root, path)))) return;
  rmSync(stamp, { force: true });
  await work();
  mkdirSync(stamps, { recursive: true });
  writeFileSync(stamp, hash);
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const file of paths.flatMap(filesIn)) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function filesIn(path) {
  if (!existsSync(join(root, path))) return [];
  if (statSync(join(root, path)).isFile()) return [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesIn(join(path, name)));
}
