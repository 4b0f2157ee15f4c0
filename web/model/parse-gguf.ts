import { given } from '../common/check.js';
import { ByteSource } from './files/byte-source.js';
import { readGgufFloats, readGgufHeader, type GgufHeader } from './files/gguf-header.js';
import { badArgument } from '../common/errors.js';
import type { RopeParams, RopeType } from '../rotary/rope-params.js';
import { Block } from './block.js';
import { paramsWithFactors } from './frequency-factors.js';
import { ggufFamilyOf, type GgufFamily } from './gguf-families.js';
import type { Assumption, ModelEncoding, ModelLayer, ParsedModel, Setting, Statement } from './parsed-model.js';
import { yarnAttentionFactor } from './yarn-attention.js';

/** Tensors that are about positions. */
const FACTORS = 'rope_freqs.weight';
const SHORT_FACTORS = 'rope_factors_short.weight';
const LONG_FACTORS = 'rope_factors_long.weight';
const LEARNED_TABLE = 'position_embd.weight';
const FACTOR_TENSORS = [FACTORS, SHORT_FACTORS, LONG_FACTORS] as const;

/** The most factors that are read: far more than any head has pairs. */
const MAX_FACTORS = 2 ** 16;

/** The width of a head where nothing in a file gives it. */
const ASSUMED_HEAD_DIM = 128;

/** The keys under `rope` that are read. */
const READ_KEYS = [
  'dimension_count',
  'dimension_count_swa',
  'dimension_sections',
  'freq_base',
  'freq_base_swa',
  'scale_linear',
  'scaling.type',
  'scaling.factor',
  'scaling.original_context_length',
  'scaling.attn_factor',
  'scaling.finetuned',
  'scaling.yarn_log_multiplier',
  'scaling.yarn_beta_fast',
  'scaling.yarn_beta_slow',
] as const;

const TYPES: Readonly<Record<string, RopeType>> = {
  none: 'default',
  linear: 'linear',
  yarn: 'yarn',
  longrope: 'longrope',
};

/**
 * Reads what a GGUF file says about positions, as llama.cpp understands it: the keys under `rope` of its architecture, the
 * length of the context, the widths of heads, and the tensors with factors of frequencies or a learned table. The pairing is
 * that of the weights in this format.
 *
 * Only the header and these tensors are read, slice by slice: at most 64 MB, of a file of any size. Versions 2 and 3, either
 * byte order; of a file in parts, the first. What has to be assumed is named in `assumed`, keys under `rope` that do not
 * count in `unread`.
 *
 * The attention factor of YaRN is the whole one, with what ggml multiplies by itself.
 *
 * Needs no engine.
 *
 * Errors: `bad-argument`, for a file that is no GGUF, breaks the format, or is shorter than its tensors, and for a value of
 * the wrong type; `argument` is `source` or the key.
 * Source: ggml-org/ggml, docs/gguf.md; ggml-org/llama.cpp, src/llama-model.cpp and src/llama-context.cpp.
 */
export async function parseGguf(source: Blob | ArrayBuffer): Promise<ParsedModel> {
  const file = new ByteSource(source);
  const isAboutPositions = (name: string) => name === LEARNED_TABLE || FACTOR_TENSORS.some((tensor) => tensor === name);
  const header = await readGgufHeader(file, isAboutPositions);
  const factors = new Map<string, number[]>();
  for (const name of FACTOR_TENSORS) {
    const tensor = header.tensors.get(name);
    if (tensor === undefined) continue;
    const count = tensor.shape.reduce((product, size) => product * size, 1);
    if (count > MAX_FACTORS) throw file.wrongValue({ kind: 'tensor-numbers', name, most: MAX_FACTORS }, count);
    const floats = await readGgufFloats(file, header, tensor);
    if (floats === undefined)
      throw file.wrong(
        { kind: 'tensor-type', name, choices: ['F32', 'F16', 'BF16', 'F64'] },
        { kind: 'type', number: tensor.type },
      );
    factors.set(name, Array.from(floats));
  }
  return new GgufReader(file, header, factors).read();
}

