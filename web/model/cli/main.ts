import { readFile } from 'node:fs/promises';
import { PosencError } from '../../common/errors.js';
import { commandLineBooks } from '../../phrases/command-line/books.js';
import { errorText } from '../../phrases/errors/error-text.js';
import { languageOf, readArguments } from './arguments.js';
import { run } from './commands.js';
import { escaped } from '../../phrases/shown.js';
import { HELP, UsageError } from './usage.js';

/** Runs a command line. Results go to standard output, notes and errors to standard error. */
export async function main(words: readonly string[]): Promise<void> {
  const language = languageOf(words);
  try {
    const request = readArguments(words);
    if (request === 'help') return print(HELP);
    if (request === 'version') return print(`${await version()}\n`);
    const { text, notes = [], json, exitCode } = await run(request);
    process.exitCode = exitCode;
    print(request.json ? `${JSON.stringify(json, plain, 2)}\n` : `${text}\n`);
    if (!request.json)
      for (const note of notes) process.stderr.write(`${commandLineBooks[language].note}${escaped(note)}\n`);
  } catch (error) {
    if (!isExpected(error)) throw error;
    process.exitCode = 2;
    const message = error instanceof UsageError ? error.in(language) : errorText(error, language);
    process.stderr.write(`posenc: ${escaped(message)}\n`);
  }
}

/** Whether an error is about what was typed or about a file, not about this program. */
function isExpected(error: unknown): error is Error {
  return (
    error instanceof UsageError ||
    error instanceof PosencError ||
    (error instanceof Error && (error as NodeJS.ErrnoException).syscall !== undefined)
  );
}

function print(text: string): void {
  process.stdout.write(text);
}

/** Typed arrays as lists. A number that JSON does not have becomes null. */
function plain(_: string, value: unknown): unknown {
  return value instanceof Float64Array ? Array.from(value) : value;
}

async function version(): Promise<string> {
  const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return manifest.version;
}
