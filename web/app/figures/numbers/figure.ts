import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { mathml } from 'virtual:formulas';
import type { NumberArray } from '../../exports/npy.js';
import { NORMAL } from '../../exports/numpy.js';
import type { Content } from '../../texts/translation.js';
import type { TableData } from '../../parts/data-table.js';
import { type Answer, Figure } from '../../parts/figure.js';
import type { Claim } from '../../parts/proof-line.js';
import type { ColorScale } from '../../plots/colormap.js';
import { fixed, group, noBreak, readout, scientific, short } from '../../plots/format.js';
import { type Cell, HeatMap } from '../../plots/heatmap.js';
import { type StateFields, oneOf, range } from '../../state/fields.js';
import { LEARNED_ROWS, LEARNED_SEED, type NumbersRequest, SCHEMES, type Scheme, type SchemeFacts } from './task.js';
import { type Texts, texts } from '../../texts/index.js';

interface NumbersState {
  readonly length: number;
  readonly dim: number;
  readonly base: number;
  /** Which way of writing the claim is judged for. */
  readonly scheme: Scheme;
}

/** See the derivation in the text. */
const TOLERANCE = 2 ** -22;
const CODE_HEIGHT = 128;
/** Colour limits, fixed: the index of the longest text; a normal number seldom leaves [−3, 3]. */
const CODE_SCALES: Record<Scheme, ColorScale> = {
  integer: { map: 'sequential', limit: LEARNED_ROWS },
  unit: { map: 'sequential', limit: 1 },
  'one-hot': { map: 'sequential', limit: 1 },
  learned: { map: 'diverging', limit: 3 },
  waves: { map: 'diverging', limit: 1 },
};
const LEFT = 34;

const fields: StateFields<NumbersState> = {
  length: range(4, LEARNED_ROWS),
  dim: range(2, 128, 2),
  base: range(10, 1_000_000),
  scheme: oneOf(SCHEMES),
};

/** Five ways of writing positions, each over the similarities of its rows. */
export class NumbersFigure extends Figure<NumbersState, 'numbers'> {
  static override properties = { ...super.properties, cursor: { state: true }, channel: { state: true } };
  /** Two positions. */
  declare private cursor: Cell;
  declare private channel: number;

  readonly task = 'numbers';
  protected readonly initial: NumbersState = { length: 32, dim: 64, base: 10_000, scheme: 'waves' };

  protected readonly fields = fields;

