import type { RopeParams } from 'posenc';
import { expectNear } from '../support/compare.ts';
import { floats, numbers, shape } from '../support/data.ts';
import { withFrequencies } from '../support/rope-config.ts';
import { expectOutput, tensor, type Run, type Suites } from './case.ts';

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
const rotateQueriesOrKeys: Run<LucidrainsParams> = (encodings, entry) => {
  const { params, inputs, outputs } = entry;
  const call = tensor(inputs.t, params.layout);
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
  expectOutput(encodings.rope({ ...call, params: rope, ...positions }), entry, outputs.out);
};

const rotateCachedKeys: Run<LucidrainsParams> = (encodings, entry) => {
  const { params, inputs, outputs } = entry;
  const [q, k] = [tensor(inputs.q, params.layout), tensor(inputs.k, params.layout)];
  const rope: RopeParams = { headDim: params.dim, base: params.theta, pairing: 'interleaved' };
  const start = k.length - q.length;
  expectOutput(encodings.rope({ ...q, params: rope, start }), entry, outputs.q);
  expectOutput(encodings.rope({ ...k, params: rope }), entry, outputs.k);
};

const axialRotary: Run<LucidrainsParams> = (encodings, entry) => {
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
  expectOutput(encodings.rope2d({ ...call, x: floats(inputs.t) }), entry, outputs.out);
  // Turning (1, 0) shows the cosine and the sine of an angle, which the case has once per channel.
  const x = Float32Array.from({ length: length * headDim }, (_, i) => Number((i % headDim) % 2 === 0));
  const angles = numbers(outputs.freqs);
  const turned = encodings.rope2d({ ...call, x }).filter((_, i) => i % headDim < rotaryDim);
  expectNear(
    turned,
    angles.map((angle, i) => (i % 2 === 0 ? Math.cos(angle) : Math.sin(angle))),
    { absolute: entry.tolerance.atol },
  );
};

const applyAngles: Run<LucidrainsParams> = (encodings, entry) => {
  const { inputs, outputs } = entry;
  const call = tensor(inputs.t, 'BHSD');
  const angles = numbers(inputs.angles);
  const table = { cos: Float32Array.from(angles, Math.cos), sin: Float32Array.from(angles, Math.sin) };
  const params: RopeParams = { headDim: call.headDim, pairing: 'interleaved' };
  const turned = encodings.rope({ ...call, params, table: { ...table, rows: call.length } });
  expectOutput(turned, entry, outputs.out);
};

export const lucidrains: Suites = {
  rotary_embedding_torch: {
    RotateQueriesOrKeys: rotateQueriesOrKeys,
    RotateCachedKeys: rotateCachedKeys,
    AxialRotary: axialRotary,
    ApplyRotaryAngles: applyAngles,
  },
  x_transformers: { RotateQueriesOrKeys: rotateQueriesOrKeys },
};
