import { ropeFrequencies, type Encodings, type Format, type RopeParams } from 'posenc';
import { describe, expect, test } from 'vitest';
import { later } from './later.ts';
import { expectNear } from './support/compare.ts';
import { floats, numbers, readCases, shape, type Stored } from './support/data.ts';
import { describeVariants } from './support/variants.ts';

interface ConformanceCase<Params> {
  name: string;
  op: string;
  params: Params;
  inputs: Readonly<Record<string, Stored>>;
  outputs: Readonly<Record<string, Stored>>;
  tolerance: { rtol: number; atol: number };
  expect?: 'reject';
  reason?: string;
}
type Layout = 'BHSD' | 'BSHD' | 'SHD';

/** The cases of a file, without those for a later version, that one of the operators below describes. */
function casesOf<Params>(file: string, ...operators: string[]): ConformanceCase<Params>[] {
  const cases = readCases<ConformanceCase<Params>>(`../../conformance/${file}.json`);
  return cases.filter(
    ({ name, op }) => operators.includes(op) && later[`../conformance/${file}`]?.[name] === undefined,
  );
}

/** The tensor of a case as a call takes it. */
function tensor(stored: Stored, layout: Layout) {
  const axes = layout === 'SHD' ? [1, ...shape(stored)] : shape(stored);
  const [batch, second, third, headDim] = axes as [number, number, number, number];
  const format: Format = layout === 'BHSD' ? 'bhsd' : 'bshd';
  const [length, heads] = format === 'bhsd' ? [third, second] : [second, third];
  return { x: floats(stored), format, batch, length, heads, headDim };
}

/** The numbers of an output, and the bounds of its case. */
function expectOutput(actual: ArrayLike<number>, { tolerance }: ConformanceCase<unknown>, expected: Stored): void {
  expectNear(actual, numbers(expected), { absolute: tolerance.atol, relative: tolerance.rtol });
}

interface ApplyParams {
  pairing: 'half' | 'interleaved' | 'interleaved_in_half_out';
  rotary_dim: number;
  rope_theta: number;
  layout: Layout;
  inverse?: boolean;
  attention_scaling?: number;
}
const apply = casesOf<ApplyParams>('hf_apply_rotary', 'ApplyRotary');

/** DeepSeek-V3 in transformers returns all first members of the pairs, then all second ones. */
function firstMembersFirst(x: Float32Array, headDim: number): Float32Array {
  const half = headDim / 2;
  return x.map((_, i) => {
    const channel = i % headDim;
    return x[i - channel + (channel < half ? 2 * channel : 2 * (channel - half) + 1)] as number;
  });
}

