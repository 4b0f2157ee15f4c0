import { SECTIONS_NOTE } from './llama-cpp.js';
import { digits, inexpressible, PAIRING_NOTE, raisedBase, type Writer } from './setting.js';

/** Lines of a Modelfile. Source: ollama/ollama, api/types.go and docs/modelfile. */
export const ollama: Writer = {
  write(setting) {
    const { type, factor, base, room, attentionFactor } = setting;
    if (type !== 'default' && type !== 'mrope' && type !== 'ntk' && type !== 'linear') {
      throw inexpressible('ollama', 'type', type, 'modelfile-type');
    }
    if (attentionFactor !== 1) {
      throw inexpressible('ollama', 'attentionFactor', attentionFactor, 'modelfile');
    }
    return [
      ...(room === undefined ? [] : [`PARAMETER num_ctx ${room}`]),
      '# Ollama before 0.1.35; later versions take base and scale from the GGUF file',
      `PARAMETER rope_frequency_base ${digits(type === 'ntk' ? raisedBase(setting) : base)}`,
      `PARAMETER rope_frequency_scale ${digits(type === 'linear' ? 1 / factor : 1)}`,
    ].join('\n');
  },
  notes: ({ params }) => [
    PAIRING_NOTE,
    {
      en: 'Versions from 0.1.35 on know num_ctx alone and refuse the two others: there, the keys rope.freq_base and rope.scaling of the GGUF file have to be right.',
      'zh-Hans':
        '0.1.35 及以后的版本只认 num_ctx，不接受另外两项：此时须保证 GGUF 文件中的 rope.freq_base 与 rope.scaling 正确。',
    },
    ...(params.mropeSection === undefined ? [] : [SECTIONS_NOTE]),
  ],
};
