import type { Note } from '../../phrases/settings/en.js';
import { ropeParameters } from './hf.js';
import { inexpressible, isNear, PAIRING, type RotarySetting, type Writer } from './setting.js';

/** Flags of `vllm serve`. Source: vllm-project/vllm, features/context_extension and layers/rotary_embedding. */
export const vllm: Writer = {
  write: (setting) => flags(keysOf(setting), setting.room),
  writeLayers(layers) {
    const keys = Object.fromEntries(layers.map(({ name, setting }) => [name, keysOf(setting)]));
    const rooms = layers.flatMap(({ setting: { room } }) => (room === undefined ? [] : [room]));
    return flags(keys, rooms.length === 0 ? undefined : Math.max(...rooms));
  },
  notes(setting) {
    const notes: Note[] = [PAIRING];
    const { type, params, softmaxFactor } = setting;
    if (type === 'yarn') {
      notes.push({ kind: 'vllm-yarn' });
    }
    if (params.mscale !== undefined || softmaxFactor !== 1) {
      notes.push({ kind: 'vllm-mscale' });
    }
    if (type === 'longrope') {
      notes.push({ kind: 'vllm-lists' });
    }
    return notes;
  },
};

function flags(rope_parameters: object, room: number | undefined): string {
  return [
    // A name from a file stays inside the quotes.
    `--hf-overrides '${JSON.stringify({ rope_parameters }).replaceAll("'", '\\u0027')}'`,
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
