import {
  requireBoolean,
  requireChoice,
  requireCount,
  requireInteger,
  requireIntegers,
  requireOptions,
  requireSome,
  withDefault,
} from './check.js';
import { throwUnlessOk, type Engine } from './engine.js';
import { badArgument } from './errors.js';
import { ropeLayout, rotaryOf, type RopeLayout, type Rotary } from './frequencies.js';
import { requireApart, requireParts, withHeap, type Heap, type Into, type Tensor } from './heap.js';
import { requireRowPositions, type PositionOptions, type Positions } from './positions.js';
import type { RopeParams } from './rope-params.js';
import type { HeapFloats, HeapIndices, Pairing, TensorFormat } from './wasm/simd.mjs';

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

export interface RopeOptions extends PositionOptions {
  /** `[batch, length, heads, headDim]`, or as `format` says. */
  x: Tensor;
  params: RopeParams;
  /**
   * Takes the cosines and sines from here: `[rows, pairs]` each, any numbers, row = position. A position outside
   * 0 … rows − 1 is an error. The frequencies and the attention factor of `params` are then not used.
   */
  table?: RopeTable<Tensor> & { rows: number };
  /** `bshd` by default. */
  format?: Format;
  /** 1 by default. */
  batch?: number;
  length: number;
  heads: number;
  /** As in `params`. */
  headDim: number;
  /** `[length]` for all sequences or `[batch, length]`. */
  positions?: ArrayLike<number>;
  /** Length of the sequence in tokens, for `dynamic` and `longrope`; within the original context by default. */
  seqLen?: number;
  /** Turns back: by minus the angle. */
  inverse?: boolean;
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
   * Accuracy: 2^-23 (|a cos| + |b sin|) with the tables of `ropeTable`; the relaxed variant may differ in the last bit.
   * Source: Su et al. 2021, arXiv:2104.09864, section 3.4.2.
   */
  rope<Out extends Tensor = Float32Array>(options: RopeOptions & Into<Out>): NoInfer<Out>;
}

const TABLE_OPTIONS = ['params', 'length', 'start', 'positions', 'seqLen', 'out'] as const satisfies readonly (
  keyof RopeTableOptions | 'out'
)[];

const OPTIONS = [
  'x',
  'params',
  'table',
  'format',
  'batch',
  'length',
  'heads',
  'headDim',
  'positions',
  'start',
  'seqLen',
  'inverse',
  'out',
] as const satisfies readonly (keyof RopeOptions | 'out')[];

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
  const { wasm } = engine;
  const formats = tensorFormats(engine);
  return (options) => {
    requireOptions(options, OPTIONS);
    const batch = requireCount(withDefault(options.batch, 1), 'batch');
    const length = requireCount(options.length, 'length');
    const heads = requireCount(options.heads, 'heads');
    const rotary = options.table === undefined ? rotaryOf(options.params, options.seqLen) : ropeLayout(options.params);
    const { headDim, rotaryDim } = rotary;
    requireHeadDim(rotary, options.headDim);
    const format = requireChoice(withDefault(options.format, 'bshd'), 'format', formats);
    const inverse = requireBoolean(withDefault(options.inverse, false), 'inverse');
    requireApart(options.out, { 'table.cos': options.table?.cos, 'table.sin': options.table?.sin });
    return withHeap(engine, (heap) => {
      const sizes =
        format === wasm.TensorFormat.Bshd ? { batch, length, heads, headDim } : { batch, heads, length, headDim };
      const { cos, sin, firstRow, rows } = rotation(engine, heap, options, rotary, { batch, length });
      const x = heap.inPlace(options.x, 'x', options.out, sizes); // last, since it may write into a buffer
      const status = wasm.ropeRotate(
        x.handle,
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
        corePairing(engine, rotary),
        inverse ? wasm.Direction.Inverse : wasm.Direction.Forward,
      );
      throwUnlessOk(engine, status, 'rope');
      return x.take();
    });
  };
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
export function requireHeadDim(layout: RopeLayout, headDim: unknown): void {
  if (requireCount(headDim, 'headDim') !== layout.headDim) {
    throw badArgument('headDim', `${layout.headDim}, as in params`, headDim);
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

/** The table of a call. Token t takes row firstRow + t, or where `rows` has any, row firstRow + rows[t]. */
function rotation(
  engine: Engine,
  heap: Heap,
  options: RopeOptions,
  rotary: Rotary | RopeLayout,
  { batch, length }: { batch: number; length: number },
): RopeTable<HeapFloats> & { firstRow: number; rows: HeapIndices } {
  const pairs = rotary.rotaryDim / 2;
  const perSequence = batch > 1 && options.positions?.length === batch * length;
  const positionSizes: { batch?: number; length: number } = perSequence ? { batch, length } : { length };
  const { none } = engine;

  if ('invFreq' in rotary) {
    const tokens = perSequence ? batch * length : length;
    const positions = requireRowPositions(options, length, positionSizes);
    const table = {
      cos: heap.newFloats({ tokens, pairs }),
      sin: heap.newFloats({ tokens, pairs }),
    };
    fillTable(engine, heap, table, rotary, positions, tokens);
    const rows = perSequence
      ? heap.indices(
          Uint32Array.from({ length: tokens }, (_, token) => token),
          'positions',
        )
      : none.indices;
    return { ...table, firstRow: 0, rows };
  }

  const { positions, start } = options;
  const table = options.table as NonNullable<RopeOptions['table']>;
  requireOptions(table, ['cos', 'sin', 'rows'], 'table');
  const rows = requireCount(table.rows, 'rows');
  const cos = heap.floats(table.cos, 'table.cos', { rows, pairs });
  const sin = heap.floats(table.sin, 'table.sin', { rows, pairs });
  if (positions !== undefined) {
    if (start !== undefined) throw badArgument('start', 'left out where positions are given', start);
    const values = requireIntegers(positions, 'positions', positionSizes, 0, rows - 1);
    return { cos, sin, firstRow: 0, rows: heap.indices(Uint32Array.from(values), 'positions') };
  }
  if (length > rows) throw badArgument('length', `at most rows = ${rows} of the table`, length);
  const firstRow = requireInteger(withDefault(start, 0), 'start', 0, rows - length);
  return { cos, sin, firstRow, rows: none.indices };
}
