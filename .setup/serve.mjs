// Serving the page on this machine alone.
import { join } from 'node:path';
import { say, SetupError } from './log.mjs';
import { npmProgram, root, show } from './run.mjs';

const configFile = join(root, 'web/app/vite.config.ts');

/** Serves the built page. */
export async function serve(address) {
  const { preview } = await import('vite');
  announce(await preview({ configFile, preview: address, logLevel: 'warn' }));
}

/** Serves the page from its sources, and compiles the library again whenever it changes. */
export async function develop(address) {
  const { createServer } = await import('vite');
  const server = await createServer({ configFile, server: address });
  await server.listen();
  announce(server);
  const [node, tsc] = npmProgram('typescript/bin/tsc');
  await show(node, [tsc, '--watch', '--preserveWatchOutput']);
}

/** `--port N`, else PORT, else the port of the page's own configuration; the next free one when it is taken. */
export function addressFrom(options) {
  const [name, value, ...rest] = options.flatMap((option) => option.split('='));
  if (options.length > 0 && (name !== '--port' || value === undefined || rest.length > 0)) {
    throw new SetupError(`The only option is --port NUMBER, and this was given: ${options.join(' ')}`);
  }
  const text = value ?? process.env.PORT;
  if (text === undefined) return { host: '127.0.0.1' };
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65535) {
    throw new SetupError(`The port must be a whole number from 1 to 65535, and it is ${text}.`);
  }
  return { host: '127.0.0.1', port };
}

function announce(server) {
  say(`\nposenc is at ${server.resolvedUrls.local[0]} (Ctrl+C stops it)`);
}
