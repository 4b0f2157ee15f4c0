import { ropeFrequencies } from '../../rotary/frequencies.js';
import { pairsOutOfRange, shortChange, trainedRange, withoutScaling } from '../extension/range.js';
import { planExtension } from '../extension/plan.js';
import { finding } from '../findings.js';
import type { ParsedModel } from '../parsed-model.js';
import type { Context, Rule } from './rule.js';
import { hasTrainedRange, isUsable, servedKey, servedLayers } from './served.js';

/** What depends on how long a text is. */
export const LENGTH: readonly Rule[] = [pastTheContext, tooLargeFactor, changedShortPrompts, dependence];

function pastTheContext(model: ParsedModel, context: Context) {
  const { encoding, learned, maxPosition } = model;
  const { targetLength } = context;
  if (targetLength === undefined || maxPosition === undefined || targetLength <= maxPosition) return [];
  if (learned !== undefined) {
    return [
      finding(
        'past_learned_table',
        {
          key: 'targetLength',
          found: targetLength,
          expected: learned.positions,
        },
        { last: learned.positions - 1 },
      ),
    ];
  }
  if (encoding !== 'rope' && encoding !== 'mrope' && encoding !== 'rope_2d') return [];
  const counts = servedLayers(model, context).flatMap(({ params }) => {
    if (!hasTrainedRange(params)) return [];
    const { invFreq } = ropeFrequencies(params, { seqLen: targetLength });
    return [{ out: pairsOutOfRange(trainedRange(params), invFreq, targetLength), pairs: invFreq.length }];
  });
  // A scaling that the flags or the source add may reach further than the context that is stated.
  if (counts.length > 0 && counts.every(({ out }) => out === 0)) return [];
  const worst = counts.sort((a, b) => b.out - a.out)[0];
  return [
    finding(
      'past_context',
      {
        key: 'targetLength',
        found: targetLength,
        expected: maxPosition,
      },
      { context: maxPosition, worst },
    ),
  ];
}

function tooLargeFactor(model: ParsedModel, context: Context) {
  const { targetLength } = context;
  if (targetLength === undefined || model.finetuned === true) return [];
  return servedLayers(model, context).flatMap(({ name, params }) => {
    if (!hasTrainedRange(params)) return [];
    const better = planExtension(params, targetLength).find(({ recommended }) => recommended);
    if (better?.rule !== 'smaller-factor') return [];
    const factor = better.params.factor ?? 1;
    return finding(
      'factor_too_large',
      {
        key: servedKey(model, context, name, 'factor'),
        found: params.factor,
        expected: factor,
      },
      { target: targetLength, factor, attentionFactor: better.attentionFactor },
    );
  });
}

/** Scalings that hold at every length. `llama3` is one as well, but no model was trained without it. */
const STATIC: readonly unknown[] = ['linear', 'ntk', 'yarn'];

function changedShortPrompts(model: ParsedModel, context: Context) {
  if (model.finetuned === true && context.launch === undefined) return [];
  return servedLayers(model, context).flatMap(({ name, params }) => {
    const { type, factor } = params;
    if (!STATIC.includes(type) || factor === undefined || factor === 1 || !isUsable(params)) return [];
    const change = shortChange(ropeFrequencies(withoutScaling(params)).invFreq, ropeFrequencies(params).invFreq);
    return finding(
      'short_prompts_changed',
      {
        key: servedKey(model, context, name, 'factor'),
        found: factor,
        expected: 1,
      },
      { type: type as string, factor, change },
    );
  });
}

function dependence(model: ParsedModel, context: Context) {
  return servedLayers(model, context).flatMap(({ name, params }) => {
    const { type, originalMaxPosition, maxPosition } = params;
    const original = originalMaxPosition ?? maxPosition;
    if ((type !== 'dynamic' && type !== 'longrope') || original === undefined) return [];
    const key = servedKey(model, context, name, 'type');
    const expected = `the length of the text, ${original} being the original context`;
    return finding('depends_on_length', { key, found: type, expected }, { type, original });
  });
}
