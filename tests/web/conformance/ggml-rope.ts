import { ropeFrequencies, type Encodings, type RopeParams } from 'posenc';
import { floats, numbers, readCases } from '../support/data.ts';
import { withFrequencies } from '../support/rope-config.ts';
import { expectOutput, tensor, type ConformanceCase, type Run, type Suites } from './case.ts';

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
  const call = { ...tensor(entry.inputs.x, 'BSHD'), x, inverse: !params.forward };
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

/** Turned back by 67 on every row, what stands at 100 is what stood at 33. */
function expectShift(encodings: Encodings, at100: GgmlCase): void {
  const name = at100.name.replace('b_x_at_100', 'a_x_at_33');
  const at33 = readCases<GgmlCase>('../../conformance/ggml.json').find((entry) => entry.name === name) as GgmlCase;
  const back = numbers(at100.inputs.pos).fill(-67);
  expectOutput(turnAsGgml(encodings, at100, floats(at100.outputs.y), back), at33, at33.outputs.y);
}

const ggmlRotation: Run<GgmlParams> = (encodings, entry) => {
  const turned = turnAsGgml(encodings, entry, floats(entry.inputs.x), numbers(entry.inputs.pos));
  expectOutput(turned, entry, entry.outputs.y);
  if (entry.name.endsWith('/b_x_at_100')) expectShift(encodings, entry);
};

export const ggmlRope: Suites = { ggml: { GgmlRope: ggmlRotation } };
