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
 * Measures one workload. Returns by name what each contender took, { seconds, runs }: the median, and how many times it
 * was taken. Contenders are `base`, `ort` where there is one (infinite where it fails), `wllama` likewise, the variants of
 * ours, and `limit`, the slowest of what the workload cannot do without.
 */
export async function measure(
  { name, ours, base, bound, ort, ortBound = bound, wllama, needs = {} },
  { posencs, session, prompt, limits, once },
) {
  const held = []; // to be freed
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
  if (wllama && prompt) {
    const reader = await wllama(prompt);
    held.push(reader);
    contenders.wllama = reader.run;
  }
  for (const posenc of tracked) contenders[posenc.variant] = ours(posenc);

  let expected;
  const turns = [];
  const taken = {};
  for (const [contender, run] of Object.entries(contenders)) {
    const before = performance.now();
    let result;
    try {
      result = await run();
    } catch (error) {
      // ONNX Runtime refuses sizes that overflow its own arithmetic.
      if (contender !== 'ort') throw error;
      taken.ort = { seconds: Infinity, runs: 0 };
      continue;
    }
    turns.push({ contender, run, first: (performance.now() - before) / 1000 });
    // wllama gives no numbers of attention.
    if (bound === undefined || contender === 'wllama') continue;
    const values = valuesOf(result);
    expected ??= values.slice();
    compare(`${name}, ${contender}`, values, expected, contender === 'ort' ? ortBound : bound);
  }
  const least = limits ? leastOf(needs, limits) : {};
  for (const [need, run] of Object.entries(least)) turns.push({ contender: need, run, first: await time(run, 1) });
  Object.assign(taken, await takeTurns(turns, once));
  for (const thing of held) await thing.dispose();
  for (const need of Object.keys(least)) {
    if (!(taken.limit?.seconds >= taken[need].seconds)) taken.limit = taken[need];
    delete taken[need];
  }
  return taken;
}

const PAGE = 65536;
/** A call of a kernel counts no further than 2^32. */
const MOST_PRODUCTS = 2 ** 30;

/** Runs of limits.cpp by the name of what they do. */
function leastOf(needs, limits) {
  const { memory, ...kernels } = new WebAssembly.Instance(limits).exports;
  const { multiplyAdd32, multiplyAdd64, ...floats } = needs;
  const bytes = 4 * Math.max(0, ...Object.values(floats));
  const at = PAGE * memory.grow(Math.ceil(bytes / PAGE));
  const runs = {};
  for (const [name, count] of Object.entries(floats)) runs[name] = () => kernels[name](at, count);
  for (const [name, count] of Object.entries({ multiplyAdd32, multiplyAdd64 })) {
    if (count === undefined) continue;
    runs[name] = () => {
      for (let left = count; left > 0; left -= MOST_PRODUCTS) kernels[name](Math.min(left, MOST_PRODUCTS));
    };
  }
  return runs;
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
const WARM_SECONDS = 0.1; // of the last run before the first round
const SECONDS = 2; // of a contender in a workload
const ROUNDS = 15;

/**
 * Round by round, each contender as long as it has seconds left. Where they do not last for a second run, the run that was
 * compared is the one that counts: it took so long that what it began with, before its code was compiled, is lost in it.
 */
async function takeTurns(turns, once) {
  const contestants = turns.map((turn) => ({ ...turn, repeats: 1, times: [], left: SECONDS - turn.first }));
  for (const contestant of contestants) {
    const { first, run, times } = contestant;
    if (once || first >= SECONDS) times.push(first);
    else if (first < LEAST_SECONDS) contestant.repeats = Math.ceil(LEAST_SECONDS / (await warmedUp(run)));
  }
  for (let round = 0; round < (once ? 0 : ROUNDS); ++round) {
    for (const contestant of contestants) {
      if (contestant.left <= 0) continue;
      const seconds = await time(contestant.run, contestant.repeats);
      contestant.times.push(seconds / contestant.repeats);
      contestant.left -= seconds;
    }
  }
  return Object.fromEntries(
    contestants.map(({ contender, times }) => [contender, { seconds: median(times), runs: times.length }]),
  );
}

/** The seconds of a short run once its code is compiled for good: runs double until they take WARM_SECONDS. */
async function warmedUp(run) {
  for (let repeats = 1; ; repeats *= 2) {
    const seconds = await time(run, repeats);
    if (seconds >= WARM_SECONDS) return seconds / repeats;
  }
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
