import { type ErrorFacts, type ParsedModel, parseGguf } from 'posenc';
import { engine } from '../engine/client.js';
import { report } from './attempt.js';
import { linkedModel } from './model-link.js';
import { MAX_TEXT, type ReadText, type Reading, kindOfFile, readText, readTextFile, together } from './read-input.js';
import type { TableFile } from './table/table-file.js';

/** A file as the reader opened it, and what it says. */
interface OpenedFile {
  readonly name: string;
  readonly bytes: number;
  readonly model?: ParsedModel;
  readonly tables?: TableFile;
}

/** Why something was not read: the page's words, or those of the library's error. */
export type Refusal = 'unknownFile' | 'unreadable' | 'unloaded' | 'otherJson' | 'badLink' | 'tooLong' | ErrorFacts;

type Content = { readonly text: string } | { readonly model: ParsedModel } | { readonly tables: TableFile };

/** A longer text is read in the worker: it would hold up the page. */
const LONGEST_HERE = 2 ** 15;

/** What the reader has given: a text, a file or both, or why that is not taken. */
export class Given {
  typed = '';
  file: OpenedFile | undefined;
  refusal: Refusal | undefined;
  /** What it says; undefined for nothing, for a table, and for what is refused. */
  reading: Reading | undefined;

  /** Whether a long text is being read. */
  isReading = false;

  #read: ReadText = {};
  /** Count what was opened and what was typed, so that what is read slowly does not overtake what came later. */
  #opened = 0;
  #taken = 0;

  /** `onChange`: something else was given. */
  constructor(private readonly onChange: () => void) {}

  get hasComments(): boolean {
    return this.#read.comments === true;
  }

  /** Puts a text beside the file, if there is one. */
  take(text: string): void {
    this.typed = text;
    const turn = ++this.#taken;
    if (text.length > MAX_TEXT) return this.#judge(() => 'tooLong');
    if (text.length <= LONGEST_HERE || engine.state.kind === 'unavailable') {
      return this.#judge(() => (text.trim() === '' ? {} : readText(text)));
    }
    this.#judge(() => ({}));
    this.isReading = true;
    const judge = (said: ReadText | Refusal): void => {
      if (turn === this.#taken) this.#judge(() => said);
    };
    engine.ask('read', { text }, { answered: ({ said }) => judge(said), failed: judge });
  }

  /** Reads once what is given from now on. What fails leaves nothing of the last reading. */
  #judge(read: () => ReadText | Refusal): void {
    this.isReading = false;
    this.reading = undefined;
    this.refusal = undefined;
    this.#read = {};
    try {
      const said = read();
      if (typeof said === 'string' || 'message' in said) this.refusal = said;
      else {
        this.#read = said;
        this.reading = together(said, this.file?.model);
      }
    } catch (error) {
      report(error);
      this.refusal = error as Error;
    }
    this.onChange();
  }

  /** Puts a text in place of all that was given. */
  show(text: string): void {
    this.file = undefined;
    this.#opened++;
    this.take(text);
  }

  /** Shows the model of a link, and the configuration that says the same. */
  showLinked(link: string): void {
    const linked = linkedModel(link);
    this.show('');
    this.typed = linked?.text ?? '';
    this.#judge(() => (linked ? { config: linked.model } : 'badLink'));
  }

  removeFile(): void {
    this.file = undefined;
    this.#opened++;
    this.take(this.typed);
  }

  /** Puts a file in place of all that was given. */
  async open(file: File): Promise<void> {
    const turn = ++this.#opened;
    const named = { name: file.name, bytes: file.size };
    this.file = named;
    this.take('');
    const content = await contentOf(file).catch((error: unknown): Refusal => {
      report(error);
      return error instanceof DOMException ? 'unreadable' : (error as Error);
    });
    if (turn !== this.#opened) return;
    if (typeof content === 'string' || 'message' in content) this.#judge(() => content);
    else if ('text' in content) this.show(content.text);
    else {
      this.file = { ...named, ...content };
      this.take('');
    }
  }
}

/** What a file says; a refusal where the page has no use for it. Throws the errors of the library's readers. */
async function contentOf(file: File): Promise<Content | Refusal> {
  const kind = await kindOfFile(file);
  if (kind === 'gguf') return { model: await parseGguf(file) };
  if (kind === 'text') {
    const text = await readTextFile(file);
    return text === undefined ? 'unknownFile' : { text };
  }
  const load = (): Promise<typeof import('./table/table-panel.js')> => import('./table/table-panel.js');
  const parts = await load().catch(() => undefined);
  if (!parts) return 'unloaded';
  if (!customElements.get('table-panel')) customElements.define('table-panel', parts.TablePanel);
  return { tables: await parts.openTableFile(file, kind) };
}
