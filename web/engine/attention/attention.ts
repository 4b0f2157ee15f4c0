import {
  QUERY_KEY_OPTIONS,
  type AttentionReturns,
  type PlainAttentionOptions,
  type ScoringRules,
} from './attention-options.js';
import { addRotation, requireTurning, type Turning } from './attention-rotation.js';
import { attentionAxes, requireSizes, type AttentionAxes, type AttentionSizes } from './attention-sizes.js';
import {
  MAX_POSITION,
  requireBoolean,
  requireChoice,
  requireCount,
  requireFloat,
  requireInteger,
  requireOptions,
  requirePositiveFloat,
  withDefault,
  type Names,
} from '../../common/check.js';
import type { EncodingBias, EncodingRelative } from '../encodings/definitions.js';
import { throwUnlessOk, type Engine } from '../runtime/engine.js';
import { badArgument } from '../../common/errors.js';
import { requireFormat, tensorFormats, type Format } from './format.js';
import { addMask, requireKeyValid, requireMask, type CheckedMask } from './mask.js';
import { requirePlaces, type Places } from './places.js';
import {
  requireApart,
  requireOut,
  requireTensor,
  requireTensorOf,
  withHeap,
  type Heap,
  type FloatTensor,
  type Into,
  type Tensor,
} from '../runtime/heap.js';
import { ScoreCall, type BiasTerm, type RelativeAttention, type RelativeTerm, type ScoreTerms } from './score-term.js';
import type { AttentionCall } from '../runtime/glue.js';

/** What encodings add to scores. */
interface EncodingTerms {
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
}

/** What shapes scores and the result, wherever the keys come from. */
export interface ScoringOptions extends ScoringRules, EncodingTerms {}

export interface AttentionOptions extends PlainAttentionOptions, EncodingTerms {}

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
export const SCORING_OPTIONS: Names<ScoringOptions> = {
  queryStart: true,
  causal: true,
  window: true,
  scale: true,
  softcap: true,
  bias: true,
  relative: true,
  mask: true,
  maskShape: true,
  keyValid: true,
  sinks: true,
  returns: true,
};

const OPTIONS: Names<AttentionOptions & Into<unknown>> = {
  ...QUERY_KEY_OPTIONS,
  ...SCORING_OPTIONS,
  value: true,
  valueDim: true,
  rope: true,
  keyStart: true,
  positions: true,
  seqLen: true,
  keyLengths: true,
  out: true,
};

const RETURNS = { output: 'output', weights: 'weights', scores: 'scores', capped: 'capped', scaled: 'scaled' } as const;

export function attention(engine: Engine, terms: ScoreTerms): Attention['attention'] {
  return (given) => {
    const options = requireOptions(given, OPTIONS);
    return attendToAll(engine, options, requireTerms(options, terms));
  };
}

/** The same with a relative term whose options its caller has checked the names of. */
export function relativeAttention(engine: Engine): RelativeAttention {
  return (options, term, termOptions) =>
    attendToAll(engine, options, { bias: undefined, relative: { term, options: termOptions, prefix: '' } });
}

function attendToAll<Out extends FloatTensor>(
  engine: Engine,
  options: PlainAttentionOptions & Into<Out>,
  terms: ChosenTerms,
): Out {
  const { turning, ...attended } = requireAttended(options, terms);
  const { sizes, axes, places } = attended;
  const { query, key, value } = options;
  const begin = (heap: Heap): AttentionCall => {
    const call = heap.own(
      new engine.wasm.AttentionCall(
        heap.floats(query, 'query', axes.query),
        heap.floats(key, 'key', axes.key),
        value === undefined ? engine.none.floats : heap.floats(value, 'value', axes.value),
      ),
    );
    if (places.keyLengths !== undefined) call.keyLengths(heap.indices(places.keyLengths, 'keyLengths'));
    if (turning !== undefined) addRotation(engine, heap, call, turning, sizes, places);
    return call;
  };
  return attend(engine, options, attended, terms, begin);
}

