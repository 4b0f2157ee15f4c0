import type { AttentionOptions, Encodings, Variant } from 'posenc';
import { describe, expect, test } from 'vitest';
import { createEncodings } from '../../../../web/engine/encodings.ts';
import { createEngine } from '../../../../web/engine/runtime/engine.ts';
import { expectAttention } from '../../support/compare.ts';
import { instantiate } from '../../support/module.ts';
import { attend, randomFloats } from '../../support/oracle.ts';
import { accepts, describeVariants, variants } from '../../support/variants.ts';

// Attention with what an encoding adds, against attention as the formula says it with the whole matrix of that.

interface Sizes {
  heads: number;
  kvHeads: number;
  queryLength: number;
  keyLength: number;
  headDim: number;
  valueDim: number;
}

/** Where queries and keys stand, and which of them meet. */
interface Places {
  queryStart: number;
  keyStart: number;
  causal: boolean;
  window?: number;
}

/** What an encoding adds for head h, query i and key j. */
type Added = (h: number, i: number, j: number) => number;

interface Term {
  options: Pick<AttentionOptions, 'bias' | 'relative'>;
  bias?: Added;
  /** Before the scale. */
  product?: Added;
  /** To channel c of the value. */
  value?: (i: number, j: number, c: number) => number;
}

const allSizes: Sizes[] = [
  { heads: 2, kvHeads: 2, queryLength: 1, keyLength: 9, headDim: 5, valueDim: 3 },
  { heads: 6, kvHeads: 2, queryLength: 5, keyLength: 7, headDim: 4, valueDim: 6 },
  { heads: 6, kvHeads: 2, queryLength: 23, keyLength: 31, headDim: 8, valueDim: 5 },
  { heads: 2, kvHeads: 1, queryLength: 19, keyLength: 290, headDim: 4, valueDim: 4 },
];

const allPlaces = ({ queryLength, keyLength }: Sizes): Places[] => [
  { queryStart: keyLength - queryLength, keyStart: 0, causal: true },
  { queryStart: 40 + keyLength - queryLength, keyStart: 40, causal: false },
  { queryStart: -3, keyStart: 0, causal: false, window: 6 },
  { queryStart: keyLength + 2, keyStart: 0, causal: true, window: 8 },
];

function dot(a: Float32Array, aRow: number, b: Float32Array, bRow: number, width: number): number {
  let sum = 0;
  for (let c = 0; c < width; ++c) sum += (a[aRow * width + c] as number) * (b[bRow * width + c] as number);
  return sum;
}

function tensorsOf({ heads, kvHeads, queryLength, keyLength, headDim, valueDim }: Sizes) {
  return {
    query: randomFloats(heads * queryLength * headDim, 1),
    key: randomFloats(kvHeads * keyLength * headDim, 2),
    value: randomFloats(kvHeads * keyLength * valueDim, 3),
  };
}

/** [heads, length, width] as [length, heads, width]. */
function tokensFirst(x: Float32Array, heads: number, length: number, width: number): Float32Array {
  return Float32Array.from(x, (_, n) => {
    const [c, h, t] = [n % width, Math.floor(n / width) % heads, Math.floor(n / (width * heads))];
    return x[(h * length + t) * width + c] as number;
  });
}

