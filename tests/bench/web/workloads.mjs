// What is measured: each workload with its contenders. A contender is a function that computes once and returns the result.
import { ropeFrequencies, sinusoidalFrequencies } from 'posenc';
import { onnxModel } from './onnx.mjs';
import * as tuned from './tuned.mjs';

// A workload has
//   name
//   ours(posenc)          makes the call of one engine
//   base(posenc)          makes what it is compared with: plain JavaScript, or our own call without the feature
//   bound                 how far the results of the two may be apart; undefined where they are not meant to agree
//   ort(session, posenc)  makes the same in ONNX Runtime, where it can: session(model, feeds) gives run(output)
//   ortBound              how far its result may be from ours, since its angles are float32
//   needs                 what no way to do it can do without, as limits.cpp does it: floats to write, rewrite or read, and
//                         products to add up (multiplyAdd32, multiplyAdd64)
//   wllama(prompt)        reads a prompt of this length in wllama: prompt({ width, length }) gives { run, dispose }

/** The workloads against plain JavaScript; small ones only show that everything runs. */
export function workloads({ small }) {
  const size = (length) => (small ? Math.max(1, length / 16) : length);
  return [
    sinusoidal(size(512), 512),
    sinusoidal(size(4096), 1024),
    sinusoidal(size(8192), 4096),
    ropeTable(size(131072), 64),
    rope(1, 'half'),
    rope(size(512), 'half'),
    rope(size(512), 'interleaved'),
    rope(size(4096), 'half'),
    rope(size(4096), 'interleaved'),
    rope(size(4096), 'half', 'bhsd'),
    attention({ heads: 8, kvHeads: 8, length: size(512), headDim: 64 }),
    attention({ heads: 32, kvHeads: 8, length: size(2048), headDim: 128 }),
    attention({ heads: 1, kvHeads: 1, length: size(8192), headDim: 64 }),
    decode(size(4096)),
    decode(size(32768)),
    similarity(size(512), 512),
    envelope(size(160_000), 312),
  ];
}

/** Attention with a fused bias beside the same call without it. */
export function biases({ small }) {
  const length = small ? 64 : 1024;
  return [bias('ALiBi', length, alibi), bias('T5', length, t5)];
}

function sinusoidal(length, dim) {
  const frequencies = sinusoidalFrequencies({ dim });
  return {
    name: `sinusoidal ${length} × ${dim}`,
    needs: { write: length * dim, multiplyAdd64: turned(length * (dim / 2)) },
    bound: 1e-7,
    ortBound: length * 2 ** -23,
    ours(posenc) {
      const out = posenc.buffer(length * dim);
      return () => posenc.sinusoidal({ length, dim, out });
    },
    base() {
      const out = new Float32Array(length * dim);
      return () => tuned.sinusoidal(out, length, frequencies);
    },
    async ort(session) {
      const pairs = dim / 2;
      const run = await session(
        onnxModel({
          nodes: [
            { op: 'Mul', inputs: ['positions', 'frequencies'], outputs: ['angles'] },
            { op: 'Sin', inputs: ['angles'], outputs: ['sin'] },
            { op: 'Cos', inputs: ['angles'], outputs: ['cos'] },
            { op: 'Concat', inputs: ['sin', 'cos'], outputs: ['table'], attributes: { axis: 2 } },
          ],
          inputs: { positions: [length, 1, 1] },
          constants: { frequencies: { shape: [1, pairs, 1], values: Float32Array.from(frequencies) } },
          outputs: { table: [length, pairs, 2] }, // sine and cosine side by side
        }),
        { positions: { shape: [length, 1, 1], values: Float32Array.from({ length }, (_, p) => p) } },
      );
      return () => run('table');
    },
  };
}

function ropeTable(length, pairs) {
  const params = { headDim: 2 * pairs };
  const { invFreq } = ropeFrequencies(params);
  return {
    name: `RoPE table ${length} × ${pairs}`,
    needs: { write: 2 * length * pairs, multiplyAdd64: turned(length * pairs) },
    bound: 1e-7,
    ortBound: length * 2 ** -23,
    ours(posenc) {
      const out = { cos: posenc.buffer(length * pairs), sin: posenc.buffer(length * pairs) };
      return () => posenc.ropeTable({ params, length, out }).cos;
    },
    base() {
      const out = { cos: new Float32Array(length * pairs), sin: new Float32Array(length * pairs) };
      return () => tuned.ropeTable(out, length, invFreq);
    },
    async ort(session) {
      const run = await session(
        onnxModel({
          nodes: [
            { op: 'Mul', inputs: ['positions', 'frequencies'], outputs: ['angles'] },
            { op: 'Sin', inputs: ['angles'], outputs: ['sin'] },
            { op: 'Cos', inputs: ['angles'], outputs: ['cos'] },
          ],
          inputs: { positions: [length, 1] },
          constants: { frequencies: { shape: [1, pairs], values: Float32Array.from(invFreq) } },
          outputs: { sin: [length, pairs], cos: [length, pairs] },
        }),
        { positions: { shape: [length, 1], values: Float32Array.from({ length }, (_, p) => p) } },
      );
      return () => run('cos');
    },
  };
}

