import type { AttentionReturns, Encodings, Format, Tensor } from 'posenc';
import { describe, expect, test } from 'vitest';
import { expectNear } from './support/compare.ts';
import { bytes, floats, numbers, readCases, shape, type Stored } from './support/data.ts';
import { float16 } from './support/half.ts';
import { describeVariants } from './support/variants.ts';

interface Typed extends Stored {
  dtype: string;
}
interface ConformanceCase<Params, Input extends string, Output extends string> {
  name: string;
  op: string;
  params: Params;
  inputs: Readonly<Partial<Record<Input, Typed>>>;
  outputs: Readonly<Partial<Record<Output, Typed>>>;
  tolerance: { rtol: number; atol: number };
}

/** A tensor of a case, in the precision that the case has. */
function tensor(stored: Typed | undefined): Tensor {
  return stored?.dtype === 'f16' ? float16(numbers(stored)) : floats(stored);
}

/** Checks a result by the bounds of its case. */
function expectOutput(
  actual: ArrayLike<number>,
  expected: Stored | undefined,
  { tolerance }: ConformanceCase<unknown, string, string>,
): void {
  expectNear(actual, numbers(expected), { absolute: tolerance.atol, relative: tolerance.rtol });
}

/** Axes of a tensor `[batch, heads, length, width]`, or `[batch, length, heads × width]` with the heads given. */
function axes(stored: Typed | undefined, heads: number | undefined) {
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
type OnnxCase = ConformanceCase<
  OnnxParams,
  'Q' | 'K' | 'V' | 'attn_mask' | 'past_key' | 'past_value' | 'nonpad_kv_seqlen',
  'Y' | 'present_key' | 'present_value' | 'qk_matmul_output'
>;
const onnx = readCases<OnnxCase>('../../conformance/onnx_attention.json');

/** What a call returns in place of the output, by `qk_matmul_output_mode`. */
const stages: readonly AttentionReturns[] = ['scaled', 'capped', 'scores', 'weights'];

function runOnnx(encodings: Encodings, entry: OnnxCase): void {
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
    ...(mask === undefined ? {} : { mask: mask.dtype === 'bool' ? bytes(mask) : tensor(mask), maskShape: shape(mask) }),
  };
  const sizes = { kvHeads: key.heads, headDim: key.width, valueDim: value.width, batch };
  const tensors = { key: tensor(inputs.K), value: tensor(inputs.V) };
  const compare = (run: (returns: AttentionReturns) => Float32Array) => {
    expectOutput(run('output'), outputs.Y, entry);
    if (outputs.qk_matmul_output === undefined) return;
    expectOutput(run(stages[params.qk_matmul_output_mode ?? 0]!), outputs.qk_matmul_output, entry);
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
  expectOutput(cache.keys({ format: 'bhsd' }), outputs.present_key, entry);
  expectOutput(cache.values({ format: 'bhsd' }), outputs.present_value, entry);
  cache.dispose();
}

interface MhaParams {
  num_heads: number;
  head_size: number;
  v_head_size: number;
  scale: number;
  mask_filter_value: number | null;
}
type MhaCase = ConformanceCase<
  MhaParams,
  'query' | 'key' | 'value' | 'bias' | 'key_padding_mask' | 'past_key' | 'past_value',
  'output' | 'present_key' | 'present_value'
>;
const mha = readCases<MhaCase>('../../conformance/onnxruntime_mha.json');
const multiHead = mha.filter(({ op }) => op === 'ContribMultiHeadAttention');

function runMultiHead(encodings: Encodings, entry: MhaCase): void {
  const { params, inputs, outputs } = entry;
  const { num_heads: heads, head_size: headDim, v_head_size: valueDim, scale } = params;
  const bias = inputs.bias === undefined ? undefined : floats(inputs.bias);
  /** Input with its part of [q | k | v] added, which is the bias of the projections. */
  const projected = (stored: Typed, first: number): Float32Array => {
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
    const key = projected(inputs.key as Typed, heads * headDim);
    const value = projected(inputs.value as Typed, 2 * heads * headDim);
    cache.append({ key, value, length: added });
  }
  const padding = inputs.key_padding_mask && {
    mask: floats(inputs.key_padding_mask).map((kept) => (kept === 1 ? 0 : (params.mask_filter_value as number))),
    maskShape: [batch, 1, 1, past + added],
  };
  const query = projected(inputs.query as Typed, 0);
  expectOutput(cache.attend({ query, heads, length, scale, ...padding }), outputs.output, entry);
  if (outputs.present_key !== undefined) {
    expectOutput(cache.keys({ format: 'bhsd' }), outputs.present_key, entry);
    expectOutput(cache.values({ format: 'bhsd' }), outputs.present_value, entry);
  }
  cache.dispose();
}

type RotaryCase = ConformanceCase<
  { rope_theta: number; num_heads: number; head_dim: number; scale: number },
  'q' | 'k' | 'v' | 'positions',
  'output'
>;
const neox = mha.filter(({ op }) => op === 'RopeAttention') as unknown as RotaryCase[];

function runNeox(encodings: Encodings, entry: RotaryCase): void {
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
  expectOutput(output, outputs.output, entry);
}

interface GroupQueryParams {
  num_heads: number;
  kv_num_heads: number;
  head_size: number;
  rotary_dim: number;
  rotary_interleaved: number;
  past_length: number;
  scale: number;
}
type GroupQueryCase = ConformanceCase<
  GroupQueryParams,
  | 'query'
  | 'key'
  | 'value'
  | 'past_key'
  | 'past_value'
  | 'seqlens_k'
  | 'total_sequence_length'
  | 'cos_cache'
  | 'sin_cache'
  | 'position_ids',
  'output' | 'present_key_new'
>;
const groupQuery = readCases<GroupQueryCase>('../../conformance/onnxruntime_gqa_rotary.json');

function runGroupQuery(encodings: Encodings, entry: GroupQueryCase): void {
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
  expectOutput(output, outputs.output, entry);

  const keys = cache.keys({ format: 'bhsd' });
  const isNew = (i: number) => Math.floor(i / headDim) % cache.length >= past;
  expectOutput(
    keys.filter((_, i) => isNew(i)),
    outputs.present_key_new,
    entry,
  );
  expectNear(
    keys.filter((_, i) => !isNew(i)),
    numbers(inputs.past_key),
    {},
  );
  cache.dispose();
}

interface GgmlParams {
  scale: number;
  max_bias: number;
  logit_softcap?: number;
  num_kv_heads?: number;
}
type GgmlCase = ConformanceCase<GgmlParams, 'a' | 'q' | 'k' | 'v' | 'mask', 'y'>;
const ggml = readCases<GgmlCase>('../../conformance/ggml.json').filter(({ op }) =>
  ['GgmlSoftMaxExt', 'GgmlFlashAttnExt'].includes(op),
);

function runGgml(encodings: Encodings, entry: GgmlCase): void {
  const { params, inputs, outputs } = entry;
  const isSoftMax = entry.op === 'GgmlSoftMaxExt';
  const [batch, heads, queryLength, width] = shape(isSoftMax ? inputs.a : inputs.q) as [number, number, number, number];
  const keyLength = isSoftMax ? width : (shape(inputs.k)[2] as number);
  const slopes =
    params.max_bias === 0
      ? new Float64Array(heads).fill(1)
      : encodings.alibiSlopes({ heads, biasMax: params.max_bias });
  const cells = inputs.mask && numbers(inputs.mask);
  const masked = cells && {
    mask: Float32Array.from({ length: heads * cells.length }, (_, i) => {
      return (slopes[Math.floor(i / cells.length)] as number) * (cells[i % cells.length] as number);
    }),
  };
  // Queries are the rows of the products themselves where the keys are the unit vectors.
  const unit = Float32Array.from({ length: keyLength ** 2 }, (_, i) => Number(i % (keyLength + 1) === 0));
  const got = encodings.attention({
    query: floats(isSoftMax ? inputs.a : inputs.q),
    key: isSoftMax ? unit : floats(inputs.k),
    ...(isSoftMax ? { returns: 'weights' as const } : { value: floats(inputs.v) }),
    format: 'bhsd',
    batch,
    heads,
    kvHeads: isSoftMax ? 1 : (params.num_kv_heads as number),
    queryLength,
    keyLength,
    headDim: width,
    scale: params.scale,
    ...(params.logit_softcap ? { softcap: params.logit_softcap } : {}),
    ...masked,
  });
  if (isSoftMax) return expectOutput(got, outputs.y, entry);
  // ggml gives [query, head, width].
  const ours = Float32Array.from(got, (_, i) => {
    const [c, head, row] = [i % width, Math.floor(i / width) % heads, Math.floor(i / (width * heads))];
    return got[(head * queryLength + row) * width + c] as number;
  });
  expectOutput(ours, outputs.y, entry);
}

test('runs every case of attention', () => {
  expect([onnx.length, multiHead.length, neox.length, groupQuery.length, ggml.length]).toEqual([44, 9, 1, 10, 7]);
  expect(multiHead.length + neox.length).toBe(mha.length);
});

await describeVariants('attention of other projects', (encodings) => {
  describe('ONNX Attention', () => {
    test.each(onnx)('$name', (entry) => runOnnx(encodings, entry));
  });
  describe('onnxruntime MultiHeadAttention', () => {
    test.each(multiHead)('$name', (entry) => runMultiHead(encodings, entry));
    test.each(neox)('$name', (entry) => runNeox(encodings, entry));
  });
  describe('onnxruntime GroupQueryAttention', () => {
    test.each(groupQuery)('$name', (entry) => runGroupQuery(encodings, entry));
  });
  describe('ggml', () => {
    test.each(ggml)('$name', (entry) => runGgml(encodings, entry));
  });
});
