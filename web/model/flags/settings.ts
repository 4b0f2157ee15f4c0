import { MAX_COUNT } from '../../common/check.js';
import { badArgument } from '../../common/errors.js';
import type { RopeParams, RopeType } from '../../rotary/rope-params.js';
import type { ModelLayer, ParsedModel, Setting, Statement } from '../parsed-model.js';

/** What flags set, one after the other: the last one of a setting counts. */
export class FlagSettings {
  readonly params: Partial<RopeParams> = {};
  /** In the order of the flags, so that the last one counts. */
  statements: Statement[] = [];
  readonly unread: string[] = [];
  /** Keys that stand twice in an object in JSON, with their flag. */
  readonly duplicateKeys: string[] = [];
  /** Values of a configuration that flags state anew, by their path. */
  readonly config: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  /** Of ExLlama: alpha, which acts by itself or beside a factor. */
  alpha: { key: string; value: number } | undefined;
  raised: ParsedModel['raised'];
  /** The layers, where they do not share an embedding. */
  layers: ModelLayer[] | undefined;

  /** A scaling whose factor the flag states; a second one beside it has no name and is not read. 1 is none. */
  setScaling(type: RopeType, key: string, factor: number): void {
    if (factor === 1) return;
    if (this.params.type !== undefined && this.params.type !== type) {
      this.unread.push(`${key} ${factor}`);
      return;
    }
    this.set('type', key, type);
    this.set('factor', key, factor);
  }

  set<Name extends Setting>(setting: Name, key: string, value: RopeParams[Name]): void {
    this.params[setting] = value;
    this.statements.push({ key, value, setting, layer: 'all' });
  }

  unset(setting: Setting): void {
    delete this.params[setting];
    this.statements = this.statements.filter((one) => one.setting !== setting);
  }
}

/** A number as a flag gives it. */
export function flagNumber(key: string, text: string): number {
  const value = Number(text);
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text) || !Number.isFinite(value)) {
    throw badArgument(key, { kind: 'any-number' }, text);
  }
  return value;
}

export function positiveNumber(key: string, text: string): number {
  const value = flagNumber(key, text);
  if (!(value > 0)) throw badArgument(key, { kind: 'positive-number' }, text);
  return value;
}

/** A number of tokens, or 0. */
export function tokenCount(key: string, text: string): number {
  const value = flagNumber(key, text);
  if (!Number.isInteger(value) || value < 0 || value > MAX_COUNT) {
    throw badArgument(key, { kind: 'whole', least: 0, most: MAX_COUNT }, text);
  }
  return value;
}

/** What one flag does with its values. */
export interface Flag {
  /** How many values follow, at most; all but the first may be left out. 1 by default. */
  values?: number;
  /** Whether its value is an object in JSON, where no path of a key follows it. */
  takesObject?: true;
  read: (settings: FlagSettings, key: string, ...values: string[]) => void;
}

/** The flags of a program that are about positions. */
export interface FlagSyntax {
  /** Words that name the program. */
  commands: readonly string[];
  flags: ReadonlyMap<string, Flag>;
  /** Whether --flag=value is the same as --flag value. */
  takesEquals: boolean;
  /** A flag as it is looked up. */
  canonical?: (flag: string) => string;
  /** What flags mean together, after all are read. */
  finish?: (settings: FlagSettings) => void;
}

/** A flag under several names. */
export function named(names: string, flag: Flag): [string, Flag][] {
  return names.split(' ').map((name) => [name, flag]);
}

/** A flag that sets a number above 0. */
export function sets(setting: 'base' | 'factor' | 'betaFast' | 'betaSlow'): Flag['read'] {
  return (settings, key, value) => settings.set(setting, key, positiveNumber(key, value as string));
}

/** A flag that sets a number of tokens, with 0 for what the model has. */
export function setsTokens(setting: 'maxPosition' | 'originalMaxPosition'): Flag['read'] {
  return (settings, key, value) => {
    const tokens = tokenCount(key, value as string);
    if (tokens > 0) settings.set(setting, key, tokens);
  };
}
