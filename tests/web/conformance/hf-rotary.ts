import { ropeFrequencies, type RopeParams } from 'posenc';
import { expect } from 'vitest';
import { floats, numbers, shape } from '../support/data.ts';
import { expectOutput, headsLast, tensor, type Layout, type Run, type Suites } from './case.ts';

interface ApplyParams {
  pairing: 'half' | 'interleaved' | 'interleaved_in_half_out';
  rotary_dim: number;
  rope_theta: number;
  layout: Layout;
  inverse?: boolean;
  attention_scaling?: number;
}
/** DeepSeek-V3 in transformers returns all first members of the pairs, then all second ones. */
function firstMembersFirst(x: Float32Array, headDim: number): Float32Array {
  const half = headDim / 2;
  return x.map((_, i) => {
    const channel = i % headDim;
    return x[i - channel + (channel < half ? 2 * channel : 2 * (channel - half) + 1)] as number;
  });
}

const applyRotary: Run<ApplyParams> = (encodings, entry) => {
  const { params, inputs, outputs } = entry;
  const positions = numbers(inputs.position_ids);
  const scaling = params.attention_scaling ?? 1;
  for (const [name, expected] of Object.entries(outputs)) {
    const [part] = name.split('[') as [string];
    const call = tensor(inputs[part], params.layout);
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
    const scaled = (values: unknown) => floats(values).map((value) => scaling * value);
    const table = { cos: scaled(inputs.cos), sin: scaled(inputs.sin), rows };
    compare(encodings.rope({ ...call, params: rope, table, positions: [...Array(rows).keys()], inverse }));
  }
};

const gptjTable: Run<{ num_pos: number; dim: number }> = (encodings, entry) => {
  const { num_pos: length, dim } = entry.params;
  expectOutput(encodings.sinusoidal({ length, dim, order: 'concat' }), entry, entry.outputs.table);
};

interface MropeParams {
  mrope_section: number[];
  section_layout: 'contiguous' | 'interleaved';
  rope_theta: number;
  layout: Layout;
}
const applyMrope: Run<MropeParams> = (encodings, entry) => {
  const { params, inputs, outputs } = entry;
  for (const name of ['q', 'k'] as const) {
    const call = tensor(inputs[name], params.layout);
    const rope = {
      headDim: call.headDim,
      base: params.rope_theta,
      mropeSection: params.mrope_section,
      mropeInterleaved: params.section_layout === 'interleaved',
    };
    const turned = encodings.mrope({ ...call, params: rope, positions: numbers(inputs.position_ids) });
    expectOutput(turned, entry, outputs[name]);
  }
};

interface GridParams {
  variant: string;
  grid: [number, number];
  rope_theta: number;
  layout: Layout;
  prefix_tokens: number;
}
const applyRotary2d: Run<GridParams> = (encodings, entry) => {
  const { params, inputs, outputs } = entry;
  const [gridRows, gridColumns] = params.grid;
  const cells = Array.from({ length: gridRows * gridColumns }, (_, cell) => cell);
  const row = (cell: number) => Math.floor(cell / gridColumns);
  const column = (cell: number) => cell % gridColumns;
  for (const name of ['q', 'k'] as const) {
    const call = tensor(inputs[name], params.layout);
    const rope: RopeParams = { headDim: call.headDim, base: params.rope_theta };
    if (entry.op === 'ApplyRotary2D_Llama4') {
      // Columns before rows, both counted from 1; the class token at the end stays at 0, where nothing turns.
      const rows = [...cells.map((cell) => column(cell) + 1), 0];
      const columns = [...cells.map((cell) => row(cell) + 1), 0];
      const turned = encodings.rope2d({ ...call, params: rope, variant: 'axial', rows, columns });
      expectOutput(turned, entry, outputs[name]);
    } else if (params.variant.startsWith('dinov3')) {
      // Centres of n patches at (2i + 1 − n) / n turn by 2π: whole numbers and a linear factor of each axis.
      const none = Array<number>(params.prefix_tokens).fill(0);
      const odd = (index: (cell: number) => number, n: number) => [...none, ...cells.map((c) => 2 * index(c) + 1 - n)];
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
      expectOutput(byBoth, entry, outputs[name]);
    } else {
      const [rows, columns] = [numbers(inputs.h_ids), numbers(inputs.w_ids)];
      expect([...rows]).toEqual(cells.map(row));
      const turned = encodings.rope2d({ ...call, params: rope, variant: 'vision', rows, columns });
      expectOutput(turned, entry, outputs[name]);
    }
  }
};

interface AttentionParams {
  num_heads: number;
  num_kv_heads: number;
  head_dim: number;
  scale: number;
  rope_theta: number;
}
const ropeAttention: Run<AttentionParams> = (encodings, entry) => {
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
  expectOutput(encodings.attention({ ...call, returns: 'weights' }), entry, outputs.attn_weights);
  const out = headsLast(encodings.attention(call), { heads, length: queryLength, width: headDim });
  expectOutput(out, entry, outputs.out);
};

const yarnGain: Run<{ pairs: [number, number][] }> = (_, entry) => {
  const gains = entry.params.pairs.map(([factor, mscaleAllDim]) => {
    const params: RopeParams = { headDim: 64, type: 'yarn', factor, originalMaxPosition: 4096, mscaleAllDim };
    return Math.sqrt(ropeFrequencies(params).softmaxFactor);
  });
  expectOutput(gains, entry, entry.outputs.mscale);
};

export const hfRotary: Suites = {
  hf_apply_rotary: {
    ApplyRotary: applyRotary,
    ApplyMRope: applyMrope,
    ApplyRotary2D: applyRotary2d,
    ApplyRotary2D_Llama4: applyRotary2d,
    GptjSinCosTable: gptjTable,
    RopeAttention: ropeAttention,
    YarnMscale: yarnGain,
  },
};
