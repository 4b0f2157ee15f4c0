import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { type Listener, engine } from '../engine/client.js';
import type { EngineError, TaskName, TaskPartial, TaskRequest, TaskResult } from '../engine/protocol.js';
import { type NumberArray, npy } from '../exports/npy.js';
import { numpyScript } from '../exports/numpy.js';
import { png, svg } from '../exports/picture.js';
import { save } from '../exports/save.js';
import { csv, markdown, numbersOf } from '../exports/table-files.js';
import type { Content } from '../texts/translation.js';
import type { ChoiceField, Field, NumberField, StateFields } from '../state/fields.js';
import type { WrittenState } from '../state/link.js';
import { type StatefulFigure, pageState } from '../state/page-state.js';
import type { Option } from './choice-group.js';
import { settle } from './claims.js';
import type { TableData } from './data-table.js';
import { LightElement, uniqueId } from './light-element.js';
import { type LinkedValue, linkedValueRefusal } from './linked-value.js';
import type { MenuItem } from './menu-button.js';
import type { SliderScale } from './number-slider.js';
import type { Claim, Measurement } from './proof-line.js';
import type { RefusingField } from './refusing-field.js';
import { texts } from '../texts/index.js';
import './figure.css';
import './plots.css';

/** The texts every figure has. */
export interface FigureText {
  /** Short, for the over-line and the contents. */
  readonly name: string;
  /** The claim as a full sentence that could be false. */
  readonly title: Content;
  readonly stopsWhen: Content;
}

/** How a field's slider looks besides its bounds. */
export interface SliderLook {
  readonly scale?: SliderScale;
  /** Labels under the track where the plain numbers would be too long. */
  readonly ends?: readonly [string, string];
  /** Takes two columns of the control strip. */
  readonly wide?: boolean;
}

/** What the engine last answered, and to which request. */
export interface Answer<Name extends TaskName> {
  readonly request: TaskRequest<Name>;
  readonly result: TaskResult<Name>;
  readonly milliseconds: number;
}

/** Names of those fields of a state that hold values of a kind. */
type NamesOf<State, Kind> = { [Name in keyof State]-?: State[Name] extends Kind ? Name : never }[keyof State] & string;

const LONGEST_NAME = 80;

/**
 * A figure: controls, a question to the engine that follows from them, and what to show of the answer. The order of its
 * parts is fixed here; a figure fills them in.
 *
 * A subclass names its task (`task`), its texts, the state its controls start from (`initial`) and the request that a
 * state asks for. `change` is the only way to a new state. Everything on screen is a function of `state`, `answer` and
 * `progress`; plots are brought up to date in `updatePlots` after every render and draw in the next animation frame.
 *
 * The content policy refuses style attributes, which `styleMap` writes at first render: bind `.style` instead.
 */
