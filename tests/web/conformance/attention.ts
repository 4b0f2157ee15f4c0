import type { AttentionReturns, Format, Tensor } from 'posenc';
import { expect } from 'vitest';
import { expectNear } from '../support/compare.ts';
import { bytes, floats, numbers, shape } from '../support/data.ts';
import { float16 } from '../support/half.ts';
import { expectOutput, typeOf, type Run, type Suites } from './case.ts';

/** A tensor of a case, in the precision that the case has. */
function tensor(stored: unknown): Tensor {
  return typeOf(stored) === 'f16' ? float16(numbers(stored)) : floats(stored);
}

/** Axes of a tensor `[batch, heads, length, width]`, or `[batch, length, heads × width]` with the heads given. */
function axes(stored: unknown, heads: number | undefined) {
  const [batch, second, third, width] = shape(stored) as [number, number, number, number];
  if (heads === undefined) return { format: 'bhsd' as Format, batch, heads: second, length: third, width };
  return { format: 'bshd' as Format, batch, heads, length: second, width: third / heads };
}

interface OnnxParams {
  scale?: number;
  softcap?: number;
  is_causal?: number;
  left_window_size?: number;
  right_window_size?: number;
  q_num_heads?: number;
  kv_num_heads?: number;
  qk_matmul_output_mode?: number;
  softmax_precision?: number;
}

/** What a call returns in place of the output, by `qk_matmul_output_mode`. */
const stages: readonly AttentionReturns[] = ['scaled', 'capped', 'scores', 'weights'];

const onnxAttention: Run<OnnxParams> = (encodings, entry) => {
  const { params, inputs, outputs } = entry;
  const query = axes(inputs.Q, params.q_num_heads);
  const key = axes(inputs.K, params.kv_num_heads);
  const value = axes(inputs.V, params.kv_num_heads);
  const { format, batch, heads } = query;
  const { attn_mask: mask } = inputs;
  const side = (size: number | undefined) => (size === undefined || size === -1 ? Infinity : size);
  const scoring = {
    causal: params.is_causal === 1,
    window: { left: side(params.left_window_size), right: side(params.right_window_size) },
    ...(params.scale === undefined ? {} : { scale: params.scale }),
    ...(params.softcap === undefined ? {} : { softcap: params.softcap }),
    ...(mask === undefined
      ? {}
      : { mask: typeOf(mask) === 'bool' ? bytes(mask) : tensor(mask), maskShape: shape(mask) }),
  };
  const sizes = { kvHeads: key.heads, headDim: key.width, valueDim: value.width, batch };
  const tensors = { key: tensor(inputs.K), value: tensor(inputs.V) };
  const compare = (run: (returns: AttentionReturns) => Float32Array) => {
    expectOutput(run('output'), entry, outputs.Y);
    if (outputs.qk_matmul_output === undefined) return;
    expectOutput(run(stages[params.qk_matmul_output_mode ?? 0]!), entry, outputs.qk_matmul_output);
  };

  if (inputs.past_key === undefined) {
    // Without a cache the first query stands at the first key; with lengths, the last query at the last key.
    const place =
      inputs.nonpad_kv_seqlen === undefined ? { queryStart: 0 } : { keyLengths: numbers(inputs.nonpad_kv_seqlen) };
    const call = { ...tensors, query: tensor(inputs.Q), format, heads, queryLength: query.length, ...sizes };
    compare((returns) => encodings.attention({ ...call, keyLength: key.length, ...place, ...scoring, returns }));
    return;
  }
  const past = axes(inputs.past_key, undefined).length;
  const cache = encodings.kvCache({ ...sizes, capacity: past + key.length });
  const before = { key: tensor(inputs.past_key), value: tensor(inputs.past_value) };
  cache.append({ ...before, length: past, format: 'bhsd' });
  cache.append({ ...tensors, length: key.length, format });
  const call = { query: tensor(inputs.Q), heads, length: query.length, format, queryStart: past };
  compare((returns) => cache.attend({ ...call, ...scoring, returns }));
  expectOutput(cache.keys({ format: 'bhsd' }), entry, outputs.present_key);
  expectOutput(cache.values({ format: 'bhsd' }), entry, outputs.present_value);
  cache.dispose();
};

