import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import {
  type ExtensionOption,
  type Finding,
  type ModelLayer,
  type ParsedModel,
  PosencError,
  RENDER_TARGETS,
  type RenderTarget,
  type RopeParams,
  type RopeFrequencies,
  type RotaryFacts,
  check,
  parseGguf,
  planExtension,
  render,
  renderNotes,
  rotaryFacts,
  ropeFrequencies,
} from 'posenc';
import { figureNumber } from '../figures/figure-number.js';
import { save } from '../exports/save.js';
import type { Content } from '../texts/translation.js';
import { LightElement, uniqueId } from '../parts/light-element.js';
import { repeated } from '../parts/refusing-field.js';
import { group, noBreak, readout, scientific, short } from '../plots/format.js';
import { pageState } from '../state/page-state.js';
import { errorText } from './error-text.js';
import { example } from './example.js';
import { libraryLanguage, libraryProse } from './library-text.js';
import { type FigureLoad, type LoadedTask, figureLoads } from './load-figures.js';
import { linkOf, linkedModel } from './model-link.js';
import { PairPlot, divisorText } from './pair-plot.js';
import { type ReadText, type Reading, kindOf, kindOfFile, readText, readTextFile, together } from './read-input.js';
import { type ModelReport, type ReportedSetting, reportJson, reportMarkdown } from './report.js';
import type { TableFile } from './table-file.js';
import { otherVerdict, rotaryVerdict } from './verdict.js';
import { texts } from '../texts/index.js';
import './model-panel.css';

/** A file as the reader opened it, and what it says. */
interface OpenedFile {
  readonly name: string;
  readonly bytes: number;
  readonly model?: ParsedModel;
  readonly tables?: TableFile;
}

/** A layer with what its rotary embedding comes to. */
interface LayerView {
  readonly layer: ModelLayer;
  readonly facts: RotaryFacts;
  readonly plain: RopeFrequencies;
  readonly frequencies: RopeFrequencies;
  /** Tokens of the text, where the frequencies follow it. */
  readonly length: number | undefined;
}

/** Why something was not read: the page's words, or those of the library's error. */
type Refusal = 'unknownFile' | 'unreadable' | 'unloaded' | 'otherJson' | 'badLink' | PosencError;

const TARGET_NAMES: Readonly<Record<RenderTarget, string>> = {
  'hf-v5': 'HF v5',
  'hf-v4': 'HF v4',
  'llama.cpp': 'llama.cpp',
  vllm: 'vLLM',
  ollama: 'Ollama',
  koboldcpp: 'KoboldCpp',
  exllama: 'ExLlama',
};
const TARGETS = Object.keys(TARGET_NAMES).filter((name) =>
  RENDER_TARGETS.some((target) => target === name),
) as RenderTarget[];
const MAX_TOKENS = 2 ** 31 - 1;
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/**
 * What a configuration, a file or flags really mean. Everything is computed here from what was pasted or opened; a file is
 * read by slices, and neither it nor a word of it is sent. What was read reaches the page as text, never as markup.
 */
export class ModelPanel extends LightElement {
  static override properties = {
    typed: { state: true },
    read: { state: true },
    file: { state: true },
    refusal: { state: true },
    dragging: { state: true },
    layer: { state: true },
    pair: { state: true },
    needed: { state: true },
    refusedNeed: { state: true },
    target: { state: true },
    loaded: { state: true },
  };
  declare private typed: string;
  declare private read: ReadText;
  declare private file: OpenedFile | undefined;
  declare private refusal: Refusal | undefined;
  declare private dragging: boolean;
  /** The layers that are shown, by their name. */
  declare private layer: string;
  declare private pair: number;
  /** Tokens that the reader needs. */
  declare private needed: number | undefined;
  declare private refusedNeed: string | undefined;
  declare private target: RenderTarget;
  /** What the figures have taken. */
  declare private loaded: readonly FigureLoad[];

  readonly #id = uniqueId('check');
  readonly #plot = new PairPlot((pair) => (this.pair = pair));
  /** Counts what was opened, so that a file that is read slowly does not overtake a later one. */
  #opened = 0;

