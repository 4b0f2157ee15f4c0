import { requireCount, requireOptions } from '../check.js';
import { badArgument, PosencError } from '../errors.js';
import { ropeFrequencies } from '../frequencies.js';
import { ROPE_PARAMS, type RopeParams } from '../rope-params.js';
import { isObject } from './block.js';
import { familyOf } from './families.js';
import { finding, type Finding, type Severity } from './findings.js';
import type { ModelLayer, ParsedModel, Statement } from './parsed-model.js';
import { publishedScaling } from './published-scalings.js';

export interface CheckOptions {
  /** Tokens that the model is to be used with. */
  targetLength?: number;
  /** What the model is served with: its file for another runtime, or its flags. */
  launch?: CheckedModel;
}

/** A model of which only the layers have to be known. */
export type CheckedModel = Partial<ParsedModel> & Pick<ParsedModel, 'layers'>;

/** What a model is compared with. */
interface Context {
  targetLength: number | undefined;
  launch: ParsedModel | undefined;
}

/** A rule: what it finds in a model. */
type Rule = (model: ParsedModel, context: Context) => Finding[];

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
  requireOptions(options, ['targetLength', 'launch'] satisfies (keyof CheckOptions)[]);
  const { targetLength, launch } = options;
  if (targetLength !== undefined) requireCount(targetLength, 'targetLength');
  const complete = completed(model, 'model');
  const context = { targetLength, launch: launch === undefined ? undefined : completed(launch, 'launch') };
  const findings = RULES.flatMap((rule) => rule(complete, context));
  return ORDER.flatMap((severity) => findings.filter((one) => one.severity === severity));
}

function completed(model: unknown, argument: string): ParsedModel {
  const isModel =
    isObject(model) &&
    Array.isArray(model['layers']) &&
    model['layers'].every((layer: unknown) => isObject(layer) && isObject(layer['params'])) &&
    LISTS.every((name) => model[name] === undefined || Array.isArray(model[name]));
  if (!isModel) throw badArgument(argument, 'a model as parseHfConfig returns it', model);
  return { source: 'hf', encoding: 'rope', statements: [], assumed: [], ...(model as unknown as CheckedModel) };
}

const LISTS = ['statements', 'assumed'] as const;

const RULES: readonly Rule[] = [
  conflicts,
  unusableLayers,
  sections,
  servedPairing,
  servedParameters,
  pastTheContext,
  scalingsForSize,
  typelessScalings,
  assumptions,
  permutedPairing,
  givenHeadDim,
  layerTables,
  learnedTable,
  legacyKeys,
];

function conflicts({ layers, statements }: ParsedModel): Finding[] {
  const reported = new Set<string>();
  return layers.flatMap(({ name, params }) =>
    ROPE_PARAMS.flatMap((setting) => {
      const stated = statementsOf(statements, name, setting);
      const other = stated.find(({ value }) => !isSame(value, stated[0]?.value) && !isMropeName(value, params));
      if (stated[0] === undefined || other === undefined || reported.has(other.key)) return [];
      reported.add(other.key);
      return finding('conflict', {
        key: other.key,
        found: other.value,
        expected: stated[0].value,
        why: `${stated[0].key} gives ${show(stated[0].value)} and ${other.key} gives ${show(other.value)} for ${setting}. The former is read here; another runtime may read the latter.`,
      });
    }),
  );
}

/** `mrope` and `default` are two names of one scaling, and files of Qwen2-VL have both. */
function isMropeName(value: unknown, { type }: RopeParams): boolean {
  const names: unknown[] = ['default', 'mrope'];
  return names.includes(value) && names.includes(type);
}

function unusableLayers({ layers, statements }: ParsedModel): Finding[] {
  return layers.flatMap(({ name, params }) => {
    const { mropeSection: _, ...scaled } = params;
    const seqLen = Math.max(1, params.maxPosition ?? params.originalMaxPosition ?? 1);
    try {
      ropeFrequencies(scaled, { seqLen });
      return [];
    } catch (error) {
      if (!(error instanceof PosencError)) throw error;
      const { argument = 'params', expected, got, message } = error;
      const key = statementsOf(statements, name, argument)[0]?.key ?? argument;
      return finding('unusable', { key, found: got, expected, why: `${message}.` });
    }
  });
}

