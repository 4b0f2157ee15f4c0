import { attentionAxes, requireSizes, type AttentionSizes } from './attention-sizes.js';
import {
  MAX_FLOAT,
  MAX_POSITION,
  requireBoolean,
  requireChoice,
  requireCount,
  requireEach,
  requireFloat,
  requireInteger,
  requireLength,
  requireOptions,
  requirePositions,
  requirePositiveFloat,
  requireSome,
  withDefault,
} from './check.js';
import { throwUnlessOk, type Engine } from './engine.js';
import { badArgument } from './errors.js';
import { tensorFormats, type Format } from './format.js';
import { rotaryOf } from './frequencies.js';
import { requireApart, requireTensor, withHeap, type Heap, type Into, type Tensor } from './heap.js';
import { requireQueriesAmongKeys, requireQueryStart, type Positions } from './positions.js';
import type { RopeParams } from './rope-params.js';
import { corePairing, fillTable, requireHeadDim, type RopeTable } from './rotation.js';
import type { AttentionCall, HeapFloats } from './wasm/simd.mjs';

export interface AttentionOptions {
  /** `[batch, queryLength, heads, headDim]`, or as `format` says. */
  query: Tensor;
  /** `[batch, keyLength, kvHeads, headDim]`, or as `format` says. */
  key: Tensor;
  /** `[batch, keyLength, kvHeads, valueDim]`, or as `format` says. */
  value: Tensor;
  /** Axes of query, key, value and output; `bshd` by default. */
  format?: Format;
  /** 1 by default. */
  batch?: number;
  /** Heads of the queries. */
  heads: number;
  /** Heads of keys and values, a divisor of `heads`: query head h reads h / (heads / kvHeads). `heads` by default. */
  kvHeads?: number;
  queryLength: number;
  keyLength: number;
  headDim: number;
  /** `headDim` by default. */
  valueDim?: number;
  /** Turns queries and keys by their positions first. */
  rope?: RopeParams;
  /** Index among the keys of the first query. keyLength − queryLength by default: the last query is the last key. */
  queryStart?: number;
  /**
   * Positions of the keys for the rotation, `[keyLength]` or `[batch, keyLength]`; query i takes the one at
   * queryStart + i. By default key j is at position j. Causality, windows and ALiBi go by index, not by these.
   */
  positions?: ArrayLike<number>;
  /** Length of the sequence in tokens, for `dynamic` and `longrope`; within the original context by default. */
  seqLen?: number;
  /** Hides the keys after a query. */
  causal?: boolean;
  /**
   * How far a query sees. A number w stands for w keys on either side, the query's own included. `left` and `right` count
   * the keys beyond it; Infinity is no limit.
   */
  window?: number | { left: number; right: number };
  /** Multiplies query · key; 1 / √headDim by default. */
  scale?: number;
  /** Turns a scaled score s into softcap × tanh(s / softcap). */
  softcap?: number;
  /** Added to the scores: `[heads, queryLength, keyLength]`, or a slope per head for −slope × distance. */
  bias?: Tensor | { alibi: Float64Array };
  /**
   * `[queryLength, keyLength]`, or with leading heads, or batch and heads. Bytes: 0 forbids. Floats are added, −Infinity
   * forbids.
   */
  mask?: Uint8Array | Tensor;
  /** `[keyLength]` or `[batch, keyLength]`: 0 is padding, which no query sees. */
  keyValid?: Uint8Array;
  /** `[heads]`: one more logit in the denominator of the softmax, without a value. */
  sinks?: Tensor;
  /** `output` by default. */
  returns?: 'output' | 'weights' | 'scores';
}

export interface Attention {
  /**
   * Scaled dot-product attention with grouped heads and with the rotary embedding inside. The order is: rotation, scale,
   * softcap, bias and float mask, masks, softmax, values. A row without a key to attend to is zero.
   *
   * Returns what `returns` says: `output` `[batch, queryLength, heads, valueDim]` or as `format` says; `weights` or
   * `scores` `[batch, heads, queryLength, keyLength]`. Scores are what enters the softmax, −Infinity where masked. The
   * matrix of scores is held in memory only when it is returned.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: 5e-6 + 2^-22 × the largest |score|, of the largest |value|.
   * Source: Vaswani et al. 2017, arXiv:1706.03762, section 3.2; Ainslie et al. 2023, arXiv:2305.13245 (grouped heads).
   */
  attention<Out extends Tensor = Float32Array>(options: AttentionOptions & Into<Out>): NoInfer<Out>;
}

