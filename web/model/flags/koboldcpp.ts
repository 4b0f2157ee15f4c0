import { flagNumber, named, positiveNumber, setsTokens, type FlagSyntax } from './settings.js';

/** The base where `--ropeconfig` gives a scale alone, whatever the model has. */
const DEFAULT_BASE = 10000;

/** Source: LostRuins/koboldcpp, koboldcpp.py and gpttype_adapter.cpp. */
export const koboldCpp: FlagSyntax = {
  commands: ['koboldcpp', 'koboldcpp.py', 'koboldcpp.exe'],
  takesEquals: true,
  flags: new Map([
    ...named('--contextsize', { read: setsTokens('maxPosition') }),
    ...named('--overridenativecontext', { read: setsTokens('originalMaxPosition') }),
    ...named('--ropeconfig', {
      values: 2,
      read: (settings, key, scale = '', base) => {
        // A scale of 0 leaves both to the program, which raises the base with the length of the context.
        if (flagNumber(key, scale) === 0) {
          settings.unread.push(`${key} ${scale}`);
          return;
        }
        const factor = 1 / positiveNumber(key, scale);
        if (factor === 1) settings.set('type', key, 'default');
        else settings.setScaling('linear', key, factor);
        settings.set('base', key, base === undefined ? DEFAULT_BASE : positiveNumber(key, base));
      },
    }),
  ]),
};
