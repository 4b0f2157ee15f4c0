import { digits, inexpressible, PAIRING, type Writer } from './setting.js';

/** Flags of ExLlamaV2. Source: turboderp-org/exllamav2, model_init.py and rope.py. */
export const exllama: Writer = {
  write(setting) {
    const { type, factor, room, attentionFactor } = setting;
    if (type === 'yarn') {
      throw inexpressible('exllama', 'type', type, 'ramp-from-length');
    }
    if (type !== 'default' && type !== 'mrope' && type !== 'ntk' && type !== 'linear') {
      throw inexpressible('exllama', 'type', type, 'scale-and-alpha');
    }
    if (attentionFactor !== 1) {
      throw inexpressible('exllama', 'attentionFactor', attentionFactor, 'no-flag');
    }
    return [
      ...(room === undefined ? [] : [`-l ${room}`]),
      `-rs ${digits(type === 'linear' ? factor : 1)}`,
      `-ra ${digits(type === 'ntk' ? factor : 1)}`,
    ].join(' ');
  },
  notes: ({ base }) => [PAIRING, { kind: 'exllama-base', base }],
};
