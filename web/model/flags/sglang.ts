import { finishOverrides, readOverrides } from './config-overrides.js';
import { named, setsTokens, type FlagSyntax } from './settings.js';

const OVERRIDES = '--json-model-override-args';

/** Source: sgl-project/sglang, python/sglang/srt/server_args.py and model_config.py. */
export const sglang: FlagSyntax = {
  commands: ['sglang', 'sglang.launch_server'],
  takesEquals: true,
  flags: new Map([
    ...named('--context-length', { read: setsTokens('maxPosition') }),
    ...named(OVERRIDES, {
      takesObject: true,
      read: (settings, key, value = '') => readOverrides(settings, key, value),
    }),
  ]),
  finish: finishOverrides(OVERRIDES),
};
