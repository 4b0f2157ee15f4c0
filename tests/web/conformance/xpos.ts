import { floats, shape, type Stored } from '../support/data.ts';
import { expectOutput, tensor, type Run, type Suites } from './case.ts';

interface TorchscaleParams {
  head_dim: number;
  length: number;
  offset: number;
  downscale: boolean;
  scale_base: number;
}
const torchscaleXpos: Run<TorchscaleParams> = (encodings, entry) => {
  const { head_dim: headDim, length, offset, downscale, scale_base: scaleBase } = entry.params;
  const { x } = entry.inputs;
  const out = encodings.xpos({
    x: floats(x),
    params: { headDim },
    batch: shape(x)[0] as number,
    ...{ length, heads: 1, headDim, start: offset, downscale, scaleBase },
    center: Math.ceil((length + offset) / 2), // of the longest sequence so far
  });
  expectOutput(out, entry, entry.outputs.out);
};

interface LucidrainsParams {
  dim: number;
  scale_base: number;
  layout: 'BHSD' | 'BSHD';
}
/** Each pair of channels at the square root of a half has the length of its scale afterwards. */
const scale: Run<LucidrainsParams> = (encodings, entry) => {
  const { dim: headDim, scale_base: scaleBase } = entry.params;
  const expected = entry.outputs.scale as Stored;
  const [length] = shape(expected).slice(-2) as [number];
  const turned = encodings.xpos({
    x: new Float32Array(length * headDim).fill(Math.SQRT1_2),
    params: { headDim },
    ...{ length, heads: 1, headDim, scaleBase, center: Math.floor(length / 2) },
  });
  const lengths = turned.map((_, i) => {
    const pair = i - (i % 2);
    return Math.hypot(turned[pair] as number, turned[pair + 1] as number);
  });
  expectOutput(lengths, entry, expected);
};

/** Queries at the end of the keys; each tensor has the center of its own length. */
const lucidrainsXpos: Run<LucidrainsParams> = (encodings, entry) => {
  const { dim: headDim, scale_base: scaleBase, layout } = entry.params;
  const { inputs, outputs } = entry;
  const [q, k] = [tensor(inputs.q, layout), tensor(inputs.k, layout)];
  const scaled = (x: typeof q, start: number, downscale: boolean) => {
    const center = Math.floor(x.length / 2);
    return encodings.xpos({ ...x, params: { headDim }, start, downscale, scaleBase, center });
  };
  expectOutput(scaled(q, k.length - q.length, false), entry, outputs.q);
  expectOutput(scaled(k, 0, true), entry, outputs.k);
  if (outputs.scale !== undefined) scale(encodings, entry);
};

export const xpos: Suites = {
  torchscale: { XPosTorchscale: torchscaleXpos },
  rotary_embedding_torch: { XPos: lucidrainsXpos, XPosCachedKeys: lucidrainsXpos, XPosScale: scale },
  x_transformers: { XPos: lucidrainsXpos },
};
