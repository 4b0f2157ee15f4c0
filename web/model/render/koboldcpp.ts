import { SECTIONS } from './llama-cpp.js';
import { digits, inexpressible, PAIRING, raisedBase, type Writer } from './setting.js';

/** Flags of KoboldCpp. Source: LostRuins/koboldcpp, koboldcpp.py and gpttype_adapter.cpp. */
export const koboldCpp: Writer = {
  write(setting) {
    const { type, factor, base, room, attentionFactor } = setting;
    if (type !== 'default' && type !== 'mrope' && type !== 'ntk' && type !== 'linear') {
      throw inexpressible('koboldcpp', 'type', type, 'scale-and-base');
    }
    if (attentionFactor !== 1) {
      throw inexpressible('koboldcpp', 'attentionFactor', attentionFactor, 'scale-and-base-only');
    }
    const scale = type === 'linear' ? 1 / factor : 1;
    return [
      ...(room === undefined ? [] : [`--contextsize ${room}`]),
      `--ropeconfig ${digits(scale)} ${digits(type === 'ntk' ? raisedBase(setting) : base)}`,
    ].join(' ');
  },
  notes: ({ params }) => [PAIRING, { kind: 'ropeconfig' }, ...(params.mropeSection === undefined ? [] : [SECTIONS])],
};
