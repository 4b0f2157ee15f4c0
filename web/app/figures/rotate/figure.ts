import { html, nothing, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { sinusoidalFrequencies } from 'posenc';
import { mathml } from 'virtual:formulas';
import type { NumberArray } from '../../exports/npy.js';
import { EMBEDDING } from '../../exports/numpy.js';
import type { Content } from '../../texts/translation.js';
import type { TableData } from '../../parts/data-table.js';
import { type Answer, Figure } from '../../parts/figure.js';
import type { Claim } from '../../parts/proof-line.js';
import { fixed, group, readout } from '../../plots/format.js';
import { type Cell, HeatMap } from '../../plots/heatmap.js';
import { Plane, type PlaneVector } from '../../plots/plane.js';
import { type StateFields, oneOf, range } from '../../state/fields.js';
import {
  type Reordered,
  type RotateDirection,
  type RotatePairing,
  type RotateRequest,
  channelsOf,
  placeInOther,
} from './task.js';
import { LARGEST_SHIFT } from '../shift-axis.js';
import { type Texts, texts } from '../../texts/index.js';

interface RotateState {
  readonly m: number;
  readonly n: number;
  readonly pair: number;
  readonly rotaryDim: number;
  readonly pairing: RotatePairing;
  readonly direction: RotateDirection;
  readonly reordered: Reordered;
}

const HEAD_DIM = 16;
const BASE = 10_000;
/** A pair keeps its length to within 2⁻²² of it; two scores of unit vectors are within 2⁻²⁰. See the derivation. */
const LENGTH_TOLERANCE = 2 ** -22;
const SCORE_TOLERANCE = 2 ** -20;
/** Where the arcs of q, of k and between them stand, as shares of the plane. */
const ARC = { query: 0.3, key: 0.22, between: 0.38 };

const fields: StateFields<RotateState> = {
  m: range(0, LARGEST_SHIFT),
  n: range(0, LARGEST_SHIFT),
  pair: range(0, HEAD_DIM / 2 - 1),
  rotaryDim: range(2, HEAD_DIM, 2),
  pairing: oneOf(['interleaved', 'half']),
  direction: oneOf(['forward', 'inverse']),
  reordered: oneOf(['both', 'query', 'neither']),
};

/** Query and key of a pair as arrows, before and after the turn, over the rotation matrices of both pairings. */
export class RotateFigure extends Figure<RotateState, 'rotate'> {
  static override properties = { ...super.properties, cursor: { state: true } };
  /** The cell of the matrix of neighbours. */
  declare private cursor: Cell;

  readonly task = 'rotate';
  protected readonly initial: RotateState = {
    m: 5,
    n: 3,
    pair: 1,
    rotaryDim: HEAD_DIM,
    pairing: 'half',
    direction: 'forward',
    reordered: 'both',
  };

  protected readonly fields = fields;

  readonly #planes = { before: new Plane(), after: new Plane() };
  readonly #maps = {
    interleaved: new HeatMap({ onCursor: (cell) => this.#moveTo(cell) }),
    half: new HeatMap({ onCursor: (cell) => this.#moveTo(this.#inOther(cell, 'half')) }),
  };

  constructor() {
    super();
    this.cursor = { row: 2, column: 3 };
  }

  protected text(): Texts['rotate'] {
    return texts().rotate;
  }

  protected request({ m, n, rotaryDim, pairing, direction, reordered }: RotateState): RotateRequest {
    return { headDim: HEAD_DIM, base: BASE, m, n, rotaryDim, pairing, direction, reordered };
  }

  protected claim(): Claim {
    const text = texts().rotate;
    if (!this.answer) return { state: 'computing', text: text.computing };
    const { request, result } = this.answer;
    const difference = Math.abs(result.score - result.otherScore);
    const lengthsHold = result.lengthChange <= LENGTH_TOLERANCE;
    const holds = lengthsHold && difference <= SCORE_TOLERANCE;
    const scoreWhy = { both: text.scoreFails, query: text.queryFails, neither: text.neitherFails }[request.reordered];
    return {
      state: holds ? 'holds' : 'fails',
      text: holds ? text.claim : lengthsHold ? scoreWhy : text.lengthFails,
      comparison: lengthsHold
        ? { residual: difference, tolerance: SCORE_TOLERANCE, relation: '≤', gaugeFrom: -12 }
        : { residual: result.lengthChange, tolerance: LENGTH_TOLERANCE, relation: '≤', gaugeFrom: -12 },
      measurement: this.measurement('f32', `2 × ${HEAD_DIM}`),
      derivation: text.derivation,
    };
  }

  protected renderProse(): Content {
    return texts().rotate.prose;
  }

  protected renderMargin(): TemplateResult {
    const words = texts().rotate.margin;
    const { m, n } = this.state;
    const angle = (position: number): string => `${readout(this.#sign * position * this.#frequency)} rad`;
    return html`
      ${unsafeHTML(mathml.rotate)}
      <dl class="fill">
        <dt>${words.angle}</dt>
        <dd class="q">m θ = ${angle(m)}</dd>
        <dt>${words.angleOfKey}</dt>
        <dd class="k">n θ = ${angle(n)}</dd>
        <dt>${words.between}</dt>
        <dd class="dist">(n − m) θ = ${angle(n - m)}</dd>
      </dl>
    `;
  }

  protected renderPlot(): TemplateResult {
    const text = texts().rotate;
    const pair = text.pair(group(this.#pair));
    const side = (title: string, note: string | typeof nothing, content: HTMLElement): TemplateResult =>
      html`<div class="side">
        <h3>${title} <span>${note}</span></h3>
        ${content}
      </div>`;
    return html`
      <div class="duo">
        ${side(text.before, pair, this.#planes.before.element)} ${side(text.after, pair, this.#planes.after.element)}
      </div>
      <div class="duo">
        ${(['interleaved', 'half'] as const).map((pairing) =>
          side(text.pairings[pairing], nothing, this.#maps[pairing].element),
        )}
      </div>
    `;
  }

  protected renderReadout({ request, result }: Answer<'rotate'>): Content {
    const text = texts().rotate;
    const words = text.readout;
    const [a, b] = this.#channels(request);
    const other = ([a, b] as const).map((channel) => placeInOther(channel, request.rotaryDim, request.pairing));
    const length = (x: Float32Array): string => fixed(Math.hypot(x[a]!, x[b]!), 6);
    const kept = (name: string, before: Float32Array, after: Float32Array): TemplateResult =>
      html`<span class="${name} nb">|${name}| ${length(before)} → <b>${length(after)}</b></span>`;
    const { row, column } = request.pairing === 'half' ? this.#inOther(this.cursor, 'interleaved') : this.cursor;
    const cell = result[request.pairing][row * request.headDim + column]!;
    return html`<span class="nb">R(m)[${group(row)}, ${group(column)}] = <b>${fixed(cell, 6)}</b></span
      >&nbsp;· ${text.pair(group(this.#pair))}&nbsp;· <span class="nb">${words.channels(group(a), group(b))}</span>
      <span class="nb">${words.inOther(group(other[0]!), group(other[1]!))}</span>&nbsp;·
      ${kept('q', result.query, result.turnedQuery)}&nbsp;· ${kept('k', result.key, result.turnedKey)}&nbsp;·
      <span class="nb"
        >${words.score} <b>${fixed(result.score, 7)}</b>${words.otherPairing} ${fixed(result.otherScore, 7)}</span
      >`;
  }

  protected renderControls(): TemplateResult {
    const words = texts().rotate.controls;
    return html`<div class="controls">
      ${this.renderSlider('m', words.m, { scale: 'log1p' })} ${this.renderSlider('n', words.n, { scale: 'log1p' })}
      <number-slider
        name="pair"
        .label=${words.pair.label}
        .field=${words.pair.field}
        .value=${this.#pair}
        .minimum=${0}
        .maximum=${this.state.rotaryDim / 2 - 1}
        .onValue=${(pair: number) => this.#choosePair(pair)}
      ></number-slider>
      ${this.renderSlider('rotaryDim', words.width)}
      ${this.renderChoice('pairing', words.pairing, (value) => words.pairingOptions[value])}
      ${this.renderChoice('direction', words.direction, (value) => words.directions[value])}
      ${this.renderChoice('reordered', words.reordered, (value) => words.reorderings[value], { wide: true })}
    </div>`;
  }

  protected renderLookFor(): Content {
    return texts().rotate.lookFor;
  }

  protected table({ request, result }: Answer<'rotate'>): TableData {
    const { rotaryDim, pairing } = request;
    const frequencies = sinusoidalFrequencies({ dim: rotaryDim, base: BASE });
    const { query, key, turnedQuery, turnedKey } = result;
    return {
      columns: texts().rotate.tableHeads,
      rows: rotaryDim / 2,
      cell: (pair, column) => {
        const [a, b] = channelsOf(pair, rotaryDim, pairing);
        const arrow = (x: Float32Array): string => `${fixed(x[a]!, 9)}, ${fixed(x[b]!, 9)}`;
        const length = (x: Float32Array): string => fixed(Math.hypot(x[a]!, x[b]!), 9);
        const cells = [
          () => group(pair),
          () => `${group(a)}, ${group(b)}`,
          () => readout(frequencies[pair]!, 9),
          () => arrow(query),
          () => arrow(turnedQuery),
          () => length(query),
          () => length(turnedQuery),
          () => arrow(key),
          () => arrow(turnedKey),
          () => length(key),
          () => length(turnedKey),
          () => fixed(turnedQuery[a]! * turnedKey[a]! + turnedQuery[b]! * turnedKey[b]!, 9),
        ];
        return cells[column]!();
      },
      value: (pair, column) => {
        const [a, b] = channelsOf(pair, rotaryDim, pairing);
        const arrow = (x: Float32Array): string => `${x[a]}, ${x[b]}`;
        const length = (x: Float32Array): number => Math.hypot(x[a]!, x[b]!);
        return [
          pair,
          `${a}, ${b}`,
          frequencies[pair]!,
          arrow(query),
          arrow(turnedQuery),
          length(query),
          length(turnedQuery),
          arrow(key),
          arrow(turnedKey),
          length(key),
          length(turnedKey),
          turnedQuery[a]! * turnedKey[a]! + turnedQuery[b]! * turnedKey[b]!,
        ][column]!;
      },
    };
  }

  protected override array({ result }: Answer<'rotate'>): NumberArray {
    const { query, key, turnedQuery, turnedKey } = result;
    return { values: [...query, ...key, ...turnedQuery, ...turnedKey], shape: [4, HEAD_DIM] };
  }

  protected override numpy({ request }: Answer<'rotate'>): string {
    const { headDim, rotaryDim, pairing, direction, m, n } = request;
    const half = pairing === 'half';
    return `${EMBEDDING}

dim, rotary = ${headDim}, ${rotaryDim}
q, k = (v / np.linalg.norm(v) for v in embed(["q", "k"], dim))
frequency = ${BASE}.0 ** (-np.arange(0, rotary, 2) / rotary)
a, b = ${half ? 'np.arange(rotary // 2), np.arange(rotary // 2, rotary)' : 'np.arange(0, rotary, 2), np.arange(1, rotary, 2)'}

def rotate(v, position):
    angle = ${direction === 'inverse' ? '-' : ''}position * frequency
    turned = v.copy()
    turned[a], turned[b] = v[a] * np.cos(angle) - v[b] * np.sin(angle), v[a] * np.sin(angle) + v[b] * np.cos(angle)
    return turned

# Query and key, before and after the turn.
table = np.stack([q, k, rotate(q, ${m}), rotate(k, ${n})])`;
  }

  protected updatePlots(): void {
    const text = texts().rotate;
    const { request, result } = this.answer ?? { request: this.request(this.state) };
    this.#updatePlanes();
    const neighbours = this.cursor;
    const cells = { interleaved: neighbours, half: this.#inOther(neighbours, 'interleaved') };
    for (const pairing of ['interleaved', 'half'] as const) {
      const map = this.#maps[pairing];
      map.update({
        label: text.matrix[pairing],
        rows: request.headDim,
        columns: request.headDim,
        panels: [
          {
            title: text.matrixTitle,
            values: result?.[pairing] ?? null,
            scale: { map: 'diverging', limit: 1 },
            bar: true,
          },
        ],
        shape: { cells: 'square', maximum: 20 },
        rowAxis: { title: text.rowAxis },
        columnAxis: { title: text.columnAxis },
        left: 34,
        cursor: cells[pairing],
      });
    }
  }

  #updatePlanes(): void {
    const text = texts().rotate;
    const { request, result } = this.answer ?? {};
    if (!request || !result) return;
    const [a, b] = this.#channels(request);
    const arrow = (name: 'q' | 'k', x: Float32Array, ghost: boolean): PlaneVector => ({
      x: x[a]!,
      y: x[b]!,
      name,
      color: name,
      ghost,
    });
    const angle = (x: Float32Array): number => Math.atan2(x[b]!, x[a]!);
    const { query, key, turnedQuery, turnedKey } = result;
    const longest = Math.max(Math.hypot(query[a]!, query[b]!), Math.hypot(key[a]!, key[b]!));
    const between = (q: Float32Array, k: Float32Array) => {
      const from = angle(q);
      return { from, to: from + shortTurn(angle(k) - from), radius: ARC.between, color: 'accent' } as const;
    };
    this.#planes.before.update({
      label: text.beforePlane,
      limit: longest,
      vectors: [arrow('q', query, false), arrow('k', key, false)],
      arcs: [between(query, key)],
    });
    const turn = (name: 'query' | 'key', x: Float32Array, position: number) => ({
      from: angle(x),
      to: angle(x) + shortTurn((this.#sign * position * this.#frequency) % (2 * Math.PI)),
      radius: ARC[name],
      color: name === 'query' ? ('q' as const) : ('k' as const),
    });
    this.#planes.after.update({
      label: text.afterPlane,
      limit: longest,
      vectors: [
        arrow('q', query, true),
        arrow('k', key, true),
        arrow('q', turnedQuery, false),
        arrow('k', turnedKey, false),
      ],
      arcs: [turn('query', query, request.m), turn('key', key, request.n), between(turnedQuery, turnedKey)],
    });
  }

  get #sign(): 1 | -1 {
    return this.state.direction === 'forward' ? 1 : -1;
  }

  /** The chosen pair, or the last one of a smaller width. */
  get #pair(): number {
    return Math.min(this.state.pair, this.state.rotaryDim / 2 - 1);
  }

  get #frequency(): number {
    return sinusoidalFrequencies({ dim: this.state.rotaryDim, base: BASE })[this.#pair]!;
  }

  #channels({ rotaryDim, pairing }: RotateRequest): readonly [number, number] {
    return channelsOf(Math.min(this.#pair, rotaryDim / 2 - 1), rotaryDim, pairing);
  }

  #choosePair(pair: number): void {
    this.change({ pair });
    this.cursor = { row: 2 * pair, column: 2 * pair + 1 };
  }

  /** A cell of the matrix of neighbours; its row's pair is then the chosen one. */
  #moveTo(cell: Cell): void {
    this.cursor = cell;
    if (cell.row < this.state.rotaryDim) this.change({ pair: cell.row >> 1 });
  }

  #inOther({ row, column }: Cell, from: RotatePairing): Cell {
    const place = (channel: number): number => placeInOther(channel, this.state.rotaryDim, from);
    return { row: place(row), column: place(column) };
  }
}

/** The same turn by at most half a turn either way. */
function shortTurn(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}
