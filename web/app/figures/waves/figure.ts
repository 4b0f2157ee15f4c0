import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { mathml } from 'virtual:formulas';
import type { NumberArray } from '../../exports/npy.js';
import { EMBEDDING, pythonList } from '../../exports/numpy.js';
import type { Content } from '../../texts/translation.js';
import type { TableData } from '../../parts/data-table.js';
import { type Answer, Figure } from '../../parts/figure.js';
import type { Claim } from '../../parts/proof-line.js';
import { repeated } from '../../parts/refusing-field.js';
import { exact, fixed, group, noBreak, readout, scientific, short } from '../../plots/format.js';
import { type Cell, HeatMap } from '../../plots/heatmap.js';
import { type LineSeries, LinePlot } from '../../plots/line-plot.js';
import type { LineColor } from '../../plots/theme.js';
import { type StateFields, listOf, oneOf, range, textUpTo } from '../../state/fields.js';
import { renderSentence } from '../sentence-field.js';
import { LONGEST_TOKEN, SEPARATOR } from '../sentence.js';
import type { WavesColumnRequest, WavesRequest } from './task.js';
import { type Texts, texts } from '../../texts/index.js';

interface WavesState {
  readonly tokens: readonly string[];
  readonly dim: number;
  readonly base: number;
  readonly length: number;
  readonly show: 'pe' | 'sum';
  readonly columns: readonly number[];
  /** How far the lines run: over the rows, or over FAR positions. */
  readonly reach: 'rows' | 'far';
}

const MOST_TOKENS = 8;
const MOST_COLUMNS = 4;
const MOST_ROWS = 512;
/** Waves over more positions than this run together when they are drawn broad. */
const MOST_BROAD = 160;
const FAR = 10_000;
/** Wavelengths, in tokens, of the lines that run so far. */
const FAR_WAVELENGTHS = [1000, 3000, 10_000];
const FAR_POSITIONS = Array.from({ length: FAR }, (_, position) => position);
/** Colour limits, fixed: PE lies in [−1, 1]; a normal word vector added to it seldom leaves [−3, 3]. */
const LIMITS = { pe: 1, sum: 3 } as const;
const MAP_HEIGHT = 280;
const LINES_HEIGHT = 130;
const TOP_TICKS = [100, 1000, 10_000, 100_000, 1_000_000, 10_000_000];

const fields: StateFields<WavesState> = {
  tokens: listOf(textUpTo(LONGEST_TOKEN), 1, MOST_TOKENS),
  dim: range(2, 512, 2),
  base: range(10, 1_000_000),
  length: range(MOST_TOKENS, MOST_ROWS),
  show: oneOf(['pe', 'sum']),
  columns: listOf(range(0, 511), 1, MOST_COLUMNS),
  reach: oneOf(['rows', 'far']),
};

/** The sinusoidal table of a padded sentence: waves, fast on the left and slow on the right. */
export class WavesFigure extends Figure<WavesState, 'waves'> {
  static override properties = { ...super.properties, cursor: { state: true }, column: { state: true } };
  declare private cursor: Cell;
  /** The cursor's column as far as its line runs, where the answer does not have it. */
  declare private column: { readonly request: WavesColumnRequest; readonly values: Float32Array } | undefined;

  readonly task = 'waves';
  protected readonly initial: WavesState = {
    tokens: ['我', '很', '牛逼'],
    dim: 312,
    base: 10_000,
    length: 80,
    show: 'pe',
    columns: [20, 80, 160],
    reach: 'rows',
  };

  protected readonly fields = fields;

  /** Those last chosen for the reader. */
  #farColumns: readonly number[] = [];

