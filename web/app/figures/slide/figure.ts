import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { mathml } from 'virtual:formulas';
import type { NumberArray } from '../../exports/npy.js';
import { EMBEDDING, frequenciesOf, pythonList } from '../../exports/numpy.js';
import type { Content } from '../../texts/translation.js';
import { type ModelPreset, modelPresets } from '../../models.js';
import type { TableData } from '../../parts/data-table.js';
import { type Answer, Figure } from '../../parts/figure.js';
import type { Claim } from '../../parts/proof-line.js';
import { fixed, group, powerOfTen, scientific } from '../../plots/format.js';
import { type Cell, HeatMap, type HeatMapSpec } from '../../plots/heatmap.js';
import { LinePlot } from '../../plots/line-plot.js';
import { type StateFields, oneOf, range } from '../../state/fields.js';
import { kept } from '../kept.js';
import { modelField, presetNamed, renderModelChoice } from '../model-choice.js';
import { LARGEST_SHIFT, alignSlider, along, nearestShift, shiftAxis, spacedShifts } from '../shift-axis.js';
import {
  CACHED_BASE_DIVISOR,
  SLIDE_MODES,
  type SlideCurve,
  type SlideMode,
  type SlideRequest,
  type SlideResult,
} from './task.js';
import { type Texts, texts } from '../../texts/index.js';

interface SlideState {
  readonly shift: number;
  readonly model: string;
  readonly mode: SlideMode;
}

/** A change is the difference of two scores of rotated unit vectors; see the derivation in the text. */
const TOLERANCE = 2 ** -20;
const CHANGE_LIMIT = 0.2;
/** Where the names of the curves stand on the axis. */
const LABEL_AT = 1.5;
const CURVE = { from: 1e-9, to: 2, height: 114 };

const CURVE_SHIFTS = spacedShifts(120);

const fields: StateFields<SlideState> = {
  shift: range(0, LARGEST_SHIFT),
  model: modelField,
  mode: oneOf(SLIDE_MODES),
};

/** Rotated beside added scores of the same tokens, while all positions slide. */
export class SlideFigure extends Figure<SlideState, 'slide'> {
  static override properties = {
    ...super.properties,
    cursor: { state: true },
    area: { state: true },
    curve: { state: true },
  };
  declare private cursor: Cell;
  /** Where the curve's axis runs, so that the slider under it can follow. */
  declare private area: { left: number; right: number } | undefined;
  /** The largest changes at CURVE_SHIFTS. */
  declare private curve: SlideCurve | undefined;

  readonly task = 'slide';
  protected readonly initial: SlideState = {
    shift: LARGEST_SHIFT,
    model: modelPresets[0]!.name,
    mode: 'intact',
  };

  protected readonly fields = fields;

