import { existsSync, readFileSync } from 'node:fs';
import { load, type Encodings } from 'posenc';
import { describe, expect, test } from 'vitest';
import { expectNear } from '../../support/compare.ts';
import { randomFloats } from '../../support/oracle.ts';
import { accepts, variants } from '../../support/variants.ts';

// Native and WebAssembly builds compute the same. agreement.cpp makes the same calls of the core, natively, and the build
// native-debug leaves its results here.
const file = new URL('../../../../build/native-debug/agreement.json', import.meta.url);
if (!existsSync(file)) throw new Error('The native results are missing: run `npm test`, which builds them.');
const native = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;

type Values = Float32Array | Float64Array | Int32Array;

/** How far two builds may be apart: what their headers allow for each, twice. */
interface Bound {
  absolute?: number;
  relative?: number;
}

/** Whole numbers, one division, numbers of a table. */
const exact: Bound = {};
/** Both are within 0.51 ulp of one value, which is at most 1.02 ulp between them: neighbours. */
const neighbours: Bound = { relative: 2 ** -23, absolute: 2 ** -149 };
/** Sums in double, rounded once; where they cancel, the order of the additions shows. */
const roundedOnce: Bound = { relative: 2 ** -23, absolute: 1e-13 };
/** Sums in double. */
const doubles: Bound = { absolute: 1e-12 };
/** 2^-23 (|a cos| + |b sin|) each, for |a|, |b| <= 1 and an attention factor of 1.25 at most. */
const turned: Bound = { absolute: 2 * 2 ** -23 * 2 * 1.25 };
/** 5e-6 of the largest value, which is 1, and 5e-6 for weights. */
const attended: Bound = { absolute: 2 * 5e-6 };
/** 1e-6 (|scale| |query| |key| + |score|) each, for vectors of 32 numbers up to 1. */
const scored: Bound = { absolute: 2 * 1e-6 * (0.25 * 32 + 8) };
/** The same for three products, of vectors of numbers up to 2. */
const scoredWithTerms: Bound = { absolute: 2 * 1e-6 * 2 * 0.18 * 3 * 64 };
/** The same as `attended` for values with a row of a table, up to 2. */
const attendedWithTerms: Bound = { absolute: 2 * 2 * 5e-6 };
/** The network's own bound, (width + 6) 2^-24 (|b2| + sum of |w2| (|w1 u| + |b1|)), for inputs up to 1. */
const network: Bound = { absolute: 2 * 38 * 2 ** -24 * 65 };

/**
 * What the builds share beside the source: `simd` and native round alike, since nothing is contracted, and have four lanes
 * alike, so the order of their sums is the same. Only the logarithm of the system's library may differ in its last bit.
 */
type Sameness = 'bits' | 'logarithm';

interface Call {
  name: string;
  run: (encodings: Encodings) => Values;
  bound: Bound;
  sameness?: Sameness;
}

// Powers of 65536 with these widths are powers of two, which every engine and library gives exactly.
const base = 65536;
const params = { headDim: 34, rotaryDim: 32, base, type: 'linear', factor: 1.37, attentionFactor: 1.25 } as const;
const plain = { ...params, attentionFactor: 1 };
const turnedSizes = { batch: 2, length: 9, heads: 3, headDim: 34 };
const counting = (length: number, first: number, step = 1) => Float64Array.from({ length }, (_, i) => first + step * i);
const positive = (length: number, seed: number) => randomFloats(length, seed).map((value) => value + 1);
const bias = { heads: 3, queryLength: 7, keyLength: 19 };
const bucketed = counting(301, -1500, 10);
const sizes = { batch: 2, heads: 4, kvHeads: 2, queryLength: 21, keyLength: 37, headDim: 32, valueDim: 24 };
const [query, key] = [randomFloats(2 * 21 * 4 * 32, 15), randomFloats(2 * 37 * 2 * 32, 16)];
const tensors = { query, key, value: randomFloats(2 * 37 * 2 * 24, 17) };
const { valueDim: _, ...scoreSizes } = sizes;
const causal = { ...sizes, ...tensors, scale: 0.25, causal: true };
const rope = { headDim: 32, base, type: 'linear', factor: 1.37 } as const;
const rotation = { params: rope, length: 90, start: 123456 };
const [invFreq, distances] = [Float64Array.from(positive(70, 31)), counting(50, -20, 12345)];
const terms = { x: randomFloats(12 * 32, 32), length: 12, dim: 32, base };
const projections = { wq: randomFloats(640, 33), wk: randomFloats(640, 34) };
const verified = {
  query: randomFloats(34, 35),
  key: randomFloats(34, 36),
  distance: 9,
  shifts: counting(20, 0, 1000003),
};
const envelope = { invFreq, edges: [0, 100, 9000] };

