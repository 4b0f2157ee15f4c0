import { requireCount, requireInteger, withDefault, type Names } from '../../common/check.js';
import { throwUnlessOk, type Engine } from '../runtime/engine.js';
import { withHeap, type FloatTensor, type Heap, type Into } from '../runtime/heap.js';
import { requireKeyStart, requireQueryStart } from '../positions/positions.js';
import type { FillBias } from './score-term.js';
import { addTerm, dotProduct, type Contents, type ScoreAt } from '../analysis/score.js';

/** The sizes of a bias that is added to the scores of attention, and where its queries and keys are. */
export interface BiasSizes {
  heads: number;
  queryLength: number;
  keyLength: number;
  /**
   * Position of the first query; the others count on. keyStart + keyLength − queryLength by default: the queries are the
   * last tokens, as with a KV cache.
   */
  queryStart?: number;
  /** Position of the first key; the others count on. 0 by default. */
  keyStart?: number;
}

/** The names of these options. */
export const BIAS_SIZES: Names<BiasSizes> = {
  heads: true,
  queryLength: true,
  keyLength: true,
  queryStart: true,
  keyStart: true,
};

/** The sizes, checked, with the default filled in. */
export function requireBiasSizes(options: BiasSizes): Required<BiasSizes> {
  const heads = requireCount(options.heads, 'heads');
  const queryLength = requireCount(options.queryLength, 'queryLength');
  const keyLength = requireCount(options.keyLength, 'keyLength');
  const keyStart = requireKeyStart(options.keyStart, keyLength);
  const queryStart = requireQueryStart(options.queryStart, queryLength, keyLength, keyStart);
  return { heads, queryLength, keyLength, queryStart, keyStart };
}

/** One head of a bias, for one query and one key. */
export interface HeadOptions {
  heads: number;
  /** The head whose bias is added. 0 by default. */
  head?: number;
}

/** Sizes and places of one query and one key. */
export type OneKey = Required<BiasSizes>;

/**
 * The score with a bias: query · key + bias of one head.
 *
 * biasAt       gives the biases `[heads]` of one query and one key
 * roundingOf   the greatest error of a bias
 */
export function biasScore(
  contents: Contents,
  { heads, head }: HeadOptions,
  biasAt: (place: OneKey) => Float32Array,
  roundingOf: (bias: number, place: OneKey, head: number) => number,
): ScoreAt {
  const count = requireCount(heads, 'heads');
  const row = requireInteger(withDefault(head, 0), 'head', 0, count - 1);
  const errors = new Float64Array(contents.query.length);
  const { value } = dotProduct({ values: contents.query, errors }, { values: contents.key, errors });
  const product = { value, rounding: 0 }; // the same at every position, whatever its error
  return (queryStart, keyStart) => {
    const place = { heads: count, queryLength: 1, keyLength: 1, queryStart, keyStart };
    const bias = biasAt(place)[row] as number;
    return addTerm(product, { value: bias, rounding: roundingOf(bias, place, row) });
  };
}

/** What the parameters of a bias are read with. */
interface BiasScope {
  readonly heap: Heap;
  readonly heads: number;
}

/** Computes a bias `[heads, queryLength, keyLength]`, which `prepare` reads the parameters of. */
export function fillBias<Out extends FloatTensor>(
  engine: Engine,
  options: BiasSizes & Into<Out>,
  name: string,
  prepare: (scope: BiasScope) => FillBias,
): Out {
  const { heads, queryLength, keyLength, queryStart, keyStart } = requireBiasSizes(options);
  return withHeap(engine, (heap) => {
    const fill = prepare({ heap, heads });
    const target = heap.floatTarget(options.out, { heads, queryLength, keyLength });
    throwUnlessOk(engine, fill(target.handle, heads, queryLength, keyLength, queryStart, keyStart), name);
    return target.take();
  });
}
