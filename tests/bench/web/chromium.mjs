// The benchmark in headless Chromium, served from this machine: the same workloads in a page.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const file = (path) => fileURLToPath(new URL(path, import.meta.url));
const folders = {
  '/posenc/': file('../../../dist/'),
  '/ort/': file('../node_modules/onnxruntime-web/dist/'),
  '/wllama/': file('../node_modules/@wllama/wllama/esm/'),
  '/limits/': file('../../../build/wasm-simd/'),
  '/': file('./'),
};
const types = { '.mjs': 'text/javascript', '.js': 'text/javascript', '.wasm': 'application/wasm' };
const imports = {
  posenc: '/posenc/index.js',
  'onnxruntime-web/wasm': '/ort/ort.wasm.min.mjs',
};
const page = `<!doctype html><meta charset="utf-8"><script type="importmap">${JSON.stringify({ imports })}</script>`;

async function answer({ url }, response) {
  const { pathname } = new URL(url, 'http://localhost');
  if (pathname === '/') return response.setHeader('Content-Type', 'text/html').end(page);
  const [prefix, folder] = Object.entries(folders).find(([start]) => pathname.startsWith(start));
  try {
    const content = await readFile(folder + pathname.slice(prefix.length));
    response.setHeader('Content-Type', types[extname(pathname)] ?? 'application/octet-stream').end(content);
  } catch {
    response.writeHead(404).end();
  }
}

export function launchChromium() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
}

/** Runs `work(browser, address)` with a headless browser and the address of a page that can import the package. */
export async function withChromium(work) {
  const server = createServer(answer);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await launchChromium();
  try {
    return await work(browser, `http://127.0.0.1:${server.address().port}/`);
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
}

/** Runs the workloads in a page. Returns what `run` returns, and the version of the browser. */
export function runInChromium({ once, wanted, say }) {
  return withChromium(async (browser, address) => {
    const tab = await browser.newPage();
    await tab.exposeFunction('say', say);
    await tab.goto(address);
    const rows = await tab.evaluate(
      `Promise.all([
        import('/run.mjs'),
        import('onnxruntime-web/wasm'),
        import('/wllama/index.js'),
        WebAssembly.compileStreaming(fetch('/limits/limits.wasm')),
      ]).then(([{ run }, ort, { Wllama }, limits]) =>
        run({ ort, Wllama, limits, say, ...${JSON.stringify({ once, wanted })} }),
      )`,
    );
    return { ...rows, version: browser.version() };
  });
}
