import { parseHfConfig, ropeFrequencies, type RopeParams } from 'posenc';
import { describe, expect, test } from 'vitest';
import { expectNear } from './support/compare.ts';
import { numbers, readCases, shape, type Stored } from './support/data.ts';
import type { ScalingConfig } from './support/rope-config.ts';
import { describeVariants } from './support/variants.ts';

interface ConformanceCase {
  name: string;
  op: 'RopeInvFreq' | 'RopeCosSin';
  params: {
    rope_parameters: ScalingConfig & { rope_theta: number; partial_rotary_factor?: number };
    hidden_size: number;
    num_attention_heads: number;
    head_dim?: number;
    max_position_embeddings: number;
    original_max_position_embeddings?: number;
    seq_len?: number | null;
    previous_calls_max_position?: number[];
  };
  inputs: { position_ids?: Stored };
  outputs: { inv_freq?: Stored; attention_factor?: Stored; cos?: Stored; sin?: Stored };
  tolerance: { rtol: number; atol: number };
}
const cases = readCases<ConformanceCase>('../../conformance/hf_rope_parameters.json');
const frequencyCases = cases.filter(({ op }) => op === 'RopeInvFreq');
const tableCases = cases.filter(({ op }) => op === 'RopeCosSin');

test('holds all 38 cases of Hugging Face', () => {
  expect([frequencyCases.length, tableCases.length]).toEqual([31, 7]);
});

function translate({ params }: ConformanceCase): RopeParams {
  return parseHfConfig(params).layers[0]!.params;
}

describe('Hugging Face frequencies', () => {
  test.each(frequencyCases)('$name', (entry) => {
    const { tolerance, outputs, params } = entry;
    // A length of 0 is theirs for no length.
    const { invFreq, attentionFactor } = ropeFrequencies(
      translate(entry),
      params.seq_len ? { seqLen: params.seq_len } : {},
    );
    const bound = { absolute: tolerance.atol, relative: tolerance.rtol };
    expectNear(invFreq, numbers(outputs.inv_freq), bound);
    expectNear([attentionFactor], numbers(outputs.attention_factor), bound);
  });
});

await describeVariants('Hugging Face tables', (encodings) => {
  test.each(tableCases)('$name', (entry) => {
    const params = translate(entry);
    for (const last of entry.params.previous_calls_max_position ?? []) {
      encodings.ropeTable({ params, length: last + 1, seqLen: last + 1 });
    }
    const positions = numbers(entry.inputs.position_ids);
    const table = encodings.ropeTable({ params, positions, seqLen: Math.max(...positions) + 1 });
    const { absolute, relative } = { absolute: entry.tolerance.atol, relative: entry.tolerance.rtol };
    for (const part of ['cos', 'sin'] as const) {
      const [rows, columns] = shape(entry.outputs[part]) as [number, number];
      // They write the columns twice.
      const pairs = columns / 2;
      const twice = Float64Array.from(
        { length: rows * columns },
        (_, i) => table[part][Math.floor(i / columns) * pairs + ((i % columns) % pairs)] as number,
      );
      expectNear(twice, numbers(entry.outputs[part]), { absolute, relative });
    }
  });
});
