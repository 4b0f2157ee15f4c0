import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PosencError } from '../../common/errors.js';
import type { ParsedModel, Runtime } from '../parsed-model.js';
import { parseFlags } from '../parse-flags.js';
import { parseGguf } from '../parse-gguf.js';
import { parseHfConfig } from '../parse-hf-config.js';
import { FileBlob } from './file-blob.js';
import { UsageError } from './usage.js';

/** The longest text that is read, in bytes: more than any configuration has. */
const MAX_TEXT = 2 ** 26;

/** A model and what it was read from, as it was named. */
export interface Source {
  name: string;
  model: ParsedModel;
}

/** Reads a file of any kind that is known, standard input, or else, where no file has that name, a line of flags. */
export async function readSource(file: string | undefined, runtime: Runtime | undefined): Promise<Source> {
  if (file === '-') {
    const reading = standardInput().then((bytes) => readBytes(bytes, runtime));
    return named('standard input', reading);
  }
  if (file !== undefined && hasFlags(file) && (await kindOf(file)) === undefined) return readFlags(file, runtime);
  const path = await pathOf(file);
  return named(path, readModel(path, runtime));
}

/** What was read, or what is wrong with it under its name. */
async function named(name: string, reading: Promise<ParsedModel>): Promise<Source> {
  try {
    return { name, model: await reading };
  } catch (error) {
    throw error instanceof PosencError ? new UsageError({ kind: 'in-file', file: name, error }) : error;
  }
}

async function readModel(path: string, runtime: Runtime | undefined): Promise<ParsedModel> {
  const opened = await open(path);
  try {
    const file = await opened.stat();
    if (!file.isFile()) return await readBytes(await opened.readFile(), runtime); // a pipe has no length
    const { size } = file;
    const whole = new FileBlob(opened, 0, size);
    const isNamedGguf = /\.gguf$/i.test(path);
    if (isNamedGguf || isGguf(Buffer.from(await whole.slice(0, 4).arrayBuffer()))) return await parseGguf(whole);
    if (size > MAX_TEXT) throw new UsageError({ kind: 'too-long-text', path });
    return readText(await opened.readFile('utf8'), runtime, path);
  } finally {
    await opened.close();
  }
}

/** Reads a line of flags. */
export function readFlags(line: string, runtime: Runtime | undefined): Source {
  return { name: line, model: parseFlags(line, runtime === undefined ? {} : { runtime }) };
}

/** Whether a text has a flag, or a parameter of a Modelfile. */
function hasFlags(text: string): boolean {
  return /(?:^|\s)--?[a-z]|^\s*(?:\/set\s+)?PARAMETER\s/im.test(text);
}

/** The file that is meant: in a folder, its config.json. */
async function pathOf(file: string | undefined): Promise<string> {
  const path = file ?? 'config.json';
  const kind = await kindOf(path);
  if (kind === 'file') return path;
  const inside = join(path, 'config.json');
  if (kind === 'folder' && (await kindOf(inside)) === 'file') return inside;
  if (kind === 'folder') throw new UsageError({ kind: 'empty-folder', path });
  throw new UsageError(file === undefined ? { kind: 'no-config' } : { kind: 'no-file', path: file });
}

/** What a path leads to; a pipe is read as a file. Nothing where nothing is there. */
function kindOf(path: string): Promise<'file' | 'folder' | undefined> {
  return stat(path).then(
    (found) => (found.isDirectory() ? 'folder' : 'file'),
    () => undefined,
  );
}

function isGguf(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 4) === 'GGUF';
}

async function readBytes(bytes: Buffer, runtime: Runtime | undefined): Promise<ParsedModel> {
  return isGguf(bytes) ? parseGguf(new Uint8Array(bytes).buffer) : readText(bytes.toString('utf8'), runtime);
}

/** A configuration, or else flags. */
function readText(text: string, runtime: Runtime | undefined, name = ''): ParsedModel {
  const bare = text.replace(/^\uFEFF/, '');
  const isConfig = name.endsWith('.json') || /^\s*[{[]/.test(bare);
  return isConfig ? parseHfConfig(bare) : readFlags(bare, runtime).model;
}

async function standardInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    length += (chunk as Buffer).length;
    if (length > MAX_TEXT) throw new UsageError({ kind: 'too-long-input' });
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