  readonly #maps = {
    rotated: new HeatMap({ onCursor: (cell) => (this.cursor = cell) }),
    added: new HeatMap({ onCursor: (cell) => (this.cursor = cell) }),
  };
  readonly #curve = new LinePlot({
    onCursor: (index) => this.change({ shift: CURVE_SHIFTS[index]! }),
    mouse: 'press',
    onLayout: (area) => (this.area = area),
  });

  constructor() {
    super();
    this.cursor = { row: 8, column: 4 };
  }

  protected text(): Texts['slide'] {
    return texts().slide;
  }

  protected request({ shift, mode }: SlideState): SlideRequest {
    return { tokens: texts().slide.tokens, params: this.#preset.params, shift, mode };
  }

  get #preset(): ModelPreset {
    return presetNamed(this.state.model);
  }

  protected claim(): Claim {
    const text = texts().slide;
    if (!this.answer) return { state: 'computing', text: text.computing };
    const { request, result } = this.answer;
    const holds = result.rotatedChange <= TOLERANCE;
    const overflows = Number.isNaN(result.rotatedChange);
    const count = request.tokens.length;
    return {
      state: holds ? 'holds' : 'fails',
      text: holds ? text.claim : overflows ? text.overflows : text.why[request.mode],
      ...(overflows
        ? {}
        : {
            comparison: {
              residual: result.rotatedChange,
              tolerance: TOLERANCE,
              relation: '≤' as const,
              gaugeFrom: -12,
            },
          }),
      measurement: this.measurement(
        { fp16: 'f16 → f32', bf16: 'bf16 → f32' }[request.mode as string] ?? 'f32',
        `${count} × ${count} × ${request.params.headDim}`,
      ),
      derivation: text.derivation,
    };
  }

  protected renderProse(): Content {
    const { name, params } = this.#preset;
    return texts().slide.prose(group(params.rotaryDim / 2), name, group(params.headDim), group(params.base));
  }

  protected renderMargin(): TemplateResult {
    const words = texts().slide.margin;
    const at = this.#at;
    const { rotated, rotatedBefore } = this.answer?.result ?? {};
    const rows = [
      [words.now, rotated && fixed(rotated[at]!, 12)],
      [words.before, rotatedBefore && fixed(rotatedBefore[at]!, 12)],
      [words.difference, rotated && rotatedBefore && scientific(rotated[at]! - rotatedBefore[at]!)],
    ];
    return html`
      ${unsafeHTML(mathml.slide)}
      <dl class="fill">
        ${rows.map(
          ([label, value]) =>
            html`<dt>${label}</dt>
              <dd>${value || nothing}</dd>`,
        )}
      </dl>
    `;
  }

  protected renderPlot(): TemplateResult {
    const text = texts().slide;
    const { result } = this.answer ?? {};
    const side = (title: string, map: HeatMap, change: number | undefined): TemplateResult =>
      html`<div class="side">
        <h3>${title} <span>${change === undefined ? nothing : text.largestChange(scientific(change))}</span></h3>
        ${map.element}
      </div>`;
    return html`
      <div class="duo">
        ${side(text.rotated, this.#maps.rotated, result?.rotatedChange)}
        ${side(text.added, this.#maps.added, result?.addedChange)}
      </div>
      <div class="plot">${this.#curve.element}</div>
      <div class="axis-slider">
        ${this.renderSlider(
          'shift',
          { ...text.shift, label: this.state.mode === 'keys' ? text.shift.keysOnly : text.shift.label },
          { scale: 'log1p' },
        )}
      </div>
    `;
  }

  protected renderReadout({ request, result }: Answer<'slide'>): Content {
    const words = texts().slide.readout;
    const { row: m, column: n } = this.cursor;
    const at = this.#at;
    const queryShift = request.mode === 'keys' ? 0 : request.shift;
    const distance = n + request.shift - (m + queryShift);
    const [query, key] = [request.tokens[m]!, request.tokens[n]!];
    return html`<span class="q nb">m = <b>${group(m + queryShift)}</b> ${query}</span>&nbsp;·
      <span class="k nb">n = <b>${group(n + request.shift)}</b> ${key}</span>&nbsp;·
      <span class="dist nb">n − m = <b>${group(distance)}</b></span
      >&nbsp;·
      <span class="nb">${words.rotated} <b>${fixed(result.rotated[at]!, 7)}</b></span>
      <span class="nb">${words.atZero(fixed(result.rotatedBefore[at]!, 7))}</span>&nbsp;·
      <span class="nb"
        >${words.added} <b>${fixed(result.added[at]!, 3)}</b> (${fixed(result.addedBefore[at]!, 3)})</span
      >`;
  }

  protected renderControls(): TemplateResult {
    const text = texts().slide;
    return html`<div class="controls">
      ${renderModelChoice(this.state.model, (model) => this.change({ model }))}
      ${this.renderChoice('mode', text.break, (mode) => ({ label: text.modes[mode], note: text.notes[mode] }), { wide: true })}
    </div>`;
  }

  protected renderLookFor(): Content {
    return texts().slide.lookFor;
  }

  protected table({ request, result }: Answer<'slide'>): TableData {
    const count = request.tokens.length;
    const name = (position: number): string => `${group(position)} ${request.tokens[position]!}`;
    const values = [result.rotatedBefore, result.rotated, result.addedBefore, result.added];
    return {
      columns: texts().slide.tableHeads,
      rows: count * count,
      cell: (row, column) => {
        if (column === 0) return name(Math.floor(row / count));
        if (column === 1) return name(row % count);
        return fixed(values[column - 2]![row]!, 12);
      },
      value: (row, column) => [Math.floor(row / count), row % count][column] ?? values[column - 2]![row]!,
    };
  }

  protected override array({ request, result }: Answer<'slide'>): NumberArray {
    const count = request.tokens.length;
    const { rotatedBefore, rotated, addedBefore, added } = result;
    return { values: [...rotatedBefore, ...rotated, ...addedBefore, ...added], shape: [4, count, count] };
  }

  protected override numpy({ request }: Answer<'slide'>): string {
    const { tokens, params, shift, mode } = request;
    const [query, key] = [mode === 'keys' ? 0 : shift, shift];
    const halves = 'np.arange(pairs), np.arange(pairs, 2 * pairs)';
    const neighbours = 'np.arange(0, 2 * pairs, 2), np.arange(1, 2 * pairs, 2)';
    const [own, other] = params.pairing === 'interleaved' ? [neighbours, halves] : [halves, neighbours];
    const cached = { ...params, base: params.base / CACHED_BASE_DIVISOR };
    return `${EMBEDDING}

tokens = ${pythonList(tokens)}
${frequenciesOf(params)}
dim, pairs = ${params.headDim}, len(frequency)
words = embed(tokens, dim)
words /= np.linalg.norm(words, axis=1, keepdims=True)

def positions(shift):
    ${POSITIONS[mode] ?? 'return np.arange(len(tokens)) + shift'}

def rotate(position, frequency, pairing):
    c, s = np.cos(np.outer(position, frequency)), np.sin(np.outer(position, frequency))
    a, b = pairing
    x = words.copy()
    x[:, a], x[:, b] = words[:, a] * c - words[:, b] * s, words[:, a] * s + words[:, b] * c
    return x

def add(position, frequency):
    angle = np.outer(position, frequency)
    x = words / np.sqrt(2)
    x[:, : 2 * pairs] += np.hstack([np.sin(angle), np.cos(angle)]) / np.sqrt(2 * pairs)
    return x

own = frequency, (${own})
keys = own
${mode === 'mixed' ? `keys = frequency, (${other})` : ''}${mode === 'base' ? `${frequenciesOf(cached)}\nkeys = frequency, own[1]` : ''}
at_zero = np.arange(len(tokens))
table = np.stack([
    rotate(at_zero, *own) @ rotate(at_zero, *own).T,
    rotate(positions(${query}), *own) @ rotate(positions(${key}), *keys).T,
    add(at_zero, own[0]) @ add(at_zero, own[0]).T,
    add(positions(${query}), own[0]) @ add(positions(${key}), keys[0]).T,
])`;
  }

  protected updatePlots(): void {
    const text = texts().slide;
    const { tokens } = this.answer?.request ?? this.request(this.state);
    const { curve } = this;
    const { result } = this.answer ?? {};
    const changes = result && changesOf(result);
    this.#maps.rotated.update(scoreMap(text.rotatedMap, tokens, this.cursor, result?.rotated, changes?.rotated));
    this.#maps.added.update(scoreMap(text.addedMap, tokens, this.cursor, result?.added, changes?.added));

    // Both names stand above their curves unless those run close together.
    const at = CURVE_SHIFTS.findIndex((shift) => along(shift) >= LABEL_AT);
    const [rotatedThere, addedThere] = curve ? [curve.rotated[at]!, curve.added[at]!] : [0, 1];
    const rotatedIsHigher = rotatedThere > addedThere;
    const rotatedIsClose = Math.max(rotatedThere, addedThere) < 100 * Math.min(rotatedThere, addedThere);
    this.#curve.update({
      label: text.curve,
      x: CURVE_SHIFTS.map(along),
      xAxis: shiftAxis,
      yAxis: {
        title: text.curveTitle,
        minimum: CURVE.from,
        maximum: CURVE.to,
        scale: 'log',
        ticks: [0, -3, -6, -9].map((exponent) => ({ at: 10 ** exponent, label: powerOfTen(exponent) })),
      },
      height: CURVE.height,
      series: [
        {
          name: text.rotatedLine,
          color: 1,
          values: curve ? visible(curve.rotated) : [],
          place: { x: LABEL_AT, side: rotatedIsClose && !rotatedIsHigher ? 'below' : 'above' },
        },
        {
          name: text.addedLine,
          color: 2,
          values: curve ? visible(curve.added) : [],
          place: { x: LABEL_AT, side: rotatedIsClose && rotatedIsHigher ? 'below' : 'above' },
        },
      ],
      threshold: { y: TOLERANCE, label: text.tolerance },
      cursor: nearestShift(CURVE_SHIFTS, this.state.shift),
    });
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const { shift: _, ...setting } = this.request(this.state);
    this.alsoAsk('slideCurve', { ...setting, shifts: CURVE_SHIFTS }, (curve) => (this.curve = curve));
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    alignSlider(this, this.area);
  }

  /** Index of the cursor's cell. */
  get #at(): number {
    return this.cursor.row * texts().slide.tokens.length + this.cursor.column;
  }
}

