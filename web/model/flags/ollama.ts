import { flagNumber, named, positiveNumber, sets, setsTokens, type FlagSyntax } from './settings.js';

/**
 * Parameters of a Modelfile. Those about the base and the scale are of versions before 0.1.35; newer ones refuse them.
 *
 * Source: ollama/ollama, docs/modelfile.mdx, parser/parser.go and api/types.go.
 */
export const ollama: FlagSyntax = {
  commands: ['ollama'],
  takesEquals: false,
  flags: new Map([
    ...named('num_ctx', { read: setsTokens('maxPosition') }),
    ...named('rope_frequency_base', { read: sets('base') }),
    ...named('rope_frequency_scale', {
      read: (settings, key, value = '') => {
        if (flagNumber(key, value) !== 0) settings.setScaling('linear', key, 1 / positiveNumber(key, value));
      },
    }),
  ]),
};

/** One parameter per line, in a file or after /set. */
const PARAMETER = /^[ \t]*(?:\/set[ \t]+)?PARAMETER[ \t]+(\w+)[ \t]+(\S.*)$/gim;

/** The names and values of the parameters; of texts in three quotes, none. */
export function modelfileParameters(text: string): [name: string, value: string][] {
  const lines = text.replace(/"""[^]*?"""/g, '""');
  return Array.from(lines.matchAll(PARAMETER), ([, name = '', value = '']) => [
    name,
    value.trim().replace(/^"(.*)"$/, '$1'),
  ]);
}
