import type { RopeParams } from '../../rotary/rope-params.js';
import type { Observation } from '../findings.js';
import type { ParsedModel, Statement } from '../parsed-model.js';

/** What a model is compared with. */
export interface Context {
  targetLength: number | undefined;
  launch: ParsedModel | undefined;
}

/** A rule: what it finds in a model. */
export type Rule = (model: ParsedModel, context: Context) => Observation[];

/** What is stated of a setting for a layer, what counts first. */
export function statementsOf(statements: readonly Statement[], layer: string, setting: string): Statement[] {
  return statements.filter((one) => one.layer === layer && one.setting === setting);
}

/** The key that counts for a setting of a layer. */
export function keyOf({ statements }: ParsedModel, layer: string, setting: string, otherwise: string): string {
  return statementsOf(statements, layer, setting)[0]?.key ?? otherwise;
}

/** Whether two numbers, names or lists of numbers are the same. */
export function isSame(a: unknown, b: unknown): boolean {
  return Array.isArray(a) && Array.isArray(b)
    ? a.length === b.length && a.every((value, i) => value === b[i])
    : a === b;
}

/** The same for what passed through single precision, as numbers of a GGUF file do. */
export function isNearlySame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && firstDifference(a, b) === -1;
  if (typeof a !== 'number' || typeof b !== 'number') return a === b;
  return a === b || Math.abs(a - b) <= 2 ** -23 * Math.abs(b);
}

/** Where two lists differ first by more than single precision; -1 where they do not. */
export function firstDifference(a: readonly unknown[], b: readonly unknown[]): number {
  return a.findIndex((value, i) => !isNearlySame(value, b[i]));
}

/** `mrope` and `default` are two names of one scaling, and files of Qwen2-VL have both. */
export function isMropeName(value: unknown, { type }: RopeParams): boolean {
  const names: unknown[] = ['default', 'mrope'];
  return names.includes(value) && names.includes(type);
}
