import { load, loadPool } from './index.js';
import { attentionInput } from './module-input.js';

/** Some numbers of every kind that the module computes, from one variant. Runs in a page or a worker. */
export async function compute(variant) {
  const encodings = await load({ variant });
  const { query, key, value, ...shape } = attentionInput();
  const params = { headDim: 8, rotaryDim: 8, base: 10_000, pairing: 'half' };
  const halves = new Float16Array(query);
  const frequencies = Float64Array.from({ length: 4 }, (_, i) => 10_000 ** (-i / 4));
  return {
    variant: encodings.variant,
    sinusoidal: [...encodings.sinusoidal({ length: 3, dim: 8, start: 999_999 })],
    rope: [...encodings.rope({ x: query, params, length: 5, heads: 2, headDim: 8 })],
    halves: [...halves],
    ropeOfHalves: [...encodings.rope({ x: halves, params, length: 5, heads: 2, headDim: 8 })],
    attention: [...encodings.attention({ query, key, value, ...shape, causal: true })],
    kernel: [...encodings.distanceKernel({ invFreq: frequencies, distances: [0, 1, 169_646] })],
  };
}

/** The error that a file cut in half leads to. */
export async function errorOfTruncated(variant) {
  const bytes = await (await fetch(new URL(`./wasm/${variant}.wasm`, import.meta.url))).arrayBuffer();
  const error = await load({ variant, wasm: bytes.slice(0, bytes.byteLength / 2) }).catch((reason) => reason);
  return { name: error.name, code: error.code, argument: error.argument };
}

/** The last rows of a table that a worker of a pool computed, and the error of a search that was abandoned. */
export async function computeInPool(variant) {
  const pool = await loadPool({ variant, workers: 2 });
  const table = await pool.sinusoidal({ length: 100_000, dim: 8 });
  const invFreq = Float64Array.from({ length: 256 }, (_, i) => 10_000 ** (-i / 256));
  const signal = AbortSignal.timeout(50);
  const abandoned = await pool
    .findAliases({ invFreq, from: 1, to: 1e9, above: 0.99, signal })
    .catch(({ name }) => name);
  const after = await pool.sinusoidal({ length: 100_000, dim: 8 });
  await pool.dispose();
  return { table: [...table.slice(-16)], abandoned, after: [...after.slice(-16)] };
}
