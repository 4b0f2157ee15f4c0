import type { ErrorFacts } from '../errors/en.js';
import { cut, nameOf } from '../shown.js';
import type { FactsOf } from '../table.js';

type Choices = { readonly choices: readonly string[] };

/** What is wrong with a call, or with what it names. */
const usage = {
  command: ({ choices, value }: Choices & { value: string | undefined }) =>
    `a command must be one of ${choices.join(', ')}${value === undefined ? '' : `, not ${cut(value)}`}.`,
  choice: ({ option, choices, value }: Choices & { option: string; value: string }) =>
    `${option} must be one of ${choices.map(nameOf).join(', ')}, not ${cut(value)}.`,
  'one-file': ({ words }: { words: readonly string[] }) => `One FILE at a time: what is ${cut(words.join(' '), 120)}?`,
  'file-or-flags': () => 'Either FILE or --flags, not both.',
  belongs: ({ option, owners, command }: { option: string; owners: readonly string[]; command: string }) =>
    `--${option} belongs to ${owners.join(' and ')}, not to ${command}.`,
  'needs-target': () => 'plan needs --target N.',
  'needs-to': ({ choices }: Choices) => `convert needs --to, one of ${choices.join(', ')}.`,
  tokens: ({ option, value }: { option: string; value: string }) =>
    `${option} must be a whole number of tokens from 1 to 2147483647, not ${cut(value)}.`,
  /** `message` is that of the parser of options, whose language is English. */
  option: ({ message }: { message: string; name: string; unknown: boolean }) => cut(message, 200),
  'in-file': ({ file, error }: { file: string; error: ErrorFacts }) => `${cut(file, 200)}: ${error.message}`,
  'too-long-text': ({ path }: { path: string }) =>
    `${cut(path, 200)} is neither a GGUF file nor a text of a configuration's length.`,
  'empty-folder': ({ path }: { path: string }) => `There is no config.json in the folder ${cut(path, 200)}.`,
  'no-config': () => 'There is no config.json here: name a FILE, or see posenc --help.',
  'no-file': ({ path }: { path: string }) => `There is no file ${cut(path, 200)}.`,
  'too-long-input': () => 'Standard input is too long: name the file instead.',
  'no-rope': ({ encoding }: { encoding: string }) =>
    `The model has no rotary embedding: its positions are ${encoding}.`,
};

/** What an embedding comes to, as `check` prints it. */
export interface LayerFacts {
  readonly name: string;
  readonly headDim: number;
  readonly rotaryDim: number;
  readonly pairs: number;
  readonly pairing: string;
  readonly base: string;
  readonly scaling: string;
  readonly zones: readonly { readonly zone: Zone; readonly from: number; readonly to: number }[];
  readonly shortest: string;
  readonly longest: string;
  readonly turning: number | undefined;
  readonly trained: number | undefined;
  readonly attentionFactor: string;
  readonly softmaxFactor: string;
  readonly shortChange: string;
}

type Zone = 'kept' | 'blended' | 'scaled';

/** The phrases of the command line in one language. The type check refuses a book that lacks one. */
export interface CommandLineBook {
  readonly note: string;
  readonly usage: typeof usage;
  readonly zones: Readonly<Record<Zone, string>>;
  /** Lines about the embedding of a layer. */
  layer(facts: LayerFacts): string[];
}

/** What is wrong with a call, as data. */
export type UsageFacts = FactsOf<typeof usage>;

export const commandLine: CommandLineBook = {
  note: 'note: ',
  usage,
  zones: { kept: 'kept', blended: 'blended', scaled: 'scaled' },
  layer: (of) => [
    `${nameOf(of.name)}: head ${widthOf(of)}, ${of.pairs} pairs (${of.pairing}), base ${of.base}, ${of.scaling}`,
    `  pairs ${zonesOf(of, commandLine)}`,
    `  a turn takes ${of.shortest} … ${of.longest} tokens${of.turning === undefined ? '' : `; ${of.turning} of ${of.pairs} pairs complete one in ${of.trained} tokens`}`,
    `  attention factor ${of.attentionFactor}, softmax factor ${of.softmaxFactor}, change at distances below 100: ${of.shortChange}`,
  ],
};

/** "128", or "32 / 128" where a part of the head turns. */
export function widthOf({ rotaryDim, headDim }: LayerFacts): string {
  return rotaryDim === headDim ? `${headDim}` : `${rotaryDim} / ${headDim}`;
}

/** "0–14 kept, 15–63 scaled". */
export function zonesOf({ zones }: LayerFacts, book: CommandLineBook): string {
  return zones.map(({ zone, from, to }) => `${from}–${to} ${book.zones[zone]}`).join(', ');
}
