import { round } from '../shown.js';
import type { FactsOf } from '../table.js';

type Named<Name extends string> = { readonly [One in Name]: number };

/** What goes with a setting that is written for a target. */
const notes = {
  pairing: () =>
    'How channels are paired, and how many of them turn, follows from the architecture and the file of the model.',
  sections: () => 'The sections of time, height and width come from the file of the model.',
  'modelfile-versions': () =>
    'Versions from 0.1.35 on know num_ctx alone and refuse the two others: there, the keys rope.freq_base and rope.scaling of the GGUF file have to be right.',
  'yarn-factor': ({ factor }: Named<'factor'>) =>
    `YaRN multiplies cosines and sines by (1 + 0.1 ln factor) × attn_factor = ${factor}.`,
  'log-multiplier': ({ flag }: Named<'flag'>) =>
    `The strengths are read from rope.scaling.yarn_log_multiplier in the file by builds from December 2025 on, and by older ones for deepseek2. Others need --yarn-attn-factor ${flag}.`,
  'ignored-flag': ({ flag }: Named<'flag'>) =>
    `Builds from December 2025 on ignore --yarn-attn-factor with YaRN: there, set the key ARCH.rope.scaling.attn_factor to ${flag} with --override-kv.`,
  'softmax-in-file': ({ factor }: Named<'factor'>) =>
    `The multiplier of the softmax scale, ${factor}, has no flag: for DeepSeek's architectures it follows from rope.scaling.yarn_log_multiplier in the file.`,
  'exllama-base': ({ base }: Named<'base'>) =>
    `The base, ${base}, has no flag: config.json of the model has to state it. -rs is the factor of positions, -ra is alpha. The first ExLlama calls them -cpe and -a, and has -theta for the base.`,
  ropeconfig: () =>
    'The first number multiplies positions: it is 1 / factor. Without --ropeconfig the base is raised by itself for contexts longer than that of the file.',
  architecture: () => 'The architecture decides on the pairs of channels, and not every one reads head_dim.',
  'ntk-base': () => 'NTK-aware scaling has no type of its own here: the raised base is the same.',
  'dynamic-start': () =>
    'max_position_embeddings is the length from which on the base grows, so it is the original context.',
  'final-factor': () => 'attention_factor is final: it multiplies cosines and sines, and nothing else does.',
  'phi-moe': () => 'Only Phi-MoE reads short_mscale and long_mscale.',
  'softmax-in-code': ({ factor }: Named<'factor'>) =>
    `Models as DeepSeek's multiply the softmax scale by ${factor}, which their code takes from mscale_all_dim; other architectures do not.`,
  'vllm-yarn': () =>
    'YaRN holds at every length. attn_factor multiplies 0.1 ln factor + 1 here; attention_factor is not read.',
  'vllm-mscale': () =>
    "mscale and mscale_all_dim count for DeepSeek's architectures only, which also multiply the softmax scale.",
  'vllm-lists': () =>
    'The lists are chosen by --max-model-len: above the original context short texts take the long factors as well.',
};

const GREATER = 'More of the scaling that the model was trained with. It never saw such lengths.';

/** What speaks for a way to use a model with more tokens, and against it. */
const plans = {
  none: ({ trained, reach }: Named<'trained' | 'reach'>) =>
    `As it is: trained with ${trained} tokens${reach > trained ? `, scaled to ${reach}` : ''}.`,
  greater: () => GREATER,
  'every-divisor': ({ stretch }: Named<'stretch'>) =>
    `${GREATER} Every divisor of long texts is multiplied by ${round(stretch)}, that of the fastest pair as well.`,
  smaller: ({ factor, reach, stretch }: Named<'factor' | 'reach' | 'stretch'>) =>
    `Factor ${factor} reaches ${reach} tokens; ${stretch > 1 ? `${stretch} is enough` : 'none is needed'}, and changes short texts less.`,
  linear: ({ factor }: Named<'factor'>) =>
    `All pairs turn ${factor} times slower. No pair leaves its range, but neighbours become harder to tell apart; needs fine-tuning.`,
  ntk: ({ factor, alpha, target }: Named<'factor' | 'alpha' | 'target'>) =>
    `A greater base: the fastest pair is kept, only the slowest is divided by ${factor}. Alpha ${alpha} would keep all pairs in range at ${target} tokens.`,
  dynamic: ({ trained }: Named<'trained'>) =>
    `Short texts stay as they are; past ${trained} tokens the base grows with the length, and cached keys no longer match.`,
  yarn: () =>
    'Fast pairs are kept, slow ones interpolated, and scores are made steeper; the usual choice without fine-tuning.',
};

/** What is said about a setting, as data. */
export type Note = FactsOf<typeof notes>;

/** Why a way to use a model is as it is, as data. */
export type PlanReason = FactsOf<typeof plans>;

/** The sentences about settings in one language. The type check refuses a book that lacks one. */
export interface SettingBook {
  readonly notes: typeof notes;
  readonly plans: typeof plans;
}

export const settings: SettingBook = { notes, plans };
