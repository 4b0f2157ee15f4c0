import {
  requireBoolean,
  requireChoice,
  requireCount,
  requireInteger,
  requireIntegers,
  requireOptions,
  requireSome,
  type Sizes,
  withDefault,
} from './check.js';
import { throwUnlessOk, type Engine } from './engine.js';
import { badArgument } from './errors.js';
import { ropeLayout, rotaryOf, type RopeLayout, type Rotary } from './frequencies.js';
import { requireApart, requireParts, withHeap, type Heap, type Into, type Tensor } from './heap.js';
import { requireRowPositions, type PositionOptions, type Positions } from './positions.js';
import type { RopeParams } from './rope-params.js';
import type { Direction, HeapFloats, HeapIndices, Pairing, TensorFormat } from './wasm/simd.mjs';

/** Cosines and sines, each `[rows, pairs]`: one column per frequency of `ropeFrequencies`. */
export interface RopeTable<Values = Float32Array> {
  cos: Values;
  sin: Values;
}

export interface RopeTableOptions extends PositionOptions {
  params: RopeParams;
  /** Rows. By default as many as there are positions. */
  length?: number;
  /** Length of the sequence in tokens, for `dynamic` and `longrope`; within the original context by default. */
  seqLen?: number;
}

/**
 * Axes of a tensor of queries or keys, outermost first: `bshd` is `[batch, length, heads, headDim]`, as a projection
 * leaves it; `bhsd` is `[batch, heads, length, headDim]`, as PyTorch's attention takes it.
 */
export type Format = 'bshd' | 'bhsd';

