import { PosencError } from '../../common/errors.js';
import { ropeFrequencies } from '../../rotary/frequencies.js';
import type { RopeParams } from '../../rotary/rope-params.js';
import { trainedRange } from '../extension/range.js';
import type { ModelLayer, ParsedModel, Setting } from '../parsed-model.js';
import { statementsOf, type Context } from './rule.js';

/** The rotary embeddings that a model is used with: its own, those of a file, or its own with what flags change. */
export function servedLayers({ layers }: ParsedModel, { launch }: Context): ModelLayer[] {
  if (launch === undefined) return layers;
  if (launch.source !== 'flags') return launch.layers;
  // The context that flags make room for says nothing of training; a scaling that they add is put on the model.
  return layers.map(({ name, params }) => {
    const { maxPosition: _, ...changes } = changesTo(params, launch);
    const isScaled = changes.type !== undefined || changes.factor !== undefined;
    const original = params.originalMaxPosition ?? params.maxPosition;
    const added = isScaled && original !== undefined ? { originalMaxPosition: original, ...changes } : changes;
    return { name, params: { ...params, ...added } };
  });
}

/**
 * What flags change of an embedding. A share of a head whose width they leave open is one of the model's head, and a factor
 * without a type goes with the type of the model, or else with the one that the runtime takes.
 */
export function changesTo(own: RopeParams, launch: ParsedModel): Partial<RopeParams> {
  const stated = statedParams(launch);
  const filledIn = launch.layers[0]?.params;
  const isTypeless = stated.factor !== undefined && stated.type === undefined && (own.type ?? 'default') === 'default';
  const typed = isTypeless && filledIn?.type !== undefined ? { ...stated, type: filledIn.type } : stated;
  const { headDim: assumed } = filledIn ?? own;
  const { headDim, rotaryDim = headDim } = own;
  const isShare = launch.statements.some(({ setting, key }) => setting === 'rotaryDim' && !key.endsWith('rotary_dim'));
  if (!isShare || !launch.assumed.includes('headDim') || typed.rotaryDim === undefined) return typed;
  const isOwnShare = even((assumed * rotaryDim) / headDim) === typed.rotaryDim;
  return { ...typed, rotaryDim: isOwnShare ? rotaryDim : even((headDim * typed.rotaryDim) / assumed) };
}

function even(channels: number): number {
  return 2 * Math.floor(channels / 2);
}

/** The key that a setting of a served layer comes from. */
export function servedKey(model: ParsedModel, { launch }: Context, layer: string, setting: Setting): string {
  const of = (source: ParsedModel, name: string) => statementsOf(source.statements, name, setting)[0]?.key;
  const served = launch === undefined ? undefined : (of(launch, layer) ?? of(launch, 'all'));
  return served ?? of(model, layer) ?? setting;
}

/** What flags say, without what was filled in for what they leave open. */
export function statedParams({ layers, statements }: ParsedModel): Partial<RopeParams> {
  const stated = new Set(statements.map(({ setting }) => setting));
  const entries = Object.entries(layers[0]?.params ?? {}).filter(([name]) => stated.has(name as keyof RopeParams));
  return Object.fromEntries(entries) as Partial<RopeParams>;
}

/** Whether frequencies follow from the parameters: where they do not, that is a finding of its own. */
export function isUsable(params: RopeParams): boolean {
  return isAccepted(() => ropeFrequencies(params));
}

/** Whether the angles that a model was trained with follow as well. */
export function hasTrainedRange(params: RopeParams): boolean {
  return isAccepted(() => ropeFrequencies(params)) && isAccepted(() => trainedRange(params));
}

function isAccepted(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (!(error instanceof PosencError)) throw error;
    return false;
  }
}
