import { parseNpy, PosencError } from 'posenc';
import { describe, expect, test } from 'vitest';
import { Bytes } from '../support/gguf-file.ts';
import { randomFrom } from '../support/random.ts';
import { describeVariants } from '../support/variants.ts';

/** A file as numpy/lib/_format_impl.py writes it. */
function npyFile(header: string, data: ArrayBuffer, version = 1): ArrayBuffer {
  const text = new TextEncoder().encode(header);
  const file = new Bytes().raw([0x93]).raw(new TextEncoder().encode('NUMPY')).u8(version).u8(0);
  (version === 1 ? file.u16 : file.u32)(text.length);
  return file.raw(text).raw(new Uint8Array(data)).done();
}

function headerOf(descr: string, shape: string, isFortran = false): string {
  return `{'descr': '${descr}', 'fortran_order': ${isFortran ? 'True' : 'False'}, 'shape': ${shape}, }   \n`;
}

/** 0.5, −2, 1024, 6.1e-5 in the bits of each type. */
const VALUES = [0.5, -2, 1024, 2 ** -14];
const WRITERS: Readonly<Record<string, (to: Bytes, value: number, i: number) => Bytes>> = {
  f2: (to, _, i) => to.u16([0x3800, 0xc000, 0x6400, 0x0400][i]!),
  f4: (to, value) => to.f32(value),
  f8: (to, value) => to.f64(value),
};

describe.each(['f2', 'f4', 'f8'])('numbers of type %s', (type) => {
  test.each(['<', '>'])('in the byte order %s', (order) => {
    const data = VALUES.reduce((to, value, i) => WRITERS[type]!(to, value, i), new Bytes(order === '<')).done();
    expect(parseNpy(npyFile(headerOf(order + type, '(4,)'), data))).toEqual({
      data: Float32Array.from(VALUES),
      shape: [4],
    });
  });
});

test('every version of the header is read, and quotes of either kind', () => {
  const data = new Bytes().f32(7).done();
  for (const version of [1, 2, 3]) expect(parseNpy(npyFile(headerOf('<f4', '()'), data, version)).data[0]).toBe(7);
  const header = '{"shape": (1, 1), "descr": "<f4", "fortran_order": False}';
  expect(parseNpy(npyFile(header, data))).toEqual({ data: Float32Array.of(7), shape: [1, 1] });
});

test('the order of Fortran becomes that of C', () => {
  // numpy.asfortranarray(numpy.arange(24).reshape(2, 3, 4)): the first axis is the innermost.
  const data = new Bytes();
  for (let c = 0; c < 4; ++c) for (let b = 0; b < 3; ++b) for (let a = 0; a < 2; ++a) data.f64(12 * a + 4 * b + c);
  const { data: floats, shape } = parseNpy(npyFile(headerOf('<f8', '(2, 3, 4)', true), data.done()));
  expect(shape).toEqual([2, 3, 4]);
  expect(Array.from(floats)).toEqual(Array.from({ length: 24 }, (_, i) => i));
});

test('an array without numbers is read', () => {
  expect(parseNpy(npyFile(headerOf('<f4', '(0, 3)', true), new ArrayBuffer(0)))).toEqual({
    data: new Float32Array(0),
    shape: [0, 3],
  });
});

describe('what is no such file is refused', () => {
  const four = new ArrayBuffer(16);
  test.each([
    ['no ArrayBuffer', new Uint8Array(64), /bytes must be an ArrayBuffer/],
    ['nothing', new ArrayBuffer(0), /a .npy file/],
    ['another format', new ArrayBuffer(64), /a .npy file/],
    ['version 4', npyFile(headerOf('<f4', '(4,)'), four, 4), /version 1, 2 or 3/],
    ['a header cut off', npyFile(headerOf('<f4', '(4,)'), four).slice(0, 40), /long enough for a header/],
    ['integers', npyFile(headerOf('<i4', '(4,)'), four), /type f2, f4 or f8/],
    ['records', npyFile("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (4,)}", four), /descr/],
    ['objects', npyFile(headerOf('|O', '(4,)'), four), /type f2, f4 or f8/],
    ['a shape of texts', npyFile(headerOf('<f4', "('a',)"), four), /shape/],
    ['too few numbers', npyFile(headerOf('<f4', '(5,)'), four), /5 numbers of 4 bytes/],
    ['too many numbers', npyFile(headerOf('<f4', '(3,)'), four), /3 numbers of 4 bytes/],
    ['more numbers than exist', npyFile(headerOf('<f4', '(9007199254740991, 9007199254740991)'), four), /numbers/],
  ])('%s', (_, bytes, message) => {
    const parse = () => parseNpy(bytes as ArrayBuffer);
    expect(parse).toThrow(PosencError);
    expect(parse).toThrow(message);
  });
});

await describeVariants('two files', (encodings) => {
  test('A6: before and after a rotation tell its convention', () => {
    const [length, headDim] = [1088, 64];
    const random = randomFrom(6);
    const [before, after] = [new Bytes(), new Bytes()];
    for (let position = 0; position < length; ++position) {
      for (let pair = 0; pair < headDim / 2; ++pair) {
        const [a, b] = [random() - 0.5, random() - 0.5].map(Math.fround) as [number, number];
        const angle = position * 10000 ** ((-2 * pair) / headDim);
        before.f32(a).f32(b);
        after.f32(a * Math.cos(angle) - b * Math.sin(angle)).f32(a * Math.sin(angle) + b * Math.cos(angle));
      }
    }
    const header = headerOf('<f4', '(1088, 1, 64)');
    const [x, y] = [before, after].map((data) => parseNpy(npyFile(header, data.done()))) as [
      ReturnType<typeof parseNpy>,
      ReturnType<typeof parseNpy>,
    ];
    expect(x.shape).toEqual([length, 1, headDim]);
    const [guess] = encodings.detectConvention({ before: x.data, after: y.data, length, heads: 1, headDim });
    expect(guess).toMatchObject({ pairing: 'interleaved', sign: 1, rotaryDim: headDim, offset: 0 });
    expect(guess!.base).toBeCloseTo(10000, 0);
    expect(guess!.residual).toBeLessThan(1e-6);
  });
});
