import { finishOverrides, mergeOverrides, readOverrides } from './config-overrides.js';
import { flagNumber, named, tokenCount, type FlagSyntax } from './settings.js';

const OVERRIDES = '--hf-overrides';

/** What letters after a number multiply it by: small ones count in thousands, capitals in 1024. */
const UNITS: Readonly<Record<string, number>> = {
  ...{ k: 1e3, m: 1e6, g: 1e9 },
  ...{ K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 },
};

/** Source: vllm-project/vllm, vllm/engine/arg_utils.py and vllm/utils, FlexibleArgumentParser. */
export const vllm: FlagSyntax = {
  commands: ['vllm', 'vllm.entrypoints.openai.api_server'],
  takesEquals: true,
  canonical: (flag) => (flag.split('.', 1)[0] as string).replaceAll('_', '-'),
  flags: new Map([
    ...named('--max-model-len', {
      read: (settings, key, value = '') => {
        if (value === 'auto' || value === '-1') return;
        const [, number = value, unit] = /^([\d.]+)([kmg])$/i.exec(value) ?? [];
        const tokens = flagNumber(key, number) * (unit === undefined ? 1 : (UNITS[unit] as number));
        settings.set('maxPosition', key, tokenCount(key, String(tokens)));
      },
    }),
    ...named('--rope-theta', {
      read: (settings, key, value = '') => mergeOverrides(settings.config, { rope_theta: flagNumber(key, value) }),
    }),
    ...named('--rope-scaling', {
      takesObject: true,
      read: (settings, key, value = '') => readOverrides(settings, key, value, 'rope_scaling'),
    }),
    ...named(OVERRIDES, {
      takesObject: true,
      read: (settings, key, value = '') => readOverrides(settings, key, value),
    }),
  ]),
  finish: finishOverrides(OVERRIDES),
};
