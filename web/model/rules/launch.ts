import { namesOf } from '../../common/check.js';
import { ropeFrequencies } from '../../rotary/frequencies.js';
import { ROPE_PARAMS, type RopeParams } from '../../rotary/rope-params.js';
import { finding } from '../findings.js';
import type { ParsedModel, Runtime } from '../parsed-model.js';
import { permutation } from './remarks.js';
import {
  firstDifference,
  isMropeName,
  isNearlySame,
  keyOf,
  round,
  show,
  statementsOf,
  type Context,
  type Rule,
} from './rule.js';
import { changesTo, isUsable, servedLayers, statedParams } from './served.js';

/** What a model is served with, beside what its source states. */
export const LAUNCH: readonly Rule[] = [
  missingBase,
  servedPairing,
  servedParameters,
  roundedRamp,
  scaleAndBase,
  assumedBase,
];

/** Programs that turn by `ggml_rope_ext`, as does whatever reads a GGUF file. */
const GGML: readonly (Runtime | undefined)[] = ['llama.cpp', 'koboldcpp', 'ollama'];

/**
 * ggml rounds the bounds of the ramp, the first down and the second up, and no key or flag tells it not to.
 *
 * Source: ggml-org/llama.cpp, ggml/src/ggml.c, `ggml_rope_yarn_corr_dims`.
 */
function roundedRamp(model: ParsedModel, context: Context) {
  const { launch } = context;
  const isGguf = launch?.source === 'gguf';
  if (launch === undefined || !(isGguf || (launch.source === 'flags' && GGML.includes(launch.runtime)))) return [];
  if (isGguf && !launch.layers.some(({ params }) => params.type === 'yarn')) return [];
  const layers = isGguf ? model.layers : servedLayers(model, context);
  return layers.flatMap(({ name, params }) => {
    if (params.type !== 'yarn' || params.truncate !== false || !isUsable(params)) return [];
    const { invFreq: meant } = ropeFrequencies(params);
    const { invFreq: served } = ropeFrequencies({ ...params, truncate: true });
    const changes = Array.from(served, (frequency, pair) => Math.abs(frequency / (meant[pair] as number) - 1));
    const changed = changes.filter((change) => change > 1e-9).length;
    if (changed === 0) return [];
    const most = round(100 * Math.max(...changes));
    const { length } = meant;
    return finding('ramp_rounded', {
      key: keyOf(model, name, 'truncate', 'truncate'),
      found: true,
      expected: false,
      why: {
        en: `The model leaves the bounds of the ramp between pairs as they are (truncate: false); llama.cpp and what builds on it round them to whole pairs, and have no setting for that. ${changed} of ${length} pairs turn at another speed, by up to ${most} %.`,
        'zh-Hans': `模型不对过渡区的边界取整（truncate: false）；llama.cpp 及以它为基础的程序则取整到整数对，且没有相应的设置。${length} 对中有 ${changed} 对的转速不同，最多相差 ${most}%。`,
      },
    });
  });
}

function servedPairing({ layers }: ParsedModel, { launch }: Context) {
  const [weights, served] = [layers[0]?.params, launch?.layers[0]?.params];
  if (launch?.source === 'flags' && statedParams(launch).pairing === undefined) return [];
  // The rows of a GGUF file are in the order that its architecture needs.
  if (launch?.source === 'gguf' && launch.modelType !== undefined) return [];
  if (weights?.pairing === undefined || served?.pairing === undefined) return [];
  if (isInterleaved(weights.pairing) === isInterleaved(served.pairing)) return [];
  const rows = permutation(weights);
  return [
    finding('pairing_differs', {
      key: 'pairing',
      found: served.pairing,
      expected: weights.pairing,
      why: {
        en: `Unless the rows of the query and key projections were permuted in between, the scores are wrong. ${rows.en}`,
        'zh-Hans': `除非查询和键投影的行在转换时重排过，否则注意力分数是错的。${rows['zh-Hans']}`,
      },
    }),
  ];
}

function isInterleaved(pairing: RopeParams['pairing']): boolean {
  return pairing === 'interleaved' || pairing === 'gptj';
}

function servedParameters(model: ParsedModel, { launch }: Context) {
  if (launch === undefined) return [];
  const isFlags = launch.source === 'flags';
  return launch.layers.flatMap((served) => {
    const layer = model.layers.find(({ name }) => name === served.name) ?? model.layers[0];
    if (layer === undefined) return [];
    const params = isFlags ? changesTo(layer.params, launch) : served.params;
    return namesOf(ROPE_PARAMS).flatMap((setting) => {
      const [found, expected] = [params[setting], layer.params[setting]];
      if (setting === 'pairing' || found === undefined || expected === undefined) return [];
      if (isNearlySame(found, expected) || (setting === 'type' && isMropeName(found, layer.params))) return [];
      if (setting === 'headDim' && isLatent(model, launch) && turned(params) === turned(layer.params)) return [];
      if (setting === 'base' && (lacksBase(launch) || lacksBase(model))) return [];
      // Flags have the tokens to make room for, and a source that states none is no contradiction.
      if (setting === 'maxPosition' && (isFlags || !isStated(model, layer.name, setting))) return [];
      const [what, ours, theirs] = difference(setting, found, expected);
      return finding('launch_differs', {
        key: keyOf(model, layer.name, setting, setting),
        found,
        expected,
        why: {
          en: `The model is served with ${what} ${ours} where its source states ${theirs}.`,
          'zh-Hans': `启动时 ${what} 为 ${ours}，而模型自身写的是 ${theirs}。`,
        },
      });
    });
  });
}