/** In place, as a model turns its queries and keys; ONNX Runtime cannot, and makes a new tensor. */
function rope(length, pairing, format = 'bshd') {
  const [heads, headDim, rows] = [32, 128, 4096];
  const params = { headDim, pairing };
  const x = randomFloats(length * heads * headDim);
  const start = length === 1 ? 1000 : 0;
  const tableOf = (posenc) => ({ ...posenc.ropeTable({ params, length: rows }), rows });
  return {
    name: `RoPE ${heads} × ${headDim}, L = ${length}, ${pairing}${format === 'bhsd' ? ', [H, L, D]' : ''}`,
    needs: { rewrite: x.length, multiplyAdd32: turned(x.length / 2) },
    bound: 1e-6,
    ortBound: 1e-5,
    ours(posenc) {
      const { cos, sin } = tableOf(posenc);
      const table = { cos: held(posenc, cos), sin: held(posenc, sin), rows };
      const sizes = { length, heads, headDim, format, start };
      const tensor = held(posenc, x);
      const call = { x: tensor, params, table, ...sizes, out: tensor };
      return () => posenc.rope(call);
    },
    base(posenc) {
      const table = tableOf(posenc);
      const tensor = x.slice();
      return () => tuned.rope(tensor, tensor, table, { length, heads, headDim, pairing, format }, start);
    },
    async ort(session, posenc) {
      const { cos, sin } = tableOf(posenc);
      const shape = format === 'bshd' ? [1, length, heads * headDim] : [1, heads, length, headDim];
      const cache = [rows, headDim / 2];
      const run = await session(
        onnxModel({
          nodes: [
            {
              op: 'RotaryEmbedding',
              inputs: ['x', 'cos', 'sin', 'int_positions'],
              outputs: ['y'],
              attributes: { num_heads: heads, interleaved: pairing === 'half' ? 0 : 1 },
            },
          ],
          inputs: { x: shape, int_positions: [1, length] },
          constants: { cos: { shape: cache, values: cos }, sin: { shape: cache, values: sin } },
          outputs: { y: shape },
        }),
        {
          x: { shape, values: x },
          int_positions: { shape: [1, length], values: BigInt64Array.from({ length }, (_, p) => BigInt(start + p)) },
        },
      );
      return () => run('y');
    },
  };
}

/** Causal, with RoPE inside. */
function attention({ heads, kvHeads, length, headDim }) {
  const params = { headDim };
  const query = randomFloats(length * heads * headDim);
  const [key, value] = [0, 1].map(() => randomFloats(length * kvHeads * headDim));
  const sizes = { heads, kvHeads, queryLength: length, keyLength: length, headDim };
  const tableOf = (posenc) => ({ ...posenc.ropeTable({ params, length }), rows: length });
  return {
    name: `attention ${heads} head${heads > 1 ? 's' : ''}${kvHeads < heads ? `, ${kvHeads} kv` : ''}, L = ${length}, D = ${headDim}`,
    needs: { multiplyAdd32: heads * headDim * length * (length + 1) },
    bound: 1e-5,
    ...(heads === 1 && { wllama: (prompt) => prompt({ width: headDim, length }) }),
    ours(posenc) {
      const [q, k, v] = [query, key, value].map((values) => held(posenc, values));
      const out = posenc.buffer(query.length);
      return () => posenc.attention({ query: q, key: k, value: v, ...sizes, causal: true, rope: params, out });
    },
    base(posenc) {
      const table = tableOf(posenc);
      const out = new Float32Array(query.length);
      const [q, k] = [new Float32Array(query.length), new Float32Array(key.length)];
      return () => {
        tuned.rope(query, q, table, { length, heads, headDim, pairing: 'half' }, 0);
        tuned.rope(key, k, table, { length, heads: kvHeads, headDim, pairing: 'half' }, 0);
        return tuned.attention(q, k, value, out, sizes);
      };
    },
    async ort(session, posenc) {
      const { cos, sin } = tableOf(posenc);
      const [queries, keys] = [heads, kvHeads].map((count) => [1, length, count * headDim]);
      const cache = [1, length, headDim / 2];
      const turn = (input, output, count) => ({
        op: 'RotaryEmbedding',
        inputs: [input, 'cos', 'sin'],
        outputs: [output],
        attributes: { num_heads: count },
      });
      const run = await session(
        onnxModel({
          nodes: [
            turn('q', 'rq', heads),
            turn('k', 'rk', kvHeads),
            {
              op: 'Attention',
              inputs: ['rq', 'rk', 'v'],
              outputs: ['y'],
              attributes: { is_causal: 1, q_num_heads: heads, kv_num_heads: kvHeads },
            },
          ],
          inputs: { q: queries, k: keys, v: keys },
          constants: { cos: { shape: cache, values: cos }, sin: { shape: cache, values: sin } },
          outputs: { y: queries },
        }),
        { q: { shape: queries, values: query }, k: { shape: keys, values: key }, v: { shape: keys, values: value } },
      );
      return () => run('y');
    },
  };
}

