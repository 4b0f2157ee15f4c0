import { expect, test } from 'vitest';
import { later } from './later.ts';
import { expectAttention, expectNear } from './support/compare.ts';
import { floats, numbers, readCases, readFixture, shape, type Stored } from './support/data.ts';
import { describeVariants } from './support/variants.ts';

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
const cases = readFixture<SlopesCase | BiasCase>('alibi');
const slopesCases = cases.filter((entry) => entry.op === 'slopes');
const biasCases = cases.filter((entry) => entry.op === 'bias');

interface ForeignCase {
  name: string;
  op: string;
  params: Record<string, number | boolean>;
  inputs: Record<string, Stored>;
  outputs: Record<string, Stored>;
  tolerance: { rtol: number; atol: number };
}
const outside = later['../conformance/hf_attention_bias'] ?? {};
const foreign = ['alibi_originals', 'hf_attention_bias', 'x_transformers']
  .flatMap((suite) => readCases<ForeignCase>(`../../conformance/${suite}.json`))
  .filter(({ op, name }) => op.startsWith('Alibi') && !(name in outside));
const ofOp = (op: string) => foreign.filter((entry) => entry.op === op);
const ggml = readCases<ForeignCase>('../../conformance/ggml.json').filter(({ name }) => name.includes('alibi'));

test('holds every ALiBi case of the suites', () => {
  const counts = ['AlibiSlopes', 'AlibiBias', 'AlibiBloomTensor', 'AlibiMptTensor'].map((op) => ofOp(op).length);
  expect(counts).toEqual([45, 4, 1, 1]);
  expect(foreign.length).toBe(51);
  expect(ggml.length).toBe(5);
});

const within = ({ tolerance }: ForeignCase) => ({ absolute: tolerance.atol, relative: tolerance.rtol });

await describeVariants('alibiSlopes', (encodings) => {
  test.each(slopesCases)('gives those of $heads heads', ({ heads, bias_max, slopes }) => {
    expectNear(encodings.alibiSlopes({ heads, biasMax: bias_max }), numbers(slopes), { relative: 1e-12 });
  });

  test.each(ofOp('AlibiSlopes'))('agrees with $name', (entry) => {
    const heads = entry.params.num_heads as number;
    const biasMax = (entry.params.alibi_bias_max as number | undefined) ?? 8;
    expectNear(encodings.alibiSlopes({ heads, biasMax }), numbers(entry.outputs.slopes), within(entry));
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

  test.each(ofOp('AlibiBias'))('agrees with $name', (entry) => {
    const { num_heads, total_heads, seq_len, i, j, full, symmetric, alibi_bias_max } = entry.params;
    const heads = num_heads as number;
    const keyLength = (j ?? seq_len) as number;
    const queryLength = (i ?? (full === true ? seq_len : 1)) as number;
    const bias = encodings.alibiBias({
      heads,
      queryLength,
      keyLength,
      symmetric: symmetric === true || full === true,
      ...(alibi_bias_max === undefined ? {} : { biasMax: alibi_bias_max as number }),
    });
    // Further heads of x-transformers have no bias.
    const withoutBias = (((total_heads as number | undefined) ?? heads) - heads) * queryLength * keyLength;
    expectNear([...bias, ...new Array<number>(withoutBias).fill(0)], numbers(entry.outputs.bias), within(entry));
  });

  test.each(ofOp('AlibiMptTensor'))('is the row of its last query in $name', (entry) => {
    const { num_heads, sequence_length } = entry.params as { num_heads: number; sequence_length: number };
    const bias = encodings.alibiBias({ heads: num_heads, queryLength: 1, keyLength: sequence_length });
    expectNear(bias, numbers(entry.outputs.alibi), within(entry));
  });

  test.each(ofOp('AlibiBloomTensor'))('counts the tokens of padded sequences as $name does', (entry) => {
    const heads = entry.params.num_heads as number;
    const [batch, keyLength] = shape(entry.inputs.attention_mask) as [number, number];
    const mask = numbers(entry.inputs.attention_mask);
    const expected = numbers(entry.outputs.alibi);
    for (let b = 0; b < batch; ++b) {
      let tokens = 0;
      const positions = Array.from(mask.subarray(b * keyLength, (b + 1) * keyLength), (valid) => {
        tokens += valid;
        return valid === 0 ? 0 : tokens - 1;
      });
      // BLOOM adds slope × position, the bias of a query at position 0.
      const queryStart = positions.indexOf(0);
      const bias = encodings.alibiBias({ heads, queryLength: 1, keyLength, queryStart, positions });
      expectNear(bias, expected.subarray(b * heads * keyLength, (b + 1) * heads * keyLength), within(entry));
    }
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

await describeVariants('ALiBi of ggml', (encodings) => {
  test.each(ggml)('$name', (entry) => {
    const { scale, max_bias, logit_softcap, num_kv_heads } = entry.params as Record<string, number>;
    const mask = numbers(entry.inputs.mask);
    const isSoftMax = entry.op === 'GgmlSoftMaxExt';
    const [, heads, queryLength, width] = shape(isSoftMax ? entry.inputs.a : entry.inputs.q) as number[];
    const keyLength = shape(entry.inputs.mask)[1] as number;
    // Queries are the rows of the scores themselves where the keys are the unit vectors.
    const unit = Float32Array.from({ length: keyLength ** 2 }, (_, n) => Number(n % (keyLength + 1) === 0));
    const call = {
      query: floats(isSoftMax ? entry.inputs.a : entry.inputs.q),
      key: isSoftMax ? unit : floats(entry.inputs.k),
      value: isSoftMax ? unit : floats(entry.inputs.v),
      format: 'bhsd',
      heads: heads as number,
      kvHeads: isSoftMax ? 1 : (num_kv_heads as number),
      queryLength: queryLength as number,
      keyLength,
      headDim: width as number,
      // The mask holds key − query where a query may attend.
      queryStart: -(mask[0] as number),
      causal: true,
      scale: scale as number,
      ...(logit_softcap ? { softcap: logit_softcap } : {}),
      bias: { alibi: encodings.alibiSlopes({ heads: heads as number, biasMax: max_bias as number }) },
    } as const;
    mask.forEach((value, n) => {
      const distance = call.queryStart + Math.floor(n / keyLength) - (n % keyLength);
      expect(value).toBe(distance < 0 ? -Infinity : 0 - distance);
    });
    const got = encodings.attention({ ...call, returns: isSoftMax ? 'weights' : 'output' });
    const expected = numbers(entry.outputs.y);
    if (isSoftMax) {
      expectNear(got, expected, within(entry));
      return;
    }
    // ggml gives [query, head, width].
    const [rows, dim] = [call.queryLength, call.headDim];
    const ours = Float32Array.from(expected, (_, n) => {
      const [c, head, row] = [n % dim, Math.floor(n / dim) % call.heads, Math.floor(n / (dim * call.heads))];
      return got[(head * rows + row) * dim + c] as number;
    });
    expectNear(ours, expected, within(entry));
  });
});
