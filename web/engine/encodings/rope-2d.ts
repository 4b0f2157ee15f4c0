import {
  allocate,
  MAX_POSITION,
  requireArrayLike,
  requireChoice,
  requireCount,
  requireIntegers,
  requireOptions,
  requirePositive,
  withDefault,
  type Sizes,
  type Names,
} from '../../common/check.js';
import type { EncodingDefinition } from './definition.js';
import { throwUnlessOk, type Engine } from '../runtime/engine.js';
import { badArgument } from '../../common/errors.js';
import { ropeLayout, rotaryOf, type RopeLayout } from '../../rotary/frequencies.js';
import { withHeap, type FloatTensor, type Into } from '../runtime/heap.js';
import { ROPE_PARAMS, type RopeParams } from '../../rotary/rope-params.js';
import { rotaryScore } from '../analysis/rotary-score.js';
import { newRotationTable, requireRotation, ROTATION_OPTIONS, type RotationOptions } from '../positions/rotation.js';
import type { Contents, ScoreAt } from '../analysis/score.js';

/** The grid of an image whose rows and columns turn as points from −1 to 1. */
export interface PixelGrid {
  rows: number;
  columns: number;
  /** Twice the fastest frequency in half turns per unit. 10 by default. */
  maxFrequency?: number;
}

export interface Rope2dOptions extends RotationOptions {
  /**
   * The rotary embedding. rotaryDim is a multiple of 4; each axis has the frequencies of an embedding half as wide,
   * base^(−2p / (rotaryDim / 2)), scaled as `type` says, whose lists have one entry per frequency. `pairing`, where it is
   * given, is that of the variant.
   */
  params: RopeParams;
  /**
   * Which channels turn by what. n = rotaryDim / 4:
   * - `chatglm`: the first half of the channels by the row, the second by the column; pairs (i, i + n) within each half.
   *   For ChatGLM-6B, rows are positions in the context and columns positions in the answer.
   * - `vision`: pairs (i, i + 2n), the first n by the row, the others by the column (ViT of Qwen2-VL).
   * - `axial`: pairs (2i, 2i + 1), the first n by the row, the others by the column.
   */
  variant: 'chatglm' | 'vision' | 'axial';
  /** The row of each token, `[length]` for all sequences or `[batch, length]`. Whole numbers from −2^31 to 2^31. */
  rows: ArrayLike<number>;
  /** The column of each token, likewise. */
  columns: ArrayLike<number>;
  /**
   * Takes rows and columns for those of a grid, from 0 on, whose ends are −1 and 1, and turns by π times 1 to
   * maxFrequency / 2 per unit, evenly spaced. The frequencies of `params` are then not used.
   */
  pixels?: PixelGrid;
}

/** How `verifyRelative` turns a query and a key, whose row and column are equal: the options of `rope2d`. */
export type Rope2dScoreOptions = Pick<Rope2dOptions, 'params' | 'seqLen' | 'variant' | 'pixels'>;

export interface Rope2d {
  /**
   * Turns queries or keys by two positions per token: as `rope` does, but some pairs of channels by the row and the others
   * by the column. The score of two turned vectors depends on the differences of their rows and of their columns only.
   *
   * Channels from `rotaryDim` on pass through. Returns an array like `x`; `out` may be `x`.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: as `rope`, at every position up to 2^31.
   * Source: THUDM/ChatGLM-6B (`chatglm`); Wang et al. 2024, arXiv:2409.12191 (`vision`);
   * lucidrains/rotary-embedding-torch (`axial` and `pixels`).
   */
  rope2d<Out extends FloatTensor = Float32Array>(options: Rope2dOptions & Into<Out>): NoInfer<Out>;
}

export const rope2dEncoding: EncodingDefinition<Rope2d, Rope2dScoreOptions> = {
  title: { en: 'Two-dimensional RoPE', 'zh-Hans': '二维 RoPE' },
  formula: String.raw`\begin{pmatrix} a' \\ b' \end{pmatrix} = \begin{pmatrix} \cos p_{k(i)}\theta_i & -\sin p_{k(i)}\theta_i \\ \sin p_{k(i)}\theta_i & \cos p_{k(i)}\theta_i \end{pmatrix} \begin{pmatrix} a \\ b \end{pmatrix}, \quad k(i) \in \{\text{row}, \text{column}\}`,
  parameters: ['headDim', 'rotaryDim', 'base', 'variant', 'pixels'],
  source: 'Wang et al. 2024, arXiv:2409.12191; THUDM/ChatGLM-6B; lucidrains/rotary-embedding-torch',
  functions: { rope2d },
  score: { options: { params: true, seqLen: true, variant: true, pixels: true }, at: score },
};

const OPTIONS: Names<Rope2dOptions & Into<unknown>> = {
  ...ROTATION_OPTIONS,
  variant: true,
  rows: true,
  columns: true,
  pixels: true,
};

const PAIRING = { chatglm: 'half', vision: 'half', axial: 'interleaved' } as const;

/** Whole numbers along one axis, and radians per one of them. */
interface Axis {
  positions: Float64Array;
  invFreq: Float64Array;
}

