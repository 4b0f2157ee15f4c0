import { listed, nameOf, round, shown } from '../shown.js';
import type { ErrorFacts } from '../errors/en.js';

type Named<Name extends string> = { readonly [One in Name]: number };

/** The embedding of the layers of one name, in short. */
export interface LayerInShort {
  readonly name: string;
  readonly base: number | undefined;
  readonly type: string | undefined;
  readonly factor: number | undefined;
}

/** Where the factor of cosines and sines comes from, beside a strength of the softmax. */
type TableFactor =
  | { readonly from: 'given' | 'usual' }
  | { readonly from: 'ratio'; /** What it would be otherwise. */ readonly otherwise: number };

/** Why, by the code of a finding: the sentences about its facts. */
export const reasons = {
  conflict: (of: { setting: string; key: string; value: unknown; otherKey: string; otherValue: unknown }) =>
    `${nameOf(of.key)} gives ${shown(of.value)} and ${nameOf(of.otherKey)} gives ${shown(of.otherValue)} for ${of.setting}. The former is read here; another runtime may read the latter.`,
  unusable: ({ error }: { error: ErrorFacts }) => `${error.message}.`,
  mrope_section_sum: ({ sections, total, pairs }: { sections: readonly number[] } & Named<'total' | 'pairs'>) =>
    `The sections of time, height and width, ${listed(sections, (count) => `${count} more`, ' + ')} = ${total}, must be three and cover the ${pairs} pairs of a head.`,
  pairing_differs: (rows: Named<'half'>) =>
    `Unless the rows of the query and key projections were permuted in between, the scores are wrong. ${permutation(rows)}`,
  past_learned_table: ({ last }: Named<'last'>) =>
    `The learned table ends at position ${last}; positions past it do not exist.`,
  freq_base_missing: ({
    taken,
    base,
    turns,
  }: Named<'taken' | 'base'> & { turns: Named<'taken' | 'meant'> | undefined }) =>
    `The file states no rope.freq_base, so that a runtime takes ${taken} where the model has ${base}` +
    `${turns === undefined ? '' : `: the slowest pair turns once in ${round(turns.taken)} tokens instead of ${round(turns.meant)}`}. ` +
    `Override it with --rope-freq-base ${base} in llama.cpp, or PARAMETER rope_frequency_base ${base} in Ollama before 0.1.35.`,
  launch_differs: ({ setting, served, stated }: { setting: string; served: unknown; stated: unknown }) =>
    `The model is served with ${setting} ${shown(served)} where its source states ${shown(stated)}.`,
  past_context: ({ context, worst }: Named<'context'> & { worst: Named<'out' | 'pairs'> | undefined }) =>
    `The model is offered with ${context} tokens; ${worst === undefined ? 'slow pairs' : `${worst.out} of ${worst.pairs} pairs`} would turn through angles that it never saw.`,
  factor_too_large: ({ target, factor, attentionFactor }: Named<'target' | 'factor' | 'attentionFactor'>) =>
    `For ${target} tokens factor ${round(factor)} is enough, with attention factor ${round(attentionFactor)}. A larger one changes short prompts more than is needed.`,
  scale_and_base: ({ factor, base, shortest, longest }: Named<'factor' | 'base' | 'shortest' | 'longest'>) =>
    `Positions are divided by ${factor} and the base is ${base} at once, which is unusual: each stretches the context by itself. Together a turn takes ${round(shortest)} … ${round(longest)} tokens.`,
  scaling_for_size: ({ model, type, factor }: { model: string; type: string } & Named<'factor'>) =>
    `${model} of this size has the scaling ${type} with factor ${factor}.`,
  scaling_without_type: ({ type }: { type: string | undefined }) =>
    `Without a type beside it the embedding is read as ${type}, and the factor changes nothing.`,
  encoding_assumed: () =>
    'The architecture is unknown and no key is about positions, so that a rotary embedding is assumed.',
  head_dim_assumed: ({ headDim }: { headDim: number | undefined }) =>
    `Neither head_dim nor the sizes that give it are stated, so that ${headDim} is assumed.`,
  original_assumed: () =>
    'The scaling states no original context, so that max_position_embeddings is taken for it. If that counts the scaling in, the frequencies are wrong.',
  duplicate_key: ({ key }: { key: string }) =>
    `${nameOf(key)} stands twice in one object. The last value counts here, as in Python; another reader may take the first, or refuse the text.`,
  ramp_rounded: ({ changed, pairs, percent }: Named<'changed' | 'pairs' | 'percent'>) =>
    `The model leaves the bounds of the ramp between pairs as they are (truncate: false); llama.cpp and what builds on it round them to whole pairs, and have no setting for that. ${changed} of ${pairs} pairs turn at another speed, by up to ${round(percent)} %.`,
  scaling_shortens: (of: Named<'factor'> | Named<'original' | 'context'>) =>
    'factor' in of
      ? `A factor of ${of.factor} turns pairs faster than without it; one that stretches the context is above 1, perhaps ${round(1 / of.factor)}.`
      : `The original context of ${of.original} tokens is longer than the context of ${of.context}, to which the scaling is meant to stretch it.`,
  flags_alone: ({ headDim, base }: Named<'headDim' | 'base'>) =>
    `Flags say nothing of the model: heads of ${headDim} channels are assumed, and base ${base}. Check a model with these flags as what it is served with.`,
  pairing_assumed: () =>
    'The architecture is unknown, so that pairs of halves are assumed, as most models in this layout have.',
  freq_base_assumed: () =>
    'The file states no rope.freq_base, so that runtimes take 10000. Compare it with the config.json of the model.',
  pairing_permuted: (rows: Named<'half'>) =>
    `These weights were permuted when they were converted. ${permutation(rows)}`,
  head_dim_given: (of: Named<'hiddenSize' | 'heads'> & { key: string; value: unknown }) =>
    `Heads are ${shown(of.value)} wide, which ${nameOf(of.key)} gives; ${of.hiddenSize} / ${of.heads} counts only where it is absent.`,
  layer_tables: ({ layers }: { layers: readonly LayerInShort[] }) =>
    `Each type of layer has an embedding of its own. ${listed(layers.map(inShort), (count) => `${count} more`, '; ')}.`,
  unrotated_layers: () =>
    'Some layers have no rotary embedding: they see the order of tokens only through the causal mask and the other layers. A scaling does not reach them.',
  learned_table: ({ last }: Named<'last'>) =>
    `Positions are rows of a learned absolute table; there is no formula, and positions past ${last} do not exist.`,
  softmax_factor: ({ table, softmax, origin }: Named<'table' | 'softmax'> & { origin: TableFactor }) =>
    `Cosines and sines are multiplied by ${round(table)}, ${originOf(origin)}. Models as DeepSeek's multiply the softmax scale by ${round(softmax)} besides. A runtime that ignores the keys, or applies both to the table, is wrong.`,
  attention_factor_given: ({ given, computed }: Named<'given' | 'computed'>) =>
    `${round(given)} is final, in place of ${round(computed)}, which the scaling would give. A runtime that multiplies the two gets ${round(given * computed)}.`,
  short_prompts_changed: ({ type, factor, change }: Named<'factor' | 'change'> & { type: string }) =>
    `${type} with factor ${factor} holds at every length: at distances below 100 the mean cosine of all pairs changes by up to ${round(change)}. A model that was trained with it expects that; on any other it changes short prompts.`,
  depends_on_length: ({ type, original }: Named<'original'> & { type: 'dynamic' | 'longrope' }) =>
    type === 'dynamic'
      ? `The base grows once a text exceeds ${original} tokens and is the old one again for the next short text. Keys that were cached under another base do not match; a runtime that computes the base once, from the greatest length, changes short texts as well.`
      : `Texts of up to ${original} tokens take the short factors, longer ones the long factors. A runtime that chooses by the size it allocates takes the long ones for short texts as well; keys cached before the change do not match.`,
  legacy_key: () => 'The key is now called rope_type; a runtime that knows only the new name misses the scaling.',
  not_read: ({ names, joined }: { names: readonly string[]; joined: boolean }) =>
    `Not read here, since it is not about positions, its name is not known or no type here does the same: ${listed(names, (count) => `${count} more`)}.${joined ? ' llama.cpp takes no value after =: a space has to be there.' : ''}`,
};

