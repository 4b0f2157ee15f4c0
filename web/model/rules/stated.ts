import { namesOf } from '../../common/check.js';
import { PosencError } from '../../common/errors.js';
import { ropeFrequencies } from '../../rotary/frequencies.js';
import { ROPE_PARAMS } from '../../rotary/rope-params.js';
import { finding } from '../findings.js';
import type { Text } from '../../phrases/language.js';
import type { ParsedModel, Setting } from '../parsed-model.js';
import { publishedScaling } from '../published-scalings.js';
import { isMropeName, isSame, keyOf, round, show, statementsOf, type Context, type Rule } from './rule.js';
import { isUsable } from './served.js';

/** What is wrong with what a source states. */
export const STATED: readonly Rule[] = [
  conflicts,
  doubledStatements,
  unusableLayers,
  sections,
  scalingsForSize,
  typelessScalings,
  shorteningScalings,
];

function conflicts({ layers, statements }: ParsedModel) {
  const reported = new Set<string>();
  return layers.flatMap(({ name, params }) =>
    namesOf(ROPE_PARAMS).flatMap((setting) => {
      const [first, ...others] = statementsOf(statements, name, setting);
      const other = others.find(({ value }) => !isSame(value, first?.value) && !isMropeName(value, params));
      if (first === undefined || other === undefined || reported.has(other.key)) return [];
      reported.add(other.key);
      const [counts, contradicts] = [show(first.value), show(other.value)];
      return finding('conflict', {
        key: other.key,
        found: other.value,
        expected: first.value,
        why: {
          en: `${first.key} gives ${counts} and ${other.key} gives ${contradicts} for ${setting}. The former is read here; another runtime may read the latter.`,
          'zh-Hans': `对于 ${setting}，${first.key} 给出 ${counts}，${other.key} 给出 ${contradicts}。这里取前者；别的运行时可能取后者。`,
        },
      });
    }),
  );
}

function doubledStatements(model: ParsedModel, { launch }: Context) {
  const doubled = [...(model.doubledKeys ?? []), ...(launch?.doubledKeys ?? [])];
  return doubled.map((key) =>
    finding('doubled_key', {
      key,
      found: 2,
      expected: 1,
      why: {
        en: `${key} stands twice in one object. The last value counts here, as in Python; another reader may take the first, or refuse the text.`,
        'zh-Hans': `${key} 在同一对象中出现了两次。这里取后一个值，与 Python 相同；别的程序可能取前一个，或拒绝读取。`,
      },
    }),
  );
}

function unusableLayers(model: ParsedModel) {
  return model.layers.flatMap(({ name, params }) => {
    const { mropeSection: _, ...scaled } = params;
    const seqLen = Math.max(1, params.maxPosition ?? params.originalMaxPosition ?? 1);
    try {
      ropeFrequencies(scaled, { seqLen });
      return [];
    } catch (error) {
      if (!(error instanceof PosencError)) throw error;
      const { argument = 'params', expected, got, message } = error;
      return finding('unusable', {
        key: keyOf(model, name, argument, argument),
        found: got,
        expected,
        why: { en: `${message}.`, 'zh-Hans': `无法计算频率：${message}。` },
      });
    }
  });
}

function sections(model: ParsedModel) {
  return model.layers.flatMap(({ name, params }) => {
    const { mropeSection: section, headDim, rotaryDim = headDim, type } = params;
    const pairs = (type === 'proportional' ? headDim : rotaryDim) / 2;
    if (section === undefined) return [];
    const total = section.reduce((sum, count) => sum + count, 0);
    if (total === pairs && section.length === 3) return [];
    const sum = `${section.join(' + ')} = ${total}`;
    return finding('mrope_section_sum', {
      key: keyOf(model, name, 'mropeSection', 'mrope_section'),
      found: total,
      expected: pairs,
      why: {
        en: `The sections of time, height and width, ${sum}, must be three and cover the ${pairs} pairs of a head.`,
        'zh-Hans': `时间、高、宽三段（${sum}）必须恰为三段，且合计为一个头的 ${pairs} 个维度对。`,
      },
    });
  });
}

function scalingsForSize(model: ParsedModel) {
  return model.layers.flatMap(({ name, params }) => {
    const published = publishedScaling(model, params);
    if (published === undefined) return [];
    const { type, factor } = published;
    if (params.type === type && params.factor === factor) return [];
    const isType = params.type === type;
    return finding('scaling_for_size', {
      key: keyOf(model, name, isType ? 'factor' : 'type', 'rope_scaling'),
      found: isType ? params.factor : params.type,
      expected: isType ? factor : type,
      why: {
        en: `${published.name} of this size has the scaling ${type} with factor ${factor}.`,
        'zh-Hans': `这一规模的 ${published.name} 用的是 ${type} 缩放，倍数为 ${factor}。`,
      },
    });
  });
}

function typelessScalings({ layers, statements }: ParsedModel) {
  return layers.flatMap(({ name, params }) => {
    const factor = statementsOf(statements, name, 'factor')[0];
    if (factor === undefined || statementsOf(statements, name, 'type').length > 0) return [];
    if (params.type === 'linear') return []; // what llama.cpp takes for a factor
    return finding('scaling_without_type', {
      key: factor.key,
      found: factor.value,
      expected: 'rope_type',
      why: {
        en: `Without a type beside it the embedding is read as ${params.type}, and the factor changes nothing.`,
        'zh-Hans': `旁边没有类型，因此按 ${params.type} 读取，这个倍数不起作用。`,
      },
    });
  });
}

function shorteningScalings(model: ParsedModel) {
  return model.layers.flatMap(({ name, params }) => {
    const { type = 'default', factor, originalMaxPosition: original, maxPosition } = params;
    if (type === 'default' || type === 'mrope' || !isUsable(params)) return [];
    const below = (key: Setting, found: number, expected: number, why: Text) =>
      finding('scaling_shortens', { key: keyOf(model, name, key, key), found, expected, why });
    const found = [];
    // These two never turn a pair faster, whatever their factor.
    const isGradual = type === 'dynamic' || type === 'longrope';
    if (factor !== undefined && factor < 1 && !isGradual) {
      found.push(
        below('factor', factor, 1 / factor, {
          en: `A factor of ${factor} turns pairs faster than without it; one that stretches the context is above 1, perhaps ${round(1 / factor)}.`,
          'zh-Hans': `倍数 ${factor} 使维度对转得比没有缩放时更快；要拉长上下文，倍数应大于 1，也许应为 ${round(1 / factor)}。`,
        }),
      );
    }
    // What flags make room for may be less than the context.
    if (model.source !== 'flags' && original !== undefined && maxPosition !== undefined && original > maxPosition) {
      found.push(
        below('originalMaxPosition', original, maxPosition, {
          en: `The original context of ${original} tokens is longer than the context of ${maxPosition}, to which the scaling is meant to stretch it.`,
          'zh-Hans': `原始上下文为 ${original} 个词元，比缩放本应达到的上下文（${maxPosition} 个词元）还长。`,
        }),
      );
    }
    return found;
  });
}