  readonly #maps = SCHEMES.map((scheme) => ({
    scheme,
    code: new HeatMap({
      onCursor: ({ row, column }) => {
        this.cursor = { row, column: this.cursor.column };
        this.channel = column;
      },
    }),
    similarity: new HeatMap({ onCursor: (cell) => (this.cursor = cell) }),
  }));

  constructor() {
    super();
    this.cursor = { row: 5, column: 8 };
    this.channel = 2;
  }

  protected text(): Texts['numbers'] {
    return texts().numbers;
  }

  protected request({ length, dim, base }: NumbersState): NumbersRequest {
    return { length, dim, base };
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const last = this.state.length - 1;
    const { row, column } = this.cursor;
    if (row > last || column > last) this.cursor = { row: Math.min(row, last), column: Math.min(column, last) };
  }

  get #facts(): SchemeFacts | undefined {
    return this.answer?.result.facts[SCHEMES.indexOf(this.state.scheme)];
  }

  protected claim(): Claim {
    const text = texts().numbers;
    const facts = this.#facts;
    if (!this.answer || !facts) return { state: 'computing', text: text.computing };
    const { scheme } = this.state;
    const { length } = this.answer.request;
    const width = this.answer.result.widths[SCHEMES.indexOf(scheme)]!;
    const { spread, neighbours, further } = facts;
    const isStriped = spread <= TOLERANCE;
    const holds = isStriped && further < neighbours;
    const why: Record<Scheme, string> = {
      integer: text.oneDirection,
      unit: text.oneDirection,
      'one-hot': text.allAlike,
      learned: text.noPattern,
      waves: isStriped ? text.comesBack(fixed(further, 6)) : text.fails,
    };
    return {
      state: holds ? 'holds' : 'fails',
      text: holds ? text.claim : why[scheme],
      comparison:
        isStriped && !holds
          ? { residual: further, tolerance: neighbours, relation: '<', gaugeFrom: -2, show: (value) => short(value) }
          : { residual: spread, tolerance: TOLERANCE, relation: '≤', gaugeFrom: -12 },
      measurement: this.measurement('f32', `${group(length)} × ${group(width)}`),
      derivation: text.derivation,
    };
  }

  protected renderProse(): Content {
    return texts().numbers.prose(group(LEARNED_ROWS));
  }

  protected renderMargin(): TemplateResult {
    const words = texts().numbers.margin;
    const facts = this.#facts;
    return html`
      ${unsafeHTML(mathml.numbers)}
      <dl class="fill">
        <dt>${words.spread}</dt>
        <dd>${facts ? scientific(facts.spread) : nothing}</dd>
        <dt>${words.neighbours}</dt>
        <dd>${facts ? fixed(facts.neighbours, 6) : nothing}</dd>
        <dt>${words.further}</dt>
        <dd>${facts ? fixed(facts.further, 6) : nothing}</dd>
      </dl>
    `;
  }

  protected renderPlot(): TemplateResult {
    const text = texts().numbers;
    return html`<div class="five">
      ${this.#maps.map(
        ({ scheme, code, similarity }) =>
          html`<div>
            <h3>${text.schemes[scheme]}</h3>
            ${code.element} ${similarity.element}
          </div>`,
      )}
    </div>`;
  }

  protected renderReadout({ request, result }: Answer<'numbers'>): Content {
    const text = texts().numbers;
    const last = request.length - 1;
    const [m, n] = [Math.min(this.cursor.row, last), Math.min(this.cursor.column, last)];
    return html`<span class="q nb">m = <b>${group(m)}</b></span
      >&nbsp;· <span class="k nb">n = <b>${group(n)}</b></span
      >&nbsp;· <span class="dist nb">n − m = <b>${group(n - m)}</b></span
      >&nbsp;· ${text.readout.similarity}
      ${SCHEMES.map(
        (scheme, s) =>
          html`·
            <span class="nb"
              >${text.short[scheme]} <b>${readout(result.similarities[s]![m * request.length + n]!)}</b></span
            > `,
      )}`;
  }

  protected renderControls(): TemplateResult {
    const text = texts().numbers;
    return html`<div class="controls">
      ${this.renderSlider('length', text.length)} ${this.renderSlider('dim', text.width)}
      ${this.renderSlider('base', text.base, { scale: 'log', ends: ['10', '10⁶'] })}
      ${this.renderChoice('scheme', text.scheme, (scheme) => text.short[scheme], { wide: true })}
    </div>`;
  }

  protected renderLookFor(): Content {
    return texts().numbers.lookFor;
  }

  protected override renderFirstNote(): TemplateResult {
    const { facts: words, short: names } = texts().numbers;
    const longer = ({ longer: change }: SchemeFacts): string => {
      if (change.kind === 'widens') return words.widens(group(change.width));
      if (change.kind === 'ends') return words.ends(group(change.rows));
      return change.by === 0 ? words.stays : words.changes(scientific(change.by));
    };
    return html`${super.renderFirstNote()}
      <table class="short facts">
        <thead>
          <tr>
            ${words.heads.map((head) => html`<th scope="col">${head}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${SCHEMES.map((scheme, s) => {
            const facts = this.answer?.result.facts[s];
            return html`<tr class=${scheme === this.state.scheme ? 'chosen' : ''}>
              <td>${names[scheme]}</td>
              <td>${facts ? short(Number(facts.largest.toPrecision(3))) : nothing}</td>
              <td>${facts ? longer(facts) : nothing}</td>
              <td>${facts ? noBreak(scientific(facts.spread)) : nothing}</td>
            </tr>`;
          })}
        </tbody>
      </table>`;
  }

  protected table({ request, result }: Answer<'numbers'>): TableData {
    const text = texts().numbers;
    const { length } = request;
    return {
      columns: [...text.tableHeads, ...SCHEMES.map((scheme) => text.short[scheme])],
      rows: length * length,
      cell: (row, column) => {
        const [m, n] = [Math.floor(row / length), row % length];
        return column < 3 ? group([m, n, n - m][column]!) : fixed(result.similarities[column - 3]![row]!, 9);
      },
      value: (row, column) => {
        const [m, n] = [Math.floor(row / length), row % length];
        return [m, n, n - m][column] ?? result.similarities[column - 3]![row]!;
      },
    };
  }

  protected override array({ request, result }: Answer<'numbers'>): NumberArray {
    const { length } = request;
    return { values: result.similarities.flatMap((matrix) => [...matrix]), shape: [SCHEMES.length, length, length] };
  }

  protected override numpy({ request }: Answer<'numbers'>): string {
    const { length, dim, base } = request;
    return `${NORMAL}

length, dim, base = ${length}, ${dim}, ${base}
position = np.arange(length)[:, None]
angle = position * float(base) ** (-np.arange(0, dim, 2) / dim)
codes = [
    position,
    position / (length - 1),
    np.eye(length),
    (normal(${LEARNED_SEED}, ${LEARNED_ROWS} * dim).reshape(${LEARNED_ROWS}, dim))[:length],
    np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(length, dim),
]

def similarity(code):
    size = np.linalg.norm(code, axis=1)
    size[size == 0] = np.inf
    return code @ code.T / np.outer(size, size)

table = np.stack([similarity(code) for code in codes])`;
  }

  protected updatePlots(): void {
    const text = texts().numbers;
    const { length, dim } = this.answer?.request ?? this.request(this.state);
    const { result } = this.answer ?? {};
    const widths = result?.widths ?? [1, 1, length, dim, dim];
    const last = length - 1;
    const [m, n] = [Math.min(this.cursor.row, last), Math.min(this.cursor.column, last)];
    this.#maps.forEach(({ scheme, code, similarity }, s) => {
      const columns = widths[s]!;
      code.update({
        label: text.codeMap(text.schemes[scheme]),
        rows: length,
        columns,
        panels: [{ title: text.code, values: result?.codes[s] ?? null, scale: CODE_SCALES[scheme], bar: true }],
        shape: { cells: 'fill', height: CODE_HEIGHT },
        rowAxis: { title: text.positionAxis },
        columnAxis: { title: text.channelAxis },
        left: LEFT,
        cursor: { row: m, column: Math.min(this.channel, columns - 1) },
      });
      similarity.update({
        label: text.similarityMap(text.schemes[scheme]),
        rows: length,
        columns: length,
        panels: [
          {
            title: text.similarity,
            values: result?.similarities[s] ?? null,
            scale: { map: 'diverging', limit: 1 },
            bar: true,
          },
        ],
        shape: { cells: 'square' },
        rowAxis: { title: text.firstAxis, color: 'q' },
        columnAxis: { title: text.secondAxis, color: 'k' },
        guide: 'diagonal',
        left: LEFT,
        cursor: { row: m, column: n },
      });
    });
  }
}
