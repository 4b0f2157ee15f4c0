import { ropeFrequencies } from '../../rotary/frequencies.js';
import { pairsOutOfRange, shortChange, trainedRange, withoutScaling } from '../extension/range.js';
import { planExtension } from '../extension/plan.js';
import { finding } from '../findings.js';
import type { ParsedModel } from '../parsed-model.js';
import { round, type Context, type Rule } from './rule.js';
import { hasTrainedRange, isUsable, servedKey, servedLayers } from './served.js';

/** What depends on how long a text is. */
export const LENGTH: readonly Rule[] = [pastTheContext, tooLargeFactor, changedShortPrompts, dependence];

function pastTheContext(model: ParsedModel, context: Context) {
  const { encoding, learned, maxPosition } = model;
  const { targetLength } = context;
  if (targetLength === undefined || maxPosition === undefined || targetLength <= maxPosition) return [];
  if (learned !== undefined) {
    const last = learned.positions - 1;
    return [
      finding('past_learned_table', {
        key: 'targetLength',
        found: targetLength,
        expected: learned.positions,
        why: {
          en: `The learned table ends at position ${last}; positions past it do not exist.`,
          'zh-Hans': `学习得到的位置表止于位置 ${last}，之后的位置不存在。`,
        },
      }),
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
    finding('past_context', {
      key: 'targetLength',
      found: targetLength,
      expected: maxPosition,
      why: {
        en: `The model is offered with ${maxPosition} tokens; ${worst === undefined ? 'slow pairs' : `${worst.out} of ${worst.pairs} pairs`} would turn through angles that it never saw.`,
        'zh-Hans': `模型给出的上下文为 ${maxPosition} 个词元；${worst === undefined ? '慢的维度对' : `${worst.pairs} 对中有 ${worst.out} 对`}会转到训练中从未见过的角度。`,
      },
    }),
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
    return finding('factor_too_large', {
      key: servedKey(model, context, name, 'factor'),
      found: params.factor,
      expected: factor,
      why: {
        en: `For ${targetLength} tokens factor ${round(factor)} is enough, with attention factor ${round(better.attentionFactor)}. A larger one changes short prompts more than is needed.`,
        'zh-Hans': `${targetLength} 个词元只需倍数 ${round(factor)}，注意力系数为 ${round(better.attentionFactor)}。更大的倍数会不必要地改变短文本。`,
      },
    });
  });
}

/** Scalings that hold at every length. `llama3` is one as well, but no model was trained without it. */
const STATIC: readonly unknown[] = ['linear', 'ntk', 'yarn'];

function changedShortPrompts(model: ParsedModel, context: Context) {
  if (model.finetuned === true && context.launch === undefined) return [];
  return servedLayers(model, context).flatMap(({ name, params }) => {
    const { type, factor } = params;
    if (!STATIC.includes(type) || factor === undefined || factor === 1 || !isUsable(params)) return [];
    const change = round(shortChange(ropeFrequencies(withoutScaling(params)).invFreq, ropeFrequencies(params).invFreq));
    return finding('short_prompts_changed', {
      key: servedKey(model, context, name, 'factor'),
      found: factor,
      expected: 1,
      why: {
        en: `${type} with factor ${factor} holds at every length: at distances below 100 the mean cosine of all pairs changes by up to ${change}. A model that was trained with it expects that; on any other it changes short prompts.`,
        'zh-Hans': `${type} 倍数 ${factor} 对任何长度都起作用：距离小于 100 时，所有维度对的平均余弦最多改变 ${change}。训练时就带此缩放的模型正该如此；否则短文本也会受影响。`,
      },
    });
  });
}

function dependence(model: ParsedModel, context: Context) {
  return servedLayers(model, context).flatMap(({ name, params }) => {
    const { type, originalMaxPosition, maxPosition } = params;
    const original = originalMaxPosition ?? maxPosition;
    if ((type !== 'dynamic' && type !== 'longrope') || original === undefined) return [];
    const key = servedKey(model, context, name, 'type');
    const about = { key, found: type, expected: `the length of the text, ${original} being the original context` };
    if (type === 'dynamic') {
      return finding('depends_on_length', {
        ...about,
        why: {
          en: `The base grows once a text exceeds ${original} tokens and is the old one again for the next short text. Keys that were cached under another base do not match; a runtime that computes the base once, from the greatest length, changes short texts as well.`,
          'zh-Hans': `文本超过 ${original} 个词元后底数增大，遇到下一段短文本又恢复原值。在另一底数下缓存的键并不匹配；按最大长度只算一次底数的运行时，也会改变短文本。`,
        },
      });
    }
    return finding('depends_on_length', {
      ...about,
      why: {
        en: `Texts of up to ${original} tokens take the short factors, longer ones the long factors. A runtime that chooses by the size it allocates takes the long ones for short texts as well; keys cached before the change do not match.`,
        'zh-Hans': `不超过 ${original} 个词元的文本用 short_factor，更长的用 long_factor。按分配长度选择的运行时，短文本也会用 long_factor；切换之前缓存的键并不匹配。`,
      },
    });
  });
}
