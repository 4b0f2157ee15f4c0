// posenc beside plain JavaScript and ONNX Runtime Web, in Node and in Chromium, and there beside wllama:
//
//   npm run bench             every workload
//   npm run bench -- rope     the workloads whose name contains "rope"
//   npm run bench -- --once   one round of small ones, to see that they run
//   npm run bench -- --write  also writes the tables into README.md
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import * as ort from 'onnxruntime-web/wasm';
import { runInChromium } from './chromium.mjs';
import { besides, comparison, costs } from './report.mjs';
import { run } from './run.mjs';

// Node 20 holds relaxed SIMD behind a flag.
if (process.versions.node.startsWith('20.')) setFlagsFromString('--experimental-wasm-relaxed-simd');

const options = process.argv.slice(2);
const settings = {
  once: options.includes('--once'),
  wanted: options.find((option) => !option.startsWith('-')) ?? '',
  say: (name) => process.stderr.write(`  ${name}\n`),
};
const limits = await WebAssembly.compile(
  readFileSync(new URL('../../../build/wasm-simd/limits.wasm', import.meta.url)),
);
const places = [];
for (const [place, measureAll] of [
  [`Node ${process.versions.node}`, () => run({ ort, limits, ...settings })],
  ['Chromium', () => runInChromium(settings)],
]) {
  const { compared, costly, version } = await measureAll();
  const title = `${[place, version].filter(Boolean).join(' ')}, one thread`;
  places.push([title, comparison(compared), besides(compared), costs(costly)].filter(Boolean).join('\n\n'));
  console.log(`\n${places.at(-1)}`);
}

if (options.includes('--write')) {
  const path = new URL('../../../README.md', import.meta.url);
  const readme = readFileSync(path, 'utf8');
  const [ortVersion, wllamaVersion] = ['onnxruntime-web', '@wllama/wllama'].map(
    (name) => JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url))).version,
  );
  const when = new Date().toISOString().slice(0, 10);
  const peers = `onnxruntime-web ${ortVersion} and wllama ${wllamaVersion}`;
  const where = `Measured on ${when} on ${cpus()[0].model.trim()}, beside ${peers}.`;
  const text = `<!-- benchmark -->\n\n${[where, ...places].join('\n\n')}\n\n<!-- end of benchmark -->`;
  writeFileSync(
    path,
    readme.replace(/<!-- benchmark -->[^]*<!-- end of benchmark -->/, () => text),
  );
}
