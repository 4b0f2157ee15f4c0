/** Five queries of two heads, keys and values of one, from a formula that the test knows too. */
export function attentionInput() {
  const wave = (count, step) => Float32Array.from({ length: count }, (_, i) => Math.sin(step * (i + 1)));
  return {
    query: wave(5 * 2 * 8, 0.7),
    key: wave(5 * 8, 1.1),
    value: wave(5 * 8, 1.7),
    heads: 2,
    kvHeads: 1,
    queryLength: 5,
    keyLength: 5,
    headDim: 8,
  };
}
