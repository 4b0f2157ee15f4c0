import { requireChoice, requireOptions, withDefault } from '../../check.js';
import type { RopeParams } from '../../rope-params.js';
import { LANGUAGES, type Language } from '../language.js';
import { exllama } from './exllama.js';
import { hfV4, hfV5 } from './hf.js';
import { koboldCpp } from './koboldcpp.js';
import { llamaCpp } from './llama-cpp.js';
import { ollama } from './ollama.js';
import { settingOf, type RenderTarget, type Writer } from './setting.js';
import { vllm } from './vllm.js';

export type { RenderTarget } from './setting.js';

const WRITERS: Readonly<Record<RenderTarget, Writer>> = {
  'hf-v4': hfV4,
  'hf-v5': hfV5,
  'llama.cpp': llamaCpp,
  koboldcpp: koboldCpp,
  exllama,
  ollama,
  vllm,
};

/** Where a setting can be written. */
export const RENDER_TARGETS = Object.keys(WRITERS) as readonly RenderTarget[];

/**
 * A rotary embedding as a target writes it: the keys of a `config.json` (`hf-v4` with `rope_scaling`, `hf-v5` with
 * `rope_parameters`), or the flags or lines of a runtime. `maxPosition` becomes the context to make room for, where it is
 * given. `renderNotes` says what the line leaves to the model's file and what the runtime does otherwise.
 *
 * Needs no engine.
 *
 * Errors: `bad-argument`; `inexpressible` where the target has no words for a parameter, which `argument` names.
 * Source: huggingface/transformers, modeling_rope_utils.py; ggml-org/llama.cpp, common/arg.cpp; LostRuins/koboldcpp;
 * turboderp-org/exllamav2, model_init.py; ollama/ollama, api/types.go; vllm-project/vllm, layers/rotary_embedding.
 */
export function render(params: RopeParams, target: RenderTarget): string {
  return requireChoice(target, 'target', WRITERS).write(settingOf(params));
}

/** The same with room for another number of tokens. */
export function renderWith(context: number, params: RopeParams, target: RenderTarget): string {
  return WRITERS[target].write({ ...settingOf(params), context, room: context });
}

/**
 * What the reader of a rendered setting should know, in sentences: what it leaves to the model's file, what the runtime
 * does otherwise, and what it calls the attention factor and the multiplier of the softmax.
 *
 * Needs no engine.
 *
 * Errors: as `render`.
 */
export function renderNotes(params: RopeParams, target: RenderTarget, options: { language?: Language } = {}): string[] {
  requireOptions(options, ['language']);
  const language = requireChoice(withDefault(options.language, 'en'), 'language', LANGUAGES);
  const writer = requireChoice(target, 'target', WRITERS);
  const setting = settingOf(params);
  writer.write(setting);
  return writer.notes(setting).map((note) => note[language]);
}
