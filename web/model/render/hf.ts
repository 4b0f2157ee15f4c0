import type { Note } from '../../phrases/settings/en.js';
import type { NoWords } from '../../phrases/errors/en.js';
import {
  inexpressible,
  isNear,
  raisedBase,
  type LayerSetting,
  type RenderTarget,
  type RotarySetting,
  type Writer,
} from './setting.js';

/** The keys of a configuration, `rope_scaling` beside `rope_theta`. */
export const hfV4: Writer = {
  write: (setting) => text(keysOfV4(setting)),
  writeLayers(layers) {
    const [local, ...rest] = layers.filter(isLocal);
    const [global, ...others] = layers.filter((layer) => !isLocal(layer));
    if (local === undefined || global === undefined || rest.length + others.length > 0) throw notOfV4(layers);
    const { rope_theta, ...own } = keysOfV4(local.setting);
    const keys = keysOfV4(global.setting);
    // What is no base holds for both, but for the scaling, which layers with a window never have.
    const { rope_theta: _, ...shared } = { ...keys, rope_scaling: null };
    if (JSON.stringify(own) !== JSON.stringify(shared)) throw notOfV4(layers);
    const { rope_scaling, ...before } = keys;
    return text({ ...before, rope_local_base_freq: rope_theta, rope_scaling });
  },
  notes,
};

function keysOfV4(setting: RotarySetting) {
  if (setting.type === 'proportional') {
    throw inexpressible('hf-v4', 'type', setting.type, 'rope-parameters');
  }
  const { rope_theta, partial_rotary_factor, ...scaling } = ropeParameters(setting, 'hf-v4');
  const isScaled = scaling['rope_type'] !== 'default' || Object.keys(scaling).length > 1;
  return {
    ...sizes(setting),
    rope_theta,
    ...(partial_rotary_factor === undefined ? {} : { partial_rotary_factor }),
    // Phi-3 and its kind look for it here.
    ...(setting.type === 'longrope' ? { original_max_position_embeddings: setting.original } : {}),
    rope_scaling: isScaled ? scaling : null,
  };
}

function notOfV4(layers: readonly LayerSetting[]): Error {
  const names = layers.map(({ name }) => name).join(', ');
  return inexpressible('hf-v4', 'layers', names, 'local-base');
}

/** Whether layers look at a window only, by their name. */
function isLocal({ name }: LayerSetting): boolean {
  return /sliding|local/.test(name);
}

/** The keys of a configuration, all in `rope_parameters`. */
export const hfV5: Writer = {
  write: (setting) => text({ ...sizes(setting), rope_parameters: ropeParameters(setting, 'hf-v5') }),
  writeLayers(layers) {
    const blocks = layers.map(({ name, setting }) => [name, ropeParameters(setting, 'hf-v5')] as const);
    return text({ ...sizesOf(layers), rope_parameters: Object.fromEntries(blocks) });
  },
  notes,
};

/** The sizes of all layers: one context, and of heads two widths at most, that of layers with a window and of the others. */
function sizesOf(layers: readonly LayerSetting[]) {
  const all = layers.map(({ setting }) => sizes(setting));
  const contexts = [...new Set(all.map(({ max_position_embeddings: context }) => context))];
  if (contexts.length > 1) throw apart('maxPosition', contexts.join(', '), 'max-position');
  const widths = (ofLocal: boolean) => [
    ...new Set(layers.filter((layer) => isLocal(layer) === ofLocal).map(({ setting }) => setting.headDim)),
  ];
  const [local, global] = [widths(true), widths(false)];
  const both = [...new Set([...local, ...global])];
  if (local.length > 1 || global.length > 1) throw apart('headDim', both.join(', '), 'head-dim');
  const [wide = local[0]] = global;
  return {
    ...all[0],
    head_dim: local[0] ?? wide,
    ...(both.length === 1 ? {} : { global_head_dim: wide }),
  };
}

