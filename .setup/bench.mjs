// Measuring: the core natively with Google Benchmark.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cmake } from './build.mjs';
import { SetupError } from './log.mjs';
import { root, show } from './run.mjs';

export async function bench() {
  await cmake('native-release');
  const status = await show(join(root, 'build/native-release/posenc_bench'), []);
  if (status !== 0) throw new SetupError('The benchmarks failed.');
}
