import { expect } from 'vitest';
import { expectNear } from '../support/compare.ts';
import { numbers, shape } from '../support/data.ts';
import { expectOutput, within, type Run, type Suites } from './case.ts';

const slopes: Run<{ num_heads: number; alibi_bias_max?: number }> = (encodings, entry) => {
  const { num_heads: heads, alibi_bias_max: biasMax = 8 } = entry.params;
  expectOutput(encodings.alibiSlopes({ heads, biasMax }), entry, entry.outputs.slopes);
};

interface BiasParams {
  num_heads: number;
  alibi_bias_max?: number;
  /** llm-foundry: one row of `seq_len` keys, or in full one of each query. */
  seq_len?: number;
  full?: boolean;
  /** x-transformers: `i` queries, `j` keys. */
  i?: number;
  j?: number;
  symmetric?: boolean;
  total_heads?: number;
}
const bias: Run<BiasParams> = (encodings, entry) => {
  const { num_heads: heads, total_heads = heads, seq_len, i, j, full = false, symmetric = full } = entry.params;
  const keyLength = (j ?? seq_len) as number;
  const queryLength = i ?? (full ? keyLength : 1);
  const { alibi_bias_max: biasMax = 8 } = entry.params;
  const found = encodings.alibiBias({ heads, queryLength, keyLength, symmetric, biasMax });
  // Further heads of x-transformers have no bias.
  const without = new Array<number>((total_heads - heads) * queryLength * keyLength).fill(0);
  expectOutput([...found, ...without], entry, entry.outputs.bias);
};

/** MPT keeps the row of the last query for all queries, whose softmax is the same. */
const mptTensor: Run<{ num_heads: number; sequence_length: number }> = (encodings, entry) => {
  const { num_heads: heads, sequence_length: keyLength } = entry.params;
  expectOutput(encodings.alibiBias({ heads, queryLength: 1, keyLength }), entry, entry.outputs.alibi);
};

/** BLOOM counts the tokens of padded sequences, and adds slope × position: the bias of a query at position 0. */
const bloomTensor: Run<{ num_heads: number }> = (encodings, entry) => {
  const heads = entry.params.num_heads;
  const [batch, keyLength] = shape(entry.inputs.attention_mask) as [number, number];
  const mask = numbers(entry.inputs.attention_mask);
  const expected = numbers(entry.outputs.alibi);
  for (let b = 0; b < batch; ++b) {
    let tokens = 0;
    const positions = Array.from(mask.subarray(b * keyLength, (b + 1) * keyLength), (valid) => {
      tokens += valid;
      return valid === 0 ? 0 : tokens - 1;
    });
    const queryStart = positions.indexOf(0);
    const found = encodings.alibiBias({ heads, queryLength: 1, keyLength, queryStart, positions });
    const sequence = expected.subarray(b * heads * keyLength, (b + 1) * heads * keyLength);
    expect(found.length).toBe(sequence.length);
    expectNear(found, sequence, within(entry));
  }
};

export const alibi: Suites = {
  alibi_originals: { AlibiSlopes: slopes, AlibiBias: bias },
  hf_attention_bias: { AlibiSlopes: slopes, AlibiBloomTensor: bloomTensor, AlibiMptTensor: mptTensor },
  x_transformers: { AlibiSlopes: slopes, AlibiBias: bias },
};
