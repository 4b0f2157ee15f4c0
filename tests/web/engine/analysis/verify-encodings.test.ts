import { encodingNames, ropeFrequencies, type EncodingChoice, type ShiftedScore } from 'posenc';
import { expect, test } from 'vitest';
import { exactCosSin, randomFloats, rotate } from '../../support/oracle.ts';
import { describeVariants } from '../../support/variants.ts';

/** A score by its definition: the value of a query at one position and a key at another. */
type Oracle = (queryPosition: number, keyPosition: number) => number;

interface Verdict {
  title: string;
  encoding: EncodingChoice;
  query: Float32Array;
  key: Float32Array;
  distance: number;
  shifts: number[];
  oracle: Oracle;
  relative: boolean;
}

const [query, key] = [randomFloats(8, 21), randomFloats(8, 22)];
const nothing = new Float32Array(8);
const far = [0, 1, 2, 17, 100, 4096, 65_537, 999_999, 1_000_000];
const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((sum, value, c) => sum + value * (b[c] as number), 0);
const content = dot(query, key);
const { invFreq } = ropeFrequencies({ headDim: 8 });

/** A rotary score: each of the two turned as the formula says it. */
function rotary(frequencies: Float64Array, pairing: string): Oracle {
  const turn = (x: Float32Array, position: number) =>
    rotate(x, [position], frequencies, { heads: 1, headDim: 8, pairing });
  return (m, n) => dot(turn(query, m), turn(key, n));
}

/** Two channels of a half pair that turn by the angles of neighbouring columns. */
const mixed: Oracle = (m, n) => {
  const turn = (x: Float32Array, position: number) =>
    Array.from(x, (value, c) => {
      const [cos, sin] = exactCosSin(position, invFreq[c >> 1] as number);
      const other = c < 4 ? -(x[c + 4] as number) : (x[c - 4] as number);
      return value * cos + other * sin;
    });
  return dot(turn(query, m), turn(key, n));
};

const decaying: Oracle = (m, n) => {
  const turn = (x: Float32Array, position: number, sign: number) => {
    const turned = rotate(x, [position], invFreq, { heads: 1, headDim: 8, pairing: 'interleaved' });
    return turned.map((value, c) => value * ((2 * (c >> 1)) / 8 / 1.4 + 0.4 / 1.4) ** ((sign * position) / 512));
  };
  return dot(turn(query, m, 1), turn(key, n, -1));
};

const sinusoid = (position: number) =>
  Array.from({ length: 8 }, (_, c) => exactCosSin(position, invFreq[c >> 1] as number)[c % 2 === 0 ? 1 : 0]);

/** Row and column alike, each in four columns: two sines, two cosines. */
const diagonal = (position: number) => {
  const [fast, slow] = [exactCosSin(position, 1), exactCosSin(position, 0.01)];
  const half = [fast[1], slow[1], fast[0], slow[0]];
  return [...half, ...half];
};

/** (x + e) W, with W `[8, columns]`. */
const projected = (x: ArrayLike<number>, code: ArrayLike<number>, w: Float32Array) => {
  const columns = w.length / 8;
  return Array.from({ length: columns }, (_, r) =>
    Array.from(x).reduce((sum, value, c) => sum + (value + (code[c] as number)) * (w[c * columns + r] as number), 0),
  );
};
const [wq, wk] = [randomFloats(48, 23), randomFloats(48, 24)];
const unit = Float32Array.from({ length: 64 }, (_, i) => Number(i % 9 === 0));
const additive =
  (
    codeOf: (position: number) => ArrayLike<number>,
    q: Float32Array,
    k: Float32Array,
    w: readonly Float32Array[] = [unit, unit],
  ): Oracle =>
  (m, n) =>
    dot(projected(q, codeOf(m), w[0] as Float32Array), projected(k, codeOf(n), w[1] as Float32Array));

const table = randomFloats(50 * 8, 25);
const rowOf = (position: number) => table.subarray(8 * position, 8 * position + 8);
const oneHot = (position: number) => Array.from({ length: 8 }, (_, c) => Number(c === position));

