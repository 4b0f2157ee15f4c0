import { requireChoice, requireOptions, withDefault } from '../common/check.js';
import { createEncodings, type Encodings } from './encodings.js';
import { createEngine, type Engine, type Variant } from './runtime/engine.js';
import { badArgument, refusal } from '../common/errors.js';
import { readWasm } from './runtime/read-wasm.js';
import glue from '#glue'; // the same for both variants
import { binaries } from './runtime/binaries.js';
import type { MainModule } from './runtime/glue.js';

export interface LoadOptions {
  /** `auto` (default) takes `relaxed` where the engine accepts it, else `simd`. */
  variant?: 'auto' | Variant;
  /** The WebAssembly file: where it is, its bytes, or compiled. By default the file beside this package. */
  wasm?: URL | string | Response | BufferSource | WebAssembly.Module;
}

/** (module (func (result v128) (i8x16.splat (i32.const 0)))) */
const SIMD_PROBE = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11,
];

/** The same with one relaxed instruction, i8x16.relaxed_swizzle of two splats. */
const RELAXED_PROBE = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 15, 1, 13, 0, 65, 1, 253, 15, 65, 2, 253, 15,
  253, 128, 2, 11,
];

/** What is loaded or being loaded, by variant and by where it comes from: a location, '' the default, or an object. */
type Loads = Map<string, Promise<Encodings>>;
const loadsByLocation = new Map<string, Loads>();
const loadsByObject = new WeakMap<object, Loads>();

/**
 * Loads the WebAssembly module. The same options give the same promise; after a failure they try again.
 *
 * Rejects with `PosencError`: `bad-argument`; `unsupported` where the engine lacks SIMD or the asked variant;
 * `load-failed` where the file is missing, damaged, of another variant or refused by the engine or a content policy.
 */
export function load(options: LoadOptions = {}): Promise<Encodings> {
  let request: LoadRequest;
  try {
    request = requireRequest(options);
  } catch (error) {
    return Promise.reject(error);
  }
  const loads = loadsOf(request.source);
  const known = loads.get(request.variant);
  if (known !== undefined) return known;
  const loading = loadEncodings(request);
  loads.set(request.variant, loading);
  loading.catch(() => loads.delete(request.variant));
  return loading;
}

function loadsOf(source: LoadOptions['wasm']): Loads {
  const key = isUrl(source) ? source.href : (source ?? '');
  if (typeof key === 'object') {
    const loads = loadsByObject.get(key) ?? new Map();
    loadsByObject.set(key, loads);
    return loads;
  }
  const loads = loadsByLocation.get(key) ?? new Map();
  loadsByLocation.set(key, loads);
  return loads;
}

interface LoadRequest {
  source: LoadOptions['wasm'];
  /** What the module has to be; a source of the caller may decide for `auto`. */
  variant: 'auto' | Variant;
  /** The fastest variant that was asked for and that the engine accepts. */
  chosen: Variant;
}

function requireRequest(given: LoadOptions): LoadRequest {
  const options = requireOptions(given, { variant: true, wasm: true });
  const variant = requireChoice(withDefault(options.variant, 'auto'), 'variant', {
    auto: 'auto',
    relaxed: 'relaxed',
    simd: 'simd',
  } as const);
  const { wasm } = options;
  const known = wasm === undefined || isUrl(wasm) || isResponse(wasm) || isBytes(wasm) || isModule(wasm);
  if (!known && (typeof wasm !== 'string' || wasm === '')) {
    throw badArgument('wasm', { kind: 'type', types: ['URL', 'Response', 'the bytes', 'WebAssembly.Module'] }, wasm);
  }
  const chosen = chooseVariant(variant);
  return { source: wasm, variant: wasm === undefined ? chosen : variant, chosen };
}

function chooseVariant(variant: 'auto' | Variant): Variant {
  const accepts = (probe: number[]) => WebAssembly.validate(Uint8Array.from(probe));
  if (typeof WebAssembly !== 'object' || !accepts(SIMD_PROBE)) {
    throw refusal('unsupported', { rule: { kind: 'simd' } });
  }
  if (variant === 'simd') return variant;
  if (accepts(RELAXED_PROBE)) return 'relaxed';
  if (variant === 'auto') return 'simd';
  throw refusal('unsupported', { argument: 'variant', rule: { kind: 'relaxed-simd' }, got: variant });
}

/** The compiled module that `load` would start with these options. Rejects as `load` does. */
export async function compileFor(options: LoadOptions): Promise<WebAssembly.Module> {
  const { source, chosen } = requireRequest(options);
  return compile(source ?? binaries[chosen]()).catch(refuse);
}

async function loadEncodings({ source, variant, chosen }: LoadRequest): Promise<Encodings> {
  try {
    const engine = await start(await compile(source ?? binaries[chosen]()));
    if (variant !== 'auto' && engine.variant !== variant) {
      throw new Error(`the file holds the variant ${engine.variant}, not ${variant}`);
    }
    return createEncodings(engine);
  } catch (cause) {
    return refuse(cause);
  }
}

function refuse(cause: unknown): never {
  const reason = cause instanceof Error ? cause.message : String(cause);
  throw refusal('load-failed', { argument: 'wasm', rule: { kind: 'wasm-file', reason } }, cause);
}

async function compile(source: NonNullable<LoadOptions['wasm']>): Promise<WebAssembly.Module> {
  if (isModule(source)) return source;
  const content = typeof source === 'string' || isUrl(source) ? await readWasm(source) : source;
  if (!isResponse(content)) return WebAssembly.compile(content);
  if (!content.ok) throw new Error(`the server answered ${content.status} ${content.statusText}`.trimEnd());
  // Compiled while it arrives, where the server names the type that engines ask for.
  return content.headers.get('content-type') === 'application/wasm'
    ? WebAssembly.compileStreaming(content)
    : WebAssembly.compile(await content.arrayBuffer());
}

async function start(module: WebAssembly.Module): Promise<Engine> {
  const wasm = await new Promise<MainModule>((resolve, reject) => {
    const instantiate = (imports: WebAssembly.Imports, receive: (result: object) => void): void => {
      WebAssembly.instantiate(module, imports)
        .then((instance) => receive({ instance }))
        .catch((cause: unknown) => reject(explain(cause)));
    };
    glue({ wasm: instantiate }).then(resolve, reject);
  });
  return createEngine(wasm, wasm.isRelaxed() ? 'relaxed' : 'simd');
}

/** Imports that do not fit, or exports that the glue does not find, are those of another module. */
function explain(cause: unknown): unknown {
  const isForeign = cause instanceof WebAssembly.LinkError || cause instanceof TypeError;
  return isForeign ? new Error('it is not the module of this package', { cause }) : cause;
}

function isUrl(value: unknown): value is URL {
  return tagOf(value) === 'URL';
}

function isResponse(value: unknown): value is Response {
  return tagOf(value) === 'Response';
}

function isModule(value: unknown): value is WebAssembly.Module {
  return tagOf(value) === 'WebAssembly.Module';
}

function isBytes(value: unknown): value is BufferSource {
  return tagOf(value) === 'ArrayBuffer' || ArrayBuffer.isView(value);
}

/** The kind of an object, even of one from another realm. */
function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}