function apart(argument: string, got: string, why: NoWords['why']): Error {
  return inexpressible('hf-v5', argument, got, why);
}

function text(keys: object): string {
  return JSON.stringify(keys, null, 2);
}

function sizes({ headDim, type, context, original }: RotarySetting) {
  // Dynamic scaling starts at the length that the configuration states.
  const positions = type === 'dynamic' ? (original ?? context) : context;
  return { head_dim: headDim, ...(positions === undefined ? {} : { max_position_embeddings: positions }) };
}

/** The block of a scaling, which vLLM takes as well. */
export function ropeParameters(setting: RotarySetting, target: RenderTarget): Record<string, unknown> {
  const { params, headDim, rotaryDim, base, type, factor, original } = setting;
  const common = {
    rope_theta: type === 'ntk' ? raisedBase(setting) : base,
    ...(rotaryDim === headDim ? {} : { partial_rotary_factor: share(rotaryDim, headDim) }),
    ...(params.mropeSection === undefined ? {} : { mrope_section: params.mropeSection }),
    ...(params.mropeInterleaved === undefined ? {} : { mrope_interleaved: params.mropeInterleaved }),
  };
  const isGiven = !isNear(setting.attentionFactor, setting.usualAttentionFactor);
  if (isGiven && type !== 'yarn' && type !== 'longrope') {
    throw inexpressible(target, 'attentionFactor', setting.attentionFactor, 'unread', type);
  }
  switch (type) {
    case 'default':
    case 'mrope':
    case 'ntk': // the same as a greater base
      return { rope_type: 'default', ...common };
    case 'linear':
    case 'dynamic':
      return { rope_type: type, factor, ...common };
    case 'proportional':
      return { rope_type: type, ...(params.factor === undefined ? {} : { factor }), ...common };
    case 'llama3':
      return {
        rope_type: type,
        factor,
        low_freq_factor: params.lowFreqFactor,
        high_freq_factor: params.highFreqFactor,
        original_max_position_embeddings: original,
        ...common,
      };
    case 'yarn':
      return {
        rope_type: type,
        factor,
        original_max_position_embeddings: original,
        ...given({
          beta_fast: params.betaFast,
          beta_slow: params.betaSlow,
          truncate: params.truncate,
          attention_factor: params.attentionFactor,
          mscale: params.mscale,
          mscale_all_dim: params.mscaleAllDim,
        }),
        ...common,
      };
    case 'longrope':
      return {
        rope_type: type,
        factor,
        original_max_position_embeddings: original,
        short_factor: params.shortFactor,
        long_factor: params.longFactor,
        ...given({
          attention_factor: params.attentionFactor,
          short_mscale: params.shortMscale,
          long_mscale: params.longMscale,
        }),
        ...common,
      };
  }
}

/** The share whose product with the width, rounded down, is the number of channels that turn. */
function share(rotaryDim: number, headDim: number): number {
  const plain = rotaryDim / headDim;
  return Math.floor(plain * headDim) === rotaryDim ? plain : (rotaryDim + 0.5) / headDim;
}

function given(keys: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(keys).filter(([, value]) => value !== undefined));
}

function notes(setting: RotarySetting): Note[] {
  const { type, softmaxFactor, params } = setting;
  const found: Note[] = [{ kind: 'architecture' }];
  if (type === 'ntk') {
    found.push({ kind: 'ntk-base' });
  }
  if (type === 'dynamic') {
    found.push({ kind: 'dynamic-start' });
  }
  if (params.attentionFactor !== undefined) {
    found.push({ kind: 'final-factor' });
  }
  if (params.shortMscale !== undefined || params.longMscale !== undefined) {
    found.push({ kind: 'phi-moe' });
  }
  if (softmaxFactor !== 1) {
    found.push({ kind: 'softmax-in-code', factor: softmaxFactor });
  }
  return found;
}
