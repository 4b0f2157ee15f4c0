import { commandLineBooks } from '../../phrases/command-line/books.js';
import type { UsageFacts } from '../../phrases/command-line/en.js';
import type { Language } from '../../phrases/language.js';
import { say } from '../../phrases/table.js';

/** A wrong call: its text is for the one who typed it. */
export class UsageError extends Error {
  readonly #facts: UsageFacts;

  constructor(facts: UsageFacts) {
    super(say(commandLineBooks.en.usage, facts));
    this.#facts = facts;
  }

  in(language: Language): string {
    return say(commandLineBooks[language].usage, this.#facts);
  }
}

export const HELP = `posenc: what a model's position settings mean

  posenc check   [FILE]               findings, and what each embedding comes to
  posenc table   [FILE]               frequency, wavelength, divisor and zone of every pair
  posenc plan    [FILE] --target N    ways to use the model with N tokens
  posenc convert [FILE] --to TARGET   the same setting in other words

FILE is a config.json, a .gguf file, a text file with flags or a Modelfile, a folder with a config.json, a line of flags in
quotes, or - for standard input; by default config.json.

  --flags LINE       read a line of flags instead of FILE
  --runtime NAME     whose flags: llama.cpp, koboldcpp, exllama, ollama, vllm, sglang
  --launch WHAT      check: what the model is served with, a FILE or a line of flags
  --target N         tokens that the model is to be used with
  --trained N        plan: tokens that it was trained with, where FILE does not say
  --length N         table: tokens of the text, for dynamic and longrope
  --to TARGET        convert: hf-v4, hf-v5, llama.cpp, koboldcpp, exllama, ollama, vllm
  --layer NAME       of layers with embeddings of their own, these alone
  --lang LANGUAGE    en, zh-Hans or zh-Hant
  --json             one JSON object
  --help, --version

Exit codes: 0, 1 for a finding of severity error, 2 for what cannot be read or written.
`;
