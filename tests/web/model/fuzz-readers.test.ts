import fc from 'fast-check';
import { check, parseFlags, parseGguf, parseHfConfig, parseNpy, parseSafetensors, PosencError } from 'posenc';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Bytes, f32Bytes, ggufFile, type GgufEntry } from '../support/gguf-file.ts';
import { hfConfigs } from '../support/hf-configs.ts';
import { mutatedBytes, mutatedJson } from '../support/mutations.ts';

/** The same inputs each time; 100,000 in all. */
const SEED = 20261130;
const RUNS = { configs: 40_000, gguf: 20_000, npy: 15_000, safetensors: 15_000, flags: 10_000 };

/** How inputs fared in one test: neither may be rare. */
const outcomes = { read: 0, refused: 0 };

beforeEach(() => void Object.assign(outcomes, { read: 0, refused: 0 }));

afterEach(() => {
  expect(20 * Math.min(outcomes.read, outcomes.refused)).toBeGreaterThan(outcomes.read + outcomes.refused);
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

/** A result or an error that names an argument; anything else is thrown on. */
function requireTyped(error: unknown): void {
  if (!(error instanceof PosencError)) throw error;
  if (error.code !== 'bad-argument' || error.argument === undefined || error.message.length > 1000) throw error;
  ++outcomes.refused;
}

function attempt(read: () => void): void {
  try {
    read();
    ++outcomes.read;
  } catch (error) {
    requireTyped(error);
  }
}

async function attemptAsync(read: () => Promise<void>): Promise<void> {
  try {
    await read();
    ++outcomes.read;
  } catch (error) {
    requireTyped(error);
  }
}

/** A file that counts what is read of it. */
function watched(bytes: ArrayBuffer): { blob: Blob; longest: () => number; total: () => number } {
  const lengths = [0];
  const blob = new Blob([bytes]);
  const slice = blob.slice.bind(blob);
  blob.slice = (from = 0, to = blob.size) => {
    lengths.push(to - from);
    return slice(from, to);
  };
  return { blob, longest: () => Math.max(...lengths), total: () => lengths.reduce((sum, length) => sum + length) };
}

test('changed configurations', () => {
  let count = 0;
  const property = fc.property(mutatedJson(Object.values(hfConfigs)), (text) => {
    attempt(() => {
      const model = parseHfConfig(text);
      // To check takes ten times as long as to read.
      if (++count % 10 === 0) check(model, { targetLength: 4096 });
    });
  });
  fc.assert(property, { numRuns: RUNS.configs, seed: SEED });
});

function ggufSeeds(): ArrayBuffer[] {
  const keys: Record<string, GgufEntry> = {
    'general.architecture': { string: 'llama' },
    'llama.context_length': { u32: 8192 },
    'llama.embedding_length': { u32: 2048 },
    'llama.attention.head_count': { u32: 32 },
    'llama.rope.freq_base': { f32: 5e5 },
    'tokenizer.ggml.tokens': { strings: ['a', 'b', 'c'] },
    'tokenizer.ggml.scores': { f32s: [0, 1, 2] },
  };
  const data = f32Bytes(Array.from({ length: 32 }, (_, pair) => 1 + pair));
  const tensors = {
    'rope_freqs.weight': { shape: [32], type: 0, data },
    'blk.0.attn_q.weight': { shape: [32, 2], type: 2, data: new ArrayBuffer(36) },
  };
  const yarn: Record<string, GgufEntry> = {
    'llama.rope.scaling.type': { string: 'yarn' },
    'llama.rope.scaling.factor': { f32: 4 },
    'llama.rope.scaling.attn_factor': { f32: 0.5 },
    'llama.rope.dimension_sections': { u32s: [8, 12, 12, 0] },
    'llama.rope.scaling.finetuned': { bool: true },
  };
  return [
    ggufFile({ keys, tensors }),
    ggufFile({ keys: { ...keys, ...yarn } }),
    ggufFile({
      version: 2,
      littleEndian: false,
      keys,
      tensors: { 'position_embd.weight': { shape: [8], type: 0, data } },
    }),
  ];
}

test('changed GGUF files', async () => {
  let count = 0;
  const property = fc.asyncProperty(mutatedBytes(ggufSeeds()), async (bytes) => {
    await attemptAsync(async () => {
      const model = await parseGguf(bytes);
      if (++count % 10 === 0) check(model);
    });
  });
  await fc.assert(property, { numRuns: RUNS.gguf, seed: SEED });
});

test('no more is read of a changed GGUF file than it has', async () => {
  const property = fc.asyncProperty(mutatedBytes(ggufSeeds()), async (bytes) => {
    const { blob, longest, total } = watched(bytes);
    await attemptAsync(async () => void (await parseGguf(blob)));
    // The header, and the tensors that are about positions.
    if (longest() > blob.size || total() > 4 * blob.size) throw new Error(`${total()} bytes read of ${blob.size}`);
  });
  await fc.assert(property, { numRuns: 500, seed: SEED });
});

test('changed .npy files', () => {
  const seeds = [
    { header: "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }  \n", data: new ArrayBuffer(24) },
    { header: "{'descr': '>f8', 'fortran_order': True, 'shape': (2, 3), }   \n", data: new ArrayBuffer(48) },
    { header: "{'descr': '<f2', 'fortran_order': True, 'shape': (6,), }     \n", data: new ArrayBuffer(12) },
  ].map(({ header, data }) => {
    const text = new TextEncoder().encode(header);
    const magic = new Bytes().raw([0x93]).raw(new TextEncoder().encode('NUMPY')).u8(1).u8(0);
    return magic.u16(text.length).raw(text).raw(new Uint8Array(data)).done();
  });
  const property = fc.property(mutatedBytes(seeds), (bytes) => {
    attempt(() => {
      const { data, shape } = parseNpy(bytes);
      const count = shape.reduce((product, size) => product * size, 1);
      if (data.length !== count || 2 * count > bytes.byteLength) throw new Error(`${count} numbers`);
    });
  });
  fc.assert(property, { numRuns: RUNS.npy, seed: SEED });
});

test('changed .safetensors files', async () => {
  const header = {
    __metadata__: { format: 'pt' },
    'wpe.weight': { dtype: 'F32', shape: [2, 2], data_offsets: [0, 16] },
    half: { dtype: 'BF16', shape: [4], data_offsets: [16, 24] },
  };
  const file = (text: string) => {
    const encoded = new TextEncoder().encode(text);
    return new Bytes().u64(encoded.length).raw(encoded).raw(new Uint8Array(24)).done();
  };
  const mutated = fc.oneof(mutatedBytes([file(JSON.stringify(header))]), mutatedJson([header]).map(file));
  const property = fc.asyncProperty(mutated, async (bytes) => {
    await attemptAsync(async () => {
      const index = await parseSafetensors(bytes);
      for (const { name, shape } of index.tensors) {
        await attemptAsync(async () => {
          const { length } = await index.read(name);
          const count = shape.reduce((product, size) => product * size, 1);
          if (length !== count || 2 * length > bytes.byteLength) throw new Error(`${length} numbers`);
        });
      }
    });
  });
  await fc.assert(property, { numRuns: RUNS.safetensors, seed: SEED });
});

test('changed flags', () => {
  const word = fc.oneof(
    fc.constantFrom('-c', '--rope-scale', '--rope-scaling', '--rope-freq-base', '--ropeconfig', '-ra', '-l', 'vllm'),
    fc.constantFrom('--hf-overrides', '--hf-overrides.rope_scaling.factor', '--hf-overrides.__proto__.polluted'),
    fc.constantFrom('PARAMETER num_ctx', '--max-model-len', '--yarn-attn-factor', '--override-kv', '--rope-theta'),
    fc.constantFrom(
      'yarn',
      'linear',
      '0',
      '-1',
      '0.125',
      '1e309',
      '8k',
      '{}',
      'a.rope.freq_base=float:1',
      '"',
      "'",
      '\\',
      '#',
      '\n',
    ),
    fc.constantFrom(`'{"rope_scaling":{"type":"yarn","factor":4}}'`, `'{"__proto__":{"polluted":1},"rope_theta":1}'`),
    fc.string({ maxLength: 12 }),
  );
  const property = fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), (words) => {
    attempt(() => check(parseFlags(words.join(' '))));
  });
  fc.assert(property, { numRuns: RUNS.flags, seed: SEED });
});