function rope2d(engine: Engine): Rope2d['rope2d'] {
  const { wasm } = engine;
  return (given) => {
    const options = requireOptions(given, OPTIONS);
    const { variant, pixels } = options;
    const params = requireOptions(options.params, ROPE_PARAMS, 'params');
    const layout = ropeLayout(params);
    const coreVariant = requireChoice(variant, 'variant', {
      chatglm: wasm.Rope2dVariant.Chatglm,
      vision: wasm.Rope2dVariant.Vision,
      axial: wasm.Rope2dVariant.Axial,
    });
    requirePairing(params, layout, variant);
    const { rotaryDim } = layout;
    if (rotaryDim % 4 !== 0) throw badArgument('params.rotaryDim', { kind: 'two-axes' }, rotaryDim);
    const { mropeSection: _, ...others } = params; // of the whole width, and of three axes
    const perAxis = { ...others, headDim: rotaryDim / 2, rotaryDim: withDefault(params.rotaryDim, params.headDim) / 2 };
    const { invFreq, attentionFactor } = rotaryOf(perAxis, options.seqLen);
    const rotation = requireRotation(engine, options, layout);

    const { batch, length } = rotation;
    const { length: count } = requireArrayLike(options.rows, 'rows');
    const perSequence = batch > 1 && count === batch * length;
    const sizes = perSequence ? { batch, length } : { length };
    const grid = pixels === undefined ? undefined : requireGrid(pixels);
    const [byRow, byColumn] = (['rows', 'columns'] as const).map((name) =>
      grid === undefined
        ? { positions: requireIntegers(options[name], name, sizes, -MAX_POSITION, MAX_POSITION), invFreq }
        : pixelAxis(options[name], name, sizes, grid, invFreq.length),
    ) as [Axis, Axis];
    const all = allocate(Float64Array, { rotaryDim: 2 * invFreq.length });
    all.set(byRow.invFreq);
    all.set(byColumn.invFreq, invFreq.length);

    return withHeap(engine, (heap) => {
      const { cos, sin, rows } = newRotationTable(engine, heap, rotation, perSequence);
      const status = wasm.rope2dTable(
        cos,
        sin,
        heap.doubles(all, 'rotaryDim'),
        heap.doubles(byRow.positions, 'rows'),
        heap.doubles(byColumn.positions, 'columns'),
        attentionFactor,
      );
      throwUnlessOk(engine, status, 'rope2d');
      const { heads, headDim, format, direction } = rotation;
      const x = heap.transformed(options.x, 'x', options.out, rotation.sizes); // last, since it may write into a buffer
      const turned = wasm.rope2dRotate(
        x.handle,
        x.from,
        cos,
        sin,
        rows,
        batch,
        length,
        heads,
        headDim,
        rotaryDim,
        format,
        coreVariant,
        direction,
      );
      throwUnlessOk(engine, turned, 'rope2d');
      return x.take();
    });
  };
}

/** Refuses a pairing that the variant does not have. */
function requirePairing(params: RopeParams, { pairing }: RopeLayout, variant: keyof typeof PAIRING): void {
  if (params.pairing === undefined || pairing === PAIRING[variant]) return;
  throw badArgument('params.pairing', { kind: 'variant-pairing', pairing: PAIRING[variant], variant }, params.pairing);
}

function requireGrid(given: PixelGrid): Required<PixelGrid> {
  const grid = requireOptions(given, { rows: true, columns: true, maxFrequency: true }, 'pixels');
  return {
    rows: requireCount(grid.rows, 'pixels.rows'),
    columns: requireCount(grid.columns, 'pixels.columns'),
    maxFrequency: requirePositive(withDefault(grid.maxFrequency, 10), 'pixels.maxFrequency'),
  };
}

/**
 * Point i of n along an axis lies at −1 + 2i / (n − 1), which is the whole number 2i − (n − 1) in units of 1 / (n − 1); a
 * lone point lies at −1.
 */
function pixelAxis(
  given: ArrayLike<number>,
  name: 'rows' | 'columns',
  sizes: Sizes,
  grid: Required<PixelGrid>,
  pairs: number,
): Axis {
  const points = grid[name];
  const last = points - 1;
  const unit = Math.max(last, 1);
  const positions = requireIntegers(given, name, sizes, 0, last).map((point) => 2 * point - unit);
  const fastest = grid.maxFrequency / 2;
  const frequency = (pair: number): number => (pairs === 1 ? 1 : 1 + ((fastest - 1) * pair) / (pairs - 1));
  return { positions, invFreq: Float64Array.from({ length: pairs }, (_, pair) => (Math.PI * frequency(pair)) / unit) };
}

function score(engine: Engine, options: Rope2dScoreOptions, contents: Contents): ScoreAt {
  const { params, variant } = options;
  const layout = { ...ropeLayout(params), pairing: requireChoice(variant, 'variant', PAIRING) };
  const turn = rope2d(engine);
  return rotaryScore(
    contents,
    layout,
    (vector, position) => turn({ ...options, ...vector, rows: [position], columns: [position] }),
    variant === 'chatglm' ? 2 : 1,
  );
}