/** What each encoding takes and adds. */
const terms: Record<string, (encodings: Encodings, sizes: Sizes, places: Places) => Term> = {
  alibi(encodings, { heads }, { queryStart, keyStart }) {
    const alibi = encodings.alibiSlopes({ heads });
    return {
      options: { bias: { alibi } },
      bias: (h, i, j) => -(alibi[h] as number) * Math.abs(queryStart + i - keyStart - j),
    };
  },
  t5: (encodings, sizes, places) => {
    const table = randomFloats(32 * sizes.heads, 4);
    const t5 = { table, bidirectional: !places.causal, maxDistance: 20 };
    return explicit(encodings.t5Bias({ ...t5, ...rowsOf(sizes), ...startsOf(places) }), sizes, { t5 });
  },
  kerple(encodings, sizes, places) {
    const [a, p] = [new Float32Array(sizes.heads).fill(0.3), new Float32Array(sizes.heads).fill(1.2)];
    const kerple = { kind: places.causal ? 'log' : 'power', a, p } as const;
    return explicit(encodings.kerpleBias({ ...kerple, ...rowsOf(sizes), ...startsOf(places) }), sizes, { kerple });
  },
  'fire up to its threshold': (encodings, sizes, places) => fireTerm(encodings, sizes, places, 1e6),
  'fire past its threshold': (encodings, sizes, places) => fireTerm(encodings, sizes, places, 4),
  shaw(_, sizes, places) {
    const { headDim, valueDim, queryLength } = sizes;
    const clip = 5;
    const [keyTable, valueTable] = [randomFloats(11 * headDim, 5), randomFloats(11 * valueDim, 6)];
    const { query } = tensorsOf(sizes);
    const row = (i: number, j: number) =>
      Math.max(-clip, Math.min(clip, places.keyStart + j - places.queryStart - i)) + clip;
    return {
      options: { relative: { shaw: { keyTable, valueTable, clip } } },
      product: (h, i, j) => dot(query, h * queryLength + i, keyTable, row(i, j), headDim),
      value: (i, j, c) => valueTable[row(i, j) * valueDim + c] as number,
    };
  },
  'transformer-xl': (_, sizes) => transformerXlTerm(sizes, false),
  xlnet: (_, sizes) => transformerXlTerm(sizes, true),
  'deberta v1': (_, sizes, places) => debertaTerm(sizes, places, (delta) => delta, {}),
  'deberta v3': (encodings, sizes, places) => {
    const rule = { bucketSize: 8, maxPosition: 40 };
    return debertaTerm(
      sizes,
      places,
      (delta) => encodings.debertaBuckets({ delta: [delta], ...rule })[0] as number,
      rule,
    );
  },
};

const rowsOf = ({ heads, queryLength, keyLength }: Sizes) => ({ heads, queryLength, keyLength });
const startsOf = ({ queryStart, keyStart }: Places) => ({ queryStart, keyStart });

function explicit(
  matrix: Float32Array,
  { queryLength, keyLength }: Sizes,
  bias: NonNullable<AttentionOptions['bias']>,
): Term {
  return {
    options: { bias },
    bias: (h, i, j) => matrix[(h * queryLength + i) * keyLength + j] as number,
  };
}

function fireTerm(encodings: Encodings, sizes: Sizes, places: Places, threshold: number): Term {
  const [w1, b1, w2] = [randomFloats(12, 7), randomFloats(12, 8), randomFloats(12 * sizes.heads, 9)];
  const fire = { w1, b1, w2, b2: randomFloats(sizes.heads, 10), c: 0.3, threshold };
  return explicit(encodings.fireBias({ ...fire, ...rowsOf(sizes), ...startsOf(places) }), sizes, { fire });
}

function transformerXlTerm(sizes: Sizes, withSegments: boolean): Term {
  const { heads, kvHeads, queryLength, keyLength, headDim } = sizes;
  const { query, key } = tensorsOf(sizes);
  const [u, v] = [randomFloats(heads * headDim, 11), randomFloats(heads * headDim, 12)];
  const relativeKeys = randomFloats((queryLength + keyLength) * heads * headDim, 13);
  const segmentBias = randomFloats(heads * headDim, 14);
  const segmentTable = randomFloats(2 * heads * headDim, 15);
  const querySegments = Array.from({ length: queryLength }, (_, i) => i % 3);
  const keySegments = Array.from({ length: keyLength }, (_, j) => (j >> 1) % 3);
  return {
    options: {
      relative: {
        transformerXl: {
          ...{ u, v, relativeKeys },
          ...(withSegments ? { segmentBias, segmentTable, querySegments, keySegments } : {}),
        },
      },
    },
    product: (h, i, j) => {
      const k = Math.floor(h / (heads / kvHeads)) * keyLength + j;
      const r = (queryLength - i + j) * heads + h;
      const s = (querySegments[i] === keySegments[j] ? 0 : heads) + h;
      const ofSegment = withSegments
        ? dot(query, h * queryLength + i, segmentTable, s, headDim) + dot(segmentBias, h, segmentTable, s, headDim)
        : 0;
      return (
        dot(u, h, key, k, headDim) +
        dot(query, h * queryLength + i, relativeKeys, r, headDim) +
        dot(v, h, relativeKeys, r, headDim) +
        ofSegment
      );
    },
  };
}