await describeVariants('rotary embeddings of transformers', (encodings) => {
  test.each(apply)('$name', (entry) => {
    const { params, inputs, outputs } = entry;
    const positions = numbers(inputs.position_ids);
    const scaling = params.attention_scaling ?? 1;
    for (const [name, expected] of Object.entries(outputs)) {
      const [part] = name.split('[') as [string];
      const call = tensor(inputs[part] as Stored, params.layout);
      const { headDim } = call;
      const rope: RopeParams = {
        headDim,
        rotaryDim: params.rotary_dim,
        base: params.rope_theta,
        pairing: params.pairing === 'half' ? 'half' : 'interleaved',
        attentionFactor: scaling,
      };
      const inverse = params.inverse ?? false;
      const slice = shape(expected).at(-1) as number;
      const compare = (turned: Float32Array) => {
        const ordered = params.pairing === 'interleaved_in_half_out' ? firstMembersFirst(turned, headDim) : turned;
        expectOutput(
          ordered.filter((_, i) => i % headDim < slice),
          entry,
          expected,
        );
      };
      compare(encodings.rope({ ...call, params: rope, positions, inverse }));
      if (inputs.cos === undefined) continue;
      // The model's own table, one row per token of a sequence.
      const rows = positions.length;
      const scaled = (values: Stored) => floats(values).map((value) => scaling * value);
      const table = { cos: scaled(inputs.cos), sin: scaled(inputs.sin as Stored), rows };
      compare(encodings.rope({ ...call, params: rope, table, positions: [...Array(rows).keys()], inverse }));
    }
  });

  test.each(casesOf<{ num_pos: number; dim: number }>('hf_apply_rotary', 'GptjSinCosTable'))('$name', (entry) => {
    const { num_pos: length, dim } = entry.params;
    expectOutput(encodings.sinusoidal({ length, dim, order: 'concat' }), entry, entry.outputs.table as Stored);
  });

  interface MropeParams {
    mrope_section: number[];
    section_layout: 'contiguous' | 'interleaved';
    rope_theta: number;
    layout: Layout;
  }
  test.each(casesOf<MropeParams>('hf_apply_rotary', 'ApplyMRope'))('$name', (entry) => {
    const { params, inputs, outputs } = entry;
    for (const name of ['q', 'k'] as const) {
      const call = tensor(inputs[name] as Stored, params.layout);
      const rope = {
        headDim: call.headDim,
        base: params.rope_theta,
        mropeSection: params.mrope_section,
        mropeInterleaved: params.section_layout === 'interleaved',
      };
      const turned = encodings.mrope({ ...call, params: rope, positions: numbers(inputs.position_ids) });
      expectOutput(turned, entry, outputs[name] as Stored);
    }
  });

  interface GridParams {
    variant: string;
    grid: [number, number];
    rope_theta: number;
    layout: Layout;
    prefix_tokens: number;
  }
  test.each(casesOf<GridParams>('hf_apply_rotary', 'ApplyRotary2D', 'ApplyRotary2D_Llama4'))('$name', (entry) => {
    const { params, inputs, outputs } = entry;
    const [gridRows, gridColumns] = params.grid;
    const cells = Array.from({ length: gridRows * gridColumns }, (_, cell) => cell);
    const row = (cell: number) => Math.floor(cell / gridColumns);
    const column = (cell: number) => cell % gridColumns;
    for (const name of ['q', 'k'] as const) {
      const call = tensor(inputs[name] as Stored, params.layout);
      const rope: RopeParams = { headDim: call.headDim, base: params.rope_theta };
      if (entry.op === 'ApplyRotary2D_Llama4') {
        // Columns before rows, both counted from 1; the class token at the end stays at 0, where nothing turns.
        const rows = [...cells.map((cell) => column(cell) + 1), 0];
        const columns = [...cells.map((cell) => row(cell) + 1), 0];
        const turned = encodings.rope2d({ ...call, params: rope, variant: 'axial', rows, columns });
        expectOutput(turned, entry, outputs[name] as Stored);
      } else if (params.variant.startsWith('dinov3')) {
        // Centres of n patches at (2i + 1 − n) / n turn by 2π: whole numbers and a linear factor of each axis.
        const none = Array<number>(params.prefix_tokens).fill(0);
        const odd = (index: (cell: number) => number, n: number) => [
          ...none,
          ...cells.map((c) => 2 * index(c) + 1 - n),
        ];
        const still = [...none, ...cells.map(() => 0)];
        const alongAxis = (n: number): RopeParams => ({ ...rope, type: 'linear', factor: n / (2 * Math.PI) });
        const byRow = encodings.rope2d({
          ...call,
          params: alongAxis(gridRows),
          variant: 'vision',
          rows: odd(row, gridRows),
          columns: still,
        });
        const byBoth = encodings.rope2d({
          ...call,
          x: byRow,
          params: alongAxis(gridColumns),
          variant: 'vision',
          rows: still,
          columns: odd(column, gridColumns),
        });
        expectOutput(byBoth, entry, outputs[name] as Stored);
      } else {
        const [rows, columns] = [numbers(inputs.h_ids), numbers(inputs.w_ids)];
        expect([...rows]).toEqual(cells.map(row));
        const turned = encodings.rope2d({ ...call, params: rope, variant: 'vision', rows, columns });
        expectOutput(turned, entry, outputs[name] as Stored);
      }
    }
  });

  interface AttentionParams {
    num_heads: number;
    num_kv_heads: number;
    head_dim: number;
    scale: number;
    rope_theta: number;
  }
  test.each(casesOf<AttentionParams>('hf_apply_rotary', 'RopeAttention'))('$name', (entry) => {
    const { params, inputs, outputs } = entry;
    const { num_heads: heads, head_dim: headDim } = params;
    const [batch, , queryLength] = shape(inputs.q) as [number, number, number];
    const [, , keyLength] = shape(inputs.k) as [number, number, number];
    const call = {
      query: floats(inputs.q),
      key: floats(inputs.k),
      value: floats(inputs.v),
      format: 'bhsd',
      batch,
      heads,
      kvHeads: params.num_kv_heads,
      queryLength,
      keyLength,
      headDim,
      scale: params.scale,
      causal: true,
      rope: { headDim, base: params.rope_theta },
      positions: numbers(inputs.k_positions),
    } as const;
    expectOutput(encodings.attention({ ...call, returns: 'weights' }), entry, outputs.attn_weights as Stored);
    const out = encodings.attention(call);
    const bshd = out.map((_, i) => {
      const channel = i % headDim;
      const [token, head] = [Math.floor(i / (headDim * heads)), Math.floor(i / headDim) % heads];
      const [b, t] = [Math.floor(token / queryLength), token % queryLength];
      return out[((b * heads + head) * queryLength + t) * headDim + channel] as number;
    });
    expectOutput(bshd, entry, outputs.out as Stored);
  });
});

