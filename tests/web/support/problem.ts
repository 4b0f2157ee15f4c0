import { randomFloats } from './oracle.ts';

/** Random query, key and value `[heads, length, width]` of these sizes. */
export const problem = (sizes: {
  heads: number;
  kvHeads: number;
  queryLength: number;
  keyLength: number;
  headDim: number;
  valueDim: number;
}) => {
  const { heads, kvHeads, queryLength, keyLength, headDim, valueDim } = sizes;
  return {
    ...sizes,
    query: randomFloats(heads * queryLength * headDim, 1),
    key: randomFloats(kvHeads * keyLength * headDim, 2),
    value: randomFloats(kvHeads * keyLength * valueDim, 3),
    format: 'bhsd' as const,
  };
};

export const small = { heads: 4, kvHeads: 2, queryLength: 5, keyLength: 7, headDim: 6, valueDim: 3 };
