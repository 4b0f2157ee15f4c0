import type { Text } from '../../phrases/language.js';
import { ropeParameters } from './hf.js';
import { inexpressible, isNear, PAIRING_NOTE, type RotarySetting, type Writer } from './setting.js';

/** Flags of `vllm serve`. Source: vllm-project/vllm, features/context_extension and layers/rotary_embedding. */
export const vllm: Writer = {
  write: (setting) => flags(keysOf(setting), setting.room),
  writeLayers(layers) {
    const keys = Object.fromEntries(layers.map(({ name, setting }) => [name, keysOf(setting)]));
    const rooms = layers.flatMap(({ setting: { room } }) => (room === undefined ? [] : [room]));
    return flags(keys, rooms.length === 0 ? undefined : Math.max(...rooms));
  },
  notes(setting) {
    const notes: Text[] = [PAIRING_NOTE];
    const { type, params, softmaxFactor } = setting;
    if (type === 'yarn') {
      notes.push({
        en: 'YaRN holds at every length. attn_factor multiplies 0.1 ln factor + 1 here; attention_factor is not read.',
        'zh-Hans': 'YaRN 对任何长度都起作用。这里 attn_factor 与 0.1 ln 倍数 + 1 相乘；不读取 attention_factor。',
      });
    }
    if (params.mscale !== undefined || softmaxFactor !== 1) {
      notes.push({
        en: "mscale and mscale_all_dim count for DeepSeek's architectures only, which also multiply the softmax scale.",
        'zh-Hans': 'mscale 与 mscale_all_dim 只对 DeepSeek 架构有效，这些架构还会将 softmax 的缩放相乘。',
      });
    }
    if (type === 'longrope') {
      notes.push({
        en: 'The lists are chosen by --max-model-len: above the original context short texts take the long factors as well.',
        'zh-Hans': '两组系数按 --max-model-len 选择：它超过原始上下文时，短文本也用 long_factor。',
      });
    }
    return notes;
  },
};

function flags(rope_parameters: object, room: number | undefined): string {
  return [
    `--hf-overrides '${JSON.stringify({ rope_parameters })}'`,
    ...(room === undefined ? [] : [`--max-model-len ${room}`]),
  ].join(' ');
}

function keysOf(setting: RotarySetting): Record<string, unknown> {
  const { type, context, factor, original } = setting;
  if (type === 'dynamic') {
    throw inexpressible('vllm', 'type', type, 'base-once');
  }
  if (type === 'proportional') throw inexpressible('vllm', 'type', type, 'no-type');
  if (type === 'longrope' && (context === undefined || original === undefined || !isNear(factor, context / original))) {
    throw inexpressible('vllm', 'factor', factor, 'ratio-of-contexts');
  }
  const { attention_factor: given, ...keys } = ropeParameters(setting, 'vllm');
  if (given !== undefined && type === 'longrope' && !isNear(setting.attentionFactor, setting.usualAttentionFactor)) {
    throw inexpressible('vllm', 'attentionFactor', given, 'unread', 'longrope');
  }
  const share = multiplier(setting);
  return { ...keys, ...(share === undefined ? {} : { attn_factor: share }) };
}

/** The key that multiplies the usual attention factor, where that is not the one wanted. */
function multiplier({ type, params, attentionFactor, usualAttentionFactor }: RotarySetting): number | undefined {
  if (type !== 'yarn' || params.attentionFactor === undefined) return undefined;
  return isNear(attentionFactor, usualAttentionFactor) ? undefined : attentionFactor / usualAttentionFactor;
}