describe('gains of YaRN in transformers', () => {
  test.each(casesOf<{ pairs: [number, number][] }>('hf_apply_rotary', 'YarnMscale'))('$name', (entry) => {
    const gains = entry.params.pairs.map(([factor, mscaleAllDim]) => {
      const params: RopeParams = { headDim: 64, type: 'yarn', factor, originalMaxPosition: 4096, mscaleAllDim };
      return Math.sqrt(ropeFrequencies(params).softmaxFactor);
    });
    expectOutput(gains, entry, entry.outputs.mscale as Stored);
  });
});

interface LucidrainsParams {
  dim: number;
  theta: number;
  layout: 'BHSD';
  interpolate_factor?: number;
  base_rescale_factor?: number;
  dims: [number, number];
  offsets: [number, number] | null;
  freqs_for?: 'pixel';
  max_freq?: number;
}
const lucidrains = ['rotary_embedding_torch', 'x_transformers'].flatMap((file) =>
  casesOf<LucidrainsParams>(file, 'RotateQueriesOrKeys', 'RotateCachedKeys', 'AxialRotary', 'ApplyRotaryAngles'),
);

/** Parameters whose frequencies are any numbers: those of the default type, divided one by one. */
function withFrequencies(params: RopeParams, frequencies: ArrayLike<number>): RopeParams {
  const unscaled = ropeFrequencies({ ...params, type: 'default' }).invFreq;
  const divisors = Array.from(unscaled, (frequency, pair) => frequency / (frequencies[pair] as number));
  const lists = { shortFactor: divisors, longFactor: divisors };
  return { attentionFactor: 1, ...params, type: 'longrope', factor: 1, originalMaxPosition: 4096, ...lists };
}

