import type { RopeParams } from 'posenc';
import type { ModelPreset } from './models.js';

/** How a public model is stretched past the context it was trained with first, from its published configuration. */
export interface StretchedPreset extends ModelPreset {
  readonly params: ModelPreset['params'] & Required<Pick<RopeParams, 'type' | 'originalMaxPosition'>>;
}

const model = (
  name: string,
  headDim: number,
  base: number,
  originalMaxPosition: number,
  scaling: Partial<RopeParams> & Required<Pick<RopeParams, 'type'>>,
): StretchedPreset => ({
  name,
  params: { headDim, rotaryDim: headDim, base, pairing: 'half', originalMaxPosition, ...scaling },
});

/** The divisors of Phi-3-mini-128k, one per pair, to seven digits: for sequences within 4 096 tokens, and for longer ones. */
const PHI_SHORT =
  '1.05 1.05 1.05 1.1 1.1 1.1 1.25 1.25 1.4 1.45 1.55 1.85 1.9 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2.1 2.1 2.2 2.35 2.35 2.35 2.35 2.4 2.4 2.65 2.7 2.9 2.95 3.05 3.05 3.05';
const PHI_LONG =
  '1.03 1.05 1.05 1.08 1.23 1.23 1.3 1.45 1.6 1.65 1.9 2.86 3.69 5.42 5.49 5.49 9.09 11.58 15.66 15.77 15.79 18.36 21.99 23.08 30.01 32.35 32.59 35.56 39.95 53.84 56.2 57.95 59.29 59.77 59.92 61.19 61.96 62.5 63.37 63.48 63.48 63.66 63.85 64.08 64.76 64.8 64.81 64.81';
const numbers = (list: string): number[] => list.split(' ').map(Number);

/** Models to choose from; a figure opens with the first. */
export const stretchedPresets: readonly StretchedPreset[] = [
  model('Llama-3.1-8B', 128, 500_000, 8192, { type: 'llama3', factor: 8, lowFreqFactor: 1, highFreqFactor: 4 }),
  model('Qwen2.5-7B-Instruct', 128, 1_000_000, 32_768, { type: 'yarn', factor: 4 }),
  model('DeepSeek-V3', 64, 10_000, 4096, {
    type: 'yarn',
    pairing: 'interleaved',
    factor: 40,
    mscale: 1,
    mscaleAllDim: 1,
  }),
  model('gpt-oss-20b', 64, 150_000, 4096, { type: 'yarn', factor: 32, truncate: false }),
  model('Phi-3-mini-128k', 96, 10_000, 4096, {
    type: 'longrope',
    factor: 32,
    shortFactor: numbers(PHI_SHORT),
    longFactor: numbers(PHI_LONG),
  }),
  model('Llama-2-7B', 128, 10_000, 4096, { type: 'default', factor: 8 }),
];
