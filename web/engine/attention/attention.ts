import { attentionAxes, QUERY_KEY_OPTIONS, requireSizes, type AttentionSizes } from './attention-sizes.js';
import {
  MAX_POSITION,
  requireBoolean,
  requireChoice,
  requireCount,
  requireEach,
  requireFloat,
  requireInteger,
  requireIntegers,
  requireLength,
  requireOptions,
  requirePositions,
  requirePositiveFloat,
  requireSome,
  withDefault,
} from '../../common/check.js';
import { encodings, type EncodingBias, type EncodingRelative } from '../encodings/all.js';
import { throwUnlessOk, type Engine } from '../runtime/engine.js';
import { badArgument } from '../../common/errors.js';
import { tensorFormats, type Format } from './format.js';
import { rotaryOf } from '../../rotary/frequencies.js';
import {
  requireApart,
  requireTensor,
  requireTensorLength,
  withHeap,
  type Heap,
  type FloatTensor,
  type Into,
  type Tensor,
} from '../runtime/heap.js';
import { requireKeyStart, requireQueriesAmongKeys, requireQueryStart, type Positions } from '../positions/positions.js';
import type { RopeParams } from '../../rotary/rope-params.js';
import { corePairing, fillTable, requireHeadDim, type RopeTable } from '../positions/rotation.js';
import { ScoreCall, type BiasTerm, type RelativeAttention, type RelativeTerm } from './score-term.js';
import type { AttentionCall, HeapFloats, TensorFormat } from '../wasm/simd.mjs';

export interface AttentionOptions {
  /** `[batch, queryLength, heads, headDim]`, or as `format` says. */
  query: Tensor;
  /** `[batch, keyLength, kvHeads, headDim]`, or as `format` says. */
  key: Tensor;
  /** `[batch, keyLength, kvHeads, valueDim]`, or as `format` says. Only the output needs it. */
  value?: Tensor;
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
  /** Position of the first key; 0 by default. Key j is at keyStart + j. */
  keyStart?: number;
  /**
   * Position of the first query, counted as those of the keys. By default the last query is at the last key of its
   * sequence: keyStart + keyLength − queryLength, with `keyLengths` keyStart + keyLengths[b] − queryLength.
   */
  queryStart?: number;
  /**
   * Positions for the rotation alone, one per key: `[keyLength]` or `[batch, keyLength]`. A query takes that of the key
   * where it stands. Causality, windows and ALiBi go by `queryStart` and `keyStart`, not by these.
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
  /**
   * Multiplies query · key; 1 / √headDim by default, with the relative term of DeBERTa that of its paper. T5 has none: pass 1.
   */
  scale?: number;
  /** Turns a scaled score s into softcap × tanh(s / softcap). */
  softcap?: number;
  /**
   * Added to the scores of every sequence: `[heads, queryLength, keyLength]`, or what an encoding computes where it is used,
   * without such a matrix: `{ alibi }`, `{ t5 }`, `{ kerple }` or `{ fire }`.
   */
  bias?: Tensor | EncodingBias;
  /**
   * A part of the scaled scores, computed where it is used: `{ shaw }`, `{ transformerXl }` or `{ deberta }`. It meets
   * queries and keys as they are given, before `rope` turns them; the `u` of Transformer-XL is added to the query first.
   * With sequences of their own length, `transformerXl` does not give `scaled` or `capped`.
   */
  relative?: EncodingRelative;
  /**
   * Shaped as `maskShape` says; without one `[queryLength, keyLength]`, or with leading heads, or batch and heads. Bytes: 0
   * forbids. Floats are added, −Infinity forbids.
   */
  mask?: Uint8Array | Tensor;
  /**
   * Up to four sizes of the mask, aligned to the right with `[batch, heads, queryLength, keyLength]`. Each is 1, the same
   * mask for all, or full; the last may also be short, and then the keys past it are forbidden. A size of 1 at the end
   * stands for one key, not for all.
   */
  maskShape?: readonly number[];
  /** `[keyLength]` or `[batch, keyLength]`: 0 is padding, which no query sees. */
  keyValid?: Uint8Array;
  /** `[batch]`: how many keys each sequence has, from 0 to keyLength. No query sees those behind. */
  keyLengths?: ArrayLike<number>;
  /** `[heads]`: one more logit in the denominator of the softmax, without a value. */
  sinks?: Tensor;
  /** `output` by default. */
  returns?: AttentionReturns;
}

/** Where a call of attention ends: after the scale, the softcap, the masks, the softmax, or with the weighted values. */
export type AttentionReturns = 'scaled' | 'capped' | 'scores' | 'weights' | 'output';