function sections({ layers, statements }: ParsedModel): Finding[] {
  return layers.flatMap(({ name, params }) => {
    const { mropeSection: section, headDim, rotaryDim = headDim, type } = params;
    const pairs = (type === 'proportional' ? headDim : rotaryDim) / 2;
    if (section === undefined) return [];
    const total = section.reduce((sum, count) => sum + count, 0);
    if (total === pairs && section.length === 3) return [];
    return finding('mrope_section_sum', {
      key: statementsOf(statements, name, 'mropeSection')[0]?.key ?? 'mrope_section',
      found: total,
      expected: pairs,
      why: `The sections of time, height and width, ${section.join(' + ')} = ${total}, must be three and cover the ${pairs} pairs of a head.`,
    });
  });
}

function servedPairing({ layers }: ParsedModel, { launch }: Context): Finding[] {
  const [weights, served] = [layers[0]?.params, launch?.layers[0]?.params];
  if (weights?.pairing === undefined || served?.pairing === undefined) return [];
  if (isInterleaved(weights.pairing) === isInterleaved(served.pairing)) return [];
  return [
    finding('pairing_differs', {
      key: 'pairing',
      found: served.pairing,
      expected: weights.pairing,
      why: `Unless the rows of the query and key projections were permuted in between, the scores are wrong. ${permutation(weights)}`,
    }),
  ];
}

function isInterleaved(pairing: RopeParams['pairing']): boolean {
  return pairing === 'interleaved' || pairing === 'gptj';
}

/** Which rows of the projections change places between the two pairings. */
function permutation({ headDim, rotaryDim = headDim }: RopeParams): string {
  return (
    `In each head of the query and key projections, rows i and i + ${rotaryDim / 2} for pairs of halves are rows 2i and ` +
    '2i + 1 for pairs of neighbours; those of the value projection stay where they are.'
  );
}

function servedParameters({ layers, statements }: ParsedModel, { launch }: Context): Finding[] {
  return (launch?.layers ?? []).flatMap((served) => {
    const layer = layers.find(({ name }) => name === served.name) ?? layers[0];
    if (layer === undefined) return [];
    return ROPE_PARAMS.flatMap((setting) => {
      const [found, expected] = [served.params[setting], layer.params[setting]];
      if (setting === 'pairing' || found === undefined || expected === undefined || isSame(found, expected)) return [];
      return finding('launch_differs', {
        key: statementsOf(statements, layer.name, setting)[0]?.key ?? setting,
        found,
        expected,
        why: `The model is served with ${setting} ${show(found)} where its source states ${show(expected)}.`,
      });
    });
  });
}

function pastTheContext({ encoding, learned, maxPosition }: ParsedModel, { targetLength }: Context): Finding[] {
  if (targetLength === undefined || maxPosition === undefined || targetLength <= maxPosition) return [];
  if (learned !== undefined) {
    return [
      finding('past_learned_table', {
        key: 'targetLength',
        found: targetLength,
        expected: learned.positions,
        why: `The learned table ends at position ${learned.positions - 1}; positions past it do not exist.`,
      }),
    ];
  }
  if (!/rope/.test(encoding)) return [];
  return [
    finding('past_context', {
      key: 'targetLength',
      found: targetLength,
      expected: maxPosition,
      why: `The model is offered with ${maxPosition} tokens; slow pairs would turn through angles that it never saw.`,
    }),
  ];
}

function scalingsForSize(model: ParsedModel): Finding[] {
  return model.layers.flatMap(({ name, params }) => {
    const published = publishedScaling(model, params);
    if (published === undefined) return [];
    const { type, factor } = published;
    if (params.type === type && params.factor === factor) return [];
    const isType = params.type === type;
    const key = statementsOf(model.statements, name, isType ? 'factor' : 'type')[0]?.key ?? 'rope_scaling';
    return finding('scaling_for_size', {
      key,
      found: isType ? params.factor : params.type,
      expected: isType ? factor : type,
      why: `${published.name} of this size has the scaling ${type} with factor ${factor}.`,
    });
  });
}

function typelessScalings({ layers, statements }: ParsedModel): Finding[] {
  return layers.flatMap(({ name, params }) => {
    const factor = statementsOf(statements, name, 'factor')[0];
    if (factor === undefined || statementsOf(statements, name, 'type').length > 0) return [];
    return finding('scaling_without_type', {
      key: factor.key,
      found: factor.value,
      expected: 'rope_type beside it',
      why: `Without a type the embedding is read as ${params.type}, and the factor changes nothing.`,
    });
  });
}

