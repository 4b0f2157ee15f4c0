import { html, nothing, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { mathml } from 'virtual:formulas';
import { EMBEDDING, pythonList } from '../../exports/numpy.js';
import type { Content } from '../../texts/translation.js';
import type { TableData } from '../../parts/data-table.js';
import { type Answer, Figure } from '../../parts/figure.js';
import type { Claim } from '../../parts/proof-line.js';
import type { ColorScale } from '../../plots/colormap.js';
import { fixed, group, scientific } from '../../plots/format.js';
import { type Cell, HeatMap } from '../../plots/heatmap.js';
import { type StateFields, listOf, oneOf, optional, range, textUpTo } from '../../state/fields.js';
import { renderSentence } from '../sentence-field.js';
import { LONGEST_TOKEN, languageOf } from '../sentence.js';
import {
  METHODS,
  type Method,
  STEPS,
  STEPS_DIM,
  STEPS_SEEDS,
  STEPS_WINDOW,
  type Step,
  type StepsMask,
  type StepsMistake,
  type StepsProjections,
  type StepsRequest,
  headDimOf,
} from './task.js';
import { MOST_TOKENS, workOut } from './work-out.js';
import { type Texts, texts } from '../../texts/index.js';

interface StepsState {
  /** Words of the reader's; the figure's own sentence, in the language on screen, when null. */
  readonly tokens: readonly string[] | null;
  readonly heads: number;
  readonly kvHeads: number;
  readonly head: number;
  readonly mask: StepsMask;
  readonly projections: StepsProjections;
  readonly mistake: StepsMistake;
}

const HEADS = [1, 2, 4] as const;
const ROW_HEIGHT = 18;

/** What stands in the rows and the columns of a step's matrix. */
const AXES: Record<Step, { readonly row: 'token' | 'query' | 'key'; readonly column: 'feature' | 'channel' | 'key' }> =
  {
    x: { row: 'token', column: 'feature' },
    q: { row: 'query', column: 'channel' },
    k: { row: 'key', column: 'channel' },
    v: { row: 'key', column: 'channel' },
    turnedQ: { row: 'query', column: 'channel' },
    turnedK: { row: 'key', column: 'channel' },
    scores: { row: 'query', column: 'key' },
    weights: { row: 'query', column: 'key' },
    output: { row: 'query', column: 'channel' },
  };
const SIGNED: ColorScale = { map: 'diverging', limit: 3 };
const SCALES: Partial<Record<Step, ColorScale>> = { weights: { map: 'sequential', limit: 1 } };

const fields: StateFields<StepsState> = {
  tokens: optional(listOf(textUpTo(LONGEST_TOKEN), 2, MOST_TOKENS)),
  heads: range(1, Math.max(...HEADS)),
  kvHeads: range(1, Math.max(...HEADS)),
  head: range(0, Math.max(...HEADS) - 1),
  mask: oneOf(['none', 'causal', 'window', 'both']),
  projections: oneOf(['random', 'identity']),
  mistake: oneOf(['none', 'values', 'keys', 'early']),
};

/** Everything the cells of all steps are about. */
interface Cursor {
  readonly step: Step;
  /** Token of the query and of the key. */
  readonly m: number;
  readonly n: number;
  /** Of the embedding, and of the head. */
  readonly feature: number;
  readonly channel: number;
}

/** RoPE attention one matrix at a time, beside the same without positions and with sinusoids. */
export class StepsFigure extends Figure<StepsState, 'steps'> {
  static override properties = { ...super.properties, cursor: { state: true }, method: { state: true } };
  declare private cursor: Cursor;
  /** The one whose cell is worked out. */
  declare private method: Method;

  readonly task = 'steps';
  protected readonly initial: StepsState = {
    tokens: null,
    heads: 2,
    kvHeads: 2,
    head: 0,
    mask: 'causal',
    projections: 'random',
    mistake: 'none',
  };
  protected override readonly fields = fields;

  /** Heads of keys and values divide those of queries, and the head shown is one of them. */
  protected override accepts({ heads, kvHeads, head }: StepsState): boolean {
    const counts: readonly number[] = HEADS;
    return counts.includes(heads) && counts.includes(kvHeads) && kvHeads <= heads && head < heads;
  }

  readonly #maps = STEPS.map((step) => ({
    step,
    map: new HeatMap({
      onCursor: (cell, panel) => {
        this.cursor = { ...this.cursor, step, ...placeOf(step, cell) };
        this.method = METHODS[panel]!;
      },
    }),
  }));

  constructor() {
    super();
    this.cursor = { step: 'scores', m: 3, n: 1, feature: 0, channel: 0 };
    this.method = 'rope';
  }

  protected text(): Texts['steps'] {
    return texts().steps;
  }

  protected request({ tokens, ...rest }: StepsState): StepsRequest {
    return { tokens: tokens ?? texts().steps.tokens, ...rest };
  }

  protected claim(): Claim {
    const text = texts().steps;
    if (!this.answer) return { state: 'computing', text: text.computing };
    const { request, result } = this.answer;
    const { residual, tolerance } = result;
    const holds = residual <= tolerance;
    const count = request.tokens.length;
    return {
      state: holds ? 'holds' : 'fails',
      text: holds ? text.claim : text.whys[request.mistake],
      comparison: { residual, tolerance, relation: '≤', gaugeFrom: -12 },
      measurement: this.measurement('f32', `${request.heads} × ${count} × ${count} × ${headDimOf(request)}`),
      derivation: text.derivation,
    };
  }

  protected renderProse(): Content {
    const { heads, kvHeads } = this.state;
    return texts().steps.prose(group(heads), group(kvHeads), group(headDimOf(this.state)));
  }

  protected renderMargin(): TemplateResult {
    const words = texts().steps.margin;
    const residual = this.answer?.result.residual;
    return html`
      ${unsafeHTML(mathml.steps)}
      <dl class="fill">
        <dt>${words.steps} − ${words.call}</dt>
        <dd>${residual === undefined ? nothing : scientific(residual)}</dd>
      </dl>
    `;
  }

  protected renderPlot(): TemplateResult {
    const text = texts().steps;
    return html`<div class="duo steps">
      ${this.#maps.map(
        ({ step, map }) =>
          html`<div>
            <h3>${text.steps[step]}</h3>
            ${map.element}
          </div>`,
      )}
    </div>`;
  }

  protected renderReadout({ request, result }: Answer<'steps'>): Content {
    const text = texts().steps;
    const { step, method } = { ...this.cursor, method: this.method };
    const { tokens } = request;
    const cell = this.#cellOf(step, request);
    const word = (place: number): TemplateResult =>
      html`<span lang=${languageOf(tokens[place]!)}>${tokens[place]}</span>`;
    const axes = AXES[step];
    const row = { token: html`${word(cell.row)}`, query: 'm', key: 'n' }[axes.row];
    const side = axes.row === 'key' ? 'k' : axes.row === 'query' ? 'q' : '';
    const value = result.methods[method][step][cell.row * columnsOf(step, request) + cell.column]!;
    return html`${text.steps[step]}&nbsp;· ${text.methods[method]}&nbsp;·
      <span class="${side} nb"
        >${axes.row === 'token' ? row : html`${row} = <b>${group(cell.row)}</b> ${word(cell.row)}`}</span
      >&nbsp;·
      ${
        axes.column === 'key'
          ? html`<span class="k nb">n = <b>${group(cell.column)}</b> ${word(cell.column)}</span>&nbsp;·`
          : html`<span class="nb">[${group(cell.column)}]</span>&nbsp;·`
      }
      <span class="arithmetic">${workOut(step, method, cell, request, result)}</span>
      ${Number.isFinite(value) ? html`<span class="nb">= <b>${fixed(value, 6)}</b></span>` : nothing}`;
  }

  protected renderControls(): TemplateResult {
    const text = texts().steps;
    const { tokens, heads, kvHeads, head } = this.state;
    const numbers = (values: readonly number[]) =>
      values.map((value) => ({ value: String(value), label: group(value) }));
    const options = <Value extends string>(labels: Readonly<Record<Value, string>>) =>
      (Object.keys(labels) as Value[]).map((value) => ({ value, label: labels[value] }));
    return html`<div class="controls">
      <choice-group
        name="heads"
        .label=${text.heads.label}
        .value=${String(heads)}
        .options=${numbers(HEADS)}
        .onValue=${(value: string) => this.#changeHeads(Number(value))}
      ></choice-group>
      <choice-group
        name="kvHeads"
        .label=${text.heads.kv}
        .value=${String(kvHeads)}
        .options=${numbers(HEADS.filter((count) => count <= heads))}
        .onValue=${(value: string) => this.change({ kvHeads: Number(value) })}
      ></choice-group>
      <choice-group
        name="head"
        .label=${text.heads.shown}
        .value=${String(head)}
        .options=${numbers(Array.from({ length: heads }, (_, h) => h))}
        .onValue=${(value: string) => this.change({ head: Number(value) })}
      ></choice-group>
      ${this.renderChoice('projections', text.projections, (value) => text.projectionNames[value])}
      ${this.renderChoice('mask', text.mask, (value) => text.masks[value], { wide: true })}
      ${this.renderChoice('mistake', text.mistake, (value) => text.mistakes[value], { wide: true })}
      <choice-group
        class="wide"
        name="method"
        .label=${text.method}
        .value=${this.method}
        .options=${options(text.methods)}
        .onValue=${(value: Method) => (this.method = value)}
      ></choice-group>
      ${renderSentence({ tokens: tokens ?? text.tokens, least: 2, most: MOST_TOKENS, text: text.sentence, onTokens: (words) => this.change({ tokens: words }) })}
    </div>`;
  }

  /** Fewer heads leave fewer for keys and values, and fewer to show. */
  #changeHeads(heads: number): void {
    const { kvHeads, head } = this.state;
    this.change({ heads, kvHeads: Math.min(kvHeads, heads), head: Math.min(head, heads - 1) });
  }

  protected renderLookFor(): Content {
    return texts().steps.lookFor;
  }

  protected table({ request, result }: Answer<'steps'>): TableData {
    const text = texts().steps;
    const { tokens } = request;
    const cells = STEPS.flatMap((step) => {
      const columns = columnsOf(step, request);
      return Array.from({ length: tokens.length * columns }, (_, i) => ({
        step,
        row: Math.floor(i / columns),
        column: i % columns,
        at: i,
      }));
    });
    return {
      columns: text.tableHeads,
      rows: cells.length,
      cell: (index, field) => {
        const { step, row, column, at } = cells[index]!;
        if (field === 0) return text.steps[step];
        if (field === 1) return `${group(row)} ${tokens[row]!}`;
        if (field === 2) return AXES[step].column === 'key' ? `${group(column)} ${tokens[column]!}` : group(column);
        const value = result.methods[METHODS[field - 3]!][step][at]!;
        return Number.isFinite(value) ? fixed(value, 7) : '−∞';
      },
      value: (index, field) => {
        const { step, row, column, at } = cells[index]!;
        return [step, row, column][field] ?? result.methods[METHODS[field - 3]!][step][at]!;
      },
    };
  }

  protected override numpy({ request }: Answer<'steps'>): string {
    const { tokens, heads, kvHeads, head, mask, projections, mistake } = request;
    const matrix = (name: 'q' | 'k' | 'v', count: number): string =>
      projections === 'random'
        ? `random_matrix(${count} * width, ${STEPS_SEEDS[name]})`
        : `np.eye(dim)[:, : ${count} * width]`;
    const hidden = {
      none: [],
      causal: ['n > m'],
      window: [`abs(n - m) >= ${STEPS_WINDOW}`],
      both: ['n > m', `abs(n - m) >= ${STEPS_WINDOW}`],
    }[mask];
    const turned = {
      none: 'rotate(q), rotate(k), v',
      values: 'rotate(q), rotate(k), rotate(v)',
      keys: 'rotate(q), k, v',
      early: 'q, k, v',
    }[mistake];
    return `${EMBEDDING}

def random_matrix(columns, seed):
    return normal(seed, dim * columns).reshape(dim, columns) / np.sqrt(dim)

def angles(width):
    return np.outer(position, 10000.0 ** (-np.arange(0, width, 2) / width))

def sinusoids():
    return np.stack([np.sin(angles(dim)), np.cos(angles(dim))], axis=2).reshape(len(tokens), dim)

def rotate(x):
    half = x.shape[1] // 2
    a, b, c, s = x[:, :half], x[:, half:], np.cos(angles(2 * half)), np.sin(angles(2 * half))
    return np.hstack([a * c - b * s, a * s + b * c])

def softmax(score):
    weight = np.exp(score - score.max(axis=1, keepdims=True))
    return weight / weight.sum(axis=1, keepdims=True)

tokens, dim, width = ${pythonList(tokens)}, ${STEPS_DIM}, ${headDimOf(request)}
head, kv_head = ${head}, ${Math.floor((head * kvHeads) / heads)}
position = np.arange(len(tokens))
m, n = position[:, None], position
words = embed(tokens, dim)
wq, wk, wv = ${matrix('q', heads)}, ${matrix('k', kvHeads)}, ${matrix('v', kvHeads)}

def columns(matrix, head):
    return matrix[:, head * width : (head + 1) * width]

def steps(x, turn):
    q, k, v = x @ columns(wq, head), x @ columns(wk, kv_head), x @ columns(wv, kv_head)
    turned_q, turned_k, v = turn(q, k, v)
    score = turned_q @ turned_k.T / np.sqrt(width)
${hidden.map((where) => `    score[${where}] = -np.inf\n`).join('')}    weight = softmax(score)
    return [x, q, k, v, turned_q, turned_k, score, weight, weight @ v]

plain = lambda q, k, v: (q, k, v)
rope = steps(${mistake === 'early' ? 'rotate(words)' : 'words'}, lambda q, k, v: (${turned}))
methods = [rope, steps(words, plain), steps(words + sinusoids(), plain)]
places = np.vstack([np.argwhere(np.ones(a.shape)) for a in rope])
table = np.column_stack([places, *(np.concatenate([a.ravel() for a in method]) for method in methods)])`;
  }

  protected updatePlots(): void {
    const text = texts().steps;
    const request = this.answer?.request ?? this.request(this.state);
    const { tokens } = request;
    for (const { step, map } of this.#maps) {
      const { row, column } = AXES[step];
      map.update({
        label: text.map(text.steps[step]),
        rows: tokens.length,
        columns: columnsOf(step, request),
        panels: METHODS.map((method, k) => ({
          title: text.methods[method],
          values: this.answer?.result.methods[method][step] ?? null,
          scale: SCALES[step] ?? SIGNED,
          bar: k === METHODS.length - 1,
        })),
        shape: { cells: 'fill', height: ROW_HEIGHT * tokens.length },
        rowAxis: {
          title: { token: text.tokenAxis, query: text.queryAxis, key: text.keyRows }[row],
          labels: tokens,
          ...(row === 'token' ? {} : { color: row === 'query' ? 'q' : 'k' }),
        },
        columnAxis:
          column === 'key' ? { title: text.keyAxis, labels: tokens, color: 'k' } : { title: text.channelAxis },
        left: 50,
        cursor: this.#cellOf(step, request),
      });
    }
  }

  /** The cell of a step that the cursor is about, inside of its matrix. */
  #cellOf(step: Step, request: StepsRequest): Cell {
    const { m, n, feature, channel } = this.cursor;
    const { row, column } = AXES[step];
    return {
      row: Math.min(row === 'key' ? n : m, request.tokens.length - 1),
      column: Math.min({ feature, channel, key: n }[column], columnsOf(step, request) - 1),
    };
  }
}

function columnsOf(step: Step, request: StepsRequest): number {
  return { feature: STEPS_DIM, channel: headDimOf(request), key: request.tokens.length }[AXES[step].column];
}

/** What a chosen cell says of the cursor. */
function placeOf(step: Step, { row, column }: Cell): Partial<Cursor> {
  const axes = AXES[step];
  return {
    ...(axes.row === 'key' ? { n: row } : { m: row }),
    ...{ feature: { feature: column }, channel: { channel: column }, key: { n: column } }[axes.column],
  };
}
