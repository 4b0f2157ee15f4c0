import { digits, inexpressible, PAIRING_NOTE, type Writer } from './setting.js';

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
  notes: ({ base }) => [
    PAIRING_NOTE,
    {
      en: `The base, ${digits(base)}, has no flag: config.json of the model has to state it. -rs is the factor of positions, -ra is alpha. The first ExLlama calls them -cpe and -a, and has -theta for the base.`,
      'zh-Hans': `底数 ${digits(base)} 没有对应参数，须写在模型的 config.json 中。-rs 是位置的倍数，-ra 是 alpha。第一代 ExLlama 中它们叫 -cpe 和 -a，底数用 -theta。`,
    },
  ],
};
