import { type Encodings, sinusoidalFrequencies } from 'posenc';
import { HERO_DIM, HERO_ROWS, type HeroData } from './hero-data.js';

/** The waves of the first `count` positions, and how alike positions 0 … count − 1 apart are. */
export function heroStrip(encodings: Encodings, { count }: { count: number }): HeroData {
  const table = encodings.sinusoidal({ length: count, dim: HERO_DIM });
  const waves = new Float32Array(HERO_ROWS * count);
  for (let row = 0; row < HERO_ROWS; row++) {
    for (let m = 0; m < count; m++) waves[row * count + m] = table[m * HERO_DIM + 2 * row]!;
  }
  const invFreq = sinusoidalFrequencies({ dim: HERO_DIM });
  const kernel = encodings.distanceKernel({ invFreq, distances: Float64Array.from({ length: count }, (_, m) => m) });
  return { waves, kernel };
}

/** How alike two rows `apart` are, at `position` and `shift` further on. Dot products in float64, over d / 2. */
export function heroBadge(
  encodings: Encodings,
  { position, apart, shift }: { position: number; apart: number; shift: number },
): { here: number; there: number } {
  const positions = [position, position + apart, position + shift, position + shift + apart];
  const rows = encodings.sinusoidal({ length: positions.length, dim: HERO_DIM, positions });
  const alike = (a: number, b: number): number => {
    let sum = 0;
    for (let c = 0; c < HERO_DIM; c++) sum += rows[a * HERO_DIM + c]! * rows[b * HERO_DIM + c]!;
    return sum / (HERO_DIM / 2);
  };
  return { here: alike(0, 1), there: alike(2, 3) };
}