export interface Attention {
  /**
   * Scaled dot-product attention with grouped heads and with the rotary embedding inside. The order is: rotation,
   * relative term, scale, softcap, bias and float mask, masks, softmax, values. A row without a key to attend to is zero.
   *
   * Returns what `returns` says: `output` `[batch, queryLength, heads, valueDim]` or as `format` says; the others are
   * `[batch, heads, queryLength, keyLength]`. `weights` are those of the values. `scores` are what enters the softmax,
   * −Infinity where masked. `scaled` are the products before the softcap, `capped` those after it: of every key, whatever
   * is masked, and without bias. Such a matrix is held in memory only when it is returned.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: 5e-6 + 2^-22 × the largest Σ |query| |key| of a score after `scale`, of the largest |value|. Scores and sums
   * are float32: beyond 3.4e38 they are infinite, and what they lead to is not defined.
   * Source: Vaswani et al. 2017, arXiv:1706.03762, section 3.2; Ainslie et al. 2023, arXiv:2305.13245 (grouped heads).
   */
  attention<Out extends FloatTensor = Float32Array>(options: AttentionOptions & Into<Out>): NoInfer<Out>;
}

/** What shapes scores and the result, wherever the keys come from. */
export const SCORING_OPTIONS = [
  'queryStart',
  'causal',
  'window',
  'scale',
  'softcap',
  'bias',
  'relative',
  'mask',
  'maskShape',
  'keyValid',
  'sinks',
  'returns',
] as const satisfies readonly (keyof AttentionOptions)[];

/** These options, as `attention` has them. */
export type ScoringOptions = Pick<AttentionOptions, (typeof SCORING_OPTIONS)[number]>;

const OPTIONS = [
  ...QUERY_KEY_OPTIONS,
  ...SCORING_OPTIONS,
  'value',
  'valueDim',
  'rope',
  'keyStart',
  'positions',
  'seqLen',
  'keyLengths',
  'out',
] as const satisfies readonly (keyof AttentionOptions | 'out')[];

export function attention(engine: Engine): Attention['attention'] {
  return (options) => {
    requireOptions(options, OPTIONS);
    return attendToAll(engine, options, requireRelative(options.relative));
  };
}

/** The same with a relative term whose options its caller has checked the names of. */
export function relativeAttention(engine: Engine): RelativeAttention {
  return (options, term, termOptions) =>
    attendToAll(engine, options, { term, options: termOptions as never, prefix: '' });
}

function attendToAll<Out extends FloatTensor>(
  engine: Engine,
  options: AttentionOptions & Into<Out>,
  relative: Relative | undefined,
): Out {
  const sizes = requireSizes(options);
  const format = requireChoice(withDefault(options.format, 'bshd'), 'format', tensorFormats(engine));
  const places = requirePlaces(options, sizes);
  const { query, key, value, out } = options;
  requireApart(out, { query, key, value });
  const begin = (heap: Heap, isOutput: boolean): AttentionCall => {
    const axes = attentionAxes(engine, format, sizes);
    const call = heap.own(
      new engine.wasm.AttentionCall(
        heap.floats(query, 'query', axes.query),
        heap.floats(key, 'key', axes.key),
        value === undefined && !isOutput ? engine.none.floats : heap.floats(value, 'value', axes.value),
      ),
    );
    if (places.keyLengths !== undefined) call.keyLengths(heap.indices(places.keyLengths, 'keyLengths'));
    addRotation(engine, heap, call, options, sizes, places);
    return call;
  };
  return attend(engine, options, { sizes, format, places }, begin, relative);
}

/** A relative term of a call. */
interface Relative {
  term: RelativeTerm<never>;
  options: never;
  /** What stands before the names of the options in errors. */
  prefix: string;
}

/** The term that an object of one name asks for. */
function requireRelative(relative: AttentionOptions['relative']): Relative | undefined {
  if (relative === undefined) return undefined;
  const terms = Object.values(encodings).flatMap(({ relative: term }): RelativeTerm<never>[] => (term ? [term] : []));
  requireOptions(
    relative,
    terms.map(({ name }) => name),
    'relative',
  );
  const term = terms.find(({ name }) => name in relative);
  if (term === undefined || Object.keys(relative).length !== 1) {
    throw badArgument('relative', `one of ${terms.map(({ name }) => `{ ${name} }`).join(', ')}`, relative);
  }
  const options = (relative as Readonly<Record<string, unknown>>)[term.name];
  requireOptions(options, term.options, `relative.${term.name}`);
  return { term, options: options as never, prefix: `relative.${term.name}.` };
}

/** What a call attends to, checked. */
export interface Attended {
  sizes: AttentionSizes;
  /** Of the queries and the output. */
  format: TensorFormat;
  places: Places;
}

/**
 * Runs attention. `begin` puts queries, keys and values into the heap, which a result other than the output does without
 * the values.
 */
