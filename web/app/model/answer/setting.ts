import {
  type Language,
  type ModelLayer,
  PosencError,
  type RenderTarget,
  type RopeParams,
  render,
  renderNotes,
} from 'posenc';

/** The programs in the order of their tabs. */
export const TARGET_NAMES = {
  'hf-v5': 'HF v5',
  'hf-v4': 'HF v4',
  'llama.cpp': 'llama.cpp',
  vllm: 'vLLM',
  ollama: 'Ollama',
  koboldcpp: 'KoboldCpp',
  exllama: 'ExLlama',
} as const satisfies Record<RenderTarget, string>;
export const TARGETS: readonly RenderTarget[] = Object.keys(TARGET_NAMES) as RenderTarget[];

/** A setting as another program takes it. */
export interface ReportedSetting {
  readonly program: string;
  /** The line or the block; undefined where the program has no words for `lacks`. */
  readonly text: string | undefined;
  readonly lacks?: string;
  readonly notes: readonly string[];
}

export function settingOf(
  params: RopeParams | readonly ModelLayer[],
  target: RenderTarget,
  language: Language,
): ReportedSetting {
  const program = TARGET_NAMES[target];
  try {
    return { program, text: render(params, target), notes: renderNotes(params, target, { language }) };
  } catch (error) {
    if (!(error instanceof PosencError)) throw error;
    return { program, text: undefined, lacks: error.argument ?? '', notes: [] };
  }
}
