// The commands behind `npm start`, `npm test` and the other scripts of package.json.
// Each finds or installs what it needs, builds what is out of date, and then does its own work.
import './node.mjs';
import { install } from './debian.mjs';
import { report } from './log.mjs';
import { benchPackages, npmPackages } from './packages.mjs';
import { benchTools, buildTools, formatter, testTools } from './tools.mjs';
import { emscripten } from './emscripten.mjs';
import { xsimd } from './xsimd.mjs';
import { chromium } from './chromium.mjs';
import { firefox } from './firefox.mjs';
import { numpy } from './numpy.mjs';
import { buildLibrary, buildPage } from './build.mjs';
import { addressFrom, develop, serve } from './serve.mjs';
import { test } from './test.mjs';
import { bench } from './bench.mjs';
import { check, format } from './check.mjs';
import { listInReadme } from './encodings.mjs';

/** Installs all the packages that these parts miss at once, then lets each part do what is left to do. */
async function setUp(...parts) {
  const packages = [];
  for (const part of parts) packages.push(...((await part.packages?.()) ?? []));
  await install(packages);
  for (const part of parts) await part.prepare?.();
}

const toolchain = [npmPackages, buildTools, emscripten, xsimd];

const commands = {
  /** Serves the page. */
  async start(options) {
    const address = addressFrom(options);
    await setUp(...toolchain);
    await buildLibrary();
    await buildPage();
    await serve(address);
  },
  /** Runs every test and prints the totals. */
  async test() {
    await setUp(...toolchain);
    await setUp(testTools, chromium, firefox, numpy);
    await test();
  },
  /** Builds the npm package and the page. */
  async build() {
    await setUp(...toolchain);
    await buildLibrary();
    await buildPage();
  },
  /** Builds the npm package alone: WebAssembly, JavaScript and typings in dist/. */
  async 'build:lib'() {
    await setUp(...toolchain);
    await buildLibrary();
  },
  /** Serves the page from its sources and reloads it when they change. */
  async dev(options) {
    const address = addressFrom(options);
    await setUp(...toolchain);
    await buildLibrary();
    await develop(address);
  },
  /** Checks the format of every file and the types of the TypeScript. */
  async check() {
    await setUp(npmPackages, formatter);
    await check();
  },
  /** Formats every file in place. */
  async format() {
    await setUp(npmPackages, formatter);
    await format();
  },
  /** Writes the tables of README.md that list what the package has. */
  async readme() {
    await setUp(...toolchain);
    await buildLibrary();
    await listInReadme();
  },
  /** Measures the kernels. */
  async bench(options) {
    await setUp(...toolchain);
    await setUp(benchTools, benchPackages, chromium);
    await bench(options);
  },
};

const [name, ...options] = process.argv.slice(2);
await report(async () => {
  const command = commands[name];
  if (!command) throw new Error(`Unknown command ${name}: use one of ${Object.keys(commands).join(', ')}.`);
  await command(options);
});