  readonly #map = new HeatMap({ onCursor: (cell) => (this.cursor = cell) });
  readonly #lines = new LinePlot({
    onCursor: (row) => (this.cursor = { row, column: this.cursor.column }),
  });

  constructor() {
    super();
    this.cursor = { row: 2, column: 40 };
  }

  protected text(): Texts['waves'] {
    return texts().waves;
  }

  protected request({ tokens, length, dim, base, columns, reach }: WavesState): WavesRequest {
    const request = { tokens, length, dim, base };
    if (reach === 'rows') return request;
    return { ...request, far: { columns: columns.filter((column) => column < dim), length: FAR } };
  }

  /** How far the lines run decides which columns say the most, until the reader chooses some. */
  protected override change(values: Partial<WavesState>): void {
    const { columns } = this.state;
    const areChosen = columns !== this.initial.columns && columns !== this.#farColumns;
    super.change(values.reach && !areChosen ? { ...values, columns: this.#columnsFor(values.reach) } : values);
  }

  #columnsFor(reach: WavesState['reach']): readonly number[] {
    if (reach === 'rows') return this.initial.columns;
    const { dim, base } = this.state;
    const columns = FAR_WAVELENGTHS.map((tokens) => {
      const pair = Math.round((dim / 2) * (Math.log(tokens / (2 * Math.PI)) / Math.log(base)));
      return 2 * Math.max(0, Math.min(pair, dim / 2 - 1));
    });
    return (this.#farColumns = [...new Set(columns)]);
  }

  protected override willUpdate(changed: PropertyValues): void {
    // A smaller table keeps the cursor inside.
    const row = Math.min(this.cursor.row, (this.state.reach === 'far' ? FAR : this.state.length) - 1);
    const column = Math.min(this.cursor.column, this.state.dim - 1);
    if (row !== this.cursor.row || column !== this.cursor.column) this.cursor = { row, column };
    super.willUpdate(changed);
    const { dim, base, columns, reach } = this.state;
    if (reach === 'rows' || columns.includes(column)) return;
    // A cursor that moves asks for its own line alone, not for all of the table again.
    const request = { dim, base, column, length: FAR };
    this.alsoAsk('wavesColumn', request, (values) => (this.column = { request, values }));
  }

  protected claim(): Claim {
    const text = texts().waves;
    if (this.state.show === 'sum') return { state: 'not-applicable', text: text.claimDoesNotApply };
    if (!this.answer) return { state: 'computing', text: text.computing };
    const { request, result } = this.answer;
    const tolerance = 1.02 * request.dim * 2 ** -24;
    const holds = result.worstLength <= tolerance;
    const half = group(request.dim / 2);
    return {
      state: holds ? 'holds' : 'fails',
      text: holds ? text.claim(half) : text.claimFails(half),
      comparison: { residual: result.worstLength, tolerance, relation: '≤', gaugeFrom: -16 },
      measurement: this.measurement('f32', `${group(request.length)} × ${group(request.dim)}`),
      derivation: text.derivation,
    };
  }

  protected renderProse(): Content {
    const { tokens, length, dim, base } = this.state;
    const slowest = base ** ((dim - 2) / dim);
    const sentence = tokens.join(SEPARATOR);
    const gloss = sentence === this.initial.tokens.join(SEPARATOR);
    return texts().waves.prose(
      sentence,
      gloss,
      noBreak(group(length)),
      noBreak(group(dim)),
      noBreak(fixed(slowest, 0)),
    );
  }

  protected renderMargin(): TemplateResult {
    const text = texts().waves;
    const pair = this.cursor.column >> 1;
    const steps = this.answer && stepsOf(this.answer, pair);
    const rows = [mathml.wavesPower, mathml.wavesNegativePower, mathml.wavesLogarithm, mathml.wavesDivTerm];
    return html`
      ${unsafeHTML(mathml.waves)}
      <dl class="fill" aria-label=${text.steps}>
        ${rows.map(
          (row, s) =>
            html`<dt>${unsafeHTML(row)}</dt>
              <dd>= ${steps ? exact(steps[s]!) : nothing}</dd>`,
        )}
        <dt>${text.difference}</dt>
        <dd>
          ${steps ? html`${scientific(Math.max(...steps) - Math.min(...steps))}, ${text.atPair(group(pair))}` : nothing}
        </dd>
      </dl>
    `;
  }

  protected renderPlot(): TemplateResult {
    return html`<div class="plot bleed">${this.#map.element}</div>
      <div class="plot bleed">${this.#lines.element}</div>`;
  }

  protected renderReadout(answer: Answer<'waves'>): Content {
    const words = texts().waves.readout;
    const { row, column } = clampCursor(this.cursor, answer.request);
    const pair = column >> 1;
    const frequency = answer.result.frequencies[pair]!;
    const name = column % 2 === 0 ? 'sin' : 'cos';
    const token = answer.request.tokens[row];
    const value = this.#valueAt(answer, 'pe', row, column);
    const sum = this.#valueAt(answer, 'sum', row, column);
    const number = (x: number | undefined): string => (x === undefined ? '…' : readout(x));
    return html`${token ? html`${token}&nbsp;· ` : nothing}${words.position} <b>${group(row)}</b>&nbsp;·
      ${words.dimension} <b>${group(column)}</b>&nbsp;· ${words.pair(group(pair))}&nbsp;· ${words.wavelength}
      <span class="nb">${readout((2 * Math.PI) / frequency)}</span>&nbsp;·
      <span class="nb">${name}(${group(row)} × ${readout(frequency)})</span>
      <span class="nb">= ${name}(${readout(row * frequency)})</span>
      <span class="nb">= <b>${number(value)}</b></span>
      ${this.state.show === 'sum' ? html`· <span class="nb">x + PE = <b>${number(sum)}</b></span>` : nothing}`;
  }

  protected renderControls(): TemplateResult {
    const text = texts().waves;
    const { tokens, dim, columns } = this.state;
    const past = columns.filter((column) => column >= dim).map(group);
    return html`<div class="controls">
      ${this.renderSlider('dim', text.width)}
      ${this.renderSlider('base', text.base, { scale: 'log', ends: ['10', '10⁶'] })}
      ${this.renderSlider('length', text.rows)}
      ${this.renderChoice('show', text.show, (show) => ({ pe: 'PE', sum: 'x + PE' })[show])}
      ${this.renderChoice('reach', text.reach.label, (reach) =>
        reach === 'rows' ? text.reach.rows : text.reach.far(noBreak(group(FAR))),
      )}
      ${renderSentence({ tokens, least: 1, most: MOST_TOKENS, text: text.sentence, onTokens: (words) => this.change({ tokens: words }) })}
      <text-field
        class="wide"
        name="columns"
        .label=${text.columns.label}
        .value=${columns.join(', ')}
        .note=${past.length > 0 ? text.columns.past(past, group(dim)) : undefined}
        .objection=${(typed: string) =>
          columnsOf(typed, dim)
            ? undefined
            : text.columns.refuse(MOST_COLUMNS, dim - 1, repeated(typed) || text.columns.nothing)}
        .onValue=${(value: string) => this.change({ columns: columnsOf(value, dim) ?? columns })}
      ></text-field>
    </div>`;
  }

  protected renderLookFor(): Content {
    return texts().waves.lookFor;
  }

  protected table(answer: Answer<'waves'>): TableData {
    const { request, result } = answer;
    if (request.far) return this.#tableOfLines(answer, request.far);
    const { length, dim } = request;
    const values = this.state.show === 'pe' ? result.encoding : result.sum;
    return {
      columns: [texts().waves.tableHead, ...Array.from({ length: dim }, (_, c) => group(c))],
      rows: length,
      cell: (row, column) => (column === 0 ? group(row) : fixed(values[row * dim + column - 1]!, 9)),
      value: (row, column) => (column === 0 ? row : values[row * dim + column - 1]!),
    };
  }

  /** The chosen columns as far as their lines run. */
  #tableOfLines(answer: Answer<'waves'>, { length }: { length: number }): TableData {
    const columns = this.#chosen(answer.request.dim);
    const value = (row: number, column: number): number =>
      column === 0 ? row : this.#valueAt(answer, this.state.show, row, columns[column - 1]!)!;
    return {
      columns: [texts().waves.tableHead, ...columns.map(group)],
      rows: length,
      cell: (row, column) => (column === 0 ? group(row) : fixed(value(row, column), 9)),
      value,
    };
  }

  protected override array(answer: Answer<'waves'>): NumberArray {
    const { request, result } = answer;
    if (request.far) return super.array(answer);
    const values = this.state.show === 'pe' ? result.encoding : result.sum;
    return { values, shape: [request.length, request.dim] };
  }

  protected override numpy({ request }: Answer<'waves'>): string {
    const { tokens, length, dim, base, far } = request;
    const words = tokens.slice(0, length);
    const sum = this.state.show === 'sum';
    if (far) {
      const lines = [
        `length, dim, base = ${far.length}, ${dim}, ${base}`,
        `column = np.array(${pythonList(this.#chosen(dim))}, dtype=int)`,
        'position = np.arange(length)[:, None]',
        'angle = position * float(base) ** (-(column // 2 * 2) / dim)',
        'values = np.where(column % 2 == 0, np.sin(angle), np.cos(angle))',
        'table = np.hstack([position, values])',
      ];
      if (sum) {
        lines.unshift(EMBEDDING, '');
        lines.push(`table[:${words.length}, 1:] += embed(${pythonList(words)}, dim)[:, column]`);
      }
      return lines.join('\n');
    }
    const lines = [
      `length, dim, base = ${length}, ${dim}, ${base}`,
      'position = np.arange(length)[:, None]',
      'frequency = float(base) ** (-np.arange(0, dim, 2) / dim)',
      'table = np.empty((length, dim))',
      'table[:, 0::2] = np.sin(position * frequency)',
      'table[:, 1::2] = np.cos(position * frequency)',
    ];
    if (sum) {
      lines.unshift(EMBEDDING, '');
      lines.push(`table[:${words.length}] += embed(${pythonList(words)}, dim)`);
    }
    return lines.join('\n');
  }

  protected updatePlots(): void {
    const text = texts().waves;
    const { request, result } = this.answer ?? { request: this.request(this.state) };
    const { tokens, length, dim, base } = request;
    const values = result && (this.state.show === 'pe' ? result.encoding : result.sum);
    const limit = LIMITS[this.state.show];
    const { row, column } = clampCursor(this.cursor, request);
    this.#map.update({
      label: text.map(length, dim),
      rows: length,
      columns: dim,
      panels: [{ values: values ?? null, scale: { map: 'diverging', limit }, bar: true }],
      shape: { cells: 'fill', height: MAP_HEIGHT },
      rowAxis: { title: text.positionAxis },
      columnAxis: { title: text.dimensionAxis },
      topAxis: { title: text.wavelengthAxis, ticks: wavelengthTicks(dim, base) },
      lens: { labels: tokens, caption: text.enlarged(tokens.length - 1) },
      guide: 'column',
      // Further down than the rows go, the cursor is in the lines alone.
      cursor: row < length ? { row, column } : undefined,
    });
    const positions = request.far ? FAR_POSITIONS : Array.from({ length }, (_, position) => position);
    const chosen = this.#chosen(dim).filter((c) => c !== column);
    const line = (c: number, color: LineColor): LineSeries => ({
      name: group(c),
      color,
      place: 'end',
      width: positions.length > MOST_BROAD ? 1 : 2,
      values: this.answer ? this.#lineOf(this.answer, this.state.show, c) : [],
    });
    const columns = [...chosen, column];
    const lines = columns.map((c, k) => ({ column: c, series: line(c, c === column ? 6 : ((k + 1) as LineColor)) }));
    // Where the fast waves run together, the slow ones go over them.
    if (positions.length > MOST_BROAD) lines.sort((a, b) => a.column - b.column);
    this.#lines.update({
      label: text.lines,
      x: positions,
      xAxis: { title: text.linesAxis, minimum: 0, maximum: positions.length - 1 },
      yAxis: { title: text.linesTitle, minimum: -limit, maximum: limit },
      height: LINES_HEIGHT,
      series: lines.map(({ series }) => series),
      cursor: row,
    });
  }

  /** PE or x + PE in one place; undefined where it has not come yet. */
  #valueAt(answer: Answer<'waves'>, show: WavesState['show'], row: number, column: number): number | undefined {
    const { request, result } = answer;
    if (row < request.length) return (show === 'pe' ? result.encoding : result.sum)[row * request.dim + column];
    // After the rows there are no words, so that the sum is PE.
    return this.#farLine(answer, column)?.[row];
  }

  /** A column as far as its line runs. */
  #lineOf(answer: Answer<'waves'>, show: WavesState['show'], column: number): ArrayLike<number> {
    const { length, far } = answer.request;
    const top = Float32Array.from({ length }, (_, row) => this.#valueAt(answer, show, row, column)!);
    if (!far) return top;
    const line = this.#farLine(answer, column)?.slice() ?? [];
    if (line instanceof Float32Array) line.set(top);
    return line;
  }

  /** PE in a column of the far rows. */
  #farLine({ request: { dim, base, far }, result }: Answer<'waves'>, column: number): Float32Array | undefined {
    if (!far) return undefined;
    const k = far.columns.indexOf(column);
    if (k >= 0) return result.far!.subarray(k * far.length, (k + 1) * far.length);
    const own = this.column?.request;
    return own?.column === column && own.dim === dim && own.base === base ? this.column!.values : undefined;
  }

  /** The chosen columns that a width has. */
  #chosen(dim: number): number[] {
    return this.state.columns.filter((column) => column < dim);
  }
}