interface MhaParams {
  num_heads: number;
  head_size: number;
  v_head_size: number;
  scale: number;
  mask_filter_value: number | null;
}
const multiHeadAttention: Run<MhaParams> = (encodings, entry) => {
  const { params, inputs, outputs } = entry;
  const { num_heads: heads, head_size: headDim, v_head_size: valueDim, scale } = params;
  const bias = inputs.bias === undefined ? undefined : floats(inputs.bias);
  /** Input with its part of [q | k | v] added, which is the bias of the projections. */
  const projected = (stored: unknown, first: number): Float32Array => {
    const hidden = shape(stored).at(-1) as number;
    return floats(stored).map((x, i) => x + (bias?.[first + (i % hidden)] ?? 0));
  };
  const [batch, length] = shape(inputs.query) as [number, number];
  const past = inputs.past_key === undefined ? 0 : axes(inputs.past_key, undefined).length;
  const added = inputs.key === undefined ? 0 : (shape(inputs.key)[1] as number);
  const cache = encodings.kvCache({ kvHeads: heads, headDim, valueDim, batch, capacity: past + added });
  if (past > 0) {
    const before = { key: floats(inputs.past_key), value: floats(inputs.past_value) };
    cache.append({ ...before, length: past, format: 'bhsd' });
  }
  if (added > 0) {
    const key = projected(inputs.key, heads * headDim);
    const value = projected(inputs.value, 2 * heads * headDim);
    cache.append({ key, value, length: added });
  }
  const padding = inputs.key_padding_mask && {
    mask: floats(inputs.key_padding_mask).map((kept) => (kept === 1 ? 0 : (params.mask_filter_value as number))),
    maskShape: [batch, 1, 1, past + added],
  };
  const query = projected(inputs.query, 0);
  expectOutput(cache.attend({ query, heads, length, scale, ...padding }), entry, outputs.output);
  if (outputs.present_key !== undefined) {
    expectOutput(cache.keys({ format: 'bhsd' }), entry, outputs.present_key);
    expectOutput(cache.values({ format: 'bhsd' }), entry, outputs.present_value);
  }
  cache.dispose();
};

interface NeoxParams {
  rope_theta: number;
  num_heads: number;
  head_dim: number;
  scale: number;
}

const neoxAttention: Run<NeoxParams> = (encodings, entry) => {
  const { params, inputs, outputs } = entry;
  const { num_heads: heads, head_dim: headDim, rope_theta: base, scale } = params;
  const [batch, length] = shape(inputs.q) as [number, number];
  const output = encodings.attention({
    query: floats(inputs.q),
    key: floats(inputs.k),
    value: floats(inputs.v),
    batch,
    heads,
    queryLength: length,
    keyLength: length,
    headDim,
    scale,
    rope: { headDim, base, pairing: 'half' },
    positions: numbers(inputs.positions),
    causal: true,
  });
  expectOutput(output, entry, outputs.output);
};

interface GroupQueryParams {
  num_heads: number;
  kv_num_heads: number;
  head_size: number;
  rotary_dim: number;
  rotary_interleaved: number;
  past_length: number;
  scale: number;
}
const groupQueryAttention: Run<GroupQueryParams> = (encodings, entry) => {
  const { params, inputs, outputs } = entry;
  const { num_heads: heads, kv_num_heads: kvHeads, head_size: headDim, past_length: past, scale } = params;
  const [batch, length] = shape(inputs.query) as [number, number];
  const cache = encodings.kvCache({
    batch,
    kvHeads,
    headDim,
    capacity: past + length,
    rope: { headDim, rotaryDim: params.rotary_dim, pairing: params.rotary_interleaved === 1 ? 'interleaved' : 'half' },
    table: { cos: tensor(inputs.cos_cache), sin: tensor(inputs.sin_cache), rows: shape(inputs.cos_cache)[0] as number },
  });
  // The past is turned already: nothing turns at position 0.
  const before = { key: tensor(inputs.past_key), value: tensor(inputs.past_value), format: 'bhsd' as const };
  cache.append({ ...before, length: past, positions: new Uint8Array(past) });
  const at = inputs.position_ids === undefined ? {} : { positions: numbers(inputs.position_ids) };
  cache.append({ key: tensor(inputs.key), value: tensor(inputs.value), length, ...at });
  for (const last of numbers(inputs.seqlens_k)) expect(cache.length).toBe(last + 1);
  const output = cache.attend({ query: tensor(inputs.query), heads, length, scale, causal: true, ...at });
  expectOutput(output, entry, outputs.output);

  const keys = cache.keys({ format: 'bhsd' });
  const isNew = (i: number) => Math.floor(i / headDim) % cache.length >= past;
  expectOutput(
    keys.filter((_, i) => isNew(i)),
    entry,
    outputs.present_key_new,
  );
  expectNear(
    keys.filter((_, i) => !isNew(i)),
    numbers(inputs.past_key),
    {},
  );
  cache.dispose();
};

export const attention: Suites = {
  onnx_attention: { Attention: onnxAttention },
  onnxruntime_mha: { ContribMultiHeadAttention: multiHeadAttention, RopeAttention: neoxAttention },
  onnxruntime_gqa_rotary: { ContribGroupQueryAttention: groupQueryAttention },
};
