/**
 * Stand-in word vectors, [tokens, dim] row-major: standard normal numbers from a seed, so that every reader sees the same.
 * Equal tokens get equal vectors. A token's seed is its first place in the sentence, not its spelling: a sentence of the
 * same pattern in another language gives the same numbers.
 */
export function embed(tokens: readonly string[], dim: number): Float32Array {
  const table = new Float32Array(tokens.length * dim);
  tokens.forEach((token, row) => {
    const normal = normalNumbers(tokens.indexOf(token) + 1);
    for (let c = 0; c < dim; c++) table[row * dim + c] = normal();
  });
  return table;
}

/** Standard normal numbers from a seed: the mulberry32 generator through the Box–Muller transform. */
export function normalNumbers(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b9);
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (((t ^ (t >>> 14)) >>> 0) + 0.5) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}
