import { HeapBuffer, type PosencBuffer } from '../runtime/buffer.js';
import { OBJECT, requireInteger, requireLength, requireOptions } from '../../common/check.js';
import { scoreTerms, type Encodings } from '../encodings.js';
import { badArgument, badState } from '../../common/errors.js';
import { compileFor, load, type LoadOptions } from '../load.js';
import type { AttentionOptions } from '../attention/attention.js';
import { attentionJob } from './attention-job.js';
import { Crew, type Task } from './crew.js';
import { wholeJob, type Job } from './job.js';
import type { FunctionName } from './protocol.js';

export interface LoadPoolOptions extends LoadOptions {
  /** How many workers, 1 to 256; by default as many as the machine runs threads. Each takes some 25 MB. */
  workers?: number;
}

/** What every call of a pool takes besides its options. */
export interface PoolCallOptions {
  /** Abandons the call: its promise rejects with the signal's reason, and a worker that computes it is replaced. */
  signal?: AbortSignal | undefined;
  /** Told the share that is done, from 0 to 1, after each part of a call that is split over workers. */
  onProgress?: ((share: number) => void) | undefined;
}

/** Options without buffers, which belong to one instance of the module. */
export type WithoutBuffers<Value> = Value extends PosencBuffer
  ? never
  : Value extends ArrayBufferView | ((...values: never[]) => unknown)
    ? Value
    : Value extends object
      ? { [Key in keyof Value]: WithoutBuffers<Value[Key]> }
      : Value;

/** A result where every array or buffer is a new array. */
export type InArrays<Value> = PosencBuffer extends Value
  ? Float32Array
  : Value extends ArrayBufferView
    ? Value
    : Value extends object
      ? { [Key in keyof Value]: InArrays<Value[Key]> }
      : Value;

/** The functions of `Encodings` as promises, computed by workers. */
export type AsyncEncodings = {
  [Name in FunctionName]: (
    options: WithoutBuffers<Parameters<Encodings[Name]>[0]> & PoolCallOptions,
  ) => Promise<InArrays<ReturnType<Encodings[Name]>>>;
} & {
  readonly variant: Encodings['variant'];
  /** How many workers compute: fewer for a while where one is replaced, none where none can be started. */
  readonly workers: number;
  /** Stops the workers, and resolves when they have ended. Calls that wait or run reject with `disposed`. */
  dispose(): Promise<void>;
};

/** More would exhaust the address space of a process, which nothing can catch. */
const MOST_WORKERS = 256;

/**
 * Loads the module into workers, for long work and for pages that must stay responsive. It needs no isolation headers: data
 * is copied to the workers and moved back. The queries of `attention` are split over the workers; another call goes to one
 * of them; a call that takes less than about 50 µs is made at once in this thread.
 *
 * Arrays are copied when a worker takes its part, so leave them as they are until the promise settles. `out` is written
 * when the whole result is there, and left alone if the call fails. Buffers and caches belong to `load`: a pool has none.
 *
 * Rejects like `load`, and with `load-failed` where a worker cannot start. A call rejects with what the function throws,
 * and with `worker-failed` if its worker dies, which is then replaced, or if none can be started. The next call tries again.
 */
export async function loadPool(options: LoadPoolOptions = {}): Promise<AsyncEncodings> {
  const given = requireOptions(options, { workers: true, variant: true, wasm: true });
  const threads = await import('./start.js');
  const { workers = Math.min(threads.parallelism(), MOST_WORKERS), ...loading } = given;
  const count = requireInteger(workers, 'workers', 1, MOST_WORKERS);
  const module = await compileFor(loading);
  const here = await load({ ...loading, wasm: module });
  const crew = await Crew.start(threads.startThread, count, module, here.variant);
  const functions = Object.keys(here).filter(
    (name): name is FunctionName => name !== 'variant' && name !== 'buffer' && name !== 'kvCache',
  );
  return {
    variant: here.variant,
    get workers() {
      return crew.size;
    },
    dispose: () => crew.dispose(),
    ...Object.fromEntries(
      functions.map((name) => [name, (call: object & PoolCallOptions) => callInPool(crew, here, name, call)]),
    ),
  } as AsyncEncodings;
}

/** Calls of fewer elementary steps take less than 50 µs; the way to a worker takes longer. */
const SMALL = 2 ** 15;

