import { expectAttention } from '../support/compare.ts';
import { numbers, shape } from '../support/data.ts';
import type { Run, Suites } from './case.ts';

/** SpeechT5: which row a query and a key look up, which the scores of unit vectors show. */
const clippedLookup: Run<{ max_length: number; seq_len: number }> = (encodings, { params, inputs, outputs }) => {
  const { max_length: clip, seq_len: length } = params;
  const width = shape(inputs.table)[1] as number;
  const theirs = numbers(inputs.table);
  // Their row is query − key + clip, at most 2 clip − 1; ours is key − query + clip.
  const keyTable = Float32Array.from({ length: (2 * clip + 1) * width }, (_, n) => {
    const row = Math.min(2 * clip - Math.floor(n / width), 2 * clip - 1);
    return theirs[row * width + (n % width)] as number;
  });
  for (let c = 0; c < width; ++c) {
    const scores = encodings.shawAttention({
      query: Float32Array.from({ length: length * width }, (_, n) => (n % width === c ? Math.sqrt(width) : 0)),
      key: new Float32Array(length * width),
      value: new Float32Array(length * width),
      ...{ heads: 1, queryLength: length, keyLength: length, headDim: width, keyTable, clip, returns: 'scores' },
    });
    expectAttention(
      scores,
      numbers(outputs.out).filter((_, n) => n % width === c),
    );
  }
};

export const shaw: Suites = { hf_attention_bias: { ShawClippedLookup: clippedLookup } };
