import { SECTIONS_NOTE } from './llama-cpp.js';
import { digits, inexpressible, PAIRING_NOTE, raisedBase, type Writer } from './setting.js';

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
  notes: ({ params }) => [
    PAIRING_NOTE,
    {
      en: 'The first number multiplies positions: it is 1 / factor. Without --ropeconfig the base is raised by itself for contexts longer than that of the file.',
      'zh-Hans': '第一个数与位置相乘，即 1 / 倍数。不写 --ropeconfig 时，若上下文超出文件所写，底数会自动增大。',
    },
    ...(params.mropeSection === undefined ? [] : [SECTIONS_NOTE]),
  ],
};
