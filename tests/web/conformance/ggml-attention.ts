import type { Encodings } from 'posenc';
import { expect } from 'vitest';
import { floats, numbers, shape } from '../support/data.ts';
import { expectOutput, headsLast, type ConformanceCase, type Run, type Suites } from './case.ts';

interface AttentionParams {
  scale: number;
  /** 0 for a mask that is added as it is. */
  max_bias: number;
  logit_softcap?: number;
  num_kv_heads?: number;
}

/** The mask of a case as causal linear biases: it holds key − query where a query may attend, −∞ elsewhere. */
function biasOf(encodings: Encodings, { params, inputs }: ConformanceCase<AttentionParams>, heads: number) {
  if (inputs.mask === undefined) return {};
  const mask = numbers(inputs.mask);
  const keyLength = shape(inputs.mask)[1] as number;
  const queryStart = 0 - (mask[0] as number);
  mask.forEach((value, n) => {
    const distance = queryStart + Math.floor(n / keyLength) - (n % keyLength);
    expect(value).toBe(distance < 0 ? -Infinity : 0 - distance);
  });
  const alibi =
    params.max_bias === 0
      ? new Float64Array(heads).fill(1)
      : encodings.alibiSlopes({ heads, biasMax: params.max_bias });
  return { causal: true, queryStart, bias: { alibi } };
}

const softMax: Run<AttentionParams> = (encodings, entry) => {
  const { scale } = entry.params;
  const [batch, heads, queryLength, keyLength] = shape(entry.inputs.a) as [number, number, number, number];
  // Scores are queries whose keys are the unit vectors.
  const unit = Float32Array.from({ length: keyLength ** 2 }, (_, n) => Number(n % (keyLength + 1) === 0));
  const weights = encodings.attention({
    ...{ query: floats(entry.inputs.a), key: unit, value: unit, format: 'bhsd', returns: 'weights' },
    ...{ batch, heads, kvHeads: 1, queryLength, keyLength, headDim: keyLength, scale },
    ...biasOf(encodings, entry, heads),
  });
  expectOutput(weights, entry, entry.outputs.y);
};

const flashAttention: Run<AttentionParams> = (encodings, entry) => {
  const { inputs, outputs, params } = entry;
  const [batch, heads, queryLength, headDim] = shape(inputs.q) as [number, number, number, number];
  const out = encodings.attention({
    ...{ query: floats(inputs.q), key: floats(inputs.k), value: floats(inputs.v), format: 'bhsd' },
    ...{ batch, heads, kvHeads: params.num_kv_heads as number, queryLength, headDim, scale: params.scale },
    keyLength: shape(inputs.k)[2] as number,
    ...(params.logit_softcap ? { softcap: params.logit_softcap } : {}),
    ...biasOf(encodings, entry, heads),
  });
  expectOutput(headsLast(out, { heads, length: queryLength, width: headDim }), entry, outputs.y);
};

export const ggmlAttention: Suites = { ggml: { GgmlSoftMaxExt: softMax, GgmlFlashAttnExt: flashAttention } };
