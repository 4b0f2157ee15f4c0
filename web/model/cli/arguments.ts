import { parseArgs } from 'node:util';
import { RENDER_TARGETS, type RenderTarget } from '../render/index.js';
import { LANGUAGES, type Language } from '../../phrases/language.js';
import type { Runtime } from '../parsed-model.js';
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
const RUNTIMES = [
  'llama.cpp',
  'koboldcpp',
  'exllama',
  'ollama',
  'vllm',
  'sglang',
] as const satisfies readonly Runtime[];

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
  const command = commandOf(name);
  if (others.length > 0) throw new UsageError({ kind: 'one-file', words: others });
  if (file !== undefined && values.flags !== undefined) throw new UsageError({ kind: 'file-or-flags' });
  for (const [option, owners] of Object.entries(OWNERS)) {
    if (values[option as keyof typeof OWNERS] === undefined || owners.some((owner) => owner === command)) continue;
    throw new UsageError({ kind: 'belongs', option, owners, command });
  }
  if (command === 'plan' && values.target === undefined) throw new UsageError({ kind: 'needs-target' });
  if (command === 'convert' && values.to === undefined) {
    throw new UsageError({ kind: 'needs-to', choices: RENDER_TARGETS });
  }
  return {
    command,
    file,
    flags: values.flags,
    runtime: values.runtime === undefined ? undefined : oneOf('--runtime', values.runtime, RUNTIMES),
    launch: values.launch,
    target: tokens(values.target, '--target'),
    trained: tokens(values.trained, '--trained'),
    length: tokens(values.length, '--length'),
    to: values.to === undefined ? undefined : oneOf('--to', values.to, RENDER_TARGETS),
    layer: values.layer,
    language: oneOf('--lang', values.lang ?? 'en', Object.values(LANGUAGES)),
    json: values.json,
  };
}

/** The language that is asked for, also in a call with something wrong about it. */
export function languageOf(words: readonly string[]): Language {
  const asked = words.map((word, i) => (word === '--lang' ? words[i + 1] : /^--lang=(.*)$/.exec(word)?.[1]));
  return Object.values(LANGUAGES).find((language) => asked.includes(language)) ?? 'en';
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({ args: quoted(words), options: OPTIONS, allowPositionals: true });
  } catch (error) {
    const [message = ''] = (error as Error).message.replace(/\. To specify a positional[^]*$/, '.').split('\n');
    const [, name = ''] = /'([^']*)'/.exec(message) ?? [];
    const unknown = (error as NodeJS.ErrnoException).code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION';
    throw new UsageError({ kind: 'option', message, name, unknown });
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

function commandOf(value: string | undefined): Request['command'] {
  const command = COMMANDS.find((one) => one === value);
  if (command === undefined) throw new UsageError({ kind: 'command', choices: COMMANDS, value });
  return command;
}

function oneOf<Name extends string>(option: string, value: string, choices: readonly Name[]): Name {
  const name = choices.find((one) => one === value);
  if (name === undefined) throw new UsageError({ kind: 'choice', option, choices, value });
  return name;
}

function tokens(value: string | undefined, option: string): number | undefined {
  if (value === undefined) return undefined;
  const count = /^\d+$/.test(value) ? Number(value) : 0;
  if (count < 1 || count > 2 ** 31 - 1) {
    throw new UsageError({ kind: 'tokens', option, value });
  }
  return count;
}