/** A call of attention as a pool sees it: its options, each read once and checked, but for those of encodings. */
export function requireAttention(given: AttentionOptions & Into<unknown>, terms: ScoreTerms) {
  const options = requireOptions(given, OPTIONS);
  const chosen = requireTerms(options, terms);
  return { options, ...requireAttended(options, chosen), ...chosen };
}

/** What a call attends to, checked before anything is computed. */
function requireAttended(
  options: PlainAttentionOptions & Into<unknown>,
  terms: ChosenTerms,
): Attended & { turning: Turning | undefined } {
  const sizes = requireSizes(options);
  const format = requireFormat(options.format);
  const places = requirePlaces(options, sizes);
  const axes = attentionAxes(format, sizes);
  const { query, key, value, out } = options;
  requireApart(out, { query, key, value });
  const scoring = requireScoring(options, sizes, axes, terms);
  requireTensorOf(query, 'query', axes.query);
  requireTensorOf(key, 'key', axes.key);
  if (value !== undefined || scoring.returns === 'output') requireTensorOf(value, 'value', axes.value);
  return { sizes, format, axes, places, scoring, turning: requireTurning(options, sizes, places) };
}

/** A term of an encoding with its options, whose names are checked. */
interface Chosen<Term> {
  term: Term;
  options: object;
}

/** What encodings add to the scores of a call. */
export interface ChosenTerms {
  bias: Chosen<BiasTerm<object>> | Tensor | undefined;
  /** `prefix` stands before the names of the options in errors. */
  relative: (Chosen<RelativeTerm<object>> & { prefix: string }) | undefined;
}

/** The terms that the options ask for. */
export function requireTerms({ bias, relative }: EncodingTerms, terms: ScoreTerms): ChosenTerms {
  return { bias: requireBias(bias, terms.biases), relative: requireRelative(relative, terms.relatives) };
}

/** The term that an object of one name asks for. */
function requireRelative(given: unknown, terms: ScoreTerms['relatives']): ChosenTerms['relative'] {
  if (given === undefined) return undefined;
  const relative = requireOptions(given, terms, 'relative');
  const [name = '', ...others] = Object.keys(relative);
  const term = terms[name];
  if (term === undefined || others.length > 0)
    throw badArgument('relative', { kind: 'name', choices: shown(terms) }, given);
  const options = requireOptions(relative[name], term.options, `relative.${name}`);
  return { term, options, prefix: `relative.${name}.` };
}

/** A tensor, or the term that the first name of an object asks for. */
function requireBias(given: unknown, terms: ScoreTerms['biases']): ChosenTerms['bias'] {
  if (given === undefined) return undefined;
  const term = Object.values(terms).find(({ name }) => typeof given === 'object' && given !== null && name in given);
  if (term !== undefined) return { term, options: requireOptions(given, term.options, 'bias') };
  requireTensor(given, 'bias', { kind: 'tensor-or-term', choices: shown(terms) });
  return given;
}

function shown(terms: object): string[] {
  return Object.keys(terms).map((name) => `{ ${name} }`);
}

/** What a call attends to, checked. */
export interface Attended {
  sizes: AttentionSizes;
  /** Of the queries and the output. */
  format: Format;
  axes: AttentionAxes;
  places: Places;
  scoring: Scoring;
}

/** What shapes scores and the result, checked. */
interface Scoring {
  returns: AttentionReturns;
  scale: number;
  softcap: number;
  causal: boolean;
  windowLeft: number;
  windowRight: number;
  mask: CheckedMask | undefined;
}

