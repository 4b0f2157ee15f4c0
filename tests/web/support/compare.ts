import { expect } from 'vitest';

/** Checks every element: |actual − expected| ≤ absolute + relative × |expected|; infinities and NaN have to be the same. */
export function expectNear(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  { absolute = 0, relative = 0 }: { absolute?: number; relative?: number },
): void {
  expect(actual.length).toBe(expected.length);
  for (let i = 0; i < actual.length; ++i) {
    const [a, e] = [actual[i] as number, expected[i] as number];
    if (Object.is(a, e) || a === e) continue;
    const error = Math.abs(a - e);
    if (!(error <= absolute + relative * Math.abs(e))) expect.fail(`element ${i}: got ${a}, expected ${e}`);
  }
}

/** The bound for attention: 5e-6 of the largest expected value. */
export function expectAttention(actual: ArrayLike<number>, expected: ArrayLike<number>): void {
  let largest = 0;
  for (let i = 0; i < expected.length; ++i) {
    if (Number.isFinite(expected[i])) largest = Math.max(largest, Math.abs(expected[i] as number));
  }
  expectNear(actual, expected, { absolute: 5e-6 * largest });
}

/** How far a float is from a value, in units of the last place of the float nearest to that value. */
export function ulpError(actual: number, exact: number): number {
  return Math.abs(actual - exact) / ulpOf(exact);
}

/** Checks that floats are within 0.51 ulp of values known to double precision. */
export function expectUlp(actual: ArrayLike<number>, exact: ArrayLike<number>, bound = 0.51): void {
  expect(actual.length).toBe(exact.length);
  for (let i = 0; i < actual.length; ++i) {
    const error = ulpError(actual[i] as number, exact[i] as number);
    if (!(error <= bound)) expect.fail(`element ${i}: ${error} ulp off, got ${actual[i]}, expected ${exact[i]}`);
  }
}

function ulpOf(value: number): number {
  const exponent = Math.max(-126, Math.floor(Math.log2(Math.abs(value)) + 1e-15));
  return value === 0 ? 2 ** -149 : 2 ** (exponent - 23);
}