await describeVariants('rotary embeddings of lucidrains', (encodings) => {
  test.each(lucidrains.filter(({ op }) => op === 'RotateQueriesOrKeys'))('$name', (entry) => {
    const { params, inputs, outputs } = entry;
    const call = tensor(inputs.t as Stored, params.layout);
    const plain: RopeParams = { headDim: call.headDim, rotaryDim: params.dim, pairing: 'interleaved' };
    const rope: RopeParams =
      inputs.custom_freqs !== undefined
        ? withFrequencies(plain, numbers(inputs.custom_freqs))
        : params.interpolate_factor !== undefined
          ? { ...plain, base: params.theta, type: 'linear', factor: params.interpolate_factor }
          : params.base_rescale_factor !== undefined
            ? { ...plain, base: params.theta, type: 'ntk', factor: params.base_rescale_factor }
            : { ...plain, base: params.theta };
    const positions = inputs.positions === undefined ? {} : { positions: numbers(inputs.positions) };
    expectOutput(encodings.rope({ ...call, params: rope, ...positions }), entry, outputs.out as Stored);
  });

  test.each(lucidrains.filter(({ op }) => op === 'RotateCachedKeys'))('$name', (entry) => {
    const { params, inputs, outputs } = entry;
    const [q, k] = [tensor(inputs.q as Stored, params.layout), tensor(inputs.k as Stored, params.layout)];
    const rope: RopeParams = { headDim: params.dim, base: params.theta, pairing: 'interleaved' };
    const start = k.length - q.length;
    expectOutput(encodings.rope({ ...q, params: rope, start }), entry, outputs.q as Stored);
    expectOutput(encodings.rope({ ...k, params: rope }), entry, outputs.k as Stored);
  });

  test.each(lucidrains.filter(({ op }) => op === 'AxialRotary'))('$name', (entry) => {
    const { params, inputs, outputs } = entry;
    const [gridRows, gridColumns] = params.dims;
    const [firstRow, firstColumn] = params.offsets ?? [0, 0];
    const length = gridRows * gridColumns;
    const headDim = shape(inputs.t).at(-1) as number;
    const rotaryDim = 2 * params.dim;
    const call = {
      params: { headDim, rotaryDim, base: params.theta },
      variant: 'axial',
      length,
      heads: 1,
      headDim,
      rows: Array.from({ length }, (_, cell) => firstRow + Math.floor(cell / gridColumns)),
      columns: Array.from({ length }, (_, cell) => firstColumn + (cell % gridColumns)),
      ...(params.freqs_for === 'pixel' && {
        pixels: { rows: gridRows, columns: gridColumns, maxFrequency: params.max_freq as number },
      }),
    } as const;
    expectOutput(encodings.rope2d({ ...call, x: floats(inputs.t) }), entry, outputs.out as Stored);
    // Turning (1, 0) shows the cosine and the sine of an angle, which the case has once per channel.
    const x = Float32Array.from({ length: length * headDim }, (_, i) => Number((i % headDim) % 2 === 0));
    const angles = numbers(outputs.freqs);
    const turned = encodings.rope2d({ ...call, x }).filter((_, i) => i % headDim < rotaryDim);
    expectNear(
      turned,
      angles.map((angle, i) => (i % 2 === 0 ? Math.cos(angle) : Math.sin(angle))),
      { absolute: entry.tolerance.atol },
    );
  });

  test.each(lucidrains.filter(({ op }) => op === 'ApplyRotaryAngles'))('$name', (entry) => {
    const { inputs, outputs } = entry;
    const call = tensor(inputs.t as Stored, 'BHSD');
    const angles = numbers(inputs.angles);
    const table = { cos: Float32Array.from(angles, Math.cos), sin: Float32Array.from(angles, Math.sin) };
    const params: RopeParams = { headDim: call.headDim, pairing: 'interleaved' };
    const turned = encodings.rope({ ...call, params, table: { ...table, rows: call.length } });
    expectOutput(turned, entry, outputs.out as Stored);
  });
});

interface ContribParams {
  interleaved: 0 | 1;
  num_heads: number;
  rotary_embedding_dim?: number;
}
const contrib = casesOf<ContribParams>('onnxruntime_contrib_rotary_embedding', 'ContribRotaryEmbedding');

