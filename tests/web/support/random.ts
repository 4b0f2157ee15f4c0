/** Numbers from 0 to 1, the same ones for the same seed: a linear congruence modulo 2^32 (Knuth's constants). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