const calls: Call[] = [
  { name: 'indexEncoding', bound: exact, run: (e) => e.indexEncoding({ length: 37, mode: 'fraction' }) },
  { name: 'oneHot', bound: exact, run: (e) => e.oneHot({ positions: [3, 0, 6, 3], maxLength: 7 }) },
  {
    name: 'learned',
    bound: exact,
    run: (e) => e.learned({ table: randomFloats(60, 1), rows: 10, dim: 6, positions: [4, 0, 7], offset: 2 }),
  },
  {
    name: 'sinusoidal',
    bound: neighbours,
    run: (e) => e.sinusoidal({ length: 75, dim: 32, base, start: 1_000_000 }),
  },
  {
    name: 'sinusoidal2d',
    bound: neighbours,
    run: (e) => {
      const points = { rows: counting(40, -3.25, 0.375), columns: counting(40, 0.1, 0.7) };
      return e.sinusoidal2d({ ...points, dim: 32, base, order: 'cos-first' });
    },
  },
  {
    name: 'positionalEncoding',
    bound: { absolute: 2 ** -22 },
    run: (e) =>
      e.positionalEncoding({ x: randomFloats(576, 2), batch: 2, length: 9, dim: 32, base, dropout: 0.25, seed: 7 }),
  },
  { name: 'ropeTable.cos', bound: neighbours, run: (e) => e.ropeTable({ ...rotation, params }).cos },
  { name: 'ropeTable.sin', bound: neighbours, run: (e) => e.ropeTable({ ...rotation, params }).sin },
  {
    name: 'rope.half',
    bound: turned,
    run: (e) => e.rope({ x: randomFloats(1836, 3), params, ...turnedSizes, start: 123456 }),
  },
  {
    name: 'rope.interleaved',
    bound: turned,
    run: (e) =>
      e.rope({
        x: randomFloats(1836, 4),
        params: { ...params, pairing: 'interleaved' },
        ...turnedSizes,
        format: 'bhsd',
        start: 123456,
      }),
  },
  {
    name: 'xpos',
    bound: turned,
    sameness: 'logarithm',
    run: (e) => e.xpos({ x: randomFloats(1836, 5), params: plain, ...turnedSizes, start: 40 }),
  },
  {
    name: 'mrope',
    bound: turned,
    run: (e) =>
      e.mrope({
        x: randomFloats(1836, 6),
        params: { ...plain, mropeSection: [4, 6, 6] },
        ...turnedSizes,
        positions: counting(27, 100, 37),
      }),
  },
  {
    name: 'rope2d',
    bound: turned,
    run: (e) =>
      e.rope2d({
        x: randomFloats(1836, 7),
        params: plain,
        variant: 'chatglm',
        ...turnedSizes,
        rows: counting(9, 5),
        columns: counting(9, 7, 3),
      }),
  },
  { name: 'alibiSlopes', bound: doubles, run: (e) => e.alibiSlopes({ heads: 12 }) },
  { name: 'alibiBias', bound: neighbours, run: (e) => e.alibiBias(bias) },
  { name: 't5Bias', bound: exact, run: (e) => e.t5Bias({ ...bias, table: randomFloats(96, 8) }) },
  { name: 't5Buckets', bound: exact, run: (e) => e.t5Buckets({ relative: bucketed }) },
  {
    name: 'debertaBuckets',
    bound: exact,
    run: (e) => e.debertaBuckets({ delta: bucketed, bucketSize: 256, maxPosition: 512 }),
  },
  ...(['log', 'power'] as const).map((kind): Call => ({
    name: `kerpleBias.${kind}`,
    bound: neighbours,
    sameness: 'logarithm',
    run: (e) => e.kerpleBias({ ...bias, kind, a: positive(3, 9), p: positive(3, 10) }),
  })),
  {
    name: 'fireBias',
    bound: network,
    sameness: 'logarithm',
    run: (e) =>
      e.fireBias({
        ...bias,
        w1: randomFloats(32, 11),
        b1: randomFloats(32, 12),
        w2: randomFloats(96, 13),
        b2: randomFloats(3, 14),
        c: 0.25,
        threshold: 15,
        epsilon: 1e-6,
      }),
  },
  {
    name: 'transformerXlScores',
    bound: scoredWithTerms,
    run: (e) =>
      e.transformerXlScores({
        ...scoreSizes,
        query,
        key,
        u: randomFloats(128, 20),
        v: randomFloats(128, 21),
        relativeKeys: randomFloats(58 * 128, 22),
        causal: true,
      }),
  },
  {
    name: 'debertaScores',
    bound: scoredWithTerms,
    run: (e) =>
      e.debertaScores({
        ...scoreSizes,
        query,
        key,
        span: 16,
        relativeKey: randomFloats(4096, 23),
        relativeQuery: randomFloats(4096, 24),
        bucketSize: 16,
        maxPosition: 64,
      }),
  },
  {
    name: 'shawAttention',
    bound: attendedWithTerms,
    run: (e) =>
      e.shawAttention({
        ...sizes,
        ...tensors,
        keyTable: randomFloats(9 * 32, 25),
        valueTable: randomFloats(9 * 24, 26),
        clip: 4,
        causal: true,
      }),
  },
  { name: 'attention.causal', bound: attended, run: (e) => e.attention(causal) },
  { name: 'attention.weights', bound: attended, run: (e) => e.attention({ ...causal, returns: 'weights' }) },
  { name: 'attention.rope', bound: attended, run: (e) => e.attention({ ...causal, rope }) },
  { name: 'attention.scores', bound: scored, run: (e) => e.attention({ ...causal, rope, returns: 'scores' }) },
  {
    name: 'attention.adjusted',
    bound: attended,
    run: (e) =>
      e.attention({
        ...causal,
        softcap: 3,
        window: 12,
        bias: { alibi: Float64Array.of(0.5, 0.25, 0.125, 0.0625) },
        sinks: randomFloats(4, 27),
      }),
  },
  {
    name: 'attention.decoding',
    bound: attended,
    run: (e) =>
      e.attention({ ...sizes, ...tensors, queryLength: 1, query: query.subarray(0, 2 * 4 * 32), scale: 0.25 }),
  },
  {
    name: 'similarity',
    bound: roundedOnce,
    run: (e) => e.similarity({ table: randomFloats(1200, 30), rows: 40, dim: 30 }),
  },
  { name: 'distanceKernel', bound: doubles, run: (e) => e.distanceKernel({ invFreq, distances }) },
  { name: 'decayBound', bound: doubles, run: (e) => e.decayBound({ invFreq, distances }) },
  ...(['minimum', 'maximum', 'argmax'] as const).map((part): Call => ({
    name: `kernelEnvelope.${part}`,
    bound: doubles,
    run: (e) => e.kernelEnvelope(envelope)[part],
  })),
  ...(['contentContent', 'positionContent', 'contentPosition', 'positionPosition'] as const).map((term): Call => ({
    name: `decompose.${term}`,
    bound: roundedOnce,
    run: (e) => e.decompose({ ...terms, ...projections })[term],
  })),
  {
    name: 'verifyRelative',
    bound: doubles,
    run: (e) => Float64Array.from(e.verifyRelative({ ...verified, params: plain }), ({ score }) => score),
  },
];

