import { type Encodings, sinusoidalFrequencies } from 'posenc';

/** How the hands are turned: as they should, the wrong way round, or at the speeds of a base ten times as large. */
export type HandsMode = 'intact' | 'backwards' | 'base';

export interface HandsRequest {
  /** Even. */
  readonly dim: number;
  readonly base: number;
  /** Positions between a hand and the one it is turned to. */
  readonly step: number;
  readonly mode: HandsMode;
}

/** Sine and cosine of every pair by turns, [HANDS_POSITIONS, dim], row p. */
export interface HandsResult {
  /** PE(p). */
  readonly now: Float32Array;
  /** PE(p), turned by step · ω. */
  readonly turned: Float32Array;
  /** PE(p + step). */
  readonly next: Float32Array;
  /** Radians per position of every pair. */
  readonly frequencies: Float64Array;
  /** The largest difference between turned and next in every row, [HANDS_POSITIONS]. */
  readonly changes: Float64Array;
}

/** Positions from 0 on that the claim is checked at. */
export const HANDS_POSITIONS = 1024;
/** What the base is multiplied by where the hands turn at other speeds. */
export const WRONG_BASE = 10;

export function handsTask(encodings: Encodings, { dim, base, step, mode }: HandsRequest): HandsResult {
  const length = HANDS_POSITIONS;
  const now = encodings.sinusoidal({ length, dim, base });
  const next = encodings.sinusoidal({ length, dim, base, start: step });
  // rope turns (a, b) counter-clockwise. A hand (sin, cos) runs clockwise, so it is turned by the negative position.
  const turned = encodings.rope({
    x: now,
    length,
    heads: 1,
    headDim: dim,
    params: { headDim: dim, base: mode === 'base' ? WRONG_BASE * base : base, pairing: 'interleaved' },
    positions: new Float64Array(length).fill(mode === 'backwards' ? step : -step),
  });
  const changes = Float64Array.from({ length }, (_, p) => {
    let largest = 0;
    for (let i = p * dim; i < (p + 1) * dim; i++) largest = Math.max(largest, Math.abs(turned[i]! - next[i]!));
    return largest;
  });
  return { now, turned, next, frequencies: sinusoidalFrequencies({ dim, base }), changes };
}
