import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { load, PosencError, type Encodings, type LoadOptions, type Variant } from 'posenc';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accepts, binaryOf, binaryUrl, describeVariants, variants } from '../../support/variants.ts';

/** Whether an instance computes at all. */
function expectWorking(encodings: Encodings): void {
  expect([...encodings.sinusoidal({ length: 1, dim: 4 })]).toEqual([0, 1, 0, 1]);
}

async function expectFailure(options: unknown, code: string, argument?: string): Promise<PosencError> {
  const error = await load(options as LoadOptions).then(
    () => expect.fail('it loaded'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PosencError);
  expect(error).toMatchObject(argument === undefined ? { code } : { code, argument });
  return error as PosencError;
}

describe('load', () => {
  test('takes the fastest variant that the engine accepts', async () => {
    const expected: Variant = accepts('relaxed') ? 'relaxed' : 'simd';
    const encodings = await load();
    expect(encodings.variant).toBe(expected);
    expectWorking(encodings);
  });

  test('gives the same promise for the same options', async () => {
    expect(load()).toBe(load());
    expect(load({})).toBe(load({ variant: 'auto' }));
    expect(load({ variant: 'simd' })).toBe(load({ variant: 'simd' }));
    expect(load()).toBe(load({ variant: accepts('relaxed') ? 'relaxed' : 'simd' }));
    const url = binaryUrl('simd');
    const options = { variant: 'simd', wasm: url } as const;
    expect(load(options)).toBe(load({ variant: 'simd', wasm: new URL(url) }));
    expect(await load(options)).not.toBe(await load({ variant: 'simd' }));
  });

  test('refuses options of another shape', async () => {
    await expectFailure(5, 'bad-argument', 'options');
    await expectFailure(null, 'bad-argument', 'options');
    await expectFailure({ varient: 'simd' }, 'bad-argument', 'varient');
    const error = await expectFailure({ variant: 'SIMD' }, 'bad-argument', 'variant');
    expect(error.message).toMatch(/"relaxed".*"SIMD"/);
    for (const wasm of [5, true, '', {}, [], () => 0, null]) {
      await expectFailure({ wasm }, 'bad-argument', 'wasm');
    }
  });

  test('rejects where the engine has no WebAssembly, or none with SIMD', async () => {
    const { validate } = WebAssembly;
    try {
      WebAssembly.validate = () => false;
      await expectFailure({ variant: 'simd', wasm: binaryOf('simd') }, 'unsupported');
    } finally {
      WebAssembly.validate = validate;
    }
    const saved = globalThis.WebAssembly;
    try {
      Reflect.deleteProperty(globalThis, 'WebAssembly');
      await expectFailure({ wasm: new Uint8Array(8) }, 'unsupported');
    } finally {
      globalThis.WebAssembly = saved;
    }
  });

  test('rejects the relaxed variant, and takes the other one by itself, where the engine knows no relaxed SIMD', async () => {
    const { validate } = WebAssembly;
    try {
      let probes = 0;
      WebAssembly.validate = (probe) => ++probes % 2 === 1 && validate(probe);
      await expectFailure({ variant: 'relaxed', wasm: binaryOf('relaxed') }, 'unsupported', 'variant');
      probes = 0;
      const encodings = await load({ wasm: binaryOf('simd') });
      expect(encodings.variant).toBe('simd');
    } finally {
      WebAssembly.validate = validate;
    }
  });
});

describe.each(variants)('load with the file of %s', (variant) => {
  let server: Server;
  let origin: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/posenc.wasm') response.end(binaryOf(variant));
      else if (request.url === '/truncated.wasm') response.end(binaryOf(variant).subarray(0, 1000));
      else if (request.url === '/broken.wasm') request.socket.destroy();
      else response.writeHead(404).end('not here');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    origin = `http://127.0.0.1:${address.port}`;
  });
  afterAll(() => server.close());

  describe.skipIf(!accepts(variant))('where the engine accepts it', () => {
    test.each<[string, () => LoadOptions['wasm'] | Promise<NonNullable<LoadOptions['wasm']>>]>([
      ['a file URL', () => binaryUrl(variant)],
      ['the text of a file URL', () => binaryUrl(variant).href],
      ['the path of a file', () => fileURLToPath(binaryUrl(variant))],
      ['an address', () => `${origin}/posenc.wasm`],
      ['an address as URL', () => new URL(`${origin}/posenc.wasm`)],
      ['a response', () => fetch(`${origin}/posenc.wasm`)],
      ['bytes', () => binaryOf(variant)],
      ['a buffer of bytes', () => binaryOf(variant).buffer],
      ['a compiled module', () => WebAssembly.compile(binaryOf(variant))],
    ])('takes %s', async (_, source) => {
      const wasm = await source();
      const encodings = await load({ variant, wasm: wasm as NonNullable<LoadOptions['wasm']> });
      expect(encodings.variant).toBe(variant);
      expectWorking(encodings);
      const found = await load({ wasm: binaryOf(variant) });
      expect(found.variant).toBe(variant);
    });

    test('rejects a file of the other variant', async () => {
      const other = variant === 'simd' ? 'relaxed' : 'simd';
      if (!accepts(other)) return;
      const error = await expectFailure({ variant, wasm: binaryOf(other) }, 'load-failed', 'wasm');
      expect(error.message).toContain(other);
    });
  });

  test('rejects a file that is missing, truncated or not there in full', async () => {
    const url = binaryUrl(variant);
    await expectFailure({ wasm: new URL('../../missing.wasm', url) }, 'load-failed', 'wasm');
    await expectFailure({ wasm: `${origin}/missing.wasm` }, 'load-failed', 'wasm');
    await expectFailure({ wasm: `${origin}/broken.wasm` }, 'load-failed', 'wasm');
    await expectFailure({ wasm: `${origin}/truncated.wasm` }, 'load-failed', 'wasm');
    await expectFailure({ wasm: await fetch(`${origin}/missing.wasm`) }, 'load-failed', 'wasm');
    await expectFailure({ wasm: binaryOf(variant).subarray(0, 5000) }, 'load-failed', 'wasm');
    await expectFailure({ wasm: new Uint8Array(0) }, 'load-failed', 'wasm');
    await expectFailure({ wasm: 'https://' }, 'load-failed', 'wasm');
  });

  test('rejects a response that was read before', async () => {
    const response = await fetch(`${origin}/posenc.wasm`);
    await response.arrayBuffer();
    await expectFailure({ wasm: response }, 'load-failed', 'wasm');
  });

  test('rejects a module that is something else', async () => {
    const empty = await WebAssembly.compile(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
    const error = await expectFailure({ wasm: empty }, 'load-failed', 'wasm');
    expect(error.message).toContain('not the module of this package');
    expect(error.cause).toBeInstanceOf(Error);
    // (module (import "a" "other" (func)))
    const foreign = Uint8Array.of(
      ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0],
      ...[2, 11, 1, 1, 97, 5, 111, 116, 104, 101, 114, 0, 0],
    );
    const unlinked = await expectFailure({ wasm: foreign }, 'load-failed', 'wasm');
    expect(unlinked.message).toContain('not the module of this package');
  });

  test('rejects what the engine refuses, as a content policy does', async () => {
    const { compile } = WebAssembly;
    try {
      WebAssembly.compile = () => Promise.reject(new WebAssembly.CompileError('refused by the content policy'));
      const error = await expectFailure({ wasm: binaryOf(variant) }, 'load-failed', 'wasm');
      expect(error.message).toContain('refused by the content policy');
    } finally {
      WebAssembly.compile = compile;
    }
  });

  test.skipIf(!accepts(variant))('tries again after a failure', async () => {
    const { compile } = WebAssembly;
    const wasm = binaryOf(variant);
    try {
      WebAssembly.compile = () => Promise.reject(new Error('not now'));
      await expectFailure({ wasm }, 'load-failed');
    } finally {
      WebAssembly.compile = compile;
    }
    expectWorking(await load({ wasm }));
  });
});

await describeVariants('an instance', (encodings) => {
  test('has functions that stand alone', () => {
    const { sinusoidal } = encodings;
    expect([...sinusoidal({ length: 1, dim: 2 })]).toEqual([0, 1]);
  });
});