const OPTIONS = [
  'query',
  'key',
  'value',
  'format',
  'batch',
  'heads',
  'kvHeads',
  'queryLength',
  'keyLength',
  'headDim',
  'valueDim',
  'rope',
  'queryStart',
  'positions',
  'seqLen',
  'causal',
  'window',
  'scale',
  'softcap',
  'bias',
  'mask',
  'keyValid',
  'sinks',
  'returns',
  'out',
] as const satisfies readonly (keyof AttentionOptions | 'out')[];

export function attention(engine: Engine): Attention['attention'] {
  const { wasm } = engine;
  const formats = tensorFormats(engine);
  const { Output, Weights, Scores } = wasm.AttentionResult;
  const results = { output: Output, weights: Weights, scores: Scores };
  return (options) => {
    requireOptions(options, OPTIONS);
    const sizes = requireSizes(options);
    const { heads, queryLength, keyLength, headDim } = sizes;
    const format = requireChoice(withDefault(options.format, 'bshd'), 'format', formats);
    const result = requireChoice(withDefault(options.returns, 'output'), 'returns', results);
    const causal = requireBoolean(withDefault(options.causal, false), 'causal');
    const queryStart = requireQueryStart(options.queryStart, queryLength, keyLength);
    const rule = {
      scale: options.scale === undefined ? 1 / Math.sqrt(headDim) : requireFloat(options.scale, 'scale'),
      softcap: options.softcap === undefined ? 0 : requirePositiveFloat(options.softcap, 'softcap'),
      queryStart,
      causal,
      ...requireWindow(options.window),
    };
    const { query, key, value, out } = options;
    requireApart(out, { query, key, value, bias: options.bias, mask: options.mask, sinks: options.sinks });

    return withHeap(engine, (heap) => {
      const axes = attentionAxes(engine, format, sizes);
      const target = heap.floatTarget(out, result === Output ? axes.output : axes.matrix);
      const call = heap.own(
        new wasm.AttentionCall(
          heap.floats(query, 'query', axes.query),
          heap.floats(key, 'key', axes.key),
          heap.floats(value, 'value', axes.value),
        ),
      );
      addBias(heap, call, options.bias, sizes, queryStart);
      addMask(heap, call, options.mask, sizes);
      addKeyValid(heap, call, options.keyValid, sizes);
      if (options.sinks !== undefined) call.sinks(heap.floats(options.sinks, 'sinks', { heads }));
      addRotation(engine, heap, call, options, sizes, queryStart);

      const shape = { ...sizes, format };
      const scratch = heap.newFloats({ scratch: wasm.attentionScratch(shape) });
      throwUnlessOk(engine, call.run(target.handle, shape, rule, result, scratch), 'attention');
      return target.take();
    });
  };
}

/** Both sides of a window: how many keys a query sees beyond its own. */
function requireWindow(window: AttentionOptions['window']): { windowLeft: number; windowRight: number } {
  if (window === undefined) return { windowLeft: Infinity, windowRight: Infinity };
  if (typeof window === 'number') {
    const others = requireCount(window, 'window') - 1;
    return { windowLeft: others, windowRight: others };
  }
  requireOptions(window, ['left', 'right'], 'window');
  return {
    windowLeft: requireWindowSide(window.left, 'window.left'),
    windowRight: requireWindowSide(window.right, 'window.right'),
  };
}

function requireWindowSide(keys: unknown, argument: string): number {
  return keys === Infinity ? Infinity : requireInteger(keys, argument, 0, MAX_POSITION);
}

function addBias(
  heap: Heap,
  call: AttentionCall,
  bias: AttentionOptions['bias'],
  { heads, queryLength, keyLength }: AttentionSizes,
  queryStart: number,
): void {
  if (bias === undefined) return;
  if (typeof bias !== 'object' || bias === null || !('alibi' in bias)) {
    requireTensor(bias, 'bias', 'a Float32Array, a PosencBuffer or { alibi }');
    call.bias(heap.floats(bias, 'bias', { heads, queryLength, keyLength }));
    return;
  }
  requireOptions(bias, ['alibi'], 'bias');
  if (!(bias.alibi instanceof Float64Array)) throw badArgument('bias.alibi', 'a Float64Array', bias.alibi);
  requireLength(bias.alibi, 'bias.alibi', { heads });
  const reach = Math.max(1, Math.abs(queryStart + queryLength - 1), Math.abs(queryStart - (keyLength - 1)));
  const expected = `finite numbers, also as floats and times the greatest distance ${reach}`;
  requireEach(bias.alibi, 'bias.alibi', expected, (slope) => Math.abs(slope) * reach <= MAX_FLOAT);
  call.alibiSlopes(heap.doubles(bias.alibi, 'bias.alibi'));
}

