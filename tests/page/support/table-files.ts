/** A tensor to be written. */
export interface Tensor {
  readonly dtype: 'F32' | 'I64';
  readonly shape: readonly number[];
  readonly values: readonly number[];
}

/** A `.safetensors` file, as huggingface/safetensors describes it. */
export function safetensorsFile(tensors: Readonly<Record<string, Tensor>>): Buffer {
  let end = 0;
  const parts: Buffer[] = [];
  const entries = Object.entries(tensors).map(([name, { dtype, shape, values }]) => {
    const numbers = dtype === 'F32' ? Float32Array.from(values) : BigInt64Array.from(values, BigInt);
    parts.push(Buffer.from(numbers.buffer));
    const begin = end;
    end += numbers.byteLength;
    return [name, { dtype, shape, data_offsets: [begin, end] }] as const;
  });
  const header = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([length, header, ...parts]);
}

/** A `.npy` file of float64 of version 1. */
export function npyFile(shape: readonly number[], values: readonly number[]): Buffer {
  const text = `{'descr': '<f8', 'fortran_order': False, 'shape': (${shape.join(', ')},), }`;
  const header = Buffer.from(`${text.padEnd(64 * Math.ceil((text.length + 11) / 64) - 11)}\n`);
  const start = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, header.length & 255, header.length >> 8]);
  return Buffer.concat([start, header, Buffer.from(Float64Array.from(values).buffer)]);
}

/** Rows [length, dim] of sines and cosines (Vaswani et al. 2017, section 3.5). */
export function sinusoidal(length: number, dim: number): number[] {
  return Array.from({ length: length * dim }, (_, i) => {
    const [position, channel] = [Math.floor(i / dim), i % dim];
    const angle = position / 10_000 ** ((channel - (channel % 2)) / dim);
    return channel % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
  });
}

/** Numbers between −1 and 1 from a seed. */
export function random(length: number, seed: number): number[] {
  let state = seed;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

/** Cosine of the angle between two rows, in float64. */
export function cosine(table: readonly number[], dim: number, m: number, n: number): number {
  let [product, first, second] = [0, 0, 0];
  for (let i = 0; i < dim; i++) {
    const [a, b] = [Math.fround(table[m * dim + i]!), Math.fround(table[n * dim + i]!)];
    product += a * b;
    first += a * a;
    second += b * b;
  }
  return product / Math.sqrt(first * second);
}

/** How much of the variance of the cosines above the main diagonal is between the diagonals, from the rows that are given. */
export function toeplitzScore(table: readonly number[], dim: number, rows: readonly number[]): number {
  const byDistance = new Map<number, number[]>();
  for (const m of rows) {
    for (const n of rows) {
      if (n <= m) continue;
      const values = byDistance.get(n - m) ?? [];
      byDistance.set(n - m, [...values, cosine(table, dim, m, n)]);
    }
  }
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = (values: readonly number[]): number => {
    const middle = mean(values);
    return values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  };
  const within = [...byDistance.values()].reduce((sum, values) => sum + squares(values), 0);
  return 1 - within / squares([...byDistance.values()].flat());
}