export function attend<Out extends FloatTensor>(
  engine: Engine,
  options: ScoringOptions & Into<Out>,
  { sizes, format, places }: Attended,
  begin: (heap: Heap, isOutput: boolean) => AttentionCall,
  relative = requireRelative(options.relative),
): Out {
  const { wasm } = engine;
  const { Output, Weights, Scores, Capped, Scaled } = wasm.AttentionResult;
  const results = { output: Output, weights: Weights, scores: Scores, capped: Capped, scaled: Scaled };
  const result = requireChoice(withDefault(options.returns, 'output'), 'returns', results);
  const scale =
    options.scale === undefined ? defaultScale(sizes.headDim, relative) : requireFloat(options.scale, 'scale');
  const softcap = options.softcap === undefined ? 0 : requirePositiveFloat(options.softcap, 'softcap');
  const causal = requireBoolean(withDefault(options.causal, false), 'causal');
  const { windowLeft, windowRight } = requireWindow(options.window);
  const { out, bias, mask, sinks } = options;
  requireApart(out, { bias, mask, sinks });

  return withHeap(engine, (heap) => {
    const axes = attentionAxes(engine, format, sizes);
    const target = heap.floatTarget(out, result === Output ? axes.output : axes.matrix);
    const call = begin(heap, result === Output);
    const scores = new ScoreCall(engine, heap, sizes, places, options.returns, out);
    addBias(call, bias, scores);
    if (relative !== undefined) call.relativeTerm(relative.term.add(relative.options, scores, relative.prefix));
    addMask(heap, call, options, sizes);
    addKeyValid(heap, call, options.keyValid, sizes);
    if (sinks !== undefined) call.sinks(heap.floats(sinks, 'sinks', { heads: sizes.heads }));

    const { batch, heads, kvHeads, queryLength, keyLength, headDim, valueDim } = sizes;
    call.shape(batch, heads, kvHeads, queryLength, keyLength, headDim, valueDim, format);
    call.rule(scale, softcap, places.queryStart ?? NaN, places.keyStart, causal, windowLeft, windowRight);
    const scratch = heap.newFloats({ scratch: call.scratch() });
    throwUnlessOk(engine, call.run(target.handle, result, scratch), 'attention');
    return target.take();
  });
}

/** Where queries and keys stand. */
export interface Places {
  /** Position of key 0. */
  keyStart: number;
  /** Position of query 0; without one, the last query is at the last key of its sequence. */
  queryStart: number | undefined;
  /** How many keys each sequence has, where that was said. */
  keyLengths: Uint32Array | undefined;
  /** Index among the keys of query 0: one for all sequences, or one for each. */
  firstQueries: readonly number[];
}

function requirePlaces(options: AttentionOptions, { batch, queryLength, keyLength }: AttentionSizes): Places {
  const keyStart = requireKeyStart(options.keyStart, keyLength);
  const keyLengths =
    options.keyLengths === undefined
      ? undefined
      : Uint32Array.from(requireIntegers(options.keyLengths, 'keyLengths', { batch }, 0, keyLength));
  if (options.queryStart === undefined && keyLengths !== undefined) {
    const firstQueries = Array.from(keyLengths, (keys) => keys - queryLength);
    return { keyStart, queryStart: undefined, keyLengths, firstQueries };
  }
  const queryStart = requireQueryStart(options.queryStart, queryLength, keyLength, keyStart);
  return { keyStart, queryStart, keyLengths, firstQueries: [queryStart - keyStart] };
}

/** Both sides of a window: how many keys a query sees beyond its own. */
export function requireWindow(window: AttentionOptions['window']): { windowLeft: number; windowRight: number } {
  if (window === undefined) return { windowLeft: Infinity, windowRight: Infinity };
  if (typeof window === 'number') {
    const others = requireCount(window, 'window') - 1;
    return { windowLeft: others, windowRight: others };
  }
  if (typeof window !== 'object' || window === null) throw badArgument('window', 'a number or { left, right }', window);
  requireOptions(window, ['left', 'right'], 'window');
  return {
    windowLeft: requireWindowSide(window.left, 'window.left'),
    windowRight: requireWindowSide(window.right, 'window.right'),
  };
}

function requireWindowSide(keys: unknown, argument: string): number {
  return keys === Infinity ? Infinity : requireInteger(keys, argument, 0, MAX_POSITION);
}

function defaultScale(headDim: number, relative: Relative | undefined): number {
  return relative?.term.scale?.(relative.options, headDim) ?? 1 / Math.sqrt(headDim);
}

