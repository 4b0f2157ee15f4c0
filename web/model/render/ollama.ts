import { SECTIONS } from './llama-cpp.js';
import { digits, inexpressible, PAIRING, raisedBase, type Writer } from './setting.js';

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
    PAIRING,
    { kind: 'modelfile-versions' },
    ...(params.mropeSection === undefined ? [] : [SECTIONS]),
  ],
};
