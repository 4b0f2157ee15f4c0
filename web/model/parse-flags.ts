import { asDuplicates } from './files/duplicate-keys.js';
import { requireChoice, requireOptions } from '../common/check.js';
import { badArgument, badState } from '../common/errors.js';
import { exllama } from './flags/exllama.js';
import { koboldCpp } from './flags/koboldcpp.js';
import { llamaCpp } from './flags/llama-cpp.js';
import { modelfileParameters, ollama } from './flags/ollama.js';
import { FlagSettings, type Flag, type FlagSyntax } from './flags/settings.js';
import { sglang } from './flags/sglang.js';
import { shellWords } from './flags/shell-words.js';
import { vllm } from './flags/vllm.js';
import type { ParsedModel, Runtime } from './parsed-model.js';

export interface ParseFlagsOptions {
  /** The program that the flags are for. By default the one that knows most of them. */
  runtime?: Runtime;
}

const SYNTAXES: Readonly<Record<Runtime, FlagSyntax>> = {
  'llama.cpp': llamaCpp,
  koboldcpp: koboldCpp,
  exllama,
  ollama,
  vllm,
  sglang,
};

/** The longest text that is read, in characters. */
const MAX_TEXT = 2 ** 20;

/** The width of a head, which no flag states. */
const ASSUMED_HEAD_DIM = 128;

/**
 * Reads what flags say about positions: a command line of llama.cpp, KoboldCpp, ExLlama, vLLM or SGLang, quoted as in a shell, or the
 * parameters of an Ollama Modelfile. It need not be complete: the flags alone will do.
 *
 * `params` has what is stated and no more; the head width is always assumed. Where flags repeat each other, the last one
 * counts, and `statements` has it first. Flags that are not about positions, and those that the program does not know, are in
 * `unread` with their values; so is `--flag=value` for llama.cpp, which takes no such words.
 *
 * `--rope-scale 8` and `--rope-freq-scale 0.125` are the same: a factor of 8. `--yarn-attn-factor` is multiplied by what ggml
 * multiplies by itself, as in builds before that was taken back (llama.cpp pull request 17945).
 *
 * ExLlama's alpha beside a factor of positions is a greater base: 10000 and heads of 128 channels are assumed, and `check`
 * takes the base and the width of the model that the flags are a `launch` for.
 *
 * Needs no engine.
 *
 * Errors: `bad-argument`, for a line without any flag about positions, a quote that is not closed, and a flag whose value is
 * missing or of the wrong type; `argument` is `line` or the flag.
 */
export function parseFlags(line: string, options: ParseFlagsOptions = {}): ParsedModel {
  if (typeof line !== 'string') throw badArgument('line', { kind: 'type', types: ['string'] }, line);
  if (line.length > MAX_TEXT)
    throw badState('line', { kind: 'characters', most: MAX_TEXT }, { kind: 'characters', count: line.length });
  const { runtime, words } = split(line, requireOptions(options, { runtime: true }).runtime);
  const syntax = SYNTAXES[runtime];
  const settings = new FlagSettings();
  for (const { name, values } of words) read(syntax, settings, name, values);
  syntax.finish?.(settings);
  if (words.length === 0) throw noFlags(line);
  return parsed(runtime, settings);
}

/** A flag and what follows it up to the next one. */
interface Word {
  name: string;
  values: string[];
}

function split(line: string, wanted: Runtime | undefined): { runtime: Runtime; words: Word[] } {
  if (wanted !== undefined) requireChoice(wanted, 'runtime', SYNTAXES);
  const parameters = modelfileParameters(line);
  if (wanted === 'ollama' || (wanted === undefined && parameters.length > 0)) {
    return { runtime: 'ollama', words: parameters.map(([name, value]) => ({ name, values: [value] })) };
  }
  const { commands, words } = grouped(shellWords(line));
  return { runtime: wanted ?? guess(line, commands, words), words };
}

function grouped(all: readonly string[]): { commands: string[]; words: Word[] } {
  const commands: string[] = [];
  const words: Word[] = [];
  for (const word of all) {
    if (/^--?[a-z]/i.test(word)) words.push({ name: word, values: [] });
    else (words.at(-1)?.values ?? commands).push(word);
  }
  return { commands, words };
}

/** The program that is named, or else the one that knows the most flags, the first of several. */
function guess(line: string, commands: readonly string[], words: readonly Word[]): Runtime {
  const score = (syntax: FlagSyntax) => {
    const isNamed = commands.some((command) => syntax.commands.includes(command.replace(/^.*[/\\]/, '')));
    const known = words.filter(({ name, values }) => {
      const { key, inline } = partsOf(name);
      // Written with = as well, since what a program refuses may still be meant for it.
      const flag = flagOf(syntax, key);
      if (flag === undefined) return false;
      const [value] = inline === undefined ? values : [inline];
      const isObject = value?.startsWith('{') === true;
      return flag.takesObject === true ? isObject || value === undefined || key.includes('.') : !isObject;
    });
    return known.length + (isNamed ? words.length + 1 : 0);
  };
  const scores = Object.entries(SYNTAXES).map(([runtime, syntax]) => ({
    runtime: runtime as Runtime,
    score: score(syntax),
  }));
  const best = scores.reduce((most, one) => (one.score > most.score ? one : most));
  if (best.score === 0) throw noFlags(line);
  return best.runtime;
}

function noFlags(line: string): Error {
  return badArgument('line', { kind: 'flags', choices: Object.keys(SYNTAXES) }, line);
}

/** A flag, and its value where that follows after =. */
function partsOf(name: string): { key: string; inline?: string } {
  const [, key = name, inline] = /^([^=]*)=([^]*)$/.exec(name) ?? [];
  return inline === undefined ? { key } : { key, inline };
}

function flagOf({ flags, canonical }: FlagSyntax, key: string): Flag | undefined {
  return flags.get(canonical?.(key) ?? key);
}

function read(syntax: FlagSyntax, settings: FlagSettings, name: string, values: readonly string[]): void {
  const { key, inline } = partsOf(name);
  const flag = inline === undefined || syntax.takesEquals ? flagOf(syntax, key) : undefined;
  if (flag === undefined) {
    settings.unread.push([name, ...values].join(' '));
    return;
  }
  // As in argparse: after = there is one value, and what follows belongs to nothing.
  const all = inline === undefined ? values : [inline];
  if (all.length === 0) throw badArgument(key, { kind: 'flag-value' }, undefined);
  const { values: most = 1 } = flag;
  flag.read(settings, key, ...all.slice(0, most));
  settings.unread.push(...all.slice(most), ...(inline === undefined ? [] : values));
}

function parsed(runtime: Runtime, settings: FlagSettings): ParsedModel {
  const { params, statements, duplicateKeys, unread, layers, raised } = settings;
  const all = layers ?? [{ name: 'all', params: { headDim: ASSUMED_HEAD_DIM, ...params } }];
  const isStated = statements.some(({ setting }) => setting === 'headDim');
  return {
    source: 'flags',
    runtime,
    encoding: 'rope',
    layers: all,
    ...(params.maxPosition === undefined ? {} : { maxPosition: params.maxPosition }),
    ...(raised === undefined ? {} : { raised }),
    statements: [...statements].reverse(),
    assumed: isStated ? [] : ['headDim'],
    ...asDuplicates(duplicateKeys),
    ...(unread.length === 0 ? {} : { unread }),
  };
}
