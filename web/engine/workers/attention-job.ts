import type { AttentionOptions } from '../attention/attention.js';
import { requireAttached } from '../../common/check.js';
import type { Job } from './job.js';

/** Fewer queries than this share too little of the packing of keys. */
const LEAST_QUERIES = 128;

/** More parts than workers, since under a causal mask later queries take longer. */
const PARTS_PER_WORKER = 4;

type Rows = Float32Array | Uint8Array;

/** Where the rows of a tensor `[outer, length, inner]` lie. */
interface Axes {
  outer: number;
  length: number;
  inner: number;
}

/**
 * Attention in blocks of queries, which need nothing of each other; keys and values are shared. Undefined where the call
 * is too short, or where its options have a query axis of their own kind or do not fit, which the whole call then tells.
 */
export function attentionJob(options: AttentionOptions, workers: number): Job | undefined {
  const { query, batch = 1, heads, queryLength, keyLength, headDim, valueDim = headDim, bias, mask } = options;
  const { keyStart = 0, queryStart = keyStart + keyLength - queryLength, returns = 'output' } = options;
  if (options.maskShape !== undefined || options.keyLengths !== undefined || options.relative !== undefined) return;

  const ofToken = (width: number): Axes =>
    options.format === 'bhsd'
      ? { outer: batch * heads, length: queryLength, inner: width }
      : { outer: batch, length: queryLength, inner: heads * width };
  const ofMatrix = (outer: number): Axes => ({ outer, length: queryLength, inner: keyLength });
  const masks = isRows(mask) ? mask.length / (queryLength * keyLength) : 1;
  const sliced: [name: string, rows: unknown, axes: Axes][] = [['query', query, ofToken(headDim)]];
  if (isRows(bias)) sliced.push(['bias', bias, ofMatrix(heads)]);
  if (mask !== undefined) sliced.push(['mask', mask, ofMatrix(masks)]);
  const outAxes = returns === 'output' ? ofToken(valueDim) : ofMatrix(batch * heads);
  const total = sizeOf(outAxes);
  const fits = ([, rows, axes]: (typeof sliced)[number]): boolean => isRows(rows) && rows.length === sizeOf(axes);
  if (!Number.isSafeInteger(total) || !Number.isInteger(queryStart) || !sliced.every(fits)) return;

  const step = Math.max(LEAST_QUERIES, Math.ceil(queryLength / (workers * PARTS_PER_WORKER)));
  const count = Math.ceil(queryLength / step);
  if (count < 2) return;
  const shared: Record<string, unknown> = { ...options };
  for (const [name] of sliced) delete shared[name];
  const target = new Float32Array(total);
  const parts = Array.from({ length: count }, (_, block) => {
    const first = block * step;
    const length = Math.min(step, queryLength - first);
    return {
      options: () => ({
        own: Object.fromEntries(
          sliced.map(([name, rows, axes]) => [name, takeRows(rows as Rows, name, axes, first, length)]),
        ),
        lent: { queryLength: length, queryStart: queryStart + first },
      }),
      take: (result: unknown) => putRows(target, outAxes, first, length, result as Float32Array),
    };
  });
  // The longest first.
  return { shared, parts: parts.reverse(), result: () => target };
}

function isRows(value: unknown): value is Rows {
  return value instanceof Float32Array || value instanceof Uint8Array;
}

function sizeOf({ outer, length, inner }: Axes): number {
  return outer * length * inner;
}

function takeRows(rows: Rows, name: string, { outer, length, inner }: Axes, first: number, count: number): Rows {
  requireAttached(rows, name);
  const size = count * inner;
  const taken = rows instanceof Uint8Array ? new Uint8Array(outer * size) : new Float32Array(outer * size);
  for (let o = 0; o < outer; ++o) {
    const from = (o * length + first) * inner;
    taken.set(rows.subarray(from, from + size), o * size);
  }
  return taken;
}

function putRows(target: Float32Array, axes: Axes, first: number, count: number, rows: Float32Array): void {
  const { outer, length, inner } = axes;
  const size = count * inner;
  for (let o = 0; o < outer; ++o) target.set(rows.subarray(o * size, (o + 1) * size), (o * length + first) * inner);
}
