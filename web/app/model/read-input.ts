import { type ModelLayer, type ParsedModel, parseFlags, parseHfConfig, served } from 'posenc';
import { afterComments, leadingObject } from './commented-json.js';
import type { TableFormat } from './table/table-file.js';

/** What the reader gave: a configuration, flags, or the first after the other. */
export interface ReadText {
  readonly config?: ParsedModel;
  readonly flags?: ParsedModel;
  /** Whether the configuration had comments, which JSON does not have: they were left out. */
  readonly comments?: boolean;
}

/** What is said about a model: what it is, and what it is served with. */
export interface Reading {
  readonly model: ParsedModel;
  readonly launch?: ParsedModel;
  /** What its rotary embeddings come to with that. */
  readonly layers: readonly ModelLayer[];
}

/** The longest text that is read: far longer than any configuration. */
export const MAX_TEXT = 2 ** 22;
/** Of a file's beginning, to tell its kind. */
const MAGIC_BYTES = 9;

/**
 * A `config.json`, flags, or a `config.json` with the flags that serve it on the lines after it. A configuration may have
 * comments; JSON of another kind is none.
 *
 * Throws what `parseHfConfig` and `parseFlags` throw.
 */
export function readText(text: string): ReadText | 'otherJson' {
  const object = leadingObject(text);
  if (!object) return isJson(text.slice(afterComments(text))) ? 'otherJson' : { flags: parseFlags(text.trim()) };
  const { json, rest, hasComments } = object;
  return {
    config: parseHfConfig(json),
    ...(rest === '' ? {} : { flags: parseFlags(rest) }),
    ...(hasComments ? { comments: true } : {}),
  };
}

function isJson(text: string): boolean {
  if (text.startsWith('[')) return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What a file is, by its name or else by how it begins. */
export type FileKind = 'gguf' | 'text' | TableFormat;

export async function kindOfFile(file: File): Promise<FileKind> {
  const name = file.name.toLowerCase();
  const named = (['gguf', 'safetensors', 'npy'] as const).find((kind) => name.endsWith(`.${kind}`));
  if (named) return named;
  const start = new Uint8Array(await file.slice(0, MAGIC_BYTES).arrayBuffer());
  const letters = String.fromCharCode(...start);
  if (letters.startsWith('GGUF')) return 'gguf';
  if (letters.startsWith('\x93NUMPY')) return 'npy';
  // The length of a header in eight bytes, of which the last are zero, and the header itself.
  return letters.endsWith('\0\0{') ? 'safetensors' : 'text';
}

/** A file that is read as a text. Undefined where it is none. */
export async function readTextFile(file: File): Promise<string | undefined> {
  if (file.size > MAX_TEXT) return undefined;
  const text = await file.text();
  return text.includes('\0') || text.includes('\uFFFD') ? undefined : text;
}

/** A text and a file together: a configuration is the model, and the file or else the flags are what it is served with. */
export function together({ config, flags }: ReadText, file: ParsedModel | undefined): Reading | undefined {
  const [model, ...others] = [config, file, flags].filter((part) => part !== undefined);
  if (model === undefined) return undefined;
  const [launch] = others;
  return launch === undefined ? { model, layers: model.layers } : { model, launch, layers: served(model, launch) };
}

const RUNTIMES = {
  'llama.cpp': 'llama.cpp',
  koboldcpp: 'KoboldCpp',
  exllama: 'ExLlama',
  ollama: 'Ollama',
  vllm: 'vLLM',
  sglang: 'SGLang',
} as const;

/** What kind of thing was read, as a tag. */
export function kindOf({ source, schema, runtime }: ParsedModel): string {
  if (source === 'gguf') return 'GGUF';
  return source === 'hf' ? `HF ${schema ?? ''}`.trim() : RUNTIMES[runtime ?? 'llama.cpp'];
}
