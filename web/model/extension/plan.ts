import { requireChoice, requireCount, requireOptions, withDefault } from '../../common/check.js';
import { PosencError } from '../../common/errors.js';
import { ropeFrequencies, type RopeFrequencies } from '../../rotary/frequencies.js';
import type { RopeParams } from '../../rotary/rope-params.js';
import { LANGUAGES, type Language } from '../../phrases/language.js';
import { settingBooks } from '../../phrases/settings/books.js';
import type { PlanReason } from '../../phrases/settings/en.js';
import { say } from '../../phrases/table.js';
import { RENDER_TARGETS, render, renderWith, type RenderTarget } from '../render/index.js';
import { pairsOutOfRange, shortChange, trainedRange, type TrainedRange } from './range.js';

/**
 * A way to use a model with more tokens:
 *
 * - `none`  as it is
 * - `smaller-factor`  the scaling that is there, by no more than the length needs
 * - `greater-factor`  the model's own scaling, by more
 * - `linear`, `ntk`, `dynamic`, `yarn`  the scaling of that type, put on the model as it was trained
 */
export type ExtensionRule = 'none' | 'smaller-factor' | 'greater-factor' | 'linear' | 'ntk' | 'dynamic' | 'yarn';

/** One of them, and what it does. */
export interface ExtensionOption extends RopeFrequencies {
  rule: ExtensionRule;
  /** One option of a plan is. */
  recommended: boolean;
  params: RopeParams;
  /** The base of the series at the length: greater than the model's for `ntk` and `dynamic`. */
  base: number;
  /** Pairs of a head. */
  pairs: number;
  /** Pairs that turn, at some distance within the length, through angles that the model never saw. */
  outOfRange: number;
  /** The greatest change of the mean cosine of all pairs at distances below 100 when only a short text is at hand. */
  shortChange: number;
  /** The line for llama.cpp; empty where it has no words for the setting. */
  flags: string;
  /** The same for every runtime that has words for it. */
  lines: Partial<Record<RenderTarget, string>>;
  /** What speaks for it and against it, in the language that was asked for. */
  why: string;
}

/** A way that was thought of, before it is measured. */
interface Draft {
  rule: ExtensionRule;
  params: RopeParams;
  why: PlanReason;
}

/**
 * The ways to use a model with so many tokens, each with its frequencies at that length, how many pairs leave the angles
 * that the model was trained with, what it does to short texts, and the lines to paste. One is recommended: nothing where
 * the context reaches or no pair leaves its angles, a smaller factor where one that was put on the model reaches too far,
 * otherwise YaRN, or more of the model's own scaling. Whether a model works that far is not known without measuring it.
 *
 * The tokens of training are `originalMaxPosition` for `default`, `linear`, `ntk`, `dynamic` and `yarn`, or `maxPosition`
 * where that is not given; the other types, and `linear` and `ntk` without an original context, are the model's own, and
 * it was trained with `maxPosition` tokens.
 *
 * Needs no engine.
 *
 * Errors: `bad-argument`, also where neither context is given.
 * Source: Peng et al. 2023, arXiv:2309.00071, sections 3.1 to 3.4, for the scalings.
 */
export function planExtension(
  params: RopeParams,
  targetLength: number,
  options: { language?: Language } = {},
): ExtensionOption[] {
  const { language: spoken } = requireOptions(options, { language: true });
  const language = requireChoice(withDefault(spoken, 'en'), 'language', LANGUAGES);
  const { plans } = settingBooks[language];
  requireCount(targetLength, 'targetLength');
  ropeFrequencies(params); // refuses what is wrong with them
  const trained = trainedRange(params);
  const drafts = [...present(params, trained, targetLength), ...added(params, trained, targetLength)];
  const chosen = recommendation(drafts, params, trained, targetLength);
  return drafts.map(({ rule, params: scaled, why }) => {
    const frequencies = ropeFrequencies(scaled, { seqLen: targetLength });
    const { invFreq } = frequencies;
    const lines = linesOf(scaled, targetLength);
    return {
      rule,
      recommended: rule === chosen,
      params: scaled,
      base: effectiveBase(scaled, frequencies),
      pairs: invFreq.length,
      outOfRange: pairsOutOfRange(trained, invFreq, targetLength),
      shortChange: shortChange(
        trained.invFreq,
        ropeFrequencies(scaled, { seqLen: Math.min(trained.length, targetLength) }).invFreq,
      ),
      ...frequencies,
      flags: lines['llama.cpp'] ?? '',
      lines,
      why: say(plans, why),
    };
  });
}

/** The model as it is, and with less or more of the scaling that it has. */
function present(params: RopeParams, trained: TrainedRange, targetLength: number): Draft[] {
  const { length, unscaled } = trained;
  const stretch = targetLength / length;
  const drafts: Draft[] = [
    {
      rule: 'none',
      params,
      why: { kind: 'none', trained: length, reach: reach(params, trained) },
    },
  ];
  if (unscaled === undefined) {
    if (stretch > 1)
      drafts.push({
        rule: 'greater-factor',
        params: stretched(params, trained, targetLength),
        why: params.type === 'longrope' ? { kind: 'every-divisor', stretch } : { kind: 'greater' },
      });
    return drafts;
  }
  if (scaleOf(params) <= Math.max(stretch, 1)) return drafts;
  const { attentionFactor: _, ...others } = params;
  const smaller: RopeParams =
    stretch > 1
      ? { ...others, factor: stretch, originalMaxPosition: length, maxPosition: targetLength }
      : { ...unscaled, maxPosition: length };
  drafts.push({
    rule: 'smaller-factor',
    params: smaller,
    why: { kind: 'smaller', factor: scaleOf(params), reach: length * scaleOf(params), stretch },
  });
  return drafts;
}

