import { requireChoice, requireCount, requireOptions, requireSome, type Names } from '../../common/check.js';
import type { EncodingDefinition } from './definition.js';
import type { Engine } from '../runtime/engine.js';
import { ropeLayout, rotaryOf } from '../../rotary/frequencies.js';
import { requireApart, requireParts, withHeap, type FloatTensor, type Into } from '../runtime/heap.js';
import { requireRowPositions, type PositionOptions } from '../positions/positions.js';
import { corePrecision, type RotaryPrecision } from '../positions/precision.js';
import type { RopeParams } from '../../rotary/rope-params.js';
import { partnersOf, rotaryScore, turned } from '../analysis/rotary-score.js';
import {
  computedTable,
  fillTable,
  requireRotation,
  requireTable,
  requireTableRows,
  rotate,
  ROTATION_OPTIONS,
  type GivenTable,
  type RopeTable,
  type RotationOptions,
} from '../positions/rotation.js';
import { dotProduct, requireWidth, type Contents, type Placed, type ScoreAt } from '../analysis/score.js';

export interface RopeTableOptions extends PositionOptions {
  params: RopeParams;
  /** Rows. By default as many as there are positions. */
  length?: number;
  /** Length of the sequence in tokens, for `dynamic` and `longrope`; within the original context by default. */
  seqLen?: number;
  /** Rounds every stage as code that holds it in fewer bits does. Exact by default. */
  precision?: RotaryPrecision;
}

export interface RopeOptions extends RotationOptions, PositionOptions {
  /**
   * Takes the cosines and sines from here: `[rows, pairs]` each, any numbers, row = position. A position outside
   * 0 … rows − 1 is an error. The frequencies and the attention factor of `params` are then not used.
   */
  table?: GivenTable;
  /** `[length]` for all sequences or `[batch, length]`. */
  positions?: ArrayLike<number>;
}

/** How `verifyRelative` turns a query and a key. */
export interface RopeScoreOptions {
  params: RopeParams;
  /** As for `rope`. */
  seqLen?: number;
  /**
   * `mixed` shows a common mistake: a table whose columns repeat each angle for neighbours, as interleaved pairs need it,
   * used for pairs of halves. The two channels of a pair then turn by two angles, which is no rotation, and scores depend on
   * the positions themselves.
   */
  pairing?: 'mixed';
}

