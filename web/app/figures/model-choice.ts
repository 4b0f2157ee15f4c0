import { html, type TemplateResult } from 'lit';
import { bilingual } from '../messages/bilingual.js';
import { type ModelPreset, modelPresets } from '../models.js';
import { group, noBreak } from '../plots/format.js';
import { oneOf } from '../state/fields.js';

const modelText = bilingual(
  {
    model: 'Model',
    headWidth: (dim: string) => `heads of ${dim}`,
    partWidth: (part: string, dim: string) => `${part} of ${dim} rotated`,
    base: (base: string) => `base ${base}`,
    pairings: { half: 'half', interleaved: 'interleaved' },
  },
  {
    model: '模型',
    headWidth: (dim) => `头宽 ${dim}`,
    partWidth: (part, dim) => `头宽 ${dim}，旋转 ${part}`,
    base: (base) => `底数 ${base}`,
    pairings: { half: '折半', interleaved: '相邻' },
  },
);

export const modelField = oneOf(modelPresets.map(({ name }) => name));

/** The preset of a name that `renderModelChoice` offers. */
export function presetNamed(name: string): ModelPreset {
  return modelPresets.find((preset) => preset.name === name)!;
}

/** A select of models, with the numbers of the chosen one under it. */
export function renderModelChoice(
  chosen: string,
  onValue: (name: string) => void,
  presets: readonly ModelPreset[] = modelPresets,
): TemplateResult {
  return html`<choice-group
    class="wide"
    name="model"
    .label=${modelText().model}
    .value=${chosen}
    .options=${presets.map((preset) => ({ value: preset.name, label: preset.name, note: describe(preset) }))}
    .onValue=${onValue}
  ></choice-group>`;
}

/** The numbers of a model: its width, its base, how it pairs. */
function describe({ params: { headDim, rotaryDim, base, pairing } }: ModelPreset): string {
  const text = modelText();
  const width =
    rotaryDim === headDim ? text.headWidth(group(headDim)) : text.partWidth(group(rotaryDim), group(headDim));
  const pairs = text.pairings[pairing === 'interleaved' ? 'interleaved' : 'half'];
  return [width, text.base(noBreak(group(base))), pairs].join(' · ');
}