const buckets = randomFloats(32 * 2, 26);
const network = { w1: randomFloats(6, 27), b1: randomFloats(6, 28), w2: randomFloats(12, 29), b2: randomFloats(2, 30) };
const fire: Oracle = (i, j) => {
  const psi = (x: number) => Math.log(1 + Math.abs(0.1 * x));
  const u = psi(i - j) / (psi(Math.max(i, 200)) + 1e-6);
  return network.w1.reduce(
    (sum, weight, k) => sum + (network.w2[6 + k] as number) * Math.max(weight * u + (network.b1[k] as number), 0),
    content + (network.b2[1] as number),
  );
};
const relativeVectors = randomFloats(7 * 8, 31);
const shaw: Oracle = (i, j) => {
  const row = Math.max(-3, Math.min(3, j - i)) + 3;
  return (content + dot(query, relativeVectors.subarray(8 * row, 8 * row + 8))) / Math.sqrt(8);
};
const [u, v, wr] = [randomFloats(8, 32), randomFloats(8, 33), randomFloats(6 * 8, 34)];
const transformerXl: Oracle = (i, j) => {
  const angles = [0, 1, 2].map((p) => exactCosSin(i - j, 10_000 ** (-p / 3)));
  const sinusoids = [...angles.map(([, sin]) => sin), ...angles.map(([cos]) => cos)];
  const relativeKey = Array.from({ length: 8 }, (_, c) =>
    sinusoids.reduce((sum, value, d) => sum + value * (wr[8 * d + c] as number), 0),
  );
  const [qu, qv] = [
    query.map((value, c) => value + (u[c] as number)),
    query.map((value, c) => value + (v[c] as number)),
  ];
  return (dot(qu, key) + dot(qv, relativeKey)) / Math.sqrt(8);
};
const [relativeKey, relativeQuery] = [randomFloats(8 * 8, 35), randomFloats(8 * 8, 36)];
const deberta: Oracle = (i, j) => {
  const row = Math.max(0, Math.min(7, i - j + 4));
  const rows = (values: Float32Array) => values.subarray(8 * row, 8 * row + 8);
  return (content + dot(query, rows(relativeKey)) + dot(key, rows(relativeQuery))) / Math.sqrt(24);
};

