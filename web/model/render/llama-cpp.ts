import type { Note } from '../../phrases/settings/en.js';
import { digits, inexpressible, isNear, PAIRING, raisedBase, type RotarySetting, type Writer } from './setting.js';

/** Flags of llama-cli and llama-server. Source: ggml-org/llama.cpp, common/arg.cpp and src/llama-context.cpp. */
export const llamaCpp: Writer = {
  write(setting) {
    const { room, base } = setting;
    const scaling = scalingFlags(setting);
    const attention = isLeftToFile(setting) ? 1 : flagFactor(setting);
    return [
      ...(room === undefined ? [] : [`-c ${room}`]),
      ...scaling,
      `--rope-freq-base ${digits(setting.type === 'ntk' ? raisedBase(setting) : base)}`,
      ...(isNear(attention, 1) ? [] : [`--yarn-attn-factor ${digits(attention)}`]),
    ].join(' ');
  },
  notes(setting) {
    const notes: Note[] = [PAIRING];
    const { softmaxFactor, type, params } = setting;
    const factor = flagFactor(setting);
    if (type === 'yarn') {
      notes.push({ kind: 'yarn-factor', factor: setting.attentionFactor });
    }
    if (isLeftToFile(setting)) {
      notes.push({ kind: 'log-multiplier', flag: factor });
    } else if (!isNear(factor, 1) && type === 'yarn') {
      notes.push({ kind: 'ignored-flag', flag: factor });
    }
    if (softmaxFactor !== 1) {
      notes.push({ kind: 'softmax-in-file', factor: softmaxFactor });
    }
    if (params.mropeSection !== undefined) notes.push(SECTIONS);
    return notes;
  },
};

/** Whether the attention factor follows from strengths, which a file of the model states and no flag does. */
function isLeftToFile({ type, params }: RotarySetting): boolean {
  return type === 'yarn' && params.attentionFactor === undefined && Boolean(params.mscale && params.mscaleAllDim);
}

export const SECTIONS: Note = { kind: 'sections' };

/** What the flag has to be for the attention factor: ggml multiplies it by 1 + 0.1 ln factor in YaRN. */
export function flagFactor({ type, factor, attentionFactor }: RotarySetting): number {
  return type === 'yarn' ? attentionFactor / (1 + 0.1 * Math.log(factor)) : attentionFactor;
}

function scalingFlags({ type, factor, original, params }: RotarySetting): string[] {
  switch (type) {
    case 'default':
    case 'mrope':
    case 'ntk':
      return ['--rope-scaling none'];
    case 'linear':
      return ['--rope-scaling linear', `--rope-scale ${digits(factor)}`];
    case 'yarn':
      if (params.truncate === false) {
        throw inexpressible('llama.cpp', 'truncate', false, 'whole-ramp');
      }
      if (1 + 0.1 * Math.log(factor) <= 0) {
        throw inexpressible('llama.cpp', 'factor', factor, 'log-factor');
      }
      return [
        '--rope-scaling yarn',
        `--rope-scale ${digits(factor)}`,
        `--yarn-orig-ctx ${original}`,
        ...(params.betaFast === undefined ? [] : [`--yarn-beta-fast ${digits(params.betaFast)}`]),
        ...(params.betaSlow === undefined ? [] : [`--yarn-beta-slow ${digits(params.betaSlow)}`]),
      ];
    case 'dynamic':
      throw inexpressible('llama.cpp', 'type', type, 'fixed-base');
    case 'llama3':
    case 'longrope':
    case 'proportional':
      throw inexpressible('llama.cpp', 'type', type, 'gguf-divisors');
  }
}
