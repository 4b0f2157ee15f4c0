import {
  MAX_POSITION,
  requireIntegers,
  requireOptions,
  requirePosition,
  requireSome,
  withDefault,
  type Names,
} from '../../common/check.js';
import type { RelativeAttention } from '../attention/score-term.js';
import type { EncodingDefinition, ScoreOptionsOf } from '../encodings/definition.js';
import type { definitions } from '../encodings/definitions.js';
import { throwUnlessOk, type Engine } from '../runtime/engine.js';
import { badArgument, PosencError, within, badState } from '../../common/errors.js';
import { rotaryOf } from '../../rotary/frequencies.js';
import { copyOfTensor, withHeap, type Tensor } from '../runtime/heap.js';
import { corePrecision, type RotaryPrecision } from '../positions/precision.js';
import type { RopeParams } from '../../rotary/rope-params.js';
import { corePairing } from '../positions/rotation.js';
import { requireWidth, type Contents, type ScoreAt } from './score.js';

/** A query, a key, and the places where their score is taken. */
export interface PlacedPair {
  /** `[headDim]`, or as wide as the encoding is. */
  query: Tensor;
  /** As wide as the query. */
  key: Tensor;
  /**
   * Position of the key minus that of the query: a whole number. Shift 0, which all are compared with, has to be within
   * reach of the encoding, so that a table of positions takes no negative one.
   */
  distance: number;
  /** Positions of the query: whole numbers; each, and each plus `distance`, from −2^31 to 2^31. */
  shifts: ArrayLike<number>;
}

/** The rotary score in float64, with stages of the table in fewer bits if asked for. */
export interface VerifyRotaryOptions extends PlacedPair {
  params: RopeParams;
  precision?: RotaryPrecision;
  /** Length of the sequence in tokens, for `dynamic` and `longrope`; within the original context by default. */
  seqLen?: number;
  encoding?: undefined;
}

/** The score of any encoding, as its own functions compute it: `{ alibi: { heads: 8 } }`. */
export interface VerifyEncodingOptions extends PlacedPair {
  /** One name of `encodingNames()`, with the options of that encoding. */
  encoding: EncodingChoice;
  params?: undefined;
  precision?: undefined;
  seqLen?: undefined;
}

export type VerifyRelativeOptions = VerifyRotaryOptions | VerifyEncodingOptions;

/** One of the encodings, by name, and what shapes it. */
export type EncodingChoice = { [Name in keyof typeof definitions]?: ScoreOptionsOf<(typeof definitions)[Name]> };

/** The score at one shift. */
export interface ShiftedScore {
  shift: number;
  score: number;
  /**
   * |score − score at shift 0|. With `precision` the score at shift 0 is the exact one. NaN where a stage overflowed its
   * type.
   */
  residual: number;
  /** |score − score at shift 0|, both rounded alike: 0 for a rounded frequency, which is the frequency of another model. */
  drift: number;
  /** How far apart two such scores can be because sums and tables are rounded, and for no other reason. */
  bound: number;
  /** Whether the drift is within the bound: the score depends on the distance only, as far as this shift shows. */
  relative: boolean;
}

export interface VerifyRelative {
  /**
   * Checks that a score depends on the distance only: the score of a query at `shift` and a key at `shift + distance` for
   * many shifts, how far each is from the score at shift 0, and whether rounding alone explains that.
   *
   * With `params`, the rotary score in float64; a stage in a low precision shows what that costs. With `encoding`, the
   * score as the functions of the encoding compute it at those positions: turned vectors and biases give query · key, which
   * is not divided by √headDim; codes of positions are added to the query and the key, which `wq` and `wk` then project;
   * those of Shaw, Transformer-XL and DeBERTa are the scores of their functions.
   *
   * Returns one entry per shift, in their order.
   *
   * Errors: `bad-argument`, also for a shift that the encoding does not reach; `wrong-length`, `out-of-memory`.
   * Accuracy: that of the functions of the encoding, which `bound` is made of. With `params`: phases exact, sums in
   * float64, over the stages as rounded.
   * Source: Su et al. 2021, arXiv:2104.09864, equation 16.
   */
  verifyRelative(options: VerifyRelativeOptions): ShiftedScore[];
}

const OPTIONS: Names<VerifyRotaryOptions & VerifyEncodingOptions> = {
  query: true,
  key: true,
  params: true,
  distance: true,
  shifts: true,
  precision: true,
  seqLen: true,
  encoding: true,
};

/** What places queries and keys: the encodings by name, and attention for those that it computes. */
interface Placing {
  readonly encodings: Readonly<Record<string, EncodingDefinition<unknown, object>>>;
  readonly attend: RelativeAttention;
}