const both = { query, key, distance: 5, shifts: far };
const verdicts: Verdict[] = [
  {
    title: 'RoPE',
    encoding: { rope: { params: { headDim: 8 } } },
    ...both,
    oracle: rotary(invFreq, 'half'),
    relative: true,
  },
  {
    title: 'RoPE of neighbours',
    encoding: { rope: { params: { headDim: 8, pairing: 'interleaved' } } },
    ...both,
    oracle: rotary(invFreq, 'interleaved'),
    relative: true,
  },
  {
    title: 'RoPE with mixed pairing',
    encoding: { rope: { params: { headDim: 8 }, pairing: 'mixed' } },
    ...both,
    oracle: mixed,
    relative: false,
  },
  {
    title: 'xPos',
    encoding: { xpos: { params: { headDim: 8 } } },
    ...both,
    distance: -5,
    shifts: [0, 1, 100, 5000, 20_000, -3000],
    oracle: decaying,
    relative: true,
  },
  {
    title: 'multimodal RoPE',
    encoding: { mrope: { params: { headDim: 8, mropeSection: [2, 1, 1] } } },
    ...both,
    oracle: rotary(invFreq, 'half'),
    relative: true,
  },
  {
    title: 'two-dimensional RoPE',
    encoding: { rope_2d: { params: { headDim: 8 }, variant: 'vision' } },
    ...both,
    oracle: rotary(Float64Array.of(1, 0.01, 1, 0.01), 'half'),
    relative: true,
  },
  {
    title: 'sinusoids alone',
    encoding: { sinusoidal: {} },
    ...both,
    query: nothing,
    key: nothing,
    oracle: additive(sinusoid, nothing, nothing),
    relative: true,
  },
  {
    title: 'sinusoids on contents',
    encoding: { sinusoidal: {} },
    ...both,
    oracle: additive(sinusoid, query, key),
    relative: false,
  },
  {
    title: 'sinusoids with projections',
    encoding: { sinusoidal: { wq, wk } },
    ...both,
    query: nothing,
    key: nothing,
    oracle: additive(sinusoid, nothing, nothing, [wq, wk]),
    relative: false,
  },
  {
    title: 'sinusoids of a diagonal alone',
    encoding: { sinusoidal_2d: { order: 'concat' } },
    ...both,
    query: nothing,
    key: nothing,
    oracle: additive(diagonal, nothing, nothing),
    relative: true,
  },
  {
    title: 'sinusoids of a diagonal on contents',
    encoding: { sinusoidal_2d: { order: 'concat' } },
    ...both,
    oracle: additive(diagonal, query, key),
    relative: false,
  },
  {
    title: 'a learned table',
    encoding: { learned: { table, rows: 50 } },
    ...both,
    shifts: [0, 1, 2, 44],
    oracle: additive(rowOf, query, key),
    relative: false,
  },
  {
    title: 'the index',
    encoding: { index: { length: 1000 } },
    ...both,
    shifts: [0, 1, 2, 994],
    oracle: additive((position) => new Float64Array(8).fill(position), query, key),
    relative: false,
  },
  {
    title: 'one-hot positions alone',
    encoding: { one_hot: { maxLength: 8 } },
    ...both,
    query: nothing,
    key: nothing,
    shifts: [0, 1, 2],
    oracle: additive(oneHot, nothing, nothing),
    relative: true,
  },
  {
    title: 'one-hot positions on contents',
    encoding: { one_hot: { maxLength: 8 } },
    ...both,
    shifts: [0, 1, 2],
    oracle: additive(oneHot, query, key),
    relative: false,
  },
  {
    title: 'ALiBi',
    encoding: { alibi: { heads: 8, head: 2 } },
    ...both,
    shifts: [...far, -1_000_000],
    oracle: (i, j) => content - (i - j) / 8,
    relative: true,
  },
  {
    title: 'T5',
    encoding: { t5: { table: buckets, heads: 2, head: 1 } },
    ...both,
    shifts: [...far, -1_000_000],
    oracle: (i, j) => content + (buckets[2 * (16 + j - i) + 1] as number),
    relative: true,
  },
  {
    title: 'KERPLE',
    encoding: { kerple: { kind: 'log', a: Float32Array.of(0.5), p: Float32Array.of(1.5), heads: 1 } },
    ...both,
    oracle: (i, j) => content - 1.5 * Math.log1p(0.5 * Math.abs(i - j)),
    relative: true,
  },
  {
    title: 'FIRE up to its threshold',
    encoding: { fire: { ...network, heads: 2, head: 1, c: 0.1, threshold: 200 } },
    ...both,
    distance: -5,
    shifts: [0, 5, 6, 100, 200],
    oracle: fire,
    relative: true,
  },
  {
    title: 'FIRE past its threshold',
    encoding: { fire: { ...network, heads: 2, head: 1, c: 0.1, threshold: 200 } },
    ...both,
    distance: -5,
    shifts: [210, 1000, 1_000_000],
    oracle: fire,
    relative: false,
  },
  {
    title: 'Shaw',
    encoding: { shaw: { keyTable: relativeVectors, clip: 3 } },
    ...both,
    distance: 2,
    shifts: [...far, -1_000_000, 2 ** 31 - 2],
    oracle: shaw,
    relative: true,
  },
  {
    title: 'Transformer-XL',
    encoding: { transformer_xl: { u, v, relative: wr } },
    ...both,
    distance: -4,
    shifts: [...far, -1_000_000, 2 ** 31],
    oracle: transformerXl,
    relative: true,
  },
  {
    title: 'DeBERTa',
    encoding: { deberta: { span: 4, relativeKey, relativeQuery } },
    ...both,
    distance: 3,
    shifts: [...far, -1_000_000],
    oracle: deberta,
    relative: true,
  },
];