/** The columns that a text lists, or undefined if it is not such a list. */
function columnsOf(text: string, dim: number): number[] | undefined {
  const columns = text
    .normalize('NFKC')
    .split(/[,，、\s]+/)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : NaN));
  const fit = columns.length <= MOST_COLUMNS && columns.every((column) => column < dim);
  return fit ? [...new Set(columns)] : undefined;
}

function clampCursor({ row, column }: Cell, { length, dim, far }: WavesRequest): Cell {
  return { row: Math.min(row, (far?.length ?? length) - 1), column: Math.min(column, dim - 1) };
}

/** The four evaluations of one pair's frequency. */
function stepsOf({ request, result }: Answer<'waves'>, pair: number): number[] {
  const pairs = request.dim / 2;
  const at = Math.min(pair, pairs - 1);
  return Array.from({ length: result.steps.length / pairs }, (_, s) => result.steps[s * pairs + at]!);
}

/** Round wavelengths over the columns that have them, and the shortest and longest one. */
function wavelengthTicks(dim: number, base: number): { column: number; label: string }[] {
  const columnOf = (wavelength: number): number => (dim * Math.log(wavelength / (2 * Math.PI))) / Math.log(base);
  const longest = 2 * Math.PI * base ** ((dim - 2) / dim);
  const round = TOP_TICKS.filter((wavelength) => wavelength < longest);
  const ticks = round.map((wavelength) => ({ column: columnOf(wavelength), label: short(wavelength) }));
  return [{ column: 0, label: '2π' }, ...ticks, { column: dim - 2, label: group(Math.round(longest)) }];
}
