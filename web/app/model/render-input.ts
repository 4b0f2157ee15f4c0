import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { noBreak, short } from '../plots/format.js';
import { texts } from '../texts/index.js';
import type { Content } from '../texts/translation.js';
import { refusalText } from './prose.js';
import { example } from './example.js';
import type { Given, Refusal } from './given.js';
import { kindOf } from './read-input.js';

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Where a text is pasted and a file opened. `id` begins the ids of its parts. */
export function renderInput(given: Given, id: string): TemplateResult {
  const text = texts().panel;
  const { file, typed, refusal, reading } = given;
  const models = [reading?.model, reading?.launch].filter((model) => model !== undefined);
  const kinds = [...models.map(kindOf), ...(file?.tables ? [file.tables.format] : [])];
  return html`<div class="paste">
    <h3>
      <label for="${id}-text">${file ? text.compared : text.input}</label>
      ${kinds.map((kind) => html`<span class="tag" lang="en">${kind}</span>`)}
    </h3>
    ${
      file
        ? html`<p class="file">
            <code>${file.name}</code> <span class="nb">${bytesText(file.bytes)}</span>
            <button type="button" class="act" @click=${() => given.removeFile()}>${text.remove}</button>
          </p>`
        : nothing
    }
    <textarea
      id="${id}-text"
      lang="en"
      spellcheck="false"
      autocomplete="off"
      autocapitalize="off"
      placeholder=${text.placeholder}
      aria-invalid=${refusal ? 'true' : 'false'}
      aria-describedby="${id}-refusal ${id}-privacy"
      .value=${live(typed)}
      @input=${(event: Event) => given.take((event.target as HTMLTextAreaElement).value)}
    ></textarea>
    <p class="refusal" id="${id}-refusal" role="alert">${refusal === undefined ? nothing : renderRefusal(refusal)}</p>
    ${given.hasComments ? html`<p class="note">${text.comments}</p>` : nothing}
    <p class="privacy" id="${id}-privacy">${text.privacy}</p>
    <p class="ways">
      <label class="act open">
        <input
          type="file"
          accept=".json,.gguf,.safetensors,.npy,.txt,application/json"
          @change=${(event: Event) => choose(given, event.target as HTMLInputElement)}
        />${text.open}
      </label>
      <button type="button" class="act example" @click=${() => given.show(example.text)}>
        ${text.example(example.name)}
      </button>
      ${
        typed === '' && !file
          ? nothing
          : html`<button type="button" class="act clear" @click=${() => given.show('')}>${text.clear}</button>`
      }
    </p>
  </div>`;
}

function renderRefusal(refusal: Refusal): Content {
  const text = texts().panel;
  return typeof refusal === 'string' ? text[refusal] : text.refused(refusalText(refusal));
}

function choose(given: Given, input: HTMLInputElement): void {
  const file = input.files?.[0];
  if (file) void given.open(file);
  input.value = ''; // so that the same file can be chosen again
}

function bytesText(bytes: number): string {
  const step = bytes === 0 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  return noBreak(`${short(Number((bytes / 1000 ** step).toPrecision(3)))} ${UNITS[step]}`);
}
