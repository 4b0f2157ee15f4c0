import {
  MAX_POSITION,
  requireChoice,
  requireIntegers,
  requireOptions,
  requirePosition,
  requireSome,
  withDefault,
} from './check.js';
import { throwUnlessOk, type Engine } from './engine.js';
import { rotaryOf } from './frequencies.js';
import { withHeap, type Tensor } from './heap.js';
import type { RopeParams } from './rope-params.js';
import { corePairing } from './rotation.js';

/** A type that a stage of the computation is rounded to: 64, 32 or 16 bits, or bfloat16. */
export type Dtype = 'f64' | 'f32' | 'f16' | 'bf16';

/** In which type each stage of a rotary table is held, `f64` where it is not given. All `f64` is exact. */
export interface RotaryPrecision {
  /** The position of a token. */
  position?: Dtype;
  /** The frequency of a pair. */
  invFreq?: Dtype;
  /** Their product. */
  angle?: Dtype;
  /** Its cosine and sine. */
  table?: Dtype;
}

export interface VerifyRelativeOptions {
  /** `[headDim]`. */
  query: Tensor;
  /** `[headDim]`. */
  key: Tensor;
  params: RopeParams;
  /** Position of the key minus that of the query: a whole number. */
  distance: number;
  /** Positions of the query: whole numbers; each, and each plus `distance`, from −2^31 to 2^31. */
  shifts: ArrayLike<number>;
  precision?: RotaryPrecision;
  /** Length of the sequence in tokens, for `dynamic` and `longrope`; within the original context by default. */
  seqLen?: number;
}

/** The score at one shift. */
export interface ShiftedScore {
  shift: number;
  score: number;
  /** |score − exact score at shift 0|; NaN where a stage overflowed its type. */
  residual: number;
}

export interface VerifyRelative {
  /**
   * Checks that a rotary score depends on the distance only: the score of a query at `shift` and a key at
   * `shift + distance` for many shifts, and how far each is from the exact score at shift 0. With a stage in a low
   * precision it shows what that costs.
   *
   * Returns one entry per shift, in their order.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: phases exact, sums in float64, over the stages as rounded.
   * Source: Su et al. 2021, arXiv:2104.09864, equation 16.
   */
  verifyRelative(options: VerifyRelativeOptions): ShiftedScore[];
}

const OPTIONS = [
  'query',
  'key',
  'params',
  'distance',
  'shifts',
  'precision',
  'seqLen',
] as const satisfies readonly (keyof VerifyRelativeOptions)[];

const STAGES = ['position', 'invFreq', 'angle', 'table'] as const satisfies readonly (keyof RotaryPrecision)[];

export function verifyRelative(engine: Engine): VerifyRelative['verifyRelative'] {
  const { Dtype } = engine.wasm;
  const dtypes = { f64: Dtype.F64, f32: Dtype.F32, f16: Dtype.F16, bf16: Dtype.Bf16 };
  return (options) => {
    requireOptions(options, OPTIONS);
    const rotary = rotaryOf(options.params, options.seqLen);
    const { headDim, rotaryDim, invFreq, attentionFactor } = rotary;
    const distance = requirePosition(options.distance, 'distance');
    const count = requireSome(options.shifts, 'shifts');
    const least = -MAX_POSITION - Math.min(0, distance);
    const most = MAX_POSITION - Math.max(0, distance);
    const shifts = requireIntegers(options.shifts, 'shifts', { count }, least, most);
    const precision = withDefault(options.precision, {});
    requireOptions(precision, STAGES, 'precision');
    const stage = (name: keyof RotaryPrecision) =>
      requireChoice(withDefault(precision[name], 'f64'), `precision.${name}`, dtypes);
    const score = {
      headDim,
      rotaryDim,
      pairing: corePairing(engine, rotary),
      attentionFactor,
      precision: {
        position: stage('position'),
        invFreq: stage('invFreq'),
        angle: stage('angle'),
        table: stage('table'),
      },
    };
    return withHeap(engine, (heap) => {
      const query = heap.floats(options.query, 'query', { headDim });
      const key = heap.floats(options.key, 'key', { headDim });
      const scores = heap.newDoubles({ shifts: count });
      const residuals = heap.newDoubles({ shifts: count });
      const status = engine.wasm.verifyRelative(
        scores,
        residuals,
        query,
        key,
        heap.doubles(invFreq, 'rotaryDim'),
        distance,
        heap.doubles(shifts, 'shifts'),
        score,
      );
      throwUnlessOk(engine, status, 'verifyRelative');
      const [scoreView, residualView] = [scores.view(), residuals.view()];
      return Array.from(shifts, (shift, i) => ({
        shift,
        score: scoreView[i] as number,
        residual: residualView[i] as number,
      }));
    });
  };
}
