// Serving the page on this machine alone.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { say, SetupError } from './log.mjs';
import { root } from './run.mjs';

const configFile = join(root, 'web/app/vite.config.ts');

/** Serves the built page. */
export async function serve(address) {
  announce(await preview(address));
}

/** A server of the built page. What is not there is answered with 404, and the page's policy comes as a header too. */
export async function preview(address) {
  const vite = await import('vite');
  const page = readFileSync(join(root, 'build/page/index.html'), 'utf8');
  const [, policy] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page);
  const headers = {
    // Only a header can say who may frame the page.
    'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
    'X-Content-Type-Options': 'nosniff',
  };
  return vite.preview({ configFile, appType: 'mpa', preview: { ...address, headers }, logLevel: 'warn' });
}

/** Serves the page from its sources, and shows what changes in them. */
export async function develop(address) {
  const { createServer } = await import('vite');
  const server = await createServer({ configFile, server: address });
  await server.listen();
  announce(server);
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