function assumptions({ assumed, layers }: ParsedModel): Finding[] {
  const texts = {
    encoding: {
      code: 'encoding_assumed',
      key: 'model_type',
      why: 'The architecture is unknown and no key is about positions, so that a rotary embedding is assumed.',
    },
    headDim: {
      code: 'head_dim_assumed',
      key: 'head_dim',
      why: `Neither head_dim nor the sizes that give it are stated, so that ${layers[0]?.params.headDim} is assumed.`,
    },
    pairing: {
      code: 'pairing_assumed',
      key: 'model_type',
      why: 'The architecture is unknown, so that pairs of halves are assumed, as most models in this layout have.',
    },
  } as const;
  return assumed.map((what) => {
    const { code, key, why } = texts[what];
    return finding(code, { key, found: undefined, expected: `a stated ${key}`, why });
  });
}

function permutedPairing({ source, modelType, layers }: ParsedModel): Finding[] {
  const [layer] = layers;
  if (source !== 'hf' || layer === undefined || familyOf(modelType)?.permuted !== true) return [];
  return [
    finding('pairing_permuted', {
      key: 'model_type',
      found: layer.params.pairing,
      expected: 'interleaved in weights of Meta and in GGUF files of the llama architecture',
      why: `These weights were permuted when they were converted. ${permutation(layer.params)}`,
    }),
  ];
}

function givenHeadDim({ layers, statements, hiddenSize, heads }: ParsedModel): Finding[] {
  const stated = layers.flatMap(({ name }) => statementsOf(statements, name, 'headDim')).find(isWholeHead);
  if (stated === undefined || hiddenSize === undefined || heads === undefined || stated.value === hiddenSize / heads) {
    return [];
  }
  return [
    finding('head_dim_given', {
      key: stated.key,
      found: stated.value,
      expected: hiddenSize / heads,
      why: `Heads are ${show(stated.value)} wide, which ${stated.key} gives; ${hiddenSize} / ${heads} counts only where it is absent.`,
    }),
  ];
}

/** Whether the key is about the whole head, not about the part that turns. */
function isWholeHead({ key }: Statement): boolean {
  return !key.endsWith('qk_rope_head_dim');
}

function layerTables({ layers }: ParsedModel): Finding[] {
  if (layers.length < 2) return [];
  const describe = ({ name, params }: ModelLayer) =>
    `${name}: base ${params.base}, ${params.type}${params.factor === undefined ? '' : ` ${params.factor}`}`;
  return [
    finding('layer_tables', {
      key: 'layers',
      found: layers.map(({ name }) => name),
      expected: 'a table for each',
      why: `Each type of layer has an embedding of its own. ${layers.map(describe).join('; ')}.`,
    }),
  ];
}

function learnedTable({ learned, statements }: ParsedModel): Finding[] {
  if (learned === undefined) return [];
  return [
    finding('learned_table', {
      key: statementsOf(statements, 'all', 'maxPosition')[0]?.key ?? 'max_position_embeddings',
      found: learned.positions,
      expected: 'no formula',
      why: `Positions are rows of a learned absolute table; there is no formula, and positions past ${learned.positions - 1} do not exist.`,
    }),
  ];
}

function legacyKeys({ layers, statements }: ParsedModel): Finding[] {
  const keys = new Set(layers.flatMap(({ name }) => statementsOf(statements, name, 'type')).map(({ key }) => key));
  return [...keys]
    .filter((key) => key.endsWith('.type') && !keys.has(newName(key)))
    .map((key) =>
      finding('legacy_key', {
        key,
        found: 'type',
        expected: 'rope_type',
        why: 'The key is now called rope_type; a runtime that knows only the new name misses the scaling.',
      }),
    );
}

function newName(key: string): string {
  return key.replace(/type$/, 'rope_type');
}

function statementsOf(statements: readonly Statement[], layer: string, setting: string): Statement[] {
  return statements.filter((one) => one.layer === layer && one.setting === setting);
}

/** Whether two numbers, names or lists of numbers are the same. */
function isSame(a: unknown, b: unknown): boolean {
  return Array.isArray(a) && Array.isArray(b)
    ? a.length === b.length && a.every((value, i) => value === b[i])
    : a === b;
}

function show(value: unknown): string {
  return Array.isArray(value) ? `a list of ${value.length}` : String(value);
}
