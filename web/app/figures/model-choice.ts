import { html, type TemplateResult } from 'lit';
import { type ModelPreset, modelPresets } from '../models.js';
import type { Option } from '../parts/choice-group.js';
import { readOwnModel } from '../own-model.js';
import { group, noBreak } from '../plots/format.js';
import { type Field, oneOf } from '../state/fields.js';
import { texts } from '../texts/index.js';

/** A model that the page offers, by its name. */
export const presetField = oneOf(modelPresets.map(({ name }) => name));
/** Or one of the reader's own, by its parameters (own-model.ts). */
export const modelField = orOwn(presetField);

/** A field that takes a model of the reader's own as well, where that has what a figure needs. */
export function orOwn(
  presets: Field<string>,
  fits: (params: ModelPreset['params']) => boolean = () => true,
): Field<string> {
  return {
    write: presets.write,
    read(text) {
      const params = readOwnModel(text);
      return params && fits(params) ? text : presets.read(text);
    },
  };
}

/** The model of a value that `renderModelChoice` offers. */
export function presetNamed<Preset extends ModelPreset = ModelPreset>(
  value: string,
  presets: readonly Preset[] = modelPresets as readonly Preset[],
): Preset {
  const own = readOwnModel(value);
  // The field has seen to it that it has what the figure's presets have.
  if (own) return { name: texts().modelChoice.own, params: own } as unknown as Preset;
  return presets.find((preset) => preset.name === value)!;
}

/** A select of models, with the numbers of the chosen one under it. */
export function renderModelChoice(
  chosen: string,
  onValue: (name: string) => void,
  presets: readonly ModelPreset[] = modelPresets,
): TemplateResult {
  const option = (value: string, preset: ModelPreset): Option => ({
    value,
    label: preset.name,
    note: describe(preset),
  });
  const offered = presets.map((preset) => option(preset.name, preset));
  const isOffered = offered.some(({ value }) => value === chosen);
  return html`<choice-group
    class="wide"
    name="model"
    .label=${texts().modelChoice.model}
    .value=${chosen}
    .options=${isOffered ? offered : [...offered, option(chosen, presetNamed(chosen))]}
    .onValue=${onValue}
  ></choice-group>`;
}

/** The numbers of a model: its width, its base, how it pairs. */
function describe({ params: { headDim, rotaryDim, base, pairing } }: ModelPreset): string {
  const text = texts().modelChoice;
  const width =
    rotaryDim === headDim ? text.headWidth(group(headDim)) : text.partWidth(group(rotaryDim), group(headDim));
  const pairs = text.pairings[pairing === 'interleaved' ? 'interleaved' : 'half'];
  return [width, text.base(noBreak(group(base))), pairs].join(' · ');
}
