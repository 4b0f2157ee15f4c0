/** Width of the encoding on the first screen: 64 pairs, so 64 rows of sines. */
export const HERO_DIM = 128;
export const HERO_ROWS = HERO_DIM / 2;

/** What the first screen draws. */
export interface HeroData {
  /** Sines, [HERO_ROWS, count] row-major. */
  readonly waves: Float32Array;
  /** Similarity of two positions 0 … count − 1 apart. */
  readonly kernel: Float64Array;
}
