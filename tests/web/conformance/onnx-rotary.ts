import type { Encodings } from 'posenc';
import { expect } from 'vitest';
import { floats, numbers, shape } from '../support/data.ts';
import { expectOutput, type ConformanceCase, type Run, type Suites } from './case.ts';

interface RotaryParams {
  num_heads?: number;
  rotary_embedding_dim?: number;
  interleaved?: 0 | 1;
}

const rotaryOf = ({ interleaved, rotary_embedding_dim }: RotaryParams, headDim: number) => ({
  headDim,
  rotaryDim: rotary_embedding_dim || headDim,
  pairing: interleaved === 1 ? ('interleaved' as const) : ('half' as const),
});

/** Operator of opset 23: the caller's table, one row per position, or one per token of every sequence. */
const rotaryEmbedding: Run<RotaryParams> = (encodings, entry) => {
  const { params, inputs, outputs } = entry;
  const axes = shape(inputs.input);
  // Four axes are [batch, heads, length, headDim]; three hold the heads side by side in the last one.
  const format = axes.length === 4 ? 'bhsd' : 'bshd';
  const batch = axes[0] as number;
  const length = axes.at(format === 'bhsd' ? 2 : 1) as number;
  const heads = format === 'bhsd' ? (axes[1] as number) : (params.num_heads as number);
  const headDim = format === 'bhsd' ? (axes[3] as number) : (axes[2] as number) / heads;
  const rows = shape(inputs.cos_cache)
    .slice(0, -1)
    .reduce((product, size) => product * size, 1);
  const turned = encodings.rope({
    x: floats(inputs.input),
    params: rotaryOf(params, headDim),
    table: { cos: floats(inputs.cos_cache), sin: floats(inputs.sin_cache), rows },
    ...{ format, batch, length, heads, headDim },
    positions: inputs.position_ids ? numbers(inputs.position_ids) : [...Array(batch * length).keys()],
  });
  expectOutput(turned, entry, outputs.output);
};

/** The same before it came to ONNX, in com.microsoft. */
function contribRotation(encodings: Encodings, entry: ConformanceCase<RotaryParams>, out?: Float32Array): Float32Array {
  const { params, inputs } = entry;
  const heads = params.num_heads as number;
  const [batch, length, width] = shape(inputs.input) as [number, number, number];
  const headDim = width / heads;
  const positions = numbers(inputs.position_ids);
  const rows = shape(inputs.cos_cache)[0] as number;
  return encodings.rope({
    x: floats(inputs.input),
    params: rotaryOf(params, headDim),
    table: { cos: floats(inputs.cos_cache), sin: floats(inputs.sin_cache), rows },
    ...{ batch, length, heads, headDim },
    // A single number is where every sequence starts.
    ...(shape(inputs.position_ids).length === 1 ? { start: positions[0] as number } : { positions }),
    ...(out && { out }),
  });
}

const contribRotaryEmbedding: Run<RotaryParams> = (encodings, entry) => {
  if (entry.expect !== 'reject') {
    expectOutput(contribRotation(encodings, entry), entry, entry.outputs.output);
    return;
  }
  const out = new Float32Array(numbers(entry.inputs.input).length).fill(7);
  expect(() => contribRotation(encodings, entry, out), entry.reason).toThrowError(
    expect.objectContaining({ name: 'PosencError' }),
  );
  expect(out).toEqual(new Float32Array(out.length).fill(7));
};

/** XNNPACK: a complex product with weights [re | im], which are no unit vectors. */
const ropeNthc: Run<{ batch_size: number; tokens: number; heads: number; channels: number }> = (encodings, entry) => {
  const { batch_size: batch, tokens, heads, channels } = entry.params;
  const weights = floats(entry.inputs.weights);
  const part = (first: number) => weights.filter((_, i) => Math.floor((i % channels) / (channels / 2)) === first);
  const turned = encodings.rope({
    x: floats(entry.inputs.input),
    params: { headDim: channels, pairing: 'half' },
    table: { cos: part(0), sin: part(1), rows: tokens },
    ...{ batch, length: tokens, heads, headDim: channels },
  });
  expectOutput(turned, entry, entry.outputs.output);
};

export const onnxRotary: Suites = {
  onnx_rotary_embedding: { RotaryEmbedding: rotaryEmbedding },
  onnxruntime_contrib_rotary_embedding: { ContribRotaryEmbedding: contribRotaryEmbedding },
  xnnpack_rope: { XnnRopeNthc: ropeNthc },
};
