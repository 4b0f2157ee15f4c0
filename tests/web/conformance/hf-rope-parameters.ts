import { parseHfConfig, ropeFrequencies, type RopeParams } from 'posenc';
import { numbers, shape } from '../support/data.ts';
import type { ScalingConfig } from '../support/rope-config.ts';
import { expectOutput, type Run, type Suites } from './case.ts';

interface Configuration {
  rope_parameters: ScalingConfig & { rope_theta: number; partial_rotary_factor?: number };
  hidden_size: number;
  num_attention_heads: number;
  head_dim?: number;
  max_position_embeddings: number;
  original_max_position_embeddings?: number;
  seq_len?: number | null;
  previous_calls_max_position?: number[];
}

/** The rotary parameters of a configuration. */
function translate(config: Configuration): RopeParams {
  return parseHfConfig(config).layers[0]!.params;
}

const inverseFrequencies: Run<Configuration> = (_, entry) => {
  const { outputs, params } = entry;
  // A length of 0 is theirs for no length.
  const { invFreq, attentionFactor } = ropeFrequencies(
    translate(params),
    params.seq_len ? { seqLen: params.seq_len } : {},
  );
  expectOutput(invFreq, entry, outputs.inv_freq);
  expectOutput([attentionFactor], entry, outputs.attention_factor);
};

const cosSin: Run<Configuration> = (encodings, entry) => {
  const { inputs, outputs } = entry;
  const params = translate(entry.params);
  for (const last of entry.params.previous_calls_max_position ?? []) {
    encodings.ropeTable({ params, length: last + 1, seqLen: last + 1 });
  }
  const positions = numbers(inputs.position_ids);
  const table = encodings.ropeTable({ params, positions, seqLen: Math.max(...positions) + 1 });
  for (const part of ['cos', 'sin'] as const) {
    const [rows, columns] = shape(outputs[part]) as [number, number];
    // They write the columns twice.
    const pairs = columns / 2;
    const twice = Float64Array.from(
      { length: rows * columns },
      (_, i) => table[part][Math.floor(i / columns) * pairs + ((i % columns) % pairs)] as number,
    );
    expectOutput(twice, entry, outputs[part]);
  }
};

export const hfRopeParameters: Suites = {
  hf_rope_parameters: { RopeInvFreq: inverseFrequencies, RopeCosSin: cosSin },
};
