import { html, nothing, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { encodings } from 'virtual:formulas';
import type { NumberArray } from '../../exports/npy.js';
import { EMBEDDING, pythonList } from '../../exports/numpy.js';
import type { Content } from '../../texts/translation.js';
import type { TableData } from '../../parts/data-table.js';
import { type Answer, Figure } from '../../parts/figure.js';
import type { Claim } from '../../parts/proof-line.js';
import { fixed, group, scientific } from '../../plots/format.js';
import { type Cell, HeatMap, type HeatMapSpec } from '../../plots/heatmap.js';
import { LinePlot } from '../../plots/line-plot.js';
import type { LineColor } from '../../plots/theme.js';
import { language } from '../../preferences.js';
import { type StateFields, oneOf, range } from '../../state/fields.js';
import {
  FIRE_THRESHOLD,
  REACH,
  RELATIVE_HEADS,
  RELATIVE_METHODS,
  type RelativeMethod,
  type RelativeRequest,
} from './task.js';
import { type Texts, texts } from '../../texts/index.js';

interface RelativeState {
  readonly method: RelativeMethod;
  readonly head: number;
  readonly start: number;
  readonly sight: 'both' | 'causal';
}

const SCORE_LIMIT = 6;
const CURVE = { from: -12, to: 8, height: 150 };
const DISTANCES = Array.from({ length: 2 * REACH + 1 }, (_, k) => k - REACH);

const fields: StateFields<RelativeState> = {
  method: oneOf(RELATIVE_METHODS),
  head: range(1, RELATIVE_HEADS),
  start: range(0, 100_000),
  sight: oneOf(['both', 'causal']),
};

/** Scores by position and attention of words under one encoding, its curve per head, and the badge of every encoding. */
export class RelativeFigure extends Figure<RelativeState, 'relative'> {
  static override properties = { ...super.properties, cursor: { state: true } };
  declare private cursor: Cell;

  readonly task = 'relative';
  protected readonly initial: RelativeState = { method: 'alibi', head: 1, start: 100, sight: 'both' };
  protected override readonly fields = fields;

  readonly #maps = {
    scores: new HeatMap({ onCursor: (cell) => (this.cursor = cell) }),
    weights: new HeatMap({ onCursor: (cell) => (this.cursor = cell) }),
  };
  readonly #curve = new LinePlot({ onCursor: (index) => this.#moveTo(DISTANCES[index]!) });

  constructor() {
    super();
    this.cursor = { row: 8, column: 4 };
  }

  protected text(): Texts['relative'] {
    return texts().relative;
  }

  protected request({ method, head, start, sight }: RelativeState): RelativeRequest {
    return { method, tokens: texts().relative.tokens, head: head - 1, start, causal: sight === 'causal' };
  }

  protected claim(): Claim {
    const text = texts().relative;
    if (!this.answer) return { state: 'computing', text: text.computing };
    const { request, result } = this.answer;
    const { drift, bound } = result.drifts[request.method];
    const holds = drift <= bound;
    const name = nameOf(request.method);
    const count = request.tokens.length;
    return {
      state: holds ? 'holds' : 'fails',
      text: holds ? text.claim(name) : request.method === 'fire' ? text.fireFails : text.fails(name),
      comparison: { residual: drift, tolerance: bound, relation: '≤', gaugeFrom: -18 },
      measurement: this.measurement('f32', `${RELATIVE_HEADS} × ${count} × ${count}`),
      derivation: text.derivation,
    };
  }

  protected renderProse(): Content {
    return texts().relative.prose;
  }

  protected renderMargin(): TemplateResult {
    const words = texts().relative.margin;
    const { method } = this.state;
    const { result } = this.answer ?? {};
    const rows = [
      [words.slope, result && scoreText(result.scores[this.#at]!)],
      [words.change, result && scientific(result.drifts[method].drift)],
      [words.bound, result && scientific(result.drifts[method].bound)],
    ];
    return html`
      ${unsafeHTML(encodings[method].mathml)}
      <dl class="fill">
        ${rows.map(
          ([label, value]) =>
            html`<dt>${label}</dt>
              <dd>${value ?? nothing}</dd>`,
        )}
      </dl>
    `;
  }

  protected renderPlot(): TemplateResult {
    const text = texts().relative;
    const side = (title: string, { element }: HeatMap): TemplateResult =>
      html`<div class="side">
        <h3>${title}</h3>
        ${element}
      </div>`;
    return html`
      <div class="duo">${side(text.left, this.#maps.scores)} ${side(text.right, this.#maps.weights)}</div>
      <div class="plot">${this.#curve.element}</div>
    `;
  }

  protected renderReadout({ request, result }: Answer<'relative'>): Content {
    const words = texts().relative.readout;
    const { row: m, column: n } = this.cursor;
    return html`<span class="q nb">m = <b>${group(request.start + m)}</b> ${request.tokens[m]!}</span>&nbsp;·
      <span class="k nb">n = <b>${group(request.start + n)}</b> ${request.tokens[n]!}</span>&nbsp;·
      <span class="dist nb">n − m = <b>${group(n - m)}</b></span
      >&nbsp;· <span class="nb">${words.score} <b>${scoreText(result.scores[this.#at]!)}</b></span
      >&nbsp;· <span class="nb">${words.weight} <b>${fixed(result.weights[this.#at]!, 6)}</b></span>`;
  }

  protected renderControls(): TemplateResult {
    const text = texts().relative;
    return html`<div class="controls">
      ${this.renderChoice('method', text.method, nameOf, { wide: true })}
      ${this.renderSlider('start', text.start, { scale: 'log1p', wide: true })}
      ${this.renderSlider('head', text.head, { wide: true })}
      ${this.renderChoice('sight', text.sight, (sight) => text.sights[sight], { wide: true })}
    </div>`;
  }

  protected renderLookFor(): Content {
    return texts().relative.lookFor;
  }

  protected override renderFirstNote(): TemplateResult {
    const text = texts().relative;
    const words = texts().page.contents;
    const drifts = this.answer?.result.drifts;
    return html`
      ${super.renderFirstNote()}
      <h3>${text.badges}</h3>
      <table class="short badges">
        <thead>
          <tr>
            ${text.badgeHeads.map((head) => html`<th scope="col">${head}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${RELATIVE_METHODS.map((method) => {
            const { drift, bound } = drifts?.[method] ?? {};
            const holds = drift !== undefined && drift <= bound!;
            return html`<tr class=${method === this.state.method ? 'chosen' : ''} data-method=${method}>
              <td>${nameOf(method)}</td>
              <td>
                ${
                  drift === undefined
                    ? nothing
                    : html`<span
                        class="mark ${holds ? 'ok' : 'bad'}"
                        role="img"
                        aria-label=${holds ? words.holds : words.fails}
                        >${holds ? '✓' : '✕'}</span
                      >`
                }
              </td>
              <td>${drift === undefined ? nothing : scientific(drift)}</td>
              <td>${bound === undefined ? nothing : scientific(bound)}</td>
            </tr>`;
          })}
        </tbody>
      </table>
    `;
  }

  protected table({ request, result }: Answer<'relative'>): TableData {
    const count = request.tokens.length;
    const value = (row: number, column: number): number => {
      const [m, n] = [Math.floor(row / count), row % count];
      return [request.start + m, request.start + n, n - m, result.scores[row]!, result.weights[row]!][column]!;
    };
    const name = (row: number, column: number): string =>
      `${group(value(row, column))} ${request.tokens[column === 0 ? Math.floor(row / count) : row % count]!}`;
    return {
      columns: texts().relative.tableHeads,
      rows: count * count,
      cell: (row, column) => {
        if (column < 2) return name(row, column);
        if (column === 2) return group(value(row, column));
        return column === 3 ? scoreText(value(row, column), 9) : fixed(value(row, column), 9);
      },
      value,
    };
  }

  protected override array({ request, result }: Answer<'relative'>): NumberArray {
    const count = request.tokens.length;
    return { values: [...result.scores, ...result.weights], shape: [2, count, count] };
  }

  protected override numpy({ request: { method, tokens, head, start, causal } }: Answer<'relative'>): string {
    return `${EMBEDDING}

def seeded(seed, *shape, scale=1):
    return scale * normal(seed + 1, int(np.prod(shape))).reshape(shape)

tokens = ${pythonList(tokens)}
count, head, causal = len(tokens), ${head}, ${causal ? 'True' : 'False'}
i, j = ${start} + np.arange(count)[:, None], ${start} + np.arange(count)[None, :]

def scores(query, key):
    product = query @ key.T
${SCORES[method]}

def masked(score):
    return np.where((j > i) & causal, -np.inf, score)

words = embed(tokens, 16)
same = masked(scores(*(np.tile(seeded(seed, 16), (count, 1)) for seed in (11, 12))))
own = np.exp(masked(scores(words, words)))
table = np.stack([same, own / own.sum(axis=1, keepdims=True)])`;
  }

  protected updatePlots(): void {
    const text = texts().relative;
    const { request, result } = this.answer ?? { request: this.request(this.state) };
    const map = (label: string, panel: HeatMapSpec['panels'][number]): HeatMapSpec => ({
      label,
      rows: request.tokens.length,
      columns: request.tokens.length,
      panels: [panel],
      shape: { cells: 'square', maximum: 24 },
      rowAxis: { title: text.queryAxis, labels: request.tokens, color: 'q' },
      columnAxis: { title: text.keyAxis, labels: request.tokens, color: 'k' },
      guide: 'diagonal',
      left: 42,
      cursor: this.cursor,
    });
    this.#maps.scores.update(
      map(text.scoresMap, {
        title: text.scores,
        values: result?.scores ?? null,
        scale: { map: 'diverging', limit: SCORE_LIMIT },
        bar: true,
      }),
    );
    this.#maps.weights.update(
      map(text.weightsMap, {
        title: text.weights,
        values: result?.weights ?? null,
        scale: { map: 'sequential', limit: 1 },
        bar: true,
      }),
    );
    const points = DISTANCES.length;
    this.#curve.update({
      label: text.curve,
      x: DISTANCES,
      xAxis: { title: text.distanceAxis, minimum: -REACH, maximum: REACH },
      yAxis: { title: text.curveTitle, minimum: CURVE.from, maximum: CURVE.to, ticks: [-10, -5, 0, 5].map(toTick) },
      height: CURVE.height,
      series: Array.from({ length: RELATIVE_HEADS }, (_, head) => ({
        name: text.headName(group(head + 1)),
        color: (head + 1) as LineColor,
        width: head === request.head ? 2.5 : 1.25,
        values: result?.curve.subarray(head * points, (head + 1) * points) ?? [],
      })),
      cursor: this.cursor.column - this.cursor.row + REACH,
    });
  }

  /** Index of the cursor's cell. */
  get #at(): number {
    return this.cursor.row * texts().relative.tokens.length + this.cursor.column;
  }

  /** Moves the cursor to a cell at a distance, in its row as long as that has one. */
  #moveTo(distance: number): void {
    const last = texts().relative.tokens.length - 1;
    const within = Math.max(-last, Math.min(last, distance));
    const row = Math.max(0, -within, Math.min(last - Math.max(0, within), this.cursor.row));
    this.cursor = { row, column: row + within };
  }
}

/** The score of every query and key by each encoding, in the names of the script above. */
const SCORES: Readonly<Record<RelativeMethod, string>> = {
  alibi: `    return product / 4 - 2.0 ** (-8 * (head + 1) / 4) * abs(i - j)`,
  t5: `    side = 32 if causal else 16
    exact = side // 2
    distance = np.maximum(0, i - j) if causal else abs(i - j)
    growth = np.log(np.maximum(distance, exact) / exact) / np.log(128 / exact)
    far = np.minimum(side - 1, exact + np.floor(growth * (side - exact)).astype(int))
    bucket = np.where(distance < exact, distance, far) + (0 if causal else side * (j > i))
    return product + seeded(1, 32, 4)[bucket, head]`,
  shaw: `    vectors = seeded(2, 17, 16, scale=0.5)[np.clip(j - i, -8, 8) + 8]
    return (product + np.einsum('id,ijd->ij', query, vectors)) / 4`,
  transformer_xl: `    angle = (i - j)[:, :, None] * 10000.0 ** (-np.arange(16) / 16)
    waves = np.concatenate([np.sin(angle), np.cos(angle)], axis=2)
    vectors = waves @ seeded(5, 32, 16, scale=32**-0.5)
    u, v = seeded(3, 16, scale=0.5), seeded(4, 16, scale=0.5)
    return ((query + u) @ key.T + np.einsum('id,ijd->ij', query + v, vectors)) / 4`,
  deberta: `    row = np.clip(i - j + 16, 0, 31)
    keys, queries = seeded(6, 32, 16, scale=0.5)[row], seeded(7, 32, 16, scale=0.5)[row]
    return (product + np.einsum('id,ijd->ij', query, keys) + np.einsum('jd,ijd->ij', key, queries)) / 48**0.5`,
  kerple: `    a, p = np.array([2, 1, 0.5, 0.25])[head], np.array([1.5, 1.2, 1, 0.8])[head]
    return product / 4 - p * np.log1p(a * abs(i - j))`,
  fire: `    psi = lambda x: np.log1p(abs(0.1 * x))
    share = psi(i - j) / (psi(np.maximum(i, ${FIRE_THRESHOLD})) + 1e-6)
    hidden = np.maximum(0, share[:, :, None] * seeded(8, 8, scale=2) + seeded(9, 8, scale=0.5))
    return product / 4 + hidden @ seeded(10, 4, 8, scale=0.7)[head]`,
};

function nameOf(method: RelativeMethod): string {
  return encodings[method].title[language()];
}

function scoreText(score: number, decimals = 6): string {
  return score === -Infinity ? texts().relative.readout.masked : fixed(score, decimals);
}

function toTick(at: number): { at: number; label: string } {
  return { at, label: group(at) };
}
