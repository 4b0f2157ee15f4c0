import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { mathml } from 'virtual:formulas';
import type { NumberArray } from '../../exports/npy.js';
import { EMBEDDING, pythonList } from '../../exports/numpy.js';
import type { Content } from '../../texts/translation.js';
import type { TableData } from '../../parts/data-table.js';
import { type Answer, Figure } from '../../parts/figure.js';
import type { Claim } from '../../parts/proof-line.js';
import { fixed, group, scientific } from '../../plots/format.js';
import { type Cell, HeatMap } from '../../plots/heatmap.js';
import {
  MOST_ORDER_TOKENS,
  ORDER_DIM,
  ORDER_SEEDS,
  type OrderMask,
  type OrderPositions,
  type OrderRequest,
  inBothOrders,
} from './task.js';
import { type StateFields, listOf, oneOf, range, textUpTo } from '../../state/fields.js';
import { kept } from '../kept.js';
import { renderSentence } from '../sentence-field.js';
import { LONGEST_TOKEN, SEPARATOR, languageOf, tokensOf } from '../sentence.js';
import { type Texts, texts } from '../../texts/index.js';

interface OrderState {
  readonly tokens: readonly string[];
  /** Place r of the new order holds token order[r]. */
  readonly order: readonly number[];
  readonly positions: OrderPositions;
  readonly mask: OrderMask;
}

const EXAMPLES: readonly (readonly string[])[] = [
  ['我', '爱', '你'],
  ['他', '欠', '我', '100万'],
];
/** Colour limits, fixed: of a change of weights, and of the outputs. */
const CHANGE_LIMIT = 0.2;
const OUTPUT_LIMIT = 2;
const LARGEST_CELL = 56;
const POOLED_HEIGHT = 72;

const fields: StateFields<OrderState> = {
  tokens: listOf(textUpTo(LONGEST_TOKEN), 2, MOST_ORDER_TOKENS),
  order: listOf(range(0, MOST_ORDER_TOKENS - 1), 2, MOST_ORDER_TOKENS),
  positions: oneOf(['none', 'index', 'sinusoidal', 'learned', 'rope', 'alibi']),
  mask: oneOf(['none', 'causal']),
};

/** Attention over the same words in two orders, side by side. */
export class OrderFigure extends Figure<OrderState, 'order'> {
  static override properties = { ...super.properties, cursor: { state: true }, channel: { state: true } };
  /** A cell of the new order. */
  declare private cursor: Cell;
  declare private channel: Cell;

  readonly task = 'order';
  protected readonly initial: OrderState = { ...inReverse(EXAMPLES[0]!), positions: 'none', mask: 'none' };

  protected readonly fields = fields;