/** What differs and how: of lists of one length, their first values that do. */
function difference(
  setting: string,
  found: unknown,
  expected: unknown,
): [what: string, found: string, expected: string] {
  if (!Array.isArray(found) || !Array.isArray(expected) || found.length !== expected.length) {
    return [setting, show(found), show(expected)];
  }
  const at = firstDifference(found, expected);
  return [`${setting}[${at}]`, show(found[at]), show(expected[at])];
}

/** Whether a head is stated by the part that turns, where older GGUF files state the whole. */
function isLatent(...models: ParsedModel[]): boolean {
  return models.some(({ statements }) => statements.some(({ key }) => key.endsWith('qk_rope_head_dim')));
}

function turned({ headDim, rotaryDim = headDim }: Partial<RopeParams>): number | undefined {
  return rotaryDim;
}

/** Whether a source states a setting; one made by hand states all that it has. */
function isStated({ statements }: ParsedModel, layer: string, setting: string): boolean {
  return statements.length === 0 || statementsOf(statements, layer, setting).length > 0;
}

/** Whether a file leaves the base to its runtime. */
function lacksBase({ source, layers, statements }: ParsedModel): boolean {
  // Layers that look at a window only have a base that goes with the architecture.
  const [layer] = layers;
  return (
    source === 'gguf' &&
    layer !== undefined &&
    statements.length > 0 &&
    statementsOf(statements, layer.name, 'base').length === 0
  );
}

function missingBase(model: ParsedModel, { launch }: Context) {
  if (launch === undefined) return [];
  const [file, other] = lacksBase(launch) ? [launch, model] : lacksBase(model) ? [model, launch] : [];
  const [effective, meant] = [file?.layers[0]?.params, other?.layers[0]?.params];
  if (effective?.base === undefined || meant?.base === undefined || effective.base === meant.base) return [];
  const base = meant.base;
  const ladders = isUsable(effective) && isUsable({ ...effective, base }) ? slowest(effective, base) : undefined;
  return [
    finding('freq_base_missing', {
      key: 'rope.freq_base',
      found: effective.base,
      expected: base,
      why: {
        en:
          `The file states no rope.freq_base, so that a runtime takes ${effective.base} where the model has ${base}` +
          `${ladders === undefined ? '' : `: the slowest pair turns once in ${ladders[0]} tokens instead of ${ladders[1]}`}. ` +
          `Override it with --rope-freq-base ${base} in llama.cpp, or PARAMETER rope_frequency_base ${base} in Ollama before 0.1.35.`,
        'zh-Hans':
          `文件没有写 rope.freq_base，运行时取 ${effective.base}，而模型用的是 ${base}` +
          `${ladders === undefined ? '' : `：最慢的一对每 ${ladders[0]} 个词元转一圈，而不是 ${ladders[1]} 个`}。` +
          `llama.cpp 可加 --rope-freq-base ${base}，0.1.35 之前的 Ollama 可写 PARAMETER rope_frequency_base ${base}。`,
      },
    }),
  ];
}

/** Tokens per turn of the slowest pair with the base of a file, and with another. */
function slowest(params: RopeParams, base: number): [string, string] {
  const tokens = (of: RopeParams) => round(Math.max(...ropeFrequencies(of).wavelength));
  return [tokens(params), tokens({ ...params, base })];
}

function assumedBase(model: ParsedModel, { launch }: Context) {
  if (launch !== undefined || !lacksBase(model)) return [];
  return [
    finding('freq_base_assumed', {
      key: 'rope.freq_base',
      found: undefined,
      expected: model.layers[0]?.params.base,
      why: {
        en: 'The file states no rope.freq_base, so that runtimes take 10000. Compare it with the config.json of the model.',
        'zh-Hans': '文件没有写 rope.freq_base，运行时取 10000。请与模型的 config.json 核对。',
      },
    }),
  ];
}

function scaleAndBase(model: ParsedModel, { launch }: Context) {
  const flags = [launch, model].find((one) => one?.source === 'flags');
  if (flags === undefined) return [];
  const { type, factor, base } = statedParams(flags);
  const own = flags === model ? undefined : model.layers[0]?.params;
  if (factor === undefined || factor === 1 || base === undefined || base === (own?.base ?? 10000)) return [];
  if (type !== undefined && type !== 'linear') return [];
  const params: RopeParams = { headDim: 128, ...own, ...flags.layers[0]?.params };
  if (!isUsable(params)) return [];
  const { wavelength } = ropeFrequencies(params);
  const range = `${round(Math.min(...wavelength))} … ${round(Math.max(...wavelength))}`;
  return [
    finding('scale_and_base', {
      key: keyOf(flags, 'all', 'factor', 'factor'),
      found: { factor, base },
      expected: 'one of the two',
      why: {
        en: `Positions are divided by ${factor} and the base is ${base} at once, which is unusual: each stretches the context by itself. Together a turn takes ${range} tokens.`,
        'zh-Hans': `位置除以 ${factor} 的同时底数又为 ${base}，这种组合并不常见：两者各自都会拉长上下文。合起来一圈为 ${range} 个词元。`,
      },
    }),
  ];
}