await describeVariants('RotaryEmbedding of onnxruntime', (encodings) => {
  const turn = ({ params, inputs }: ConformanceCase<ContribParams>, out?: Float32Array) => {
    const { num_heads: heads, interleaved } = params;
    const [batch, length, width] = shape(inputs.input) as [number, number, number];
    const headDim = width / heads;
    const positions = numbers(inputs.position_ids);
    return encodings.rope({
      x: floats(inputs.input),
      params: {
        headDim,
        rotaryDim: params.rotary_embedding_dim || headDim,
        pairing: interleaved === 1 ? 'interleaved' : 'half',
      },
      table: {
        cos: floats(inputs.cos_cache),
        sin: floats(inputs.sin_cache),
        rows: shape(inputs.cos_cache)[0] as number,
      },
      batch,
      length,
      heads,
      headDim,
      // A single number is where every sequence starts.
      ...(shape(inputs.position_ids).length === 1 ? { start: positions[0] as number } : { positions }),
      ...(out && { out }),
    });
  };

  test.each(contrib.filter(({ expect: outcome }) => outcome !== 'reject'))('$name', (entry) => {
    expectOutput(turn(entry), entry, entry.outputs.output as Stored);
  });

  test.each(contrib.filter(({ expect: outcome }) => outcome === 'reject'))('$name: $reason', (entry) => {
    const out = new Float32Array(numbers(entry.inputs.input).length).fill(7);
    expect(() => turn(entry, out)).toThrowError(expect.objectContaining({ name: 'PosencError' }));
    expect(out).toEqual(new Float32Array(out.length).fill(7));
  });
});

interface GgmlParams {
  mode: 'normal' | 'neox' | 'mrope' | 'imrope' | 'vision';
  n_dims: number;
  n_ctx_orig: number;
  freq_base: number;
  freq_scale: number;
  ext_factor: number;
  attn_factor: number;
  beta_fast: number;
  beta_slow: number;
  forward: boolean;
  sections?: [number, number, number, number];
}
type GgmlCase = ConformanceCase<GgmlParams>;
const ggml = casesOf<GgmlParams>('ggml', 'GgmlRope');

/** Pairs past the limits of three sections turn by a fourth row of positions in ggml. This library has three. */
const fourthRow: Readonly<Record<string, readonly number[]>> = {
  'rope/mrope/four_sections': [12, 13, 14, 15],
  'rope/imrope/full_t4y2x2': [7],
  'rope/imrope/backward': [7],
  'test_rope/context_shift/imrope/a_x_at_33': [7],
  'test_rope/context_shift/imrope/b_x_at_100': [7],
};

/**
 * The scaling of ggml: YaRN by ext_factor and linear interpolation by the rest, then a divisor per pair, in heads of
 * n_dims channels.
 */
function ggmlScaling({ params, inputs }: GgmlCase, extFactor = params.ext_factor): Partial<RopeParams> {
  const factor = 1 / params.freq_scale;
  const gain = params.ext_factor === 0 ? 1 : 1 + 0.1 * Math.log(factor);
  const attentionFactor = params.attn_factor * gain;
  const linear: Partial<RopeParams> = { type: 'linear', factor };
  const yarn: Partial<RopeParams> = {
    type: 'yarn',
    factor,
    originalMaxPosition: params.n_ctx_orig,
    betaFast: params.beta_fast,
    betaSlow: params.beta_slow,
  };
  const divided = inputs.freq_factors !== undefined;
  if (!divided && extFactor === 0) return { ...linear, attentionFactor };
  if (!divided && extFactor === 1) return { ...yarn, attentionFactor };
  const heads = { headDim: params.n_dims, base: params.freq_base };
  const interpolated = ropeFrequencies({ ...heads, ...linear }).invFreq;
  const corrected = extFactor === 0 ? interpolated : ropeFrequencies({ ...heads, ...yarn }).invFreq;
  const factors = divided ? numbers(inputs.freq_factors) : new Float64Array(interpolated.length).fill(1);
  const frequencies = interpolated.map(
    (frequency, pair) =>
      (extFactor * (corrected[pair] as number) + (1 - extFactor) * frequency) / (factors[pair] as number),
  );
  return withFrequencies({ ...heads, attentionFactor }, frequencies);
}