async function callInPool(
  crew: Crew,
  here: Encodings,
  name: FunctionName,
  call: PoolCallOptions & Sizing & { out?: unknown },
): Promise<unknown> {
  if (typeof call !== 'object' || call === null) throw badArgument('options', OBJECT, call);
  const { signal, onProgress, ...options } = call;
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw badArgument('signal', { kind: 'type', types: ['AbortSignal'] }, signal);
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw badArgument('onProgress', { kind: 'type', types: ['function'] }, onProgress);
  }
  crew.requireLive();
  signal?.throwIfAborted();
  requireNoBuffer(options);
  if (options.out !== undefined && (typeof options.out !== 'object' || options.out === null)) {
    throw badArgument('out', { kind: 'type', types: ['array', 'object of arrays'] }, options.out);
  }
  const callHere = (): unknown => (here[name] as (options: object) => unknown)(options);
  if (stepsOf(name, options) < SMALL) return callHere();
  const { out, ...rest } = options;
  const parted = name === 'attention' && attentionJob(options as AttentionOptions, scoreTerms(), crew.count);
  const job = parted || wholeJob(rest);
  try {
    await run(crew, name, job, signal, onProgress);
  } catch (error) {
    // What cannot travel is an argument of another kind than any function takes, which the function itself can tell.
    if (error instanceof DOMException && error.name === 'DataCloneError') return callHere();
    throw error;
  }
  return out === undefined ? job.result() : deliver(job.result(), out);
}

let jobs = 0;

/** Has the workers make the parts of a job. Fails, and drops the other parts, as soon as one fails. */
function run(
  crew: Crew,
  name: FunctionName,
  { shared, parts }: Job,
  signal: AbortSignal | undefined,
  onProgress: PoolCallOptions['onProgress'],
): Promise<void> {
  const key = ++jobs;
  const settled = new AbortController();
  return new Promise<void>((resolve, reject) => {
    const fail = (reason: unknown): void => {
      crew.cancel(tasks);
      reject(reason);
    };
    let done = 0;
    const tasks: Task[] = parts.map(({ options, take }) => ({
      name,
      ...(shared === undefined ? {} : { shared: { key, options: shared } }),
      options,
      resolve(result) {
        try {
          take(result);
          done += 1;
          if (shared !== undefined) onProgress?.(done / parts.length);
          if (done === parts.length) resolve();
        } catch (error) {
          fail(error);
        }
      },
      reject: fail,
    }));
    // A signal may outlive many calls: it must not hold on to what they computed.
    signal?.addEventListener('abort', () => fail(signal.reason), { signal: settled.signal });
    crew.add(tasks);
  }).finally(() => {
    settled.abort();
    crew.forget(key);
  });
}

/** About how many elementary steps a call takes: the product of its sizes, and of the lengths of its lists. */
function stepsOf(name: FunctionName, options: Sizing): number {
  let steps = MORE_STEPS[name]?.(options) ?? 1;
  for (const [option, value] of Object.entries(options)) {
    if (SIZES.has(option)) steps *= count(value);
    else if (LISTS.has(option)) steps *= count((value as { length?: unknown } | null | undefined)?.length);
  }
  return steps;
}

/** What an option says of the length of a call, which does not hang on one that is no number. */
function count(value: unknown): number {
  return typeof value === 'number' && value > 1 ? value : 1;
}

/** Options that say how much there is to do, before they are checked. */
interface Sizing {
  readonly rows?: unknown;
  readonly length?: unknown;
  readonly from?: unknown;
  readonly to?: unknown;
  readonly edges?: ArrayLike<unknown> | null;
}

/** What no single option tells: pairs of rows, and distances of a range. */
const MORE_STEPS: Partial<Record<FunctionName, (options: Sizing) => number>> = {
  similarity: ({ rows }) => count(rows),
  decompose: ({ length }) => count(length),
  findAliases: ({ from, to }) => count(to) - count(from) + 1,
  kernelEnvelope: ({ edges }) => count(edges?.[edges.length - 1]) - count(edges?.[0]) + 1,
};

const SIZES = new Set([
  'batch',
  'length',
  'dim',
  'heads',
  'headDim',
  'queryLength',
  'keyLength',
  'rows',
  'columns',
  'maxLength',
]);
const LISTS = new Set(['invFreq', 'distances', 'shifts', 'positions', 'relative', 'delta']);

function requireNoBuffer(options: object): void {
  for (const [name, value] of Object.entries(options)) {
    if (HeapBuffer.is(value)) throw badState(name, { kind: 'no-buffer' }, { kind: 'buffer' });
  }
}

/** Copies a result into the arrays of the caller, all of it or nothing, and puts them in its place. */
function deliver(result: unknown, out: unknown): unknown {
  if (ArrayBuffer.isView(result)) {
    requireLike(result as Values, out, 'out');
    out.set(result as Values);
    return out;
  }
  const parts = Object.entries(out as Readonly<Record<string, unknown>>).filter(([, target]) => target !== undefined);
  const values = result as Readonly<Record<string, Values>>;
  for (const [name, target] of parts) requireLike(values[name] as Values, target, `out.${name}`);
  for (const [name, target] of parts) (target as Values).set(values[name] as Values);
  return { ...values, ...Object.fromEntries(parts) };
}

type Values = Float32Array | Float64Array | Int32Array;

function requireLike(values: Values, out: unknown, argument: string): asserts out is Values {
  if (!ArrayBuffer.isView(out) || out.constructor !== values.constructor) {
    throw badArgument(argument, { kind: 'type', types: [values.constructor.name] }, out);
  }
  requireLength(out as Values, argument, { elements: values.length });
}
