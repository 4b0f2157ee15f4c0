import { ropeFrequencies, type MropeOptions, type RopeParams } from 'posenc';
import { expect, test } from 'vitest';
import { expectNear } from '../../support/compare.ts';
import { floats, numbers, shape, type Stored } from '../../support/data.ts';
import { openFixture } from '../../support/fixture.ts';
import { exactCosSin, randomFloats } from '../../support/oracle.ts';
import { describeVariants } from '../../support/variants.ts';

interface MropeCase {
  op: string;
  mode: 'chunked' | 'interleaved';
  section: number[];
  base: number;
  positions: Stored;
  angles: Stored;
  x: Stored;
  out: Stored;
}
const cases = openFixture<MropeCase>('rope_multi_axis', 'mrope');

/** The axis of each pair, read off the description of the model: 0 time, 1 height, 2 width. */
function axisOf(pair: number, section: readonly number[], interleaved: boolean): number {
  const [time, height] = section as [number, number, number];
  if (!interleaved) return pair < time ? 0 : pair < time + height ? 1 : 2;
  const axis = pair % 3;
  return pair < 3 * (section[axis] as number) ? axis : 0;
}

/** The axes by which the pairs of a head turn: what is moved along one axis alone turns the pairs of that axis alone. */
function axesOfPairs(encodings: Parameters<Parameters<typeof describeVariants>[1]>[0], params: RopeParams): string {
  const { headDim } = params;
  const pairs = headDim / 2;
  const x = new Float32Array(headDim).fill(1);
  const moved = [0, 1, 2].map((axis) =>
    encodings.mrope({ x, params, length: 1, heads: 1, headDim, positions: [0, 1, 2].map((a) => Number(a === axis)) }),
  );
  return Array.from({ length: pairs }, (_, pair) =>
    moved.flatMap((turned, axis) => (turned[pair] === 1 && turned[pair + pairs] === 1 ? [] : ['thw'[axis]])).join(''),
  ).join('');
}