/** A native result, as many numbers of the kind that the call gives. */
function nativeResult(name: string, like: Values): Values {
  const bytes = Uint8Array.from(Buffer.from(native[name] ?? expect.fail(`the native program has no ${name}`), 'hex'));
  const Kind = like.constructor as new (buffer: ArrayBuffer) => Values;
  return new Kind(bytes.buffer);
}

const fourLanes = native['lanes'] === '4';

test('the native program makes the same calls', () => {
  expect(new Set(Object.keys(native))).toEqual(new Set([...calls.map(({ name }) => name), 'lanes']));
});

for (const variant of variants) {
  describe(`${variant} and native`, async () => {
    if (!accepts(variant)) return test.skip('this engine refuses the variant', () => {});
    const encodings = await load({ variant });
    test.each(calls)('$name', ({ name, run, bound, sameness = 'bits' }) => {
      const got = run(encodings);
      const expected = nativeResult(name, got);
      expectNear(got, expected, bound);
      // A native build for wider vectors adds in another order; fused operations round once where others round twice.
      if (variant === 'simd' && fourLanes && sameness === 'bits') expect(got).toEqual(expected);
    });
  });
}

test.skipIf(!variants.every(accepts)).each(calls)('simd and relaxed: $name', async ({ run, bound }) => {
  const [simd, relaxed] = [await load({ variant: 'simd' }), await load({ variant: 'relaxed' })];
  expectNear(run(relaxed), run(simd), bound);
});
