import { expect, test } from 'vitest';
import { meaning } from '../../support/half.ts';
import { randomFloats } from '../../support/oracle.ts';
import { describeVariants } from '../../support/variants.ts';

const everyBits = Uint16Array.from({ length: 65_536 }, (_, bits) => bits);

/** The engine's Float16Array; of an engine without one, an array whose name and bits are the same. */
const Float16 = (globalThis as { Float16Array?: unknown }).Float16Array as
  (new (buffer: ArrayBufferLike, byteOffset: number, length: number) => object) | undefined;
class NamedLikeFloat16 extends Uint16Array<ArrayBufferLike> {
  override get [Symbol.toStringTag](): 'Uint16Array' {
    return 'Float16Array' as unknown as 'Uint16Array';
  }
}

await describeVariants('half-precision tensors', (encodings) => {
  const rows = 256;
  const positions = Array.from({ length: rows }, (_, row) => row);
  const widened = (table: object) => encodings.learned({ table: table as never, rows, dim: rows, positions });
  const float16 = Float32Array.from(everyBits, (bits) => meaning(bits, 'f16'));

  test('become the floats of the same value, all 65 536 of each format', () => {
    expect(widened({ f16: everyBits })).toEqual(float16);
    expect(widened({ bf16: everyBits })).toEqual(Float32Array.from(everyBits, (bits) => meaning(bits, 'bf16')));
  });

  test('may be a Float16Array, also one that starts inside of its memory', () => {
    const shifted = Uint16Array.of(7, 7, ...everyBits);
    expect(widened(new NamedLikeFloat16(shifted.buffer, 4, everyBits.length))).toEqual(float16);
  });

  test.skipIf(Float16 === undefined)("may be the engine's own Float16Array", () => {
    const array = new (Float16 as NonNullable<typeof Float16>)(everyBits.buffer, 0, everyBits.length);
    expect(widened(array)).toEqual(float16);
  });

  test('are turned in a copy, beside floats and buffers', () => {
    const length = 3;
    const sizes = { length, heads: 2, headDim: 4 };
    const bits = Uint16Array.from(randomFloats(24, 1), (value) => 0x3c00 + Math.round(value * 1000));
    const copy = bits.slice();
    const values = Float32Array.from(bits, (half) => meaning(half, 'f16'));
    const params = { headDim: 4 };
    const expected = encodings.rope({ x: values, params, ...sizes });
    expect(encodings.rope({ x: { f16: bits }, params, ...sizes })).toEqual(expected);
    expect(bits).toEqual(copy);
    const out = encodings.buffer(24);
    encodings.rope({ x: { f16: bits }, params, ...sizes, out });
    expect(out.view()).toEqual(expected);
    out.dispose();

    const call = { query: values, key: values, value: values, heads: 2, queryLength: length, keyLength: length };
    const attended = encodings.attention({ ...call, headDim: 4 });
    expect(encodings.attention({ ...call, key: { f16: bits }, value: { f16: bits }, headDim: 4 })).toEqual(attended);
  });

  test('work as masks and biases', () => {
    const [heads, queryLength, keyLength, headDim] = [2, 3, 5, 4];
    const [query, key, value] = [1, 2, 3].map((seed) => randomFloats(heads * keyLength * headDim, seed));
    const call = { query: query!.subarray(0, 24), key: key!, value: value!, heads, queryLength, keyLength, headDim };
    const [one, minusInfinity] = [0x3c00, 0xfc00];
    const cells = Uint16Array.from({ length: 15 }, (_, i) => (i % 4 === 1 ? minusInfinity : i % 3 === 0 ? one : 0));
    const mask = Float32Array.from(cells, (bits) => meaning(bits, 'f16'));
    expect(encodings.attention({ ...call, mask: { f16: cells } })).toEqual(encodings.attention({ ...call, mask }));
    const bias = randomFloats(30, 9).map((half) => Math.fround(Math.round(half * 8) / 8));
    const brain = Uint16Array.from(new Uint32Array(bias.buffer), (bits) => bits >>> 16); // eighths are exact in bfloat16
    expect(encodings.attention({ ...call, bias: { bf16: brain } })).toEqual(encodings.attention({ ...call, bias }));
  });
});