await describeVariants('mrope', (encodings) => {
  test.each(cases.all)('matches the reference: sections $section, $mode', (entry) => {
    const [heads, length, headDim] = shape(entry.x) as [number, number, number];
    const params: RopeParams = {
      headDim,
      base: entry.base,
      type: 'mrope',
      mropeSection: entry.section,
      mropeInterleaved: entry.mode === 'interleaved',
    };
    const call = { params, format: 'bhsd', length, heads, headDim, positions: numbers(entry.positions) } as const;
    const turned = encodings.mrope({ ...call, x: floats(entry.x) });
    expectNear(turned, numbers(entry.out), { absolute: 2e-6 });
    // Ones at the first channel of each pair show the cosines and sines of the angles.
    const pairs = headDim / 2;
    const ones = Float32Array.from({ length: length * headDim }, (_, i) => Number(i % headDim < pairs));
    const angles = numbers(entry.angles);
    const expected = Float64Array.from(ones, (_, i) => {
      const angle = angles[Math.floor(i / headDim) * pairs + (i % pairs)] as number;
      return i % headDim < pairs ? Math.cos(angle) : Math.sin(angle);
    });
    expectNear(encodings.mrope({ ...call, heads: 1, x: ones }), expected, { absolute: 1e-7 });
  });

  test('lets the axes of Qwen3-VL take turns, and gives what is left to time', () => {
    const params = { headDim: 128, base: 5e6, mropeSection: [24, 20, 20], mropeInterleaved: true };
    expect(axesOfPairs(encodings, params)).toBe('thw'.repeat(20) + 'tttt');
  });

  test.each([[[16, 24, 23]], [[16, 24, 25]], [[64, 24, 24]], [[0, 0, 0]]])(
    'refuses sections %j, which are not all 64 pairs',
    (mropeSection) => {
      const params = { headDim: 128, mropeSection };
      const call = { x: new Float32Array(128), params, length: 1, heads: 1, headDim: 128, positions: [0, 0, 0] };
      expect(() => encodings.mrope(call)).toThrowError(
        expect.objectContaining({
          name: 'PosencError',
          code: 'bad-argument',
          argument: 'params.mropeSection',
          got: mropeSection,
          message: expect.stringMatching(/64.*got .* = \d+/) as string,
        }),
      );
    },
  );

  test('equals rope for text, whose three positions are equal', () => {
    const [length, headDim] = [6, 16];
    const x = randomFloats(length * headDim, 30);
    const line = [5, 6, 7, 8, 1000, 131_071];
    for (const mropeInterleaved of [false, true]) {
      for (const pairing of ['half', 'interleaved'] as const) {
        const params = { headDim, pairing, mropeSection: [2, 3, 3], mropeInterleaved };
        const call = { x, params, length, heads: 1, headDim };
        const turned = encodings.mrope({ ...call, positions: [...line, ...line, ...line] });
        expectNear(turned, encodings.rope({ ...call, positions: line }), { absolute: 2e-7 });
      }
    }
  });

  test('agrees with the formula for sequences of their own positions, in both formats and part of the width', () => {
    const [batch, length, heads, headDim, rotaryDim] = [2, 3, 2, 14, 12];
    const section = [1, 3, 2];
    const positions = Array.from(randomFloats(3 * batch * length, 31), (v) => Math.round(v * 1e5));
    const { invFreq } = ropeFrequencies({ headDim, rotaryDim });
    const x = randomFloats(batch * length * heads * headDim, 32);
    for (const interleaved of [false, true]) {
      for (const format of ['bshd', 'bhsd'] as const) {
        const params = { headDim, rotaryDim, mropeSection: section, mropeInterleaved: interleaved };
        const turned = encodings.mrope({ x, params, format, batch, length, heads, headDim, positions });
        const expected = Float64Array.from(x, (value, i) => {
          const channel = i % headDim;
          if (channel >= rotaryDim) return value;
          const row = Math.floor(i / headDim);
          const perBatch = length * heads;
          const token = format === 'bshd' ? Math.floor((row % perBatch) / heads) : row % length;
          const pair = channel % (rotaryDim / 2);
          const axis = axisOf(pair, section, interleaved);
          const position = positions[(axis * batch + Math.floor(row / perBatch)) * length + token] as number;
          const [cos, sin] = exactCosSin(position, invFreq[pair] as number);
          const a = x[row * headDim + pair] as number;
          const b = x[row * headDim + pair + rotaryDim / 2] as number;
          return channel === pair ? a * cos - b * sin : a * sin + b * cos;
        });
        expectNear(turned, expected, { absolute: 3e-7 });
      }
    }
  });

  test('turns back, scales with every type, and works in place', () => {
    const [length, headDim] = [2, 8];
    const x = randomFloats(length * headDim, 33);
    const positions = [0, 1000, 7, 7, 0, 3];
    const params: RopeParams = { headDim, type: 'linear', factor: 4, mropeSection: [2, 1, 1] };
    const call = { params, length, heads: 1, headDim, positions };
    const turned = encodings.mrope({ ...call, x });
    expectNear(encodings.mrope({ ...call, x: turned, inverse: true }), x, { absolute: 3e-7 });
    const slower = { ...call, params: { headDim, mropeSection: [2, 1, 1] }, positions: [0, 250, 7, 7, 0, 3] };
    const time = [0, 1, 4, 5]; // channels of the pairs that turn by time
    const unscaled = encodings.mrope({ ...slower, x });
    expectNear(
      time.map((c) => turned[headDim + c] as number),
      time.map((c) => unscaled[headDim + c] as number),
      { absolute: 3e-7 },
    );
    const buffer = encodings.buffer(x.length);
    buffer.set(x);
    expect(encodings.mrope({ ...call, x: buffer, out: buffer })).toBe(buffer);
    expect(buffer.view()).toEqual(turned);
    buffer.dispose();
  });

  test.each([
    ['params.mropeSection', { params: { headDim: 8 } }],
    ['params.mropeSection', { params: { headDim: 8, mropeSection: [2, 2] } }],
    ['params.mropeSection', { params: { headDim: 8, mropeSection: [1, 1, 1, 1] } }],
    ['params.mropeSection', { params: { headDim: 8, mropeSection: [5, -1, 0] } }],
    ['params.mropeSection', { params: { headDim: 8, mropeSection: [1.5, 1.5, 1] } }],
    ['params.mropeInterleaved', { params: { headDim: 8, mropeSection: [2, 1, 1], mropeInterleaved: 1 } }],
    ['positions', { positions: undefined }],
    ['positions', { positions: [0, 0] }],
    ['positions', { positions: [0, 0, 0.5] }],
    ['start', { start: 5 }],
    ['inverse', { inverse: 'yes' }],
  ])('refuses a wrong %s: %o', (argument, change) => {
    const out = new Float32Array(8).fill(7);
    const params = { headDim: 8, mropeSection: [2, 1, 1] };
    const call = { x: new Float32Array(8), params, length: 1, heads: 1, headDim: 8, positions: [0, 0, 0], out };
    expect(() => encodings.mrope({ ...call, ...(change as Partial<MropeOptions>) })).toThrowError(
      expect.objectContaining({ name: 'PosencError', argument }),
    );
    expect(out).toEqual(new Float32Array(8).fill(7));
  });
});
