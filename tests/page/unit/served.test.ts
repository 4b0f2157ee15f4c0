import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { preview } from '../../../.setup/serve.mjs';

describe('the page as `npm start` serves it', () => {
  let server: Awaited<ReturnType<typeof preview>>;
  let origin: string;
  beforeAll(async () => {
    server = await preview({ host: '127.0.0.1', port: 4300 });
    origin = `http://127.0.0.1:${(server.httpServer.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  test('answers 404 for what is not there', async () => {
    for (const path of ['/assets/gone.js', '/assets/simd-gone.wasm', '/gone', '/gone.html']) {
      const { status, headers } = await fetch(origin + path);
      expect([path, status]).toEqual([path, 404]);
      expect(headers.get('content-type') ?? '').not.toContain('html');
    }
  });

  test('comes with its policy, may not be framed, and is of the type that is said', async () => {
    const response = await fetch(origin);
    expect(response.status).toBe(200);
    const [, stated] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(await response.text())!;
    expect(response.headers.get('content-security-policy')).toBe(`${stated}; frame-ancestors 'none'`);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });
});
