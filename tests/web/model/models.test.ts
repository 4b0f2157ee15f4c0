import { sinusoidalFrequencies, type Encodings } from 'posenc';
import { expect, test } from 'vitest';
import { expectAttention, expectNear } from '../support/compare.ts';
import { models, type ModelFacts } from '../support/hf-configs.ts';
import { randomFloats } from '../support/oracle.ts';
import { describeVariants } from '../support/variants.ts';

/** A model whose sizes are all public. */
type Facts = ModelFacts & Readonly<Record<'hidden_size' | 'num_attention_heads', number>>;
type Check = (encodings: Encodings, model: Facts) => void;

/** The slopes as the paper's authors compute them, and the last row of the longest context in each causal form. */
const alibi: Check = (encodings, { num_attention_heads: heads, alibi_bias_max: biasMax, max_position_embeddings }) => {
  const series = (n: number) => Array.from({ length: n }, (_, h) => 2 ** ((-(biasMax as number) * (h + 1)) / n));
  const power = 2 ** Math.floor(Math.log2(heads));
  const further = series(2 * power).filter((_, h) => h % 2 === 0);
  const slopes = [...series(power), ...further.slice(0, heads - power)];
  expectNear(encodings.alibiSlopes({ heads, biasMax: biasMax as number }), slopes, { relative: 1e-12 });
  const keyLength = max_position_embeddings as number;
  const row = encodings.alibiBias({ heads, biasMax: biasMax as number, queryLength: 1, keyLength });
  const expected = slopes.flatMap((slope) =>
    Array.from({ length: keyLength }, (_, j) => slope * (j - (keyLength - 1))),
  );
  expectNear(row, expected, { relative: 2 ** -23 });
};

/** Buckets by powers of whole numbers: step s begins where (distance / exact)^steps ≥ (maximum / exact)^s. */
const t5: Check = (encodings, model) => {
  const [buckets, maxDistance] = [
    model.relative_attention_num_buckets as number,
    model.relative_attention_max_distance as number,
  ];
  const bucket = (distance: number, count: number) => {
    const exact = Math.floor(count / 2);
    if (distance < exact) return distance;
    const steps = BigInt(count - exact);
    let step = 0n;
    const reaches = (s: bigint) =>
      BigInt(distance) ** steps * BigInt(exact) ** s >= BigInt(maxDistance) ** s * BigInt(exact) ** steps;
    while (step + 1n < steps && reaches(step + 1n)) ++step;
    return exact + Number(step);
  };
  const relative = Array.from({ length: 2 * 600 + 1 }, (_, i) => i - 600);
  const half = buckets / 2;
  expect([...encodings.t5Buckets({ relative, buckets, maxDistance })]).toEqual(
    relative.map((r) => (r > 0 ? half : 0) + bucket(Math.abs(r), half)),
  );
  expect([...encodings.t5Buckets({ relative, buckets, maxDistance, bidirectional: false })]).toEqual(
    relative.map((r) => bucket(Math.max(0, -r), buckets)),
  );
};

const deberta: Check = (encodings, { position_buckets, max_relative_positions }) => {
  const [bucketSize, maxPosition] = [position_buckets as number, max_relative_positions as number];
  const middle = bucketSize / 2;
  const delta = Array.from({ length: 2 * maxPosition - 1 }, (_, i) => i - maxPosition + 1);
  const expected = delta.map((d) => {
    const distance = Math.abs(d);
    if (distance <= middle) return d;
    const share = Math.log(distance / middle) / Math.log((maxPosition - 1) / middle);
    return Math.sign(d) * (middle + Math.ceil(share * (middle - 1)));
  });
  expect([...encodings.debertaBuckets({ delta, bucketSize, maxPosition })]).toEqual(expected);
};

/** (q + u) · k + (q + v) · W R over √d for four tokens that see all of each other. */
const transformerXl: Check = (encodings, { hidden_size: dim, num_attention_heads: heads, head_dim: headDim }) => {
  const length = 4;
  const width = heads * headDim;
  const [query, key] = [randomFloats(length * width, 1), randomFloats(length * width, 2)];
  const [u, v, relative] = [randomFloats(width, 3), randomFloats(width, 4), randomFloats(dim * width, 5)];
  const found = encodings.transformerXlScores({
    ...{ query, key, u, v, relative, dim },
    ...{ heads, headDim, queryLength: length, keyLength: length },
  });
  const frequencies = sinusoidalFrequencies({ dim });
  const sinusoid = (distance: number, m: number) =>
    m < dim / 2
      ? Math.sin(distance * (frequencies[m] as number))
      : Math.cos(distance * (frequencies[m - dim / 2] as number));
  const projected = new Map<number, Float64Array>();
  for (let distance = 1 - length; distance < length; ++distance) {
    const row = new Float64Array(width);
    for (let m = 0; m < dim; ++m) {
      const value = sinusoid(distance, m);
      for (let c = 0; c < width; ++c) row[c] = (row[c] as number) + value * (relative[m * width + c] as number);
    }
    projected.set(distance, row);
  }
  const expected = Float64Array.from(found, (_, n) => {
    const [j, i, h] = [n % length, Math.floor(n / length) % length, Math.floor(n / length ** 2)];
    let sum = 0;
    for (let c = h * headDim; c < (h + 1) * headDim; ++c) {
      const q = query[i * width + c] as number;
      sum += (q + (u[c] as number)) * (key[j * width + c] as number);
      sum += (q + (v[c] as number)) * ((projected.get(i - j) as Float64Array)[c] as number);
    }
    return sum / Math.sqrt(headDim);
  });
  expectAttention(found, expected);
};

/** The table ends where the model ends. */
const learned: Check = (encodings, { hidden_size: dim, learned_positions, position_offset: offset = 0 }) => {
  const rows = (learned_positions as number) + offset;
  const table = randomFloats(rows * dim, 6);
  const last = (learned_positions as number) - 1;
  const found = encodings.learned({ table, rows, dim, positions: [0, last], offset });
  expect(found.subarray(0, dim)).toEqual(table.subarray(offset * dim, (offset + 1) * dim));
  expect(found.subarray(dim)).toEqual(table.subarray((rows - 1) * dim));
  expect(() => encodings.learned({ table, rows, dim, positions: [last + 1], offset })).toThrowError(
    expect.objectContaining({ name: 'PosencError', argument: 'positions', got: last + 1 }),
  );
};

const checks: Readonly<Record<string, Check>> = { alibi, t5_bias: t5, deberta, transformer_xl: transformerXl, learned };

// Models that rotate are read, with their frequencies, in parse-hf-config.test.ts.
const others = models.filter(
  ({ position_encoding }) => !position_encoding.includes('rope') && position_encoding !== 'mrope',
);

await describeVariants('what is public of a model that does not rotate', (encodings) => {
  test.each(others)('is what its functions compute: $name', (model) => {
    const check = checks[model.position_encoding];
    expect(check, model.position_encoding).toBeDefined();
    check?.(encodings, model as Facts);
  });
});

test('nine of the 32 models do not rotate', () => {
  expect([models.length, others.length]).toEqual([32, 9]);
});