/** Reads one header. */
class GgufReader {
  readonly #keys: Block;
  readonly #header: GgufHeader;
  readonly #factors: ReadonlyMap<string, number[]>;
  readonly #architecture: string;
  readonly #family: GgufFamily;
  readonly #statements: Statement[] = [];
  readonly #assumed: Assumption[] = [];
  readonly #unread: string[] = [];

  constructor(file: ByteSource, header: GgufHeader, factors: ReadonlyMap<string, number[]>) {
    this.#keys = new Block(Object.fromEntries(header.values), '');
    this.#header = header;
    this.#factors = factors;
    const architecture = this.#keys.string('general.architecture')?.value;
    if (architecture === undefined)
      throw file.wrong({ kind: 'gguf-key', key: 'general.architecture' }, { kind: 'without' });
    this.#architecture = architecture;
    this.#family = ggufFamilyOf(architecture) ?? {};
  }

  read(): ParsedModel {
    const encoding = this.#encoding();
    const layers = encoding === 'rope' ? this.#layers() : [];
    const isMrope = layers.some(({ params }) => params.mropeSection !== undefined);
    const optional = {
      maxPosition: this.#count('context_length'),
      heads: this.#heads(),
      hiddenSize: this.#count('embedding_length'),
      finetuned: this.#keys.boolean(this.#key('rope.scaling.finetuned'))?.value,
      ...this.#facts(encoding),
      unread: this.#unreadKeys(encoding === 'rope'),
    };
    return {
      source: 'gguf',
      modelType: this.#architecture,
      encoding: isMrope ? 'mrope' : encoding,
      layers,
      ...given(optional),
      statements: this.#statements,
      assumed: this.#assumed,
    };
  }

