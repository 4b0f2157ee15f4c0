import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { mathml } from 'virtual:formulas';
import type { NumberArray } from '../../exports/npy.js';
import { EMBEDDING } from '../../exports/numpy.js';
import type { Content } from '../../texts/translation.js';
import type { TableData } from '../../parts/data-table.js';
import { type Answer, Figure } from '../../parts/figure.js';
import type { Claim } from '../../parts/proof-line.js';
import { fixed, group, noBreak, powerOfTen, readout, scientific, short } from '../../plots/format.js';
import { type Cell, HeatMap, type PanelArea } from '../../plots/heatmap.js';
import { LinePlot } from '../../plots/line-plot.js';
import { type StateFields, oneOf, range } from '../../state/fields.js';
import { kept } from '../kept.js';
import type { Between, DistanceRequest, DistanceResult } from './task.js';
import { LARGEST_SHIFT, alignSlider, along, nearestShift, shiftAxis, spacedShifts } from '../shift-axis.js';
import { type Texts, texts } from '../../texts/index.js';

interface DistanceState {
  readonly dim: number;
  readonly start: number;
  readonly between: Between;
}

/** Positions in the window. */
const LENGTH = 64;
/** How far on the second pair of the margin stands: (2, 5) beside (10, 13). */
const PAIR_STEP = 8;
/** Digits that float64 keeps of a sum of a few hundred products. */
const PAIR_DIGITS = 15;
/** The change map's limit as a share of d/2, where nothing stands between the rows. */
const CHANGE_SHARE = 0.01;
const ROW_HEIGHT = 124;
/** Distances are labelled in tens. */
const TICK = 10;
const CURVE = { from: 1e-9, to: 1e3, height: 124 };
/** Where the page is one column. */
const onPhone = matchMedia('(max-width: 760px)');
/** Between the first panel and the plot under the second: the former's colour bar needs no axis below it. */
const BESIDE_ROW = 16;
const CURVE_STARTS = spacedShifts(60);

const fields: StateFields<DistanceState> = {
  dim: range(2, 512, 2),
  start: range(0, LARGEST_SHIFT),
  between: oneOf(['nothing', 'matrix']),
};

/** Dot products of sinusoidal rows in a window that slides, with their change, one row, and the change's size. */
export class DistanceFigure extends Figure<DistanceState, 'distance'> {
  static override properties = {
    ...super.properties,
    cursor: { state: true },
    panels: { state: true },
    curveArea: { state: true },
    pair: { state: true },
    curve: { state: true },
  };
  declare private cursor: Cell;
  declare private panels: readonly PanelArea[] | undefined;
  declare private curveArea: { left: number; right: number } | undefined;
  /** PE(m) · PE(n) at the cursor and `PAIR_STEP` positions on, in float64. */
  declare private pair: Float64Array | undefined;
  declare private curve: Float64Array | undefined;

  readonly task = 'distance';
  protected readonly initial: DistanceState = { dim: 512, start: LARGEST_SHIFT, between: 'nothing' };

  protected readonly fields = fields;

