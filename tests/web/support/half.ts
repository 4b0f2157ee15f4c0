/** The formats of half precision: bits of the exponent and of the fraction, after one for the sign. */
const FORMATS = { f16: [5, 10], bf16: [8, 7] } as const;

/** What 16 bits stand for, as IEEE 754 defines a binary format. */
export function meaning(bits: number, format: keyof typeof FORMATS): number {
  const [exponentBits, fractionBits] = FORMATS[format];
  const sign = bits >> 15 === 0 ? 1 : -1;
  const exponent = (bits >> fractionBits) & (2 ** exponentBits - 1);
  const fraction = (bits & (2 ** fractionBits - 1)) / 2 ** fractionBits;
  const bias = 2 ** (exponentBits - 1) - 1;
  if (exponent === 2 ** exponentBits - 1) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (exponent === 0 ? fraction * 2 ** (1 - bias) : (1 + fraction) * 2 ** (exponent - bias));
}

/** The bits of binary16 that `values` stand for, each the shortest decimal that rounds to its number. */
export function float16(values: ArrayLike<number>): { f16: Uint16Array } {
  return { f16: Uint16Array.from(values, nearest) };
}

function nearest(value: number): number {
  const magnitude = Math.abs(value);
  let [low, high] = [0, 0x7c00]; // bits count up with what they stand for, to infinity
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (meaning(middle, 'f16') <= magnitude) low = middle;
    else high = middle;
  }
  const isHigh = magnitude === Infinity || magnitude - meaning(low, 'f16') > meaning(high, 'f16') - magnitude;
  return (value < 0 ? 0x8000 : 0) | (isHigh ? high : low);
}
