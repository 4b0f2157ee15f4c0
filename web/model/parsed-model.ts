import type { RopeParams } from '../rotary/rope-params.js';

/** What tells a model the order of its tokens, by the names of the registry; `none` for a model that has nothing. */
export type ModelEncoding =
  | 'rope'
  | 'mrope'
  | 'rope_2d'
  | 'learned'
  | 'sinusoidal'
  | 'alibi'
  | 't5'
  | 'shaw'
  | 'deberta'
  | 'transformer_xl'
  | 'none';

/** The rotary embedding of the layers of one kind. */
export interface ModelLayer {
  /** `all`, or the layer type as the source names it: `full_attention`, `sliding_attention`. */
  name: string;
  params: RopeParams;
}

/** What a statement sets: a rotary parameter. */
export type Setting = keyof RopeParams;

/** A value that the source states. */
export interface Statement {
  /** The path of the key in the source: `text_config.rope_scaling.factor`. */
  key: string;
  /** The value, in the units of the setting. */
  value: unknown;
  setting: Setting;
  /** The layer it holds for, by its name. */
  layer: string;
}

/** What a source may leave open. */
export type Assumption = 'encoding' | 'headDim' | 'pairing' | 'originalMaxPosition';

/** Programs that are told by flags how to rotate. */
export type Runtime = 'llama.cpp' | 'koboldcpp' | 'exllama' | 'ollama' | 'vllm' | 'sglang';

/** What a source says about the positions of a model, in the names of this package. */
export interface ParsedModel {
  source: 'hf' | 'gguf' | 'flags';
  /** What the source calls the architecture, where it does: `llama`. */
  modelType?: string;
  /** Of `flags`: the program that they are for. */
  runtime?: Runtime;
  /** Of `hf`: `v5` where `rope_parameters` are given, otherwise `v4`. */
  schema?: 'v4' | 'v5';
  encoding: ModelEncoding;
  /** The rotary embeddings: one for all layers, or one per layer type. None where the encoding is not rotary. */
  layers: ModelLayer[];
  /** Whether some layers have no rotary embedding, and no other encoding either. */
  unrotatedLayers?: boolean;
  /** Tokens of the context that the model is offered with. */
  maxPosition?: number;
  /**
   * Of `flags` that divide positions and have an alpha besides: what raises the base, which is that of the model that they
   * are for, or the one that they state.
   */
  raised?: { alpha: number; base?: number };
  /** Whether the model was trained further with its scaling, where the source says so. */
  finetuned?: boolean;
  /** Heads of the queries. */
  heads?: number;
  /** Channels of a token. */
  hiddenSize?: number;
  /** Of `learned`: positions 0 to positions − 1 exist, at the rows from `offset` on. */
  learned?: { positions: number; offset: number };
  /** Of `alibi`: the options of `alibiSlopes`. */
  alibi?: { heads: number; biasMax: number };
  /** Of `t5`: the options of `t5Bias`. The encoder looks both ways, the decoder back. */
  t5?: { heads: number; buckets: number; maxDistance: number };
  /** Of `deberta`: the options of `debertaScores`; `terms` are those added to the score of the contents. */
  deberta?: { heads: number; span: number; maxPosition: number; bucketSize?: number; terms: ('c2p' | 'p2c')[] };
  /** Of `transformer_xl`: the options of `transformerXlScores`. */
  transformerXl?: { heads: number; causal: boolean; clampLength?: number; memoryLength?: number };
  /** Of `rope_2d`: the option of `rope2d`. */
  variant?: 'chatglm';
  /** Where each rotary parameter was found: the first statement of a setting and layer counts. */
  statements: Statement[];
  /** What the source leaves open, so that it was filled in. */
  assumed: Assumption[];
  /** Keys that stand twice in one object of a text in JSON, by their paths, the first 16: the last of the two counts. */
  duplicateKeys?: string[];
  /** @deprecated the name of `duplicateKeys` before; it goes with the next release. */
  doubledKeys?: string[];
  /** What was given and does not count here: flags that are not about positions or are misspelt, keys without a counterpart. */
  unread?: string[];
}
