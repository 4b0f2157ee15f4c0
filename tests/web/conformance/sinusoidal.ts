import { gridCoordinates, tokenPositions, type ColumnOrder, type Encodings, type Spacing } from 'posenc';
import { expect } from 'vitest';
import { floats, numbers, shape } from '../support/data.ts';
import { expectOutput, type Run, type Suites } from './case.ts';

interface TableParams {
  dim: number;
  order: string;
  frequency: string;
  padding_idx?: number;
}

const ORDERS: Readonly<Record<string, ColumnOrder>> = {
  'interleaved sin,cos': 'interleaved',
  'sin_half|cos_half': 'concat',
  'cos_half|sin_half': 'cos-first',
};

/** What a case says in words, as options. */
function layoutOf({ dim, order, frequency, padding_idx }: TableParams) {
  const spacing: Spacing = frequency.startsWith('tensor2tensor') ? 't2t' : 'paper';
  const columns = ORDERS[order];
  if (columns === undefined) throw new Error(`unknown order of columns: ${order}`);
  return { dim, order: columns, spacing, ...(padding_idx !== undefined && { paddingIndex: padding_idx }) };
}

const table: Run<TableParams> = (encodings, entry) => {
  const positions = numbers(entry.inputs.positions);
  const layout = layoutOf(entry.params);
  const found = encodings.sinusoidal({ length: positions.length, positions, ...layout });
  for (const [name, expected] of Object.entries(entry.outputs)) {
    const columns = name === 'table' ? layout.dim : Number(/^table\[:, :(\d+)\]$/.exec(name)?.[1]);
    expectOutput(
      found.filter((_, i) => i % layout.dim < columns),
      entry,
      expected,
    );
  }
};

const fromTokens: Run<TableParams & { padding_idx: number; past_length: number }> = (encodings, entry) => {
  const { padding_idx: paddingIndex, past_length: pastLength } = entry.params;
  const { input_ids: ids } = entry.inputs;
  const positions = tokenPositions({ ids: numbers(ids), batch: shape(ids)[0] as number, paddingIndex, pastLength });
  expect(positions).toEqual(numbers(entry.outputs.position_ids));
  const found = encodings.sinusoidal({ length: positions.length, positions, ...layoutOf(entry.params) });
  expectOutput(found, entry, entry.outputs.embeddings);
};

const scaledSum: Run<TableParams & { alpha: number }> = (encodings, entry) => {
  const [, length] = shape(entry.inputs.x) as [number, number];
  const encoding = encodings.sinusoidal({ length, ...layoutOf(entry.params) });
  const { alpha } = entry.params;
  const sum = floats(entry.inputs.x).map((x, i) => x + alpha * (encoding[i % encoding.length] as number));
  expectOutput(sum, entry, entry.outputs.out);
};

/** Sinusoids of the distances from `first` down to `last`. */
function ofDistances(
  encodings: Encodings,
  first: number,
  last: number,
  dim: number,
  order: ColumnOrder,
  clamp = Infinity,
) {
  const length = first - last + 1;
  const positions = Array.from({ length }, (_, row) => Math.max(-clamp, Math.min(clamp, first - row)));
  return encodings.sinusoidal({ length, dim, order, positions });
}

interface RelativeParams {
  d_model: number;
  qlen: number;
  klen: number;
  attn_type: 'bi' | 'uni';
  /** −1 without a limit. */
  clamp_len: number;
}
const xlnetDistances: Run<RelativeParams> = (encodings, entry) => {
  const { d_model: dim, qlen, klen, attn_type, clamp_len } = entry.params;
  const last = attn_type === 'bi' ? 1 - qlen : 0;
  const clamp = clamp_len > 0 ? clamp_len : Infinity;
  expectOutput(ofDistances(encodings, klen, last, dim, 'concat', clamp), entry, entry.outputs.pos_emb);
};

const conformerDistances: Run<{ d_model: number; seq_len: number }> = (encodings, entry) => {
  const { d_model: dim, seq_len } = entry.params;
  const found = ofDistances(encodings, seq_len - 1, 1 - seq_len, dim, 'interleaved');
  expectOutput(found, entry, entry.outputs.table);
};

/** MAE: the columns of the grid first. */
const maeGrid: Run<{ embed_dim: number; grid_size: number }> = (encodings, entry) => {
  const { embed_dim: dim, grid_size } = entry.params;
  const cells = Array.from({ length: grid_size ** 2 }, (_, cell) => cell);
  const found = encodings.sinusoidal2d({
    rows: cells.map((cell) => Math.floor(cell / grid_size)),
    columns: cells.map((cell) => cell % grid_size),
    ...{ dim, order: 'concat', first: 'columns' },
  });
  expectOutput(found, entry, entry.outputs.table);
};

interface DetrParams {
  num_position_features: number;
  temperature: number;
  scale: number;
  grid: [number, number];
}
const detrGrid: Run<DetrParams> = (encodings, entry) => {
  const { num_position_features: features, temperature: base, scale, grid } = entry.params;
  const coordinates = gridCoordinates({
    ...{ height: grid[0], width: grid[1], scale },
    batch: shape(entry.inputs.mask)[0] as number,
    mask: numbers(entry.inputs.mask),
  });
  const found = encodings.sinusoidal2d({ ...coordinates, dim: 2 * features, base });
  expectOutput(found, entry, entry.outputs.pos);
};

/** Conditional DETR: points in the unit square, x before y. */
const queryPoints: Run<{ d_model: number; scale: number }> = (encodings, entry) => {
  const { d_model: dim, scale } = entry.params;
  const points = numbers(entry.inputs.points_xy).map((coordinate) => coordinate * scale);
  const [rows, columns] = [1, 0].map((axis) => points.filter((_, i) => i % 2 === axis)) as [Float64Array, Float64Array];
  expectOutput(encodings.sinusoidal2d({ rows, columns, dim }), entry, entry.outputs.pos);
};

export const sinusoidal: Suites = {
  hf_sinusoidal: {
    SinusoidalTable: table,
    SinusoidalFromTokens: fromTokens,
    SinusoidalAdd: scaledSum,
    XLNetRelativeSinusoid: xlnetDistances,
    ConformerRelativeSinusoid: conformerDistances,
    Sincos2D: maeGrid,
    DetrSine2D: detrGrid,
    QuerySine2D: queryPoints,
  },
};
