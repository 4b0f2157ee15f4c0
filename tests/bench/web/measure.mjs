// Measures workloads: contenders share a process and take turns, round by round; results are compared before.
import { load } from 'posenc';

/** The engines of this machine, by variant. */
export async function engines() {
  const loaded = [];
  for (const variant of ['simd', 'relaxed']) {
    try {
      loaded.push(await load({ variant }));
    } catch (error) {
      if (error.code !== 'unsupported') throw error;
    }
  }
  return loaded;
}

/** What `workloads.mjs` calls `session`, for one thread of ONNX Runtime. */
export function sessions(ort) {
  ort.env.wasm.numThreads = 1;
  return async (model, feeds) => {
    const session = await ort.InferenceSession.create(model, { executionProviders: ['wasm'] });
    const tensors = Object.fromEntries(
      Object.entries(feeds).map(([name, { shape, values }]) => {
        const type = values instanceof BigInt64Array ? 'int64' : 'float32';
        return [name, new ort.Tensor(type, values, shape)];
      }),
    );
    return async (output) => (await session.run(tensors))[output].data;
  };
}

/**
 * Measures one workload. Returns the median seconds of each contender by name: `base`, `ort` where there is one (infinite
 * where it fails), and the variants of ours.
 */
export async function measure({ name, ours, base, bound, ort, ortBound = bound }, { posencs, session, once }) {
  const held = []; // in the memory of an engine
  const track = (make) => (options) => {
    held.push(make(options));
    return held.at(-1);
  };
  const tracked = posencs.map((posenc) => ({
    ...posenc,
    buffer: track(posenc.buffer),
    kvCache: track(posenc.kvCache),
  }));
  const contenders = { base: base(tracked[0]) };
  if (ort && session) contenders.ort = await ort(session, tracked[0]);
  for (const posenc of tracked) contenders[posenc.variant] = ours(posenc);

  const expected = bound === undefined ? undefined : valuesOf(await contenders.base()).slice();
  for (const [contender, run] of Object.entries(contenders)) {
    // ONNX Runtime refuses sizes that overflow its own arithmetic.
    const result = await Promise.resolve(run()).then(valuesOf, (error) =>
      contender === 'ort' ? undefined : fail(error),
    );
    if (result === undefined) {
      delete contenders.ort;
      continue;
    }
    if (expected) compare(`${name}, ${contender}`, result, expected, contender === 'ort' ? ortBound : bound);
  }
  const medians = await takeTurns(contenders, once);
  if (ort && session && !contenders.ort) medians.ort = Infinity;
  for (const memory of held) memory.dispose();
  return medians;
}

function fail(error) {
  throw error;
}

function valuesOf(result) {
  return ArrayBuffer.isView(result) ? result : result.view();
}

function compare(name, values, expected, bound) {
  if (values.length !== expected.length) throw new Error(`${name}: ${values.length} values, not ${expected.length}`);
  for (let i = 0; i < values.length; ++i) {
    if (!(Math.abs(values[i] - expected[i]) <= bound)) {
      throw new Error(`${name}: element ${i} is ${values[i]}, and ${expected[i]} in plain JavaScript`);
    }
  }
}

const LEAST_SECONDS = 0.02; // of a round, since the clock of a browser is coarse
const SECONDS = 5; // of a workload
const ROUNDS = 15;

async function takeTurns(contenders, once) {
  const turns = [];
  for (const [name, run] of Object.entries(contenders)) {
    const seconds = await time(run, 1);
    turns.push({
      name,
      run,
      repeats: once ? 1 : Math.max(1, Math.ceil(LEAST_SECONDS / Math.max(seconds, 1e-7))),
      times: [],
    });
  }
  const start = performance.now();
  for (let round = 0; round < (once ? 1 : ROUNDS) && performance.now() - start < SECONDS * 1000; ++round) {
    for (const { run, repeats, times } of turns) times.push((await time(run, repeats)) / repeats);
  }
  return Object.fromEntries(turns.map(({ name, times }) => [name, median(times)]));
}

async function time(run, repeats) {
  const before = performance.now();
  for (let i = 0; i < repeats; ++i) {
    const result = run();
    if (result instanceof Promise) await result;
  }
  return (performance.now() - before) / 1000;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}
