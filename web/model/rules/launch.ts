import { namesOf } from '../../common/check.js';
import { ropeFrequencies } from '../../rotary/frequencies.js';
import { ROPE_PARAMS, type RopeParams } from '../../rotary/rope-params.js';
import { finding } from '../findings.js';
import type { ParsedModel, Runtime } from '../parsed-model.js';
import { halfOf } from './remarks.js';
import { firstDifference, isMropeName, isNearlySame, keyOf, statementsOf, type Context, type Rule } from './rule.js';
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
    const percent = 100 * greatest(changes);
    return finding(
      'ramp_rounded',
      {
        key: keyOf(model, name, 'truncate', 'truncate'),
        found: true,
        expected: false,
      },
      { changed, pairs: meant.length, percent },
    );
  });
}

function servedPairing({ layers }: ParsedModel, { launch }: Context) {
  const [weights, served] = [layers[0]?.params, launch?.layers[0]?.params];
  if (launch?.source === 'flags' && statedParams(launch).pairing === undefined) return [];
  // The rows of a GGUF file are in the order that its architecture needs.
  if (launch?.source === 'gguf' && launch.modelType !== undefined) return [];
  if (weights?.pairing === undefined || served?.pairing === undefined) return [];
  if (isInterleaved(weights.pairing) === isInterleaved(served.pairing)) return [];
  return [
    finding(
      'pairing_differs',
      {
        key: 'pairing',
        found: served.pairing,
        expected: weights.pairing,
      },
      { half: halfOf(weights) },
    ),
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
      return finding(
        'launch_differs',
        {
          key: keyOf(model, layer.name, setting, setting),
          found,
          expected,
        },
        { setting: what, served: ours, stated: theirs },
      );
    });
  });
}

/** What differs and how: of lists of one length, their first values that do. */
function difference(
  setting: string,
  found: unknown,
  expected: unknown,
): [what: string, found: unknown, expected: unknown] {
  if (!Array.isArray(found) || !Array.isArray(expected) || found.length !== expected.length) {
    return [setting, found, expected];
  }
  const at = firstDifference(found, expected);
  return [`${setting}[${at}]`, found[at], expected[at]];
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
  const turns = isUsable(effective) && isUsable({ ...effective, base }) ? slowest(effective, base) : undefined;
  return [
    finding(
      'freq_base_missing',
      {
        key: 'rope.freq_base',
        found: effective.base,
        expected: base,
      },
      { taken: effective.base, base, turns },
    ),
  ];
}

/** Tokens per turn of the slowest pair with the base of a file, and with another. */
function slowest(params: RopeParams, base: number): { taken: number; meant: number } {
  const tokens = (of: RopeParams) => greatest(ropeFrequencies(of).wavelength);
  return { taken: tokens(params), meant: tokens({ ...params, base }) };
}

function greatest(values: Iterable<number>): number {
  let most = -Infinity;
  for (const value of values) most = Math.max(most, value);
  return most;
}

function assumedBase(model: ParsedModel, { launch }: Context) {
  if (launch !== undefined || !lacksBase(model)) return [];
  return [
    finding(
      'freq_base_assumed',
      {
        key: 'rope.freq_base',
        found: undefined,
        expected: model.layers[0]?.params.base,
      },
      {},
    ),
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
  const [shortest, longest] = [-greatest(wavelength.map((tokens) => -tokens)), greatest(wavelength)];
  return [
    finding(
      'scale_and_base',
      {
        key: keyOf(flags, 'all', 'factor', 'factor'),
        found: { factor, base },
        expected: 'one of the two',
      },
      { factor, base, shortest, longest },
    ),
  ];
}
