import { parseArgs } from 'node:util';
import { RENDER_TARGETS, type RenderTarget } from '../model/render/index.js';
import { LANGUAGES, type Language } from '../model/language.js';
import type { Runtime } from '../model/parsed-model.js';
import { UsageError } from './usage.js';

/** What was asked for. */
export interface Request {
  command: 'check' | 'table' | 'plan' | 'convert';
  file: string | undefined;
  flags: string | undefined;
  runtime: Runtime | undefined;
  launch: string | undefined;
  target: number | undefined;
  trained: number | undefined;
  length: number | undefined;
  to: RenderTarget | undefined;
  layer: string | undefined;
  language: Language;
  json: boolean;
}

const COMMANDS = ['check', 'table', 'plan', 'convert'] as const;
const RUNTIMES = ['llama.cpp', 'koboldcpp', 'exllama', 'ollama', 'vllm'] as const satisfies readonly Runtime[];

/** Options that only some commands have. */
const OWNERS = {
  launch: ['check'],
  target: ['check', 'plan'],
  trained: ['plan'],
  length: ['table'],
  to: ['convert'],
} as const satisfies Partial<Record<keyof Request, readonly Request['command'][]>>;

const string = { type: 'string' } as const;
const boolean = { type: 'boolean', default: false } as const;
const OPTIONS = {
  flags: string,
  runtime: string,
  launch: string,
  target: string,
  trained: string,
  length: string,
  to: string,
  layer: string,
  lang: string,
  json: boolean,
  help: { ...boolean, short: 'h' },
  version: boolean,
} as const;

/** Reads the words of a command line; `help` or `version` where that is asked for. */
export function readArguments(words: readonly string[]): Request | 'help' | 'version' {
  const { values, positionals } = parsed(words);
  if (values.help || (words.length === 0 && positionals.length === 0)) return 'help';
  if (values.version) return 'version';
  const [name, file, ...others] = positionals;
  const command = oneOf(name, 'a command', COMMANDS);
  if (others.length > 0) throw new UsageError(`One FILE at a time: what is ${others.join(' ')}?`);
  if (file !== undefined && values.flags !== undefined) throw new UsageError('Either FILE or --flags, not both.');
  for (const [option, owners] of Object.entries(OWNERS)) {
    if (values[option as keyof typeof OWNERS] === undefined || owners.some((owner) => owner === command)) continue;
    throw new UsageError(`--${option} belongs to ${owners.join(' and ')}, not to ${command}.`);
  }
  if (command === 'plan' && values.target === undefined) throw new UsageError('plan needs --target N.');
  if (command === 'convert' && values.to === undefined) {
    throw new UsageError(`convert needs --to, one of ${RENDER_TARGETS.join(', ')}.`);
  }
  return {
    command,
    file,
    flags: values.flags,
    runtime: values.runtime === undefined ? undefined : oneOf(values.runtime, '--runtime', RUNTIMES),
    launch: values.launch,
    target: tokens(values.target, '--target'),
    trained: tokens(values.trained, '--trained'),
    length: tokens(values.length, '--length'),
    to: values.to === undefined ? undefined : oneOf(values.to, '--to', RENDER_TARGETS),
    layer: values.layer,
    language: oneOf(values.lang ?? 'en', '--lang', Object.values(LANGUAGES)),
    json: values.json,
  };
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({ args: quoted(words), options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message.replace(/\. To specify a positional[^]*$/, '.').split('\n')[0]);
  }
}

/**
 * Lines of flags, which begin with a dash, joined to the option that they belong to; alone, they are what is read. What
 * follows -- is left as it is.
 */
function quoted(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (let i = 0; i < words.length; ++i) {
    const word = words[i] as string;
    const next = words[i + 1];
    if (word === '--') return [...joined, ...words.slice(i)];
    if ((word === '--flags' || word === '--launch') && next !== undefined) {
      joined.push(`${word}=${next}`);
      ++i;
    } else joined.push(/^-.*\s/.test(word) && !/^--\w+=/.test(word) ? `--flags=${word}` : word);
  }
  return joined;
}

function oneOf<Name extends string>(value: string | undefined, what: string, names: readonly Name[]): Name {
  const name = names.find((one) => one === value);
  if (name !== undefined) return name;
  throw new UsageError(`${what} must be one of ${names.join(', ')}${value === undefined ? '' : `, not ${value}`}.`);
}

function tokens(value: string | undefined, option: string): number | undefined {
  if (value === undefined) return undefined;
  const count = /^\d+$/.test(value) ? Number(value) : 0;
  if (count < 1 || count > 2 ** 31 - 1) {
    throw new UsageError(`${option} must be a whole number of tokens from 1 to 2147483647, not ${value}.`);
  }
  return count;
}