export const meanings = {
  conflict: 'two keys state different values of one parameter',
  unusable: 'a parameter is missing or out of range, so that no frequency can be computed',
  mrope_section_sum: 'the sections of time, height and width do not cover the pairs',
  pairing_differs: 'the weights are laid out for another pairing than they are served with',
  past_learned_table: 'the length asked for is longer than the learned table',
  freq_base_missing: 'a GGUF file states no base, so that a runtime takes 10000 where the model has another',
  launch_differs: 'the model is served with another value than its source states',
  past_context: 'the length asked for is longer than the context',
  factor_too_large: 'a smaller factor reaches the length asked for, and changes short prompts less',
  scale_and_base: 'flags scale the positions and set a base at once',
  scaling_for_size: 'the published model of this size has another scaling',
  scaling_without_type: 'a scaling factor without a type is not read',
  encoding_assumed: 'nothing says how positions are encoded',
  head_dim_assumed: 'nothing says how wide a head is',
  original_assumed: 'a scaling states no original context, and the context is taken for it',
  duplicate_key: 'a key stands twice in one object, of which readers may take either',
  ramp_rounded: 'a runtime rounds the bounds of the ramp of YaRN, which the model does not',
  scaling_shortens: 'a scaling makes the context shorter than the original one',
  flags_alone: 'flags say nothing of the model that they are for',
  pairing_assumed: 'the architecture is unknown, and so is its pairing',
  freq_base_assumed: 'a GGUF file states no base, and 10000 is taken',
  pairing_permuted: 'the pairing depends on where the weights come from',
  head_dim_given: 'a head is not hidden size / heads wide',
  layer_tables: 'the layers do not share one embedding',
  unrotated_layers: 'some layers have no rotary embedding',
  learned_table: 'positions are rows of a learned table, and there is no formula',
  softmax_factor: 'a strength of YaRN multiplies the softmax, beside what multiplies the table',
  attention_factor_given: 'the attention factor is given, and final',
  short_prompts_changed: 'the scaling changes short prompts as well',
  depends_on_length: 'the frequencies depend on the length of the text',
  legacy_key: 'a key has an older name',
  not_read: 'something was given that does not count here',
} satisfies Record<FindingCode, string>;

/** What a finding is called; the codes do not change. */
export type FindingCode = keyof typeof reasons;

/** The sentences of findings in one language. The type check refuses a book that lacks one. */
export type FindingBook = typeof reasons;

/** What each code means, for a list of them all, in one language. */
export type MeaningBook = Readonly<Record<FindingCode, string>>;

function permutation({ half }: Named<'half'>): string {
  return (
    `In each head of the query and key projections, rows i and i + ${half} for pairs of halves are rows 2i and ` +
    '2i + 1 for pairs of neighbours; those of the value projection stay where they are.'
  );
}

/** "full_attention: base 1000000, linear 8". */
export function inShort({ name, base, type, factor }: LayerInShort): string {
  return `${name}: base ${base}, ${type}${factor === undefined ? '' : ` ${factor}`}`;
}

function originOf(origin: TableFactor): string {
  if (origin.from === 'ratio') {
    return `the ratio of the two strengths; without these keys it would be ${round(origin.otherwise)}`;
  }
  return origin.from === 'given'
    ? 'the attention factor that is given, which leaves the strengths to the softmax'
    : 'the usual factor of YaRN, since only mscale_all_dim is given and not mscale';
}
