import { badArgument, refusal, badState } from '../common/errors.js';
import { asDuplicates, duplicateKeys } from './files/duplicate-keys.js';
import type { RopeParams, RopeType } from '../rotary/rope-params.js';
import { scalings } from '../rotary/scalings/index.js';
import { Block, isObject, type Stated } from './block.js';
import { familyOf, type Family } from './families.js';
import type { Assumption, ModelEncoding, ModelLayer, ParsedModel, Setting, Statement } from './parsed-model.js';

/** The longest text that is parsed, in characters: a hundred times a large configuration. */
const MAX_TEXT = 2 ** 24;

/** The most layer types, and the most letters in the name of one. */
const MAX_LAYER_TYPES = 64;
const MAX_LAYER_NAME = 64;

/** Where multimodal configurations keep that of the language model, outermost first. */
const TEXT_CONFIGS = ['thinker_config', 'text_config', 'llm_config', 'language_config', 'decoder'] as const;

/** The width of a head where nothing in a configuration gives it: that of most models. */
const ASSUMED_HEAD_DIM = 128;

const CONTEXT_KEYS = [
  'max_position_embeddings',
  'n_positions',
  'n_ctx',
  'max_sequence_length',
  'seq_length',
  'max_seq_len',
  'model_max_length',
  'max_target_positions',
] as const;
const HEAD_KEYS = [
  'num_attention_heads',
  'n_head',
  'n_heads',
  'num_heads',
  'encoder_attention_heads',
  'attention_heads',
] as const;
const WIDTH_KEYS = ['hidden_size', 'n_embd', 'n_embed', 'd_model', 'dim'] as const;
const HEAD_DIM_KEYS = ['head_dim', 'kv_channels', 'd_kv', 'd_head'] as const;
const FRACTION_KEYS = ['partial_rotary_factor', 'rotary_pct', 'rope_pct', 'rotary_emb_fraction'] as const;
const BASE_KEYS = ['rope_theta', 'global_rope_theta', 'rotary_emb_base'] as const;
const LOCAL_BASE_KEYS = ['rope_local_base_freq', 'local_rope_theta'] as const;
const SCALING_KEYS = ['rope_parameters', 'rope_scaling'] as const;

/** Keys that only a model with a rotary embedding has. */
const ROTARY_KEYS = [
  ...BASE_KEYS,
  ...LOCAL_BASE_KEYS,
  ...FRACTION_KEYS,
  ...SCALING_KEYS,
  'rope_ratio',
  'rotary_dim',
  'mrope_section',
  'qk_rope_head_dim',
] as const;

/** Parameters of a scaling, by the names of its block. */
const SCALING_NUMBERS = {
  factor: 'factor',
  beta_fast: 'betaFast',
  beta_slow: 'betaSlow',
  low_freq_factor: 'lowFreqFactor',
  high_freq_factor: 'highFreqFactor',
  attention_factor: 'attentionFactor',
  mscale: 'mscale',
  mscale_all_dim: 'mscaleAllDim',
  short_mscale: 'shortMscale',
  long_mscale: 'longMscale',
} as const satisfies Record<string, Setting>;
const SCALING_LISTS = { short_factor: 'shortFactor', long_factor: 'longFactor' } as const satisfies Record<
  string,
  Setting
>;

/** All keys of a scaling's block that are read; `alpha` is for one type only. */
const BLOCK_KEYS: ReadonlySet<string> = new Set([
  'rope_type',
  'type',
  'original_max_position_embeddings',
  'truncate',
  'mrope_section',
  'mrope_interleaved',
  ...BASE_KEYS,
  ...FRACTION_KEYS,
  ...Object.keys(SCALING_NUMBERS),
  ...Object.keys(SCALING_LISTS),
]);

/** Scalings that need the original context, and take `max_position_embeddings` for it where it is not given. */
const NEEDS_ORIGINAL: readonly RopeType[] = ['yarn', 'llama3', 'longrope'];

