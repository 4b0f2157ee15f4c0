import { requireCount } from '../../common/check.js';
import type { NoWords } from '../../phrases/errors/en.js';
import { PosencError, refusal } from '../../common/errors.js';
import { ropeFrequencies, ropeLayout } from '../../rotary/frequencies.js';
import type { RopeParams, RopeType } from '../../rotary/rope-params.js';
import type { Note } from '../../phrases/settings/en.js';

/** Where a setting can be written: a configuration of Hugging Face, or the words of a runtime. */
export type RenderTarget = 'hf-v4' | 'hf-v5' | 'llama.cpp' | 'koboldcpp' | 'exllama' | 'ollama' | 'vllm';

/** A setting as one kind of target writes it. */
export interface Writer {
  write(setting: RotarySetting): string;
  /** The settings of several layers at once, where there are words for that. */
  writeLayers?(layers: readonly LayerSetting[]): string;
  /** What the reader of the line should know: what it leaves out, and what the runtime does otherwise. */
  notes(setting: RotarySetting): Note[];
}

/** The setting of the layers of one name. */
export interface LayerSetting {
  name: string;
  setting: RotarySetting;
}

/** A rotary embedding with everything filled in that its parameters leave open. */
export interface RotarySetting {
  params: RopeParams;
  headDim: number;
  /** Channels that turn. */
  rotaryDim: number;
  pairing: 'half' | 'interleaved';
  base: number;
  type: RopeType;
  /** 1 where the type has none. */
  factor: number;
  original?: number;
  /** Tokens that the model is offered with. */
  context?: number;
  /** Tokens for a runtime to make room for: more where a scaling that was put on the model reaches further. */
  room?: number;
  attentionFactor: number;
  /** What the attention factor is where nothing but the type and its factor are given. */
  usualAttentionFactor: number;
  softmaxFactor: number;
}

/** Reads and checks the parameters. */
export function settingOf(params: RopeParams): RotarySetting {
  const { headDim, pairing } = ropeLayout(params, 'params', '');
  const { attentionFactor, softmaxFactor } = ropeFrequencies(params);
  const { attentionFactor: _, mscale: __, mscaleAllDim: ___, ...usual } = params;
  const { type = 'default', base = 10000, rotaryDim = headDim, originalMaxPosition, maxPosition } = params;
  // A type that needs no context has not checked it.
  if (originalMaxPosition !== undefined) requireCount(originalMaxPosition, 'originalMaxPosition');
  if (maxPosition !== undefined) requireCount(maxPosition, 'maxPosition');
  const original = originalMaxPosition ?? (hasOriginal(type) ? maxPosition : undefined);
  const factor = params.factor ?? (original !== undefined && maxPosition !== undefined ? maxPosition / original : 1);
  const reach = type === 'yarn' || type === 'linear' ? Math.floor((originalMaxPosition ?? 0) * factor) : 0;
  return {
    params,
    headDim,
    rotaryDim,
    pairing,
    base,
    type,
    factor,
    ...(original === undefined ? {} : { original }),
    ...(maxPosition === undefined ? {} : { context: maxPosition, room: Math.max(maxPosition, reach) }),
    attentionFactor,
    usualAttentionFactor: ropeFrequencies(usual).attentionFactor,
    softmaxFactor,
  };
}

function hasOriginal(type: RopeType): boolean {
  return type === 'yarn' || type === 'dynamic' || type === 'longrope';
}

/** The base that does what `ntk` does: base × factor^(r / (r − 2)). */
export function raisedBase({ base, factor, rotaryDim }: RotarySetting): number {
  return base * factor ** (rotaryDim / (rotaryDim - 2));
}

/** The refusal to write what a target has no words for. */
export function inexpressible(
  target: RenderTarget,
  argument: string,
  got: unknown,
  why: NoWords['why'],
  unreadBy?: RopeType,
): PosencError {
  const type = unreadBy === undefined ? {} : { type: unreadBy };
  const rule = { kind: 'no-words', target, value: String(got), why, ...type } as const;
  return refusal('inexpressible', { argument, rule, got });
}

/** Whether two factors are the same but for rounding. */
export function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.abs(b);
}

/** The remark on what no target is told. */
export const PAIRING: Note = { kind: 'pairing' };

/** A number as a line has it, with no more digits than tell it from its neighbours. */
export function digits(value: number): string {
  return String(value);
}
