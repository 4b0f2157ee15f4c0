import { badArgument } from '../../common/errors.js';
import type { RopeType } from '../../rotary/rope-params.js';
import { yarnAttentionFactor } from '../yarn-attention.js';
import { flagNumber, named, positiveNumber, sets, setsTokens, type FlagSettings, type FlagSyntax } from './settings.js';

const TYPES: Readonly<Record<string, RopeType>> = { none: 'default', linear: 'linear', yarn: 'yarn' };

/** Keys of a file that `--override-kv` may state anew, after the name of the architecture. */
const OVERRIDES: Readonly<Record<string, 'base' | 'factor'>> = {
  'rope.freq_base': 'base',
  'rope.scaling.factor': 'factor',
};

/** Source: ggml-org/llama.cpp, common/arg.cpp, and src/llama-context.cpp for what the values mean together. */
export const llamaCpp: FlagSyntax = {
  commands: ['llama-server', 'llama-cli', 'llama-perplexity', 'llama-bench', 'main', 'server'],
  takesEquals: false,
  flags: new Map([
    ...named('-c --ctx-size', { read: setsTokens('maxPosition') }),
    ...named('--rope-scaling', { read: readType }),
    ...named('--rope-scale', { read: sets('factor') }),
    ...named('--rope-freq-scale', {
      read: (settings, key, value = '') => {
        // 0 stands for what the model has.
        if (flagNumber(key, value) !== 0) settings.set('factor', key, 1 / positiveNumber(key, value));
      },
    }),
    ...named('--rope-freq-base', {
      read: (settings, key, value = '') => {
        if (flagNumber(key, value) !== 0) settings.set('base', key, positiveNumber(key, value));
      },
    }),
    ...named('--yarn-orig-ctx', { read: setsTokens('originalMaxPosition') }),
    ...named('--yarn-ext-factor', { read: readMix }),
    ...named('--yarn-attn-factor', {
      read: (settings, key, value = '') => {
        if (flagNumber(key, value) >= 0) settings.set('attentionFactor', key, positiveNumber(key, value));
      },
    }),
    ...named('--yarn-beta-slow', { read: unlessNegative('betaSlow') }),
    ...named('--yarn-beta-fast', { read: unlessNegative('betaFast') }),
    ...named('--override-kv', { read: readOverride }),
  ]),
  finish,
};

function readType(settings: FlagSettings, key: string, value = ''): void {
  const type = Object.hasOwn(TYPES, value) ? TYPES[value] : undefined;
  if (type === undefined) throw badArgument(key, { kind: 'name', choices: Object.keys(TYPES) }, value);
  settings.set('type', key, type);
}

/** 1 is YaRN, 0 plain interpolation, and a negative number what the type has; mixes of the two have no name. */
function readMix(settings: FlagSettings, key: string, value = ''): void {
  const mix = flagNumber(key, value);
  if (mix === 0) settings.set('type', key, 'linear');
  else if (mix === 1) settings.set('type', key, 'yarn');
  else if (mix > 0) settings.unread.push(`${key} ${value}`);
}

function unlessNegative(
  setting: 'betaFast' | 'betaSlow',
): (settings: FlagSettings, key: string, value?: string) => void {
  return (settings, key, value = '') => {
    if (flagNumber(key, value) >= 0) settings.set(setting, key, positiveNumber(key, value));
  };
}

/** KEY=TYPE:VALUE */
function readOverride(settings: FlagSettings, key: string, value = ''): void {
  const [, name = '', number = ''] = /^[^.=]+\.([^=]+)=(?:int|float):(.*)$/.exec(value) ?? [];
  const setting = Object.hasOwn(OVERRIDES, name) ? OVERRIDES[name] : undefined;
  if (setting === undefined) settings.unread.push(`${key} ${value}`);
  else settings.set(setting, key, positiveNumber(key, number));
}

/** A factor without a type is linear; YaRN multiplies by a factor of its own, and the one of the flag by that. */
function finish(settings: FlagSettings): void {
  const { params, statements } = settings;
  if (params.factor !== undefined && params.type === undefined) params.type = 'linear';
  if (params.attentionFactor === undefined || params.type !== 'yarn') return;
  const { factor = 1 } = params;
  params.attentionFactor *= yarnAttentionFactor({ headDim: 2, factor });
  const statement = statements.filter(({ setting }) => setting === 'attentionFactor').at(-1);
  if (statement !== undefined) statement.value = params.attentionFactor;
}