/** The scalings that can be put on a model that was trained without. */
function added(params: RopeParams, trained: TrainedRange, targetLength: number): Draft[] {
  const { length, unscaled } = trained;
  const factor = targetLength / length;
  if (unscaled === undefined || factor <= 1) return [];
  const put = { ...unscaled, factor, originalMaxPosition: length, maxPosition: targetLength };
  const { betaFast, betaSlow, truncate, mscale, mscaleAllDim } = params;
  const details = Object.fromEntries(
    Object.entries({ betaFast, betaSlow, truncate, mscale, mscaleAllDim }).filter(([, value]) => value !== undefined),
  );
  const drafts: Draft[] = [
    {
      rule: 'linear',
      params: { ...put, type: 'linear' },
      why: { kind: 'linear', factor },
    },
    {
      rule: 'ntk',
      params: { ...put, type: 'ntk' },
      why: enoughAlpha(put, trained, targetLength),
    },
    {
      rule: 'dynamic',
      params: { ...put, type: 'dynamic' },
      why: { kind: 'dynamic', trained: length },
    },
    {
      rule: 'yarn',
      params: { ...put, type: 'yarn', ...details },
      why: { kind: 'yarn' },
    },
  ];
  // Less of the scaling that is there is an option of its own.
  const isThere = (draft: Draft) => draft.rule === params.type && scaleOf(params) > factor;
  return drafts.filter((draft) => isPossible(draft.params) && !isThere(draft));
}

/** Which alpha would keep all pairs in range: the plain one is too small, since it divides only the slowest pair in full. */
function enoughAlpha(put: RopeParams & { factor: number }, trained: TrainedRange, targetLength: number): PlanReason {
  const slowest = trained.invFreq.length - 1;
  const first = trained.invFreq.findIndex((frequency) => frequency * trained.length < 2 * Math.PI);
  const alpha = first < 1 ? put.factor : put.factor ** (slowest / first);
  return { kind: 'ntk', factor: put.factor, alpha: Math.ceil(alpha * 100) / 100, target: targetLength };
}

/** More of a model's own scaling. */
function stretched(params: RopeParams, { length }: TrainedRange, targetLength: number): RopeParams {
  const stretch = targetLength / length;
  const { type, factor = 1, longFactor } = params;
  if (type !== 'longrope') return { ...params, factor: factor * stretch, maxPosition: targetLength };
  const { attentionFactor } = ropeFrequencies(params, { seqLen: length });
  return {
    ...params,
    factor: scaleOf(params) * stretch,
    maxPosition: targetLength,
    longFactor: (longFactor ?? []).map((divisor) => divisor * stretch),
    attentionFactor,
  };
}

/** By how much a scaling that was put on a model stretches its context. */
function scaleOf({ type = 'default', factor, originalMaxPosition, maxPosition }: RopeParams): number {
  if (type === 'default' || type === 'mrope') return 1;
  if (factor !== undefined) return factor;
  return originalMaxPosition === undefined || maxPosition === undefined ? 1 : maxPosition / originalMaxPosition;
}

/** Tokens that a model reaches as it is. */
function reach(params: RopeParams, { length, unscaled }: TrainedRange): number {
  return unscaled === undefined ? length : length * scaleOf(params);
}

function recommendation(
  drafts: readonly Draft[],
  params: RopeParams,
  trained: TrainedRange,
  targetLength: number,
): ExtensionRule {
  const has = (rule: ExtensionRule) => drafts.some((draft) => draft.rule === rule);
  if (targetLength <= reach(params, trained)) {
    // A context that counts the scaling in is one that the model is offered with.
    const isShipped = (params.maxPosition ?? 0) >= reach(params, trained);
    return has('smaller-factor') && params.type !== 'dynamic' && !isShipped ? 'smaller-factor' : 'none';
  }
  const { invFreq } = ropeFrequencies(params, { seqLen: targetLength });
  if (pairsOutOfRange(trained, invFreq, targetLength) === 0) return 'none';
  const [best = 'none'] = (['yarn', 'greater-factor', 'linear'] as const).filter(has);
  return best;
}

/** A scaling that leaves one pair alone needs a second one, and YaRN a base above 1. */
function isPossible(params: RopeParams): boolean {
  return unlessRefused(() => ropeFrequencies(params)) !== undefined;
}

/** The base whose plain series has the slowest frequency. */
function effectiveBase({ base = 10000, type }: RopeParams, { divisor }: RopeFrequencies): number {
  if (type !== 'ntk' && type !== 'dynamic') return base;
  const pairs = divisor.length;
  return base * (divisor[pairs - 1] as number) ** (pairs / (pairs - 1));
}

function linesOf(params: RopeParams, context: number): Partial<Record<RenderTarget, string>> {
  const lines = RENDER_TARGETS.map((target) => {
    // The lists of LongRoPE belong to the context that they were made for.
    const line = () => (params.type === 'longrope' ? render(params, target) : renderWith(context, params, target));
    return [target, unlessRefused(line)] as const;
  });
  return Object.fromEntries(lines.filter(([, line]) => line !== undefined));
}

/** A result, or nothing where it is refused. */
function unlessRefused<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof PosencError)) throw error;
    return undefined;
  }
}
