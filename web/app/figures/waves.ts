import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { mathml } from 'virtual:formulas';
import type { NumberArray } from '../exports/npy.js';
import { EMBEDDING, pythonList } from '../exports/numpy.js';
import type { Content } from '../messages/bilingual.js';
import type { TableData } from '../parts/data-table.js';
import { type Answer, Figure } from '../parts/figure.js';
import type { Claim } from '../parts/proof-line.js';
import { repeated } from '../parts/refusing-field.js';
import { exact, fixed, group, noBreak, readout, scientific, short } from '../plots/format.js';
import { type Cell, HeatMap } from '../plots/heatmap.js';
import { type LineSeries, LinePlot } from '../plots/line-plot.js';
import type { LineColor } from '../plots/theme.js';
import { type StateFields, listOf, oneOf, range, textUpTo } from '../state/fields.js';
import { renderSentence } from './sentence-field.js';
import { LONGEST_TOKEN, SEPARATOR } from './sentence.js';
import { wavesText } from './waves-text.js';
import type { WavesRequest } from './waves-task.js';

interface WavesState {
  readonly tokens: readonly string[];
  readonly dim: number;
  readonly base: number;
  readonly length: number;
  readonly show: 'pe' | 'sum';
  readonly columns: readonly number[];
}

const MOST_TOKENS = 8;
const MOST_COLUMNS = 4;
/** Colour limits, fixed: PE lies in [−1, 1]; a normal word vector added to it seldom leaves [−3, 3]. */
const LIMITS = { pe: 1, sum: 3 } as const;
const MAP_HEIGHT = 280;
const LINES_HEIGHT = 130;
const TOP_TICKS = [100, 1000, 10_000, 100_000, 1_000_000, 10_000_000];

const fields: StateFields<WavesState> = {
  tokens: listOf(textUpTo(LONGEST_TOKEN), 1, MOST_TOKENS),
  dim: range(2, 512, 2),
  base: range(10, 1_000_000),
  length: range(MOST_TOKENS, 160),
  show: oneOf(['pe', 'sum']),
  columns: listOf(range(0, 511), 1, MOST_COLUMNS),
};

/** The sinusoidal table of a padded sentence: waves, fast on the left and slow on the right. */
export class WavesFigure extends Figure<WavesState, 'waves'> {
  static override properties = { ...super.properties, cursor: { state: true } };
  declare private cursor: Cell;

  readonly task = 'waves';
  protected readonly initial: WavesState = {
    tokens: ['我', '很', '牛逼'],
    dim: 312,
    base: 10_000,
    length: 80,
    show: 'pe',
    columns: [20, 80, 160],
  };

  protected readonly fields = fields;

