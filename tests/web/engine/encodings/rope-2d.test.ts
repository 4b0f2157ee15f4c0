import { ropeFrequencies, type Rope2dOptions, type RopeParams } from 'posenc';
import { expect, test } from 'vitest';
import { expectNear } from '../../support/compare.ts';
import { floats, numbers, shape, type Stored } from '../../support/data.ts';
import { openFixture } from '../../support/fixture.ts';
import { exactCosSin, randomFloats } from '../../support/oracle.ts';
import { describeVariants } from '../../support/variants.ts';

interface TwoAxesCase {
  op: string;
  mask_position: number | null;
  kind: 'lang' | 'pixel';
  shape: [number, number];
  max_freq: number;
  positions: Stored;
  rows: Stored;
  cols: Stored;
  x: Stored;
  out: Stored;
}
const cases = openFixture<TwoAxesCase>('rope_multi_axis', 'chatglm2d', 'vision2d', 'axial');
const named = (name: string): TwoAxesCase[] => cases.where(({ op }) => op === name);

const variants = ['chatglm', 'vision', 'axial'] as const;
type Variant = (typeof variants)[number];

/** The two channels of a pair, the first half of which turns by the row, and the frequency they share. */
function channels(pair: number, rotaryDim: number, variant: Variant): [number, number] {
  const n = rotaryDim / 4;
  if (variant === 'axial') return [2 * pair, 2 * pair + 1];
  if (variant === 'vision') return [pair, pair + 2 * n];
  const first = pair < n ? pair : pair + n;
  return [first, first + n];
}

/** x `[heads, length, headDim]` as the formula says, in double precision. */
function oracle(x: ArrayLike<number>, { rotaryDim, headDim, variant, rows, columns }: OracleOptions): Float64Array {
  const out = Float64Array.from(x);
  const { invFreq } = ropeFrequencies({ headDim: rotaryDim / 2 });
  for (let head = 0; head < x.length / headDim; ++head) {
    const token = head % rows.length;
    for (let pair = 0; pair < rotaryDim / 2; ++pair) {
      const byRow = pair < rotaryDim / 4;
      const position = (byRow ? rows : columns)[token] as number;
      const [cos, sin] = exactCosSin(position, invFreq[pair % (rotaryDim / 4)] as number);
      const [i, j] = channels(pair, rotaryDim, variant).map((c) => head * headDim + c) as [number, number];
      out[i] = (x[i] as number) * cos - (x[j] as number) * sin;
      out[j] = (x[i] as number) * sin + (x[j] as number) * cos;
    }
  }
  return out;
}
interface OracleOptions {
  rotaryDim: number;
  headDim: number;
  variant: Variant;
  rows: readonly number[];
  columns: readonly number[];
}

/** Rows and columns of a grid, row by row. */
function grid([rows, columns]: readonly [number, number]): { rows: number[]; columns: number[] } {
  const cells = Array.from({ length: rows * columns }, (_, cell) => cell);
  return { rows: cells.map((cell) => Math.floor(cell / columns)), columns: cells.map((cell) => cell % columns) };
}

