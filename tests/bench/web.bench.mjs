// Runs the kernels of both variants beside plain JavaScript, in one process and in turns, and prints the ratios.
//
//   npm run bench            every case
//   npm run bench -- rope    the cases whose name contains "rope"
//   npm run bench -- --once  one round of each, to see that they run
//
// The plain functions are what one would write by hand: typed arrays, tables outside of the loops, float64 arithmetic.
// Their results are compared with ours before anything is measured.
import { setFlagsFromString } from 'node:v8';
import { load, ropeFrequencies, sinusoidalFrequencies } from 'posenc';

const options = process.argv.slice(2);
const ROUNDS = options.includes('--once') ? 1 : 15;
const SECONDS_PER_CASE = 6;

// Node 20 holds relaxed SIMD behind a flag.
if (process.versions.node.startsWith('20.')) setFlagsFromString('--experimental-wasm-relaxed-simd');

const engines = [];
for (const variant of ['simd', 'relaxed']) {
  try {
    engines.push(await load({ variant }));
  } catch (error) {
    if (error.code !== 'unsupported') throw error;
    console.log(`${variant}: skipped, this engine refuses it`);
  }
}

const cases = [
  sinusoidalCase(),
  ropeTableCase(),
  ropeCase(),
  decodeCase(),
  attentionCase(),
  similarityCase(),
  kernelCase(),
];
const wanted = options.find((option) => !option.startsWith('-')) ?? '';
const headers = ['case', 'JavaScript', ...engines.flatMap(({ variant }) => [variant, 'ratio'])];
const rows = [];
for (const { name, plain, ours, bound } of cases.filter(({ name }) => name.includes(wanted))) {
  const expected = plain();
  for (const engine of engines) compare(`${name}, ${engine.variant}`, ours(engine)(), expected, bound);
  const times = takeTurns([plain, ...engines.map(ours)]);
  const [base, ...others] = times.map(median);
  rows.push([
    name,
    milliseconds(base),
    ...others.flatMap((time) => [milliseconds(time), `${(base / time).toFixed(1)}×`]),
  ]);
}
const widths = headers.map((header, i) => Math.max(header.length, ...rows.map((row) => row[i].length)));
for (const row of [headers, ...rows]) console.log(row.map((cell, i) => cell.padStart(widths[i])).join('  '));

function sinusoidalCase() {
  const [length, dim] = [2048, 512];
  const frequencies = sinusoidalFrequencies({ dim });
  const out = new Float32Array(length * dim);
  const plain = () => {
    for (let position = 0; position < length; ++position) {
      for (let pair = 0; pair < dim / 2; ++pair) {
        const angle = position * frequencies[pair];
        out[position * dim + 2 * pair] = Math.sin(angle);
        out[position * dim + 2 * pair + 1] = Math.cos(angle);
      }
    }
    return out;
  };
  const ours = (engine) => {
    const target = new Float32Array(length * dim);
    return () => engine.sinusoidal({ length, dim, out: target });
  };
  return { name: `sinusoidal ${length} × ${dim}`, plain, ours, bound: 1e-7 };
}

function ropeTableCase() {
  const [length, params] = [4096, { headDim: 128, base: 500000 }];
  const { invFreq } = ropeFrequencies(params);
  const pairs = invFreq.length;
  const [cos, sin] = [new Float32Array(length * pairs), new Float32Array(length * pairs)];
  const plain = () => {
    for (let position = 0; position < length; ++position) {
      for (let pair = 0; pair < pairs; ++pair) {
        cos[position * pairs + pair] = Math.cos(position * invFreq[pair]);
        sin[position * pairs + pair] = Math.sin(position * invFreq[pair]);
      }
    }
    return cos;
  };
  const ours = (engine) => {
    const out = { cos: new Float32Array(cos.length), sin: new Float32Array(sin.length) };
    return () => engine.ropeTable({ params, length, out }).cos;
  };
  return { name: `ropeTable ${length} × ${pairs}`, plain, ours, bound: 1e-7 };
}

/** Rotates with a table, half pairing. */
function rotatePlain(x, out, { cos, sin }, { length, heads, headDim }, start) {
  const pairs = headDim / 2;
  for (let token = 0; token < length; ++token) {
    const row = (start + token) * pairs;
    for (let head = 0; head < heads; ++head) {
      const at = (token * heads + head) * headDim;
      for (let pair = 0; pair < pairs; ++pair) {
        const [i, j] = [at + pair, at + pair + pairs];
        out[i] = x[i] * cos[row + pair] - x[j] * sin[row + pair];
        out[j] = x[i] * sin[row + pair] + x[j] * cos[row + pair];
      }
    }
  }
  return out;
}

function ropeCase() {
  const shape = { length: 1024, heads: 32, headDim: 128 };
  const params = { headDim: shape.headDim, base: 500000 };
  const x = randomFloats(shape.length * shape.heads * shape.headDim);
  const table = { ...engines[0].ropeTable({ params, length: shape.length }), rows: shape.length };
  const out = new Float32Array(x.length);
  const ours = (engine) => {
    const [from, to] = [hold(engine, x), engine.buffer(x.length)];
    const [cos, sin] = [hold(engine, table.cos), hold(engine, table.sin)];
    return () => engine.rope({ x: from, params, table: { cos, sin, rows: table.rows }, ...shape, out: to });
  };
  return { name: 'rope 1024 × 32 × 128', plain: () => rotatePlain(x, out, table, shape, 0), ours, bound: 1e-6 };
}