  #key(name: string): string {
    return `${this.#architecture}.${name}`;
  }

  #count(name: string): number | undefined {
    return this.#keys.count(this.#key(name))?.value;
  }

  #number(name: string): number | undefined {
    return this.#keys.number(this.#key(name))?.value;
  }

  /** Heads of the queries; of a file that states them per layer, those of the first layer with any. */
  #heads(): number | undefined {
    const key = this.#key('attention.head_count');
    if (!Array.isArray(this.#keys.value(key))) return this.#keys.count(key)?.value;
    return this.#keys.numbers(key)?.value.find((count) => count > 0);
  }

  #encoding(): ModelEncoding {
    if (this.#header.tensors.has(LEARNED_TABLE)) return 'learned';
    if ((this.#number('attention.max_alibi_bias') ?? 0) > 0) return 'alibi';
    // The 7B and 13B models of Baichuan share their architecture, and only the larger one has biases; nothing else tells.
    if (this.#architecture === 'baichuan' && this.#count('embedding_length') === 5120) return 'alibi';
    const hasRope = this.#keys.keys().some((key) => key.startsWith(this.#key('rope.')));
    const known = ggufFamilyOf(this.#architecture);
    if (known === undefined && !hasRope && this.#factors.size === 0) this.#assumed.push('encoding');
    return known?.encoding ?? 'rope';
  }

  #facts(encoding: ModelEncoding): Partial<ParsedModel> {
    const heads = () => this.#required(this.#heads(), 'attention.head_count', encoding);
    switch (encoding) {
      case 'learned': {
        const rows = this.#header.tensors.get(LEARNED_TABLE)?.shape[1] ?? this.#count('context_length');
        return { learned: { positions: this.#required(rows, 'context_length', encoding), offset: 0 } };
      }
      case 'alibi':
        return { alibi: { heads: heads(), biasMax: this.#number('attention.max_alibi_bias') || 8 } };
      case 't5': {
        const buckets = this.#count('attention.relative_buckets_count') ?? 32;
        return { t5: { heads: heads(), buckets, maxDistance: 128 } };
      }
      default:
        return {};
    }
  }

  #required(value: number | undefined, name: string, encoding: string): number {
    if (value === undefined) throw badArgument(this.#key(name), { kind: 'given', encoding }, undefined);
    return value;
  }

  #unreadKeys(isRotary: boolean): string[] | undefined {
    const prefix = this.#key('rope.');
    const read = (key: string) => isRotary && READ_KEYS.some((name) => key === `${prefix}${name}`);
    const unread = this.#keys.keys().filter((key) => key.startsWith(prefix) && !read(key));
    const all = [...unread, ...this.#unread];
    return all.length === 0 ? undefined : all;
  }

  #layers(): ModelLayer[] {
    if (this.#family.pairing === undefined) this.#assumed.push('pairing');
    const hasLocal = this.#family.localBase !== undefined || this.#keys.has(this.#key('rope.freq_base_swa'));
    if (!hasLocal) return [{ name: 'all', params: this.#params('all') }];
    return [
      { name: 'full_attention', params: this.#params('full_attention') },
      { name: 'sliding_attention', params: this.#localParams('sliding_attention') },
    ];
  }

  /** Records what a key states and returns it. */
  #take<Value>(
    layer: string,
    setting: Setting,
    stated: { key: string; value: Value } | undefined,
    convert: (value: Value) => Value = (value) => value,
  ): Value | undefined {
    if (stated === undefined) return undefined;
    const value = convert(stated.value);
    this.#statements.push({ key: stated.key, value, setting, layer });
    return value;
  }

  /** Layers that look at a window have no scaling. */
  #localParams(layer: string): RopeParams {
    const base = this.#take(layer, 'base', this.#keys.number(this.#key('rope.freq_base_swa')));
    return { ...this.#plain(layer, '_swa', base ?? this.#family.localBase ?? 10000), type: 'default' };
  }

  #plain(layer: string, ending: '' | '_swa', base: number): RopeParams {
    const maxPosition = this.#take(layer, 'maxPosition', this.#keys.count(this.#key('context_length')));
    const pairing = this.#family.pairing ?? 'half';
    return { ...this.#sizes(layer, ending), base, pairing, ...given({ maxPosition }) };
  }

  #params(layer: string): RopeParams {
    const base = this.#take(layer, 'base', this.#keys.number(this.#key('rope.freq_base')));
    return this.#scaled({ ...this.#plain(layer, '', base ?? 10000), ...this.#sections(layer) }, layer);
  }

  #sizes(layer: string, ending: '' | '_swa'): { headDim: number; rotaryDim: number } {
    const widths = (name: string) =>
      [`${name}${ending}`, name].map((one) => this.#keys.count(this.#key(one))).find((stated) => stated !== undefined);
    const turned = widths('rope.dimension_count');
    // Latent attention rotates a part of the head that is stored apart.
    if (turned !== undefined && this.#keys.has(this.#key('attention.kv_lora_rank'))) {
      const headDim = this.#take(layer, 'headDim', turned) as number;
      return { headDim, rotaryDim: headDim };
    }
    const stated = this.#take(layer, 'headDim', widths('attention.key_length'));
    const headDim = stated ?? this.#headDimBySizes() ?? turned?.value;
    if (headDim === undefined && !this.#assumed.includes('headDim')) this.#assumed.push('headDim');
    const width = headDim ?? ASSUMED_HEAD_DIM;
    return { headDim: width, rotaryDim: this.#take(layer, 'rotaryDim', turned) ?? width };
  }

  #headDimBySizes(): number | undefined {
    const [channels, heads] = [this.#count('embedding_length'), this.#heads()];
    if (channels === undefined || heads === undefined) return undefined;
    if (channels % heads === 0) return channels / heads;
    const rule = {
      kind: 'multiple',
      of: 'attention.head_count',
      value: heads,
      without: 'attention.key_length',
    } as const;
    throw badArgument(this.#key('embedding_length'), rule, channels);
  }

  #sections(layer: string): { mropeSection?: number[]; mropeInterleaved?: boolean } {
    const stated = this.#keys.numbers(this.#key('rope.dimension_sections'));
    // The fourth is that of a second time, which models of text and images do not have.
    const sections = stated?.value.slice(0, 3) ?? [];
    if (stated === undefined || sections.every((pairs) => pairs === 0)) return {};
    this.#take(layer, 'mropeSection', { key: stated.key, value: sections });
    return {
      mropeSection: sections,
      ...(this.#family.mropeInterleaved === undefined ? {} : { mropeInterleaved: true }),
    };
  }

  #scaled(plain: RopeParams, layer: string): RopeParams {
    const number = (name: string) => this.#keys.number(this.#key(`rope.${name}`));
    const type = this.#take<RopeType>(layer, 'type', this.#type());
    const stated = [number('scaling.factor'), number('scale_linear')].filter((one) => one !== undefined);
    // 0 is what converters write for none.
    const factors = stated.filter(({ value }) => value !== 0);
    for (const one of factors) this.#take(layer, 'factor', one);
    const factor = factors[0]?.value;
    const original = this.#take(
      layer,
      'originalMaxPosition',
      this.#keys.count(this.#key('rope.scaling.original_context_length')),
    );
    const attnFactor = number('scaling.attn_factor');
    const attention = attnFactor?.value ?? 1;
    const scaled: RopeParams = {
      ...plain,
      ...given({ factor, originalMaxPosition: original, attentionFactor: attnFactor?.value }),
    };
    if (this.#factors.has(LONG_FACTORS) && this.#factors.has(SHORT_FACTORS)) {
      if (attnFactor !== undefined) this.#take(layer, 'attentionFactor', attnFactor);
      return { ...scaled, attentionFactor: attention, type: 'longrope', ...this.#lists(layer) };
    }
    if (type === 'yarn') return this.#yarn({ ...scaled, type, factor: factor ?? 1 }, layer);
    if (attnFactor !== undefined) this.#take(layer, 'attentionFactor', attnFactor);
    const divisors = this.#factors.get(FACTORS);
    if (divisors !== undefined && type !== 'longrope') {
      this.#take(layer, 'shortFactor', { key: FACTORS, value: divisors });
      return paramsWithFactors(scaled, divisors);
    }
    const isScaled = type !== 'default' && (factor !== undefined || type === 'longrope');
    return { ...scaled, type: isScaled ? (type ?? 'linear') : 'default' };
  }

  #type(): { key: string; value: RopeType } | undefined {
    const stated = this.#keys.string(this.#key('rope.scaling.type'));
    if (stated === undefined) return undefined;
    const type = Object.hasOwn(TYPES, stated.value) ? TYPES[stated.value] : undefined;
    if (type === undefined) throw badArgument(stated.key, { kind: 'name', choices: Object.keys(TYPES) }, stated.value);
    return { key: stated.key, value: type };
  }

  #lists(layer: string): { shortFactor: number[]; longFactor: number[] } {
    const list = (setting: 'shortFactor' | 'longFactor', key: string) =>
      this.#take(layer, setting, { key, value: this.#factors.get(key) as number[] }) as number[];
    return { shortFactor: list('shortFactor', SHORT_FACTORS), longFactor: list('longFactor', LONG_FACTORS) };
  }

  /** Source: src/llama-context.cpp, which computes the attention factor, and the converters, which write 0.1 × mscale_all_dim. */
  #yarn(scaled: RopeParams, layer: string): RopeParams {
    const number = (name: string) => this.#keys.number(this.#key(`rope.scaling.${name}`));
    const { attentionFactor: stated, ...params } = scaled;
    const betaFast = this.#take(layer, 'betaFast', number('yarn_beta_fast'));
    const betaSlow = this.#take(layer, 'betaSlow', number('yarn_beta_slow'));
    const mscaleAllDim = this.#take(layer, 'mscaleAllDim', number('yarn_log_multiplier'), (value) =>
      Math.fround(value / Math.fround(0.1)),
    );
    if (this.#factors.has(FACTORS)) this.#unread.push(FACTORS);
    const yarn: RopeParams = {
      ...params,
      ...given({ betaFast, betaSlow }),
      ...(mscaleAllDim === undefined || mscaleAllDim === 0
        ? {}
        : { mscaleAllDim, mscale: this.#family.cancelsMscale ? mscaleAllDim : 1 }),
    };
    if (stated === undefined || stated === 1) return yarn;
    const attentionFactor = stated * yarnAttentionFactor(yarn);
    const attnKey = this.#key('rope.scaling.attn_factor');
    this.#take(layer, 'attentionFactor', { key: attnKey, value: attentionFactor });
    return { ...yarn, attentionFactor };
  }
}
