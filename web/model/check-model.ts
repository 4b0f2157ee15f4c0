import { requireChoice, requireCount, requireOptions, withDefault } from '../common/check.js';
import { badArgument } from '../common/errors.js';
import { isObject } from './block.js';
import { reasonBooks } from '../phrases/findings/books.js';
import type { Finding, Observation, Severity } from './findings.js';
import { actingOn } from './flags/exllama.js';
import { LANGUAGES, type Language } from '../phrases/language.js';
import type { ModelLayer, ParsedModel } from './parsed-model.js';
import { FACTORS } from './rules/factors.js';
import { LAUNCH } from './rules/launch.js';
import { LENGTH } from './rules/length.js';
import { REMARKS } from './rules/remarks.js';
import type { Rule } from './rules/rule.js';
import { servedLayers } from './rules/served.js';
import { STATED } from './rules/stated.js';

export interface CheckOptions {
  /** Tokens that the model is to be used with. By default those that the flags of `launch` make room for. */
  targetLength?: number;
  /** What the model is served with: its file for another runtime, or its flags. */
  launch?: CheckedModel;
  /** The language of `why`: `en` by default. */
  language?: Language;
}

/** A model of which only the layers have to be known. */
export type CheckedModel = Partial<ParsedModel> & Pick<ParsedModel, 'layers'>;

const RULES: readonly Rule[] = [...STATED, ...LAUNCH, ...LENGTH, ...FACTORS, ...REMARKS];

const ORDER: readonly Severity[] = ['error', 'warning', 'info'];

/**
 * What is wrong, doubtful or worth knowing about what a model's source says, the gravest first. `FINDINGS` lists all codes.
 *
 * Needs no engine.
 *
 * Errors: `bad-argument`, for options and for what is no model; what is wrong with a model is a finding.
 *
 * @param model as a reader returns it; one made by hand may leave out all but `layers`
 */
export function check(model: CheckedModel, options: CheckOptions = {}): Finding[] {
  const {
    targetLength,
    launch,
    language: spoken,
  } = requireOptions(options, {
    targetLength: true,
    launch: true,
    language: true,
  });
  if (targetLength !== undefined) requireCount(targetLength, 'targetLength');
  const language = requireChoice(withDefault(spoken, 'en'), 'language', LANGUAGES);
  const complete = completed(model, 'model');
  const served = launch === undefined ? undefined : actingOn(complete, completed(launch, 'launch'));
  const room = served?.source === 'flags' ? served.maxPosition : undefined;
  const context = { targetLength: targetLength ?? room, launch: served };
  const reasons = reasonBooks[language];
  const found = RULES.flatMap((rule) => rule(complete, context)).map((one): Finding => {
    const reason = reasons[one.code] as (facts: Observation['facts']) => string;
    return { ...one, why: reason(one.facts) };
  });
  return ORDER.flatMap((severity) => found.filter((one) => one.severity === severity));
}

/**
 * The rotary embeddings that a model is used with: those of the file that it is served with, or its own with what flags
 * change of them. The context that flags make room for is not part of them, for it says nothing of training.
 *
 * Needs no engine.
 *
 * Errors: `bad-argument`, for what is no model.
 *
 * @param model as a reader returns it, and `launch` likewise; one made by hand may leave out all but `layers`
 */
export function served(model: CheckedModel, launch: CheckedModel): ModelLayer[] {
  const complete = completed(model, 'model');
  return servedLayers(complete, { targetLength: undefined, launch: actingOn(complete, completed(launch, 'launch')) });
}

function completed(model: unknown, argument: string): ParsedModel {
  const isModel =
    isObject(model) &&
    Array.isArray(model['layers']) &&
    model['layers'].every((layer: unknown) => isObject(layer) && isObject(layer['params'])) &&
    LISTS.every((name) => model[name] === undefined || Array.isArray(model[name]));
  if (!isModel) throw badArgument(argument, { kind: 'model' }, model);
  return { source: 'hf', encoding: 'rope', statements: [], assumed: [], ...(model as unknown as CheckedModel) };
}

const LISTS = ['statements', 'assumed', 'unread', 'duplicateKeys', 'doubledKeys'] as const;
