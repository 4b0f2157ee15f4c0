import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { type ErrorFacts, PosencError, type TableStatistics, tableStatistics } from 'posenc';
import { engine } from '../../engine/client.js';
import { LightElement } from '../../parts/light-element.js';
import type { Claim } from '../../parts/proof-line.js';
import { group, noBreak, readout } from '../../plots/format.js';
import { type Cell, HeatMap } from '../../plots/heatmap.js';
import { LinePlot } from '../../plots/line-plot.js';
import { texts } from '../../texts/index.js';
import type { Content } from '../../texts/translation.js';
import { extent } from '../answer/layer-view.js';
import { refusalText } from '../prose.js';
import { TOLERANCE, percent, renderTableFacts, tableVerdict } from './table-facts.js';
import type { TableEntry, TableFile } from './table-file.js';
import './table-panel.css';

export { openTableFile } from './table-file.js';

/** What is known of the rows on screen. */
interface Compared {
  readonly similarity: Float32Array;
  readonly statistics: TableStatistics;
  readonly milliseconds: number;
}

/** The most rows that are compared with each other: their similarities take 26 MB. */
const MOST_ROWS = 2560;
const MEGABYTE = 1e6;
const MAP = { most: 6, left: 44 };
const NORM_HEIGHT = 92;

/** A learned table of positions: which rows resemble each other, how long they are, and which stand for no position. */
export class TablePanel extends LightElement {
  static override properties = {
    file: { attribute: false },
    name: { state: true },
    first: { state: true },
    table: { state: true },
    compared: { state: true },
    error: { state: true },
    cursor: { state: true },
    area: { state: true },
  };
  declare file: TableFile;
  /** Of the table on screen. */
  declare private name: string;
  /** The first of its rows on screen. */
  declare private first: number;
  /** All its rows. */
  declare private table: Float32Array | undefined;
  declare private compared: Compared | undefined;
  declare private error: ErrorFacts | undefined;
  declare private cursor: Cell;
  declare private area: { left: number; width: number } | undefined;

