import { badArgument, PosencError } from '../../errors.js';
import { doubledKeys } from '../../files/doubled-keys.js';
import { isObject } from '../block.js';
import { parseHfConfig } from '../parse-hf-config.js';
import type { Statement } from '../parsed-model.js';
import { flagNumber, named, tokenCount, type FlagSettings, type FlagSyntax } from './settings.js';

const OVERRIDES = '--hf-overrides';

/** How many keys may be inside each other. */
const MAX_DEPTH = 8;

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
      read: (settings, key, value = '') => merge(settings.config, { rope_theta: flagNumber(key, value) }),
    }),
    ...named('--rope-scaling', {
      takesObject: true,
      read: (settings, key, value = '') => readJson(settings, key, value, 'rope_scaling'),
    }),
    ...named(OVERRIDES, { takesObject: true, read: (settings, key, value = '') => readJson(settings, key, value) }),
  ]),
  finish,
};

/** An object, or one value of it whose path follows the flag: `--hf-overrides.rope_scaling.factor 4`. */
function readJson(settings: FlagSettings, key: string, text: string, ...within: string[]): void {
  const path = [...within, ...key.split('.').slice(1)];
  const value = path.length > within.length ? looseValue(text) : jsonObject(key, text);
  if (isObject(value)) settings.doubledKeys.push(...doubledKeys(text).map((doubled) => `${key} ${doubled}`));
  if (path.length > MAX_DEPTH) throw badArgument(key, `a path of at most ${MAX_DEPTH} keys`, key);
  const nested = path.reduceRight<unknown>((inner, name) => ownObject([[name, inner]]), value);
  merge(settings.config, nested as Record<string, unknown>);
}

function jsonObject(key: string, text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badArgument(key, 'an object in JSON', text);
  }
  if (!isObject(value)) throw badArgument(key, 'an object in JSON', text);
  return value;
}

function looseValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** An object without a prototype, so that every name is one of a property. */
function ownObject(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const object = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of entries) object[name] = value;
  return object;
}

/** Writes what is given over what is there, objects key by key. */
function merge(into: Record<string, unknown>, given: object, depth = 0): void {
  for (const [name, value] of Object.entries(given)) {
    const isNested = isObject(value) && depth < MAX_DEPTH;
    if (!isNested) {
      into[name] = value;
      continue;
    }
    if (!isObject(into[name])) into[name] = ownObject([]);
    merge(into[name] as Record<string, unknown>, value, depth + 1);
  }
}

/** What was stated anew counts as it does in a configuration; what the configuration of a model leaves open does not. */
function finish(settings: FlagSettings): void {
  if (Object.keys(settings.config).length === 0) return;
  let model;
  try {
    model = parseHfConfig(settings.config);
  } catch (error) {
    if (!(error instanceof PosencError) || error.argument !== 'json') throw error;
    settings.unread.push(...Object.keys(settings.config).map((key) => `${OVERRIDES} ${key}`));
    return;
  }
  const statements = model.statements.map((one): Statement => ({ ...one, key: `${OVERRIDES} ${one.key}` }));
  settings.statements.unshift(...[...statements].reverse());
  const stated = model.layers.map(({ name, params }) => {
    const isStated = (setting: string) => statements.some((one) => one.layer === name && one.setting === setting);
    const entries = Object.entries(params).filter(([setting]) => setting === 'headDim' || isStated(setting));
    return { name, params: { headDim: params.headDim, ...Object.fromEntries(entries) } };
  });
  const [first] = stated;
  if (stated.length > 1) settings.layers = stated;
  else if (first !== undefined) Object.assign(settings.params, { ...first.params, ...settings.params });
}
