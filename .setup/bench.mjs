// Measuring: the core natively with Google Benchmark, the WebAssembly beside others, how a process
// starts, and how the page comes up and follows a slider.
import { join } from 'node:path';
import { buildLibrary, buildPage, cmake } from './build.mjs';
import { SetupError } from './log.mjs';
import { root, show } from './run.mjs';

/** What is measured beside single calls. */
const OTHERS = ['start', 'page'];

/** Options: see tests/bench/web/main.mjs. */
export async function bench(options) {
  const name = options.find((option) => !option.startsWith('-')) ?? '';
  const once = options.includes('--once');
  await cmake('native-release');
  await buildLibrary();
  await cmake('wasm-simd', 'posenc_limits');
  await buildPage();
  const native = [`--benchmark_filter=${name}`, ...(once ? ['--benchmark_min_time=0.001'] : [])];
  const ofCalls = [
    [join(root, 'build/native-release/posenc_bench'), native],
    [process.execPath, ['tests/bench/web/main.mjs', ...options]],
  ];
  const others = OTHERS.map((part) => [process.execPath, [`tests/bench/${part}.bench.mjs`, ...options]]);
  const statuses = [];
  for (const [program, args] of OTHERS.includes(name) ? others : [...ofCalls, ...others]) {
    statuses.push(await show(program, args));
  }
  if (statuses.some((status) => status !== 0)) throw new SetupError('Not every benchmark ran.');
}
