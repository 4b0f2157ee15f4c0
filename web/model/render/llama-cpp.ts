import type { Text } from '../../phrases/language.js';
import { digits, inexpressible, isNear, PAIRING_NOTE, raisedBase, type RotarySetting, type Writer } from './setting.js';

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
    const notes: Text[] = [PAIRING_NOTE];
    const { softmaxFactor, type, params } = setting;
    const factor = flagFactor(setting);
    if (type === 'yarn') {
      notes.push({
        en: `YaRN multiplies cosines and sines by (1 + 0.1 ln factor) × attn_factor = ${digits(setting.attentionFactor)}.`,
        'zh-Hans': `YaRN 将余弦和正弦乘以 (1 + 0.1 ln 倍数) × attn_factor = ${digits(setting.attentionFactor)}。`,
      });
    }
    if (isLeftToFile(setting)) {
      notes.push({
        en: `The strengths are read from rope.scaling.yarn_log_multiplier in the file by builds from December 2025 on, and by older ones for deepseek2. Others need --yarn-attn-factor ${digits(factor)}.`,
        'zh-Hans': `2025 年 12 月起的版本，以及较早版本中的 deepseek2，会读取文件中的 rope.scaling.yarn_log_multiplier。其他情况须加 --yarn-attn-factor ${digits(factor)}。`,
      });
    } else if (!isNear(factor, 1) && type === 'yarn') {
      notes.push({
        en: `Builds from December 2025 on ignore --yarn-attn-factor with YaRN: there, set the key ARCH.rope.scaling.attn_factor to ${digits(factor)} with --override-kv.`,
        'zh-Hans': `2025 年 12 月起的版本在使用 YaRN 时忽略 --yarn-attn-factor：请改用 --override-kv 将键 ARCH.rope.scaling.attn_factor 设为 ${digits(factor)}。`,
      });
    }
    if (softmaxFactor !== 1) {
      notes.push({
        en: `The multiplier of the softmax scale, ${digits(softmaxFactor)}, has no flag: for DeepSeek's architectures it follows from rope.scaling.yarn_log_multiplier in the file.`,
        'zh-Hans': `softmax 缩放的乘数 ${digits(softmaxFactor)} 没有对应参数：对 DeepSeek 架构，它由文件中的 rope.scaling.yarn_log_multiplier 决定。`,
      });
    }
    if (params.mropeSection !== undefined) notes.push(SECTIONS_NOTE);
    return notes;
  },
};

/** Whether the attention factor follows from strengths, which a file of the model states and no flag does. */
function isLeftToFile({ type, params }: RotarySetting): boolean {
  return type === 'yarn' && params.attentionFactor === undefined && Boolean(params.mscale && params.mscaleAllDim);
}

export const SECTIONS_NOTE: Text = {
  en: 'The sections of time, height and width come from the file of the model.',
  'zh-Hans': '时间、高、宽三段取自模型文件。',
};

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
