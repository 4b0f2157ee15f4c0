import { HERO_DIM, HERO_ROWS, type HeroData } from './hero-data.js';

/** The first screen's numbers in plain float64, for as long as the engine has not answered. */
export function plainHero(count: number): HeroData {
  const waves = new Float32Array(HERO_ROWS * count);
  const kernel = new Float64Array(count);
  for (let row = 0; row < HERO_ROWS; row++) {
    const frequency = Math.exp((-2 * row * Math.log(10000)) / HERO_DIM);
    for (let m = 0; m < count; m++) {
      waves[row * count + m] = Math.sin(m * frequency);
      kernel[m]! += Math.cos(m * frequency) / HERO_ROWS;
    }
  }
  return { waves, kernel };
}
