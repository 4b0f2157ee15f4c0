import { ropeFrequencies, type Dtype } from 'posenc';
import { expect, test } from 'vitest';
import { expectNear } from '../../support/compare.ts';
import { numbers, type Stored } from '../../support/data.ts';
import { openFixture } from '../../support/fixture.ts';
import { randomFloats } from '../../support/oracle.ts';
import { describeVariants } from '../../support/variants.ts';

interface InvarianceCase {
  op: 'invariance';
  dim: number;
  base: number;
  delta: number;
  offsets: Stored;
  kind: string;
  error: Stored;
}
const cases = openFixture<InvarianceCase>('analysis', 'invariance');

await describeVariants('verifyRelative', (encodings) => {
  const ones = (length: number) => new Float32Array(length).fill(1);
  const stages = (dtype: Dtype) => ({ position: dtype, invFreq: dtype, angle: dtype });

  test.each(cases.where(({ kind }) => kind !== 'f32_iter'))(
    'gives the residuals of angles in $kind',
    ({ dim, base, delta, offsets, kind, error }) => {
      const found = encodings.verifyRelative({
        query: ones(dim),
        key: ones(dim),
        params: { headDim: dim, base },
        distance: delta,
        shifts: numbers(offsets),
        precision: stages(kind as Dtype),
      });
      expect(found.map(({ shift }) => shift)).toEqual([...numbers(offsets)]);
      // The fixture divides the score by the width. Its own float64 angles are off by up to 1e-10 at a million.
      const residuals = found.map(({ residual }) => residual / dim);
      expectNear(residuals, numbers(error), { absolute: kind === 'f64' ? 1e-10 : 1e-9 });
    },
  );

  test.each(cases.where(({ kind }) => kind === 'f32_iter'))(
    'is not needed for angles that follow from pair to pair: the residuals of $kind',
    ({ dim, base, delta, offsets, error }) => {
      const { invFreq } = ropeFrequencies({ headDim: dim, base });
      const ratio = Math.fround((invFreq[1] as number) / (invFreq[0] as number));
      const anglesAt = (position: number) => {
        let angle = Math.fround(position);
        return invFreq.map((_, pair) => (angle = pair === 0 ? angle : Math.fround(angle * ratio)));
      };
      const residuals = Array.from(numbers(offsets), (offset) => {
        const [from, to] = [anglesAt(offset), anglesAt(offset + delta)];
        // The kernel at distance 1 of the angles between them is the score of ones, over the width.
        const turns = from.map((angle, pair) => (to[pair] as number) - angle);
        const score = encodings.distanceKernel({ invFreq: turns, distances: [1] })[0] as number;
        const exact = encodings.distanceKernel({ invFreq, distances: [delta] })[0] as number;
        return Math.abs(score - exact);
      });
      expectNear(residuals, numbers(error), { absolute: 1e-12 });
    },
  );

  test('finds the score unchanged at every shift when the stages are exact', () => {
    const params = { headDim: 128, base: 5e5 };
    const found = encodings.verifyRelative({
      query: randomFloats(128, 12),
      key: randomFloats(128, 13),
      params,
      distance: 5,
      shifts: [0, 1, 100, 1_000_000, 2 ** 31 - 5, -(2 ** 31)],
    });
    for (const { residual } of found) expect(residual).toBeLessThan(1e-13);
  });

  test('gives NaN where a stage overflows', () => {
    const call = { query: ones(2), key: ones(2), params: { headDim: 2 }, distance: 1 };
    const [entry] = encodings.verifyRelative({ ...call, shifts: [100_000], precision: { position: 'f16' } });
    expect(entry?.residual).toBeNaN();
  });
});
