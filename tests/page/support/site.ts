import { readFileSync, readdirSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const page = filesUnder(join(root, 'build/page'));
const dist = filesUnder(join(root, 'dist'));
const support = filesUnder(join(root, 'tests/page/support'));

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** Stricter than the page's own policy: nothing that is not named, and no frame around it. The inline script's hash is the page's. */
const strictPolicy = [
  "default-src 'none'",
  `script-src ${/script-src ([^;"]*)/.exec(page.get('index.html')!.toString())![1]}`,
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

type Answer = Buffer | 'missing' | 'broken off' | 'never';
interface Folder {
  readonly files: ReadonlyMap<string, Buffer>;
  readonly policy: string;
  /** What is answered in place of a file. */
  readonly answer?: (path: string, file: Buffer) => Answer;
}

const withWasm = (answer: (file: Buffer) => Answer): Folder => ({
  files: page,
  policy: strictPolicy,
  answer: (path, file) => (path.endsWith('.wasm') ? answer(file) : file),
});
/** The page, but its worker runs a line of its own first: a stand-in for an engine that lacks something. */
const withWorker = (line: string): Folder => ({
  files: page,
  policy: strictPolicy,
  answer: (path, file) => (/worker-[^/]*\.js$/.test(path) ? Buffer.concat([Buffer.from(`${line}\n`), file]) : file),
});

/** The built page in several states of health, and the module by itself with a page and a worker that use it. */
export const folders = {
  '/': { files: page, policy: strictPolicy },
  '/a/folder/': { files: page, policy: strictPolicy },
  '/without-chinese/': {
    files: page,
    policy: strictPolicy,
    answer: (path: string, file: Buffer): Answer => (/zh-han[st]-[^/]*\.js$/.test(path) ? 'missing' : file),
  },
  '/missing/': withWasm(() => 'missing'),
  '/broken-off/': withWasm(() => 'broken off'),
  '/truncated/': withWasm((file) => file.subarray(0, file.length / 2)),
  '/never/': withWasm(() => 'never'),
  '/no-script-yet/': {
    files: page,
    policy: strictPolicy,
    answer: (path, file) => (path.endsWith('.js') ? 'never' : file),
  },
  '/no-wasm/': withWorker('delete self.WebAssembly;'),
  '/no-simd/': withWorker('WebAssembly.validate = () => false;'),
  // Of the probes that ask for SIMD only the one with a relaxed instruction is longer than 30 bytes.
  '/no-relaxed/': withWorker(
    'const { validate } = WebAssembly; WebAssembly.validate = (probe) => probe.length < 30 && validate(probe);',
  ),
  '/module/': {
    files: new Map([...dist, ...support]),
    policy: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'",
  },
} as const satisfies Record<string, Folder>;

export type FolderName = keyof typeof folders;

export interface Site {
  readonly origin: string;
  readonly close: () => Promise<void>;
}

/** Serves all folders on a free port of this machine, from a copy made when the tests start. */
export async function startSite(): Promise<Site> {
  const server = createServer(respond);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function respond({ url = '/' }: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(url, 'http://localhost');
  const [name, folder] = Object.entries<Folder>(folders)
    .filter(([prefix]) => pathname.startsWith(prefix))
    .sort(([a], [b]) => b.length - a.length)[0]!;
  const path = pathname.slice(name.length) || 'index.html';
  const file = folder.files.get(path);
  const answer = file && (folder.answer?.(path, file) ?? file);
  if (answer === 'never') return;
  if (answer === 'broken off') {
    response.socket?.destroy();
  } else if (answer === undefined || answer === 'missing') {
    response.writeHead(404).end();
  } else {
    response.setHeader('Content-Type', TYPES[extname(path)] ?? 'application/octet-stream');
    response.setHeader('Content-Security-Policy', folder.policy);
    response.end(answer);
  }
}

function filesUnder(folder: string): Map<string, Buffer> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    entries.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [relative(folder, path).replaceAll('\\', '/'), readFileSync(path)];
    }),
  );
}
