import { requireCount, requireOptions, requireSome } from '../check.js';
import type { Encoding } from '../encoding.js';
import type { Engine } from '../engine.js';
import { ropeLayout, rotaryOf } from '../frequencies.js';
import { requireApart, requireParts, withHeap, type FloatTensor, type Heap, type Into, type Tensor } from '../heap.js';
import { requireRowPositions, type PositionOptions } from '../positions.js';
import type { RopeParams } from '../rope-params.js';
import {
  computedTable,
  fillTable,
  requireRotation,
  requireTableRows,
  rotate,
  ROTATION_OPTIONS,
  type RopeTable,
  type Rotation,
  type RotationOptions,
  type RotationTable,
} from '../rotation.js';

export interface RopeTableOptions extends PositionOptions {
  params: RopeParams;
  /** Rows. By default as many as there are positions. */
  length?: number;
  /** Length of the sequence in tokens, for `dynamic` and `longrope`; within the original context by default. */
  seqLen?: number;
}

export interface RopeOptions extends RotationOptions, PositionOptions {
  /**
   * Takes the cosines and sines from here: `[rows, pairs]` each, any numbers, row = position. A position outside
   * 0 … rows − 1 is an error. The frequencies and the attention factor of `params` are then not used.
   */
  table?: RopeTable<Tensor> & { rows: number };
  /** `[length]` for all sequences or `[batch, length]`. */
  positions?: ArrayLike<number>;
}

export interface Rope {
  /**
   * The cosines and sines of position × frequency, times the attention factor.
   *
   * Returns `{ cos, sin }`, each `[length, pairs]`, with one pair per frequency of `ropeFrequencies`. `out` takes such a pair.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: 0.51 ulp of each float at every position up to 2^31, for the frequencies of `ropeFrequencies`.
   * Source: Su et al. 2021, arXiv:2104.09864, section 3.4.
   */
  ropeTable<Out extends FloatTensor = Float32Array>(
    options: RopeTableOptions & Into<RopeTable<Out>>,
  ): RopeTable<NoInfer<Out>>;

  /**
   * Turns queries or keys by their positions (rotary position embedding): a pair of channels (a, b) becomes
   * (a cos − b sin, a sin + b cos). Channels from `rotaryDim` on pass through. The score of two turned vectors depends on
   * the difference of their positions only.
   *
   * Returns an array like `x`; `out` may be `x`.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: 2^-23 (|a cos| + |b sin|) of the turn by the cosines and sines in the table, which are floats. Those of
   * `ropeTable` are rounded, so from the turn by the exact angle it is 1.52 × 2^-23 (|a cos| + |b sin|). The relaxed
   * variant may differ in the last bit.
   * Source: Su et al. 2021, arXiv:2104.09864, section 3.4.2.
   */
  rope<Out extends FloatTensor = Float32Array>(options: RopeOptions & Into<Out>): NoInfer<Out>;
}

export const ropeEncoding: Encoding<Rope> = {
  title: { en: 'Rotary embedding (RoPE)', 'zh-Hans': '旋转位置编码（RoPE）' },
  formula: String.raw`\begin{pmatrix} a' \\ b' \end{pmatrix} = \begin{pmatrix} \cos p\theta_i & -\sin p\theta_i \\ \sin p\theta_i & \cos p\theta_i \end{pmatrix} \begin{pmatrix} a \\ b \end{pmatrix}, \quad \theta_i = b^{-2i/r}`,
  parameters: ['headDim', 'rotaryDim', 'base', 'type', 'pairing', 'attentionFactor'],
  source: 'Su et al. 2021, arXiv:2104.09864, section 3.4',
  functions: { rope, ropeTable },
};

const TABLE_OPTIONS = ['params', 'length', 'start', 'positions', 'seqLen', 'out'] as const satisfies readonly (
  keyof RopeTableOptions | 'out'
)[];

const OPTIONS = [...ROTATION_OPTIONS, 'table', 'positions', 'start'] as const satisfies readonly (
  keyof RopeOptions | 'out'
)[];

function ropeTable(engine: Engine): Rope['ropeTable'] {
  return (options) => {
    requireOptions(options, TABLE_OPTIONS);
    const length =
      options.length === undefined && options.positions !== undefined
        ? requireSome(options.positions, 'positions')
        : requireCount(options.length, 'length');
    const positions = requireRowPositions(options, length);
    const { out } = options;
    requireParts(out, ['cos', 'sin']);
    const rotary = rotaryOf(options.params, options.seqLen);
    return withHeap(engine, (heap) => {
      const sizes = { length, pairs: rotary.rotaryDim / 2 };
      const cos = heap.floatTarget(out?.cos, sizes, 'out.cos');
      const sin = heap.floatTarget(out?.sin, sizes, 'out.sin');
      fillTable(engine, heap, { cos: cos.handle, sin: sin.handle }, rotary, positions, length);
      return { cos: cos.take(), sin: sin.take() };
    });
  };
}

function rope(engine: Engine): Rope['rope'] {
  return (options) => {
    requireOptions(options, OPTIONS);
    const { params, seqLen, table, out } = options;
    const rotary = table === undefined ? rotaryOf(params, seqLen) : undefined;
    const rotation = requireRotation(engine, options, rotary ?? ropeLayout(params));
    requireApart(out, { 'table.cos': table?.cos, 'table.sin': table?.sin });
    return rotate(engine, options, rotation, (heap) =>
      rotary === undefined
        ? givenTable(engine, heap, options, rotation)
        : computedTable(engine, heap, options, rotary, rotation),
    );
  };
}

/** The table that the caller gave. */
function givenTable(engine: Engine, heap: Heap, options: RopeOptions, rotation: Rotation): RotationTable {
  const table = options.table as NonNullable<RopeOptions['table']>;
  requireOptions(table, ['cos', 'sin', 'rows'], 'table');
  const rows = requireCount(table.rows, 'rows');
  const pairs = rotation.rotaryDim / 2;
  const cos = heap.floats(table.cos, 'table.cos', { rows, pairs });
  const sin = heap.floats(table.sin, 'table.sin', { rows, pairs });
  return { cos, sin, ...requireTableRows(engine, heap, options, rows, rotation) };
}
