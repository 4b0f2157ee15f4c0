import type { RopeParams } from 'posenc';

/** How a public model rotates, from its published configuration. */
export interface ModelPreset {
  readonly name: string;
  readonly params: RopeParams & { readonly rotaryDim: number; readonly base: number };
}

const model = (name: string, headDim: number, base: number, rest: Partial<RopeParams> = {}): ModelPreset => ({
  name,
  params: { headDim, rotaryDim: headDim, base, pairing: 'half', ...rest },
});

/** Models to choose from; a figure opens with the first. */
export const modelPresets: readonly ModelPreset[] = [
  model('Llama-3.1-8B', 128, 500_000, {
    type: 'llama3',
    factor: 8,
    lowFreqFactor: 1,
    highFreqFactor: 4,
    originalMaxPosition: 8192,
  }),
  model('Llama-3-8B', 128, 500_000),
  model('Llama-2-7B', 128, 10_000),
  model('Mistral-7B-v0.1', 128, 10_000),
  model('Mixtral-8x7B-v0.1', 128, 1_000_000),
  model('Qwen2.5-7B', 128, 1_000_000),
  model('Qwen3-8B', 128, 1_000_000),
  model('Gemma-2-9B', 256, 10_000),
  model('Falcon-7B', 64, 10_000),
  model('GPT-J-6B', 256, 10_000, { rotaryDim: 64, pairing: 'interleaved' }),
  model('GPT-NeoX-20B', 96, 10_000, { rotaryDim: 24 }),
  model('ChatGLM2-6B', 128, 10_000, { rotaryDim: 64, pairing: 'interleaved' }),
];