/** Positions as 16 bits keep them: float16, and bfloat16 as the upper half of a float32, ties to even. */
const POSITIONS: Readonly<Partial<Record<SlideMode, string>>> = {
  fp16: 'return (np.arange(len(tokens)) + shift).astype(np.float16).astype(float)',
  bf16: `bits = (np.arange(len(tokens)) + shift).astype(np.float32).view(np.uint32)
    return (bits + 0x7FFF + (bits >> 16 & 1) & 0xFFFF0000).view(np.float32).astype(float)`,
};

/** What the shift has changed in every score. */
const changesOf = kept(({ rotated, rotatedBefore, added, addedBefore }: SlideResult) => ({
  rotated: rotated.map((value, i) => value - rotatedBefore[i]!),
  added: added.map((value, i) => value - addedBefore[i]!),
}));

function scoreMap(
  label: string,
  tokens: readonly string[],
  cursor: Cell,
  now: Float64Array | undefined,
  change: Float64Array | undefined,
): HeatMapSpec {
  const text = texts().slide;
  return {
    label,
    rows: tokens.length,
    columns: tokens.length,
    panels: [
      { title: text.scores, values: now ?? null, scale: { map: 'diverging', limit: 1 } },
      {
        title: text.change,
        values: change ?? null,
        scale: { map: 'diverging', limit: CHANGE_LIMIT },
        bar: true,
      },
    ],
    shape: { cells: 'square' },
    rowAxis: { title: text.queryAxis, labels: tokens, color: 'q' },
    columnAxis: { title: text.keyAxis, labels: tokens, color: 'k' },
    guide: 'diagonal',
    left: 42,
    cursor,
  };
}

/** A change of exactly 0 has no place on a logarithmic axis; it is drawn at its lower end. */
function visible(changes: Float64Array): Float64Array {
  return changes.map((change) => Math.max(change, CURVE.from));
}