  /** Counts what was asked for, so that a slow reading does not overtake a later one. */
  #turn = 0;
  readonly #map = new HeatMap({
    onCursor: (cell) => (this.cursor = cell),
    onLayout: ([panel]) => (this.area = panel),
  });
  readonly #norms = new LinePlot({ onCursor: (row) => (this.cursor = { ...this.cursor, row }) });

  constructor() {
    super();
    this.name = '';
    this.first = 0;
    this.cursor = { row: 0, column: 1 };
    this.follow(engine, 'state');
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#turn++;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('file')) this.#choose(this.file.tables[0]?.name ?? '');
  }

  get #entry(): TableEntry | undefined {
    return this.file.tables.find(({ name }) => name === this.name);
  }

  /** The rows on screen. */
  get #rows(): { first: number; count: number } {
    const rows = this.#entry?.rows ?? 0;
    const count = Math.min(rows, MOST_ROWS);
    return { first: Math.min(this.first, rows - count), count };
  }

  #choose(name: string): void {
    this.name = name;
    this.first = 0;
    this.cursor = { row: 0, column: 1 };
    this.table = undefined;
    this.compared = undefined;
    this.error = undefined;
    if (name !== '') void this.#read(name);
  }

  async #read(name: string): Promise<void> {
    const turn = ++this.#turn;
    const outcome = await this.file.read(name).catch((error: unknown) => error);
    if (turn !== this.#turn) return;
    if (outcome instanceof Float32Array) {
      this.table = outcome;
      this.#compare();
    } else if (outcome instanceof PosencError) this.error = outcome;
    else throw outcome;
  }

  #compare(): void {
    const { dim } = this.#entry!;
    const { first, count: rows } = this.#rows;
    const table = this.table!.slice(first * dim, (first + rows) * dim);
    const turn = ++this.#turn;
    this.compared = undefined;
    engine.ask(
      'table',
      { table, rows, dim },
      {
        answered: ({ similarity }, milliseconds) => {
          if (turn !== this.#turn) return;
          try {
            const statistics = tableStatistics({ table, rows, dim, similarity });
            this.compared = { similarity, statistics, milliseconds };
          } catch (error) {
            if (!(error instanceof PosencError)) throw error;
            this.error = error;
          }
        },
        failed: (error) => {
          if (turn === this.#turn) this.error = error;
        },
      },
    );
  }

  protected override render(): TemplateResult {
    const text = texts().table;
    const entry = this.#entry;
    if (!entry) return html`<p class="verdict">${text.none}</p>`;
    const { compared } = this;
    return html`
      ${this.#renderChoice()}
      ${
        this.error
          ? html`<p class="refusal" role="alert">${refusalText(this.error)}</p>`
          : html`<p class="verdict">${compared ? tableVerdict(entry, compared.statistics) : text.reading}</p>
              ${this.#renderWindow(entry)}
              <div class="plot" ?hidden=${!this.table}>${this.#map.element}${this.#norms.element}</div>
              <p class="readout" aria-live="polite">${compared ? this.#renderReadout(compared) : nothing}</p>
              <proof-line .claim=${this.#claim(entry)}></proof-line>
              ${compared ? renderTableFacts(entry, this.#rows.first, compared.statistics) : nothing}`
      }
    `;
  }

  #renderChoice(): TemplateResult | typeof nothing {
    const text = texts().table;
    const { tables, areNamed } = this.file;
    return html`${areNamed ? nothing : html`<p class="note">${text.unnamed}</p>`}
    ${
      tables.length < 2
        ? nothing
        : html`<choice-group
            class="wide"
            name="tensor"
            .label=${text.tensor}
            .value=${this.name}
            .options=${tables.map(({ name }) => ({ value: name, label: name, lang: 'en' }))}
            .onValue=${(name: string) => this.#choose(name)}
          ></choice-group>`
    }`;
  }

  #renderWindow({ rows }: TableEntry): TemplateResult | typeof nothing {
    if (rows <= MOST_ROWS) return nothing;
    const text = texts().table;
    const { first, count } = this.#rows;
    const megabytes = (side: number): string => noBreak(group((4 * side ** 2) / MEGABYTE));
    const say = (row: number): string => noBreak(group(row));
    return html`<p class="note">
        ${text.windowed(say(rows), megabytes(rows), megabytes(count), say(first), say(first + count - 1))}
      </p>
      <number-slider
        name="first-row"
        .label=${text.firstRow.label}
        .field=${text.firstRow.field}
        .value=${first}
        .minimum=${0}
        .maximum=${rows - count}
        .onValue=${(row: number) => {
          this.first = row;
          this.#compare();
        }}
      ></number-slider>`;
  }

  #renderReadout({ similarity, statistics: { norms } }: Compared): Content {
    const words = texts().table.readout;
    const { first, count } = this.#rows;
    const { row, column } = this.#cursorWithin(count);
    const length = (at: number): string => noBreak(readout(norms[at]!));
    return html`<span class="q nb">m = <b>${group(first + row)}</b></span
      >&nbsp;· <span class="k nb">n = <b>${group(first + column)}</b></span
      >&nbsp;· <span class="dist nb">n − m = <b>${group(column - row)}</b></span
      >&nbsp;· <span class="nb">${words.similarity} <b>${readout(similarity[row * count + column]!)}</b></span
      >&nbsp;· <span class="nb">${words.lengths} <b>${length(row)}</b>, <b>${length(column)}</b></span>`;
  }

  #cursorWithin(count: number): Cell {
    return { row: Math.min(this.cursor.row, count - 1), column: Math.min(this.cursor.column, count - 1) };
  }

  #claim({ dim }: TableEntry): Claim {
    const text = texts().table;
    if (engine.state.kind === 'unavailable') return { state: 'not-applicable', text: texts().page.figure.refused };
    const { compared } = this;
    if (!compared) return { state: 'computing', text: text.computing };
    const { toeplitz } = compared.statistics;
    const measurement =
      engine.state.kind === 'ready'
        ? {
            dtype: 'f32',
            size: `${group(this.#rows.count)} × ${group(dim)}`,
            milliseconds: compared.milliseconds,
            variant: `wasm ${engine.state.variant}`,
          }
        : undefined;
    if (Number.isNaN(toeplitz)) return { state: 'not-applicable', text: text.constant, measurement };
    const residual = Math.max(0, 1 - toeplitz);
    const holds = residual <= TOLERANCE;
    return {
      state: holds ? 'holds' : 'fails',
      text: holds ? text.claim : text.fails(percent(toeplitz)),
      comparison: { residual, tolerance: TOLERANCE, relation: '≤', gaugeFrom: -16 },
      measurement,
      derivation: text.derivation,
    };
  }

  protected override updated(): void {
    if (!this.table || this.error) return;
    const text = texts().table;
    const { first, count } = this.#rows;
    const { similarity, statistics } = this.compared ?? {};
    const cursor = this.#cursorWithin(count);
    this.#map.update({
      label: text.map,
      rows: count,
      columns: count,
      panels: [
        {
          title: text.similarity,
          values: similarity ?? null,
          scale: { map: 'diverging', limit: 1 },
          bar: true,
        },
      ],
      shape: { cells: 'square', maximum: MAP.most },
      rowAxis: { title: text.rowAxis, start: first, color: 'q' },
      columnAxis: { title: text.columnAxis, start: first, color: 'k' },
      guide: 'diagonal',
      left: MAP.left,
      cursor: cursor,
    });
    const norms = statistics?.norms;
    this.#norms.update({
      label: text.norms,
      x: Array.from({ length: count }, (_, row) => first + row),
      xAxis: { title: text.row, minimum: first, maximum: first + count - 1 },
      yAxis: { title: text.norm, minimum: 0, maximum: norms ? ceiling(extent(norms)[1]) : 1 },
      height: NORM_HEIGHT,
      series: [{ color: 1, values: norms ?? [] }],
      ...(this.area ? { area: this.area } : {}),
      cursor: cursor.row,
    });
  }
}

/** A round number that is not below a value: 1, 2 or 5 times a power of ten. */
function ceiling(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((factor) => factor * power).find((round) => round >= value)!;
}