export interface Rope {
  /**
   * The cosines and sines of position × frequency, times the attention factor.
   *
   * Returns `{ cos, sin }`, each `[length, pairs]`, with one pair per frequency of `ropeFrequencies`. `out` takes such a pair.
   * With `precision` each stage is rounded as it says, and a number is NaN where a stage overflowed its type.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: 0.51 ulp of each float at every position up to 2^31, for the frequencies of `ropeFrequencies`; with
   * `precision`, every rounding to nearest, and 2^-51 between them.
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

export const ropeEncoding: EncodingDefinition<Rope, RopeScoreOptions> = {
  title: { en: 'Rotary embedding (RoPE)', 'zh-Hans': '旋转位置编码（RoPE）' },
  formula: String.raw`\begin{pmatrix} a' \\ b' \end{pmatrix} = \begin{pmatrix} \cos p\theta_i & -\sin p\theta_i \\ \sin p\theta_i & \cos p\theta_i \end{pmatrix} \begin{pmatrix} a \\ b \end{pmatrix}, \quad \theta_i = b^{-2i/r}`,
  parameters: ['headDim', 'rotaryDim', 'base', 'type', 'pairing', 'attentionFactor'],
  source: 'Su et al. 2021, arXiv:2104.09864, section 3.4',
  functions: { rope, ropeTable },
  score: { options: { params: true, seqLen: true, pairing: true }, at: score },
};

const TABLE_OPTIONS: Names<RopeTableOptions & Into<unknown>> = {
  params: true,
  length: true,
  start: true,
  positions: true,
  seqLen: true,
  precision: true,
  out: true,
};

const OPTIONS: Names<RopeOptions & Into<unknown>> = { ...ROTATION_OPTIONS, table: true, positions: true, start: true };

function ropeTable(engine: Engine): Rope['ropeTable'] {
  return (given) => {
    const options = requireOptions(given, TABLE_OPTIONS);
    const length =
      options.length === undefined && options.positions !== undefined
        ? requireSome(options.positions, 'positions')
        : requireCount(options.length, 'length');
    const positions = requireRowPositions(options, length);
    const out = requireParts(options.out, { cos: true, sin: true });
    const rotary = rotaryOf(options.params, options.seqLen);
    const precision = options.precision === undefined ? undefined : corePrecision(engine, options.precision);
    return withHeap(engine, (heap) => {
      const sizes = { length, pairs: rotary.rotaryDim / 2 };
      const cos = heap.floatTarget(out.cos, sizes, 'out.cos');
      const sin = heap.floatTarget(out.sin, sizes, 'out.sin');
      fillTable(engine, heap, { cos: cos.handle, sin: sin.handle }, rotary, positions, length, precision);
      return { cos: cos.take(), sin: sin.take() };
    });
  };
}

function rope(engine: Engine): Rope['rope'] {
  return (given) => {
    const options = requireOptions(given, OPTIONS);
    const { params, seqLen, out } = options;
    if (options.table === undefined) {
      const rotary = rotaryOf(params, seqLen);
      const rotation = requireRotation(engine, options, rotary);
      return rotate(engine, options, rotation, (heap) => computedTable(engine, heap, options, rotary, rotation));
    }
    const { cos, sin, rows } = requireTable(options.table);
    const rotation = requireRotation(engine, options, ropeLayout(params));
    requireApart(out, { 'table.cos': cos, 'table.sin': sin });
    const sizes = { rows, pairs: rotation.rotaryDim / 2 };
    return rotate(engine, options, rotation, (heap) => ({
      cos: heap.floats(cos, 'table.cos', sizes),
      sin: heap.floats(sin, 'table.sin', sizes),
      ...requireTableRows(engine, heap, options, rows, rotation),
    }));
  };
}

function score(engine: Engine, options: RopeScoreOptions, contents: Contents): ScoreAt {
  const { pairing, ...embedding } = options;
  if (pairing !== undefined) {
    requireChoice(pairing, 'encoding.rope.pairing', { mixed: pairing });
    return mixedScore(engine, embedding, contents);
  }
  const turn = rope(engine);
  return rotaryScore(contents, ropeLayout(options.params), (vector, start) => turn({ ...embedding, ...vector, start }));
}

/** Turns the first channel of pair (i, i + pairs) by the angle of pair ⌊i / 2⌋, the second by that of ⌊(i + pairs) / 2⌋. */
function mixedScore(engine: Engine, options: Omit<RopeScoreOptions, 'pairing'>, contents: Contents): ScoreAt {
  const params: RopeParams = { ...options.params, pairing: 'half' };
  const layout = ropeLayout(params);
  const { headDim, rotaryDim } = layout;
  requireWidth(contents, { headDim });
  const pairs = rotaryDim / 2;
  const partners = partnersOf(layout);
  const [turn, tableOf] = [rope(engine), ropeTable(engine)];
  const place = (x: Float32Array, position: number): Placed => {
    const { cos, sin } = tableOf({ ...options, params, positions: [position] });
    const turnBy = (first: number): Float32Array => {
      const columns = (values: Float32Array) =>
        Float32Array.from({ length: pairs }, (_, i) => values[(first + i) >> 1] as number);
      const table = { cos: columns(cos), sin: columns(sin), rows: 1 };
      return turn({ x, params, table, length: 1, heads: 1, headDim });
    };
    const [firsts, seconds] = [turnBy(0), turnBy(pairs)];
    const values = firsts.slice();
    values.set(seconds.subarray(pairs, rotaryDim), pairs);
    return turned(values, partners, firsts);
  };
  return (queryPosition, keyPosition) =>
    dotProduct(place(contents.query, queryPosition), place(contents.key, keyPosition));
}
