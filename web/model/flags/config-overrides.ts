import { badArgument, PosencError } from '../../common/errors.js';
import { duplicateKeys } from '../files/duplicate-keys.js';
import { isObject } from '../block.js';
import { parseHfConfig } from '../parse-hf-config.js';
import type { Statement } from '../parsed-model.js';
import type { FlagSettings } from './settings.js';

/** How many keys may be inside each other. */
const MAX_DEPTH = 8;

/** An object, or one value of it whose path follows the flag: `--hf-overrides.rope_scaling.factor 4`. */
export function readOverrides(settings: FlagSettings, key: string, text: string, ...within: string[]): void {
  const path = [...within, ...key.split('.').slice(1)];
  const value = path.length > within.length ? looseValue(text) : jsonObject(key, text);
  if (isObject(value)) settings.duplicateKeys.push(...duplicateKeys(text).map((path) => `${key} ${path}`));
  if (path.length > MAX_DEPTH) throw badArgument(key, { kind: 'key-depth', most: MAX_DEPTH }, key);
  const nested = path.reduceRight<unknown>((inner, name) => ownObject([[name, inner]]), value);
  mergeOverrides(settings.config, nested as Record<string, unknown>);
}

function jsonObject(key: string, text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badArgument(key, { kind: 'json-object' }, text);
  }
  if (!isObject(value)) throw badArgument(key, { kind: 'json-object' }, text);
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
export function mergeOverrides(into: Record<string, unknown>, given: object, depth = 0): void {
  for (const [name, value] of Object.entries(given)) {
    const isNested = isObject(value) && depth < MAX_DEPTH;
    if (!isNested) {
      into[name] = value;
      continue;
    }
    if (!isObject(into[name])) into[name] = ownObject([]);
    mergeOverrides(into[name] as Record<string, unknown>, value, depth + 1);
  }
}

/**
 * What was stated anew counts as it does in a configuration; what the configuration of a model leaves open does not. `flag`
 * is the one that states it.
 */
export function finishOverrides(flag: string): (settings: FlagSettings) => void {
  return (settings) => finish(settings, flag);
}

function finish(settings: FlagSettings, flag: string): void {
  if (Object.keys(settings.config).length === 0) return;
  let model;
  try {
    model = parseHfConfig(settings.config);
  } catch (error) {
    if (!(error instanceof PosencError) || error.argument !== 'json') throw error;
    settings.unread.push(...Object.keys(settings.config).map((key) => `${flag} ${key}`));
    return;
  }
  const statements = model.statements.map((one): Statement => ({ ...one, key: `${flag} ${one.key}` }));
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