  readonly #maps = {
    first: new HeatMap({ onCursor: ({ row, column }) => (this.cursor = this.#inNewOrder(row, column)) }),
    second: new HeatMap({ onCursor: (cell) => (this.cursor = cell) }),
    change: new HeatMap({ onCursor: (cell) => (this.cursor = cell) }),
  };
  readonly #pooled = new HeatMap({ onCursor: (cell) => (this.channel = cell) });

  constructor() {
    super();
    this.cursor = { row: 0, column: 1 };
    this.channel = { row: 2, column: 0 };
  }

  protected text(): Texts['order'] {
    return texts().order;
  }

  protected request({ tokens, order, positions, mask }: OrderState): OrderRequest {
    return { tokens, order, positions, mask };
  }

  /** Every word has one place in the order. */
  protected override accepts({ tokens, order }: OrderState): boolean {
    return order.length === tokens.length && tokens.every((_, token) => order.includes(token));
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const last = this.state.tokens.length - 1;
    const { row, column } = this.cursor;
    if (row > last || column > last) this.cursor = { row: Math.min(row, last), column: Math.min(column, last) };
  }

  #inNewOrder(row: number, column: number): Cell {
    const { order } = this.state;
    return { row: order.indexOf(row), column: order.indexOf(column) };
  }

  protected claim(): Claim {
    const text = texts().order;
    if (!this.answer) return { state: 'computing', text: text.computing };
    const { request, result } = this.answer;
    const { tokens, order, positions, mask } = request;
    if (order.every((token, place) => token === place)) return { state: 'not-applicable', text: text.sameOrder };
    if (order.every((token, place) => tokens[token] === tokens[place])) {
      return { state: 'not-applicable', text: text.sameWords };
    }
    const residual = Math.max(result.weightChange, result.outputChange, result.pooledChange);
    const tolerance = 2 * (2 * tokens.length + 1) * 2 ** -24 * Math.max(1, result.largestValue);
    const holds = residual <= tolerance;
    const held = positions === 'none' ? text.claim : text.mirrored;
    const name = text.encodingNames[positions];
    const why =
      positions === 'none'
        ? { none: text.fails, causal: text.maskFails }[mask]
        : { none: text.encodingFails(name), causal: text.bothFail(name) }[mask];
    return {
      state: holds ? 'holds' : 'fails',
      text: holds ? held : why,
      comparison: { residual, tolerance, relation: '≤', gaugeFrom: -12 },
      measurement: this.measurement('f32', `${tokens.length} × ${tokens.length} × ${ORDER_DIM}`),
      derivation: text.derivation,
    };
  }

  protected renderProse(): Content {
    return texts().order.prose;
  }

  protected renderMargin(): TemplateResult {
    const words = texts().order.margin;
    const { scoreChange, weightChange, outputChange, pooledChange } = this.answer?.result ?? {};
    const rows = [
      [words.scores, scoreChange],
      [words.weights, weightChange],
      [words.outputs, outputChange],
      [words.pooled, pooledChange],
    ] as const;
    return html`
      ${unsafeHTML(mathml.order)}
      <dl class="fill">
        ${rows.map(
          ([label, value]) =>
            html`<dt>${label}</dt>
              <dd>${value === undefined ? nothing : scientific(value)}</dd>`,
        )}
      </dl>
    `;
  }

  protected renderPlot(): TemplateResult {
    const text = texts().order;
    const { tokens, order } = this.state;
    const map = (title: string, { element }: HeatMap): TemplateResult =>
      html`<div>
        <h3>${title}</h3>
        ${element}
      </div>`;
    return html`
      <token-chips
        name="order"
        .label=${text.drag}
        .tokens=${tokens}
        .order=${order}
        .onOrder=${(value: readonly number[]) => this.change({ order: value })}
      ></token-chips>
      <div class="trio">
        ${map(text.firstOrder, this.#maps.first)} ${map(text.newOrder, this.#maps.second)}
        ${map(text.change, this.#maps.change)}
      </div>
      <div class="plot bleed">${this.#pooled.element}</div>
    `;
  }

  protected renderReadout({ request, result }: Answer<'order'>): Content {
    const words = texts().order.readout;
    const { tokens, order } = request;
    const { row, column } = clamp(this.cursor, tokens.length);
    const channel = this.channel.column;
    const before = inBothOrders(result.first.weights, order)[row * tokens.length + column]!;
    const now = result.second.weights[row * tokens.length + column]!;
    const token = (place: number): TemplateResult =>
      html`<span lang=${languageOf(tokens[order[place]!]!)}>${tokens[order[place]!]}</span>`;
    return html`<span class="q nb">${words.query} <b>${token(row)}</b></span
      >&nbsp;· <span class="k nb">${words.key} <b>${token(column)}</b></span
      >&nbsp;· <span class="nb">${words.weight} <b>${fixed(now, 7)}</b></span
      >&nbsp;· <span class="nb">${words.before} ${fixed(before, 7)}</span>&nbsp;·
      <span class="nb">${words.change} ${scientific(now - before)}</span>&nbsp;·
      <span class="nb">${words.mean(group(channel))} ${fixed(result.second.pooled[channel]!, 5)}</span>
      <span class="nb">(${fixed(result.first.pooled[channel]!, 5)})</span>`;
  }

  protected renderControls(): TemplateResult {
    const text = texts().order;
    const { tokens } = this.state;
    const sentence = tokens.join(SEPARATOR);
    const examples = EXAMPLES.map((words) => words.join(SEPARATOR));
    const shown = examples.includes(sentence) ? examples : [...examples, sentence];
    return html`<div class="controls">
      ${this.renderChoice('positions', text.positions, (positions) => text.encodings[positions])}
      ${this.renderChoice('mask', text.mask.label, (mask) => text.mask[mask])}
      <choice-group
        class="wide"
        name="example"
        .label=${text.example}
        .value=${sentence}
        .options=${shown.map((value) =>
          examples.includes(value)
            ? { value, label: value.split(SEPARATOR).join(' '), lang: 'zh-Hans' }
            : { value, label: text.own },
        )}
        .onValue=${(value: string) => this.change(inReverse(tokensOf(value)))}
      ></choice-group>
      ${renderSentence({ tokens, least: 2, most: MOST_ORDER_TOKENS, text: text.sentence, onTokens: (words) => this.change(inReverse(words)) })}
    </div>`;
  }

  protected renderLookFor(): Content {
    return texts().order.lookFor;
  }

  protected table({ request, result }: Answer<'order'>): TableData {
    const text = texts().order;
    const { tokens, order } = request;
    const count = tokens.length;
    const cells = count * count;
    const weights = [inBothOrders(result.first.weights, order), result.second.weights];
    const pooled = [result.first.pooled, result.second.pooled];
    return {
      columns: text.tableHeads,
      rows: cells + ORDER_DIM,
      cell: (row, column) => {
        const channel = row - cells;
        if (column === 0) return channel < 0 ? tokens[order[Math.floor(row / count)]!]! : text.tableMean;
        if (column === 1) return channel < 0 ? tokens[order[row % count]!]! : text.tableChannel(group(channel));
        const [before, now] = channel < 0 ? weights.map((side) => side[row]!) : pooled.map((side) => side[channel]!);
        return column < 4 ? fixed([before!, now!][column - 2]!, 9) : scientific(now! - before!);
      },
      value: (row, column) => {
        const channel = row - cells;
        if (column === 0) return channel < 0 ? tokens[order[Math.floor(row / count)]!]! : text.tableMean;
        if (column === 1) return channel < 0 ? tokens[order[row % count]!]! : channel;
        const [before, now] = channel < 0 ? weights.map((side) => side[row]!) : pooled.map((side) => side[channel]!);
        return [before!, now!, now! - before!][column - 2]!;
      },
    };
  }

  /** The weights of the first order, put in the new one, and those of the new order. */
  protected override array({ request, result }: Answer<'order'>): NumberArray {
    const count = request.tokens.length;
    const before = inBothOrders(result.first.weights, request.order);
    return { values: [...before, ...result.second.weights], shape: [2, count, count] };
  }

  protected override numpy({ request }: Answer<'order'>): string {
    const { tokens, order, positions, mask } = request;
    const added: Record<OrderPositions, string> = {
      none: '0',
      index: 'place',
      sinusoidal: 'np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(x.shape)',
      learned: `matrix(${MOST_ORDER_TOKENS}, ${ORDER_SEEDS.learned})[: len(x)]`,
      rope: '0',
      alibi: '0',
    };
    return `${EMBEDDING}

tokens, order, dim = ${pythonList(tokens)}, ${pythonList(order)}, ${ORDER_DIM}

def matrix(rows, seed):
    return normal(seed, rows * dim).reshape(rows, dim) / np.sqrt(rows)

def rotate(v, angle):
    a, b = v[:, : dim // 2], v[:, dim // 2 :]
    return np.hstack([a * np.cos(angle) - b * np.sin(angle), a * np.sin(angle) + b * np.cos(angle)])

def weights(x):
    place = np.arange(len(x))[:, None]
    angle = place * 10000.0 ** (-np.arange(0, dim, 2) / dim)
    x = x + ${added[positions]}
    q, k = x @ matrix(dim, ${ORDER_SEEDS.query}), x @ matrix(dim, ${ORDER_SEEDS.key})
${positions === 'rope' ? '    q, k = rotate(q, angle), rotate(k, angle)\n' : ''}    scores = q @ k.T / np.sqrt(dim)
${positions === 'alibi' ? '    scores -= 0.5 * abs(place - place.T)\n' : ''}${mask === 'causal' ? '    scores[place < place.T] = -np.inf\n' : ''}    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)

x = embed(tokens, dim)
# Of the first order, put in the new one, and of the new order.
table = np.stack([weights(x)[np.ix_(order, order)], weights(x[order])])`;
  }

  protected updatePlots(): void {
    const text = texts().order;
    const { tokens, order } = this.answer?.request ?? this.request(this.state);
    const { first, second } = this.answer?.result ?? {};
    const changes = this.answer && changesOf(this.answer);
    const count = tokens.length;
    const [cursor, now] = [clamp(this.cursor, count), order.map((token) => tokens[token]!)];
    const update = (
      map: HeatMap,
      label: string,
      labels: readonly string[],
      values: ArrayLike<number> | undefined,
      at: Cell,
      change = false,
    ): void =>
      map.update({
        label,
        rows: count,
        columns: count,
        panels: [
          {
            title: change ? text.weightChange : text.weights,
            values: values ?? null,
            scale: change ? { map: 'diverging', limit: CHANGE_LIMIT } : { map: 'sequential', limit: 1 },
            bar: true,
          },
        ],
        shape: { cells: 'square', maximum: LARGEST_CELL },
        rowAxis: { title: text.queryAxis, labels, color: 'q' },
        columnAxis: { title: text.keyAxis, labels, columnNames: 'all', color: 'k' },
        left: 50,
        cursor: at,
      });
    const inFirst = { row: order[cursor.row]!, column: order[cursor.column]! };
    update(this.#maps.first, text.firstMap, tokens, first?.weights, inFirst);
    update(this.#maps.second, text.newMap, now, second?.weights, cursor);
    update(this.#maps.change, text.changeMap, now, changes?.weights, cursor, true);

    this.#pooled.update({
      label: text.pooledMap,
      rows: 3,
      columns: ORDER_DIM,
      panels: [
        {
          title: text.pooledTitle,
          values: changes?.pooled ?? null,
          scale: { map: 'diverging', limit: OUTPUT_LIMIT },
          bar: true,
        },
      ],
      shape: { cells: 'fill', height: POOLED_HEIGHT },
      rowAxis: { title: '', labels: text.pooledRows },
      columnAxis: { title: text.channelAxis },
      cursor: this.channel,
    });
  }
}

/** What becomes of the weights, in the new order, and the means of both orders over their difference. */
const changesOf = kept(({ request: { order }, result: { first, second } }: Answer<'order'>) => {
  const before = inBothOrders(first.weights, order);
  return {
    weights: second.weights.map((weight, i) => weight - before[i]!),
    pooled: [...first.pooled, ...second.pooled, ...second.pooled.map((value, c) => value - first.pooled[c]!)],
  };
});

/** Words in their first order and, as the new one, from last to first. */
function inReverse(tokens: readonly string[]): Pick<OrderState, 'tokens' | 'order'> {
  return { tokens, order: tokens.map((_, place) => tokens.length - 1 - place) };
}

function clamp({ row, column }: Cell, count: number): Cell {
  return { row: Math.min(row, count - 1), column: Math.min(column, count - 1) };
}