function debertaTerm(
  sizes: Sizes,
  { queryStart, keyStart }: Places,
  bucket: (delta: number) => number,
  rule: { bucketSize?: number; maxPosition?: number },
): Term {
  const { heads, kvHeads, queryLength, keyLength, headDim } = sizes;
  const { query, key } = tensorsOf(sizes);
  const span = 6;
  const relativeKey = randomFloats(heads * 12 * headDim, 16);
  const relativeQuery = randomFloats(heads * 12 * headDim, 17);
  return {
    options: { relative: { deberta: { span, relativeKey, relativeQuery, ...rule } } },
    product: (h, i, j) => {
      const row = h * 12 + Math.max(0, Math.min(11, bucket(queryStart + i - keyStart - j) + span));
      const k = Math.floor(h / (heads / kvHeads)) * keyLength + j;
      return dot(query, h * queryLength + i, relativeKey, row, headDim) + dot(key, k, relativeQuery, row, headDim);
    },
  };
}

/** Attention with the whole matrix of what is added, in double precision. */
function expectedOf(sizes: Sizes, { queryStart, keyStart, causal, window }: Places, term: Term, scale: number) {
  const { heads, queryLength, keyLength, valueDim } = sizes;
  const plain = attend({
    ...sizes,
    ...tensorsOf(sizes),
    scale,
    bias: (h, i, j) => (term.bias?.(h, i, j) ?? 0) + scale * (term.product?.(h, i, j) ?? 0),
    allowed: (_, i, j) => {
      const distance = queryStart + i - keyStart - j;
      return (!causal || distance >= 0) && (window === undefined || Math.abs(distance) < window);
    },
  });
  if (term.value === undefined) return plain;
  for (let row = 0; row < heads * queryLength; ++row) {
    for (let j = 0; j < keyLength; ++j) {
      for (let c = 0; c < valueDim; ++c) {
        const more = (plain.weights[row * keyLength + j] as number) * term.value(row % queryLength, j, c);
        plain.output[row * valueDim + c] = (plain.output[row * valueDim + c] as number) + more;
      }
    }
  }
  return plain;
}

const scaleOf = (name: string, headDim: number) => 1 / Math.sqrt(name.startsWith('deberta') ? 3 * headDim : headDim);

await describeVariants('attention with', (encodings) => {
  test.each(Object.keys(terms))('%s is that with the whole matrix', (name) => {
    for (const sizes of allSizes) {
      const { heads, kvHeads, queryLength, keyLength, headDim, valueDim } = sizes;
      for (const places of allPlaces(sizes)) {
        const term = (terms[name] as (typeof terms)[string])(encodings, sizes, places);
        const expected = expectedOf(sizes, places, term, scaleOf(name, headDim));
        const call = { ...tensorsOf(sizes), ...sizes, ...places, ...term.options };
        expectAttention(encodings.attention({ ...call, format: 'bhsd' }), expected.output);
        expectAttention(encodings.attention({ ...call, format: 'bhsd', returns: 'weights' }), expected.weights);
        expectAttention(encodings.attention({ ...call, format: 'bhsd', returns: 'scores' }), expected.scores);
        const tokens = {
          query: tokensFirst(call.query, heads, queryLength, headDim),
          key: tokensFirst(call.key, kvHeads, keyLength, headDim),
          value: tokensFirst(call.value, kvHeads, keyLength, valueDim),
        };
        const output = encodings.attention({ ...call, ...tokens });
        expectAttention(tokensFirst(output, queryLength, heads, valueDim), expected.output);
      }
    }
  });

  test.each(Object.keys(terms))('%s treats each sequence of a batch as it does one', (name) => {
    const sizes = allSizes[2] as Sizes;
    const places = allPlaces(sizes)[0] as Places;
    const { options } = (terms[name] as (typeof terms)[string])(encodings, sizes, places);
    const one = { ...tensorsOf(sizes), ...sizes, ...places, ...options, format: 'bhsd' as const };
    const twice = (x: Float32Array) => Float32Array.from([...x, ...x.map((value) => -value)]);
    const both = { query: twice(one.query), key: twice(one.key), value: twice(one.value) };
    const second = (x: Float32Array) => x.subarray(x.length / 2);
    const output = encodings.attention({ ...one, ...both, batch: 2 });
    const separate = encodings.attention({
      ...one,
      ...{ query: second(both.query), key: second(both.key), value: second(both.value) },
    });
    expect(output.subarray(0, output.length / 2)).toEqual(encodings.attention(one));
    expect(second(output)).toEqual(separate);
  });

  test.each(['alibi', 't5', 'kerple', 'shaw', 'deberta v3', 'fire past its threshold'])(
    '%s knows sequences of their own length',
    (name) => {
      const sizes = { heads: 2, kvHeads: 2, queryLength: 3, keyLength: 12, headDim: 4, valueDim: 4 };
      const places = { queryStart: 9, keyStart: 0, causal: true };
      const { options } = (terms[name] as (typeof terms)[string])(encodings, sizes, places);
      const tensors = tensorsOf(sizes);
      const [query, key, value] = [tensors.query, tensors.key, tensors.value].map((x) =>
        Float32Array.from([...x, ...x]),
      );
      const keyLengths = [12, 5];
      const output = encodings.attention({
        ...({ query, key, value } as typeof tensors),
        ...{ ...sizes, ...options, causal: true, batch: 2, keyLengths },
      });
      keyLengths.forEach((keyLength, b) => {
        const alone = encodings.attention({
          ...{ ...sizes, ...options, causal: true, keyLength, query: tensors.query },
          ...{ key: tensors.key.subarray(0, keyLength * 8), value: tensors.value.subarray(0, keyLength * 8) },
        });
        expectAttention(output.subarray(b * 24, (b + 1) * 24), alone);
      });
    },
  );

  test('alibi takes the positions of padded sequences', () => {
    const alibi = Float64Array.of(0.5);
    const sizes = { heads: 1, queryLength: 2, keyLength: 4, headDim: 1 };
    const call = {
      query: new Float32Array(4),
      key: new Float32Array(8),
      ...sizes,
      batch: 2,
      returns: 'scores',
    } as const;
    const positions = [0, 0, 1, 2, 0, 1, 2, 3];
    const scores = encodings.attention({ ...call, bias: { alibi, positions } });
    expect([...scores]).toEqual([-0.5, -0.5, 0, -0.5, -1, -1, -0.5, 0, -1, -0.5, 0, -0.5, -1.5, -1, -0.5, 0]);
    const shared = encodings.attention({ ...call, bias: { alibi, positions: positions.slice(0, 4) } });
    expect([...shared.subarray(8)]).toEqual([...shared.subarray(0, 8)]);
  });

  test('a table in a buffer gives the same', () => {
    const sizes = allSizes[1] as Sizes;
    const places = allPlaces(sizes)[0] as Places;
    const table = encodings.buffer(32 * sizes.heads);
    table.set(randomFloats(32 * sizes.heads, 4));
    const call = { ...tensorsOf(sizes), ...sizes, ...places };
    const t5 = { table, bidirectional: false, maxDistance: 20 };
    const output = encodings.attention({ ...call, bias: { t5 } });
    expect(output).toEqual(encodings.attention({ ...call, ...terms['t5']?.(encodings, sizes, places).options }));
    table.dispose();
  });
});

