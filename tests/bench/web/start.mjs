/**
 * Milliseconds from the import of the package to its first small result, and of the first call of attention and a later
 * one: in a process or page that has not loaded the package before.
 */
export async function start(variant) {
  const before = performance.now();
  const { load } = await import('posenc');
  const encodings = await load({ variant });
  encodings.sinusoidal({ length: 16, dim: 64 });
  const toResult = performance.now() - before;

  const [heads, length, headDim] = [8, 512, 64];
  const [query, key, value, out] = Array.from({ length: 4 }, () => {
    const buffer = encodings.buffer(heads * length * headDim);
    buffer.set(Float32Array.from({ length: buffer.length }, () => 2 * Math.random() - 1));
    return buffer;
  });
  const sizes = { heads, queryLength: length, keyLength: length, headDim, format: 'bhsd', causal: true };
  const times = Array.from({ length: 30 }, () => {
    const start = performance.now();
    encodings.attention({ query, key, value, ...sizes, out });
    return performance.now() - start;
  });
  return { toResult, first: times[0], steady: median(times.slice(10)) };
}

export function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}
