import { ropeFrequencies } from '../../rotary/frequencies.js';
import type { RopeParams } from '../../rotary/rope-params.js';
import { finding } from '../findings.js';
import type { ParsedModel } from '../parsed-model.js';
import { keyOf, statementsOf, type Rule } from './rule.js';
import { isUsable } from './served.js';

/** What multiplies cosines and sines, and what multiplies the softmax. */
export const FACTORS: readonly Rule[] = [softmaxFactor, givenAttentionFactor];

function softmaxFactor(model: ParsedModel) {
  return model.layers.flatMap(({ name, params }) => {
    if (!isUsable(params)) return [];
    const { softmaxFactor: softmax, attentionFactor: table } = ropeFrequencies(params);
    if (softmax === 1) return [];
    return finding(
      'softmax_factor',
      {
        key: keyOf(model, name, 'mscaleAllDim', 'mscale_all_dim'),
        found: { attentionFactor: table, softmaxFactor: softmax },
        expected: 'each applied once',
      },
      { table, softmax, origin: tableFactor(params) },
    );
  });
}

/** Where the factor of cosines and sines comes from, beside a strength of the softmax. */
function tableFactor({ attentionFactor, mscale, mscaleAllDim: _, ...others }: RopeParams) {
  if (attentionFactor !== undefined) return { from: 'given' } as const;
  if (mscale === undefined || mscale === 0) return { from: 'usual' } as const;
  return { from: 'ratio', otherwise: ropeFrequencies(others).attentionFactor } as const;
}

function givenAttentionFactor({ layers, statements }: ParsedModel) {
  return layers.flatMap(({ name, params }) => {
    const stated = statementsOf(statements, name, 'attentionFactor')[0];
    const { attentionFactor: given, ...others } = params;
    if (stated === undefined || given === undefined || !isUsable(params)) return [];
    const computed = ropeFrequencies(others).attentionFactor;
    return finding(
      'attention_factor_given',
      {
        key: stated.key,
        found: given,
        expected: computed,
      },
      { given, computed },
    );
  });
}
