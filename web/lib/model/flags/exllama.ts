import type { RopeType } from '../../rope-params.js';
import { named, positiveNumber, sets, setsTokens, type Flag, type FlagSyntax } from './settings.js';

/**
 * Both versions of the program, which name their flags differently.
 *
 * Source: turboderp/exllama, model_init.py and model.py; turboderp-org/exllamav2, exllamav2/model_init.py.
 */
export const exllama: FlagSyntax = {
  commands: ['exllama', 'exllamav2', 'test_inference.py', 'test_chatbot.py', 'example_chatbot.py'],
  takesEquals: true,
  flags: new Map([
    ...named('-l --length', { read: setsTokens('maxPosition') }),
    ...named('-theta --theta', { read: sets('base') }),
    ...named('-rs --rope_scale -cpe --compress_pos_emb', { read: scales('linear') }),
    ...named('-ra --rope_alpha -a --alpha', { read: scales('ntk') }),
  ]),
};

function scales(type: RopeType): Flag['read'] {
  return (settings, key, value = '') => settings.setScaling(type, key, positiveNumber(key, value));
}
