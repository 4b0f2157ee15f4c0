import type { PlainAttentionOptions } from './attention-options.js';
import type { AttentionSizes } from './attention-sizes.js';
import type { Places } from './places.js';
import { requireEach, requirePositions, requireSome } from '../../common/check.js';
import { badArgument } from '../../common/errors.js';
import type { Engine } from '../runtime/engine.js';
import type { Heap } from '../runtime/heap.js';
import { requireQueriesAmongKeys, type Positions } from '../positions/positions.js';
import { corePairing, fillTable, requireHeadDim, type RopeTable } from '../positions/rotation.js';
import { rotaryOf, type Rotary } from '../../rotary/frequencies.js';
import type { AttentionCall, HeapFloats } from '../runtime/glue.js';

/** How queries and keys turn, checked. */
export interface Turning {
  rotary: Rotary;
  /** Positions of the keys, of one sequence for all or of each; counted where there are none. */
  values: Float64Array | undefined;
  perSequence: boolean;
}

export function requireTurning(
  { rope, positions, seqLen }: PlainAttentionOptions,
  sizes: AttentionSizes,
  places: Places,
): Turning | undefined {
  if (rope === undefined) {
    if (positions !== undefined) throw badArgument('positions', { kind: 'left-out', where: 'no-rope' }, positions);
    if (seqLen !== undefined) throw badArgument('seqLen', { kind: 'left-out', where: 'no-rope' }, seqLen);
    return undefined;
  }
  const { batch, keyLength } = sizes;
  const rotary = rotaryOf(rope, seqLen, 'rope');
  requireHeadDim(rotary, sizes.headDim, 'rope');
  const perSequence = positions !== undefined && batch > 1 && requireSome(positions, 'positions') === batch * keyLength;
  const values =
    positions === undefined
      ? undefined
      : requirePositions(positions, 'positions', perSequence ? { batch, keyLength } : { keyLength });
  if (values !== undefined) requireQueriesAtKeys(places, sizes);
  return { rotary, values, perSequence };
}

/** Has a call turn queries and keys by their positions. */
export function addRotation(
  engine: Engine,
  heap: Heap,
  call: AttentionCall,
  { rotary, values, perSequence }: Turning,
  sizes: AttentionSizes,
  places: Places,
): void {
  const { queryLength, keyLength } = sizes;
  const { keyStart, firstQueries } = places;
  const table = (at: Positions, length: number): RopeTable<HeapFloats> => {
    const rows = at.values?.length ?? length;
    const cos = heap.newFloats({ rows, pairs: rotary.rotaryDim / 2 });
    const sin = heap.newFloats({ rows, pairs: rotary.rotaryDim / 2 });
    fillTable(engine, heap, { cos, sin }, rotary, at, rows);
    return { cos, sin };
  };
  const isCounted = values === undefined && firstQueries.length === 1;
  const queryTable = table(
    isCounted
      ? { start: keyStart + (firstQueries[0] as number), values: undefined }
      : { start: 0, values: queryPositions(values, perSequence, sizes, places) },
    queryLength,
  );
  const keyTable = table({ start: keyStart, values }, keyLength);
  call.rotateQueries(queryTable.cos, queryTable.sin);
  call.rotateKeys(keyTable.cos, keyTable.sin);
  call.rotation(rotary.rotaryDim, corePairing(engine, rotary));
}

/** The positions of the queries for the rotation, of one sequence for all or of each. */
function queryPositions(
  ofKeys: Float64Array | undefined,
  perSequence: boolean,
  { batch, queryLength, keyLength }: AttentionSizes,
  { keyStart, firstQueries }: Places,
): Float64Array {
  const sequences = perSequence || firstQueries.length > 1 ? batch : 1;
  const positions = new Float64Array(sequences * queryLength);
  for (let sequence = 0; sequence < sequences; ++sequence) {
    const first = firstQueries[firstQueries.length > 1 ? sequence : 0] as number;
    const keys = perSequence ? sequence * keyLength : 0;
    for (let i = 0; i < queryLength; ++i) {
      const position = ofKeys === undefined ? keyStart + first + i : (ofKeys[keys + first + i] as number);
      positions[sequence * queryLength + i] = position;
    }
  }
  return positions;
}

/** Checks that every query stands at a key, whose position it takes. */
function requireQueriesAtKeys(
  { keyStart, queryStart, keyLengths }: Places,
  { queryLength, keyLength }: AttentionSizes,
): void {
  if (queryStart !== undefined) return requireQueriesAmongKeys({ queryStart, queryLength, keyStart, keyLength });
  requireEach(
    keyLengths ?? [],
    'keyLengths',
    { kind: 'key-lengths', value: queryLength },
    (keys) => keys >= queryLength,
  );
}