  constructor() {
    super();
    this.typed = '';
    this.read = {};
    this.dragging = false;
    this.layer = '';
    this.pair = 0;
    this.target = 'hf-v5';
    this.loaded = [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener('dragover', this.#drag);
    this.addEventListener('dragleave', this.#leave);
    this.addEventListener('drop', this.#drop);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.removeEventListener('dragover', this.#drag);
    this.removeEventListener('dragleave', this.#leave);
    this.removeEventListener('drop', this.#drop);
  }

  protected override render(): TemplateResult {
    const reading = this.refusal ? undefined : together(this.read, this.file?.model);
    const view = reading && this.#view(reading);
    const { tables } = this.file ?? {};
    return html`<div class="check" data-dragging=${this.dragging ? 'true' : nothing}>
      ${this.#renderInput(reading)}
      <div class="answer" aria-live="polite">
        ${reading || !tables ? this.#renderAnswer(reading, view) : nothing}
        ${tables ? html`<table-panel .file=${tables}></table-panel>` : nothing}
      </div>
      ${reading ? this.#renderFindings(reading) : nothing}
      ${view ? this.#renderElsewhere(view.layer, reading!.layers) : nothing}
      ${reading ? this.#renderActions(reading) : nothing}
    </div>`;
  }

  protected override updated(): void {
    const reading = this.refusal ? undefined : together(this.read, this.file?.model);
    const view = reading && this.#view(reading);
    if (!view) return;
    const text = texts().panel;
    const { facts, frequencies } = view;
    const { divisor } = frequencies;
    this.#plot.update(
      {
        label: text.plot,
        divisor,
        ranges: facts.zones.map(({ zone, from, to }) => ({
          from,
          to,
          kind: zone,
          name: zoneName(divisor, zone, from, to),
        })),
        yTitle: text.divisor,
        xTitle: text.pair,
      },
      Math.min(this.pair, facts.pairs - 1),
    );
  }

  /** The rotary embedding on screen as the value of a link; undefined where there is none, or it does not fit. */
  get link(): string | undefined {
    const reading = this.refusal ? undefined : together(this.read, this.file?.model);
    const view = reading && this.#view(reading);
    return view && linkOf(view.layer.params);
  }

  /** Shows the model of a link, and the configuration that says the same. */
  open(link: string): void {
    const linked = linkedModel(link);
    this.#show('');
    if (!linked) {
      this.refusal = 'badLink';
      return;
    }
    this.typed = linked.text;
    this.read = { config: linked.model };
  }

  // ---- input

  #renderInput(reading: Reading | undefined): TemplateResult {
    const text = texts().panel;
    const { file } = this;
    const models = reading ? [reading.model, reading.launch] : [];
    const kinds = models.flatMap((model) => (model ? [kindOf(model)] : []));
    if (file?.tables) kinds.push(file.tables.format);
    return html`<div class="paste">
      <h3>
        <label for="${this.#id}-text">${file ? text.compared : text.input}</label>
        ${kinds.map((kind) => html`<span class="tag" lang="en">${kind}</span>`)}
      </h3>
      ${
        file
          ? html`<p class="file">
              <code>${file.name}</code> <span class="nb">${bytesText(file.bytes)}</span>
              <button type="button" class="act" @click=${this.#removeFile}>${text.remove}</button>
            </p>`
          : nothing
      }
      <textarea
        id="${this.#id}-text"
        lang="en"
        spellcheck="false"
        autocomplete="off"
        autocapitalize="off"
        placeholder=${text.placeholder}
        aria-invalid=${this.refusal ? 'true' : 'false'}
        aria-describedby="${this.#id}-refusal ${this.#id}-privacy"
        .value=${live(this.typed)}
        @input=${(event: Event) => this.#take((event.target as HTMLTextAreaElement).value)}
      ></textarea>
      <p class="refusal" id="${this.#id}-refusal" role="alert">${this.#renderRefusal()}</p>
      ${this.read.comments ? html`<p class="note">${text.comments}</p>` : nothing}
      <p class="privacy" id="${this.#id}-privacy">${text.privacy}</p>
      <p class="ways">
        <label class="act open">
          <input
            type="file"
            accept=".json,.gguf,.safetensors,.npy,.txt,application/json"
            @change=${this.#choose}
          />${text.open}
        </label>
        <button type="button" class="act example" @click=${() => this.#show(example.text)}>
          ${text.example(example.name)}
        </button>
        ${
          this.typed === '' && !file
            ? nothing
            : html`<button type="button" class="act clear" @click=${() => this.#show('')}>${text.clear}</button>`
        }
      </p>
    </div>`;
  }

  #renderRefusal(): Content | typeof nothing {
    const text = texts().panel;
    if (this.refusal === undefined) return nothing;
    if (typeof this.refusal === 'string') return text[this.refusal];
    return text.refused(errorText(this.refusal));
  }

  /** Puts a text in place of all that was given. */
  #show(text: string): void {
    this.file = undefined;
    this.#opened++;
    this.#take(text);
  }

  #take(text: string): void {
    this.typed = text;
    this.loaded = [];
    this.refusal = undefined;
    this.read = {};
    if (text.trim() === '') return;
    this.#unlessRefused(() => {
      const read = readText(text);
      if (read === 'otherJson') this.refusal = read;
      else this.read = read;
    });
  }

  #unlessRefused(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof PosencError)) throw error;
      this.refusal = error;
    }
  }

  #removeFile = (): void => {
    this.file = undefined;
    this.#opened++;
    this.#take(this.typed);
  };

  #choose = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    if (file) void this.#open(file);
    input.value = ''; // so that the same file can be chosen again
  };

  async #open(file: File): Promise<void> {
    const turn = ++this.#opened;
    this.#take('');
    this.file = { name: file.name, bytes: file.size };
    const opened = await contentOf(file).catch((error: unknown): Refusal => {
      if (error instanceof PosencError) return error;
      if (error instanceof DOMException) return 'unreadable';
      throw error;
    });
    if (turn !== this.#opened) return;
    if (typeof opened === 'string' || opened instanceof PosencError) this.refusal = opened;
    else if (opened.text === undefined) this.file = { name: file.name, bytes: file.size, ...opened };
    else this.#show(opened.text);
  }

  #drag = (event: DragEvent): void => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    this.dragging = true;
  };

  #leave = (event: DragEvent): void => {
    if (!this.contains(event.relatedTarget as Node | null)) this.dragging = false;
  };

  #drop = (event: DragEvent): void => {
    this.dragging = false;
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    void this.#open(file);
  };

  // ---- answer

  #view({ layers }: Reading): LayerView | undefined {
    const layer = layers.find(({ name }) => name === this.layer) ?? layers[0];
    return layer && this.#viewOf(layer);
  }

  #viewOf(layer: ModelLayer): LayerView | undefined {
    const { params } = layer;
    const follows = params.type === 'dynamic' || params.type === 'longrope';
    const length = follows ? (this.needed ?? params.maxPosition) : undefined;
    const options = length === undefined ? {} : { seqLen: length };
    try {
      const { headDim, rotaryDim, base, pairing } = params;
      const width = params.type === 'proportional' ? headDim : (rotaryDim ?? headDim);
      return {
        layer,
        facts: rotaryFacts(params, options),
        frequencies: ropeFrequencies(params, options),
        plain: ropeFrequencies({
          headDim,
          rotaryDim: width,
          ...(base === undefined ? {} : { base }),
          ...(pairing === undefined ? {} : { pairing }),
        }),
        length,
      };
    } catch (error) {
      if (error instanceof PosencError) return undefined; // a finding says why
      throw error;
    }
  }

  #renderAnswer(reading: Reading | undefined, view: LayerView | undefined): TemplateResult {
    const text = texts().panel;
    if (!reading) {
      const isReading = this.file && !this.refusal;
      return html`<p class="waiting">${isReading ? text.reading : text.waiting}</p>`;
    }
    const { model } = reading;
    const layers = reading.layers.length > 1 ? this.#renderLayers(reading.layers) : nothing;
    if (!view) {
      return html`${layers}
        <p class="verdict">${modelVerdict(model)}</p>`;
    }
    const { layer } = view;
    return html`${layers} ${this.#renderServed(reading, view)}
      ${
        model.source === 'flags' && model.assumed.includes('headDim')
          ? html`<p class="note assumed">
              ${text.flagsAlone(
                noBreak(group(layer.params.headDim)),
                noBreak(divisorText(layer.params.base ?? 10_000)),
              )}
            </p>`
          : nothing
      }
      <div class="plot">${this.#plot.element}</div>
      <p class="readout">${this.#renderReadout(view)}</p>
      <dl class="facts">
        ${factsOf(view, model).map(
          ([name, label, value]) =>
            html`<div data-fact=${name}>
              <dt>${label}</dt>
              <dd>${noBreak(value)}</dd>
            </div>`,
        )}
      </dl>
      ${this.#renderLoad(layer)} ${this.#renderNeed(layer)}`;
  }

  /** The verdict; where the model is served with something, that of both, and of the model alone. */
  #renderServed({ model, launch }: Reading, view: LayerView): TemplateResult {
    const { with: servedWith, alone, same } = texts().panel.served;
    const verdict = html`<p class="verdict">${verdictOf(view)}</p>`;
    if (launch === undefined) return verdict;
    const own = model.layers.find(({ name }) => name === view.layer.name) ?? model.layers[0];
    const ownView = own && this.#viewOf(own);
    const ownVerdict = ownView ? verdictOf(ownView) : modelVerdict(model);
    return html`<p class="note served">${servedWith(kindOf(launch))}</p>
      ${verdict}
      <p class="note alone">${ownVerdict === verdictOf(view) ? same : alone(ownVerdict)}</p>`;
  }

  #renderLayers(layers: readonly ModelLayer[]): TemplateResult {
    const chosen = layers.some(({ name }) => name === this.layer) ? this.layer : layers[0]!.name;
    return html`<choice-group
      class="wide"
      name="layer"
      .label=${texts().panel.layer}
      .value=${chosen}
      .options=${layers.map(({ name }) => ({ value: name, label: name, lang: 'en' }))}
      .onValue=${(name: string) => {
        this.layer = name;
        this.loaded = [];
      }}
    ></choice-group>`;
  }

  #renderReadout({ facts, plain, frequencies }: LayerView): Content {
    const pair = Math.min(this.pair, facts.pairs - 1);
    return texts().panel.readout(
      group(pair),
      divisorText(frequencies.divisor[pair]!),
      noBreak(readout(plain.wavelength[pair]!)),
      noBreak(readout(frequencies.wavelength[pair]!)),
    );
  }

  #renderLoad({ params }: ModelLayer): TemplateResult | typeof nothing {
    const text = texts().panel;
    const loads = figureLoads(params);
    if (loads.length === 0) return nothing;
    const numberOf = (task: LoadedTask): string => group(figureNumber(task));
    const take = (): void => {
      pageState.load(loads.map(({ task, state }) => [task, state]));
      this.loaded = loads;
    };
    return html`<div class="load">
      <button type="button" class="primary" @click=${take}>
        ${text.load(loads.map(({ task }) => numberOf(task)).join(text.comma))}
      </button>
      <p role="status">
        ${
          this.loaded.length === 0
            ? nothing
            : html`${text.loaded}
              ${this.loaded.map(({ task }) => html`<a href="#${task}">${text.figure(numberOf(task))}</a> `)}`
        }
        ${this.loaded.map(({ task, factor }) =>
          factor === undefined ? nothing : text.factorRounded(numberOf(task), group(factor)),
        )}
      </p>
    </div>`;
  }

  // ---- plan

  #renderNeed({ params }: ModelLayer): TemplateResult {
    const text = texts().panel;
    return html`<div class="need">
      <p>
        ${text.need.before}
        <input
          class="box"
          type="text"
          inputmode="numeric"
          autocomplete="off"
          name="needed"
          aria-label=${text.need.label}
          aria-invalid=${this.refusedNeed === undefined ? 'false' : 'true'}
          .value=${live(this.refusedNeed ?? (this.needed === undefined ? '' : group(this.needed)))}
          @change=${this.#need}
        />
        ${text.need.unit}
      </p>
      <p class="refusal" role="alert">
        ${this.refusedNeed === undefined ? nothing : text.needRefused(repeated(this.refusedNeed) || text.nothing)}
      </p>
      ${this.needed === undefined ? nothing : renderPlan(params, this.needed)}
    </div>`;
  }

  #need = (event: Event): void => {
    const typed = (event.target as HTMLInputElement).value.trim();
    const value = /^[\d\s\u2009\u00a0]+$/.test(typed) ? Number(typed.replace(/\s/g, '')) : NaN;
    const isRight = Number.isInteger(value) && value >= 1 && value <= MAX_TOKENS;
    if (isRight || typed === '') {
      this.needed = isRight ? value : undefined;
      this.refusedNeed = undefined;
    } else this.refusedNeed = typed;
  };

  // ---- findings and settings

  #found({ model, launch }: Reading): Finding[] {
    return check(model, {
      language: libraryLanguage(),
      ...(launch === undefined ? {} : { launch }),
      ...(this.needed === undefined ? {} : { targetLength: this.needed }),
    });
  }

  #renderFindings(reading: Reading): TemplateResult {
    const text = texts().panel;
    const found = this.#found(reading);
    return html`<div class="findings">
      <h3>${text.findings}</h3>
      <ul>
        ${
          found.length === 0
            ? html`<li><span class="severity fine">${text.severities.fine}</span><span>${text.noFindings}</span></li>`
            : found.map(renderFinding)
        }
      </ul>
    </div>`;
  }

  #renderActions(reading: Reading): TemplateResult {
    const text = texts().panel;
    const { link } = this;
    const keep = (ending: string, type: string, write: (report: ModelReport) => string) => (): void =>
      save(`posenc-model.${ending}`, write(this.#report(reading)), type);
    return html`<div class="actions">
      ${
        link === undefined
          ? nothing
          : html`<copy-button
              .label=${text.copyLink}
              .text=${() => pageState.linkTo({ task: 'check', written: () => new Map([['model', link]]) })}
            ></copy-button>`
      }
      <menu-button
        .label=${text.exportReport}
        .items=${[
          { label: 'Markdown', onChoose: keep('md', 'text/markdown', reportMarkdown) },
          { label: 'JSON', onChoose: keep('json', 'application/json', reportJson) },
        ]}
      ></menu-button>
    </div>`;
  }

  #report(reading: Reading): ModelReport {
    const { model, launch, layers } = reading;
    const views = layers.flatMap((layer) => this.#viewOf(layer) ?? []);
    return {
      encoding: model.encoding,
      ...(launch === undefined ? {} : { servedWith: kindOf(launch) }),
      ...(views.length > 0 ? {} : { verdict: modelVerdict(model) }),
      layers: views.map((view) => ({
        name: view.layer.name,
        verdict: verdictOf(view),
        facts: factsOf(view, model),
        params: view.layer.params,
        rotary: view.facts,
        plain: view.plain,
        frequencies: view.frequencies,
        settings: TARGETS.map((target) => settingOf(view.layer.params, target)),
      })),
      findings: this.#found(reading),
    };
  }

  #renderElsewhere(layer: ModelLayer, layers: readonly ModelLayer[]): TemplateResult {
    const text = texts().panel;
    const tab = (target: RenderTarget): string => `${this.#id}-tab-${target}`;
    const choose = (target: RenderTarget): void => {
      this.target = target;
    };
    const key = (event: KeyboardEvent): void => {
      const move = ({ ArrowRight: 1, ArrowLeft: -1 } as Record<string, number>)[event.key];
      if (move === undefined) return;
      event.preventDefault();
      const at = TARGETS.indexOf(this.target) + move + TARGETS.length;
      choose(TARGETS[at % TARGETS.length]!);
      this.querySelector<HTMLElement>(`[data-target="${this.target}"]`)?.focus();
    };
    return html`<div class="elsewhere">
      <h3 id="${this.#id}-elsewhere">${text.elsewhere}</h3>
      <div class="segments tabs" role="tablist" aria-labelledby="${this.#id}-elsewhere" lang="en" @keydown=${key}>
        ${TARGETS.map(
          (target) =>
            html`<button
              type="button"
              role="tab"
              id=${tab(target)}
              data-target=${target}
              aria-selected=${target === this.target ? 'true' : 'false'}
              aria-controls="${this.#id}-setting"
              tabindex=${target === this.target ? '0' : '-1'}
              @click=${() => choose(target)}
            >
              ${TARGET_NAMES[target]}
            </button>`,
        )}
      </div>
      <div role="tabpanel" id="${this.#id}-setting" aria-labelledby=${tab(this.target)}>
        ${renderSetting(layer, layers, this.target)}
      </div>
    </div>`;
  }
}

function renderFinding({ code, severity, key, why }: Finding): TemplateResult {
  return html`<li data-code=${code}>
    <span class="severity ${severity}">${texts().panel.severities[severity]}</span>
    <span>${libraryProse(why)}<code>${key === '' ? code : `${key} · ${code}`}</code></span>
  </li>`;
}

/** What a file says; a refusal where the page has no use for it. Throws the errors of the library's readers. */
async function contentOf(
  file: File,
): Promise<{ text: string } | { text?: never; model: ParsedModel } | { text?: never; tables: TableFile } | Refusal> {
  const kind = await kindOfFile(file);
  if (kind === 'gguf') return { model: await parseGguf(file) };
  if (kind === 'text') {
    const text = await readTextFile(file);
    return text === undefined ? 'unknownFile' : { text };
  }
  const load = (): Promise<typeof import('./table-panel.js')> => import('./table-panel.js');
  const parts = await load().catch(() => undefined);
  if (!parts) return 'unloaded';
  if (!customElements.get('table-panel')) customElements.define('table-panel', parts.TablePanel);
  return { tables: await parts.openTableFile(file, kind) };
}

function settingOf(params: RopeParams | readonly ModelLayer[], target: RenderTarget): ReportedSetting {
  const program = TARGET_NAMES[target];
  try {
    const notes = renderNotes(params, target, { language: libraryLanguage() });
    return { program, text: render(params, target), notes };
  } catch (error) {
    if (!(error instanceof PosencError)) throw error;
    return { program, text: undefined, lacks: error.argument ?? '', notes: [] };
  }
}

/** The setting of all layers, where the program has words for it, and otherwise of those on screen. */
function renderSetting(layer: ModelLayer, layers: readonly ModelLayer[], target: RenderTarget): TemplateResult {
  const text = texts().panel;
  const whole = settingOf(layers, target);
  const isWhole = whole.text !== undefined;
  const { text: setting, lacks, notes } = isWhole ? whole : settingOf(layer.params, target);
  const about = isWhole || layers.length === 1 ? nothing : html`<p class="note">${text.ofLayers(layer.name)}</p>`;
  if (setting === undefined)
    return html`${about}
      <p class="note">${text.inexpressible(lacks ?? '')}</p>`;
  return html`${about}
    <pre tabindex="0"><code lang="en">${setting}</code></pre>
    <copy-button .label=${text.copy} .text=${() => setting}></copy-button>
    ${notes.map((note) => html`<p class="note">${libraryProse(note)}</p>`)}`;
}

function renderPlan(params: RopeParams, needed: number): TemplateResult {
  const text = texts().panel;
  let options: ExtensionOption[];
  try {
    options = planExtension(params, needed, { language: libraryLanguage() });
  } catch (error) {
    if (!(error instanceof PosencError)) throw error;
    return html`<p class="note">${text.plan.unknown}</p>`;
  }
  return html`<div class="frame" tabindex="0" role="group" aria-label=${text.plan.name}>
    <table>
      <thead>
        <tr>
          ${text.plan.heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${options.map(renderOption)}
      </tbody>
    </table>
  </div>`;
}

function renderOption(option: ExtensionOption): TemplateResult {
  const text = texts().panel;
  const { rule, recommended, base, divisor, attentionFactor, outOfRange, pairs, shortChange, flags, why } = option;
  const turning = Array.from(divisor).filter(Number.isFinite);
  const [least, most] = [Math.min(...turning), Math.max(...turning)];
  const divisors = least === most ? divisorText(most) : `${divisorText(least)} … ${divisorText(most)}`;
  return html`<tr class=${recommended ? 'recommended' : ''} data-rule=${rule}>
    <th scope="row">
      ${text.plan.rules[rule]}${recommended ? html` <span class="tag">${text.plan.recommended}</span>` : nothing}
      <small>${libraryProse(why)}</small>
    </th>
    <td>${noBreak(Number.isInteger(base) ? group(base) : readout(base, 10))}</td>
    <td>${noBreak(divisors)}</td>
    <td>${noBreak(factorText(Number(attentionFactor.toPrecision(6))))}</td>
    <td>${noBreak(`${group(outOfRange)} / ${group(pairs)}`)}</td>
    <td>${noBreak(scientific(shortChange))}</td>
    <td>${flags === '' ? '–' : html`<code lang="en">${flags}</code>`}</td>
  </tr>`;
}

/** Of a model of which no frequencies are known. */
function modelVerdict(model: ParsedModel): string {
  return model.layers.length > 0 ? texts().panel.verdict.unusable : otherVerdict(model);
}

function verdictOf({ layer, facts, frequencies, length }: LayerView): string {
  return rotaryVerdict(layer.params, facts, frequencies, length);
}

/** Nine facts: a name, a label and a value. */
function factsOf({ layer, facts, plain, frequencies }: LayerView, { source }: ParsedModel): [string, string, string][] {
  const { facts: words, pairings } = texts().panel;
  const { params } = layer;
  const span = (wavelength: Float64Array): string => {
    const turning = Array.from(wavelength).filter(Number.isFinite);
    return `${readout(Math.min(...turning), 3)} … ${wholeOr(Math.max(...turning))}`;
  };
  const partner = facts.pairing === 'half' ? `(i, i + ${facts.rotaryDim / 2})` : '(2i, 2i + 1)';
  const { originalMaxPosition: original, maxPosition: most } = params;
  const lengths = [original, most === original ? undefined : most].filter((length) => length !== undefined);
  const { trainedLength, turningPairs } = facts;
  const width =
    facts.rotaryDim === facts.headDim ? group(facts.headDim) : `${group(facts.rotaryDim)} / ${group(facts.headDim)}`;
  return [
    ['headDim', words.headDim, width],
    ['pairs', words.pairs, group(facts.pairs)],
    ['pairing', words.pairing, pairings[facts.pairing](partner)],
    ['before', words.before, span(plain.wavelength)],
    ['after', words.after, span(frequencies.wavelength)],
    [
      'turning',
      trainedLength === undefined ? words.turningUnknown : words.turning(noBreak(group(trainedLength))),
      turningPairs === undefined ? '–' : `${group(turningPairs)} / ${group(facts.pairs)}`,
    ],
    ['attention', words.attention, factorText(facts.attentionFactor)],
    ['softmax', words.softmax, factorText(facts.softmaxFactor)],
    // Flags ask for a context; only the original one of a scaling is a length of training.
    [
      'trained',
      source === 'flags' && original === undefined ? words.context : words.trained,
      lengths.length === 0 ? '–' : lengths.map((length) => group(length)).join(' → '),
    ],
  ];
}

function zoneName(divisor: Float64Array, zone: 'kept' | 'blended' | 'scaled', from: number, to: number): string {
  const text = texts().panel;
  if (zone !== 'scaled') return text.zones[zone];
  if (!Number.isFinite(divisor[from]!)) return text.zones.still;
  return divisor[from] === divisor[to] ? text.dividedBy(divisorText(divisor[from]!)) : text.zones.scaled;
}

/** A long wavelength in whole tokens. */
function wholeOr(value: number): string {
  return value >= 1000 ? group(Math.round(value)) : readout(value, 3);
}

/** A factor with ten digits, without zeros at the end. */
function factorText(factor: number): string {
  return short(Number(factor.toPrecision(10)));
}

function bytesText(bytes: number): string {
  const step = bytes === 0 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  return noBreak(`${short(Number((bytes / 1000 ** step).toPrecision(3)))} ${UNITS[step]}`);
}
