// Measuring: the core natively with Google Benchmark, the WebAssembly beside others, how a process
// starts, and how the page comes up and follows a slider.
import { join } from 'node:path';
import { buildLibrary, buildPage, cmake } from './build.mjs';
import { SetupError } from './log.mjs';
import { root, show } from './run.mjs';

/** Options: see tests/bench/web/main.mjs. */
export async function bench(options) {
  const name = options.find((option) => !option.startsWith('-')) ?? '';
  const once = options.includes('--once');
  await cmake('native-release');
  await buildLibrary();
  await cmake('wasm-simd', 'posenc_limits');
  await buildPage();
  const native = [`--benchmark_filter=${name}`, ...(once ? ['--benchmark_min_time=0.001'] : [])];
  const statuses = [
    await show(join(root, 'build/native-release/posenc_bench'), native),
    await show(process.execPath, ['tests/bench/web/main.mjs', ...options]),
    await show(process.execPath, ['tests/bench/start.bench.mjs', ...options]),
    await show(process.execPath, ['tests/bench/page.bench.mjs', ...options]),
  ];
  if (statuses.some((status) => status !== 0)) throw new SetupError('Not every benchmark ran.');
}
