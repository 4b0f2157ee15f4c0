import type { Encodings, RopeParams, RotaryPrecision, ShiftedScore } from 'posenc';

/** The stages of a table of cosines and sines, in their order. */
export const STAGES = ['position', 'invFreq', 'angle', 'table'] as const;
export type Stage = (typeof STAGES)[number];
export type Precision = Required<RotaryPrecision>;

export interface PrecisionRequest {
  readonly params: RopeParams & { readonly rotaryDim: number; readonly base: number };
  readonly precision: Precision;
  /** Position of the key minus that of the query. */
  readonly distance: number;
  /** Position of the query. */
  readonly shift: number;
  /** Where the curves are computed; neither holds 0. */
  readonly shifts: readonly number[];
  readonly distances: readonly number[];
}

/** What one choice of types does to the score of two equal vectors, against the shift and against the distance. */
export interface PrecisionCurve {
  /** How far the score of `distance` moves as both slide: |score − score at shift 0|, both rounded alike. */
  readonly drift: Float64Array;
  /** How far the score at shift 0 is from the exact one, for every distance. */
  readonly error: Float64Array;
}

export interface PrecisionResult {
  /** At `distance` and `shift`, rounded. */
  readonly now: ShiftedScore;
  /** At `distance`, exact: the same at every shift. */
  readonly exact: number;
  /** At `distance` and shift 0, rounded: how far it is from the exact score. */
  readonly errorAtStart: number;
  readonly all: PrecisionCurve;
  /** Every stage that is not float64, rounded by itself. */
  readonly alone: Readonly<Partial<Record<Stage, PrecisionCurve>>>;
  /** The largest drift of all shifts, and what rounding of the table and the sum explains. NaN where a type overflows. */
  readonly largestDrift: number;
  readonly bound: number;
}

const EXACT: Precision = { position: 'f64', invFreq: 'f64', angle: 'f64', table: 'f64' };

export function precisionTask(encodings: Encodings, request: PrecisionRequest): PrecisionResult {
  const { precision, distance, shift, shifts } = request;
  const [atStart, now] = scores(encodings, request, precision, distance, [0, shift]);
  const all = curve(encodings, request, precision);
  const lowered = STAGES.filter((stage) => precision[stage] !== 'f64');
  return {
    now: now!,
    exact: scores(encodings, request, EXACT, distance, [0])[0]!.score,
    errorAtStart: atStart!.residual,
    all,
    alone: Object.fromEntries(
      lowered.map((stage) => [stage, curve(encodings, request, { ...EXACT, [stage]: precision[stage] })]),
    ),
    largestDrift: Math.max(now!.drift, ...all.drift.subarray(0, shifts.length)),
    bound: now!.bound,
  };
}

function curve(encodings: Encodings, request: PrecisionRequest, precision: Precision): PrecisionCurve {
  const { distance, shifts, distances } = request;
  return {
    drift: Float64Array.from(scores(encodings, request, precision, distance, shifts), ({ drift }) => drift),
    error: Float64Array.from(distances, (d) => scores(encodings, request, precision, d, [0])[0]!.residual),
  };
}

/** Scores of two equal vectors of length 1: for a head that turns in full, K(distance). */
function scores(
  encodings: Encodings,
  { params }: PrecisionRequest,
  precision: Precision,
  distance: number,
  shifts: readonly number[],
): ShiftedScore[] {
  const vector = new Float32Array(params.headDim).fill(1 / Math.sqrt(params.headDim));
  return encodings.verifyRelative({ query: vector, key: vector, params, precision, distance, shifts });
}
