import { expect } from 'vitest';
import { floats, numbers } from '../support/data.ts';
import { expectOutput, type Run, type Suites } from './case.ts';

interface Rule {
  bidirectional: boolean;
  num_buckets: number;
  max_distance: number;
}
const ruleOf = ({ bidirectional, num_buckets, max_distance }: Rule) => ({
  bidirectional,
  buckets: num_buckets,
  maxDistance: max_distance,
});

const bucket: Run<Rule> = (encodings, { params, inputs, outputs }) => {
  const found = encodings.t5Buckets({ relative: numbers(inputs.relative_position), ...ruleOf(params) });
  expect(found).toEqual(Int32Array.from(numbers(outputs.bucket)));
};

interface BiasParams extends Rule {
  query_length: number;
  key_length: number;
  num_heads: number;
  query_positions?: number[] | null;
  scale?: number;
}
const bias: Run<BiasParams> = (encodings, entry) => {
  const { params, inputs, outputs } = entry;
  const { num_heads: heads, query_length: queryLength, key_length: keyLength, query_positions, scale = 1 } = params;
  const found = encodings.t5Bias({
    table: floats(inputs.relative_attention_bias),
    ...{ heads, queryLength, keyLength },
    queryStart: query_positions?.[0] ?? 0,
    ...ruleOf(params),
  });
  expectOutput(
    found.map((value) => value * scale),
    entry,
    outputs.bias,
  );
};

export const t5: Suites = {
  hf_attention_bias: { T5RelativePositionBucket: bucket, T5Bias: bias },
  onnxruntime_relative_bias: { T5Bias: bias },
  torchscale: { T5Bias: bias },
  x_transformers: { T5RelativePositionBucket: bucket, T5Bias: bias },
};
