import { requireChoice, requireOptions, withDefault } from '../../common/check.js';
import { badArgument, within } from '../../common/errors.js';
import type { RopeParams } from '../../rotary/rope-params.js';
import { isObject } from '../block.js';
import { LANGUAGES, type Language } from '../../phrases/language.js';
import { settingBooks } from '../../phrases/settings/books.js';
import { say } from '../../phrases/table.js';
import type { ModelLayer } from '../parsed-model.js';
import { exllama } from './exllama.js';
import { hfV4, hfV5 } from './hf.js';
import { koboldCpp } from './koboldcpp.js';
import { llamaCpp } from './llama-cpp.js';
import { ollama } from './ollama.js';
import { inexpressible, settingOf, type LayerSetting, type RenderTarget, type Writer } from './setting.js';
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
 * The layers of a model that do not share an embedding become one block, which `hf-v5` and `vllm` have words for, and
 * `hf-v4` where the layers with a window differ in nothing but their base.
 *
 * Needs no engine.
 *
 * Errors: `bad-argument`; `inexpressible` where the target has no words for a parameter, or for layers of their own, which
 * `argument` names.
 * Source: huggingface/transformers, modeling_rope_utils.py; ggml-org/llama.cpp, common/arg.cpp; LostRuins/koboldcpp;
 * turboderp-org/exllamav2, model_init.py; ollama/ollama, api/types.go; vllm-project/vllm, layers/rotary_embedding.
 *
 * @param params one embedding, or `layers` of a model
 */
export function render(params: RopeParams | readonly ModelLayer[], target: RenderTarget): string {
  return write(requireChoice(target, 'target', WRITERS), settingsOf(params), target);
}

function write(writer: Writer, layers: readonly LayerSetting[], target: RenderTarget): string {
  const [only, ...others] = layers;
  if (only !== undefined && others.length === 0) return writer.write(only.setting);
  if (writer.writeLayers !== undefined) return writer.writeLayers(layers);
  const names = layers.map(({ name }) => name).join(', ');
  throw inexpressible(target, 'layers', names, 'one-embedding');
}

/** The settings of one embedding, or of every layer. */
function settingsOf(params: RopeParams | readonly ModelLayer[]): LayerSetting[] {
  if (!isLayers(params)) return [{ name: 'all', setting: settingOf(params) }];
  if (params.length === 0) throw badArgument('layers', { kind: 'some', what: 'layer' }, params);
  return params.map((layer: unknown, i) => {
    if (!isObject(layer) || typeof layer['name'] !== 'string' || !isObject(layer['params'])) {
      throw badArgument(`layers[${i}]`, { kind: 'layer' }, layer);
    }
    const { name, params: own } = layer as unknown as ModelLayer;
    return { name, setting: within(`layers[${i}].params.`, () => settingOf(own)) };
  });
}

function isLayers(params: RopeParams | readonly ModelLayer[]): params is readonly ModelLayer[] {
  return Array.isArray(params);
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
export function renderNotes(
  params: RopeParams | readonly ModelLayer[],
  target: RenderTarget,
  options: { language?: Language } = {},
): string[] {
  const { language: spoken } = requireOptions(options, { language: true });
  const language = requireChoice(withDefault(spoken, 'en'), 'language', LANGUAGES);
  const writer = requireChoice(target, 'target', WRITERS);
  const layers = settingsOf(params);
  write(writer, layers, target);
  const { notes } = settingBooks[language];
  return [...new Set(layers.flatMap(({ setting }) => writer.notes(setting).map((note) => say(notes, note))))];
}