/**
 * Reads what a Hugging Face `config.json` says about positions: both schemas (`rope_scaling` beside `rope_theta`, and
 * `rope_parameters`, for all layers or per layer type), the text part of multimodal models, the keys of older and vendors'
 * architectures, and what the classes of huggingface/transformers take for keys that are left out. A part of a
 * configuration will do; what has to be assumed is named in `assumed`.
 *
 * The result has the pairing that the weights in this layout need. NaN and Infinity, which Python writes into JSON, are
 * refused where a number is read and do no harm elsewhere. Of a key that stands twice in one object of a text the last one
 * counts, as in Python, and `duplicateKeys` has it. `check` says what is odd about it.
 *
 * Needs no engine. Reads own properties only.
 *
 * Errors: `bad-argument`, for text that is no JSON or longer than 2^24 characters, a value of the wrong type, an unknown
 * type of scaling, or an object without any key about positions or sizes; `argument` is the path of the key.
 * Source: huggingface/transformers, modeling_rope_utils.py and models; the configurations that models ship.
 */
export function parseHfConfig(json: string | object): ParsedModel {
  const outer = new Block(typeof json === 'string' ? parseText(json) : json, '');
  const config = textConfig(outer);
  const modelType = (config.string('model_type') ?? outer.string('model_type'))?.value;
  const model = new ConfigReader(config, modelType).read();
  return { ...model, ...asDuplicates(typeof json === 'string' ? duplicateKeys(json) : []) };
}

function parseText(text: string): unknown {
  if (text.length > MAX_TEXT)
    throw badState('json', { kind: 'characters', most: MAX_TEXT }, { kind: 'characters', count: text.length });
  try {
    return JSON.parse(/\b(NaN|Infinity)\b/.test(text) ? withoutPythonNumbers(text) : text) as unknown;
  } catch (cause) {
    const rule = { kind: 'valid-json', reason: (cause as Error).message } as const;
    throw refusal('bad-argument', { argument: 'json', rule, got: text.slice(0, 40) }, cause);
  }
}

/** The same with a text for NaN and Infinity, which Python writes although JSON has no such numbers: an error then shows it. */
function withoutPythonNumbers(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*(?:"|$)|-?\b(?:NaN|Infinity)\b(?!\s*:)/g, (part) =>
    part.startsWith('"') ? part : `"${part}"`,
  );
}

/** The part about the language model. */
function textConfig(outer: Block): Block {
  let config = outer;
  for (const key of TEXT_CONFIGS) {
    // FSMT is no composite: its decoder has little but a vocabulary.
    if (key === 'decoder' && config.value('model_type') === 'fsmt') continue;
    if (isObject(config.value(key))) config = config.block(key) as Block;
  }
  return config;
}

/** The scaling of the layers of one type. */
interface LayerBlock {
  name: string;
  /** The blocks that hold for it, the one that counts first. */
  blocks: Block[];
  /** Whether the layers look at a window only. */
  local: boolean;
}

/** Reads one configuration. */
class ConfigReader {
  readonly #config: Block;
  readonly #modelType: string | undefined;
  readonly #family: Family;
  /** The rotary parameters that its class takes, where the configuration has none. */
  readonly #classBlock: Block | undefined;
  readonly #statements: Statement[] = [];
  readonly #assumed: Assumption[] = [];
  readonly #unread = new Set<string>();

  constructor(config: Block, modelType: string | undefined) {
    this.#config = config;
    this.#modelType = modelType;
    this.#family = familyOf(modelType) ?? {};
    const { ropeParameters } = this.#family;
    if (ropeParameters !== undefined && !SCALING_KEYS.some((key) => config.has(key))) {
      this.#classBlock = new Block(ropeParameters, config.keyPath('rope_parameters'));
    }
  }