  readonly #map = new HeatMap({
    onCursor: (cell) => (this.cursor = cell),
    onLayout: (panels) => (this.panels = panels),
  });
  readonly #row = new LinePlot({ onCursor: (column) => (this.cursor = { row: this.cursor.row, column }) });
  readonly #curve = new LinePlot({
    onCursor: (index) => this.change({ start: CURVE_STARTS[index]! }),
    mouse: 'press',
    onLayout: (area) => (this.curveArea = area),
  });

  constructor() {
    super();
    this.cursor = { row: 2, column: 5 };
  }

  protected text(): Texts['distance'] {
    return texts().distance;
  }

  protected request({ dim, start, between }: DistanceState): DistanceRequest {
    return { dim, start, between, length: LENGTH };
  }

  protected claim(): Claim {
    const text = texts().distance;
    if (!this.answer) return { state: 'computing', text: text.computing };
    const { request, result } = this.answer;
    const tolerance = toleranceOf(request.dim);
    const holds = result.change <= tolerance && result.offKernel <= tolerance / 2;
    const why = request.between === 'matrix' ? text.matrixFails : text.fails;
    return {
      state: holds ? 'holds' : 'fails',
      text: holds ? text.claim(noBreak(group(request.start))) : why,
      comparison: { residual: result.change, tolerance, relation: '≤', gaugeFrom: -12 },
      measurement: this.measurement('f32', `${LENGTH} × ${LENGTH} × ${group(request.dim)}`),
      derivation: text.derivation,
    };
  }

  protected renderProse(): Content {
    return texts().distance.prose;
  }

  protected renderMargin(): TemplateResult {
    const [here, there] = this.pair ?? [];
    const through = this.state.between === 'matrix';
    const product = ([m, n]: readonly [number, number]): string => `PE(${m}) ⋅ ${through ? 'W ⋅ ' : ''}PE(${n})`;
    const [pair, pairOn] = this.#pairs;
    const number = (value: number | undefined): string | typeof nothing =>
      value === undefined ? nothing : readout(value, PAIR_DIGITS);
    return html`
      ${unsafeHTML(mathml.distance)}
      <dl class="fill">
        <dt>${product(pair)}</dt>
        <dd>${number(here)}</dd>
        <dt>${product(pairOn)}</dt>
        <dd>${number(there)}</dd>
        <dt>${texts().distance.margin.difference}</dt>
        <dd>${here === undefined || there === undefined ? nothing : scientific(Math.abs(here - there))}</dd>
      </dl>
    `;
  }

  protected renderPlot(): TemplateResult {
    const text = texts().distance;
    const split = this.#split;
    return html`
      <div class="plot bleed">${this.#map.element}</div>
      <div class=${split ? 'beside' : 'below'} .style=${split ? `--first-column: ${split}px` : ''}>
        <div class="bleed">${this.#row.element}</div>
        <div class="rest">
          <div class="bleed">${this.#curve.element}</div>
          <div class="axis-slider">${this.renderSlider('start', text.start, { scale: 'log1p' })}</div>
        </div>
      </div>
    `;
  }

  protected renderReadout({ request, result }: Answer<'distance'>): Content {
    const { row, column } = this.cursor;
    const at = row * LENGTH + column;
    const distance = column - row;
    const [now, before] = [result.now[at]!, result.before[at]!];
    const k = result.kernel[Math.abs(distance)]!;
    const through = request.between === 'matrix';
    const product = `PE(m) ⋅ ${through ? 'W ⋅ ' : ''}PE(n)`;
    return html`<span class="q nb">m = <b>${group(request.start + row)}</b></span
      >&nbsp;· <span class="k nb">n = <b>${group(request.start + column)}</b></span
      >&nbsp;· <span class="dist nb">n − m = <b>${group(distance)}</b></span
      >&nbsp;·
      ${
        through
          ? nothing
          : html`<span class="nb">K = ${readout(k)}</span>&nbsp;·
              <span class="nb">d/2 ⋅ K = ${readout((request.dim / 2) * k)}</span>&nbsp;·`
      } <span class="nb">${product} = <b>${readout(now)}</b></span
      >&nbsp;· ${texts().distance.readout.change} <span class="nb">${scientific(now - before)}</span>`;
  }

  protected renderControls(): TemplateResult {
    const text = texts().distance;
    return html`<div class="controls">
      ${this.renderSlider('dim', text.width)}
      ${this.renderChoice('between', text.between.label, (between) => text.between[between], { wide: true })}
    </div>`;
  }

  protected renderLookFor(): Content {
    return texts().distance.lookFor;
  }

  protected table({ request, result }: Answer<'distance'>): TableData {
    return {
      columns: texts().distance.tableHeads,
      rows: LENGTH * LENGTH,
      cell: (at, column) => {
        const [m, n] = [Math.floor(at / LENGTH), at % LENGTH];
        const [before, now] = [result.before[at]!, result.now[at]!];
        switch (column) {
          case 0:
            return group(request.start + m);
          case 1:
            return group(request.start + n);
          case 2:
            return group(n - m);
          case 3:
            return fixed(before, 6);
          case 4:
            return fixed(now, 6);
          default:
            return scientific(now - before);
        }
      },
      value: (at, column) => {
        const [m, n] = [Math.floor(at / LENGTH), at % LENGTH];
        const [before, now] = [result.before[at]!, result.now[at]!];
        return [request.start + m, request.start + n, n - m, before, now, now - before][column]!;
      },
    };
  }

  protected override array({ result }: Answer<'distance'>): NumberArray {
    return { values: [...result.before, ...result.now], shape: [2, LENGTH, LENGTH] };
  }

  protected override numpy({ request }: Answer<'distance'>): string {
    const { dim, start, between, length } = request;
    const through = between === 'matrix';
    return `${through ? `${EMBEDDING}\n\n` : ''}length, dim = ${length}, ${dim}
frequency = 10000.0 ** (-np.arange(0, dim, 2) / dim)
${through ? `W = embed([str(row) for row in range(dim)], dim) / np.sqrt(dim)` : 'W = np.eye(dim)'}

def products(start):
    angle = np.arange(start, start + length)[:, None] * frequency
    pe = np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(length, dim)
    return pe @ W @ pe.T

table = np.stack([products(0), products(${start})])`;
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const { dim, between } = this.state;
    this.alsoAsk('distancePair', { dim, between, pairs: this.#pairs }, (pair) => (this.pair = pair));
    this.alsoAsk(
      'distanceCurve',
      { dim, between, length: LENGTH, starts: CURVE_STARTS },
      (curve) => (this.curve = curve),
      (curve) => (this.curve = curve),
    );
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    alignSlider(this, this.curveArea);
  }

  protected updatePlots(): void {
    const text = texts().distance;
    const { request, result } = this.answer ?? { request: this.request(this.state) };
    const { start } = request;
    const limits = limitsOf(request);
    const through = request.between === 'matrix';
    this.#map.update({
      label: text.map,
      rows: LENGTH,
      columns: LENGTH,
      panels: [
        {
          title: through ? text.productsThrough : text.products,
          values: result?.now ?? null,
          scale: { map: 'diverging', limit: limits.products },
          bar: true,
        },
        {
          title: text.change,
          values: result ? changeOf(result) : null,
          scale: { map: 'diverging', limit: limits.change },
          bar: true,
        },
      ],
      shape: { cells: 'square' },
      rowAxis: { title: text.firstAxis, start, color: 'q' },
      columnAxis: { title: text.secondAxis, start, color: 'k' },
      guide: 'diagonal',
      left: 78,
      cursor: this.cursor,
    });
    this.#updateRow(limits.products, through);
    this.#updateCurve(toleranceOf(request.dim));
  }

  /** The cursor's row under its panel: column over column where the two plots share their place. */
  #updateRow(limit: number, through: boolean): void {
    const text = texts().distance;
    const { row, column } = this.cursor;
    const { request, result } = this.answer ?? {};
    const m = group((request?.start ?? this.state.start) + row);
    const area = this.#split === undefined ? {} : { area: this.panels![0]! };
    this.#row.update({
      label: text.row,
      x: Array.from({ length: LENGTH }, (_, n) => n),
      xAxis: {
        title: text.distanceAxis,
        minimum: -0.5,
        maximum: LENGTH - 0.5,
        ticks: distanceTicks(row),
      },
      yAxis: {
        title: through ? text.rowTitleThrough(m) : text.rowTitle(m),
        minimum: -limit,
        maximum: limit,
        ticks: [-1, -0.5, 0, 0.5, 1].map((share) => ({
          at: share * limit,
          label: short(Number((share * limit).toPrecision(3))),
        })),
      },
      height: ROW_HEIGHT,
      series: [
        {
          color: 1,
          values: result ? result.now.subarray(row * LENGTH, (row + 1) * LENGTH) : [],
          wash: true,
        },
      ],
      left: 78,
      ...area,
      cursor: column,
    });
  }

  #updateCurve(tolerance: number): void {
    const text = texts().distance;
    const split = this.#split;
    const [, panel] = this.panels ?? [];
    const area = split === undefined || !panel ? {} : { area: { left: panel.left - split, width: panel.width } };
    this.#curve.update({
      label: text.curve,
      x: CURVE_STARTS.map(along),
      xAxis: shiftAxis,
      yAxis: {
        title: text.curveTitle,
        minimum: CURVE.from,
        maximum: CURVE.to,
        scale: 'log',
        ticks: [3, 0, -3, -6, -9].map((exponent) => ({ at: 10 ** exponent, label: powerOfTen(exponent) })),
      },
      height: CURVE.height,
      series: [{ color: 1, values: this.curve?.map((change) => Math.max(change, CURVE.from)) ?? [] }],
      threshold: { y: tolerance, label: `${text.tolerance} ${scientific(tolerance)}` },
      ...area,
      cursor: nearestShift(CURVE_STARTS, this.state.start),
    });
  }

  /** Width of the column under the first panel, or undefined where the plots stand below each other. */
  get #split(): number | undefined {
    const [first, second] = this.panels ?? [];
    if (!first || !second || this.#map.compact || onPhone.matches) return undefined;
    return first.left + first.width + BESIDE_ROW;
  }

  get #pairs(): readonly [readonly [number, number], readonly [number, number]] {
    const { row, column } = this.cursor;
    return [
      [row, column],
      [row + PAIR_STEP, column + PAIR_STEP],
    ];
  }
}

const changeOf = kept(({ now, before }: DistanceResult) => now.map((value, i) => value - before[i]!));

/** A change is the difference of two dot products; see the derivation in the text. */
function toleranceOf(dim: number): number {
  return 1.02 * dim * 2 ** -23;
}

/** Colour limits follow from the width alone: a row has squared length d/2; through W, products spread by √d / 2. */
function limitsOf({ dim, between }: DistanceRequest): { products: number; change: number } {
  if (between === 'nothing') return { products: dim / 2, change: (CHANGE_SHARE * dim) / 2 };
  const limit = Number((2 * Math.sqrt(dim)).toPrecision(2));
  return { products: limit, change: limit };
}

/** Distances from row m at round numbers, at the columns that have them. */
function distanceTicks(row: number): { at: number; label: string }[] {
  const ticks: { at: number; label: string }[] = [];
  for (let distance = -TICK * Math.floor(row / TICK); row + distance < LENGTH; distance += TICK) {
    ticks.push({ at: row + distance, label: group(distance) });
  }
  return ticks;
}
