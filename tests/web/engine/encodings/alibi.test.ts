import { expect, test } from 'vitest';
import { expectAttention, expectNear } from '../../support/compare.ts';
import { floats, numbers, shape, type Stored } from '../../support/data.ts';
import { openFixture } from '../../support/fixture.ts';
import { describeVariants } from '../../support/variants.ts';

interface SlopesCase {
  op: 'slopes';
  heads: number;
  bias_max: number;
  slopes: Stored;
}
interface BiasCase {
  op: 'bias';
  heads: number;
  lq: number;
  lk: number;
  q_offset: number;
  relative: Stored;
  key: Stored;
  key_end: Stored;
  q: Stored;
  k: Stored;
  v: Stored;
  causal_out: Stored;
}
const cases = openFixture<SlopesCase | BiasCase>('alibi');
const slopesCases = cases.where((entry) => entry.op === 'slopes');
const biasCases = cases.where((entry) => entry.op === 'bias');

await describeVariants('alibiSlopes', (encodings) => {
  test.each(slopesCases)('gives those of $heads heads', ({ heads, bias_max, slopes }) => {
    expectNear(encodings.alibiSlopes({ heads, biasMax: bias_max }), numbers(slopes), { relative: 1e-12 });
  });

  test('are those of the authors and those of MPT, which are the same, for every number of heads', () => {
    const series = (n: number) => Array.from({ length: n }, (_, h) => 2 ** ((-8 * (h + 1)) / n));
    // The greatest power of two below, then every other one of twice as many.
    const authors = (heads: number): number[] => {
      const power = 2 ** Math.floor(Math.log2(heads));
      const further = series(2 * power).filter((_, h) => h % 2 === 0);
      return [...series(power), ...further.slice(0, heads - power)];
    };
    // The least power of two above, its second, fourth, … before its first, third, ….
    const mpt = (heads: number): number[] => {
      const all = series(2 ** Math.ceil(Math.log2(heads)));
      if (all.length === heads) return all;
      return [...all.filter((_, h) => h % 2 === 1), ...all.filter((_, h) => h % 2 === 0)].slice(0, heads);
    };
    for (let heads = 1; heads <= 256; ++heads) {
      const found = encodings.alibiSlopes({ heads });
      expectNear(found, authors(heads), { relative: 1e-12 });
      expectNear(found, mpt(heads), { relative: 1e-12 });
    }
  });

  test('are one series for 12 heads by the rule of the paper', () => {
    const series = Array.from({ length: 12 }, (_, h) => 2 ** ((-8 * (h + 1)) / 12));
    expectNear(encodings.alibiSlopes({ heads: 12, rule: 'geometric' }), series, { relative: 1e-12 });
  });

  test('go into an array of the caller', () => {
    const out = new Float64Array(4);
    expect(encodings.alibiSlopes({ heads: 4, out })).toBe(out);
    expect([...out]).toEqual([2 ** -2, 2 ** -4, 2 ** -6, 2 ** -8]);
  });
});

await describeVariants('alibiBias', (encodings) => {
  test.each(biasCases)('gives $heads heads of $lq queries and $lk keys', (entry) => {
    const call = { heads: entry.heads, queryLength: entry.lq, keyLength: entry.lk, queryStart: entry.q_offset };
    const symmetric = encodings.alibiBias({ ...call, symmetric: true });
    expectNear(symmetric, numbers(entry.relative), { absolute: 2e-6 });
    const causal = encodings.alibiBias(call);
    symmetric.forEach((value, n) => {
      const isPast = (n % entry.lk) - entry.q_offset <= Math.floor(n / entry.lk) % entry.lq;
      expect(causal[n]).toBe(isPast ? value : -value);
    });
  });

  test.each(biasCases)('gives the attention that its other causal forms give', (entry) => {
    const [heads, queryLength, headDim] = shape(entry.q) as [number, number, number];
    const call = {
      query: floats(entry.q),
      key: floats(entry.k),
      value: floats(entry.v),
      format: 'bhsd',
      heads,
      queryLength,
      keyLength: entry.lk,
      headDim,
      queryStart: entry.q_offset,
      causal: true,
    } as const;
    const sizes = { heads, queryLength, keyLength: entry.lk };
    const expected = numbers(entry.causal_out);
    expectAttention(encodings.attention({ ...call, bias: encodings.alibiBias(sizes) }), expected);
    expectAttention(encodings.attention({ ...call, bias: { alibi: encodings.alibiSlopes({ heads }) } }), expected);
    expectAttention(encodings.attention({ ...call, bias: floats(entry.key) }), expected);
    expectAttention(encodings.attention({ ...call, bias: floats(entry.key_end) }), expected);
  });

  test('is the same with padding on the left, for the tokens that count', () => {
    const [heads, tokens, padding] = [6, 5, 3];
    const plain = encodings.alibiBias({ heads, queryLength: tokens, keyLength: tokens });
    const keyLength = tokens + padding;
    const byIndex = encodings.alibiBias({ heads, queryLength: tokens, keyLength });
    const positions = Array.from({ length: keyLength }, (_, key) => Math.max(0, key - padding));
    const byPosition = encodings.alibiBias({ heads, queryLength: tokens, keyLength, positions });
    for (const padded of [byIndex, byPosition]) {
      const rows = Array.from({ length: heads * tokens }, (_, row) =>
        padded.subarray(row * keyLength + padding, (row + 1) * keyLength),
      );
      expect(rows.flatMap((row) => [...row])).toEqual([...plain]);
    }
  });

  test('depends on the distance only', () => {
    const call = { heads: 5, queryLength: 4, keyLength: 4 };
    const here = encodings.alibiBias({ ...call, symmetric: true, positions: [0, 1, 2, 3], queryStart: 0 });
    const there = [0, 1, 2, 3].map((position) => position + 2 ** 31 - 3);
    expect(encodings.alibiBias({ ...call, symmetric: true, positions: there, queryStart: 0 })).toEqual(here);
  });

  test('counts queries from the end of the keys, or from queryStart', () => {
    const last = encodings.alibiBias({ heads: 2, queryLength: 2, keyLength: 5 });
    expect(encodings.alibiBias({ heads: 2, queryLength: 2, keyLength: 5, queryStart: 3 })).toEqual(last);
    const first = encodings.alibiBias({ heads: 2, queryLength: 2, keyLength: 5, queryStart: 0 });
    expect([...first.subarray(0, 5)]).toEqual([0, 1, 2, 3, 4].map((key) => key / 16));
  });

  test('goes into a buffer', () => {
    const call = { heads: 3, queryLength: 2, keyLength: 3 };
    const buffer = encodings.buffer(18);
    expect(encodings.alibiBias({ ...call, out: buffer })).toBe(buffer);
    const values = buffer.view().slice();
    buffer.dispose();
    expect(values).toEqual(encodings.alibiBias(call));
  });
});
