import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { type Listener, engine } from '../engine/client.js';
import type { EngineError, TaskName, TaskPartial, TaskRequest, TaskResult } from '../engine/protocol.js';
import type { Content } from '../messages/bilingual.js';
import { messages } from '../messages/index.js';
import { settle } from './claims.js';
import type { TableData } from './data-table.js';
import { LightElement, uniqueId } from './light-element.js';
import type { Claim, Measurement } from './proof-line.js';
import type { RefusingField } from './refusing-field.js';

/** The texts every figure has. */
export interface FigureText {
  /** Short, for the over-line and the contents. */
  readonly name: string;
  /** The claim as a full sentence that could be false. */
  readonly title: Content;
  readonly stopsWhen: Content;
}

/** What the engine last answered, and to which request. */
export interface Answer<Name extends TaskName> {
  readonly request: TaskRequest<Name>;
  readonly result: TaskResult<Name>;
  readonly milliseconds: number;
}

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
export abstract class Figure<State extends object, Name extends TaskName> extends LightElement {
  static override properties = {
    number: { type: Number },
    state: { state: true },
    answer: { state: true },
    progress: { state: true },
    error: { state: true },
    showsTable: { state: true },
    showsControls: { state: true },
  };
  /** Place in the list of figures, from 1. */
  declare number: number;
  declare protected state: State;
  declare protected answer: Answer<Name> | undefined;
  declare protected progress: { share: number; partial: TaskPartial<Name> | undefined } | undefined;
  declare private error: EngineError | undefined;
  declare private showsTable: boolean;
  /** Of a long control strip on a phone, which is a sheet at the bottom of the screen. */
  declare private showsControls: boolean;

  abstract readonly task: Name;
  protected abstract readonly initial: State;
  protected abstract text(): FigureText;
  protected abstract request(state: State): TaskRequest<Name>;
  protected abstract claim(): Claim;
  protected abstract table(answer: Answer<Name>): TableData;
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
    return html`<h3>${messages().figure.lookFor}</h3>
      <p>${this.renderLookFor()}</p>`;
  }

  readonly #id = uniqueId('figure');
  /** The newest request of each task, as text. */
  readonly #asked = new Map<TaskName, string>();

  override connectedCallback(): void {
    super.connectedCallback();
    this.state ??= this.initial;
    engine.addEventListener('state', this.#engineChanged);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    engine.removeEventListener('state', this.#engineChanged);
  }

  /** Takes new values of some controls. */
  protected change(values: Partial<State>): void {
    this.state = { ...this.state, ...values };
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
    const words = messages().figure;
    const changed = JSON.stringify(this.state) !== JSON.stringify(this.initial);
    const tableId = `${this.#id}-table`;
    return html`
      <p class="over"><b>${this.number}</b> <span>${text.name}</span></p>
      <h2>${text.title}</h2>
      <div class="prose">
        <div class="text">${this.renderProse()}</div>
        <aside class="margin">${this.renderMargin()}</aside>
      </div>
      <figure aria-label=${text.name}>
        ${this.renderPlot()}
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
          <button
            type="button"
            aria-expanded=${this.showsTable ? 'true' : 'false'}
            aria-controls=${tableId}
            ?disabled=${!this.answer}
            @click=${() => (this.showsTable = !this.showsTable)}
          >
            ${this.showsTable ? words.hideTable : words.viewAsTable}
          </button>
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

  protected override updated(_changed: PropertyValues): void {
    this.updatePlots();
    settle(this.task, this.#currentClaim().state);
  }

  #renderControlStrip(): TemplateResult {
    const words = messages().figure;
    const toggle = (): void => {
      this.showsControls = !this.showsControls;
    };
    const close = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') this.showsControls = false;
    };
    return html`<div class="control-strip" data-open=${this.showsControls ? 'true' : 'false'} @keydown=${close}>
      <div class="strip-body">
        <button type="button" class="toggle" aria-expanded=${this.showsControls ? 'true' : 'false'} @click=${toggle}>
          ${this.showsControls ? words.closeControls : words.controls}
        </button>
        ${this.renderControls()}
      </div>
    </div>`;
  }

  #renderReadout(): Content {
    const words = messages().figure;
    if (engine.state.kind === 'unavailable') return words.refused;
    if (this.error) return html`<span class="error">${words.error(this.error.message)}</span>`;
    return this.answer ? this.renderReadout(this.answer) : words.waiting;
  }

  #currentClaim(): Claim {
    if (engine.state.kind === 'unavailable') return { state: 'not-applicable', text: messages().figure.refused };
    if (this.error) return { state: 'not-applicable', text: messages().figure.error(this.error.message) };
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
    this.#askOnce(this.task, request, {
      answered: (result, milliseconds) => {
        this.answer = { request, result, milliseconds };
        this.progress = undefined;
        this.error = undefined;
      },
      progressed: (share, partial) => {
        this.progress = { share, partial };
        this.error = undefined;
      },
      failed: this.#failed,
    });
  }

  #askOnce<Other extends TaskName>(task: Other, request: TaskRequest<Other>, listener: Listener<Other>): void {
    const asked = JSON.stringify(request);
    if (this.#asked.get(task) === asked) return;
    this.#asked.set(task, asked);
    engine.ask(task, request, listener);
  }

  #failed = (error: EngineError): void => {
    this.error = error;
    this.progress = undefined;
  };

  #reset = (): void => {
    this.change(this.initial);
    for (const field of this.querySelectorAll<RefusingField<unknown>>('number-slider, text-field')) field.clear();
  };

  #engineChanged = (): void => this.requestUpdate();
}