function decodeCase() {
  const shape = { length: 1, heads: 32, headDim: 128 };
  const params = { headDim: shape.headDim, base: 500000 };
  const x = randomFloats(shape.heads * shape.headDim);
  const table = { ...engines[0].ropeTable({ params, length: 4096 }), rows: 4096 };
  const out = new Float32Array(x.length);
  const steps = 100;
  const plain = () => {
    for (let step = 0; step < steps; ++step) rotatePlain(x, out, table, shape, step);
    return out;
  };
  const ours = (engine) => {
    const [from, to] = [hold(engine, x), engine.buffer(x.length)];
    const held = { cos: hold(engine, table.cos), sin: hold(engine, table.sin), rows: table.rows };
    return () => {
      for (let step = 0; step < steps; ++step)
        engine.rope({ x: from, params, table: held, ...shape, start: step, out: to });
      return to;
    };
  };
  return { name: 'rope 1 × 32 × 128, 100 tokens one by one', plain, ours, bound: 1e-6 };
}

function attentionCase() {
  const [heads, length, headDim] = [8, 512, 64];
  const [query, key, value] = [1, 2, 3].map(() => randomFloats(heads * length * headDim));
  const scale = 1 / Math.sqrt(headDim);
  const plain = () => {
    const out = new Float32Array(heads * length * headDim);
    const scores = new Float64Array(length);
    for (let head = 0; head < heads; ++head) {
      for (let i = 0; i < length; ++i) {
        const q = (head * length + i) * headDim;
        let greatest = -Infinity;
        for (let j = 0; j <= i; ++j) {
          const k = (head * length + j) * headDim;
          let dot = 0;
          for (let c = 0; c < headDim; ++c) dot += query[q + c] * key[k + c];
          scores[j] = dot * scale;
          greatest = Math.max(greatest, scores[j]);
        }
        let sum = 0;
        for (let j = 0; j <= i; ++j) {
          scores[j] = Math.exp(scores[j] - greatest);
          sum += scores[j];
        }
        for (let j = 0; j <= i; ++j) {
          const v = (head * length + j) * headDim;
          const weight = scores[j] / sum;
          for (let c = 0; c < headDim; ++c) out[q + c] += weight * value[v + c];
        }
      }
    }
    return out;
  };
  const sizes = { heads, queryLength: length, keyLength: length, headDim, format: 'bhsd', causal: true };
  const ours = (engine) => {
    const [q, k, v] = [query, key, value].map((values) => hold(engine, values));
    const out = engine.buffer(query.length);
    return () => engine.attention({ query: q, key: k, value: v, ...sizes, out });
  };
  return { name: 'attention 8 × 512 × 64, causal', plain, ours, bound: 5e-6 };
}

function similarityCase() {
  const [rows, dim] = [512, 512];
  const table = randomFloats(rows * dim);
  const plain = () => {
    const out = new Float32Array(rows * rows);
    const norms = new Float64Array(rows);
    for (let i = 0; i < rows; ++i) {
      for (let j = 0; j <= i; ++j) {
        let dot = 0;
        for (let c = 0; c < dim; ++c) dot += table[i * dim + c] * table[j * dim + c];
        if (i === j) norms[i] = Math.sqrt(dot);
        out[i * rows + j] = out[j * rows + i] = dot;
      }
    }
    for (let i = 0; i < rows; ++i) for (let j = 0; j < rows; ++j) out[i * rows + j] /= norms[i] * norms[j];
    return out;
  };
  const ours = (engine) => {
    const [held, out] = [hold(engine, table), engine.buffer(rows * rows)];
    return () => engine.similarity({ table: held, rows, dim, out });
  };
  return { name: `similarity ${rows} × ${dim}`, plain, ours, bound: 1e-6 };
}

function kernelCase() {
  const invFreq = sinusoidalFrequencies({ dim: 312 });
  const edges = Float64Array.from({ length: 101 }, (_, i) => i * 1000);
  const plain = () =>
    Float64Array.from({ length: edges.length - 1 }, (_, range) => {
      let most = -Infinity;
      for (let distance = edges[range]; distance < edges[range + 1]; ++distance) {
        let sum = 0;
        for (let pair = 0; pair < invFreq.length; ++pair) sum += Math.cos(distance * invFreq[pair]);
        most = Math.max(most, sum / invFreq.length);
      }
      return most;
    });
  const ours = (engine) => () => engine.kernelEnvelope({ invFreq, edges }).maximum;
  return { name: 'kernelEnvelope to 100 000, dim 312', plain, ours, bound: 1e-9 };
}

/** A buffer of the engine that holds the values. */
function hold(engine, values) {
  const buffer = engine.buffer(values.length);
  buffer.set(values);
  return buffer;
}

function randomFloats(length) {
  return Float32Array.from({ length }, () => 2 * Math.random() - 1);
}

function compare(name, result, expected, bound) {
  const values = ArrayBuffer.isView(result) ? result : result.view();
  if (values.length !== expected.length) throw new Error(`${name}: ${values.length} values, not ${expected.length}`);
  for (let i = 0; i < values.length; ++i) {
    if (!(Math.abs(values[i] - expected[i]) <= bound)) {
      throw new Error(`${name}: element ${i} is ${values[i]}, plain JavaScript has ${expected[i]}`);
    }
  }
}

/** Seconds of every round of every function: one round of each in turn, so that all of them meet the same machine. */
function takeTurns(functions) {
  const times = functions.map(() => []);
  const start = performance.now();
  for (let round = 0; round < ROUNDS && performance.now() - start < SECONDS_PER_CASE * 1000; ++round) {
    functions.forEach((run, i) => {
      const before = performance.now();
      run();
      times[i].push((performance.now() - before) / 1000);
    });
  }
  return times;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

function milliseconds(seconds) {
  return `${(seconds * 1000).toFixed(2)} ms`;
}
