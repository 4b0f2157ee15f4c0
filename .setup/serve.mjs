// Serving the page on this machine alone.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { say, SetupError } from './log.mjs';
import { npmProgram, root, show } from './run.mjs';

const configFile = join(root, 'web/app/vite.config.ts');

/** Serves the built page. */
export async function serve(options) {
  const { preview } = await import('vite');
  const server = await preview({ configFile, preview: address(options), logLevel: 'warn' });
  announce(server);
}

/** Serves the page from its sources, and compiles the library again whenever it changes. */
export async function develop(options) {
  const { createServer } = await import('vite');
  const server = await createServer({ configFile, server: address(options), logLevel: 'info' });
  await server.listen();
  announce(server);
  const [node, tsc] = npmProgram('typescript/bin/tsc');
  await show(node, [tsc, '--watch', '--preserveWatchOutput']);
}

/** `--port N`, else PORT, else the port of the page's own configuration; the next free one when it is taken. */
function address(options) {
  const { values } = parseArgs({ args: options, options: { port: { type: 'string' } } });
  const text = values.port ?? process.env.PORT;
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
