import { ropeFrequencies } from '../../rotary/frequencies.js';
import type { RopeParams } from '../../rotary/rope-params.js';
import { finding } from '../findings.js';
import type { Text } from '../../phrases/language.js';
import type { ParsedModel } from '../parsed-model.js';
import { keyOf, round, statementsOf, type Rule } from './rule.js';
import { isUsable } from './served.js';

/** What multiplies cosines and sines, and what multiplies the softmax. */
export const FACTORS: readonly Rule[] = [softmaxFactor, givenAttentionFactor];

function softmaxFactor(model: ParsedModel) {
  return model.layers.flatMap(({ name, params }) => {
    if (!isUsable(params)) return [];
    const { softmaxFactor: softmax, attentionFactor: table } = ropeFrequencies(params);
    if (softmax === 1) return [];
    const origin = tableFactor(params);
    return finding('softmax_factor', {
      key: keyOf(model, name, 'mscaleAllDim', 'mscale_all_dim'),
      found: { attentionFactor: table, softmaxFactor: softmax },
      expected: 'each applied once',
      why: {
        en: `Cosines and sines are multiplied by ${round(table)}, ${origin.en}. Models as DeepSeek's multiply the softmax scale by ${round(softmax)} besides. A runtime that ignores the keys, or applies both to the table, is wrong.`,
        'zh-Hans': `余弦和正弦乘以 ${round(table)}，${origin['zh-Hans']}。DeepSeek 一类的模型另将 softmax 的缩放乘以 ${round(softmax)}。忽略这些键、或把两者都乘到表上的运行时是错的。`,
      },
    });
  });
}

/** Where the factor of cosines and sines comes from, beside a strength of the softmax. */
function tableFactor({ attentionFactor, mscale, mscaleAllDim: _, ...others }: RopeParams): Text {
  if (attentionFactor !== undefined) {
    return {
      en: 'the attention factor that is given, which leaves the strengths to the softmax',
      'zh-Hans': '即给定的注意力系数，强度只作用于 softmax',
    };
  }
  if (mscale === undefined || mscale === 0) {
    return {
      en: 'the usual factor of YaRN, since only mscale_all_dim is given and not mscale',
      'zh-Hans': '即 YaRN 的通常系数，因为只给出了 mscale_all_dim 而没有 mscale',
    };
  }
  const otherwise = round(ropeFrequencies(others).attentionFactor);
  return {
    en: `the ratio of the two strengths; without these keys it would be ${otherwise}`,
    'zh-Hans': `即两个强度之比；没有这些键时则为 ${otherwise}`,
  };
}

function givenAttentionFactor({ layers, statements }: ParsedModel) {
  return layers.flatMap(({ name, params }) => {
    const stated = statementsOf(statements, name, 'attentionFactor')[0];
    const { attentionFactor: given, ...others } = params;
    if (stated === undefined || given === undefined || !isUsable(params)) return [];
    const computed = ropeFrequencies(others).attentionFactor;
    return finding('attention_factor_given', {
      key: stated.key,
      found: given,
      expected: computed,
      why: {
        en: `${round(given)} is final, in place of ${round(computed)}, which the scaling would give. A runtime that multiplies the two gets ${round(given * computed)}.`,
        'zh-Hans': `${round(given)} 是最终值，取代缩放本身给出的 ${round(computed)}。把两者相乘的运行时得到的是 ${round(given * computed)}。`,
      },
    });
  });
}
