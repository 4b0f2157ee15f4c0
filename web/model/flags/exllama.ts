import type { ParsedModel } from '../parsed-model.js';
import { named, positiveNumber, sets, setsTokens, type FlagSettings, type FlagSyntax } from './settings.js';

/**
 * Both versions of the program, which name their flags differently, and text-generation-webui, which starts them.
 *
 * Source: turboderp/exllama, model_init.py and model.py; turboderp-org/exllamav2, exllamav2/model_init.py and rope.py.
 */
export const exllama: FlagSyntax = {
  commands: ['exllama', 'exllamav2', 'test_inference.py', 'test_chatbot.py', 'example_chatbot.py'],
  takesEquals: true,
  flags: new Map([
    ...named('-l --length --max_seq_len', { read: setsTokens('maxPosition') }),
    ...named('-theta --theta', { read: sets('base') }),
    ...named('-rs --rope_scale -cpe --compress_pos_emb', {
      read: (settings, key, value = '') => settings.setScaling('linear', key, positiveNumber(key, value)),
    }),
    ...named('-ra --rope_alpha -a --alpha --alpha_value', {
      read: (settings, key, value = '') => void (settings.alpha = { key, value: positiveNumber(key, value) }),
    }),
  ]),
  finish(settings) {
    const { alpha, params } = settings;
    if (alpha === undefined || alpha.value === 1) return;
    if (params.type === 'linear') raiseBase(settings, alpha.key, alpha.value);
    else settings.setScaling('ntk', alpha.key, alpha.value);
  },
};

/** Alpha beside a factor of positions: the program applies both, and no type of scaling does. */
function raiseBase(settings: FlagSettings, key: string, alpha: number): void {
  const { base } = settings.params;
  settings.raised = { alpha, ...(base === undefined ? {} : { base }) };
  settings.unset('base');
  settings.set('base', key, raisedBase(base ?? 10000, alpha, settings.params.headDim ?? 128));
}

/** base × alpha^(d / (d − 2)) for heads of d channels. */
function raisedBase(base: number, alpha: number, headDim: number): number {
  return base * alpha ** (headDim / (headDim - 2));
}

/** Flags as they act on a model: alpha raises its base, by the width of its heads. */
export function actingOn({ layers }: ParsedModel, flags: ParsedModel): ParsedModel {
  const [own] = layers;
  const { raised } = flags;
  if (raised === undefined || own === undefined || !(own.params.headDim > 2)) return flags;
  const base = raisedBase(raised.base ?? own.params.base ?? 10000, raised.alpha, own.params.headDim);
  return {
    ...flags,
    layers: flags.layers.map(({ name, params }) => ({ name, params: { ...params, base } })),
    statements: flags.statements.map((one) => (one.setting === 'base' ? { ...one, value: base } : one)),
  };
}