/** One token over a cache of rotated keys. */
function decode(cached) {
  const [heads, kvHeads, headDim] = [32, 8, 128];
  const query = randomFloats(heads * headDim);
  const [key, value] = [0, 1].map(() => randomFloats(cached * kvHeads * headDim));
  const sizes = { heads, kvHeads, queryLength: 1, keyLength: cached, headDim };
  return {
    name: `decode, ${cached} cached, ${heads} heads, ${kvHeads} kv, D = ${headDim}`,
    needs: { read: key.length + value.length, multiplyAdd32: 2 * cached * query.length },
    bound: 1e-5,
    ours(posenc) {
      const cache = posenc.kvCache({ kvHeads, headDim, capacity: cached });
      cache.append({ key, value, length: cached });
      const call = { query: held(posenc, query), heads, length: 1, out: posenc.buffer(query.length) };
      return () => cache.attend(call);
    },
    base() {
      const out = new Float32Array(query.length);
      return () => tuned.attention(query, key, value, out, sizes);
    },
    async ort(session) {
      const [token, tokens] = [
        [1, 1, heads * headDim],
        [1, cached, kvHeads * headDim],
      ];
      const run = await session(
        onnxModel({
          nodes: [
            {
              op: 'Attention',
              inputs: ['q', 'k', 'v'],
              outputs: ['y'],
              attributes: { q_num_heads: heads, kv_num_heads: kvHeads },
            },
          ],
          inputs: { q: token },
          constants: { k: { shape: tokens, values: key }, v: { shape: tokens, values: value } },
          outputs: { y: token },
        }),
        { q: { shape: token, values: query } },
      );
      return () => run('y');
    },
  };
}

function bias(name, length, biasOf) {
  const [heads, headDim] = [8, 64];
  const [query, key, value] = [0, 1, 2].map(() => randomFloats(length * heads * headDim));
  const sizes = { heads, queryLength: length, keyLength: length, headDim, causal: true };
  const call = (posenc, options) => {
    const [q, k, v] = [query, key, value].map((values) => held(posenc, values));
    const out = posenc.buffer(query.length);
    return () => posenc.attention({ query: q, key: k, value: v, ...sizes, ...options, out });
  };
  return {
    name: `attention ${heads} heads, L = ${length}, D = ${headDim}: ${name} bias`,
    ours: (posenc) => call(posenc, { bias: biasOf(posenc, heads) }),
    base: (posenc) => call(posenc, {}),
  };
}

function alibi(posenc, heads) {
  return { alibi: posenc.alibiSlopes({ heads }) };
}

function t5(_, heads) {
  return { t5: { table: randomFloats(32 * heads), bidirectional: false } };
}

function similarity(rows, dim) {
  const table = randomFloats(rows * dim);
  return {
    name: `similarity ${rows} × ${dim}`,
    needs: { multiplyAdd64: (dim * rows * (rows + 1)) / 2 },
    bound: 1e-6,
    ours(posenc) {
      const call = { table: held(posenc, table), rows, dim, out: posenc.buffer(rows * rows) };
      return () => posenc.similarity(call);
    },
    base() {
      const out = new Float32Array(rows * rows);
      return () => tuned.similarity(table, out, rows, dim);
    },
  };
}

function envelope(reach, dim) {
  const invFreq = sinusoidalFrequencies({ dim });
  const edges = Float64Array.from({ length: 101 }, (_, i) => (i * reach) / 100);
  return {
    name: `kernelEnvelope to ${reach}, dim ${dim}`,
    bound: 1e-9,
    ours: (posenc) => () => posenc.kernelEnvelope({ invFreq, edges }).maximum,
    base: () => () => tuned.envelope(invFreq, edges),
  };
}

/** Products that turning so many pairs by an angle each adds up. */
function turned(pairs) {
  return 2 * pairs;
}

/** A buffer with these values. */
function held(posenc, values) {
  const buffer = posenc.buffer(values.length);
  buffer.set(values);
  return buffer;
}

function randomFloats(length) {
  return Float32Array.from({ length }, () => 2 * Math.random() - 1);
}