  read(): ParsedModel {
    const encoding = this.#encoding();
    const heads = this.#count(HEAD_KEYS);
    const hiddenSize = this.#count(WIDTH_KEYS);
    const isRotary = encoding === 'rope' || encoding === 'rope_2d';
    const layers = isRotary ? this.#layers(encoding) : [];
    const maxPosition = this.#positions(encoding);
    return {
      source: 'hf',
      ...(this.#modelType === undefined ? {} : { modelType: this.#modelType }),
      schema: this.#config.has('rope_parameters') ? 'v5' : 'v4',
      encoding: layers.some(({ params }) => params.mropeSection !== undefined) ? 'mrope' : encoding,
      layers,
      ...(isRotary && this.#hasUnrotatedLayers() ? { unrotatedLayers: true } : {}),
      ...(maxPosition === undefined ? {} : { maxPosition }),
      ...(heads === undefined ? {} : { heads }),
      ...(hiddenSize === undefined ? {} : { hiddenSize }),
      ...this.#facts(encoding, heads),
      statements: this.#statements,
      assumed: this.#assumed,
      ...(this.#unread.size === 0 ? {} : { unread: [...this.#unread] }),
    };
  }

  /** The first of some keys that is given, or else has a default. */
  #count(keys: readonly string[]): number | undefined {
    const stated = first(keys.map((key) => this.#config.count(key)));
    return stated?.value ?? this.#default(keys);
  }

  #default(keys: readonly string[]): number | undefined {
    return first(keys.map((key) => this.#family.defaults?.[key]));
  }

  #encoding(): ModelEncoding {
    const config = this.#config;
    const known = familyOf(this.#modelType) === undefined ? undefined : (this.#family.encoding ?? 'rope');
    const embedding = (config.string('position_embedding_type') ?? config.string('position_embedding'))?.value;
    const alibi = config.boolean('alibi') ?? attention(config)?.boolean('alibi');
    switch (embedding?.toLowerCase()) {
      case 'rope':
      case 'rotary':
        return 'rope';
      case 'alibi':
        return 'alibi';
      case 'relative_key':
      case 'relative_key_query':
        return 'shaw';
      case 'sinusoidal':
        return 'sinusoidal';
      case 'absolute':
      case 'learned':
      case 'learned_absolute':
        if (known === undefined || known === 'learned') return 'learned';
    }
    if (alibi?.value === true) return 'alibi';
    const isRelative = config.boolean('relative_attention')?.value ?? config.has('pos_att_type');
    if (known === 'deberta' && !isRelative) return 'learned';
    if (config.boolean('sinusoidal_pos_embds')?.value === true) return 'sinusoidal';
    if (config.boolean('position_encoding_2d')?.value === true) return 'rope_2d';
    // The 7B and 13B models of Baichuan share their type, and only the larger one has biases; nothing else tells.
    if (this.#modelType === 'baichuan' && config.count('hidden_size')?.value === 5120) return 'alibi';
    if (this.#modelType === 'mpt' && alibi?.value === false) {
      return attention(config)?.boolean('rope')?.value === true ? 'rope' : 'learned';
    }
    return known ?? this.#encodingByKeys();
  }

  /** The encoding of an unknown architecture. */
  #encodingByKeys(): ModelEncoding {
    const has = (...keys: string[]) => keys.some((key) => this.#config.has(key));
    if (has(...ROTARY_KEYS)) return 'rope';
    if (has('relative_attention_num_buckets')) return 't5';
    if (has('position_buckets', 'pos_att_type')) return 'deberta';
    if (has('n_positions', 'n_ctx')) return 'learned';
    if (!has(...HEAD_DIM_KEYS, ...WIDTH_KEYS, ...HEAD_KEYS, ...CONTEXT_KEYS)) {
      throw badState('json', { kind: 'config' }, { kind: 'other-keys', count: this.#config.keys().length });
    }
    this.#assume('encoding');
    return 'rope';
  }

  /** A list of ones, with 0 for a layer without a rotary embedding, counts before what its class has. */
  #hasUnrotatedLayers(): boolean {
    const listed = this.#config.numbers('no_rope_layers')?.value;
    if (listed !== undefined && listed.length > 0) return listed.includes(0);
    const { unrotatedLayers } = this.#family;
    return unrotatedLayers === 'beside_window' ? this.#config.has('sliding_window') : unrotatedLayers === 'always';
  }

  /** Tokens that the model is offered with. */
  #positions(encoding: ModelEncoding): number | undefined {
    const positions = this.#count(CONTEXT_KEYS);
    const { countsOffset, positionOffset = 0 } = this.#family;
    if (encoding !== 'learned' || positions === undefined || !countsOffset) return positions;
    return Math.max(0, positions - positionOffset);
  }

  #facts(encoding: ModelEncoding, heads: number | undefined): Partial<ParsedModel> {
    const config = this.#config;
    const stated = <Value>(value: Value | undefined, name: string): Value => {
      if (value === undefined) throw badArgument(config.keyPath(name), { kind: 'given', encoding }, undefined);
      return value;
    };
    switch (encoding) {
      case 'learned': {
        const positions = stated(this.#positions(encoding), 'max_position_embeddings');
        this.#take('maxPosition', 'all', [first(CONTEXT_KEYS.map((key) => config.count(key)))]);
        return { learned: { positions, offset: this.#family.positionOffset ?? 0 } };
      }
      case 'alibi': {
        const biasMax = config.number('alibi_bias_max') ?? attention(config)?.number('alibi_bias_max');
        return { alibi: { heads: stated(heads, 'num_attention_heads'), biasMax: biasMax?.value ?? 8 } };
      }
      case 't5':
        return {
          t5: {
            heads: stated(heads, 'num_heads'),
            buckets: this.#count(['relative_attention_num_buckets']) ?? 32,
            maxDistance: this.#count(['relative_attention_max_distance']) ?? 128,
          },
        };
      case 'deberta': {
        // −1 stands for the greatest position, and for no buckets.
        const atLeast1 = (key: string) => {
          const value = config.number(key)?.value;
          return value !== undefined && value >= 1 ? config.count(key)?.value : undefined;
        };
        const maxPosition =
          atLeast1('max_relative_positions') ?? stated(this.#positions(encoding), 'max_position_embeddings');
        const bucketSize = atLeast1('position_buckets');
        const terms = termsOf(config);
        return {
          deberta: {
            heads: stated(heads, 'num_attention_heads'),
            span: bucketSize ?? maxPosition,
            maxPosition,
            ...(bucketSize === undefined ? {} : { bucketSize }),
            terms,
          },
        };
      }
      case 'transformer_xl': {
        const clampLength = config.number('clamp_len')?.value ?? this.#default(['clamp_len']) ?? -1;
        const memoryLength = config.number('mem_len')?.value ?? this.#default(['mem_len']) ?? 0;
        return {
          transformerXl: {
            heads: stated(heads, 'n_head'),
            causal: config.string('attn_type')?.value !== 'bi' && this.#modelType !== 'xlnet',
            ...(clampLength > 0 ? { clampLength } : {}),
            ...(memoryLength > 0 ? { memoryLength } : {}),
          },
        };
      }
      case 'rope_2d':
        return { variant: 'chatglm' };
      default:
        return {};
    }
  }

  #layers(encoding: ModelEncoding): ModelLayer[] {
    return this.#layerBlocks().map((layer) => ({ name: layer.name, params: this.#params(layer, encoding) }));
  }

  /** The layers that share an embedding, and their blocks. */
  #layerBlocks(): LayerBlock[] {
    const stated = SCALING_KEYS.map((key) => this.#config.block(key));
    const blocks = [...stated, this.#classBlock].filter((block) => block !== undefined);
    const [nested, names] = this.#layerTypes(blocks);
    if (nested !== undefined) {
      return names.map((name) => ({ name, blocks: [nested.block(name) as Block], local: /sliding|local/.test(name) }));
    }
    const hasLocal = this.#localBase() !== undefined || this.#default(LOCAL_BASE_KEYS) !== undefined;
    if (!hasLocal) return [{ name: 'all', blocks, local: false }];
    return [
      { name: 'full_attention', blocks, local: false },
      { name: 'sliding_attention', blocks: this.#family.scalesLocal ? blocks : [], local: true },
    ];
  }

  /**
   * The block that has one block per type of layer, and these types: a block with parameters of its own is none, and an
   * object in it is of a type only if the model has such layers or the object holds parameters.
   */
  #layerTypes(blocks: readonly Block[]): [nested: Block | undefined, names: string[]] {
    const layerTypes = this.#config.list('layer_types')?.value ?? [];
    const isType = (block: Block, key: string) =>
      layerTypes.includes(key) ||
      /attention/.test(key) ||
      block
        .block(key)!
        .keys()
        .some((inner) => BLOCK_KEYS.has(inner));
    const isPlain = (block: Block) => block.keys().some((key) => BLOCK_KEYS.has(key) && block.has(key));
    const objects = (block: Block) => block.keys().filter((key) => isObject(block.value(key)));
    const nested = blocks.find((block) => !isPlain(block) && objects(block).length > 0);
    if (nested === undefined) return [undefined, []];
    const all = objects(nested);
    if (all.length > MAX_LAYER_TYPES || all.some((name) => name.length > MAX_LAYER_NAME)) {
      const rule = { kind: 'layer-types', most: MAX_LAYER_TYPES, letters: MAX_LAYER_NAME } as const;
      throw badState(nested.path, rule, { kind: 'layer-types', count: all.length });
    }
    const names = all.filter((key) => isType(nested, key));
    if (names.length === 0) return [undefined, []];
    for (const key of nested.keys()) if (nested.has(key) && !names.includes(key)) this.#unread.add(nested.keyPath(key));
    return [nested, names];
  }

  #params(layer: LayerBlock, encoding: ModelEncoding): RopeParams {
    const { name, blocks } = layer;
    const config = this.#config;
    const take = <Value>(setting: Setting, ...stated: (Stated<Value> | undefined)[]) =>
      this.#take(setting, name, stated);
    const everywhere = <Value>(read: (block: Block) => Stated<Value> | undefined) => [
      ...blocks.map(read),
      read(config),
    ];

    const type = this.#type(layer);
    const short = take('shortFactor', ...blocks.map((block) => block.numbers('short_factor')));
    const section = take('mropeSection', ...everywhere((block) => block.numbers('mrope_section')));
    const headDim = this.#headDim(layer, 2 * (short?.length ?? sum(section) ?? 0) || undefined);
    const params: RopeParams = {
      headDim,
      rotaryDim: this.#rotaryDim(layer, headDim),
      base: this.#base(layer),
      type: type ?? (section === undefined ? 'default' : 'mrope'),
      pairing: this.#pairing(encoding),
    };
    const maxPosition = take('maxPosition', first(CONTEXT_KEYS.map((key) => config.count(key))));
    // As in transformers: what stands beside the block counts before what stands in it.
    const original = take(
      'originalMaxPosition',
      config.count('original_max_position_embeddings'),
      ...blocks.map((block) => block.count('original_max_position_embeddings')),
      ...(this.#family.trainedContext === undefined ? [] : [config.count(this.#family.trainedContext)]),
    );
    const numbers = Object.entries(SCALING_NUMBERS).map(([key, setting]) => [
      setting,
      take(setting, ...blocks.map((block) => block.number(key))),
    ]);
    const lists = Object.entries(SCALING_LISTS).map(([key, setting]) => [
      setting,
      setting === 'shortFactor' ? short : take(setting, ...blocks.map((block) => block.numbers(key))),
    ]);
    const context = maxPosition ?? this.#default(CONTEXT_KEYS);
    const settings: [string, unknown][] = [
      ['maxPosition', context],
      ['originalMaxPosition', original ?? this.#originalContext(params.type, context)],
      ...(numbers as [string, unknown][]),
      ...(lists as [string, unknown][]),
      ['truncate', take('truncate', ...blocks.map((block) => block.boolean('truncate')))],
      ['mropeSection', section],
      ['mropeInterleaved', take('mropeInterleaved', ...everywhere((block) => block.boolean('mrope_interleaved')))],
    ];
    for (const [setting, value] of settings) {
      if (value !== undefined) (params as unknown as Record<string, unknown>)[setting] = value;
    }
    const ratio = take('factor', this.#positionRatio());
    if (ratio !== undefined && ratio !== 1) Object.assign(params, { type: 'linear', factor: ratio });
    const alpha = params.type === 'dynamic' ? first(blocks.map((block) => block.number('alpha'))) : undefined;
    this.#listUnread(blocks, alpha?.key);
    // HunYuan: a base raised once and for all, under the name of the rule that raises it by length.
    return alpha === undefined ? params : { ...params, type: 'ntk', factor: alpha.value };
  }

  /** Records the keys of a scaling that nothing is read from, and what turns a scaling on that no type here is. */
  #listUnread(blocks: readonly Block[], alphaKey: string | undefined): void {
    for (const block of blocks.filter((one) => one !== this.#classBlock)) {
      const keys = block.keys().filter((key) => block.has(key) && !BLOCK_KEYS.has(key));
      for (const path of keys.map((key) => block.keyPath(key))) if (path !== alphaKey) this.#unread.add(path);
    }
    // Qwen-7B: past its context alpha grows by powers of two, and queries are multiplied by a logarithm of the position.
    for (const key of ['use_dynamic_ntk', 'use_logn_attn']) {
      if (this.#config.value(key) === true) this.#unread.add(this.#config.keyPath(key));
    }
  }

  /** The original context of a scaling that needs one and states none. */
  #originalContext(type: RopeType | undefined, context: number | undefined): number | undefined {
    if (type === undefined || !NEEDS_ORIGINAL.includes(type)) return undefined;
    const ofClass = type === 'longrope' ? this.#default(['original_max_position_embeddings']) : undefined;
    if (ofClass === undefined && context !== undefined) this.#assume('originalMaxPosition');
    return ofClass ?? (type === 'llama3' ? context : undefined);
  }

  #assume(what: Assumption): void {
    if (!this.#assumed.includes(what)) this.#assumed.push(what);
  }

  /** Records what is stated of a setting and returns what counts: the first. */
  #take<Value>(setting: Setting, layer: string, stated: readonly (Stated<Value> | undefined)[]): Value | undefined {
    const given = stated.filter((one) => one !== undefined);
    for (const { key, value } of given) {
      const isOfClass = this.#classBlock !== undefined && key.startsWith(`${this.#classBlock.path}.`);
      if (!isOfClass) this.#statements.push({ key, value, setting, layer });
    }
    return given[0]?.value;
  }

  #type({ name, blocks }: LayerBlock): RopeType | undefined {
    const stated = blocks
      .flatMap((block) => [block.string('rope_type'), block.string('type')])
      .map((one) => {
        if (one === undefined) return undefined;
        const value = this.#currentType(one.value);
        if (!Object.hasOwn(scalings, value)) {
          throw badArgument(one.key, { kind: 'name', choices: Object.keys(scalings) }, one.value);
        }
        return { key: one.key, value: value as RopeType };
      });
    return this.#take('type', name, stated);
  }

  /** The name of a type today. LongRoPE was released as `su`, and in some architectures as `yarn`. */
  #currentType(name: string): string {
    return name === 'su' || (name === 'yarn' && this.#family.longropeIsYarn) ? 'longrope' : name;
  }

  #headDim({ name, blocks, local }: LayerBlock, byLists: number | undefined): number {
    const config = this.#config;
    const latent = config.count('qk_rope_head_dim');
    if (latent !== undefined) return this.#take('headDim', name, [latent]) as number;
    if (this.#family.defaults?.['qk_rope_head_dim'] !== undefined) return this.#family.defaults['qk_rope_head_dim'];
    if (!local && name !== 'all') {
      const wide = this.#layerHeadDim(name) ?? config.count('global_head_dim');
      const width = this.#take('headDim', name, [wide]) ?? this.#default(['global_head_dim']);
      if (width !== undefined) return width;
    }
    const stated = this.#take(
      'headDim',
      name,
      HEAD_DIM_KEYS.map((key) => config.count(key)),
    );
    const width = stated ?? this.#default(HEAD_DIM_KEYS);
    if (width !== undefined) return width;
    const [channels, heads] = [this.#count(WIDTH_KEYS), this.#count(HEAD_KEYS)];
    if (channels !== undefined && heads !== undefined) {
      if (channels % heads !== 0) {
        const rule = { kind: 'multiple', of: 'num_attention_heads', value: heads, without: 'head_dim' } as const;
        throw badArgument(config.keyPath('hidden_size'), rule, channels);
      }
      return channels / heads;
    }
    const fraction = this.#fraction(blocks)?.value ?? this.#default(FRACTION_KEYS) ?? 1;
    if (byLists !== undefined && fraction > 0) return Math.ceil(byLists / fraction);
    this.#assume('headDim');
    return ASSUMED_HEAD_DIM;
  }

  /** The width of the heads in layers of a type, where single layers are given widths of their own. */
  #layerHeadDim(name: string): Stated<number> | undefined {
    const layer = this.#config.list('layer_types')?.value.indexOf(name) ?? -1;
    return layer === -1 ? undefined : this.#config.block('per_layer_config')?.block(`${layer}`)?.count('head_dim');
  }

  #fraction(blocks: readonly Block[]): Stated<number> | undefined {
    return first([...blocks, this.#config].flatMap((block) => FRACTION_KEYS.map((key) => block.fraction(key))));
  }

  #rotaryDim({ name, blocks }: LayerBlock, headDim: number): number {
    // An odd head that turns as a whole stays odd, which no pairing takes.
    const even = (fraction: number) => (fraction === 1 ? headDim : 2 * Math.floor((headDim * fraction) / 2));
    const fractions = [...blocks, this.#config].flatMap((block) =>
      FRACTION_KEYS.map((key) => block.fraction(key)).map((one) => one && { key: one.key, value: even(one.value) }),
    );
    const stated = this.#take('rotaryDim', name, [this.#config.count('rotary_dim'), ...fractions]);
    if (stated !== undefined) return stated;
    // ChatGLM2 and later turn half of the head; no key says so.
    if (this.#modelType === 'chatglm' && !this.#config.has('position_encoding_2d')) return even(0.5);
    return this.#default(['rotary_dim']) ?? even(this.#default(FRACTION_KEYS) ?? 1);
  }

  #localBase(): Stated<number> | undefined {
    return first(LOCAL_BASE_KEYS.map((key) => this.#config.number(key)));
  }

  #base({ name, blocks, local }: LayerBlock): number {
    const config = this.#config;
    const inBlocks = blocks.flatMap((block) => BASE_KEYS.map((key) => block.number(key)));
    const ratio = this.#positionRatio() === undefined ? config.number('rope_ratio') : undefined;
    const beside = local
      ? [this.#localBase()]
      : [
          ...BASE_KEYS.map((key) => config.number(key)),
          attention(config)?.number('rope_theta'),
          ratio && { key: ratio.key, value: 10000 * ratio.value },
        ];
    const stated = this.#take('base', name, [...inBlocks, ...beside]);
    return stated ?? this.#default(local ? LOCAL_BASE_KEYS : BASE_KEYS) ?? 10000;
  }

  /**
   * What ChatGLM2-6B-32K divides positions by. Later models multiply the base by it, and no key but the name tells them
   * apart.
   *
   * Source: THUDM/chatglm2-6b-32k and THUDM/chatglm3-6b-32k, modeling_chatglm.py.
   */
  #positionRatio(): Stated<number> | undefined {
    const name = this.#config.value('_name_or_path');
    return typeof name === 'string' && /chatglm2/i.test(name) ? this.#config.number('rope_ratio') : undefined;
  }

  #pairing(encoding: ModelEncoding): 'half' | 'interleaved' {
    if (encoding === 'rope_2d') return 'half';
    const family = familyOf(this.#modelType);
    if (family === undefined) this.#assume('pairing');
    if (this.#config.boolean('rope_interleave')?.value === false) return 'half';
    return family?.pairing ?? 'half';
  }
}

/** The block of MPT's configuration that says how it attends. */
function attention(config: Block): Block | undefined {
  return config.block('attn_config');
}

/** The terms of a DeBERTa score beside that of the contents: a list, or one text with bars. */
function termsOf(config: Block): ('c2p' | 'p2c')[] {
  const isText = typeof config.value('pos_att_type') === 'string';
  const text = isText ? config.string('pos_att_type')?.value.toLowerCase().split('|') : undefined;
  const names = text ?? config.list('pos_att_type')?.value ?? [];
  return (['c2p', 'p2c'] as const).filter((term) => names.includes(term));
}

function first<Value>(values: readonly (Value | undefined)[]): Value | undefined {
  return values.find((value) => value !== undefined);
}

function sum(values: readonly number[] | undefined): number | undefined {
  return values?.reduce((total, value) => total + value, 0);
}
