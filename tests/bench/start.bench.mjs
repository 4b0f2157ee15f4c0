// How long a fresh process takes to its first results: from the import of the package to the first small result, and how
// much longer the first call of attention takes than a later one. Medians over processes, each of which starts anew.
//
//   npm run bench -- start          both variants
//   npm run bench -- start --once   one process of each
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const options = process.argv.slice(2);
const [place, variant] = options;
const wanted = options.find((option) => !option.startsWith('-')) ?? '';
if (place === 'child') console.log(JSON.stringify(await measure(variant)));
else if ('start'.includes(wanted)) report(options.includes('--once') ? 1 : 11);

async function measure(variant) {
  const start = performance.now();
  const { load } = await import('posenc');
  const encodings = await load({ variant });
  encodings.sinusoidal({ length: 16, dim: 64 });
  const toResult = performance.now() - start;

  const [heads, length, headDim] = [8, 512, 64];
  const [query, key, value, out] = Array.from({ length: 4 }, () => {
    const buffer = encodings.buffer(heads * length * headDim);
    buffer.set(Float32Array.from({ length: buffer.length }, () => 2 * Math.random() - 1));
    return buffer;
  });
  const sizes = { heads, queryLength: length, keyLength: length, headDim, format: 'bhsd', causal: true };
  const times = Array.from({ length: 30 }, () => {
    const before = performance.now();
    encodings.attention({ query, key, value, ...sizes, out });
    return performance.now() - before;
  });
  return { toResult, first: times[0], steady: median(times.slice(10)) };
}

function report(processes) {
  // Node 20 holds relaxed SIMD behind a flag.
  const flags = process.versions.node.startsWith('20.') ? ['--experimental-wasm-relaxed-simd'] : [];
  const script = fileURLToPath(import.meta.url);
  for (const variant of ['simd', 'relaxed']) {
    const runs = Array.from({ length: processes }, () =>
      JSON.parse(execFileSync(process.execPath, [...flags, script, 'child', variant], { encoding: 'utf8' })),
    );
    const of = (name) => median(runs.map((run) => run[name]));
    const ratio = median(runs.map(({ first, steady }) => first / steady));
    console.log(
      `${variant}: import to first result ${of('toResult').toFixed(1)} ms; attention 8 × 512 × 64, first call ` +
        `${of('first').toFixed(1)} ms, later ${of('steady').toFixed(1)} ms, ${ratio.toFixed(1)}×`,
    );
  }
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
