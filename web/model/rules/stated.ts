import { namesOf } from '../../common/check.js';
import { PosencError } from '../../common/errors.js';
import { ropeFrequencies } from '../../rotary/frequencies.js';
import type { ErrorFacts } from '../../phrases/errors/en.js';
import { ROPE_PARAMS } from '../../rotary/rope-params.js';
import { finding, type FindingFacts } from '../findings.js';
import type { ParsedModel, Setting } from '../parsed-model.js';
import { publishedScaling } from '../published-scalings.js';
import { isMropeName, isSame, keyOf, statementsOf, type Context, type Rule } from './rule.js';
import { isUsable } from './served.js';

/** What is wrong with what a source states. */
export const STATED: readonly Rule[] = [
  conflicts,
  duplicateStatements,
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
      return finding(
        'conflict',
        {
          key: other.key,
          found: other.value,
          expected: first.value,
        },
        { setting, key: first.key, value: first.value, otherKey: other.key, otherValue: other.value },
      );
    }),
  );
}

function duplicateStatements(model: ParsedModel, { launch }: Context) {
  const duplicates = [model, launch].flatMap((one) => one?.duplicateKeys ?? one?.doubledKeys ?? []);
  return duplicates.map((key) =>
    finding(
      'duplicate_key',
      {
        key,
        found: 2,
        expected: 1,
      },
      { key },
    ),
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
      const { argument = 'params', expected, got } = error;
      return finding(
        'unusable',
        {
          key: keyOf(model, name, argument, argument),
          found: got,
          expected,
        },
        { error: factsOf(error) },
      );
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
    return finding(
      'mrope_section_sum',
      {
        key: keyOf(model, name, 'mropeSection', 'mrope_section'),
        found: total,
        expected: pairs,
      },
      { sections: section, total, pairs },
    );
  });
}

function scalingsForSize(model: ParsedModel) {
  return model.layers.flatMap(({ name, params }) => {
    const published = publishedScaling(model, params);
    if (published === undefined) return [];
    const { type, factor } = published;
    if (params.type === type && params.factor === factor) return [];
    const isType = params.type === type;
    return finding(
      'scaling_for_size',
      {
        key: keyOf(model, name, isType ? 'factor' : 'type', 'rope_scaling'),
        found: isType ? params.factor : params.type,
        expected: isType ? factor : type,
      },
      { model: published.name, type, factor },
    );
  });
}

function typelessScalings({ layers, statements }: ParsedModel) {
  return layers.flatMap(({ name, params }) => {
    const factor = statementsOf(statements, name, 'factor')[0];
    if (factor === undefined || statementsOf(statements, name, 'type').length > 0) return [];
    if (params.type === 'linear') return []; // what llama.cpp takes for a factor
    return finding(
      'scaling_without_type',
      {
        key: factor.key,
        found: factor.value,
        expected: 'rope_type',
      },
      { type: params.type },
    );
  });
}

function shorteningScalings(model: ParsedModel) {
  return model.layers.flatMap(({ name, params }) => {
    const { type = 'default', factor, originalMaxPosition: original, maxPosition } = params;
    if (type === 'default' || type === 'mrope' || !isUsable(params)) return [];
    const below = (key: Setting, expected: number, facts: FindingFacts['scaling_shortens']) =>
      finding('scaling_shortens', { key: keyOf(model, name, key, key), found: params[key], expected }, facts);
    const found = [];
    // These two never turn a pair faster, whatever their factor.
    const isGradual = type === 'dynamic' || type === 'longrope';
    if (factor !== undefined && factor < 1 && !isGradual) {
      found.push(below('factor', 1 / factor, { factor }));
    }
    // What flags make room for may be less than the context.
    if (model.source !== 'flags' && original !== undefined && maxPosition !== undefined && original > maxPosition) {
      found.push(below('originalMaxPosition', maxPosition, { original, context: maxPosition }));
    }
    return found;
  });
}

/** An error as plain data. */
function factsOf({ message, argument, rule, got, state, index }: PosencError): ErrorFacts {
  return { message, argument, rule, got, state, index };
}