await describeVariants('verifyRelative of an encoding', (encodings) => {
  test.each(verdicts)('says whether the score of $title depends on the distance only: $relative', (verdict) => {
    const { encoding, distance, shifts, oracle } = verdict;
    const call = { query: verdict.query, key: verdict.key, distance, encoding };
    const found = encodings.verifyRelative({ ...call, shifts });
    expect(found.map(({ shift }) => shift)).toEqual(shifts);
    for (const { shift, score, residual, drift, bound, relative } of found) {
      const expected = oracle(shift, shift + distance);
      expect(Math.abs(score - expected), `score at ${shift}`).toBeLessThanOrEqual(bound + 1e-13 * Math.abs(expected));
      expect(drift).toBe(residual);
      expect(relative).toBe(residual <= bound);
      const drifted = Math.abs(expected - oracle(0, distance));
      expect(Math.abs(residual - drifted), `residual at ${shift}`).toBeLessThanOrEqual(bound + 1e-13 * drifted);
      expect(bound).toBeLessThan(2e-5 * Math.max(1, Math.abs(score)));
      // No pair of positions here is so close to that at shift 0 that an absolute encoding would go unnoticed.
      expect(relative).toBe(verdict.relative || shift === 0);
    }
  });

  test('holds every encoding', () => {
    const names = new Set(verdicts.flatMap(({ encoding }) => Object.keys(encoding)));
    expect([...names].sort()).toEqual([...encodingNames()].sort());
  });

  test('does not take rounding for a dependence on the position, up to a million', () => {
    const shifts = Array.from({ length: 100 }, (_, i) => Math.round(10 ** ((6 * i) / 99)) * (i % 3 === 0 ? -1 : 1));
    const bias = { heads: 4, head: 3 };
    const choices: ((headDim: number) => EncodingChoice)[] = [
      (headDim) => ({ rope: { params: { headDim, base: 5e5 } } }),
      (headDim) => ({ rope: { params: { headDim, type: 'yarn', factor: 8, originalMaxPosition: 4096 } } }),
      (headDim) => ({ mrope: { params: { headDim, mropeSection: [headDim / 2 - 2, 1, 1] } } }),
      (headDim) => ({ rope_2d: { params: { headDim }, variant: 'axial' } }),
      () => ({ alibi: { ...bias, biasMax: 5.5, symmetric: true } }),
      () => ({ t5: { ...bias, table: randomFloats(128, 40) } }),
      () => ({
        kerple: { ...bias, kind: 'power', a: Float32Array.of(0.5, 0.1, 3, 0.7), p: Float32Array.of(1, 2, 0.1, 0.7) },
      }),
    ];
    for (const headDim of [4, 64, 128]) {
      for (const [seed, choice] of choices.entries()) {
        for (const distance of [0, 1, -77, 4095]) {
          const contents = { query: randomFloats(headDim, 50 + seed), key: randomFloats(headDim, 60 + seed) };
          const found = encodings.verifyRelative({ ...contents, distance, shifts, encoding: choice(headDim) });
          expect(found.filter(({ relative }) => !relative)).toEqual([]);
        }
      }
    }
    const still = new Float32Array(64);
    const sums = { query: still, key: still, distance: 3, shifts };
    expect(encodings.verifyRelative({ ...sums, encoding: { sinusoidal: {} } }).every(({ relative }) => relative)).toBe(
      true,
    );
  });

  test('does not hide a dependence as small as a thousandth behind its bound', () => {
    // FIRE just past its threshold differs by the logarithm of a few tokens.
    const call = { query, key, distance: -5, encoding: { fire: { ...network, heads: 2, c: 0.1, threshold: 200 } } };
    const [at, past] = encodings.verifyRelative({ ...call, shifts: [200, 201] }) as [ShiftedScore, ShiftedScore];
    expect([at.relative, past.relative]).toEqual([true, false]);
    expect(past.residual).toBeLessThan(2e-3);
  });

  test('takes contents and tables from buffers', () => {
    const held = encodings.buffer(8);
    held.set(query);
    const call = { key, distance: 5, shifts: [0, 9], encoding: { rope: { params: { headDim: 8 } } } };
    const found = encodings.verifyRelative({ ...call, query: held });
    held.dispose();
    expect(found).toEqual(encodings.verifyRelative({ ...call, query }));
  });
});