function addBias(call: AttentionCall, bias: AttentionOptions['bias'], scores: ScoreCall): void {
  if (bias === undefined) return;
  const terms = Object.values(encodings).flatMap(({ bias: own }): BiasTerm<never>[] => (own ? [own] : []));
  const term = terms.find(({ names }) => typeof bias === 'object' && bias !== null && (names[0] as string) in bias);
  if (term === undefined) {
    const objects = terms.map(({ names }) => `{ ${names[0]} }`).join(', ');
    requireTensor(bias, 'bias', `a Float32Array, halves, a PosencBuffer or one of ${objects}`);
    const { heads, queryLength, keyLength } = scores.sizes;
    call.bias(scores.heap.floats(bias, 'bias', { heads, queryLength, keyLength }));
    return;
  }
  requireOptions(bias, term.names, 'bias');
  call.biasTerm(term.add(bias as never, scores));
}

function addMask(heap: Heap, call: AttentionCall, { mask, maskShape }: ScoringOptions, sizes: AttentionSizes): void {
  if (mask === undefined) {
    if (maskShape !== undefined) throw badArgument('maskShape', 'left out where there is no mask', maskShape);
    return;
  }
  const isBytes = mask instanceof Uint8Array;
  const expected = 'a Uint8Array, a Float32Array, halves or a PosencBuffer';
  const length = isBytes ? mask.length : requireTensorLength(mask, 'mask', expected);
  const axes = maskShape === undefined ? inferMaskAxes(length, sizes) : requireMaskAxes(maskShape, sizes);
  if (isBytes) {
    requireLength(mask, 'mask', { ...axes });
    call.mask(heap.bytes(mask, 'mask'));
  } else {
    call.additiveMask(heap.floats(mask, 'mask', { ...axes }));
  }
  const { batch = 1, heads = 1, queryLength = 1, keyLength } = axes;
  call.maskShape(batch, heads, queryLength, keyLength);
}

/** Sizes of the axes that a mask has, outermost first. */
type MaskAxes = Partial<Pick<AttentionSizes, 'batch' | 'heads' | 'queryLength'>> & Pick<AttentionSizes, 'keyLength'>;

/** The axes of a mask of this length: of the queries and keys, with leading heads, or with batch and heads. */
function inferMaskAxes(length: number, { batch, heads, queryLength, keyLength }: AttentionSizes): MaskAxes {
  const one = queryLength * keyLength;
  if (length === one) return { queryLength, keyLength };
  return length === heads * one ? { heads, queryLength, keyLength } : { batch, heads, queryLength, keyLength };
}

function requireMaskAxes(maskShape: unknown, sizes: AttentionSizes): MaskAxes {
  const axes = ['batch', 'heads', 'queryLength', 'keyLength'] as const;
  const given: readonly unknown[] = Array.isArray(maskShape) ? maskShape : [];
  const names = axes.slice(Math.max(0, axes.length - given.length));
  const fits = (size: unknown, axis: (typeof axes)[number]) =>
    size === 1 || size === sizes[axis] || (axis === 'keyLength' && isShort(size, sizes[axis]));
  if (names.length === 0 || names.length !== given.length || !names.every((axis, i) => fits(given[i], axis))) {
    const full = axes.map((axis) => sizes[axis]);
    const expected = `sizes of 1 or those of [${axes.join(', ')}] = [${full.join(', ')}], the last one also less`;
    throw badArgument('maskShape', expected, Array.isArray(maskShape) ? `[${maskShape.join(', ')}]` : maskShape);
  }
  return Object.fromEntries(names.map((name, i) => [name, given[i]])) as unknown as MaskAxes;
}

function isShort(size: unknown, full: number): boolean {
  return typeof size === 'number' && Number.isInteger(size) && size >= 1 && size < full;
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
  places: Places,
): void {
  if (rope === undefined) {
    if (positions !== undefined) throw badArgument('positions', 'left out where there is no rope', positions);
    if (seqLen !== undefined) throw badArgument('seqLen', 'left out where there is no rope', seqLen);
    return;
  }
  const { batch, queryLength, keyLength } = sizes;
  const rotary = rotaryOf(rope, seqLen, 'rope');
  requireHeadDim(rotary, sizes.headDim, 'rope');
  const table = (at: Positions, length: number): RopeTable<HeapFloats> => {
    const rows = at.values?.length ?? length;
    const cos = heap.newFloats({ rows, pairs: rotary.rotaryDim / 2 });
    const sin = heap.newFloats({ rows, pairs: rotary.rotaryDim / 2 });
    fillTable(engine, heap, { cos, sin }, rotary, at, rows);
    return { cos, sin };
  };
  const { keyStart, firstQueries } = places;
  const perSequence = positions !== undefined && batch > 1 && requireSome(positions, 'positions') === batch * keyLength;
  const values =
    positions === undefined
      ? undefined
      : requirePositions(positions, 'positions', perSequence ? { batch, keyLength } : { keyLength });
  if (values !== undefined) requireQueriesAtKeys(places, sizes);

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
  const expected = `numbers from queryLength = ${queryLength} on, since each query takes the position of a key`;
  requireEach(keyLengths ?? [], 'keyLengths', expected, (keys) => keys >= queryLength);
}