/** What every call takes that turns queries or keys. */
export interface RotationOptions {
  /** `[batch, length, heads, headDim]`, or as `format` says. */
  x: Tensor;
  params: RopeParams;
  /** `bshd` by default. */
  format?: Format;
  /** 1 by default. */
  batch?: number;
  length: number;
  heads: number;
  /** As in `params`. */
  headDim: number;
  /** Length of the sequence in tokens, for `dynamic` and `longrope`; within the original context by default. */
  seqLen?: number;
  /** Turns back: by minus the angle. */
  inverse?: boolean;
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
  ropeTable<Out extends Tensor = Float32Array>(
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
  rope<Out extends Tensor = Float32Array>(options: RopeOptions & Into<Out>): NoInfer<Out>;
}

const TABLE_OPTIONS = ['params', 'length', 'start', 'positions', 'seqLen', 'out'] as const satisfies readonly (
  keyof RopeTableOptions | 'out'
)[];

export const ROTATION_OPTIONS = [
  'x',
  'params',
  'format',
  'batch',
  'length',
  'heads',
  'headDim',
  'seqLen',
  'inverse',
  'out',
] as const satisfies readonly (keyof RotationOptions | 'out')[];

const OPTIONS = [...ROTATION_OPTIONS, 'table', 'positions', 'start'] as const satisfies readonly (
  keyof RopeOptions | 'out'
)[];

export function ropeTable(engine: Engine): Rope['ropeTable'] {
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

export function rope(engine: Engine): Rope['rope'] {
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

/** The tensor of a call and how it turns, checked. */
export interface Rotation {
  batch: number;
  length: number;
  heads: number;
  headDim: number;
  rotaryDim: number;
  format: TensorFormat;
  pairing: Pairing;
  direction: Direction;
  /** The axes of the tensor in their order. */
  sizes: Sizes;
}

/** A table in the heap. Token t takes row firstRow + t, or where `rows` has any, row firstRow + rows[t]. */
export interface RotationTable extends RopeTable<HeapFloats> {
  firstRow: number;
  rows: HeapIndices;
}

export function requireRotation(engine: Engine, options: RotationOptions, layout: RopeLayout): Rotation {
  const batch = requireCount(withDefault(options.batch, 1), 'batch');
  const length = requireCount(options.length, 'length');
  const heads = requireCount(options.heads, 'heads');
  requireHeadDim(layout, options.headDim);
  const { headDim, rotaryDim } = layout;
  const format = requireChoice(withDefault(options.format, 'bshd'), 'format', tensorFormats(engine));
  const inverse = requireBoolean(withDefault(options.inverse, false), 'inverse');
  const { Forward, Inverse } = engine.wasm.Direction;
  return {
    batch,
    length,
    heads,
    headDim,
    rotaryDim,
    format,
    pairing: corePairing(engine, layout),
    direction: inverse ? Inverse : Forward,
    sizes:
      format === engine.wasm.TensorFormat.Bshd ? { batch, length, heads, headDim } : { batch, heads, length, headDim },
  };
}

/** Turns a tensor by the table that `tableOf` computes or finds. */
export function rotate<Out extends Tensor>(
  engine: Engine,
  { x, out }: RotationOptions & Into<Out>,
  { batch, length, heads, headDim, rotaryDim, format, pairing, direction, sizes }: Rotation,
  tableOf: (heap: Heap) => RotationTable,
): Out {
  return withHeap(engine, (heap) => {
    const { cos, sin, firstRow, rows } = tableOf(heap);
    const target = heap.inPlace(x, 'x', out, sizes); // last, since it may write into a buffer
    const status = engine.wasm.ropeRotate(
      target.handle,
      cos,
      sin,
      firstRow,
      rows,
      batch,
      length,
      heads,
      headDim,
      rotaryDim,
      format,
      pairing,
      direction,
    );
    throwUnlessOk(engine, status, 'rope');
    return target.take();
  });
}

/** Room for a table with one row per token, or with one per token of every sequence. */
export function newRotationTable(
  engine: Engine,
  heap: Heap,
  { batch, length, rotaryDim }: Rotation,
  perSequence: boolean,
): RotationTable & { tokens: number } {
  const tokens = perSequence ? batch * length : length;
  const pairs = rotaryDim / 2;
  const sizes = perSequence ? { batch, length, pairs } : { length, pairs };
  return {
    tokens,
    cos: heap.newFloats(sizes),
    sin: heap.newFloats(sizes),
    firstRow: 0,
    rows: perSequence
      ? heap.indices(
          Uint32Array.from({ length: tokens }, (_, token) => token),
          'positions',
        )
      : engine.none.indices,
  };
}

/** Whether there are positions for the tokens of every sequence, and the sizes that positions must have. */
export function positionSizes(
  positions: ArrayLike<number> | undefined,
  { batch, length }: Rotation,
): { perSequence: boolean; sizes: Sizes } {
  const perSequence = batch > 1 && positions?.length === batch * length;
  return { perSequence, sizes: perSequence ? { batch, length } : { length } };
}

/** The formats as the core names them. */
export function tensorFormats({ wasm }: Engine): Readonly<Record<Format, TensorFormat>> {
  return { bshd: wasm.TensorFormat.Bshd, bhsd: wasm.TensorFormat.Bhsd };
}

/** The pairing as the core names it. */
export function corePairing({ wasm }: Engine, { pairing }: RopeLayout): Pairing {
  return pairing === 'half' ? wasm.Pairing.Half : wasm.Pairing.Interleaved;
}

/** Refuses heads of another width than that of the rotary embedding. */
export function requireHeadDim(layout: RopeLayout, headDim: unknown, params = 'params'): void {
  if (requireCount(headDim, 'headDim') !== layout.headDim) {
    throw badArgument('headDim', `${layout.headDim}, as in ${params}`, headDim);
  }
}

/** Computes `length` rows of cosines and sines. */
export function fillTable(
  engine: Engine,
  heap: Heap,
  { cos, sin }: RopeTable<HeapFloats>,
  { invFreq, attentionFactor }: Rotary,
  { start, values }: Positions,
  length: number,
): void {
  const positions = values === undefined ? engine.none.doubles : heap.doubles(values, 'positions');
  const status = engine.wasm.ropeTable(
    cos,
    sin,
    heap.doubles(invFreq, 'rotaryDim'),
    length,
    start,
    positions,
    attentionFactor,
  );
  throwUnlessOk(engine, status, 'ropeTable');
}

/** The table of the frequencies at the positions of the call. */
function computedTable(
  engine: Engine,
  heap: Heap,
  options: RopeOptions,
  rotary: Rotary,
  rotation: Rotation,
): RotationTable {
  const { perSequence, sizes } = positionSizes(options.positions, rotation);
  const positions = requireRowPositions(options, rotation.length, sizes);
  const table = newRotationTable(engine, heap, rotation, perSequence);
  fillTable(engine, heap, table, rotary, positions, table.tokens);
  return table;
}

/** The table that the caller gave. */
function givenTable(engine: Engine, heap: Heap, options: RopeOptions, rotation: Rotation): RotationTable {
  const { length, rotaryDim } = rotation;
  const { positions, start } = options;
  const table = options.table as NonNullable<RopeOptions['table']>;
  requireOptions(table, ['cos', 'sin', 'rows'], 'table');
  const rows = requireCount(table.rows, 'rows');
  const pairs = rotaryDim / 2;
  const cos = heap.floats(table.cos, 'table.cos', { rows, pairs });
  const sin = heap.floats(table.sin, 'table.sin', { rows, pairs });
  if (positions !== undefined) {
    if (start !== undefined) throw badArgument('start', 'left out where positions are given', start);
    const { sizes } = positionSizes(positions, rotation);
    const values = requireIntegers(positions, 'positions', sizes, 0, rows - 1);
    return { cos, sin, firstRow: 0, rows: heap.indices(Uint32Array.from(values), 'positions') };
  }
  if (length > rows) throw badArgument('length', `at most rows = ${rows} of the table`, length);
  const firstRow = requireInteger(withDefault(start, 0), 'start', 0, rows - length);
  return { cos, sin, firstRow, rows: engine.none.indices };
}