await describeVariants('rope2d', (encodings) => {
  const tensorOf = (entry: TwoAxesCase) => {
    const [heads, length, headDim] = shape(entry.x) as [number, number, number];
    return { x: floats(entry.x), params: { headDim }, format: 'bhsd', length, heads, headDim } as const;
  };

  test.each(named('chatglm2d'))('matches the reference: ChatGLM with mask position $mask_position', (entry) => {
    const call = tensorOf(entry);
    const positions = [...numbers(entry.positions)];
    const [rows, columns] = [positions.slice(0, call.length), positions.slice(call.length)];
    const turned = encodings.rope2d({ ...call, variant: 'chatglm', rows, columns });
    expectNear(turned, numbers(entry.out), { absolute: 2e-6 });
  });

  test.each(named('vision2d'))('matches the reference: vision', (entry) => {
    const [rows, columns] = [numbers(entry.rows), numbers(entry.cols)];
    const turned = encodings.rope2d({ ...tensorOf(entry), variant: 'vision', rows, columns });
    expectNear(turned, numbers(entry.out), { absolute: 2e-6 });
  });

  test.each(named('axial'))('matches the reference: axial, $kind', (entry) => {
    const [rows, columns] = entry.shape;
    const turned = encodings.rope2d({
      ...tensorOf(entry),
      variant: 'axial',
      ...grid(entry.shape),
      ...(entry.kind === 'pixel' && { pixels: { rows, columns, maxFrequency: entry.max_freq } }),
    });
    expectNear(turned, numbers(entry.out), { absolute: 2e-6 });
  });

  test.each(variants)('agrees with the formula for every width, %s', (variant) => {
    for (let headDim = 4; headDim <= 70; headDim += 3) {
      for (const rotaryDim of new Set([4, 4 * Math.floor(headDim / 4)])) {
        const [heads, length] = [2, 5];
        const rows = [0, 3, -5, 2 ** 31, 7];
        const columns = [1, 0, 131_071, -(2 ** 31), 7];
        const x = randomFloats(heads * length * headDim, headDim);
        const params = { headDim, rotaryDim };
        const turned = encodings.rope2d({ x, params, variant, format: 'bhsd', length, heads, headDim, rows, columns });
        expectNear(turned, oracle(x, { headDim, rotaryDim, variant, rows, columns }), { absolute: 3e-7 });
      }
    }
  });

  test.each(variants)('takes both formats, and rows and columns per sequence, %s', (variant) => {
    const [batch, length, heads, headDim] = [2, 3, 2, 12];
    const params = { headDim, rotaryDim: 8 };
    const [rows, columns] = [
      [0, 0, 1, 9, 8, 7],
      [5, 6, 0, 1, 1, 40],
    ];
    const x = randomFloats(batch * length * heads * headDim, 40);
    const call = { x, params, variant, batch, length, heads, headDim, rows, columns };
    const bhsd = encodings.rope2d({ ...call, format: 'bhsd' });
    const bshd = encodings.rope2d(call);
    const half = x.length / batch;
    for (let b = 0; b < batch; ++b) {
      const own = [b * length, (b + 1) * length] as const;
      const at = { rows: rows.slice(...own), columns: columns.slice(...own) };
      const part = [b * half, (b + 1) * half] as const;
      const expected = oracle(x.subarray(...part), { headDim, rotaryDim: 8, variant, ...at });
      expectNear(bhsd.subarray(...part), expected, { absolute: 3e-7 });
      // In bshd, heads are neighbours: each token comes once per head.
      const each = (values: number[]) => values.flatMap((value) => Array<number>(heads).fill(value));
      const spread = { rows: each(at.rows), columns: each(at.columns) };
      const other = oracle(x.subarray(...part), { headDim, rotaryDim: 8, variant, ...spread });
      expectNear(bshd.subarray(...part), other, { absolute: 3e-7 });
    }
  });

  test.each(variants)('scores by the differences of rows and of columns only, %s', (variant) => {
    const headDim = 16;
    const [query, key] = [randomFloats(headDim, 41), randomFloats(headDim, 42)];
    const turn = (x: Float32Array, row: number, column: number) =>
      encodings.rope2d({
        x,
        params: { headDim },
        variant,
        length: 1,
        heads: 1,
        headDim,
        rows: [row],
        columns: [column],
      });
    const score = (dr: number, dc: number) => {
      const [q, k] = [turn(query, 3 + dr, 8 + dc), turn(key, 1 + dr, 9 + dc)];
      return q.reduce((sum, value, c) => sum + value * (k[c] as number), 0);
    };
    for (const [dr, dc] of [
      [5, 0],
      [0, 90],
      [1000, -3000],
    ] as const) {
      expect(score(dr, dc)).toBeCloseTo(score(0, 0), 5);
    }
  });

  test.each(variants)('turns back and works in place, %s', (variant) => {
    const headDim = 8;
    const x = randomFloats(headDim, 43);
    const call = { params: { headDim }, variant, length: 1, heads: 1, headDim, rows: [12], columns: [-7] };
    const turned = encodings.rope2d({ ...call, x });
    expectNear(encodings.rope2d({ ...call, x: turned, inverse: true }), x, { absolute: 3e-7 });
    const buffer = encodings.buffer(headDim);
    buffer.set(x);
    expect(encodings.rope2d({ ...call, x: buffer, out: buffer })).toBe(buffer);
    expect(buffer.view()).toEqual(turned);
    buffer.dispose();
  });

  test('scales both axes as the type says, and takes the attention factor', () => {
    const headDim = 8;
    const x = randomFloats(headDim, 44);
    const call = { x, variant: 'vision', length: 1, heads: 1, headDim } as const;
    const params: RopeParams = { headDim, type: 'linear', factor: 4, attentionFactor: 2 };
    const scaled = encodings.rope2d({ ...call, params, rows: [12], columns: [400] });
    const plain = encodings.rope2d({ ...call, params: { headDim }, rows: [3], columns: [100] });
    expectNear(
      scaled,
      plain.map((value) => 2 * value),
      { absolute: 5e-7 },
    );
  });

  test('places the pixels of a grid from −1 to 1, and a lone one at −1', () => {
    const headDim = 4;
    const x = Float32Array.of(1, 0, 1, 0); // pairs (0, 1) and (2, 3): cosine and sine of the row, of the column
    const call = { x, params: { headDim }, variant: 'axial', length: 1, heads: 1, headDim } as const;
    for (const [row, y] of [-1, -0.5, 0, 0.5, 1].entries()) {
      const pixels = { rows: 5, columns: 1 };
      const turned = encodings.rope2d({ ...call, rows: [row], columns: [0], pixels });
      const angles = [Math.PI * y, Math.PI * -1];
      const expected = angles.flatMap((angle) => [Math.cos(angle), Math.sin(angle)]);
      expectNear(turned, expected, { absolute: 1e-7 });
    }
  });

  test.each([
    ['variant', { variant: 'Vision' }],
    ['variant', { variant: undefined }],
    ['params.pairing', { params: { headDim: 8, pairing: 'interleaved' } }],
    ['params.pairing', { params: { headDim: 8, pairing: 'half' }, variant: 'axial' }],
    ['params.rotaryDim', { params: { headDim: 8, rotaryDim: 6 } }],
    ['params.rotaryDim', { params: { headDim: 8, rotaryDim: 3 } }],
    ['rows', { rows: undefined }],
    ['rows', { rows: [1, 2] }],
    ['columns', { columns: null }],
    ['columns', { columns: [2 ** 31 + 1] }],
    ['columns', { columns: [0, 0] }],
    ['positions', { positions: [0] }],
    ['pixels', { pixels: 3 }],
    ['pixels.rows', { pixels: { columns: 2 } }],
    ['pixels.columns', { pixels: { rows: 2, columns: 0 } }],
    ['pixels.maxFrequency', { pixels: { rows: 2, columns: 2, maxFrequency: 0 } }],
    ['rows', { rows: [2], pixels: { rows: 2, columns: 2 } }],
    ['columns', { columns: [-1], pixels: { rows: 2, columns: 2 } }],
  ])('refuses a wrong %s: %o', (argument, change) => {
    const out = new Float32Array(8).fill(7);
    const call = {
      x: new Float32Array(8),
      params: { headDim: 8 },
      variant: 'vision',
      length: 1,
      heads: 1,
      headDim: 8,
      rows: [0],
      columns: [0],
      out,
    } as const;
    expect(() => encodings.rope2d({ ...call, ...(change as Partial<Rope2dOptions>) })).toThrowError(
      expect.objectContaining({ name: 'PosencError', argument }),
    );
    expect(out).toEqual(new Float32Array(8).fill(7));
  });

  test('takes the pairing that the variant has', () => {
    const call = { x: randomFloats(8, 45), length: 1, heads: 1, headDim: 8, rows: [3], columns: [4] };
    for (const [variant, pairing] of [
      ['chatglm', 'neox'],
      ['vision', 'half'],
      ['axial', 'gptj'],
    ] as const) {
      const plain = encodings.rope2d({ ...call, variant, params: { headDim: 8 } });
      expect(encodings.rope2d({ ...call, variant, params: { headDim: 8, pairing } })).toEqual(plain);
    }
  });
});