export abstract class Figure<State extends object, Name extends TaskName>
  extends LightElement
  implements StatefulFigure
{
  static override properties = {
    number: { type: Number },
    state: { state: true },
    answer: { state: true },
    progress: { state: true },
    error: { state: true },
    refused: { state: true },
    showsTable: { state: true },
    showsControls: { state: true },
  };
  /** Place in the list of figures, from 1. */
  declare number: number;
  declare protected state: State;
  declare protected answer: Answer<Name> | undefined;
  declare protected progress: { share: number; partial: TaskPartial<Name> | undefined } | undefined;
  declare private error: EngineError | undefined;
  /** What a link said that the controls would not take; empty where single values would do, but not together. */
  declare private refused: readonly LinkedValue[] | undefined;
  declare private showsTable: boolean;
  /** Of a long control strip on a phone, which is a sheet at the bottom of the screen. */
  declare private showsControls: boolean;

  abstract readonly task: Name;
  protected abstract readonly initial: State;
  /** What each value of the state may be: bounds of its control, and its place in links. */
  protected abstract readonly fields: StateFields<State>;
  /** Whether values that are right one by one are right together. */
  protected accepts(_state: State): boolean {
    return true;
  }
  protected abstract text(): FigureText;
  protected abstract request(state: State): TaskRequest<Name>;
  protected abstract claim(): Claim;
  protected abstract table(answer: Answer<Name>): TableData;
  /** What is saved as NPY: unless the figure says otherwise, the columns of its table that hold numbers. */
  protected array(answer: Answer<Name>): NumberArray {
    return numbersOf(this.table(answer));
  }
  /**
   * Short Python that computes the numbers of an answer a second time, with NumPy (`np`) alone and without posenc: `table`,
   * with the values and the shape of `array`. exports/numpy.ts has pieces of it.
   */
  protected abstract numpy(answer: Answer<Name>): string | Promise<string>;
  protected abstract updatePlots(): void;
  protected abstract renderProse(): Content;
  /** The formula with the reader's numbers, beside the prose. */
  protected abstract renderMargin(): TemplateResult;
  protected abstract renderPlot(): TemplateResult;
  /** Where the cursor is, the arithmetic with numbers put in, and the value. */
  protected abstract renderReadout(answer: Answer<Name>): Content;
  protected abstract renderControls(): TemplateResult;
  protected abstract renderLookFor(): Content;
  /** Takes the place of “Look for” where a figure has a short table to show. */
  protected renderFirstNote(): TemplateResult {
    return html`<h3>${texts().page.figure.lookFor}</h3>
      <p>${this.renderLookFor()}</p>`;
  }

  readonly #id = uniqueId('figure');
  /** Whether the answer to the newest request is on its way, and nothing of it has come. */
  #waits = false;
  /** The newest request of each task, as text. */
  readonly #asked = new Map<TaskName, string>();

  override connectedCallback(): void {
    super.connectedCallback();
    this.state ??= this.initial;
    pageState.add(this);
    engine.addEventListener('state', this.#engineChanged);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    pageState.remove(this);
    engine.removeEventListener('state', this.#engineChanged);
  }

  /** Takes new values of some controls. */
  protected change(values: Partial<State>): void {
    this.refused = undefined;
    this.#set({ ...this.state, ...values }, Object.keys(values));
    pageState.changed(this, Object.keys(values));
  }

  written(): WrittenState {
    const values = this.#fieldList.map(([name, field]) => [name, field.write(this.state[name])] as const);
    return new Map(values.filter(([name, value]) => value !== this.#field(name)!.write(this.initial[name])));
  }

  restore(written: WrittenState): void {
    const values = [...written].map(([name, value]) => [name, this.#field(name)?.read(value)] as const);
    this.refused = values.flatMap(([name, value]) =>
      value === undefined ? [{ name, written: written.get(name)!, field: this.#field(name) }] : [],
    );
    if (this.refused.length > 0) return;
    const state = { ...this.initial, ...Object.fromEntries(values) };
    if (!this.accepts(state)) return;
    this.refused = undefined;
    this.#set(state, Object.keys(this.fields));
  }

  writtenValue(name: string): string | undefined {
    return this.#field(name)?.write(this.state[name as keyof State]);
  }

  take(name: string, written: string): void {
    const value = this.#field(name)?.read(written);
    const state = { ...this.state, [name]: value };
    if (value !== undefined && this.accepts(state)) this.#set(state, [name]);
  }

  /** A value takes the place of what was typed and refused, even if it is the one that stood. */
  #set(state: State, names: readonly string[]): void {
    this.state = state;
    for (const name of names) this.querySelector<RefusingField<number>>(`number-slider[name="${name}"]`)?.clear();
  }

  get #fieldList(): (readonly [keyof State & string, Field<unknown>])[] {
    return Object.entries(this.fields) as unknown as (readonly [keyof State & string, Field<unknown>])[];
  }

  #field(name: string): Field<unknown> | undefined {
    return this.#fieldList.find(([own]) => own === name)?.[1];
  }

  protected override willUpdate(_changed: PropertyValues): void {
    // State and language both go into the request; the engine is asked only if that has changed.
    this.#ask();
  }

  /** How the numbers on screen came about, for the proof line. */
  protected measurement(dtype: string, size: string): Measurement | undefined {
    if (!this.answer || engine.state.kind !== 'ready') return undefined;
    return { dtype, size, milliseconds: this.answer.milliseconds, variant: `wasm ${engine.state.variant}` };
  }

  protected override render(): TemplateResult {
    const text = this.text();
    const words = texts().page.figure;
    const changed = JSON.stringify(this.state) !== JSON.stringify(this.initial);
    const tableId = `${this.#id}-table`;
    return html`
      <p class="over"><b>${this.number}</b> <span>${text.name}</span></p>
      <h2>${text.title}</h2>
      ${this.refused ? html`<p class="refused-link" role="status">${this.#renderRefusedLink(this.refused)}</p>` : nothing}
      <div class="prose">
        <div class="text">${this.renderProse()}</div>
        <aside class="margin">${this.renderMargin()}</aside>
      </div>
      <figure aria-label=${text.name}>
        <div class="plots">${this.renderPlot()}</div>
        <p class="readout" aria-live="polite">${this.#renderReadout()}</p>
        ${this.#renderControlStrip()}
        <proof-line .claim=${this.#currentClaim()}></proof-line>
        <div class="notes">
          <div>${this.renderFirstNote()}</div>
          <div>
            <h3>${words.stopsWhen}</h3>
            <p>${text.stopsWhen}</p>
          </div>
        </div>
        <div class="actions">
          <copy-button .label=${words.copyLink} .text=${() => pageState.linkTo(this)}></copy-button>
          <button
            type="button"
            class="table"
            aria-expanded=${this.showsTable ? 'true' : 'false'}
            aria-controls=${tableId}
            ?disabled=${!this.answer}
            @click=${() => (this.showsTable = !this.showsTable)}
          >
            ${this.showsTable ? words.hideTable : words.viewAsTable}
          </button>
          <menu-button .label=${words.export} .items=${this.#exports()} ?disabled=${!this.answer}></menu-button>
          ${changed ? html`<button type="button" class="reset" @click=${this.#reset}>${words.reset}</button>` : nothing}
        </div>
        <div id=${tableId} ?hidden=${!this.showsTable}>
          ${
            this.showsTable && this.answer
              ? html`<data-table .name=${text.name} .data=${this.table(this.answer)}></data-table>`
              : nothing
          }
        </div>
      </figure>
    `;
  }

  protected override updated(changed: PropertyValues): void {
    // Plots show the answer, so a state whose answer is on its way draws nothing that will not be drawn again.
    const waits = this.#waits && engine.state.kind !== 'unavailable' && changed.size === 1 && changed.has('state');
    if (!waits) this.updatePlots();
    settle(this.task, this.#currentClaim().state);
  }

  /** The slider and number box of a field. */
  protected renderSlider(
    name: NamesOf<State, number>,
    { label, field }: { readonly label: string; readonly field: string },
    { scale = 'linear', ends, wide = false }: SliderLook = {},
  ): TemplateResult {
    const { minimum, maximum, step } = this.#field(name) as NumberField;
    return html`<number-slider
      class=${wide ? 'wide' : ''}
      name=${name}
      .label=${label}
      .field=${field}
      .value=${this.state[name]}
      .minimum=${minimum}
      .maximum=${maximum}
      .step=${step}
      .scale=${scale}
      .ends=${ends}
      .onValue=${(value: number) => this.#change(name, value)}
    ></number-slider>`;
  }

  /** The choices of a field, named one by one. */
  protected renderChoice<Choice extends NamesOf<State, string>>(
    name: Choice,
    label: string,
    nameOf: (value: State[Choice] & string) => string | Omit<Option, 'value'>,
    { wide = false }: { readonly wide?: boolean } = {},
  ): TemplateResult {
    const { values } = this.#field(name) as ChoiceField<State[Choice] & string>;
    const options = values.map((value): Option => {
      const named = nameOf(value);
      return { value, ...(typeof named === 'string' ? { label: named } : named) };
    });
    return html`<choice-group
      class=${wide ? 'wide' : ''}
      name=${name}
      .label=${label}
      .value=${this.state[name]}
      .options=${options}
      .onValue=${(value: string) => this.#change(name, value)}
    ></choice-group>`;
  }

  #change(name: keyof State, value: unknown): void {
    this.change({ [name]: value } as unknown as Partial<State>);
  }

  /** Every kind of file that the figure can be saved as. */
  #exports(): readonly MenuItem[] {
    const { answer } = this;
    if (!answer) return [];
    const words = texts().page.figure.exports;
    const item = (
      label: string,
      ending: string,
      type: string,
      content: () => BlobPart | Promise<BlobPart>,
    ): MenuItem => ({
      label,
      onChoose: async () => save(`${this.#fileName}.${ending}`, await content(), type),
    });
    const plots = (): Element => this.querySelector('.plots')!;
    return [
      item(words.png, 'png', 'image/png', () => png(plots())),
      item(words.svg, 'svg', 'image/svg+xml', () => svg(plots(), this.text().name)),
      item(words.csv, 'csv', 'text/csv', () => csv(this.table(answer))),
      item(words.npy, 'npy', 'application/octet-stream', () => npy(this.array(answer))),
      item(words.numpy, 'py', 'text/x-python', async () =>
        numpyScript(this.text().name, pageState.linkTo(this), await this.numpy(answer)),
      ),
      item(words.markdown, 'md', 'text/markdown', () => markdown(this.table(answer))),
    ];
  }

  /** The figure's name and what of its state is not as it opens, in characters that every file system has. */
  get #fileName(): string {
    const values = [...this.written()].map(([name, value]) => `${name}-${value}`);
    const name = ['posenc', this.task, ...values].join('-').replace(/[^\w.-]+/g, '-');
    return name.length > LONGEST_NAME ? `posenc-${this.task}` : name;
  }

  #renderRefusedLink(refused: readonly LinkedValue[]): string {
    const words = texts().page.link;
    const reasons = refused.length > 0 ? refused.map(linkedValueRefusal) : [words.together];
    return words.refused(reasons.join(words.space));
  }

  #renderControlStrip(): TemplateResult {
    const words = texts().page.figure;
    const toggle = (): void => {
      this.showsControls = !this.showsControls;
    };
    const close = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') this.showsControls = false;
    };
    return html`<div class="control-strip" data-open=${this.showsControls ? 'true' : 'false'} @keydown=${close}>
      <div class="strip-body">
        <button
          type="button"
          class="framed toggle"
          aria-expanded=${this.showsControls ? 'true' : 'false'}
          @click=${toggle}
        >
          ${this.showsControls ? words.closeControls : words.controls}
        </button>
        ${this.renderControls()}
      </div>
    </div>`;
  }

  #renderReadout(): Content {
    const words = texts().page.figure;
    if (engine.state.kind === 'unavailable') return words.refused;
    if (this.error) return html`<span class="error">${words.error(this.error.message)}</span>`;
    return this.answer ? this.renderReadout(this.answer) : words.waiting;
  }

  #currentClaim(): Claim {
    if (engine.state.kind === 'unavailable') return { state: 'not-applicable', text: texts().page.figure.refused };
    if (this.error) return { state: 'not-applicable', text: texts().page.figure.error(this.error.message) };
    return this.claim();
  }

  /**
   * Asks a second task of the figure, such as a curve that does not follow the main request. Call it whenever its request
   * may have changed; the engine is asked only if it has.
   */
  protected alsoAsk<Other extends TaskName>(
    task: Other,
    request: TaskRequest<Other>,
    answered: (result: TaskResult<Other>) => void,
    progressed?: (partial: TaskPartial<Other> | undefined) => void,
  ): void {
    this.#askOnce(task, request, {
      answered,
      failed: this.#failed,
      ...(progressed
        ? { progressed: (_share: number, partial: TaskPartial<Other> | undefined) => progressed(partial) }
        : {}),
    });
  }

  #ask(): void {
    const request = this.request(this.state);
    const asks = this.#askOnce(this.task, request, {
      answered: (result, milliseconds) => {
        this.#waits = false;
        this.answer = { request, result, milliseconds };
        this.progress = undefined;
        this.error = undefined;
      },
      progressed: (share, partial) => {
        this.#waits = false;
        this.progress = { share, partial };
        this.error = undefined;
      },
      failed: this.#failed,
    });
    this.#waits ||= asks;
  }

  /** Asks a question that is not the newest one already, and answers whether it was. */
  #askOnce<Other extends TaskName>(task: Other, request: TaskRequest<Other>, listener: Listener<Other>): boolean {
    const asked = JSON.stringify(request);
    if (this.#asked.get(task) === asked) return false;
    this.#asked.set(task, asked);
    engine.ask(task, request, listener);
    return true;
  }

  #failed = (error: EngineError): void => {
    this.#waits = false;
    this.error = error;
    this.progress = undefined;
  };

  #reset = (): void => {
    this.change(this.initial);
    for (const field of this.querySelectorAll<RefusingField<unknown>>('number-slider, text-field')) field.clear();
  };

  #engineChanged = (): void => this.requestUpdate();
}