export function verifyRelative(engine: Engine, placing: Placing): VerifyRelative['verifyRelative'] {
  return (given) => {
    const options = requireOptions(given, OPTIONS);
    const distance = requirePosition(options.distance, 'distance');
    const count = requireSome(options.shifts, 'shifts');
    const least = -MAX_POSITION - Math.min(0, distance);
    const most = MAX_POSITION - Math.max(0, distance);
    const shifts = requireIntegers(options.shifts, 'shifts', { count }, least, most);
    return options.encoding === undefined
      ? verifyRotary(engine, options, distance, shifts)
      : verifyEncoding(engine, placing, options, distance, shifts);
  };
}

function verifyRotary(
  engine: Engine,
  options: VerifyRotaryOptions,
  distance: number,
  shifts: Float64Array,
): ShiftedScore[] {
  const { wasm } = engine;
  const rotary = rotaryOf(options.params, options.seqLen);
  const { headDim, rotaryDim, invFreq, attentionFactor } = rotary;
  const precision = corePrecision(engine, withDefault(options.precision, {}));
  return withHeap(engine, (heap) => {
    const query = heap.floats(options.query, 'query', { headDim });
    const key = heap.floats(options.key, 'key', { headDim });
    const sizes = { 'shifts + 1': shifts.length + 1 };
    const [scores, residuals] = [heap.newDoubles(sizes), heap.newDoubles(sizes)];
    const places = heap.doubles(Float64Array.of(0, ...shifts), 'shifts');
    const frequencies = heap.doubles(invFreq, 'rotaryDim');
    const call = heap.own(new wasm.RotaryScoreCall(query, key));
    call.layout(headDim, rotaryDim, corePairing(engine, rotary), attentionFactor);
    call.precision(...precision);
    throwUnlessOk(engine, call.verify(scores, residuals, frequencies, distance, places), 'verifyRelative');
    const bound = call.rounding();
    const [scoreView, residualView] = [scores.view(), residuals.view()];
    const start = scoreView[0] as number;
    return Array.from(shifts, (shift, i) => {
      const score = scoreView[i + 1] as number;
      const drift = Math.abs(score - start);
      return { shift, score, residual: residualView[i + 1] as number, drift, bound, relative: drift <= bound };
    });
  });
}

function verifyEncoding(
  engine: Engine,
  placing: Placing,
  options: VerifyEncodingOptions,
  distance: number,
  shifts: Float64Array,
): ShiftedScore[] {
  for (const name of ['params', 'precision', 'seqLen'] as const) {
    if (options[name] !== undefined)
      throw badArgument(name, { kind: 'left-out', where: 'encoding-given' }, options[name]);
  }
  const scoreAt = place(engine, placing, options.encoding, contentsOf(engine, options));
  const start = naming('distance', distance, undefined, () => scoreAt(0, distance));
  return Array.from(shifts, (shift) => {
    const { value: score, rounding } = naming('shifts', shift, shift, () => scoreAt(shift, shift + distance));
    const drift = Math.abs(score - start.value);
    const bound = start.rounding + rounding;
    return { shift, score, residual: drift, drift, bound, relative: drift <= bound };
  });
}

/** Names the argument behind a position that an encoding does not reach; what it says of its own options stands. */
function naming<T>(argument: string, got: number, shift: number | undefined, compute: () => T): T {
  try {
    return compute();
  } catch (error) {
    const isPlace = error instanceof PosencError && PLACES.includes(error.argument ?? '');
    if (!isPlace) throw error;
    throw badArgument(argument, { kind: 'within-reach', shift, reason: error.message }, got);
  }
}

/** What functions of encodings name that is no option of theirs. */
const NOT_OPTIONS = ['encoding', 'query', 'key'];

/** How they name the place of a query or key. */
const PLACES = ['positions', 'shifts', 'start', 'queryStart', 'keyStart', 'rows', 'columns', 'length'];

function contentsOf(engine: Engine, options: PlacedPair): Contents {
  const contents = {
    query: copyOfTensor(engine, options.query, 'query'),
    key: copyOfTensor(engine, options.key, 'key'),
  };
  requireWidth(contents, { 'width of the query': requireSome(contents.query, 'query') });
  return contents;
}

/** The score of the one encoding that is chosen. */
function place(
  engine: Engine,
  { encodings, attend }: Placing,
  choice: Readonly<Record<string, unknown>>,
  contents: Contents,
): ScoreAt {
  const chosen = requireOptions(choice, encodings, 'encoding');
  const names = Object.keys(chosen);
  const [name] = names;
  if (name === undefined || names.length > 1) {
    throw badState('encoding', { kind: 'one-encoding' }, { kind: 'names', names });
  }
  const { score } = encodings[name] as EncodingDefinition<unknown, object>;
  if (score === undefined) throw badArgument('encoding', { kind: 'placing' }, name);
  const options = requireOptions(chosen[name], score.options, `encoding.${name}`);
  const prefix = `encoding.${name}.`;
  const scoreAt = within(prefix, () => score.at(engine, options, contents, attend), NOT_OPTIONS);
  return (query, key) => within(prefix, () => scoreAt(query, key), [...NOT_OPTIONS, ...PLACES]);
}