/** Checks what shapes scores and the result, but for the options of encodings. */
export function requireScoring(
  options: ScoringRules & Into<unknown>,
  sizes: AttentionSizes,
  axes: AttentionAxes,
  { bias, relative }: ChosenTerms,
): Scoring {
  const { out, sinks, keyValid } = options;
  const { heads, queryLength, keyLength, headDim } = sizes;
  const returns = requireChoice(withDefault(options.returns, 'output'), 'returns', RETURNS);
  const scale = options.scale === undefined ? defaultScale(headDim, relative) : requireFloat(options.scale, 'scale');
  const softcap = options.softcap === undefined ? 0 : requirePositiveFloat(options.softcap, 'softcap');
  const causal = requireBoolean(withDefault(options.causal, false), 'causal');
  const window = requireWindow(options.window);
  requireApart(out, { bias, mask: options.mask, sinks });
  requireOut(out, 'out', returns === 'output' ? axes.output : axes.matrix);
  if (bias !== undefined && !('term' in bias)) requireTensorOf(bias, 'bias', { heads, queryLength, keyLength });
  const mask = requireMask(options, sizes);
  requireKeyValid(keyValid, sizes);
  if (sinks !== undefined) requireTensorOf(sinks, 'sinks', { heads });
  return { returns, scale, softcap, causal, ...window, mask };
}

/** Runs attention. `begin` puts queries, keys and values into the heap. */
export function attend<Out extends FloatTensor>(
  engine: Engine,
  { out, keyValid, sinks }: ScoringRules & Into<Out>,
  { sizes, format, axes, places, scoring }: Attended,
  { bias, relative }: ChosenTerms,
  begin: (heap: Heap) => AttentionCall,
): Out {
  const { Output, Weights, Scores, Capped, Scaled } = engine.wasm.AttentionResult;
  const results = { output: Output, weights: Weights, scores: Scores, capped: Capped, scaled: Scaled };
  const { returns, scale, softcap, causal, windowLeft, windowRight, mask } = scoring;
  return withHeap(engine, (heap) => {
    const target = heap.floatTarget(out, returns === 'output' ? axes.output : axes.matrix);
    const call = begin(heap);
    const scores = new ScoreCall(engine, heap, sizes, places, returns, out);
    addBias(call, bias, scores);
    if (relative !== undefined) call.relativeTerm(relative.term.add(relative.options, scores, relative.prefix));
    addMask(heap, call, mask);
    if (keyValid !== undefined) call.keyValid(heap.bytes(keyValid, 'keyValid'));
    if (sinks !== undefined) call.sinks(heap.floats(sinks, 'sinks', { heads: sizes.heads }));

    const { batch, heads, kvHeads, queryLength, keyLength, headDim, valueDim } = sizes;
    const core = tensorFormats(engine)[format];
    call.shape(batch, heads, kvHeads, queryLength, keyLength, headDim, valueDim, core);
    call.rule(scale, softcap, places.queryStart ?? NaN, places.keyStart, causal, windowLeft, windowRight);
    const scratch = heap.newFloats({ scratch: call.scratch() });
    throwUnlessOk(engine, call.run(target.handle, results[returns], scratch), 'attention');
    return target.take();
  });
}

/** Both sides of a window: how many keys a query sees beyond its own. */
export function requireWindow(window: ScoringRules['window']): { windowLeft: number; windowRight: number } {
  if (window === undefined) return { windowLeft: Infinity, windowRight: Infinity };
  if (typeof window === 'number') {
    const others = requireCount(window, 'window') - 1;
    return { windowLeft: others, windowRight: others };
  }
  if (typeof window !== 'object' || window === null) throw badArgument('window', { kind: 'window' }, window);
  const { left, right } = requireOptions(window, { left: true, right: true }, 'window');
  return { windowLeft: requireWindowSide(left, 'window.left'), windowRight: requireWindowSide(right, 'window.right') };
}

function requireWindowSide(keys: unknown, argument: string): number {
  return keys === Infinity ? Infinity : requireInteger(keys, argument, 0, MAX_POSITION);
}

function defaultScale(headDim: number, relative: ChosenTerms['relative']): number {
  return relative?.term.scale?.(relative.options, headDim) ?? 1 / Math.sqrt(headDim);
}

function addBias(call: AttentionCall, bias: ChosenTerms['bias'], scores: ScoreCall): void {
  if (bias === undefined) return;
  if ('term' in bias) return call.biasTerm(bias.term.add(bias.options, scores));
  const { heads, queryLength, keyLength } = scores.sizes;
  call.bias(scores.heap.floats(bias, 'bias', { heads, queryLength, keyLength }));
}
