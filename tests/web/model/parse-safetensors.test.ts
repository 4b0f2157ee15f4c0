import { parseSafetensors, PosencError } from 'posenc';
import { describe, expect, test } from 'vitest';
import { Bytes } from '../support/gguf-file.ts';

/** A file as README.md of huggingface/safetensors has it. */
function safetensorsFile(header: string | object, data: ArrayBuffer = new ArrayBuffer(0)): ArrayBuffer {
  const text = new TextEncoder().encode(typeof header === 'string' ? header : JSON.stringify(header));
  return new Bytes().u64(text.length).raw(text).raw(new Uint8Array(data)).done();
}

const HEADER = {
  __metadata__: { format: 'pt' },
  wpe: { dtype: 'F32', shape: [2, 2], data_offsets: [0, 16] },
  half: { dtype: 'F16', shape: [2], data_offsets: [16, 20] },
  brain: { dtype: 'BF16', shape: [2], data_offsets: [20, 24] },
  double: { dtype: 'F64', shape: [], data_offsets: [24, 32] },
  whole: { dtype: 'I64', shape: [1], data_offsets: [32, 40] },
};
const DATA = [1, 2, 3, 4].reduce((to, value) => to.f32(value), new Bytes());
DATA.u16(0x3c00).u16(0x0001).u16(0x3f80).u16(0xc000).f64(0.25).u64(9);

describe.each(['an ArrayBuffer', 'a Blob'])('a file in %s', (kind) => {
  const bytes = safetensorsFile(HEADER, DATA.done());
  const source = () => (kind === 'a Blob' ? new Blob([bytes]) : bytes.slice(0));

  test('has names, types and shapes', async () => {
    const { tensors, metadata } = await parseSafetensors(source());
    expect(tensors).toEqual([
      { name: 'wpe', dtype: 'F32', shape: [2, 2] },
      { name: 'half', dtype: 'F16', shape: [2] },
      { name: 'brain', dtype: 'BF16', shape: [2] },
      { name: 'double', dtype: 'F64', shape: [] },
      { name: 'whole', dtype: 'I64', shape: [1] },
    ]);
    expect(metadata).toEqual(new Map([['format', 'pt']]));
  });

  test('gives the numbers of its floats', async () => {
    const index = await parseSafetensors(source());
    expect(await index.read('wpe')).toEqual(Float32Array.of(1, 2, 3, 4));
    expect(await index.read('half')).toEqual(Float32Array.of(1, 2 ** -24));
    expect(await index.read('brain')).toEqual(Float32Array.of(1, -2));
    expect(await index.read('double')).toEqual(Float32Array.of(0.25));
    // A second reading starts from the file, whatever was done to the first.
    (await index.read('wpe')).fill(0);
    expect(await index.read('wpe')).toEqual(Float32Array.of(1, 2, 3, 4));
  });

  test('refuses what it does not have or cannot give', async () => {
    const index = await parseSafetensors(source());
    await expect(index.read('other')).rejects.toThrow(PosencError);
    await expect(index.read('__proto__')).rejects.toThrow(PosencError);
    await expect(index.read('whole')).rejects.toThrow(/whole of type F16, BF16, F32, F64, got "I64"/);
  });
});

test('only the header and what is asked for are read', async () => {
  const reads: number[] = [];
  const text = JSON.stringify({
    big: { dtype: 'U8', shape: [4e10], data_offsets: [0, 4e10] },
    small: { dtype: 'F32', shape: [2], data_offsets: [4e10, 4e10 + 8] },
  });
  const header = new Uint8Array(safetensorsFile(text));
  const blob = {
    size: header.length + 4e10 + 8,
    slice: (from: number, to: number) => {
      reads.push(to - from);
      const bytes = new Uint8Array(to - from);
      bytes.set(header.subarray(from, to));
      return new Blob([bytes]);
    },
  };
  const index = await parseSafetensors(Object.setPrototypeOf(blob, Blob.prototype) as Blob);
  expect(await index.read('small')).toEqual(new Float32Array(2));
  expect(reads).toEqual([8, text.length, 8]);
});

test.each([
  ['a tensor', '{"a": ENTRY, "b": OTHER, "a": ENTRY}', '"a" twice'],
  ['a tensor by its escape', '{"a": ENTRY, "\\u0061": ENTRY}', '"a" twice'],
  ['a field', '{"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4], "shape": [1]}}', '"a.shape" twice'],
  ['a text', '{"__metadata__": {"format": "pt", "format": "tf"}, "a": ENTRY}', '"__metadata__.format" twice'],
])('%s that stands twice in the header is refused', async (_, text, got) => {
  const header = text
    .replaceAll('ENTRY', '{"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}')
    .replaceAll('OTHER', '{"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}');
  const data = text.includes('OTHER') ? new Bytes().f32(3).f32(4).done() : new Bytes().f32(3).done();
  await expect(parseSafetensors(safetensorsFile(header, data))).rejects.toThrowError(
    expect.objectContaining({ code: 'bad-argument', argument: 'source', expected: 'a file with different keys', got }),
  );
});

test('names are data: none of them reaches a prototype', async () => {
  const text = '{"__proto__": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}';
  const index = await parseSafetensors(safetensorsFile(text, new Bytes().f32(3).done()));
  expect(index.tensors.map(({ name }) => name)).toEqual(['__proto__']);
  expect(await index.read('__proto__')).toEqual(Float32Array.of(3));
  expect(({} as Record<string, unknown>)['dtype']).toBeUndefined();
});

describe('what is no such file is refused', () => {
  const four = new ArrayBuffer(4);
  const entry = (fields: object) =>
    safetensorsFile({ a: { dtype: 'F32', shape: [1], data_offsets: [0, 4], ...fields } }, four);
  test.each([
    ['neither Blob nor ArrayBuffer', 'a path', /source must be a Blob or an ArrayBuffer/],
    ['nothing', new ArrayBuffer(0), /long enough for the length/],
    ['a header longer than the file', new Bytes().u64(100).u8(1).done(), /long enough/],
    ['a header of 2^63 bytes', new Bytes().u64(2n ** 63n).done(), /at most 100000000 bytes/],
    ['no JSON', safetensorsFile('{'), /JSON/],
    ['a list', safetensorsFile('[]'), /an object/],
    ['a number for a tensor', safetensorsFile({ a: 1 }), /dtype, shape and data_offsets/],
    ['a negative size', entry({ shape: [-1] }), /dtype, shape and data_offsets/],
    ['an unknown type', entry({ dtype: 'Q4' }), /type of numbers/],
    ['a type that is a name of every object', entry({ dtype: 'toString' }), /type of numbers/],
    ['bytes that do not fit the shape', entry({ shape: [2] }), /8 bytes for a, got "4 bytes"/],
    ['a gap', entry({ shape: [0], data_offsets: [4, 4] }), /begin at byte 0/],
    ['bytes after the last tensor', safetensorsFile({}, four), /no longer/],
    [
      'bytes past the end',
      safetensorsFile({ a: { dtype: 'F32', shape: [2], data_offsets: [0, 8] } }, four),
      /long enough/,
    ],
    ['metadata that is no text', safetensorsFile({ __metadata__: { a: 1 } }), /strings/],
  ])('%s', async (_, source, message) => {
    const parsing = parseSafetensors(source as ArrayBuffer);
    await expect(parsing).rejects.toThrow(PosencError);
    await expect(parsing).rejects.toThrow(message);
  });
});
