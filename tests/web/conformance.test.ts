import { expect, test } from 'vitest';
import { expectNear } from './support/compare.ts';
import { floats, numbers, readCases, shape, type Stored } from './support/data.ts';
import { describeVariants } from './support/variants.ts';

interface RotaryCase {
  name: string;
  params: { num_heads?: number; rotary_embedding_dim?: number; interleaved?: number };
  inputs: { input: Stored; cos_cache: Stored; sin_cache: Stored; position_ids?: Stored };
  outputs: { output: Stored };
  tolerance: { rtol: number; atol: number };
}
interface XnnpackCase {
  name: string;
  params: { batch_size: number; tokens: number; heads: number; channels: number };
  inputs: { input: Stored; weights: Stored };
  outputs: { output: Stored };
  tolerance: { rtol: number; atol: number };
}
const onnx = readCases<RotaryCase>('../../conformance/onnx_rotary_embedding.json');
const xnnpack = readCases<XnnpackCase>('../../conformance/xnnpack_rope.json');

test('holds all 8 cases of ONNX and both of XNNPACK', () => {
  expect([onnx.length, xnnpack.length]).toEqual([8, 2]);
});

await describeVariants('ONNX RotaryEmbedding', (encodings) => {
  test.each(onnx)('$name', ({ params, inputs, outputs, tolerance }) => {
    const axes = shape(inputs.input);
    // Four axes are [batch, heads, length, headDim]; three hold the heads side by side in the last one.
    const format = axes.length === 4 ? 'bhsd' : 'bshd';
    const batch = axes[0] as number;
    const length = axes.at(format === 'bhsd' ? 2 : 1) as number;
    const heads = format === 'bhsd' ? (axes[1] as number) : (params.num_heads as number);
    const headDim = format === 'bhsd' ? (axes[3] as number) : (axes[2] as number) / heads;
    // Without positions, the caches hold one row per token already.
    const rows = shape(inputs.cos_cache)
      .slice(0, -1)
      .reduce((product, size) => product * size, 1);
    const positions = inputs.position_ids
      ? numbers(inputs.position_ids)
      : Array.from({ length: batch * length }, (_, token) => token);
    const turned = encodings.rope({
      x: floats(inputs.input),
      params: {
        headDim,
        rotaryDim: params.rotary_embedding_dim || headDim,
        pairing: params.interleaved === 1 ? 'interleaved' : 'half',
      },
      table: { cos: floats(inputs.cos_cache), sin: floats(inputs.sin_cache), rows },
      format,
      batch,
      length,
      heads,
      headDim,
      positions,
    });
    expectNear(turned, numbers(outputs.output), { absolute: tolerance.atol, relative: tolerance.rtol });
  });
});

await describeVariants('XNNPACK rope', (encodings) => {
  test.each(xnnpack)('$name', ({ params, inputs, outputs, tolerance }) => {
    const { tokens, channels } = params;
    const weights = floats(inputs.weights);
    const part = (first: number) => weights.filter((_, i) => Math.floor((i % channels) / (channels / 2)) === first);
    const turned = encodings.rope({
      x: floats(inputs.input),
      params: { headDim: channels, pairing: 'half' },
      table: { cos: part(0), sin: part(1), rows: tokens },
      batch: params.batch_size,
      length: tokens,
      heads: params.heads,
      headDim: channels,
    });
    expectNear(turned, numbers(outputs.output), { absolute: tolerance.atol, relative: tolerance.rtol });
  });
});
