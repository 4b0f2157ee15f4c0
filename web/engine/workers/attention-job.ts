import { requireAttention, type AttentionOptions } from '../attention/attention.js';
import type { ScoreTerms } from '../attention/score-term.js';
import { allocate, requireAttached } from '../../common/check.js';
import type { Float16Values } from '../../common/half.js';
import type { Into } from '../runtime/heap.js';
import type { Job } from './job.js';

/** Fewer queries than this share too little of the packing of keys. */
const LEAST_QUERIES = 128;

/** More parts than workers, since under a causal mask later queries take longer. */
const PARTS_PER_WORKER = 4;

type Rows = Float32Array | Float16Values | Uint8Array | Uint16Array;

/** Where the rows of a tensor `[outer, length, inner]` lie. */
interface Axes {
  outer: number;
  length: number;
  inner: number;
}

/**
 * Attention in blocks of queries, which need nothing of each other; keys and values are shared. Undefined where the call
 * is too short, or where its options have a query axis of their own kind. Refuses what one thread refuses, and as it does.
 */
export function attentionJob(
  given: AttentionOptions & Into<unknown>,
  terms: ScoreTerms,
  workers: number,
): Job | undefined {
  const { options, sizes, axes, format, places, scoring, bias } = requireAttention(given, terms);
  const { batch, heads, queryLength, keyLength, headDim, valueDim } = sizes;
  const { queryStart } = places;
  if (options.maskShape !== undefined || options.relative !== undefined) return undefined;
  if (places.keyLengths !== undefined || queryStart === undefined) return undefined;
  const step = Math.max(LEAST_QUERIES, Math.ceil(queryLength / (workers * PARTS_PER_WORKER)));
  const count = Math.ceil(queryLength / step);
  if (count < 2) return undefined;

  const ofToken = (width: number): Axes =>
    format === 'bhsd'
      ? { outer: batch * heads, length: queryLength, inner: width }
      : { outer: batch, length: queryLength, inner: heads * width };
  const ofMatrix = (outer: number): Axes => ({ outer, length: queryLength, inner: keyLength });
  const sliced: [name: 'query' | 'bias' | 'mask', axes: Axes][] = [['query', ofToken(headDim)]];
  if (bias !== undefined && !('term' in bias)) sliced.push(['bias', ofMatrix(heads)]);
  if (scoring.mask !== undefined) {
    const { batch: sequences = 1, heads: matrices = 1 } = scoring.mask.axes;
    sliced.push(['mask', ofMatrix(sequences * matrices)]);
  }
  const { out: _, ...shared } = options;
  for (const [name] of sliced) delete (shared as Partial<AttentionOptions>)[name];

  const isOutput = scoring.returns === 'output';
  const outAxes = isOutput ? ofToken(valueDim) : ofMatrix(batch * heads);
  const target = allocate(Float32Array, isOutput ? axes.output : axes.matrix);
  const parts = Array.from({ length: count }, (_, block) => {
    const first = block * step;
    const length = Math.min(step, queryLength - first);
    return {
      options: () => ({
        own: Object.fromEntries(
          sliced.map(([name, rows]) => [name, takeRows(options[name], name, rows, first, length)]),
        ),
        lent: { queryLength: length, queryStart: queryStart + first },
      }),
      take: (result: unknown) => putRows(target, outAxes, first, length, result as Float32Array),
    };
  });
  // The longest first.
  return { shared, parts: parts.reverse(), result: () => target };
}

/** The rows of a tensor, or of the bits of one in half precision. */
function takeRows(tensor: unknown, name: string, axes: Axes, first: number, count: number): unknown {
  if (ArrayBuffer.isView(tensor)) return cut(tensor as Rows, name, axes, first, count);
  return Object.fromEntries(
    Object.entries(tensor as Readonly<Record<string, Rows>>).map(([type, bits]) => [
      type,
      cut(bits, `${name}.${type}`, axes, first, count),
    ]),
  );
}

function cut(rows: Rows, name: string, { outer, length, inner }: Axes, first: number, count: number): Rows {
  requireAttached(rows, name);
  const size = count * inner;
  const Type = rows.constructor as new (length: number) => Float32Array;
  const taken = new Type(outer * size);
  for (let o = 0; o < outer; ++o) {
    const from = (o * length + first) * inner;
    taken.set((rows as Float32Array).subarray(from, from + size), o * size);
  }
  return taken;
}

function putRows(target: Float32Array, axes: Axes, first: number, count: number, rows: Float32Array): void {
  const { outer, length, inner } = axes;
  const size = count * inner;
  for (let o = 0; o < outer; ++o) target.set(rows.subarray(o * size, (o + 1) * size), (o * length + first) * inner);
}
