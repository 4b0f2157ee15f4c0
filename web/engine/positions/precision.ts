import { requireChoice, requireOptions, withDefault, type Names } from '../../common/check.js';
import type { Engine } from '../runtime/engine.js';
import type { Dtype as CoreDtype } from '../runtime/glue.js';

/** A type that a stage of the computation is rounded to: 64, 32 or 16 bits, or bfloat16. */
export type Dtype = 'f64' | 'f32' | 'f16' | 'bf16';

/**
 * In which type each stage of a rotary table is held, `f64` where it is not given: rounded to nearest, ties to even. All
 * `f64` is exact.
 */
export interface RotaryPrecision {
  /** The position of a token. */
  position?: Dtype;
  /** The frequency of a pair. */
  invFreq?: Dtype;
  /** Their product. */
  angle?: Dtype;
  /** Its cosine and sine, times the attention factor. */
  table?: Dtype;
}

const STAGES: Names<RotaryPrecision> = { position: true, invFreq: true, angle: true, table: true };

/** The stages as the core takes them: of positions, frequencies, angles and the table. */
export type CorePrecision = readonly [CoreDtype, CoreDtype, CoreDtype, CoreDtype];

export function corePrecision({ wasm }: Engine, given: RotaryPrecision): CorePrecision {
  const { F64, F32, F16, Bf16 } = wasm.Dtype;
  const dtypes = { f64: F64, f32: F32, f16: F16, bf16: Bf16 };
  const precision = requireOptions(given, STAGES, 'precision');
  const stage = (name: keyof RotaryPrecision) =>
    requireChoice(withDefault(precision[name], 'f64'), `precision.${name}`, dtypes);
  return [stage('position'), stage('invFreq'), stage('angle'), stage('table')];
}
