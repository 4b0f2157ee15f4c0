import {
  requireArrayLike,
  requireLength,
  requireBoolean,
  requireChoice,
  requireCount,
  requireInteger,
  requireIntegers,
  requireOptions,
  type Sizes,
  withDefault,
  type Names,
} from '../../common/check.js';
import { throwUnlessOk, type Engine } from '../runtime/engine.js';
import { badArgument } from '../../common/errors.js';
import { tensorFormats, type Format } from '../attention/format.js';
import type { RopeLayout, Rotary } from '../../rotary/frequencies.js';
import { type Heap, type FloatTensor, type Into, type Tensor, withHeap } from '../runtime/heap.js';
import { requireRowPositions, type PositionOptions, type Positions } from './positions.js';
import type { CorePrecision } from './precision.js';
import type { RopeParams } from '../../rotary/rope-params.js';
import type { Direction, HeapFloats, HeapIndices, Pairing, TensorFormat } from '../runtime/glue.js';

/** Cosines and sines, each `[rows, pairs]`: one column per frequency of `ropeFrequencies`. */
export interface RopeTable<Values = Float32Array> {
  cos: Values;
  sin: Values;
}

/** A table of the caller: `[rows, pairs]` each, row = position. */
export type GivenTable = RopeTable<Tensor> & { rows: number };

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

export const ROTATION_OPTIONS: Names<RotationOptions & Into<unknown>> = {
  x: true,
  params: true,
  format: true,
  batch: true,
  length: true,
  heads: true,
  headDim: true,
  seqLen: true,
  inverse: true,
  out: true,
};

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
export function rotate<Out extends FloatTensor>(
  engine: Engine,
  { x, out }: RotationOptions & Into<Out>,
  rotation: Rotation,
  tableOf: (heap: Heap) => RotationTable,
): Out {
  return withHeap(engine, (heap) => {
    const table = tableOf(heap);
    const target = heap.transformed(x, 'x', out, rotation.sizes); // last, since it may write into a buffer
    turn(engine, target, table, rotation);
    return target.take();
  });
}

/** Turns a tensor in the heap, into another one or in place. */
export function turn(
  engine: Engine,
  { handle, from }: { readonly handle: HeapFloats; readonly from: HeapFloats },
  { cos, sin, firstRow, rows }: RotationTable,
  { batch, length, heads, headDim, rotaryDim, format, pairing, direction }: Rotation,
): void {
  const status = engine.wasm.ropeRotate(
    handle,
    from,
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

/** The table of the frequencies at the positions of the call. */
export function computedTable(
  engine: Engine,
  heap: Heap,
  options: PositionOptions,
  rotary: Rotary,
  rotation: Rotation,
): RotationTable {
  const { perSequence, sizes } = positionSizes(options.positions, rotation);
  const positions = requireRowPositions(options, rotation.length, sizes);
  const table = newRotationTable(engine, heap, rotation, perSequence);
  fillTable(engine, heap, table, rotary, positions, table.tokens);
  return table;
}

/** A table of the caller, whose tensors are checked where their numbers are read. */
export function requireTable(given: GivenTable): GivenTable {
  const table = requireOptions(given, { cos: true, sin: true, rows: true }, 'table');
  requireCount(table.rows, 'table.rows');
  return table;
}

/** Which rows of a given table the tokens take: row = position. */
export function requireTableRows(
  engine: Engine,
  heap: Heap,
  { positions, start }: PositionOptions,
  rows: number,
  rotation: Rotation,
): Pick<RotationTable, 'firstRow' | 'rows'> {
  const { length } = rotation;
  if (positions !== undefined) {
    if (start !== undefined) throw badArgument('start', { kind: 'left-out', where: 'positions-given' }, start);
    const { sizes } = positionSizes(positions, rotation);
    const values = requireIntegers(positions, 'positions', sizes, 0, rows - 1);
    return { firstRow: 0, rows: heap.indices(Uint32Array.from(values), 'positions') };
  }
  if (length > rows) throw badArgument('length', { kind: 'table-rows', rows }, length);
  const firstRow = requireInteger(withDefault(start, 0), 'start', 0, rows - length);
  return { firstRow, rows: engine.none.indices };
}

/** Whether there are positions for the tokens of every sequence, and the sizes that positions must have. */
export function positionSizes(
  positions: ArrayLike<number> | undefined,
  { batch, length }: Pick<Rotation, 'batch' | 'length'>,
): { perSequence: boolean; sizes: Sizes } {
  const perSequence = batch > 1 && positions?.length === batch * length;
  return { perSequence, sizes: perSequence ? { batch, length } : { length } };
}

/** Positions of tokens as an array of their own, each read once. */
export function readPositions(positions: ArrayLike<number>, tokens: Pick<Rotation, 'batch' | 'length'>): number[] {
  requireArrayLike(positions, 'positions');
  requireLength(positions, 'positions', positionSizes(positions, tokens).sizes);
  return Array.from(positions);
}

/** The pairing as the core names it. */
export function corePairing({ wasm }: Engine, { pairing }: RopeLayout): Pairing {
  return pairing === 'half' ? wasm.Pairing.Half : wasm.Pairing.Interleaved;
}

/** Refuses heads of another width than that of the rotary embedding. */
export function requireHeadDim(layout: RopeLayout, headDim: unknown, params = 'params'): void {
  if (requireCount(headDim, 'headDim') !== layout.headDim) {
    throw badArgument('headDim', { kind: 'same', of: params, value: layout.headDim }, headDim);
  }
}

/** Computes `length` rows of cosines and sines, exactly or with every stage rounded. */
export function fillTable(
  engine: Engine,
  heap: Heap,
  { cos, sin }: RopeTable<HeapFloats>,
  { invFreq, attentionFactor }: Rotary,
  { start, values }: Positions,
  length: number,
  precision?: CorePrecision,
): void {
  const { wasm, none } = engine;
  const table = [
    cos,
    sin,
    heap.doubles(invFreq, 'rotaryDim'),
    length,
    start,
    values === undefined ? none.doubles : heap.doubles(values, 'positions'),
    attentionFactor,
  ] as const;
  const status = precision === undefined ? wasm.ropeTable(...table) : wasm.roundedRopeTable(...table, ...precision);
  throwUnlessOk(engine, status, 'ropeTable');
}