/** Turns the tensor of a case by the positions of its mode, one row of positions after the other. */
function turnAsGgml(encodings: Encodings, entry: GgmlCase, x: Float32Array, positions: Float64Array): Float32Array {
  const { params } = entry;
  const { mode, n_dims: rotaryDim } = params;
  const call = { ...tensor(entry.inputs.x as Stored, 'BSHD'), x, inverse: !params.forward };
  const { headDim, length } = call;
  const row = (axis: number) => positions.subarray(axis * length, (axis + 1) * length);
  const width: RopeParams = { headDim, base: params.freq_base };

  if (mode === 'vision') {
    const [rows, columns, still] = [row(0), row(1), new Float64Array(length)];
    const turn = (scaling: Partial<RopeParams>, x: Float32Array, rows: Float64Array, columns: Float64Array) =>
      encodings.rope2d({ ...call, x, params: { ...width, ...scaling, headDim }, variant: 'vision', rows, columns });
    if (params.ext_factor === 0) return turn(ggmlScaling(entry), x, rows, columns);
    // The ramp goes on where the frequencies of the columns start again, and has ended by then. Each of the two turns
    // multiplies by the attention factor.
    const scaling = ggmlScaling(entry);
    const { attentionFactor: _, ...onlyOnce } = ggmlScaling(entry, 0);
    return turn({ ...onlyOnce, attentionFactor: 1 }, turn(scaling, x, rows, still), still, columns);
  }
  const rope: RopeParams = { ...width, ...ggmlScaling(entry), headDim, rotaryDim };
  if (mode === 'normal' || mode === 'neox') {
    return encodings.rope({ ...call, params: { ...rope, pairing: mode === 'normal' ? 'gptj' : 'neox' }, positions });
  }
  const [time, height, breadth, rest] = params.sections as [number, number, number, number];
  const turned = encodings.mrope({
    ...call,
    params: { ...rope, mropeSection: [time, height, breadth + rest], mropeInterleaved: mode === 'imrope' },
    positions: positions.subarray(0, 3 * length),
  });
  const byFourth = encodings.rope({ ...call, params: rope, positions: row(3) });
  for (const pair of fourthRow[entry.name] ?? []) {
    for (let i = 0; i < x.length; ++i) {
      const channel = i % headDim;
      if (channel < rotaryDim && channel % (rotaryDim / 2) === pair) turned[i] = byFourth[i] as number;
    }
  }
  return turned;
}

await describeVariants('rope of ggml', (encodings) => {
  test.each(ggml)('$name', (entry) => {
    const turned = turnAsGgml(encodings, entry, floats(entry.inputs.x), numbers(entry.inputs.pos));
    expectOutput(turned, entry, entry.outputs.y as Stored);
  });

  const shifted = ggml.filter(({ name }) => name.endsWith('/b_x_at_100'));
  test.each(shifted)('$name, turned back by 67, is what it was at 33', (entry) => {
    const at33 = ggml.find(({ name }) => name === entry.name.replace('b_x_at_100', 'a_x_at_33')) as GgmlCase;
    const back = numbers(entry.inputs.pos).fill(-67);
    expectOutput(turnAsGgml(encodings, entry, floats(entry.outputs.y), back), at33, at33.outputs.y as Stored);
  });
});

test('are all cases of these files that rotate', () => {
  const counts = {
    hf_apply_rotary: 22 - Object.keys(later['../conformance/hf_apply_rotary'] ?? {}).length,
    lucidrains: 11,
    onnxruntime: 7,
    ggml: 40,
  };
  const hf = casesOf(
    'hf_apply_rotary',
    ...['ApplyRotary', 'GptjSinCosTable', 'ApplyMRope', 'ApplyRotary2D', 'ApplyRotary2D_Llama4', 'RopeAttention'],
    'YarnMscale',
  );
  const found = {
    hf_apply_rotary: hf.length,
    lucidrains: lucidrains.length,
    onnxruntime: contrib.length,
    ggml: ggml.length,
  };
  expect(found).toEqual(counts);
});