describe.each(variants)('attention over 131072 keys [%s]', (variant: Variant) => {
  test.skipIf(!accepts(variant))('never holds a matrix of queries and keys', async () => {
    const wasm = await instantiate(variant);
    const encodings = createEncodings(createEngine(wasm, variant));
    const probe = new wasm.HeapFloats(1);
    const sizes = { heads: 1, kvHeads: 1, queryLength: 64, keyLength: 131_072, headDim: 4, valueDim: 4 };
    const places = { queryStart: 131_072 - 64, keyStart: 0, causal: true };
    const bytes = () => probe.view().buffer.byteLength;
    for (const name of Object.keys(terms).filter((term) => term !== 'alibi')) {
      const given = name.startsWith('fire') ? fireOptions(name) : linearTerm(name, sizes);
      encodings.attention({ ...tensorsOf(sizes), ...sizes, ...places, ...given });
    }
    // Keys, values and the vectors of every distance take 2 MiB each; the matrix would take 32.
    expect(bytes()).toBeLessThan(32 * 2 ** 20);
    probe.delete();
  });
});

function fireOptions(name: string): Pick<AttentionOptions, 'bias'> {
  const [w1, b1, w2, b2] = [randomFloats(4, 7), randomFloats(4, 8), randomFloats(4, 9), randomFloats(1, 10)];
  return { bias: { fire: { w1, b1, w2, b2, c: 0.3, threshold: name.includes('up to') ? 1e6 : 512 } } };
}

/** The options of a term whose oracle would hold a matrix. */
function linearTerm(name: string, sizes: Sizes): Pick<AttentionOptions, 'bias' | 'relative'> {
  if (name === 't5') return { bias: { t5: { table: randomFloats(32, 4), bidirectional: false } } };
  if (name === 'kerple') return { bias: { kerple: { kind: 'log', a: Float32Array.of(0.3), p: Float32Array.of(1) } } };
  const places = { queryStart: sizes.keyLength - sizes.queryLength, keyStart: 0, causal: true };
  return (terms[name] as (typeof terms)[string])(undefined as unknown as Encodings, sizes, places).options;
}
