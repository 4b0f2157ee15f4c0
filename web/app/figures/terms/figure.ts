import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { mathml } from 'virtual:formulas';
import type { NumberArray } from '../../exports/npy.js';
import { EMBEDDING, pythonList } from '../../exports/numpy.js';
import type { Content } from '../../texts/translation.js';
import type { TableData } from '../../parts/data-table.js';
import { type Answer, Figure } from '../../parts/figure.js';
import type { Claim } from '../../parts/proof-line.js';
import { fixed, group, readout, scientific } from '../../plots/format.js';
import { type Cell, HeatMap } from '../../plots/heatmap.js';
import { type StateFields, listOf, oneOf, optional, textUpTo } from '../../state/fields.js';
import { renderSentence } from '../sentence-field.js';
import { LONGEST_TOKEN, languageOf } from '../sentence.js';
import {
  TERMS,
  TERMS_DIM,
  TERMS_SEEDS,
  type Term,
  type TermsIncluded,
  type TermsProjections,
  type TermsRequest,
  type TermsResult,
} from './task.js';
import { type Texts, texts } from '../../texts/index.js';

interface TermsState {
  /** Words of the reader's; the figure's own sentence, in the language on screen, when null. */
  readonly tokens: readonly string[] | null;
  readonly projections: TermsProjections;
  readonly included: TermsIncluded;
}

const MOST_TOKENS = 12;
/** Colour limit of every map, fixed by the choice of matrices. */
const LIMITS: Record<TermsProjections, number> = { identity: 40, random: 20 };
/** In the order of TERMS. */
const INCLUDED: Record<TermsIncluded, readonly boolean[]> = {
  all: [true, true, true, true],
  outer: [true, false, false, true],
  content: [true, false, false, false],
  position: [false, false, false, true],
};
type Panel = Term | 'sum' | 'rotated';
const PANELS: readonly Panel[] = [...TERMS, 'sum', 'rotated'];

const fields: StateFields<TermsState> = {
  tokens: optional(listOf(textUpTo(LONGEST_TOKEN), 2, MOST_TOKENS)),
  projections: oneOf(['identity', 'random']),
  included: oneOf(['all', 'outer', 'content', 'position']),
};

/** The four terms of a score with added positions, their sum, and RoPE's single term. */
export class TermsFigure extends Figure<TermsState, 'terms'> {
  static override properties = { ...super.properties, cursor: { state: true } };
  declare private cursor: Cell;

  readonly task = 'terms';
  protected readonly initial: TermsState = { tokens: null, projections: 'identity', included: 'all' };

  protected readonly fields = fields;

