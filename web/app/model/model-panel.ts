import { html, nothing, type TemplateResult } from 'lit';
import type { ModelLayer } from 'posenc';
import { save } from '../exports/save.js';
import { LightElement, uniqueId } from '../parts/light-element.js';
import { pageState } from '../state/page-state.js';
import { texts } from '../texts/index.js';
import { ContextPlan } from './answer/context-plan.js';
import { factsOf } from './answer/facts.js';
import { foundIn, renderFindings } from './answer/findings.js';
import { type LayerView, viewOf } from './answer/layer-view.js';
import { PairPlot, pairRanges } from './answer/pair-plot.js';
import { pairReadout, renderFacts, renderLoad, renderVerdict } from './answer/render-answer.js';
import { type ModelReport, reportJson, reportMarkdown, reportOn } from './answer/report.js';
import { SettingTabs } from './answer/setting-tabs.js';
import { modelVerdict } from './answer/verdict.js';
import { attempt } from './attempt.js';
import { Given } from './given.js';
import { language } from '../preferences.js';
import { type FigureLoad, figureLoads } from './load-figures.js';
import { linkOf } from './model-link.js';
import type { Reading } from './read-input.js';
import { remembered } from './remembered.js';
import { renderInput } from './render-input.js';
import './model-panel.css';

/**
 * What a configuration, a file or flags really mean. Everything is computed here from what was pasted or opened; a file is
 * read by slices, and neither it nor a word of it is sent. What was read reaches the page as text, never as markup.
 */
export class ModelPanel extends LightElement {
  static override properties = {
    dragging: { state: true },
    layer: { state: true },
    pair: { state: true },
    needed: { state: true },
    loaded: { state: true },
  };
  declare private dragging: boolean;
  /** The layers that are shown, by their name. */
  declare private layer: string;
  declare private pair: number;
  /** Tokens that the reader needs. */
  declare private needed: number | undefined;
  /** What the figures have taken. */
  declare private loaded: readonly FigureLoad[];

  readonly #id = uniqueId('check');
  readonly #plot = new PairPlot((pair) => (this.pair = pair));
  readonly #given = new Given(() => {
    this.loaded = [];
    this.requestUpdate();
  });
  readonly #viewOf = remembered(viewOf);
  /** Of the model without what it is served with. */
  readonly #viewOfOwn = remembered(viewOf);
  readonly #foundIn = remembered(foundIn);
  readonly #loads = remembered(figureLoads);

  constructor() {
    super();
    this.dragging = false;
    this.layer = '';
    this.pair = 0;
    this.loaded = [];
    this.addEventListener('dragover', this.#drag);
    this.addEventListener('dragleave', this.#leave);
    this.addEventListener('drop', this.#drop);
  }

  /** The layers on screen; undefined where there are none, or no frequencies can be computed. */
  get #view(): LayerView | undefined {
    const { layers = [] } = this.#given.reading ?? {};
    const layer = layers.find(({ name }) => name === this.layer) ?? layers[0];
    return layer && this.#viewOf(layer, this.needed);
  }

  /** The rotary embedding on screen as the value of a link; undefined where there is none, or it does not fit. */
  get link(): string | undefined {
    const view = this.#view;
    return view && linkOf(view.layer.params);
  }

  /** Shows the model of a link, and the configuration that says the same. */
  open(link: string): void {
    this.#given.showLinked(link);
  }

  protected override render(): TemplateResult {
    const { reading, file } = this.#given;
    const view = this.#view;
    return html`<div class="check" data-dragging=${this.dragging ? 'true' : nothing}>
      ${renderInput(this.#given, this.#id)}
      <div class="answer" aria-live="polite">
        ${
          reading
            ? (attempt(() => this.#renderAnswer(reading, view)) ?? this.#renderUnusable())
            : file?.tables
              ? nothing
              : this.#renderWaiting()
        }
        ${file?.tables ? html`<table-panel .file=${file.tables}></table-panel>` : nothing}
      </div>
      ${reading ? renderFindings(this.#found(reading)) : nothing}
      ${
        view
          ? html`<setting-tabs class="elsewhere" .layer=${view.layer} .layers=${reading!.layers}></setting-tabs>`
          : nothing
      }
      ${reading ? this.#renderActions(reading) : nothing}
    </div>`;
  }

  #renderWaiting(): TemplateResult {
    const text = texts().panel;
    const { file, refusal, isReading } = this.#given;
    const said = isReading ? text.readingText : file && !refusal ? text.reading : text.waiting;
    return html`<p class="waiting">${said}</p>`;
  }

  #renderUnusable(): TemplateResult {
    return html`<p class="verdict">${texts().panel.verdict.unusable}</p>`;
  }

  #renderAnswer(reading: Reading, view: LayerView | undefined): TemplateResult {
    const { model, layers } = reading;
    const choice = layers.length > 1 ? this.#renderLayers(layers) : nothing;
    if (!view) {
      return html`${choice}
        <p class="verdict">${modelVerdict(model)}</p>`;
    }
    const { params } = view.layer;
    const loads = this.#loads(params);
    const take = (): void => {
      pageState.load(loads.map(({ task, state }) => [task, state]));
      this.loaded = loads;
    };
    return html`${choice} ${renderVerdict(reading, view, (own) => this.#viewOfOwn(own, this.needed))}
      <div class="plot">${this.#plot.element}</div>
      <p class="readout">${pairReadout(view, Math.min(this.pair, view.facts.pairs - 1))}</p>
      ${renderFacts(factsOf(view, model))} ${renderLoad(loads, this.loaded, take)}
      <context-plan
        class="need"
        .params=${params}
        .needed=${this.needed}
        .onNeeded=${(tokens: number | undefined) => (this.needed = tokens)}
      ></context-plan>`;
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

  #found(reading: Reading): ReturnType<typeof foundIn> {
    return this.#foundIn(reading, this.needed, language());
  }

  #report(reading: Reading): ModelReport {
    const views = reading.layers.flatMap((layer) => viewOf(layer, this.needed) ?? []);
    return reportOn(reading, views, this.#found(reading) ?? []);
  }

  protected override updated(): void {
    const view = this.#view;
    if (!view) return;
    const text = texts().panel;
    const { divisor } = view.frequencies;
    const ranges = pairRanges(view);
    const pair = Math.min(this.pair, view.facts.pairs - 1);
    this.#plot.update({ label: text.plot, divisor, ranges, yTitle: text.divisor, xTitle: text.pair }, pair);
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
    void this.#given.open(file);
  };
}

/** The panel's elements by tag. */
export const panelElements: Readonly<Record<string, CustomElementConstructor>> = {
  'context-plan': ContextPlan,
  'model-panel': ModelPanel,
  'setting-tabs': SettingTabs,
};