function addMask(
  heap: Heap,
  call: AttentionCall,
  mask: AttentionOptions['mask'],
  { batch, heads, queryLength, keyLength }: AttentionSizes,
): void {
  if (mask === undefined) return;
  if (!(mask instanceof Uint8Array)) requireTensor(mask, 'mask', 'a Uint8Array, a Float32Array or a PosencBuffer');
  const { length } = mask;
  const one = queryLength * keyLength;
  const shape =
    length === one
      ? { batches: 1, heads: 1, sizes: { queryLength, keyLength } }
      : length === heads * one
        ? { batches: 1, heads, sizes: { heads, queryLength, keyLength } }
        : { batches: batch, heads, sizes: { batch, heads, queryLength, keyLength } };
  if (mask instanceof Uint8Array) {
    requireLength(mask, 'mask', shape.sizes);
    call.mask(heap.bytes(mask, 'mask'), shape);
  } else {
    call.additiveMask(heap.floats(mask, 'mask', shape.sizes), shape);
  }
}

function addKeyValid(
  heap: Heap,
  call: AttentionCall,
  keyValid: AttentionOptions['keyValid'],
  { batch, keyLength }: AttentionSizes,
): void {
  if (keyValid === undefined) return;
  if (!(keyValid instanceof Uint8Array)) throw badArgument('keyValid', 'a Uint8Array', keyValid);
  if (keyValid.length !== keyLength) requireLength(keyValid, 'keyValid', { batch, keyLength });
  call.keyValid(heap.bytes(keyValid, 'keyValid'));
}

function addRotation(
  engine: Engine,
  heap: Heap,
  call: AttentionCall,
  { rope, positions, seqLen }: AttentionOptions,
  sizes: AttentionSizes,
  queryStart: number,
): void {
  if (rope === undefined) {
    if (positions !== undefined) throw badArgument('positions', 'left out where rope is', positions);
    if (seqLen !== undefined) throw badArgument('seqLen', 'left out where rope is', seqLen);
    return;
  }
  const { batch, queryLength, keyLength } = sizes;
  const rotary = rotaryOf(rope, seqLen, 'rope');
  requireHeadDim(rotary, sizes.headDim, 'rope');
  const table = ({ start, values }: Positions, length: number): RopeTable<HeapFloats> => {
    const rows = values?.length ?? length;
    const cos = heap.newFloats({ rows, pairs: rotary.rotaryDim / 2 });
    const sin = heap.newFloats({ rows, pairs: rotary.rotaryDim / 2 });
    fillTable(engine, heap, { cos, sin }, rotary, { start, values }, rows);
    return { cos, sin };
  };

  let queries: Positions = { start: queryStart, values: undefined };
  let keys: Positions = { start: 0, values: undefined };
  if (positions !== undefined) {
    requireQueriesAmongKeys({ queryStart, queryLength, keyLength });
    const perSequence = batch > 1 && requireSome(positions, 'positions') === batch * keyLength;
    const values = requirePositions(positions, 'positions', perSequence ? { batch, keyLength } : { keyLength });
    const sequences = perSequence ? batch : 1;
    const queryValues = new Float64Array(sequences * queryLength);
    for (let sequence = 0; sequence < sequences; ++sequence) {
      const first = sequence * keyLength + queryStart;
      queryValues.set(values.subarray(first, first + queryLength), sequence * queryLength);
    }
    queries = { start: 0, values: queryValues };
    keys = { start: 0, values };
  }
  const queryTable = table(queries, queryLength);
  const keyTable = table(keys, keyLength);
  call.rotateQueries(queryTable.cos, queryTable.sin);
  call.rotateKeys(keyTable.cos, keyTable.sin);
  call.rotation(rotary.rotaryDim, corePairing(engine, rotary));
}
