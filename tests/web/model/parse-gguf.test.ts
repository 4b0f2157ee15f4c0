import { check, parseGguf, parseHfConfig, PosencError, ropeFrequencies, type RopeParams } from 'posenc';
import { describe, expect, test } from 'vitest';
import { expectNear } from '../support/compare.ts';
import { Bytes, f32Bytes, ggufFile, type GgufEntry, type GgufParts } from '../support/gguf-file.ts';

/** The keys of an architecture, under its name. */
function keysOf(architecture: string, entries: Readonly<Record<string, GgufEntry>>): Record<string, GgufEntry> {
  return {
    'general.architecture': { string: architecture },
    ...Object.fromEntries(Object.entries(entries).map(([key, entry]) => [`${architecture}.${key}`, entry])),
  };
}

const LLAMA = {
  context_length: { u32: 131072 },
  embedding_length: { u32: 2048 },
  'attention.head_count': { u32: 32 },
  'rope.dimension_count': { u32: 64 },
  'rope.freq_base': { f32: 500000 },
} as const;

async function paramsOf(parts: GgufParts): Promise<RopeParams> {
  const { layers } = await parseGguf(ggufFile(parts));
  expect(layers).toHaveLength(1);
  return layers[0]!.params;
}

async function refusal(source: unknown): Promise<PosencError> {
  try {
    await parseGguf(source as Blob);
  } catch (error) {
    if (error instanceof PosencError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('the metadata', () => {
  test.each([
    { version: 2, littleEndian: true },
    { version: 3, littleEndian: true },
    { version: 3, littleEndian: false },
  ])('of version $version, little-endian: $littleEndian, is read', async (format) => {
    const model = await parseGguf(new Blob([ggufFile({ ...format, keys: keysOf('llama', LLAMA) })]));
    expect(model).toMatchObject({
      source: 'gguf',
      modelType: 'llama',
      encoding: 'rope',
      maxPosition: 131072,
      hiddenSize: 2048,
      heads: 32,
      assumed: [],
    });
    expect(model.layers).toEqual([
      {
        name: 'all',
        params: {
          headDim: 64,
          rotaryDim: 64,
          base: 500000,
          type: 'default',
          pairing: 'interleaved',
          maxPosition: 131072,
        },
      },
    ]);
    expect(model.statements).toContainEqual({
      key: 'llama.rope.freq_base',
      value: 500000,
      setting: 'base',
      layer: 'all',
    });
  });

  test('has every type of value, and a vocabulary is skipped', async () => {
    const file = new Bytes().raw(new TextEncoder().encode('GGUF')).u32(3).u64(0).u64(16);
    file.text('general.architecture').u32(8).text('qwen2');
    file.text('a.u8').u32(0).u8(255);
    file.text('a.i8').u32(1).u8(255);
    file.text('a.u16').u32(2).u16(65535);
    file.text('a.i16').u32(3).u16(65535);
    file.text('a.u32').u32(4).u32(7);
    file.text('a.i32').u32(5).u32(7);
    file.text('a.f32').u32(6).f32(0.5);
    file.text('a.bool').u32(7).u8(1);
    file
      .text('a.u64')
      .u32(10)
      .u64(2n ** 60n);
    file.text('a.i64').u32(11).u64(1);
    file.text('tokenizer.ggml.tokens').u32(9).u32(8).u64(3).text('one').text('').text('three');
    file.text('a.lists').u32(9).u32(9).u64(2).u32(0).u64(2).raw([1, 2]).u32(8).u64(1).text('x');
    // Whole numbers, whatever their width, and floats of either width do for a key.
    file.text('qwen2.rope.freq_base').u32(12).f64(1e6);
    file.text('qwen2.context_length').u32(10).u64(32768);
    file.text('qwen2.attention.key_length').u32(2).u16(128);
    const { layers } = await parseGguf(file.done());
    expect(layers[0]!.params).toEqual({
      headDim: 128,
      rotaryDim: 128,
      base: 1e6,
      type: 'default',
      pairing: 'half',
      maxPosition: 32768,
    });
  });

  test('A2: Llama weights of Hugging Face turn halves, those of a GGUF file neighbours', async () => {
    const hf = parseHfConfig({ model_type: 'llama', hidden_size: 2048, num_attention_heads: 32 });
    const gguf = await parseGguf(ggufFile({ keys: keysOf('llama', LLAMA) }));
    expect(hf.layers[0]!.params.pairing).toBe('half');
    expect(gguf.layers[0]!.params.pairing).toBe('interleaved');
    const qwen = await parseGguf(ggufFile({ keys: keysOf('qwen2', LLAMA) }));
    expect(qwen.layers[0]!.params.pairing).toBe('half');
  });

  test('A30: without rope.freq_base the base is 10000, and no key states it', async () => {
    const { 'rope.freq_base': _, ...withoutBase } = LLAMA;
    const model = await parseGguf(ggufFile({ keys: keysOf('llama', withoutBase) }));
    expect(model.layers[0]!.params.base).toBe(10000);
    expect(model.statements.filter(({ setting }) => setting === 'base')).toEqual([]);
    const hf = parseHfConfig({ model_type: 'llama', hidden_size: 2048, num_attention_heads: 32, rope_theta: 1e6 });
    expect(check(hf, { launch: model })).toContainEqual(
      expect.objectContaining({ code: 'freq_base_missing', severity: 'error', found: 10000, expected: 1e6 }),
    );
  });

  test('an unknown architecture is read with assumptions', async () => {
    const model = await parseGguf(ggufFile({ keys: keysOf('novel', { 'rope.other': { u32: 1 } }) }));
    expect(model.assumed.sort()).toEqual(['headDim', 'pairing']);
    expect(model.unread).toEqual(['novel.rope.other']);
  });

  test('per layer, a count of heads is that of the first layer with any', async () => {
    const keys = keysOf('deci', { embedding_length: { u32: 8192 }, 'attention.head_count': { u32s: [0, 64, 64] } });
    expect((await paramsOf({ keys })).headDim).toBe(128);
  });
});

describe('scalings', () => {
  test('a factor without a type is linear, and 0 is none', async () => {
    const scaled = { ...LLAMA, 'rope.scaling.factor': { f32: 8 } };
    expect(await paramsOf({ keys: keysOf('llama', scaled) })).toMatchObject({ type: 'linear', factor: 8 });
    const old = { ...LLAMA, 'rope.scale_linear': { f32: 4 } };
    expect(await paramsOf({ keys: keysOf('llama', old) })).toMatchObject({ type: 'linear', factor: 4 });
    const none = { ...LLAMA, 'rope.scaling.type': { string: 'linear' }, 'rope.scaling.factor': { f32: 0 } };
    const params = await paramsOf({ keys: keysOf('llama', none) });
    expect(params.type).toBe('default');
    expect(params).not.toHaveProperty('factor');
  });

  test('A21, A22: the mscale of DeepSeek, times 0.1, gives a table factor of 1 and the softmax factor', async () => {
    const keys = keysOf('deepseek2', {
      context_length: { u32: 262144 },
      embedding_length: { u32: 7168 },
      'attention.head_count': { u32: 64 },
      'attention.kv_lora_rank': { u32: 512 },
      'attention.key_length': { u32: 192 },
      'rope.dimension_count': { u32: 64 },
      'rope.freq_base': { f32: 50000 },
      'rope.scaling.type': { string: 'yarn' },
      'rope.scaling.factor': { f32: 64 },
      'rope.scaling.original_context_length': { u32: 4096 },
      'rope.scaling.yarn_log_multiplier': { f32: 0.1 },
    });
    const params = await paramsOf({ keys });
    expect(params).toMatchObject({ headDim: 64, pairing: 'interleaved', factor: 64, originalMaxPosition: 4096 });
    const { attentionFactor, softmaxFactor } = ropeFrequencies(params);
    expect(attentionFactor).toBe(1);
    expect(softmaxFactor).toBeCloseTo(2.004739701682487, 12);
  });

  test('the attention factor of YaRN is what ggml multiplies by itself, times the one of the file', async () => {
    const yarn = {
      ...LLAMA,
      'rope.scaling.type': { string: 'yarn' },
      'rope.scaling.factor': { f32: 16 },
      'rope.scaling.original_context_length': { u32: 8192 },
      'rope.scaling.finetuned': { bool: true },
      'rope.scaling.yarn_beta_fast': { f32: 16 },
      'rope.scaling.yarn_ext_factor': { f32: 1 },
    } as const;
    const model = await parseGguf(ggufFile({ keys: keysOf('llama', yarn) }));
    expect(model.finetuned).toBe(true);
    expect(model.unread).toEqual(['llama.rope.scaling.yarn_ext_factor']);
    const { params } = model.layers[0]!;
    expect(params).toMatchObject({ type: 'yarn', factor: 16, betaFast: 16 });
    expect(ropeFrequencies(params).attentionFactor).toBeCloseTo(1.2772588722239782, 12);
    const halved = await paramsOf({ keys: keysOf('llama', { ...yarn, 'rope.scaling.attn_factor': { f32: 0.5 } }) });
    expect(halved.attentionFactor).toBeCloseTo(1.2772588722239782 / 2, 12);
  });

  test('A24: the factors of a Llama 3.2 file are recognised', async () => {
    // Pairs 15 to 17 as published; those before keep their frequency, those after are divided by 32.
    const factors: number[] = Array.from({ length: 32 }, (_, pair) => (pair < 15 ? 1 : 32));
    factors.splice(15, 3, 1.6513292457638982, 3.2922621029408843, 9.666728978753293);
    for (const littleEndian of [true, false]) {
      const data = f32Bytes(factors, littleEndian);
      const tensors = { 'rope_freqs.weight': { shape: [32], type: 0, data } };
      const params = await paramsOf({ littleEndian, keys: keysOf('llama', LLAMA), tensors });
      expect(params).toMatchObject({
        type: 'llama3',
        factor: 32,
        lowFreqFactor: 1,
        highFreqFactor: 4,
        originalMaxPosition: 8192,
      });
      expectNear(ropeFrequencies(params).divisor, factors, { relative: 1e-12 });
    }
  });

  test('other factors are listed, and divide together with a linear scaling', async () => {
    const factors = Array.from({ length: 32 }, (_, pair) => 1 + pair / 4);
    const tensors = { 'rope_freqs.weight': { shape: [32], type: 0, data: f32Bytes(factors) } };
    const keys = keysOf('llama', { ...LLAMA, 'rope.scaling.factor': { f32: 2 } });
    const { divisor, attentionFactor } = ropeFrequencies(await paramsOf({ keys, tensors }));
    expect(Array.from(divisor)).toEqual(factors.map((factor) => 2 * factor));
    expect(attentionFactor).toBe(1);
  });

  test('pairs with an endless divisor do not turn', async () => {
    const factors = Array.from({ length: 32 }, (_, pair) => (pair < 8 ? 1 : 1e30));
    const tensors = { 'rope_freqs.weight': { shape: [32], type: 0, data: f32Bytes(factors) } };
    const { invFreq } = ropeFrequencies(await paramsOf({ keys: keysOf('llama', LLAMA), tensors }));
    expect(invFreq.findIndex((radians) => radians === 0)).toBe(8);
  });

  test.each([
    { type: 0, write: (to: Bytes) => to.f32(1.5) },
    { type: 1, write: (to: Bytes) => to.u16(0x3e00) },
    { type: 30, write: (to: Bytes) => to.u16(0x3fc0) },
  ])('A26: LongRoPE has two lists, read as floats of type $type', async ({ type, write }) => {
    const list = Array.from({ length: 48 })
      .reduce<Bytes>((to) => write(to), new Bytes())
      .done();
    const keys = keysOf('phi3', {
      context_length: { u32: 131072 },
      embedding_length: { u32: 3072 },
      'attention.head_count': { u32: 32 },
      'rope.dimension_count': { u32: 96 },
      'rope.scaling.original_context_length': { u32: 4096 },
      'rope.scaling.attn_factor': { f32: 1.1902380714238083 },
    });
    const tensors = {
      'rope_factors_short.weight': { shape: [48], type: 0, data: f32Bytes(Array.from({ length: 48 }, () => 1)) },
      'rope_factors_long.weight': { shape: [48], type, data: list },
    };
    const params = await paramsOf({ keys, tensors });
    expect(params).toMatchObject({ type: 'longrope', originalMaxPosition: 4096, headDim: 96, pairing: 'half' });
    expect(ropeFrequencies(params, { seqLen: 4096 }).divisor[0]).toBe(1);
    expect(ropeFrequencies(params, { seqLen: 4097 }).divisor[0]).toBe(1.5);
    expect(ropeFrequencies(params).attentionFactor).toBe(Math.fround(1.1902380714238083));
  });

  test('A35: the layers of Gemma 3 have two tables, and only the global one is scaled', async () => {
    const keys = keysOf('gemma3', {
      context_length: { u32: 131072 },
      embedding_length: { u32: 2560 },
      'attention.head_count': { u32: 8 },
      'attention.key_length': { u32: 256 },
      'rope.freq_base': { f32: 1e6 },
      'rope.scaling.type': { string: 'linear' },
      'rope.scaling.factor': { f32: 8 },
    });
    const model = await parseGguf(ggufFile({ keys }));
    const { layers } = model;
    expect(check(model).filter(({ severity }) => severity !== 'info')).toEqual([]);
    expect(check(model).map(({ code }) => code)).not.toContain('freq_base_assumed');
    expect(check(model).map(({ code }) => code)).not.toContain('legacy_key');
    expect(layers.map(({ name }) => name)).toEqual(['full_attention', 'sliding_attention']);
    const [global, local] = layers.map(({ params }) => ropeFrequencies(params).invFreq);
    expect(global![0]).toBe(0.125);
    expect(global![1]).toBeCloseTo(0.11221089155591428, 15);
    expect(local![0]).toBe(1);
    expect(local![1]).toBeCloseTo(10000 ** (-2 / 256), 15);
  });

  test('A36: sections of time, height and width', async () => {
    const keys = keysOf('qwen2vl', {
      embedding_length: { u32: 3584 },
      'attention.head_count': { u32: 28 },
      'rope.dimension_sections': { u32s: [16, 24, 24, 0] },
    });
    const model = await parseGguf(ggufFile({ keys }));
    expect(model.encoding).toBe('mrope');
    expect(model.layers[0]!.params.mropeSection).toEqual([16, 24, 24]);
  });
});

describe('other encodings', () => {
  test('A13: a table of positions is learned, with as many rows as the tensor has', async () => {
    const tensors = { 'position_embd.weight': { shape: [4, 6], type: 1, data: new ArrayBuffer(48) } };
    const model = await parseGguf(ggufFile({ keys: keysOf('gpt2', { context_length: { u32: 6 } }), tensors }));
    expect(model).toMatchObject({ encoding: 'learned', layers: [], learned: { positions: 6, offset: 0 } });
  });

  test('ALiBi and T5', async () => {
    const heads = { 'attention.head_count': { u32: 12 } } as const;
    const bloom = await parseGguf(ggufFile({ keys: keysOf('bloom', heads) }));
    expect(bloom).toMatchObject({ encoding: 'alibi', alibi: { heads: 12, biasMax: 8 } });
    const t5 = keysOf('t5', { ...heads, 'attention.relative_buckets_count': { u32: 32 } });
    expect(await parseGguf(ggufFile({ keys: t5 }))).toMatchObject({ t5: { heads: 12, buckets: 32, maxDistance: 128 } });
  });
});

// Source: ggml-org/llama.cpp, src/llama-model.cpp, llama_model_rope_type.
describe('architectures by what llama.cpp turns', () => {
  test.each(['jamba', 'mamba2', 'nemotron_h', 'rwkv6qwen2', 'rwkv7', 'arwkv7'])('%s: nothing', async (name) => {
    expect(await parseGguf(ggufFile({ keys: keysOf(name, {}) }))).toMatchObject({
      encoding: 'none',
      layers: [],
      assumed: [],
    });
  });

  test.each([
    ['interleaved', ['llama', 'baichuan', 'internlm2', 'smollm3', 'arcee', 'glm4', 'granitehybrid', 'nanbeige']],
    [
      'half',
      ['qwen', 'gpt-oss', 'exaone4', 'apertus', 'seed_oss', 'lfm2', 'minimax-01', 'minimax-m3', 'jais2', 'hy_v3'],
    ],
  ])('%s', async (pairing, names) => {
    for (const name of names) {
      const { layers } = await parseGguf(ggufFile({ keys: keysOf(name, { 'rope.dimension_count': { u32: 64 } }) }));
      expect([name, layers[0]!.params.pairing]).toEqual([name, pairing]);
    }
  });
});

describe('a large file', () => {
  test('of 40 GB is inspected by reading less than 64 MB', async () => {
    // A vocabulary of 256,000 words with scores, 300,000 merges, 1,000 tensors of 40 MB.
    const size = 40 * 10 ** 6;
    const file = new Bytes().raw(new TextEncoder().encode('GGUF')).u32(3).u64(1000).u64(4);
    file.text('general.architecture').u32(8).text('llama');
    file.text('tokenizer.ggml.tokens').u32(9).u32(8).u64(256000);
    for (let i = 0; i < 256000; ++i) file.text('token 123');
    file
      .text('tokenizer.ggml.scores')
      .u32(9)
      .u32(6)
      .u64(256000)
      .raw(new Uint8Array(4 * 256000));
    file.text('llama.rope.freq_base').u32(6).f32(50000);
    for (let i = 0; i < 1000; ++i)
      file
        .text(`blk.${i}.weight`)
        .u32(1)
        .u64(size)
        .u32(24)
        .u64(i * size);
    const header = new Uint8Array(file.align(32).done());
    const large = sparseBlob(header, header.length + 1000 * size);
    const { layers } = await parseGguf(large);
    expect(layers[0]!.params.base).toBe(50000);
    expect(large.size).toBeGreaterThan(4e10);
    expect(large.bytesRead()).toBeLessThan(1.2 * header.length);
    expect(large.longestRead()).toBeLessThanOrEqual(2 ** 20);
  });

  test('one tensor past the end is refused', async () => {
    const tensors = { a: { shape: [64], type: 0, data: new ArrayBuffer(256) } };
    const whole = ggufFile({ keys: keysOf('llama', LLAMA), tensors });
    await expect(parseGguf(whole)).resolves.toBeDefined();
    expect((await refusal(whole.slice(0, -1))).message).toMatch(/long enough for its tensors/);
  });
});

/** A file of zeros after its header, of which only what is read takes memory. */
function sparseBlob(header: Uint8Array<ArrayBuffer>, size: number) {
  const reads: number[] = [];
  const blob = {
    size,
    slice: (from: number, to: number) => {
      reads.push(to - from);
      const bytes = new Uint8Array(to - from);
      bytes.set(header.subarray(from, to));
      return new Blob([bytes]);
    },
    bytesRead: () => reads.reduce((sum, length) => sum + length, 0),
    longestRead: () => Math.max(...reads),
  };
  return Object.setPrototypeOf(blob, Blob.prototype) as Blob & Pick<typeof blob, 'bytesRead' | 'longestRead'>;
}

describe('what is no such file is refused', () => {
  const good = ggufFile({ keys: keysOf('llama', LLAMA) });
  const changed = (change: (view: DataView) => void): ArrayBuffer => {
    const copy = good.slice(0);
    change(new DataView(copy));
    return copy;
  };

  test.each([
    ['neither Blob nor ArrayBuffer', new Uint8Array(8), /source must be a Blob or an ArrayBuffer/],
    ['nothing', new ArrayBuffer(0), /a GGUF file/],
    ['another format', new ArrayBuffer(64), /a GGUF file/],
    ['version 1', changed((view) => view.setUint32(4, 1, true)), /version 2 or 3, got "version 1"/],
    ['more tensors than fit', changed((view) => view.setUint32(12, 1, true)), /long enough for .* tensors/],
    ['more keys than fit', changed((view) => view.setUint32(20, 1, true)), /long enough for .* keys/],
    ['a key longer than the file', changed((view) => view.setUint32(28, 1, true)), /long enough for .* characters/],
    ['a file cut off', good.slice(0, 100), /long enough/],
  ])('%s', async (_, source, message) => {
    const error = await refusal(source);
    expect(error).toMatchObject({ code: 'bad-argument', argument: 'source' });
    expect(error.message).toMatch(message);
  });

  test.each([
    ['no architecture', {}, 'source'],
    ['a base that is a text', keysOf('llama', { 'rope.freq_base': { string: '1e6' } }), 'llama.rope.freq_base'],
    ['an unknown scaling', keysOf('llama', { 'rope.scaling.type': { string: 'magic' } }), 'llama.rope.scaling.type'],
    [
      'heads that do not divide',
      keysOf('llama', { embedding_length: { u32: 10 }, 'attention.head_count': { u32: 3 } }),
      'llama.embedding_length',
    ],
  ])('%s', async (_, keys, argument) => {
    expect(await refusal(ggufFile({ keys }))).toMatchObject({ code: 'bad-argument', argument });
  });
});