  readonly #map = new HeatMap({ onCursor: (cell) => (this.cursor = cell) });
  readonly #lines = new LinePlot({
    onCursor: (row) => (this.cursor = { row, column: this.cursor.column }),
  });

  constructor() {
    super();
    this.cursor = { row: 2, column: 40 };
  }

  protected text(): ReturnType<typeof wavesText> {
    return wavesText();
  }

  protected request({ tokens, length, dim, base }: WavesState): WavesRequest {
    return { tokens, length, dim, base };
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    // A smaller table keeps the cursor inside.
    const row = Math.min(this.cursor.row, this.state.length - 1);
    const column = Math.min(this.cursor.column, this.state.dim - 1);
    if (row !== this.cursor.row || column !== this.cursor.column) this.cursor = { row, column };
  }

  protected claim(): Claim {
    const text = wavesText();
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
    return wavesText().prose(sentence, gloss, noBreak(group(length)), noBreak(group(dim)), noBreak(fixed(slowest, 0)));
  }

  protected renderMargin(): TemplateResult {
    const text = wavesText();
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
    const words = wavesText().readout;
    const { row, column } = clampCursor(this.cursor, answer.request);
    const { dim } = answer.request;
    const pair = column >> 1;
    const frequency = answer.result.frequencies[pair]!;
    const name = column % 2 === 0 ? 'sin' : 'cos';
    const token = answer.request.tokens[row];
    const value = answer.result.encoding[row * dim + column]!;
    const sum = answer.result.sum[row * dim + column]!;
    return html`${token ? html`${token}&nbsp;· ` : nothing}${words.position} <b>${group(row)}</b>&nbsp;·
      ${words.dimension} <b>${group(column)}</b>&nbsp;· ${words.pair(group(pair))}&nbsp;· ${words.wavelength}
      <span class="nb">${readout((2 * Math.PI) / frequency)}</span>&nbsp;·
      <span class="nb">${name}(${group(row)} × ${readout(frequency)})</span>
      <span class="nb">= ${name}(${readout(row * frequency)})</span>
      <span class="nb">= <b>${readout(value)}</b></span>
      ${this.state.show === 'sum' ? html`· <span class="nb">x + PE = <b>${readout(sum)}</b></span>` : nothing}`;
  }

  protected renderControls(): TemplateResult {
    const text = wavesText();
    const { tokens, dim, columns } = this.state;
    const past = columns.filter((column) => column >= dim).map(group);
    return html`<div class="controls">
      ${this.renderSlider('dim', text.width)}
      ${this.renderSlider('base', text.base, { scale: 'log', ends: ['10', '10⁶'] })}
      ${this.renderSlider('length', text.rows)}
      ${this.renderChoice('show', text.show, (show) => ({ pe: 'PE', sum: 'x + PE' })[show])}
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
    return wavesText().lookFor;
  }

  protected table({ request, result }: Answer<'waves'>): TableData {
    const { length, dim } = request;
    const values = this.state.show === 'pe' ? result.encoding : result.sum;
    return {
      columns: [wavesText().tableHead, ...Array.from({ length: dim }, (_, c) => group(c))],
      rows: length,
      cell: (row, column) => (column === 0 ? group(row) : fixed(values[row * dim + column - 1]!, 9)),
      value: (row, column) => (column === 0 ? row : values[row * dim + column - 1]!),
    };
  }

  protected override array({ request, result }: Answer<'waves'>): NumberArray {
    const values = this.state.show === 'pe' ? result.encoding : result.sum;
    return { values, shape: [request.length, request.dim] };
  }

  protected override numpy({ request }: Answer<'waves'>): string {
    const { tokens, length, dim, base } = request;
    const lines = [
      `length, dim, base = ${length}, ${dim}, ${base}`,
      'position = np.arange(length)[:, None]',
      'frequency = float(base) ** (-np.arange(0, dim, 2) / dim)',
      'table = np.empty((length, dim))',
      'table[:, 0::2] = np.sin(position * frequency)',
      'table[:, 1::2] = np.cos(position * frequency)',
    ];
    if (this.state.show === 'sum') {
      const words = tokens.slice(0, length);
      lines.unshift(EMBEDDING, '');
      lines.push(`table[:${words.length}] += embed(${pythonList(words)}, dim)`);
    }
    return lines.join('\n');
  }

  protected updatePlots(): void {
    const text = wavesText();
    const { tokens, length, dim, base } = this.answer?.request ?? this.request(this.state);
    const { result } = this.answer ?? {};
    const values = result && (this.state.show === 'pe' ? result.encoding : result.sum);
    const limit = LIMITS[this.state.show];
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
    });
    this.#map.cursor = clampCursor(this.cursor, { length, dim });

    const column = Math.min(this.cursor.column, dim - 1);
    const chosen = this.state.columns.filter((c) => c < dim && c !== column);
    const line = (c: number, color: LineColor): LineSeries => ({
      name: group(c),
      color,
      place: 'end',
      values: values ? Array.from({ length }, (_, row) => values[row * dim + c]!) : [],
    });
    this.#lines.update({
      label: text.lines,
      x: Array.from({ length }, (_, row) => row),
      xAxis: { title: text.linesAxis, minimum: 0, maximum: length - 1 },
      yAxis: { title: text.linesTitle, minimum: -limit, maximum: limit },
      height: LINES_HEIGHT,
      series: [...chosen.map((c, k) => line(c, (k + 1) as LineColor)), line(column, 6)],
    });
    this.#lines.cursor = Math.min(this.cursor.row, length - 1);
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

function clampCursor({ row, column }: Cell, { length, dim }: { length: number; dim: number }): Cell {
  return { row: Math.min(row, length - 1), column: Math.min(column, dim - 1) };
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