  readonly #maps = PANELS.map((panel) => ({
    panel,
    map: new HeatMap({ onCursor: (cell) => (this.cursor = cell) }),
  }));

  constructor() {
    super();
    this.cursor = { row: 4, column: 1 };
  }

  protected text(): Texts['terms'] {
    return texts().terms;
  }

  protected request({ tokens, projections, included }: TermsState): TermsRequest {
    return { tokens: tokens ?? texts().terms.tokens, projections, included: INCLUDED[included] };
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const last = this.request(this.state).tokens.length - 1;
    const { row, column } = this.cursor;
    if (row > last || column > last) this.cursor = { row: Math.min(row, last), column: Math.min(column, last) };
  }

  protected claim(): Claim {
    const text = texts().terms;
    if (!this.answer) return { state: 'computing', text: text.computing };
    const { request, result } = this.answer;
    const { residual, tolerance } = result;
    const holds = residual <= tolerance;
    const count = request.tokens.length;
    const why = request.included.includes(false) ? text.leftOut(fixed(residual, 2)) : text.fails;
    return {
      state: holds ? 'holds' : 'fails',
      text: holds ? text.claim : why,
      comparison: { residual, tolerance, relation: '≤', gaugeFrom: -12 },
      measurement: this.measurement('f32', `${count} × ${count} × ${TERMS_DIM}`),
      derivation: text.derivation,
    };
  }

  protected renderProse(): Content {
    return texts().terms.prose;
  }

  protected renderMargin(): TemplateResult {
    const words = texts().terms.margin;
    const { request, result } = this.answer ?? {};
    const at = request && cellIndex(this.cursor, request.tokens.length);
    const number = (values: ArrayLike<number> | undefined): string | typeof nothing =>
      values && at !== undefined ? readout(values[at]!, 8) : nothing;
    return html`
      ${unsafeHTML(mathml.terms)}
      <dl class="fill">
        <dt>${words.sum}</dt>
        <dd>${number(result?.sum)}</dd>
        <dt>${words.score}</dt>
        <dd>${number(result?.score)}</dd>
        <dt>${words.difference}</dt>
        <dd>${result && at !== undefined ? scientific(result.sum[at]! - result.score[at]!) : nothing}</dd>
        <dt>${words.spread}</dt>
        <dd>${result ? `± ${scientific(result.positionSpread / 2)}` : nothing}</dd>
      </dl>
    `;
  }

  protected renderPlot(): TemplateResult {
    return html`<div class="trio">
      ${this.#maps.map(
        ({ panel, map }) =>
          html`<div class=${this.#isIncluded(panel) ? '' : 'left-out'}>
            <h3>${nameOf(panel)}</h3>
            ${map.element}
          </div>`,
      )}
    </div>`;
  }

  #isIncluded(panel: Panel): boolean {
    const term = (TERMS as readonly Panel[]).indexOf(panel);
    return term < 0 || INCLUDED[this.state.included][term]!;
  }

  protected renderReadout({ request, result }: Answer<'terms'>): Content {
    const words = texts().terms.readout;
    const { tokens } = request;
    const at = cellIndex(this.cursor, tokens.length);
    const [m, n] = [Math.floor(at / tokens.length), at % tokens.length];
    const word = (token: string): TemplateResult => html`<span lang=${languageOf(token)}>${token}</span>`;
    const parts = TERMS.filter((_, t) => request.included[t]).map((term) => fixed(result.terms[term][at]!, 4));
    return html`<span class="q nb">m = <b>${group(m)}</b> ${word(tokens[m]!)}</span>&nbsp;·
      <span class="k nb">n = <b>${group(n)}</b> ${word(tokens[n]!)}</span>&nbsp;·
      <span class="dist nb">n − m = <b>${group(n - m)}</b></span> · ${parts.join(' + ').replaceAll('+ −', '− ')}
      <span class="nb">= ${words.sum} <b>${fixed(result.sum[at]!, 4)}</b></span
      >&nbsp;· <span class="nb">${words.score} <b>${fixed(result.score[at]!, 4)}</b></span
      >&nbsp;· <span class="nb">${words.rotated} <b>${fixed(result.rotated[at]!, 4)}</b></span>`;
  }

  protected renderControls(): TemplateResult {
    const text = texts().terms;
    const { tokens } = this.state;
    return html`<div class="controls">
      ${this.renderChoice('projections', text.projections, (matrix) => text.projectionNames[matrix], { wide: true })}
      ${this.renderChoice('included', text.included, (sum) => text.includedNames[sum], { wide: true })}
      ${renderSentence({ tokens: tokens ?? text.tokens, least: 2, most: MOST_TOKENS, text: text.sentence, onTokens: (words) => this.change({ tokens: words }) })}
    </div>`;
  }

  protected renderLookFor(): Content {
    return texts().terms.lookFor;
  }

  protected table({ request, result }: Answer<'terms'>): TableData {
    const { tokens } = request;
    const count = tokens.length;
    const name = (position: number): string => `${group(position)} ${tokens[position]!}`;
    const values = [...TERMS.map((term) => result.terms[term]), result.sum, result.score, result.rotated];
    return {
      columns: texts().terms.tableHeads,
      rows: count * count,
      cell: (row, column) => {
        if (column === 0) return name(Math.floor(row / count));
        return column === 1 ? name(row % count) : fixed(values[column - 2]![row]!, 6);
      },
      value: (row, column) => [Math.floor(row / count), row % count][column] ?? values[column - 2]![row]!,
    };
  }

  protected override array({ request, result }: Answer<'terms'>): NumberArray {
    const count = request.tokens.length;
    const matrices = [...TERMS.map((term) => result.terms[term]), result.sum, result.score, result.rotated];
    return { values: matrices.flatMap((matrix) => [...matrix]), shape: [matrices.length, count, count] };
  }

  protected override numpy({ request }: Answer<'terms'>): string {
    const { tokens, projections, included } = request;
    const random = projections === 'random';
    const matrix = (seed: number): string =>
      random ? `normal(${seed}, dim * dim).reshape(dim, dim) / np.sqrt(dim)` : 'np.eye(dim)';
    return `${EMBEDDING}

tokens, dim = ${pythonList(tokens)}, ${TERMS_DIM}
position = np.arange(len(tokens))[:, None]
angle = position * 10000.0 ** (-np.arange(0, dim, 2) / dim)
x = embed(tokens, dim)
p = np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(x.shape)
wq, wk = ${matrix(TERMS_SEEDS.query)}, ${matrix(TERMS_SEEDS.key)}

def score(a, b):
    return a @ wq @ (b @ wk).T

def rotate(v):
    a, b = v[:, : dim // 2], v[:, dim // 2 :]
    return np.hstack([a * np.cos(angle) - b * np.sin(angle), a * np.sin(angle) + b * np.cos(angle)])

terms = [score(x, x), score(p, x), score(x, p), score(p, p)]
included = ${pythonList(included.map(Number))}
total = sum(yes * term for yes, term in zip(included, terms))
table = np.stack([*terms, total, score(x + p, x + p), rotate(x @ wq) @ rotate(x @ wk).T])`;
  }

  protected updatePlots(): void {
    const text = texts().terms;
    const { tokens, projections } = this.answer?.request ?? this.request(this.state);
    const { result } = this.answer ?? {};
    const count = tokens.length;
    const at = cellIndex(this.cursor, count);
    for (const { panel, map } of this.#maps) {
      map.update({
        label: text.map(nameOf(panel)),
        rows: count,
        columns: count,
        panels: [
          {
            title: text.unit,
            values: result ? valuesOf(result, panel) : null,
            scale: { map: 'diverging', limit: LIMITS[projections] },
            bar: true,
          },
        ],
        shape: { cells: 'square', maximum: 24 },
        rowAxis: { title: text.queryAxis, labels: tokens, color: 'q' },
        columnAxis: { title: text.keyAxis, labels: tokens, color: 'k' },
        guide: 'diagonal',
        left: 50,
        cursor: { row: Math.floor(at / count), column: at % count },
      });
    }
  }
}

function nameOf(panel: Panel): string {
  const text = texts().terms;
  return panel === 'sum' || panel === 'rotated' ? text[panel] : text.terms[panel];
}

function valuesOf(result: TermsResult, panel: Panel): ArrayLike<number> {
  return panel === 'sum' || panel === 'rotated' ? result[panel] : result.terms[panel];
}

/** Index of a cell, inside of an answer that may be of fewer words. */
function cellIndex({ row, column }: Cell, count: number): number {
  return Math.min(row, count - 1) * count + Math.min(column, count - 1);
}
