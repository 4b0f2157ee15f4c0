import { tokenAxes, type Room, type Tokens } from './cache-tensor.js';
import { tensorFormats } from './format.js';
import type { KvCacheOptions } from './kv-cache-options.js';
import type { Sizes } from '../../common/check.js';
import { badArgument } from '../../common/errors.js';
import { ropeLayout, rotaryOf, type RopeLayout, type Rotary } from '../../rotary/frequencies.js';
import type { Engine } from '../runtime/engine.js';
import type { HeapFloats } from '../runtime/glue.js';
import { withHeap, type Heap, type Tensor } from '../runtime/heap.js';
import type { PositionOptions } from '../positions/positions.js';
import {
  computedTable,
  corePairing,
  requireHeadDim,
  requireTable,
  requireTableRows,
  turn,
  type RopeTable,
  type Rotation,
} from '../positions/rotation.js';

/** How tokens turn: by frequencies, or by a table of the cache. */
type Angles = { layout: RopeLayout } & ({ rotary: Rotary } | { table: RopeTable<HeapFloats>; rows: number });

/** Turns the keys and queries of a cache. */
export class CacheRotation {
  readonly #engine: Engine;
  readonly #room: Room;
  readonly #angles: Angles;

  private constructor(engine: Engine, room: Room, angles: Angles) {
    this.#engine = engine;
    this.#room = room;
    this.#angles = angles;
  }

  /** That of the options, if they have one. `own` gives memory for a table, which lives as long as the cache. */
  static of(
    engine: Engine,
    room: Room,
    { rope, table, seqLen }: KvCacheOptions,
    own: (sizes: Sizes) => HeapFloats,
  ): CacheRotation | undefined {
    if (rope === undefined) {
      if (table !== undefined) throw badArgument('table', { kind: 'left-out', where: 'no-rope' }, table);
      if (seqLen !== undefined) throw badArgument('seqLen', { kind: 'left-out', where: 'no-rope' }, seqLen);
      return undefined;
    }
    if (table === undefined) {
      const rotary = rotaryOf(rope, seqLen, 'rope');
      requireHeadDim(rotary, room.headDim, 'rope');
      return new CacheRotation(engine, room, { layout: rotary, rotary });
    }
    const layout = ropeLayout(rope, 'rope');
    requireHeadDim(layout, room.headDim, 'rope');
    const { cos, sin, rows } = requireTable(table);
    const sizes = { rows, pairs: layout.rotaryDim / 2 };
    return withHeap(engine, (heap) => {
      const hold = (tensor: Tensor, argument: string): HeapFloats => {
        const given = heap.floats(tensor, argument, sizes);
        const held = own(sizes);
        held.view().set(given.view());
        return held;
      };
      const held = { cos: hold(cos, 'table.cos'), sin: hold(sin, 'table.sin') };
      return new CacheRotation(engine, room, { layout, table: held, rows });
    });
  }

  /** The positions of tokens counted from `start`, which `argument` decides: all in the table, if there is one. */
  countedFrom(start: number, argument: 'length' | 'queryStart', length: number): PositionOptions {
    if ('rows' in this.#angles) {
      const { rows } = this.#angles;
      if (argument === 'length' && start + length > rows) {
        throw badArgument('length', { kind: 'rows-left', most: Math.max(0, rows - start), rows }, length);
      }
      if (argument === 'queryStart' && (start < 0 || start + length > rows)) {
        throw badArgument('queryStart', { kind: 'rows-from', most: rows - length }, start);
      }
    }
    return { start };
  }

  /** Turns queries or keys by their positions. */
  turn(
    heap: Heap,
    target: { readonly handle: HeapFloats; readonly from: HeapFloats },
    tokens: Tokens,
    positions: PositionOptions,
  ): void {
    const { batch, headDim } = this.#room;
    const { length, heads, format } = tokens;
    const { layout } = this.#angles;
    const rotation: Rotation = {
      batch,
      length,
      heads,
      headDim,
      rotaryDim: layout.rotaryDim,
      format: tensorFormats(this.#engine)[format],
      pairing: corePairing(this.#engine, layout),
      direction: this.#engine.wasm.Direction.Forward,
      sizes: tokenAxes(this.#room, tokens, { headDim }),
    };
    const table =
      'rows' in this.#angles
        ? { ...this.#angles.table, ...requireTableRows(this.#engine, heap, positions, this.#angles.rows, rotation) }
        : computedTable(this.#engine, heap, positions, this.#angles.rotary, rotation);
    turn(this.#engine, target, table, rotation);
  }
}
