import type { AttentionSizes } from './attention-sizes.js';
import type { AttentionReturns, PlainAttentionOptions } from './attention-options.js';
import type { Places } from './places.js';
import type { Names, Sizes } from '../../common/check.js';
import { throwUnlessOk, type Engine } from '../runtime/engine.js';
import { requireApart, type FloatTensor, type Heap, type Into } from '../runtime/heap.js';
import type { Contents, ScoreAt } from '../analysis/score.js';
import type { BiasSlot, HeapFloats, RelativeSlot, Status } from '../runtime/glue.js';

/** A bias of an encoding, which `attention` takes as an object and computes where it is used. */
export interface BiasTerm<Bias> {
  /** The name that tells it from other biases. */
  readonly name: string;
  /** The names in the object, this one among them. */
  readonly options: Names<Bias>;
  add(bias: Bias, call: ScoreCall): BiasSlot;
}

/** A part of the scaled scores, which `attention` takes as `relative: { name: options }`. */
export interface RelativeTerm<Options> {
  readonly name: string;
  /** The names of the options. */
  readonly options: Names<Options>;
  /** The scale of the scores where the caller gives none; 1 / √headDim without it. */
  scale?(options: Options, headDim: number): number;
  /** `prefix` stands before the names of the options in errors. */
  add(options: Options, call: ScoreCall, prefix: string): RelativeSlot;
}

/** The terms of all encodings, by name. */
export interface ScoreTerms {
  readonly biases: Readonly<Record<string, BiasTerm<object>>>;
  readonly relatives: Readonly<Record<string, RelativeTerm<object>>>;
}

/** Attention with a relative term, for a function of the encoding that takes the options of the term itself. */
export type RelativeAttention = <Options extends object, Out extends FloatTensor>(
  options: PlainAttentionOptions & Into<Out>,
  term: RelativeTerm<Options>,
  termOptions: Options,
) => Out;

/** The score of one query and one key with a relative term, as attention computes it where they are. */
export function relativeScore<Options extends object>(
  attend: RelativeAttention,
  term: RelativeTerm<Options>,
  options: Options,
  { query, key }: Contents,
  rounding: number,
): ScoreAt {
  const call = {
    query,
    key,
    heads: 1,
    queryLength: 1,
    keyLength: 1,
    headDim: query.length,
    returns: 'scores',
  } as const;
  return (queryStart, keyStart) => {
    const [value] = attend<Options, Float32Array>({ ...call, queryStart, keyStart }, term, options);
    return { value: value as number, rounding };
  };
}

/** What a bias or relative term of an encoding needs to know of a call of attention. */
export class ScoreCall {
  readonly engine: Engine;
  readonly heap: Heap;
  readonly sizes: AttentionSizes;
  /** Position of key 0. */
  readonly keyStart: number;
  /** Indices among the keys of query 0: the least and the greatest of all sequences. */
  readonly firstQuery: { readonly least: number; readonly greatest: number };
  /** Whether keys past the end of a sequence count, too. */
  readonly reachesEveryKey: boolean;
  readonly #out: unknown;

  constructor(
    engine: Engine,
    heap: Heap,
    sizes: AttentionSizes,
    { keyStart, firstQueries }: Places,
    returns: AttentionReturns | undefined,
    out: unknown,
  ) {
    this.engine = engine;
    this.heap = heap;
    this.sizes = sizes;
    this.keyStart = keyStart;
    this.firstQuery = {
      least: firstQueries.reduce((least, first) => Math.min(least, first)),
      greatest: firstQueries.reduce((greatest, first) => Math.max(greatest, first)),
    };
    this.reachesEveryKey = returns === 'scaled' || returns === 'capped';
    this.#out = out;
  }

  /** The distance, query − key, of the last query and the first key: the greatest one. */
  get greatestDistance(): number {
    return this.firstQuery.greatest + this.sizes.queryLength - 1;
  }

  /** How many distances there are. */
  get distances(): number {
    const { queryLength, keyLength } = this.sizes;
    return this.firstQuery.greatest - this.firstQuery.least + queryLength + keyLength - 1;
  }

  /** A tensor of the encoding, which the result must not overwrite. */
  floats(tensor: unknown, argument: string, sizes: Sizes): HeapFloats {
    requireApart(this.#out, { [argument]: tensor });
    return this.heap.floats(tensor, argument, sizes);
  }

  /** The bias that `fill` writes, one number per head and distance. */
  distanceBias(fill: FillBias): BiasSlot {
    const { heads } = this.sizes;
    const { wasm } = this.engine;
    const values = this.heap.newFloats({ heads, distances: this.distances });
    const lastQuery = this.keyStart + this.greatestDistance;
    throwUnlessOk(this.engine, fill(values, heads, 1, this.distances, lastQuery, this.keyStart), 'attention');
    const slot = this.heap.own(new wasm.BiasSlot());
    wasm.distanceBias(slot, values, this.greatestDistance);
    return slot;
  }
}

/** Writes a bias `[heads, queryLength, keyLength]`. */
export type FillBias = (
  values: HeapFloats,
  heads: number,
  queryLength: number,
  keyLength: number,
  queryStart: number,
  keyStart: number,
) => Status;
